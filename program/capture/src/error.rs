//! Errors of a capture.

use std::path::{Path, PathBuf};

use tracewright_image::InstructionSet;
use tracewright_sim::trace_io;

/// The reason why a program cannot be captured.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The program does not exist.
    #[error("cannot find the program {0}")]
    NoProgram(String),
    /// The program is not an ELF file for a supported processor, or is damaged.
    #[error(transparent)]
    Program(#[from] tracewright_image::Error),
    /// The program is a script.
    #[error("{} is a script: run it by its interpreter, {interpreter}", path.display())]
    Script {
        /// The script.
        path: PathBuf,
        /// The command on its first line.
        interpreter: String,
    },
    /// The dynamic linker of the program does not exist.
    #[error(
        "{} needs {}, which does not exist: expected --sysroot with the folder that has the libraries of its system",
        path.display(),
        linker.display()
    )]
    NoLinker {
        /// The program.
        path: PathBuf,
        /// Where the dynamic linker should be.
        linker: PathBuf,
    },
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
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The plugin is not there.
    #[error("the capture plugin {} is missing; without --plugin FILE and TRACEWRIGHT_PLUGIN the command uses its own", .0.display())]
    NoPlugin(PathBuf),
    /// QEMU was built without plugins.
    #[error(
        "{} ({version}) was built without plugins, as Debian 13, Ubuntu 24.04 and later have it: expected one with plugins \
         before it in PATH, such as that of Debian 12, which scripts/qemu-with-plugins puts into a folder",
        emulator.display()
    )]
    NoPlugins {
        /// QEMU.
        emulator: PathBuf,
        /// What it says of its version.
        version: String,
    },
    /// QEMU ended before the plugin sent a message.
    #[error(
        "{} ({version}) ended ({status}) before the program ran: expected QEMU 7.2 with plugins and version 1 of their interface",
        emulator.display()
    )]
    Silent {
        /// QEMU.
        emulator: PathBuf,
        /// What it says of its version.
        version: String,
        /// QEMU's exit status.
        status: String,
    },
    /// QEMU could not load the program.
    #[error(
        "{emulator} ended ({status}) before {} ran: expected a program for Linux that QEMU can load{advice}",
        path.display()
    )]
    NotLoaded {
        /// QEMU's name.
        emulator: &'static str,
        /// QEMU's exit status.
        status: String,
        /// The program.
        path: PathBuf,
        /// What runs the program instead, after a semicolon; nothing if that is not known.
        advice: String,
    },
    /// QEMU ended before its machine ran.
    #[error(
        "{} ({version}) ended ({status}) before the machine ran: expected arguments of a machine, and QEMU 7.2 with plugins",
        emulator.display()
    )]
    SilentMachine {
        /// QEMU.
        emulator: PathBuf,
        /// What it says of its version.
        version: String,
        /// QEMU's exit status.
        status: String,
    },
    /// The plugin cannot follow the machine.
    #[error("{emulator}: {what}")]
    Machine {
        /// QEMU's name.
        emulator: &'static str,
        /// What the plugin says.
        what: String,
    },
    /// The machine has more processors than its arguments say, or none.
    #[error(
        "the machine has {0} processors, expected one: with several, give their number to QEMU by -smp"
    )]
    Processors(usize),
    /// The processor that is to be traced is not there.
    #[error(
        "--hart {hart}: expected a number less than {processors}, the number of the machine's processors"
    )]
    Hart {
        /// The processor.
        hart: usize,
        /// How many there are.
        processors: usize,
    },
    /// The command is no emulator of machines that can be captured.
    #[error(
        "--system: expected qemu-system-riscv64 or qemu-system-riscv32 and its arguments, found {0}"
    )]
    NoMachine(String),
    /// The emulator of machines is not installed.
    #[error(
        "{0} is missing: install QEMU's system emulators 7.2 (Debian: apt-get install qemu-system-misc)"
    )]
    NoSystemEmulator(String),
    /// The plugin is of another build.
    #[error(
        "the capture plugin has version {found}, expected {expected}; build the plugin and the command together"
    )]
    Version {
        /// The version of the command.
        expected: u64,
        /// The version of the plugin.
        found: u64,
    },
    /// The program is not for Linux.
    #[error(
        "{} was ended by signal {signal} before it made a system call: expected a program for Linux, and this one seems to be for a \
         board{}",
        path.display(),
        instead_of_linux(path, *isa)
    )]
    BareMetal {
        /// The program.
        path: PathBuf,
        /// The signal.
        signal: i32,
        /// Its instruction set.
        isa: InstructionSet,
    },
    /// What the plugin sends is damaged.
    #[error("the capture plugin sent an invalid message: {0}")]
    Damaged(&'static str),
    /// A channel to the plugin fails.
    #[error("cannot read from the capture plugin: {0}")]
    Channel(#[from] std::io::Error),
    /// The trace cannot be written.
    #[error(transparent)]
    Trace(#[from] trace_io::Error),
    /// A block has a branch that is not its last instruction.
    #[error(
        "QEMU's block continues after the branch at {0:#x}, expected the branch to be its last instruction"
    )]
    BranchInside(u64),
}

/// The commands that run a program without an operating system.
pub fn instead_of_linux(path: &Path, isa: InstructionSet) -> String {
    let bits = match isa {
        InstructionSet::RiscV32(_) => 32,
        InstructionSet::RiscV64(_) => 64,
        _ => return String::new(),
    };
    let (program, name) = (path.display(), path.file_stem().unwrap_or_default().to_string_lossy());
    format!(
        "; `tracewright wset capture {program} -o {name}.wset` runs those, and \
         `tracewright wset replay {name}.wset -o {name}.pet.zst` writes the trace; \
         `tracewright capture --system -o {name}.pet.zst --images {name}.images -- qemu-system-riscv{bits} -M virt -bios none \
         -nographic -kernel {program}` traces it in QEMU's machine"
    )
}
