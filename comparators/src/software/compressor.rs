//! The compressors, through the same three calls.

use std::io::{self, Read, Write};

use flate2::Compression as Level;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use liblzma::read::XzDecoder;
use liblzma::write::XzEncoder;

/// The level of xz -9.
const XZ_LEVEL: u32 = 9;

/// The level of zstd -19, the highest that needs no option of the decompressor.
const ZSTD_LEVEL: i32 = 19;

/// A general compressor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compressor {
    /// gzip -9.
    Gzip,
    /// xz -9.
    Xz,
    /// zstd -19.
    Zstd,
}

/// A file that is being compressed.
pub enum Compression {
    /// A gzip file.
    Gzip(GzEncoder<Vec<u8>>),
    /// An xz file.
    Xz(XzEncoder<Vec<u8>>),
    /// A zstd frame.
    Zstd(zstd::stream::zio::Writer<Vec<u8>, zstd::stream::raw::Encoder<'static>>),
}

impl Compression {
    /// An empty file.
    pub fn new(compressor: Compressor) -> io::Result<Self> {
        Ok(match compressor {
            Compressor::Gzip => Self::Gzip(GzEncoder::new(Vec::new(), Level::best())),
            Compressor::Xz => Self::Xz(XzEncoder::new(Vec::new(), XZ_LEVEL)),
            Compressor::Zstd => {
                let encoder = zstd::stream::raw::Encoder::new(ZSTD_LEVEL)?;
                Self::Zstd(zstd::stream::zio::Writer::new(Vec::new(), encoder))
            }
        })
    }

    /// Compresses more bytes, and takes out what is ready.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        match self {
            Self::Gzip(encoder) => encoder.write_all(bytes)?,
            Self::Xz(encoder) => encoder.write_all(bytes)?,
            Self::Zstd(encoder) => encoder.write_all(bytes)?,
        }
        Ok(self.take())
    }

    /// Ends the file, and takes out the rest of it.
    pub fn finish(&mut self) -> io::Result<Vec<u8>> {
        match self {
            Self::Gzip(encoder) => encoder.try_finish()?,
            Self::Xz(encoder) => encoder.try_finish()?,
            Self::Zstd(encoder) => encoder.finish()?,
        }
        Ok(self.take())
    }

    fn take(&mut self) -> Vec<u8> {
        std::mem::take(match self {
            Self::Gzip(encoder) => encoder.get_mut(),
            Self::Xz(encoder) => encoder.get_mut(),
            Self::Zstd(encoder) => encoder.writer_mut(),
        })
    }
}

impl Compressor {
    /// The plain bytes of a compressed file.
    pub fn reader<'a>(self, bytes: &'a mut dyn Read) -> io::Result<Box<dyn Read + 'a>> {
        Ok(match self {
            Compressor::Gzip => Box::new(GzDecoder::new(bytes)),
            Compressor::Xz => Box::new(XzDecoder::new(bytes)),
            Compressor::Zstd => Box::new(zstd::stream::read::Decoder::new(bytes)?),
        })
    }
}
