//! The range decoder: bits in, symbols and what follows them out.

use std::io::Read;

use super::bit_window::BitWindow;
use super::config::Config;
use super::config::sizes::CHUNKS_BITS;
use super::layout::OTHER_BITS;
use super::range_coder::{Code, RangeCoder};
use crate::config::mask;
use crate::encode::bit_packer::{BitUnpacker, TakeError};
use crate::encode::variable_length::Malformed;

/// Why a code could not be read.
#[derive(Debug, thiserror::Error)]
pub enum CodeError {
    /// The source ended or failed.
    #[error(transparent)]
    Take(#[from] TakeError),
    /// No encoder sends this.
    #[error("this code belongs to no symbol")]
    NoSymbol,
}

impl From<Malformed> for CodeError {
    fn from(_: Malformed) -> Self {
        CodeError::NoSymbol
    }
}

/// How a branch went that did not go to its candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detour {
    /// To the other candidate.
    Other,
    /// To another target, of so many chunks after the first: its difference from the reference.
    Address(u64, u32),
}

/// Reads a code, and what is sent between its parts.
pub struct CodeReader<'a, R: ?Sized> {
    bits: BitWindow<'a, R>,
    coder: RangeCoder,
    config: Config,
    /// The code's distance from the low end of the coder's range.
    offset: u64,
    /// Escapes, symbols that completed bits of the code, and detours without a symbol so far.
    pub records: u64,
}

impl<'a, R: Read + ?Sized> CodeReader<'a, R> {
    /// The code from here on.
    pub fn new(config: &Config, bits: &'a mut BitUnpacker<R>) -> Self {
        Self {
            bits: BitWindow::new(bits),
            coder: RangeCoder::new(config),
            config: config.clone(),
            offset: 0,
            records: 0,
        }
    }

    /// The offset in the trace of the next bit.
    pub fn position(&self) -> u64 {
        self.bits.position()
    }

    /// The source, from which whole words are taken while no bit is held.
    pub fn source(&mut self) -> &mut BitUnpacker<R> {
        self.bits.source()
    }

    /// Reads the code from its beginning: the bits that the coder would hold back are zero.
    ///
    /// # Errors
    /// When the bits end, or are not what an encoder sends.
    pub fn start(&mut self) -> Result<(), CodeError> {
        self.coder.restart(0);
        self.offset = self.bits.take(self.config.low_bits())?;
        self.check_range()
    }

    #[inline]
    fn check_range(&self) -> Result<(), CodeError> {
        if self.offset < self.coder.range() { Ok(()) } else { Err(CodeError::NoSymbol) }
    }

    /// True if an escape is next, whose code and ones are then taken.
    ///
    /// # Errors
    /// When the bits end.
    #[inline]
    pub fn is_escape(&mut self) -> Result<bool, CodeError> {
        if self.offset + 1 == self.coder.range() { self.has_ones() } else { Ok(false) }
    }

    #[cold]
    fn has_ones(&mut self) -> Result<bool, CodeError> {
        let count = self.config.escape_ones;
        let ones = self.bits.take(count)?;
        if ones != mask(count) {
            self.bits.put_back(ones, count);
            return Ok(false);
        }
        self.records += 1;
        Ok(true)
    }

    /// Takes the next bits of an escape, or after the end of the code, the first one as the lowest.
    ///
    /// # Errors
    /// When the bits end.
    pub fn number(&mut self, count: u32) -> Result<u64, CodeError> {
        Ok(self.bits.take_lowest_first(count)?)
    }

    /// Decodes a symbol; true if it is not as predicted.
    ///
    /// # Errors
    /// When the bits end, or are not what an encoder sends.
    #[inline]
    pub fn symbol(&mut self, confidence: u32) -> Result<bool, CodeError> {
        let likely = self.coder.likely(confidence);
        if self.offset < likely && self.coder.narrow(likely) {
            return Ok(false);
        }
        self.shifting_symbol(likely, confidence)
    }

    /// Decodes a symbol by which bits of the code are read.
    #[inline(never)]
    fn shifting_symbol(&mut self, likely: u64, confidence: u32) -> Result<bool, CodeError> {
        let is_wrong = self.offset >= likely;
        if is_wrong {
            self.offset -= likely;
        }
        let code = self.coder.symbol(is_wrong, confidence);
        self.records += 1;
        self.offset = self.offset << code.count | self.bits.take(code.count)?;
        if code.ones > 0 {
            self.below_carry(&code)?;
        }
        self.check_range()?;
        Ok(is_wrong)
    }

    /// Takes the ones by which the code stays below a carry.
    #[cold]
    fn below_carry(&mut self, code: &Code) -> Result<(), CodeError> {
        let more = self.bits.take(code.ones)?;
        let whole = 1u64 << self.config.range_bits;
        let below = code.room.checked_sub(self.offset).filter(|below| *below > 0);
        let offset = below.and_then(|below| whole.checked_sub(below << code.ones));
        self.offset = offset.ok_or(CodeError::NoSymbol)? + more;
        Ok(())
    }

    /// Reads how a branch went that did not go to its candidate.
    ///
    /// # Errors
    /// When the bits end, or are not what an encoder sends.
    pub fn detour(&mut self, has_other: bool) -> Result<Detour, CodeError> {
        self.end()?;
        if has_other && self.bits.take(OTHER_BITS)? == 1 {
            self.coder.detour(&[(1, OTHER_BITS)], false);
            self.offset = self.bits.take(self.config.range_bits)?;
            self.check_range()?;
            return Ok(Detour::Other);
        }
        let (difference, chunks) = self.address()?;
        Ok(Detour::Address(difference, chunks))
    }

    /// Ends the code before numbers that are not coded.
    ///
    /// # Errors
    /// When the code is not what an encoder sends.
    pub fn end(&mut self) -> Result<(), CodeError> {
        let code = self.coder.low() + self.offset;
        let rest_bits = self.config.range_bits - 2;
        if code >> rest_bits != self.coder.aligned() {
            return Err(CodeError::NoSymbol);
        }
        self.bits.put_back(code & mask(rest_bits), rest_bits);
        Ok(())
    }

    /// Reads an address with its number of chunks after the first, and the code after it.
    ///
    /// # Errors
    /// When the bits end, or are not what an encoder sends.
    pub fn address(&mut self) -> Result<(u64, u32), CodeError> {
        let chunks = self.bits.take(CHUNKS_BITS)? as u32;
        let guard_bits = self.config.guard_bits;
        let above = self.bits.take_lowest_first(self.config.address_bits(chunks) - guard_bits)?;
        let lowest = self.held_back()?;
        Ok((above << guard_bits | lowest, chunks))
    }

    /// Takes a number that the coder holds back, so that its bits begin the code, and the code after it.
    ///
    /// # Errors
    /// When the bits end, or are not what an encoder sends.
    pub fn held_back(&mut self) -> Result<u64, CodeError> {
        let number = self.bits.take(self.config.guard_bits)?;
        self.coder.restart(number);
        self.offset = self.bits.take(self.config.range_bits)?;
        self.check_range()?;
        Ok(number)
    }
}
