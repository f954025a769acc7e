//! Dumps of ring buffers: the oldest byte comes first after the write pointer.

use std::fs;
use std::io::Cursor;
use std::path::Path;

use anyhow::{Context, Result};
use tracewright_sim::encode::bit_packer::BitUnpacker;
use tracewright_sim::packet::part::{Part, Recovered};
use tracewright_sim::program::Programs;
use tracewright_sim::scheme::{self, Design};

use super::failure::usage;
use super::{limits, memory, progress};

/// Bytes from the beginning of a gap on of which each may be the oldest.
const TRIED_BYTES: usize = 32;

/// Gaps in which the write pointer is looked for.
const TRIED_GAPS: usize = 16;

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
    memory::reading(path);
    let mut bytes = fs::read(path).with_context(|| format!("cannot read {file}"))?;
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
        let first = self.decoded(bytes, |begin| gaps.push(begin))?;
        let candidates: Vec<usize> = gaps
            .into_iter()
            .take(TRIED_GAPS)
            .flat_map(|begin| (begin..bytes.len()).take(TRIED_BYTES))
            .collect();
        let progress = progress::bar(candidates.len() as u64, "write pointers");
        let value = |recovered: &Recovered| (recovered.instructions, u64::MAX - recovered.gap_bits);
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

    /// What is decoded of these bytes; `gap` is given the byte in which each gap begins.
    fn decoded(&self, bytes: &[u8], mut gap: impl FnMut(usize)) -> Result<Recovered> {
        let mut bits = BitUnpacker::new(Cursor::new(bytes));
        let most = limits::events().of_bytes(bytes.len() as u64);
        let mut events = 0;
        scheme::decode_packets(self.design, self.programs.clone(), &mut bits, u64::MAX, |part| {
            match part {
                Part::Gap(found) if found.bits.is_empty() => {}
                Part::Gap(found) => gap((found.bits.start / 8) as usize),
                Part::State(_) | Part::Time(_) => {}
                Part::Event(_) => {
                    events += 1;
                    limits::check(self.path, events, most, "events")?;
                }
            }
            anyhow::Ok(())
        })
    }
}
