//! What the instructions of a log are: by their words in the log, by the program, or by both.

use std::sync::Arc;

use tracewright_image::{Image, InstructionSet};
use tracewright_sim::code::{Code, Instruction};
use tracewright_sim::event::Isa;

use crate::error::Problem;
use crate::flow::returns_from_trap;

/// Instructions that are remembered.
const SLOTS: usize = 1 << 14;

/// An instruction that was looked up.
#[derive(Clone, Copy)]
struct Slot {
    address: u64,
    word: Option<u32>,
    found: Found,
}

/// What an instruction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// `None` for what is no instruction, which can be attempted and traps.
    pub instruction: Option<Instruction>,
    /// It returns from a trap.
    pub returns_from_trap: bool,
    /// Its word, 0 if it is not known.
    pub word: u32,
}

/// The instructions of a log.
pub(crate) struct LoggedCode {
    set: InstructionSet,
    image: Option<Arc<Image>>,
    slots: Vec<Option<Slot>>,
    /// Instructions of the log that are in no file of the program, and the first of them.
    pub outside: Option<u64>,
}

impl LoggedCode {
    pub(crate) fn new(set: InstructionSet, image: Option<Arc<Image>>) -> Self {
        LoggedCode { set, image, slots: vec![None; SLOTS], outside: None }
    }

    /// The instruction set.
    pub(crate) fn set(&self) -> InstructionSet {
        self.set
    }

    /// The program, if there is one.
    pub(crate) fn image(&self) -> Option<&Arc<Image>> {
        self.image.as_ref()
    }

    /// True if a file of the program has code at an address.
    pub(crate) fn is_in_program(&self, address: u64) -> bool {
        self.image.as_ref().is_some_and(|image| image.bytes_at(address).is_some())
    }

    /// Checks that a word of the log is that of the program, or one of 32 bits that leads where a compressed one of it does.
    pub(crate) fn check_expanded(&self, address: u64, word: u32) -> Result<(), Problem> {
        let bytes = self.image.as_ref().and_then(|image| image.bytes_at(address));
        let Some(program) = bytes.and_then(word_of) else { return Ok(()) };
        let log = whole(word);
        let leads = |word: u32| {
            self.set.instruction(address, &[], &word.to_le_bytes()).and_then(|found| found.branch)
        };
        let is_same = match program & 3 {
            3 => program == log,
            _ => program == log || log & 3 == 3 && leads(program) == leads(log),
        };
        match is_same {
            true => Ok(()),
            false => {
                let [log, program] = [log, program].map(|word| format!("{word:#x}"));
                Err(Problem::OtherInstruction { address, log, program })
            }
        }
    }

    /// The instruction at an address, with its word if the log has it.
    pub(crate) fn at(&mut self, address: u64, word: Option<u32>) -> Result<Found, Problem> {
        let place = (address >> 1) as usize % SLOTS;
        if let Some(slot) = self.slots[place]
            && slot.address == address
            && slot.word == word
        {
            return Ok(slot.found);
        }
        let found = self.look_up(address, word)?;
        self.slots[place] = Some(Slot { address, word, found });
        Ok(found)
    }

    /// Compares code that the log lists, in units of so many bytes, with that of the program, where a file of it has the
    /// address.
    pub(crate) fn compare(
        &mut self,
        address: u64,
        listed: &[u8],
        unit: usize,
    ) -> Result<(), Problem> {
        let Some(image) = &self.image else { return Ok(()) };
        let Some(bytes) = image.bytes_at(address) else {
            // A helper of the kernel has no bytes.
            if image.instruction(address).is_none() {
                self.outside = self.outside.or(Some(address));
            }
            return Ok(());
        };
        let bytes = &bytes[..bytes.len().min(listed.len())];
        if listed.starts_with(bytes) {
            return Ok(());
        }
        let (log, program) = (digits(listed, unit), digits(bytes, unit));
        Err(Problem::OtherInstruction { address, log, program })
    }

    #[cold]
    fn look_up(&mut self, address: u64, word: Option<u32>) -> Result<Found, Problem> {
        let in_log = word.map(whole);
        let in_image = self.image.as_ref().and_then(|image| image.bytes_at(address));
        let in_program = in_image.and_then(word_of);
        let word = match (in_log, in_program) {
            (Some(log), Some(program)) if log != program => {
                let [log, program] = [log, program].map(|word| format!("{word:#x}"));
                return Err(Problem::OtherInstruction { address, log, program });
            }
            (Some(log), None) => {
                if self.image.is_some() {
                    self.outside = self.outside.or(Some(address));
                }
                log
            }
            (None, None) => {
                return Err(match (&self.image, in_image) {
                    (Some(image), None) if image.instruction(address).is_some() => {
                        // A helper of the kernel has no bytes.
                        let instruction = image.instruction(address);
                        return Ok(Found { instruction, returns_from_trap: false, word: 0 });
                    }
                    (None, _) => Problem::NoInstruction(address),
                    (Some(_), _) => Problem::OutsideProgram(address),
                });
            }
            (_, Some(program)) => program,
        };
        let bytes = word.to_le_bytes();
        let instruction = match (in_program, &self.image) {
            (Some(_), Some(image)) => image.instruction(address),
            _ => self.set.instruction(address, &[], &bytes),
        };
        let is_risc_v = self.set.isa() == Isa::RiscV;
        Ok(Found { instruction, returns_from_trap: is_risc_v && returns_from_trap(word), word })
    }
}

/// Code in hexadecimal, as numbers of so many bytes with the lowest byte first.
#[cold]
fn digits(code: &[u8], unit: usize) -> String {
    let number = |unit: &[u8]| unit.iter().rev().map(|byte| format!("{byte:02x}")).collect();
    let numbers: Vec<String> = code.chunks(unit.max(1)).map(number).collect();
    match numbers.as_slice() {
        [one] => format!("0x{one}"),
        more => more.join(" "),
    }
}

/// A word of a RISC-V instruction without the bits that are not of it: a compressed one has 16.
pub(crate) fn whole(word: u32) -> u32 {
    if word & 3 == 3 { word } else { word & 0xffff }
}

/// The word of the RISC-V instruction with these first bytes.
pub(crate) fn word_of(bytes: &[u8]) -> Option<u32> {
    let low = u16::from_le_bytes(*bytes.first_chunk()?);
    match low & 3 {
        3 => bytes.first_chunk().map(|bytes| u32::from_le_bytes(*bytes)),
        _ => Some(low.into()),
    }
}
