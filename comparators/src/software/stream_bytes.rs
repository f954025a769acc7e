//! Streams as bytes, for a compressor.
//!
//! A stream's length SL is a byte from 1 to 254. 255 is a stream that was cut there. 0 is followed by a byte that says
//! what else it is: a stream of exactly 255 instructions, one that an exception ends, or the last one; the latter two
//! are followed by their length.

use std::io::{self, Read};

use tracewright_sim::decode::error::DecodeError as SimDecodeError;
use tracewright_sim::decode::stream_replay::StreamReplay;
use tracewright_sim::decode::summary::Summary;
use tracewright_sim::event::Event;
use tracewright_sim::program::Program;
use tracewright_sim::stream_detector::{End, Stream};
use tracewright_sim::stream_source::{StartedStream, StreamSource};
use tracewright_sim::stream_start::CutStart;

use crate::{Core, DecodeError};

/// Bits of SL.
const LENGTH_BITS: u32 = 8;

/// The longest stream.
const LONGEST: u64 = 255;

/// After a length of 0: a stream of exactly 255 instructions. The other codes are those of [`End`].
const EXACT_CODE: u8 = 0;

/// What is written of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// <SL, TA/->: the length, and the target after an indirect branch or an exception (paper C).
    LengthTarget,
    /// (SA, SL): the start address and the length (paper A).
    StartLength,
}

/// Makes the bytes of streams.
pub struct StreamBytes {
    streams: StreamSource,
    layout: Layout,
    address_bytes: usize,
}

impl StreamBytes {
    /// At the start of a trace.
    pub fn new(core: &Core, layout: Layout) -> Self {
        let streams = StreamSource::new(&core.processor(), LENGTH_BITS, true);
        Self { streams, layout, address_bytes: core.address_bytes() }
    }

    /// Appends the streams that end in this event.
    #[inline]
    pub fn event(&mut self, event: &Event, to: &mut Vec<u8>) {
        let Self { streams, layout, address_bytes } = self;
        streams.event(event, |stream| write(*layout, *address_bytes, &stream, to));
    }

    /// Appends the last stream.
    pub fn flush(&mut self, to: &mut Vec<u8>) {
        write(self.layout, self.address_bytes, &self.streams.flush(), to);
    }
}

/// A target is written with the stream that starts there, after the record of the branch.
#[inline]
fn write(layout: Layout, address_bytes: usize, started: &StartedStream, to: &mut Vec<u8>) {
    if layout == Layout::StartLength || !started.inferred {
        to.extend_from_slice(&started.start.to_le_bytes()[..address_bytes]);
    }
    let Stream { length, end } = started.stream;
    match (end, end.code()) {
        (End::Cut, _) => to.push(LONGEST as u8),
        (End::Branch, _) if length == LONGEST => to.extend_from_slice(&[0, EXACT_CODE]),
        (_, None) => to.push(length as u8),
        (_, Some(code)) => to.extend_from_slice(&[0, code as u8, length as u8]),
    }
}

/// Takes plain bytes and counts them.
pub struct ByteReader<R> {
    source: R,
    position: u64,
}

impl<R: Read> ByteReader<R> {
    /// At the first byte.
    pub fn new(source: R) -> Self {
        Self { source, position: 0 }
    }

    fn take<const COUNT: usize>(&mut self) -> Result<[u8; COUNT], DecodeError> {
        let mut bytes = [0; COUNT];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), DecodeError> {
        let position = self.position;
        self.source
            .read_exact(bytes)
            .map_err(|source| DecodeError::Compressed { position, source })?;
        self.position += bytes.len() as u64;
        Ok(())
    }

    fn address(&mut self, bytes: usize) -> Result<u64, DecodeError> {
        let mut address = [0; 8];
        self.fill(&mut address[..bytes])?;
        Ok(u64::from_le_bytes(address))
    }

    fn stream(&mut self) -> Result<Stream, DecodeError> {
        let [length] = self.take()?;
        if length != 0 {
            let end = if u64::from(length) == LONGEST { End::Cut } else { End::Branch };
            return Ok(Stream { length: length.into(), end });
        }
        let [code] = self.take()?;
        if code == EXACT_CODE {
            return Ok(Stream { length: LONGEST, end: End::Branch });
        }
        let end = End::from_code(code.into()).ok_or_else(|| DecodeError::Compressed {
            position: self.position - 1,
            source: io::Error::new(
                io::ErrorKind::InvalidData,
                format!("expected the code of a stream, 0 to 2, found {code}"),
            ),
        })?;
        let [length] = self.take()?;
        Ok(Stream { length: length.into(), end })
    }
}

/// Replays a program along the bytes of its streams.
///
/// # Errors
/// When the bytes or the program are not what was traced.
pub fn decode<R: Read>(
    core: &Core,
    layout: Layout,
    program: &Program,
    mut bytes: ByteReader<R>,
    most_instructions: u64,
    take: &mut dyn FnMut(Event),
) -> Result<Summary, DecodeError> {
    let cuts = CutStart::new(&core.processor(), LENGTH_BITS);
    let mut streams = StreamReplay::new(program, 0, false, cuts);
    streams.replay.limit(most_instructions);
    let mut emit = |event| {
        take(event);
        Ok::<(), SimDecodeError>(())
    };
    loop {
        streams.replay.position = 8 * bytes.position;
        let start = match streams.inferred_start() {
            Some(start) if layout == Layout::LengthTarget => start,
            _ => bytes.address(core.address_bytes())?,
        };
        let stream = bytes.stream()?;
        streams.stream(start, stream, &mut emit)?;
        streams.replay.summary.records += 1;
        if stream.end == End::Flush {
            return Ok(streams.replay.finish()?);
        }
    }
}
