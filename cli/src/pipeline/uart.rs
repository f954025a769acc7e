//! What the serial line of `generate --reader uart` has sent.

use std::path::Path;

use anyhow::{Result, anyhow};
use tracewright_sim::scheme::Design;
use tracewright_sim::sinks::uart_reader::MARK;

use super::design;
use super::events::is_pipe;
use super::failure::usage;
use super::paths::Input;
use super::ring::RamSink;

/// Refuses a file that begins as what the line sends. Pipes are not read.
///
/// # Errors
/// When it does.
pub fn check_is_other(path: &Path) -> Result<()> {
    match Input::found(path) {
        Ok(input) if !input.is_stdin() && !is_pipe(path) && input.begins_with(&MARK) => {
            Err(usage(format_args!(
                "{} has bytes from the line of `generate --reader uart`: expected --uart, which finds the ring in them",
                path.display()
            )))
        }
        _ => Ok(()),
    }
}

/// Bytes between the mark and the memory: fingerprint, trRamWPLow and the bytes of the memory.
const HEAD: usize = 12;

/// The last whole dump of a ring among the bytes of a file, and the trace in it, the oldest byte first: the line sends
/// the same ring again and again.
///
/// # Errors
/// When the file cannot be read, has no whole dump, or the last one is of another design.
pub fn ring(path: &Path, design: &Design) -> Result<(RamSink, Vec<u8>)> {
    let received = Input::found(path)?.bytes()?;
    let marks = received.windows(MARK.len()).enumerate().filter(|(_, bytes)| *bytes == MARK);
    let mut damage = None;
    for (at, _) in marks.collect::<Vec<_>>().into_iter().rev() {
        match dump(received.get(at + MARK.len()..).unwrap_or_default()) {
            Ok(dump) => {
                design::check_fingerprint(design, dump.fingerprint)?;
                return Ok((dump.sink, dump.sink.turned(dump.memory, path)?));
            }
            Err(found) => damage = Some((at, found)),
        }
    }
    let file = path.display();
    Err(match damage {
        Some((at, damage)) => anyhow!("{file} has no whole dump: the one at byte {at} {damage}"),
        None => anyhow!(
            "{file} has no dump of a ring: expected bytes from the line of `generate --reader uart`"
        ),
    })
}

/// The memory of a RAM sink as it came by the line.
struct Dump {
    fingerprint: u32,
    sink: RamSink,
    memory: Vec<u8>,
}

/// The dump whose mark is before these bytes, or what is wrong with it.
fn dump(bytes: &[u8]) -> Result<Dump, &'static str> {
    const CUT_OFF: &str = "ends before its last byte";
    let word = |at: usize| {
        let word = bytes.get(at..).and_then(|rest| rest.first_chunk::<4>());
        word.map(|word| u32::from_le_bytes(*word)).ok_or(CUT_OFF)
    };
    let (fingerprint, pointer, length) = (word(0)?, word(4)?, word(8)?);
    let end = (length as usize).saturating_add(HEAD);
    let content = bytes.get(..end).ok_or(CUT_OFF)?;
    if crc32fast::hash(content) != word(end)? {
        return Err("has a wrong checksum");
    }
    let sink = RamSink::of_register(pointer).ok_or("has a value that trRamWPLow never has")?;
    Ok(Dump { fingerprint, sink, memory: content[HEAD..].to_vec() })
}
