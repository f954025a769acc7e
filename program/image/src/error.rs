//! Errors of program images.

use std::path::PathBuf;

use crate::identity::Identity;

/// The reason why a program image cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The file is not an ELF file.
    #[error("{}: expected an ELF file, found one that begins with {found}", path.display())]
    NotElf {
        /// The file.
        path: PathBuf,
        /// Its first bytes.
        found: String,
    },
    /// The file is damaged.
    #[error("{}: damaged ELF file: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// The file is shorter than its headers say.
    #[error(
        "{}: truncated ELF file: expected {expected} bytes for the segment at {address:#x}, the file has {found}",
        path.display()
    )]
    Truncated {
        /// The file.
        path: PathBuf,
        /// The virtual address of the segment.
        address: u64,
        /// Bytes up to the segment's end.
        expected: u64,
        /// Bytes of the file.
        found: u64,
    },
    /// A line of a file of changes is not valid.
    #[error("{}, line {line}: expected {expected}", path.display())]
    Changes {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What the line should be.
        expected: &'static str,
    },
    /// The file is another build than the one that is meant.
    #[error(
        "{} was built again since the capture: expected {expected}, found {found}",
        path.display()
    )]
    Rebuilt {
        /// The file.
        path: PathBuf,
        /// The build that is meant.
        expected: Identity,
        /// The build that is there.
        found: Identity,
    },
    /// A line of a list of files is not valid.
    #[error("{}, line {line}: {what}", path.display())]
    List {
        /// The list.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        what: String,
    },
    /// A list of files has none.
    #[error("{}: expected FILE@ADDRESS on a line, found none", path.display())]
    EmptyList {
        /// The list.
        path: PathBuf,
    },
    /// The file is for a processor that is not supported.
    #[error("{}: expected RISC-V, ARM or x86 code, found {found}", path.display())]
    Processor {
        /// The file.
        path: PathBuf,
        /// The processor.
        found: String,
    },
    /// The file has no code.
    #[error("{}: the ELF file has no executable segment", path.display())]
    NoCode {
        /// The file.
        path: PathBuf,
    },
    /// Two files are for different processors.
    #[error("{} has {found} code, but {} has {expected} code", path.display(), first.display())]
    Mixed {
        /// The file.
        path: PathBuf,
        /// The processor of the file.
        found: crate::InstructionSet,
        /// The first file.
        first: PathBuf,
        /// The processor of the first file.
        expected: crate::InstructionSet,
    },
    /// Two segments are at the same addresses.
    #[error(
        "{} and {} both have code at {address:#x}; give one of them the address where it was loaded",
        path.display(),
        other.display()
    )]
    Overlap {
        /// The file.
        path: PathBuf,
        /// The file that was added before.
        other: PathBuf,
        /// The first common address.
        address: u64,
    },
    /// The table of jumps is in no file.
    #[error(
        "expected the jump table at {address:#x} in the code of the program's files, found none there"
    )]
    JumpTable {
        /// Where it is to be.
        address: u64,
    },
    /// A segment does not fit into the address space.
    #[error("{}: the segment at {address:#x} goes beyond the last address", path.display())]
    Address {
        /// The file.
        path: PathBuf,
        /// The address of the segment.
        address: u64,
    },
}
