//! The instructions of a block as `-d in_asm` lists them.
//!
//! `0x00010584:  022000ef  jal ra,34`: the address, the code in groups of digits, each a number of its own (all of a
//! RISC-V or A32 instruction, the halves of a Thumb instruction, the bytes of an x86 one), and after two blanks the
//! instruction for people. A long x86 instruction goes on in a line with the next address and no name.

use tracewright_image::InstructionSet;

use super::block::Block;
use crate::code::LoggedCode;
use crate::error::{Problem, quoted};
use crate::words::Words;

/// The lines of a block.
#[derive(Debug, Default)]
pub(super) struct Listing {
    first: Option<u64>,
    bytes: Vec<u8>,
    /// A line has an instruction of 16-bit halves, which only Thumb code has.
    has_halves: bool,
}

impl Listing {
    /// Takes a line, whose code is that of the program, if that has its address; false if it is none of the listing.
    pub(super) fn line(&mut self, line: &[u8], code: &mut LoggedCode) -> Result<bool, Problem> {
        // A machine of RISC-V has a line of the privilege level before the instructions.
        if self.first.is_none() && line.starts_with(b"Priv: ") {
            return Ok(true);
        }
        let mut words = Words(line);
        let Some((address, digits)) = words.prefixed() else { return Ok(false) };
        words.require(b":", "a colon after the address of an instruction")?;
        check_address(line, digits, code.set())?;
        words.skip_blanks();
        self.first.get_or_insert(address);
        let before = self.bytes.len();
        let mut unit = 1;
        loop {
            let start = words.0;
            let Some((value, digits @ (2 | 4 | 8))) = words.hexadecimal() else { break };
            if !words.0.is_empty() && !words.0.starts_with(b" ") {
                return Err(Problem::expected("the code of an instruction", start));
            }
            check_digits(start, digits, code.set())?;
            self.has_halves |= digits == 4;
            unit = digits / 2;
            self.bytes.extend_from_slice(&value.to_le_bytes()[..digits / 2]);
            match words.0 {
                [b' ', next, ..] if *next != b' ' => words.0 = &words.0[1..],
                _ => break,
            }
        }
        if self.bytes.len() == before {
            return Err(Problem::expected("the code of an instruction", words.0));
        }
        code.compare(address, &self.bytes[before..], unit)?;
        Ok(true)
    }

    /// The block, if the listing has an instruction.
    pub(super) fn block(&self, code: &LoggedCode) -> Option<Block> {
        let is_thumb = code.set() == InstructionSet::Arm && self.has_halves;
        let first = self.first? | u64::from(is_thumb);
        Some(Block::of_bytes(first, &self.bytes, code))
    }
}

/// Fails for an address with more digits than those of an instruction set of 32 bits have.
fn check_address(line: &[u8], digits: usize, set: InstructionSet) -> Result<(), Problem> {
    if digits * 4 <= usize::from(set.address_bits()).max(32) {
        return Ok(());
    }
    let found = format!("the address {} of 64 bits", quoted(&line[..2 + digits]));
    Err(Problem::OtherCode { expected: set, found })
}

/// Fails for code in numbers that are not those of the instruction set: bytes of x86, halves and words of the others.
fn check_digits(code: &[u8], digits: usize, set: InstructionSet) -> Result<(), Problem> {
    let is_x86 = matches!(set, InstructionSet::X86 | InstructionSet::X86_64);
    if is_x86 == (digits == 2) {
        return Ok(());
    }
    let found = format!("an instruction that is listed as {}", quoted(&code[..digits]));
    Err(Problem::OtherCode { expected: set, found })
}
