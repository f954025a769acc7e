//! What a description must be before a board is made of it: each error names the key that is wrong.

use std::ops::Range;

use super::description::{BoardDescription, DeviceDescription, MemoryDescription, Place, number};
use crate::error::Error;
use crate::program::Program;

/// The letters of `misa` that a board can have.
const EXTENSIONS: &str = "abcdfimu";

/// Address ranges that are taken, each with the entry of the description that has it.
#[derive(Default)]
pub(super) struct Taken(Vec<(String, Range<u64>)>);

impl Taken {
    /// Checks that a range is free, or taken by the same entry.
    pub(super) fn check(&self, entry: &str, range: &Range<u64>) -> Result<(), Error> {
        let overlaps = |other: &Range<u64>| other.start < range.end && range.start < other.end;
        let found = self.0.iter().find(|(other, taken)| other != entry && overlaps(taken));
        let Some((other, taken)) = found else { return Ok(()) };
        Err(Error::Board(format!(
            "{entry} at {} overlaps {other} at {}, expected addresses of its own",
            shown(range),
            shown(taken)
        )))
    }

    /// Takes a range.
    pub(super) fn take(&mut self, entry: String, range: Range<u64>) -> Result<(), Error> {
        self.check(&entry, &range)?;
        self.0.push((entry, range));
        Ok(())
    }
}

/// A range with its last address.
fn shown(range: &Range<u64>) -> String {
    format!("{:#x} to {:#x}", range.start, range.end.saturating_sub(1))
}

/// The error of a key of an entry.
fn expected(entry: &str, key: &str, expected: &str, found: &str) -> Error {
    Error::Board(format!("`{key}` of {entry}: expected {expected}, found {found}"))
}

/// Checks that an entry has addresses, all of them in the lowest 4 GiB.
pub(super) fn addresses(entry: &str, range: &Range<u64>) -> Result<(), Error> {
    match range.start < range.end && range.end <= crate::lines::END {
        true => Ok(()),
        false => {
            let found = shown(range);
            Err(expected(entry, "address", "addresses in the lowest 4 GiB", &found))
        }
    }
}

/// Checks that an entry has at least one byte.
fn bytes(entry: &str, key: &str, found: u64) -> Result<(), Error> {
    match found {
        0 => Err(expected(entry, key, "1 or more", "0")),
        _ => Ok(()),
    }
}

impl BoardDescription {
    /// The name of an entry of `devices`, which are counted from 1.
    pub(super) fn device_entry(&self, index: usize) -> String {
        let kind = self.devices.get(index).map_or("", DeviceDescription::kind);
        format!("device {} ({kind})", index + 1)
    }

    /// Checks all that is the same for every program.
    pub(super) fn check(&self) -> Result<(), Error> {
        let letters = self.extensions.iter().flat_map(|letters| letters.chars());
        for letter in letters {
            if !EXTENSIONS.contains(letter.to_ascii_lowercase()) {
                return Err(Error::Board(format!(
                    "`extensions`: expected letters out of {EXTENSIONS}, found `{letter}`"
                )));
            }
        }
        for (index, MemoryDescription { bytes: count, .. }) in self.memory.iter().enumerate() {
            bytes(&format!("memory {}", index + 1), "bytes", *count)?;
        }
        for (index, device) in self.devices.iter().enumerate() {
            device.check(&self.device_entry(index))?;
        }
        Ok(())
    }

    /// Checks that the program has each symbol that is named as an address. Ready boards name symbols that a program
    /// may lack, so this is for a board of one's own.
    ///
    /// # Errors
    /// When it lacks one.
    pub fn check_symbols(&self, program: &Program) -> Result<(), Error> {
        for (index, device) in self.devices.iter().enumerate() {
            let DeviceDescription::Htif { tohost, fromhost } = device else { continue };
            for (key, place) in [("tohost", Some(tohost)), ("fromhost", fromhost.as_ref())] {
                if let Some(Place::Symbol(name)) = place
                    && program.symbol(name).is_none()
                {
                    let found = format!("`{name}`, which it does not have");
                    let entry = self.device_entry(index);
                    return Err(expected(&entry, key, "a symbol of the program", &found));
                }
            }
        }
        Ok(())
    }
}

impl DeviceDescription {
    fn check(&self, entry: &str) -> Result<(), Error> {
        use DeviceDescription as D;
        match self {
            D::Uart16550 { stride, .. } => bytes(entry, "stride", *stride),
            D::Finisher { bytes: count, .. } => bytes(entry, "bytes", *count),
            D::Timer { mtime, mtimecmp, msip, .. } => timer(entry, *mtime, *mtimecmp, *msip),
            D::Registers { bytes: count, ones, .. } => {
                bytes(entry, "bytes", *count)?;
                ones.iter().try_for_each(|(offset, ones)| one(entry, *count, offset, *ones))
            }
            _ => Ok(()),
        }
    }
}

/// Checks the offsets of a timer, whose registers of eight bytes are accessed in two halves by 32 bits.
fn timer(entry: &str, mtime: u64, mtimecmp: u64, msip: Option<u64>) -> Result<(), Error> {
    for (key, offset) in [("mtime", mtime), ("mtimecmp", mtimecmp)] {
        if !offset.is_multiple_of(8) {
            return Err(expected(entry, key, "a multiple of 8", &format!("{offset:#x}")));
        }
    }
    let range = |offset: u64, bytes: u64| offset..offset.saturating_add(bytes);
    let mut taken = Taken::default();
    taken.take(format!("`mtime` of {entry}"), range(mtime, 8))?;
    taken.take(format!("`mtimecmp` of {entry}"), range(mtimecmp, 8))?;
    msip.map_or(Ok(()), |msip| taken.take(format!("`msip` of {entry}"), range(msip, 4)))
}

/// Checks an entry of `ones`: the offset of a register of four bytes, and the bits in it.
fn one(entry: &str, bytes: u64, offset: &str, ones: u64) -> Result<(), Error> {
    let is_register = |offset: &u64| offset.is_multiple_of(4) && *offset < bytes;
    if number(offset).filter(is_register).is_none() {
        let wanted = format!("offsets that are multiples of 4 and less than {bytes:#x}");
        return Err(expected(entry, "ones", &wanted, &format!("`{offset}`")));
    }
    match u32::try_from(ones) {
        Ok(_) => Ok(()),
        Err(_) => Err(expected(entry, "ones", "values of 32 bits", &format!("{ones:#x}"))),
    }
}
