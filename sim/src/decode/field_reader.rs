//! Reading the fields of records from bits.

use std::io::Read;

use crate::encode::bit_packer::{BitUnpacker, TakeError};
use crate::encode::variable_length::{Chunks, Malformed};

/// Why a field could not be read.
#[derive(Debug, thiserror::Error)]
pub enum FieldError {
    /// The source ended or failed.
    #[error(transparent)]
    Take(#[from] TakeError),
    /// The bits are not a number that an encoder sends.
    #[error("not a number that the encoder sends ({0:?})")]
    Malformed(Malformed),
}

impl From<Malformed> for FieldError {
    fn from(malformed: Malformed) -> Self {
        FieldError::Malformed(malformed)
    }
}

/// Reads the fields of a record, one after the other.
#[derive(Debug)]
pub struct FieldReader<'a, R: ?Sized>(pub &'a mut BitUnpacker<R>);

impl<R: Read + ?Sized> FieldReader<'_, R> {
    /// A field of one bit.
    ///
    /// # Errors
    /// When the bits end or cannot be read; so it is for every field.
    #[inline]
    pub fn bit(&mut self) -> Result<bool, FieldError> {
        Ok(self.bits(1)? == 1)
    }

    /// A field of `width` bits, 0 to 64.
    ///
    /// # Errors
    /// When the bits end or cannot be read.
    #[inline]
    pub fn bits(&mut self, width: u32) -> Result<u64, FieldError> {
        if width == 0 { Ok(0) } else { Ok(self.0.take(width)?) }
    }

    /// A number in chunks.
    ///
    /// # Errors
    /// When the bits end, cannot be read, or are not the shortest form of a number.
    #[inline]
    pub fn number(&mut self, chunks: &Chunks) -> Result<u64, FieldError> {
        let number = self.number_or_escape(chunks)?;
        number.ok_or(FieldError::Malformed(Malformed::NotShortest))
    }

    /// A number in chunks or, as `None`, the escape.
    ///
    /// # Errors
    /// When the bits end, cannot be read, or are neither.
    #[inline]
    pub fn number_or_escape(&mut self, chunks: &Chunks) -> Result<Option<u64>, FieldError> {
        chunks.take(|count| self.0.take(count).map_err(FieldError::from))
    }
}
