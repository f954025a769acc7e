//! An encoded trace in a file, with everything that decoding needs but the program.
//!
//! | part | bytes | content |
//! |---|---|---|
//! | magic | 6 | `TWBITS` |
//! | version | 2 | 1 |
//! | header length | 4 | bytes of the header, at most 16,384 |
//! | header | | lines `key=value`: `design`, `scheme`, `machine.isa`, `machine.alignment`, `machine.address_bits`, and `parameter.NAME` for every parameter |
//! | check | 4 | CRC-32 of the version, the header length and the header |
//! | frames | | any number of: length (4 bytes, 1 to 65,536), check (4 bytes), that many bytes of the trace |
//! | trailer | 48 | [`Totals`]: a zero where a frame has its length (4 bytes), bits, padding bits, instructions, events and fingerprint (8 bytes each), check (4 bytes) |
//!
//! Numbers are little-endian. The check of a frame and of the trailer is the CRC-32 of their
//! distance from the beginning of the file (8 bytes), their length field and their content, so that
//! a frame out of place is found as well. Bit 0 of byte 0 of the first frame is the first bit of the
//! trace; the last byte is filled up with zeros.
//!
//! ```
//! use tracewright_sim::bits_file::{BitsReader, BitsWriter, Fingerprint, Header};
//! use tracewright_sim::encode::bit_packer::BitUnpacker;
//! use tracewright_sim::program::ProgramBuilder;
//! use tracewright_sim::golden_encoder::GoldenEncoder;
//! use tracewright_sim::scheme::{self, Design, Encoder};
//! use tracewright_sim::synthetic::{Options, Synthetic};
//!
//! let trace = Synthetic::new(Options { events: 1000, ..Options::from_seed(1) })?;
//! let machine = trace.machine();
//! let events: Vec<_> = trace.collect();
//! let mut design = Design::preset("traptor-m4")?;
//! design.set("address_width", "64")?;
//! let design = design.for_machine(machine)?;
//!
//! let mut encoder = Encoder::new(&design)?;
//! let mut writer = BitsWriter::new(Vec::new(), "memory", &Header { design, machine })?;
//! let mut program = ProgramBuilder::new(machine);
//! for event in &events {
//!     program.event(event)?;
//!     encoder.event(event, &mut writer)?;
//!     writer.event(event)?;
//! }
//! encoder.flush(&mut writer);
//! let (file, totals) = writer.finish()?;
//!
//! let mut reader = BitsReader::new(file.as_slice(), "memory")?;
//! let design = reader.header().design.clone();
//! let mut fingerprint = Fingerprint::default();
//! scheme::decode(&design, &program.finish()?, &mut BitUnpacker::new(&mut reader), totals.instructions, |event| {
//!     fingerprint.add(&event);
//!     Ok::<_, Box<dyn std::error::Error>>(())
//! })?;
//! assert_eq!(reader.totals(), Some(totals));
//! assert_eq!(fingerprint.value(), totals.fingerprint);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod fingerprint;
mod header;
mod reader;
mod totals;
mod writer;

pub use error::{Error, Problem};
pub use fingerprint::Fingerprint;
pub use header::Header;
pub use reader::BitsReader;
pub use totals::Totals;
pub use writer::BitsWriter;

/// The first bytes of the file.
pub(crate) const MAGIC: [u8; 6] = *b"TWBITS";

/// The version written, and the newest that can be read.
const VERSION: u16 = 1;

/// Bytes before the header: magic, version, header length.
const PREFIX_BYTES: usize = 12;

/// The most bytes a header can have, far more than any needs.
const HEADER_BYTES_MAX: usize = 16 << 10;

/// The most bytes a frame can have, which is the memory that reading takes.
const FRAME_BYTES_MAX: usize = 64 << 10;

/// The check of a frame or of the trailer.
fn check(offset: u64, length: u32, content: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&offset.to_le_bytes());
    hasher.update(&length.to_le_bytes());
    hasher.update(content);
    hasher.finalize()
}
