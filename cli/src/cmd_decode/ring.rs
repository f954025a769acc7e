//! Dumps of ring buffers: the oldest byte comes first after the write pointer.

use std::fs;
use std::io::Cursor;

use anyhow::{Context, Result};
use tracewright_sim::encode::bit_packer::BitUnpacker;
use tracewright_sim::packet::part::{Part, Recovered};
use tracewright_sim::scheme;

use super::{Arguments, Traced};
use crate::pipeline::failure::usage;
use crate::pipeline::limits;
use crate::pipeline::memory;
use crate::pipeline::progress;

/// Bytes from the beginning of a gap on of which each may be the oldest.
const TRIED_BYTES: usize = 32;

/// Gaps in which the write pointer is looked for.
const TRIED_GAPS: usize = 16;

/// The bytes of the buffer, the oldest one first.
///
/// # Errors
/// When the file cannot be read, or the write pointer is not in it.
pub fn turned(arguments: &Arguments, traced: &Traced<'_>) -> Result<Vec<u8>> {
    let file = arguments.file.display();
    memory::reading(&arguments.file);
    let mut bytes = fs::read(&arguments.file).with_context(|| format!("cannot read {file}"))?;
    let oldest = match arguments.write_pointer {
        Some(pointer) if pointer < bytes.len() => pointer,
        Some(pointer) => {
            return Err(usage(format!(
                "--write-pointer {pointer}: expected less than the {} bytes of {file}",
                bytes.len()
            )));
        }
        None => found(arguments, traced, &bytes)?,
    };
    bytes.rotate_left(oldest);
    Ok(bytes)
}

/// The write pointer by which most is decoded. It is in a gap that the buffer has if it is read from its first byte.
fn found(arguments: &Arguments, traced: &Traced<'_>, bytes: &[u8]) -> Result<usize> {
    let mut gaps = Vec::new();
    let first = decoded(arguments, traced, bytes, |begin| gaps.push(begin))?;
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
        let recovered = decoded(arguments, traced, &turned, |_| {})?;
        if value(&recovered) > best {
            (best, oldest) = (value(&recovered), candidate);
        }
        progress.add(1);
    }
    Ok(oldest)
}

/// What is decoded of these bytes; `gap` is given the byte in which each gap begins.
fn decoded(
    arguments: &Arguments,
    traced: &Traced<'_>,
    bytes: &[u8],
    mut gap: impl FnMut(usize),
) -> Result<Recovered> {
    let mut bits = BitUnpacker::new(Cursor::new(bytes));
    let most = limits::events().of_bytes(bytes.len() as u64);
    let mut events = 0;
    scheme::decode_packets(traced.design, &traced.program, &mut bits, u64::MAX, |part| {
        match part {
            Part::Gap(found) => gap((found.bits.start / 8) as usize),
            Part::Event(_) => {
                events += 1;
                limits::check(&arguments.file, events, most, "events")?;
            }
        }
        anyhow::Ok(())
    })
}
