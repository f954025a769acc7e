//! Program images: the code of a program from its files.
//!
//! An [`Image`] is an ELF file, and the libraries that were loaded with it at their addresses. It is
//! [`Code`](tracewright_sim::code::Code): it says what the instruction at an address does to the program counter, which is
//! all that a decoder needs to replay a trace. It also knows the functions by name.
//!
//! Code can change while the program runs: [`changes`] says what each thread finds where, and from when on.
//!
//! What an instruction is, is decided by classifiers of our own for RISC-V and ARM, and by iced-x86 for x86
//! ([`InstructionSet::instruction`]); `tests/classifiers.rs` holds them against objdump and capstone on whole programs.
//!
//! ```no_run
//! use std::path::Path;
//! use std::sync::Arc;
//! use tracewright_image::Image;
//! use tracewright_sim::event::{Isa, Machine};
//! use tracewright_sim::program::Program;
//!
//! let mut image = Image::open(Path::new("prog.elf"), 0)?;
//! image.add(Path::new("libc.so.6"), 0x4000_0000)?;
//! let entry = image.entry();
//! let machine = Machine { isa: Isa::RiscV, alignment: 1, address_bits: 64 };
//! let program = Program::of_code(machine, Arc::new(image), Some(entry))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod aarch64;
mod arm;
pub mod attributes;
pub mod changes;
mod debug_file;
mod elf;
mod elf_symbols;
mod error;
mod file_bytes;
pub mod identity;
mod image;
mod instruction_set;
pub mod kernel_helpers;
mod linkage_table;
pub mod list;
mod overlay;
mod pages;
mod riscv;
mod symbols;
mod thread_code;
mod thumb;
mod x86;

pub use error::Error;
pub use image::{File, Image};
pub use instruction_set::InstructionSet;
pub use overlay::{Overlay, Owner};
pub use symbols::Symbol;
