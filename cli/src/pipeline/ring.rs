//! Dumps of ring buffers: the oldest byte comes first after the write pointer.

use std::io::Cursor;
use std::path::Path;

use anyhow::{Result, anyhow};
use tracewright_sim::encode::bit_packer::BitUnpacker;
use tracewright_sim::packet::part::{Part, Reason, Recovered};
use tracewright_sim::packet::reader::Damage;
use tracewright_sim::program::Programs;
use tracewright_sim::scheme::{self, Design};

use super::failure::usage;
use super::paths::Input;
use super::{limits, progress};

/// Bytes from the beginning of a gap on of which each may be the oldest.
const TRIED_BYTES: usize = 32;

/// Gaps in which the write pointer is looked for.
const TRIED_GAPS: usize = 16;

/// Bytes that are decoded to find the write pointer, so that a large buffer with much damage takes some seconds.
const TRIED_ALL: usize = 8 << 20;

/// The memory of a RAM sink, as its register of the write pointer says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RamSink {
    write_pointer: usize,
    has_wrapped: bool,
}

/// The option of `decode` that says where a ring that has wrapped begins, in front of `pointer`: of a RAM sink as its
/// register has it.
pub fn option(pointer: usize, is_ram_sink: bool) -> String {
    match is_ram_sink {
        true => format!("--ram-sink {:#x}", pointer | 1),
        false => format!("--write-pointer {pointer}"),
    }
}

impl RamSink {
    /// Reads the register's value.
    ///
    /// # Errors
    /// When it is no number, or none that the register has.
    pub fn parse(text: &str) -> Result<Self, String> {
        let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
        let value = match digits {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => text.parse::<u32>(),
        };
        let value = value.map_err(|_| "expected the value of trRamWPLow, such as 0x7c1")?;
        Self::of_register(value)
            .ok_or_else(|| "expected the value of trRamWPLow, whose bit 1 is 0".into())
    }

    /// What the register says; `None` for a value that it never has.
    pub fn of_register(value: u32) -> Option<Self> {
        let sink = Self { write_pointer: (value & !3) as usize, has_wrapped: value & 1 == 1 };
        (value & 2 == 0).then_some(sink)
    }

    /// True if the oldest bytes have been overwritten, so that the trace begins anywhere.
    pub fn has_wrapped(self) -> bool {
        self.has_wrapped
    }

    /// The bytes of the trace in a file that has the memory, the oldest one first.
    ///
    /// # Errors
    /// When the file cannot be read, or the write pointer is not in it.
    pub fn bytes(self, path: &Path) -> Result<Vec<u8>> {
        self.turned(Input::found(path)?.bytes()?, path)
    }

    /// The bytes of the trace in this memory, the oldest one first; `path` is where it is from.
    ///
    /// # Errors
    /// When the ring is empty, or the write pointer is not in it.
    pub fn turned(self, mut bytes: Vec<u8>, path: &Path) -> Result<Vec<u8>> {
        let Self { write_pointer, has_wrapped } = self;
        if write_pointer == 0 && !has_wrapped {
            return Err(anyhow!(
                "{}: the ring is empty, because its write pointer is 0 and it has not wrapped",
                path.display()
            ));
        }
        let most = bytes.len().saturating_sub(usize::from(has_wrapped));
        if write_pointer > most {
            return Err(usage(format!(
                "--ram-sink: the write pointer is {write_pointer:#x}, expected at most the {} bytes of {}",
                bytes.len(),
                path.display()
            )));
        }
        if has_wrapped {
            bytes.rotate_left(write_pointer);
        } else {
            bytes.truncate(write_pointer);
        }
        Ok(bytes)
    }
}

/// What was recovered without what is unverified.
pub fn verified(recovered: &Recovered) -> Recovered {
    Recovered {
        events: recovered.events - recovered.unverified_events,
        instructions: recovered.instructions - recovered.unverified_instructions,
        unverified_events: 0,
        unverified_instructions: 0,
        ..*recovered
    }
}

/// The bytes of the buffer, the oldest one first.
///
/// # Errors
/// When the file cannot be read, or the write pointer is not in it.
pub fn turned(
    path: &Path,
    write_pointer: Option<usize>,
    design: &Design,
    programs: &Programs<'_>,
) -> Result<Vec<u8>> {
    let file = path.display();
    let mut bytes = Input::found(path)?.bytes()?;
    let buffer = Buffer { path, design, programs };
    let oldest = match write_pointer {
        Some(pointer) if pointer < bytes.len() => pointer,
        Some(pointer) => {
            return Err(usage(format!(
                "--write-pointer {pointer}: expected less than the {} bytes of {file}",
                bytes.len()
            )));
        }
        None => buffer.write_pointer(&bytes)?,
    };
    bytes.rotate_left(oldest);
    Ok(bytes)
}

/// A ring buffer's file, and what was traced into it.
struct Buffer<'a> {
    path: &'a Path,
    design: &'a Design,
    programs: &'a Programs<'a>,
}

impl Buffer<'_> {
    /// The write pointer by which most is decoded. It is in a gap that the buffer has if it is read from its first byte, and
    /// that gap has bits: one of instructions that the hardware lost has none.
    fn write_pointer(&self, bytes: &[u8]) -> Result<usize> {
        let mut gaps = Vec::new();
        let first = self.decoded(bytes, |gap| gaps.push(gap))?;
        // A trace that has ended has its newest byte after an end, which the oldest ones follow where padding should.
        gaps.sort_by_key(|(is_after_end, _)| !is_after_end);
        let tries = (TRIED_ALL / bytes.len().max(1)).clamp(TRIED_BYTES, TRIED_GAPS * TRIED_BYTES);
        let candidates: Vec<usize> = gaps
            .into_iter()
            .flat_map(|(_, begin)| (begin..bytes.len()).take(TRIED_BYTES))
            .take(tries)
            .collect();
        let progress = progress::bar(candidates.len() as u64, "write pointers");
        let value = |recovered: &Recovered| {
            (verified(recovered).instructions, u64::MAX - recovered.gap_bits)
        };
        let (mut best, mut oldest) = (value(&first), 0);
        let mut turned = bytes.to_vec();
        for candidate in candidates {
            turned.copy_from_slice(bytes);
            turned.rotate_left(candidate);
            let recovered = self.decoded(&turned, |_| {})?;
            if value(&recovered) > best {
                (best, oldest) = (value(&recovered), candidate);
            }
            progress.add(1);
        }
        Ok(oldest)
    }

    /// What is decoded of these bytes; `gap` is given the byte in which each gap begins, and whether that is an end.
    fn decoded(&self, bytes: &[u8], mut gap: impl FnMut((bool, usize))) -> Result<Recovered> {
        let mut bits = BitUnpacker::new(Cursor::new(bytes));
        let most = limits::events().of_bytes(bytes.len() as u64);
        let mut events = 0;
        scheme::decode_packets(self.design, self.programs.clone(), &mut bits, u64::MAX, |part| {
            match part {
                Part::Gap(found) if found.bits.is_empty() => {}
                Part::Gap(found) => {
                    let is_after_end = found.reason == Reason::Damaged(Damage::Padding);
                    gap((is_after_end, (found.bits.start / 8) as usize));
                }
                Part::State(_) | Part::Time(_) | Part::Unverified => {}
                Part::Event(_) => {
                    events += 1;
                    limits::check(self.path, events, most, "events")?;
                }
            }
            anyhow::Ok(())
        })
    }
}
