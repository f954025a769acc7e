//! Any bytes as an encoded trace in a file.

use tracewright_sim::bits_file::{BitsReader, Error};
use tracewright_sim::decode::error::DecodeError;
use tracewright_sim::encode::bit_packer::BitUnpacker;
use tracewright_sim::event::Event;
use tracewright_sim::scheme::{self, DesignError};

use super::subject::SUBJECTS;

/// Reads and decodes the file after the first byte, which is odd where its checks are put right
/// first: the damage is then for the reader to find, not for the checks.
///
/// Gives the events, or `None` for a file that is refused.
pub fn check(input: &[u8]) -> Option<Vec<Event>> {
    let (choice, file) = input.split_first()?;
    let mut file = file.to_vec();
    if choice % 2 == 1 {
        seal(&mut file);
    }
    read(&file).ok()
}

fn read(file: &[u8]) -> Result<Vec<Event>, Box<dyn std::error::Error>> {
    let mut reader = BitsReader::new(file, "input.bits").map_err(|error: Error| {
        assert!(error.offset <= file.len() as u64, "{error}");
        error
    })?;
    let design = reader.header().design.clone();
    let machine = reader.header().machine;
    let subject =
        SUBJECTS.iter().find(|subject| subject.machine == machine).unwrap_or(&SUBJECTS[0]);
    let mut events = Vec::new();
    let summary = scheme::decode(
        &design,
        &subject.program,
        &mut BitUnpacker::new(&mut reader),
        subject.most_instructions,
        |event| {
            events.push(event);
            Ok::<_, Refusal>(())
        },
    )?;
    assert_eq!(summary.events, events.len() as u64);
    assert!(reader.totals().is_some(), "a whole trace ends after the trailer");
    Ok(events)
}

#[derive(Debug)]
struct Refusal(String);

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refusal {}

impl From<DecodeError> for Refusal {
    fn from(error: DecodeError) -> Self {
        Refusal(error.to_string())
    }
}

impl From<DesignError> for Refusal {
    fn from(error: DesignError) -> Self {
        Refusal(error.to_string())
    }
}

/// Bytes of the trailer, which begins with a zero in place of a length.
const TRAILER_BYTES: usize = 48;

/// Puts right every check that can be found.
pub fn seal(file: &mut [u8]) {
    let Some(header) = number(file, 8).map(|length| 12usize.saturating_add(length)) else { return };
    if file.len() < header.saturating_add(4) {
        return;
    }
    let sum = crc32fast::hash(&file[6..header]);
    file[header..header + 4].copy_from_slice(&sum.to_le_bytes());
    let mut at = header + 4;
    while let Some(length) = number(file, at) {
        let (sum_at, content) = match length {
            0 => (at + TRAILER_BYTES - 4, at + 4..at + TRAILER_BYTES - 4),
            _ => (at + 4, at + 8..(at + 8).saturating_add(length)),
        };
        if file.len() < content.end.max(sum_at + 4) {
            return;
        }
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&(at as u64).to_le_bytes());
        hasher.update(&(length as u32).to_le_bytes());
        hasher.update(&file[content.clone()]);
        file[sum_at..sum_at + 4].copy_from_slice(&hasher.finalize().to_le_bytes());
        at = content.end.max(sum_at + 4);
    }
}

fn number(file: &[u8], at: usize) -> Option<usize> {
    let bytes = file.get(at..)?.first_chunk::<4>()?;
    Some(u32::from_le_bytes(*bytes) as usize)
}
