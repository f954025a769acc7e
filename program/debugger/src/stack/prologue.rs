//! Rules for functions without call frame information, from the instructions at their beginning.
//!
//! A debugger reads them the same way: what moves the stack pointer and what stores the return address, up to the first
//! instruction that does something else.

mod aarch64;
mod arm;
mod risc_v;
mod thumb;
mod x86;

pub(super) use x86::locals;

use tracewright_image::{Image, InstructionSet};

use super::architecture::Architecture;
use super::row::Row;

/// The bytes that a debugger looks at.
const MOST_BYTES: usize = 100;

/// The rules at an address, from the beginning of its function up to it.
pub(super) fn row(
    image: &Image,
    architecture: &Architecture,
    address: u64,
    is_thumb: bool,
) -> Option<Row> {
    let function = image.function_at(address)?;
    let code = image.bytes_at(function.address)?;
    let before = usize::try_from(address.checked_sub(function.address)?).ok()?;
    let code = code.get(..before.min(code.len()).min(MOST_BYTES))?;
    match architecture.set {
        InstructionSet::RiscV32(_) | InstructionSet::RiscV64(_) => {
            Some(risc_v::row(code, architecture.word))
        }
        InstructionSet::Arm if is_thumb => Some(thumb::row(code)),
        InstructionSet::Arm => Some(arm::row(code)),
        InstructionSet::AArch64 => Some(aarch64::row(code)),
        InstructionSet::X86 | InstructionSet::X86_64 => None,
    }
}
