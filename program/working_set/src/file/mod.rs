//! Working sets in files.
//!
//! A file is a header of 16 bytes and one zstd frame. docs/working_set.md has the table of the contents
//! that [`describe`] prints.

mod contents;
mod stored_machine;
mod walk;

use std::io::Read;

use crate::error::Error;
use crate::working_set::WorkingSet;
use contents::Contents;
use walk::{Describe, Put, Take};

/// The first bytes of a file.
pub const MAGIC: [u8; 4] = *b"WSET";

/// The newest version of the format. Runs on the board `tracewright` of programs for IMAC are in version 1.
pub const VERSION: u8 = 2;

/// Bytes of the header.
const HEADER: usize = 16;

/// The most bytes of contents, so that a damaged or hostile file cannot exhaust the memory.
pub const CONTENTS_MAX: u32 = 1 << 30;

/// The zstd level: files are small, and written once.
const LEVEL: i32 = 19;

/// The bytes of a file.
///
/// # Errors
/// When the working set is larger than a file may be.
pub fn write(working_set: &WorkingSet) -> Result<Vec<u8>, Error> {
    let mut put = Put::default();
    let mut parts = Contents::of(working_set);
    parts.walk(&mut put)?;
    let contents = put.0;
    let length = u32::try_from(contents.len()).ok().filter(|length| *length <= CONTENTS_MAX);
    let Some(length) = length else {
        return Err(Error::Io(format!(
            "expected a working set of at most {CONTENTS_MAX} bytes, found {}",
            contents.len()
        )));
    };
    let packed = zstd::bulk::compress(&contents, LEVEL);
    let packed = packed.map_err(|error| Error::Io(error.to_string()))?;
    let mut file = Vec::new();
    file.extend(MAGIC);
    file.extend([parts.version(), 0, 0, 0]);
    file.extend(crc32fast::hash(&packed).to_le_bytes());
    file.extend(length.to_le_bytes());
    file.extend(packed);
    Ok(file)
}

/// Reads the bytes of a file.
///
/// # Errors
/// When the bytes are not those of a working set, or are damaged.
pub fn read(file: &[u8]) -> Result<WorkingSet, Error> {
    let contents = unpack(file)?;
    let mut take = Take::new(&contents);
    let mut parts = Contents::of_version(file[4]);
    parts.walk(&mut take)?;
    let working_set = parts.into_working_set(&take)?;
    take.finish()?;
    Ok(working_set)
}

/// The contents, checked as a whole.
fn unpack(file: &[u8]) -> Result<Vec<u8>, Error> {
    let Some((header, packed)) = file.split_first_chunk::<HEADER>() else {
        let found = format!("{} bytes", file.len());
        return Err(error("header", 0, format!("{HEADER} bytes"), found));
    };
    let [m0, m1, m2, m3, version, zeros @ .., c0, c1, c2, c3, l0, l1, l2, l3] = *header;
    if [m0, m1, m2, m3] != MAGIC {
        let found = [m0, m1, m2, m3].escape_ascii().to_string();
        return Err(error("magic number", 0, "WSET".into(), format!("\"{found}\"")));
    }
    if !(1..=VERSION).contains(&version) {
        return Err(error("version", 4, format!("1 to {VERSION}"), version.to_string()));
    }
    if zeros != [0; 3] {
        return Err(error("header", 5, "three zeros".into(), format!("{zeros:?}")));
    }
    let (expected, found) = (u32::from_le_bytes([c0, c1, c2, c3]), crc32fast::hash(packed));
    if expected != found {
        return Err(error("checksum", 8, format!("{expected:#010x}"), format!("{found:#010x}")));
    }
    let length = u32::from_le_bytes([l0, l1, l2, l3]);
    if length > CONTENTS_MAX {
        let expected = format!("at most {CONTENTS_MAX} bytes");
        return Err(error("size of the contents", 12, expected, length.to_string()));
    }
    let broken =
        |found: String| error("compressed contents", HEADER as u64, "one zstd frame".into(), found);
    let decoder = zstd::Decoder::with_buffer(packed).map_err(|error| broken(error.to_string()))?;
    // The vector grows with the bytes present, whatever the header says; one byte more shows a wrong length.
    let mut contents = Vec::new();
    let mut decoder = decoder.single_frame().take(u64::from(length) + 1);
    decoder.read_to_end(&mut contents).map_err(|error| broken(error.to_string()))?;
    if contents.len() as u64 != u64::from(length) {
        let found = match contents.len() as u64 > u64::from(length) {
            true => "more".into(),
            false => contents.len().to_string(),
        };
        return Err(error("size of the contents", 12, format!("{length} bytes"), found));
    }
    let rest = decoder.into_inner().finish();
    if !rest.is_empty() {
        return Err(error(
            "file",
            file.len() as u64 - rest.len() as u64,
            "its end".into(),
            format!("{} more bytes", rest.len()),
        ));
    }
    Ok(contents)
}

fn error(what: &'static str, offset: u64, expected: String, found: String) -> Error {
    Error::Format { what, offset, expected, found }
}

/// The format as a table in Markdown, from the walk that writes and reads it.
pub fn describe() -> String {
    let mut describe = Describe::default();
    let mut example = Contents::example();
    // Describing reads nothing, so it cannot fail.
    let _ = example.walk(&mut describe);
    format!("| field | coding | meaning |\n|---|---|---|\n{}", describe.rows)
}
