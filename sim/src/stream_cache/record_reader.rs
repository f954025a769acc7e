//! Reading the records of stream cache and last stream predictor.

use std::io::Read;

use super::config::{Config, LastValueStartAddress};
use crate::config::mask;
use crate::decode::field_reader::{FieldError, FieldReader};
use crate::stream_detector::{End, STREAM_CODE_BITS, Stream};

/// The descriptor of a stream that is not in the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Miss {
    /// Start address in instruction units; only its lower bits unless `whole`, and 0 if it is inferred.
    pub start: u64,
    /// All bits of the start address were sent.
    pub whole: bool,
    /// Length and end of the stream, or a code that this version does not know.
    pub stream: Result<Stream, u64>,
}

/// How wide the fields are.
#[derive(Clone, Copy, Debug)]
pub struct RecordReader {
    index_bits: u32,
    whole_bits: u32,
    /// `None` without a last value of the start address.
    lower_bits: Option<u32>,
    length_bits: u32,
}

impl RecordReader {
    /// A reader of the records of `config`.
    pub fn new(config: &Config) -> Self {
        let shortens = config.last_value_start_address != LastValueStartAddress::None;
        Self {
            index_bits: config.cache.index_bits(),
            whole_bits: config.processor.instruction_address_bits(),
            lower_bits: shortens.then_some(config.lower_address()),
            length_bits: config.cache.stream_length_bits,
        }
    }

    /// Reads the index of a stream that was not predicted.
    ///
    /// # Errors
    /// When the bits end or cannot be read.
    pub fn index<R: Read + ?Sized>(
        &self,
        fields: &mut FieldReader<'_, R>,
    ) -> Result<u32, FieldError> {
        Ok(fields.bits(self.index_bits)? as u32)
    }

    /// Reads a descriptor, with its start address where that is not `inferred`.
    ///
    /// # Errors
    /// When the bits end or cannot be read.
    pub fn miss<R: Read + ?Sized>(
        &self,
        inferred: bool,
        fields: &mut FieldReader<'_, R>,
    ) -> Result<Miss, FieldError> {
        let (mut start, mut whole) = (0, true);
        if !inferred {
            let mut bits = self.whole_bits;
            if let Some(lower) = self.lower_bits {
                whole = fields.bit()?;
                bits = if whole { bits } else { lower };
            }
            start = fields.bits(bits)?;
        }
        Ok(Miss { start, whole, stream: self.stream(fields)? })
    }

    fn stream<R: Read + ?Sized>(
        &self,
        fields: &mut FieldReader<'_, R>,
    ) -> Result<Result<Stream, u64>, FieldError> {
        let length = fields.bits(self.length_bits)?;
        if length != 0 {
            return Ok(Ok(Stream { length, end: End::Branch }));
        }
        let code = fields.bits(STREAM_CODE_BITS)?;
        let Some(end) = End::from_code(code) else { return Ok(Err(code)) };
        let length = match end {
            End::Exception | End::Flush => fields.bits(self.length_bits)?,
            End::Branch | End::Cut => mask(self.length_bits),
        };
        Ok(Ok(Stream { length, end }))
    }
}
