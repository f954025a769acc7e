//! The exception tables of ARM (Exception Handling ABI for the ARM Architecture), which say how a call is unwound where
//! there is no other call frame information.

use object::{Object, ObjectSection};

use super::row::{Base, Row, Saved};

const STACK_POINTER: u16 = 13;
const LINK: u16 = 14;

/// The second word of a function that cannot be unwound.
const CANNOT_UNWIND: u32 = 1;

/// The exception table of a file, at the addresses in the file.
#[derive(Debug, Default)]
pub struct ExceptionTable {
    /// The first address of each function, the address of its second word, and that word.
    functions: Vec<(u32, u32, u32)>,
    /// The section with the longer instructions, and its address.
    more: Vec<u8>,
    more_address: u32,
}

/// An address that is stored relative to its own place, in 31 bits.
fn relative(word: u32, place: u32) -> u32 {
    place.wrapping_add(((word << 1) as i32 >> 1) as u32)
}

fn word_at(data: &[u8], offset: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*data.get(offset..)?.first_chunk()?))
}

impl ExceptionTable {
    /// Reads that of a file; nothing where there is none.
    pub fn of(data: &[u8]) -> ExceptionTable {
        let Ok(file) = object::File::parse(data) else { return Self::default() };
        let section = |name| {
            let section = file.section_by_name(name)?;
            Some((section.data().ok()?.to_vec(), section.address() as u32))
        };
        let Some((index, address)) = section(".ARM.exidx") else { return Self::default() };
        let (more, more_address) = section(".ARM.extab").unwrap_or_default();
        let functions = (0..index.len() / 8).filter_map(|number| {
            let place = address.wrapping_add(8 * number as u32);
            let first = word_at(&index, 8 * number)?;
            let second = word_at(&index, 8 * number + 4)?;
            Some((relative(first, place), place.wrapping_add(4), second))
        });
        let mut functions: Vec<_> = functions.collect();
        functions.sort_unstable();
        ExceptionTable { functions, more, more_address }
    }

    /// The rules after a call at an address, in a function that begins at or after `start`.
    pub fn row(&self, address: u64, start: u64) -> Option<Row> {
        let address = u32::try_from(address).ok()?;
        let next = self.functions.partition_point(|function| function.0 <= address);
        let (begin, place, word) = *self.functions[..next].last()?;
        if u64::from(begin) < start || word == CANNOT_UNWIND {
            return None;
        }
        unwind(&self.instructions(place, word)?)
    }

    /// The instructions for unwinding a function.
    fn instructions(&self, place: u32, word: u32) -> Option<Vec<u8>> {
        if word >> 31 == 1 {
            return Some(word.to_be_bytes()[1..].to_vec());
        }
        let offset = relative(word, place).checked_sub(self.more_address)? as usize;
        let first = word_at(&self.more, offset)?;
        let (mut bytes, words, offset) = match (first >> 31, first >> 24 & 15) {
            (1, 0) => (first.to_be_bytes()[1..].to_vec(), 0, offset),
            (1, _) => (first.to_be_bytes()[2..].to_vec(), first >> 16 & 0xff, offset),
            // The personality routine of a language, and instructions in the same form after it.
            _ => {
                let second = word_at(&self.more, offset + 4)?;
                (second.to_be_bytes()[1..].to_vec(), second >> 24, offset + 4)
            }
        };
        for number in 1..=words as usize {
            bytes.extend(word_at(&self.more, offset + 4 * number)?.to_be_bytes());
        }
        Some(bytes)
    }
}

/// A frame that is being unwound.
struct Unwinding {
    /// The register that the virtual stack pointer is relative to.
    base: u16,
    offset: i64,
    saved: Vec<(u16, i64)>,
    /// A register has been popped that is the stack pointer or the program counter.
    program_counter: Option<i64>,
}

impl Unwinding {
    fn pop(&mut self, register: u16) {
        match register {
            15 => self.program_counter = Some(self.offset),
            _ => self.saved.push((register, self.offset)),
        }
        self.offset += 4;
    }

    fn pop_mask(&mut self, first: u16, mask: u32) {
        (0..16).filter(|bit| mask >> bit & 1 == 1).for_each(|bit| self.pop(first + bit));
    }
}

/// Carries out the instructions; `None` for those that refuse, or that this does not know.
fn unwind(code: &[u8]) -> Option<Row> {
    let mut bytes = code.iter().map(|byte| u32::from(*byte));
    let mut it =
        Unwinding { base: STACK_POINTER, offset: 0, saved: Vec::new(), program_counter: None };
    while let Some(byte) = bytes.next() {
        match byte {
            0x00..=0x3f => it.offset += i64::from(byte << 2) + 4,
            0x40..=0x7f => it.offset -= i64::from((byte & 0x3f) << 2) + 4,
            0x80..=0x8f => {
                let mask = (byte & 15) << 8 | bytes.next()?;
                (mask != 0).then_some(())?;
                it.pop_mask(4, mask);
            }
            0x90..=0x9f if it.saved.is_empty() && byte & 15 != 13 && byte & 15 != 15 => {
                (it.base, it.offset) = ((byte & 15) as u16, 0);
            }
            0xa0..=0xaf => {
                it.pop_mask(4, (1 << ((byte & 7) + 1)) - 1);
                if byte & 8 != 0 {
                    it.pop(LINK);
                }
            }
            0xb0 => break,
            0xb1 => it.pop_mask(0, bytes.next().filter(|mask| *mask != 0 && *mask < 16)?),
            0xb2 => it.offset += 0x204 + (variable(&mut bytes)? << 2),
            0xb3 => it.offset += 8 * i64::from((bytes.next()? & 15) + 1) + 4,
            0xb8..=0xbf => it.offset += 8 * i64::from((byte & 7) + 1) + 4,
            0xc8 | 0xc9 => it.offset += 8 * i64::from((bytes.next()? & 15) + 1),
            0xd0..=0xd7 => it.offset += 8 * i64::from((byte & 7) + 1),
            _ => return None,
        }
    }
    let above = |offset: i64| Saved::At(offset - it.offset);
    let link = it.saved.iter().find(|(register, _)| *register == LINK);
    let back = it.program_counter.or(link.map(|(_, offset)| *offset));
    Some(Row {
        frame: Base::Register(it.base, it.offset),
        return_address: back.map_or(Saved::Same, above),
        saved: it.saved.iter().map(|(register, offset)| (*register, above(*offset))).collect(),
        depth: u64::try_from(it.offset).unwrap_or(0),
    })
}

/// A number of seven bits a byte, the lowest first.
fn variable(bytes: &mut impl Iterator<Item = u32>) -> Option<i64> {
    let (mut number, mut shift) = (0, 0);
    loop {
        let byte = bytes.next()?;
        number |= i64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte < 0x80 || shift > 28 {
            return Some(number);
        }
    }
}
