//! General compressors in software, at their strongest setting, over the bytes of streams.
//!
//! They are no hardware: their windows are megabytes, and they answer late. They show how much of a trace is
//! redundant.

mod compressor;
mod stream_bytes;

use std::io::{BufReader, Read};

use tracewright_sim::decode::summary::Summary;
use tracewright_sim::event::Event;
use tracewright_sim::field::{Field, Sink};
use tracewright_sim::program::Program;

use compressor::Compression;
pub use compressor::Compressor;
pub use stream_bytes::Layout;
use stream_bytes::{ByteReader, StreamBytes};

use crate::{Core, DecodeError, Encode, EncodeError};

/// The only field of a compressed file.
const COMPRESSED: Field = Field { name: "compressed", doc: "bytes of the compressed file" };

/// Bytes that the compressor is given at once.
const BATCH_BYTES: usize = 1 << 16;

struct Encoder {
    streams: StreamBytes,
    waiting: Vec<u8>,
    compression: Compression,
}

/// An encoder of streams as compressed bytes.
///
/// # Errors
/// When the compressor cannot be made.
pub fn encoder(
    core: &Core,
    compressor: Compressor,
    layout: Layout,
) -> Result<Box<dyn Encode>, EncodeError> {
    Ok(Box::new(Encoder {
        streams: StreamBytes::new(core, layout),
        waiting: Vec::with_capacity(BATCH_BYTES),
        compression: Compression::new(compressor)?,
    }))
}

impl Encoder {
    fn compress(&mut self, sink: &mut dyn Sink) -> Result<(), EncodeError> {
        let made = self.compression.write(&self.waiting)?;
        self.waiting.clear();
        send(&made, sink);
        Ok(())
    }
}

fn send(bytes: &[u8], sink: &mut dyn Sink) {
    for byte in bytes {
        sink.put(&COMPRESSED, u64::from(*byte), 8);
    }
}

impl Encode for Encoder {
    fn event(&mut self, event: &Event, sink: &mut dyn Sink) -> Result<(), EncodeError> {
        self.streams.event(event, &mut self.waiting);
        if self.waiting.len() >= BATCH_BYTES {
            self.compress(sink)?;
        }
        Ok(())
    }

    fn finish(&mut self, sink: &mut dyn Sink) -> Result<(), EncodeError> {
        self.streams.flush(&mut self.waiting);
        self.compress(sink)?;
        send(&self.compression.finish()?, sink);
        sink.end_record();
        Ok(())
    }
}

/// Decodes what [`encoder`] made.
///
/// # Errors
/// When the bytes or the program are not what was traced.
pub fn decode(
    core: &Core,
    compressor: Compressor,
    layout: Layout,
    program: &Program,
    bytes: &mut dyn Read,
    most_instructions: u64,
    take: &mut dyn FnMut(Event),
) -> Result<Summary, DecodeError> {
    let plain = compressor
        .reader(bytes)
        .map_err(|source| DecodeError::Compressed { position: 0, source })?;
    let reader = ByteReader::new(BufReader::new(plain));
    stream_bytes::decode(core, layout, program, reader, most_instructions, take)
}
