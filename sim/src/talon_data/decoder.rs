//! The decoder: trace bits and an execution in, the execution's data addresses out.

use std::io::Read;

use super::config::{Config, REFERENCE_BITS};
use super::encoder::Miss;
use super::stride_table::{Prediction, StrideTable};
use crate::config::mask;
use crate::configuration::Configuration;
use crate::decode::error::DecodeError;
use crate::decode::record_decoder::end_of_flush;
use crate::decode::summary::Summary;
use crate::encode::bit_packer::BitUnpacker;
use crate::event::{Access, AccessSite, Item};
use crate::parameter::ParameterError;
use crate::talon;
use crate::talon::code_reader::{CodeError, CodeReader};

/// Follows an execution along its data addresses.
#[derive(Debug)]
pub struct Decoder {
    config: Config,
    coding: talon::config::Config,
    table: StrideTable,
    last_address: u64,
    /// A part of the trace has begun that has not ended with a flush.
    is_inside: bool,
    /// The trace ended, after a flush.
    ended: bool,
    /// Where the bits begin that are read next.
    position: u64,
    summary: Summary,
}

impl Decoder {
    /// A decoder in the state in which reset leaves the hardware.
    ///
    /// # Errors
    /// When the configuration breaks a constraint.
    pub fn new(config: &Config) -> Result<Self, ParameterError> {
        config.validate()?;
        Ok(Self {
            table: StrideTable::new(config),
            coding: config.coder(),
            config: config.clone(),
            last_address: 0,
            is_inside: false,
            ended: false,
            position: 0,
            summary: Summary::default(),
        })
    }

    /// Decodes a whole trace, which ends after a flush: gives every item of the execution to `emit`,
    /// the accesses with their data addresses.
    ///
    /// # Errors
    /// When the bits or the execution are not what was traced, or `execution` or `emit` fails.
    pub fn decode<R: Read + ?Sized, E: From<DecodeError>>(
        mut self,
        execution: impl IntoIterator<Item = Result<Item<AccessSite>, E>>,
        bits: &mut BitUnpacker<R>,
        mut emit: impl FnMut(Item) -> Result<(), E>,
    ) -> Result<Summary, E> {
        let mut code = CodeReader::new(&self.coding, bits);
        for item in execution {
            match item? {
                Item::Event(event) => {
                    let instructions = &mut self.summary.instructions;
                    *instructions = instructions.saturating_add(event.instructions);
                    self.summary.events += 1;
                    emit(Item::Event(event))?;
                }
                Item::Access(site) => {
                    let address = self.address(site, &mut code)?;
                    emit(Item::Access(Access { site, address }))?;
                }
                Item::State(state) => emit(Item::State(state))?,
                Item::Cycles(cycles) => emit(Item::Cycles(cycles))?,
            }
        }
        while !self.ended {
            if !self.reads_flush(&mut code)? {
                let what = "the trace has more accesses than the execution";
                return Err(self.impossible(what).into());
            }
        }
        Ok(self.summary)
    }

    /// Reads a flush, if one is next, and the padding after it.
    fn reads_flush<R: Read + ?Sized>(
        &mut self,
        code: &mut CodeReader<'_, R>,
    ) -> Result<bool, DecodeError> {
        self.position = code.position();
        self.summary.records = code.records;
        if !self.is_inside {
            code.start().map_err(|error| self.unreadable(error))?;
            self.is_inside = true;
        }
        if !code.is_escape().map_err(|error| self.unreadable(error))? {
            return Ok(false);
        }
        self.summary.records = code.records;
        self.is_inside = false;
        let word_bits = self.config.port.word_bits();
        let (record, position) = (self.summary.records, self.position);
        self.ended = end_of_flush(code.source(), word_bits, |source| DecodeError::Field {
            record,
            position,
            source,
        })?;
        Ok(true)
    }

    /// The data address of the next access.
    fn address<R: Read + ?Sized>(
        &mut self,
        site: AccessSite,
        code: &mut CodeReader<'_, R>,
    ) -> Result<u64, DecodeError> {
        while self.ended || self.reads_flush(code)? {
            if self.ended {
                return Err(self.impossible("the execution has more accesses than the trace"));
            }
        }
        let prediction = self.table.predict(site.program_counter);
        let is_wrong =
            code.symbol(prediction.confidence).map_err(|error| self.unreadable(error))?;
        let address = if is_wrong { self.miss(&prediction, code)? } else { prediction.address };
        self.table.learn(&prediction, address);
        self.last_address = address;
        Ok(address)
    }

    /// The address of an access that is not where it was predicted.
    fn miss<R: Read + ?Sized>(
        &self,
        prediction: &Prediction,
        code: &mut CodeReader<'_, R>,
    ) -> Result<u64, DecodeError> {
        let number = self.number(code).map_err(|error| self.unreadable(error))?;
        let (above, held_back) = number;
        let reference = held_back & mask(REFERENCE_BITS);
        let difference = above << self.config.held_back_bits() | held_back >> REFERENCE_BITS;
        let references = [prediction.last_address, self.last_address];
        let address = references[reference as usize] ^ difference;
        // An encoder has one way to say each thing: anything else is damage.
        let is_needed = Miss::new(address, references) == Miss { reference, difference };
        if !is_needed || address == prediction.address {
            return Err(self.impossible("an address is sent as another one is"));
        }
        Ok(address)
    }

    /// The bits of a miss that are sent in chunks, and those that the coder held back.
    fn number<R: Read + ?Sized>(
        &self,
        code: &mut CodeReader<'_, R>,
    ) -> Result<(u64, u64), CodeError> {
        code.end()?;
        let above = self.config.chunks().take(|count| code.number(count))?;
        Ok((above.ok_or(CodeError::NoSymbol)?, code.held_back()?))
    }

    #[cold]
    fn unreadable(&self, error: CodeError) -> DecodeError {
        let (record, position) = (self.summary.records, self.position);
        match error {
            CodeError::Take(source) => {
                DecodeError::Field { record, position, source: source.into() }
            }
            CodeError::NoSymbol => self.impossible(&error.to_string()),
        }
    }

    #[cold]
    fn impossible(&self, what: &str) -> DecodeError {
        let (record, position) = (self.summary.records, self.position);
        DecodeError::Impossible { record, position, what: what.into() }
    }
}
