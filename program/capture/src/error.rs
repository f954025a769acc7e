//! What can be wrong with a capture.

use std::path::PathBuf;

use tracewright_sim::trace_io;

/// Why a program cannot be captured.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The program is not there.
    #[error("cannot find the program {0}")]
    NoProgram(String),
    /// The program is no ELF file for a processor that is known, or damaged.
    #[error(transparent)]
    Program(#[from] tracewright_image::Error),
    /// QEMU has no user mode for the instruction set here.
    #[error("{0} programs cannot be captured: expected riscv64, riscv32, arm or x86_64")]
    InstructionSet(tracewright_image::InstructionSet),
    /// QEMU is not installed.
    #[error(
        "{0} is missing: install QEMU's user mode emulators 7.2 (Debian: apt-get install qemu-user)"
    )]
    NoEmulator(&'static str),
    /// QEMU cannot be started.
    #[error("cannot run {}: {source}", path.display())]
    Start {
        /// QEMU.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The plugin is not there.
    #[error("the capture plugin {} is missing: `cargo build --release` makes it, --plugin FILE names another", .0.display())]
    NoPlugin(PathBuf),
    /// QEMU ended before the plugin said anything.
    #[error(
        "{emulator} ended ({status}) before the program ran: expected QEMU 7.2 with plugins and version 1 of their interface"
    )]
    Silent {
        /// QEMU's name.
        emulator: &'static str,
        /// How it ended.
        status: String,
    },
    /// The plugin is of another build.
    #[error("the capture plugin speaks version {found}, expected {expected}: build both together")]
    Version {
        /// Ours.
        expected: u64,
        /// The plugin's.
        found: u64,
    },
    /// What the plugin sends is damaged.
    #[error("the capture plugin sent what it cannot have meant: {0}")]
    Damaged(&'static str),
    /// A channel to the plugin fails.
    #[error("cannot listen to the capture plugin: {0}")]
    Channel(#[from] std::io::Error),
    /// The trace cannot be written.
    #[error(transparent)]
    Trace(#[from] trace_io::Error),
    /// A block has a branch that is not its last instruction.
    #[error("QEMU went on after the branch at {0:#x}, which nothing here expects")]
    BranchInside(u64),
}
