//! Reading the records of a Nexus-like module.

use std::io::Read;

use super::config::{Config, StreamLengthCoding, TargetCoding};
use super::layout::EXACT_CODE;
use super::target_coder::CodedTarget;
use crate::config::mask;
use crate::decode::field_reader::{FieldError, FieldReader};
use crate::encode::variable_length::Chunks;
use crate::stream_detector::{End, STREAM_CODE_BITS, Stream};

/// How numbers are cut, and which fields a record has.
#[derive(Clone, Copy, Debug)]
pub struct RecordReader {
    stream_length_bits: u32,
    stream_length: Option<Chunks>,
    target: Chunks,
    target_sign: bool,
}

impl RecordReader {
    /// A reader of the records of `config`.
    pub fn new(config: &Config) -> Self {
        let in_chunks = config.stream_length_coding == StreamLengthCoding::Chunks;
        Self {
            stream_length_bits: config.stream_length_bits,
            stream_length: in_chunks.then(|| config.stream_length_chunks()),
            target: config.target_chunks(),
            target_sign: config.target_coding == TargetCoding::Difference,
        }
    }

    /// Reads a record up to its target: the stream, or a code that this version does not know.
    ///
    /// # Errors
    /// When the bits end or are not what an encoder sends.
    #[inline]
    pub fn head<R: Read + ?Sized>(
        &self,
        mut fields: FieldReader<'_, R>,
    ) -> Result<Result<Stream, u64>, FieldError> {
        let longest = mask(self.stream_length_bits);
        let written = self.length(&mut fields)?;
        if written != 0 {
            let end = if written == longest { End::Cut } else { End::Branch };
            return Ok(Ok(Stream { length: written, end }));
        }
        let code = fields.bits(STREAM_CODE_BITS)?;
        if code == EXACT_CODE {
            return Ok(Ok(Stream { length: longest, end: End::Branch }));
        }
        let Some(end) = End::from_code(code) else { return Ok(Err(code)) };
        Ok(Ok(Stream { length: self.length(&mut fields)?, end }))
    }

    /// Reads the target, the last part of a record that has one.
    ///
    /// # Errors
    /// When the bits end or are not what an encoder sends.
    #[inline]
    pub fn target<R: Read + ?Sized>(
        &self,
        mut fields: FieldReader<'_, R>,
    ) -> Result<CodedTarget, FieldError> {
        let value = fields.number(&self.target)?;
        Ok(CodedTarget { value, below: self.target_sign && fields.bit()? })
    }

    #[inline]
    fn length<R: Read + ?Sized>(&self, fields: &mut FieldReader<'_, R>) -> Result<u64, FieldError> {
        match &self.stream_length {
            Some(chunks) => fields.number(chunks),
            None => fields.bits(self.stream_length_bits),
        }
    }
}
