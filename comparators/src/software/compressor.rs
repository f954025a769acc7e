//! The compressors, through the same three calls.

use std::io::{self, Read, Write};

use flate2::Compression as Level;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

/// A general compressor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compressor {
    /// gzip -9.
    Gzip,
}

/// A file that is being compressed.
pub enum Compression {
    /// A gzip file.
    Gzip(GzEncoder<Vec<u8>>),
}

impl Compression {
    /// An empty file.
    pub fn new(compressor: Compressor) -> io::Result<Self> {
        Ok(match compressor {
            Compressor::Gzip => Self::Gzip(GzEncoder::new(Vec::new(), Level::best())),
        })
    }

    /// Compresses more bytes, and takes out what is ready.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        match self {
            Self::Gzip(encoder) => {
                encoder.write_all(bytes)?;
                Ok(std::mem::take(encoder.get_mut()))
            }
        }
    }

    /// Ends the file, and takes out the rest of it.
    pub fn finish(&mut self) -> io::Result<Vec<u8>> {
        match self {
            Self::Gzip(encoder) => {
                encoder.try_finish()?;
                Ok(std::mem::take(encoder.get_mut()))
            }
        }
    }
}

impl Compressor {
    /// The plain bytes of a compressed file.
    pub fn reader<'a>(self, bytes: &'a mut dyn Read) -> io::Result<Box<dyn Read + 'a>> {
        Ok(match self {
            Compressor::Gzip => Box::new(GzDecoder::new(bytes)),
        })
    }
}
