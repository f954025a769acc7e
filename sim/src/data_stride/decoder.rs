//! The decoder: trace bits and an execution in, the execution's data addresses out.

use std::collections::VecDeque;
use std::io::Read;

use super::config::Config;
use super::data_address_stride_cache::DataAddressStrideCache;
use super::layout::Packet;
use super::record_reader::RecordReader;
use crate::configuration::Configuration;
use crate::decode::error::DecodeError;
use crate::decode::field_reader::{FieldError, FieldReader};
use crate::decode::record_decoder::end_of_flush;
use crate::decode::summary::Summary;
use crate::encode::bit_packer::BitUnpacker;
use crate::event::{Access, AccessSite, Item};
use crate::parameter::ParameterError;

/// Follows an execution along its data addresses.
#[derive(Debug)]
pub struct Decoder {
    cache: DataAddressStrideCache,
    records: RecordReader,
    pattern_bits: u32,
    word_bits: u32,
    outcomes: Outcomes,
    /// Addresses of misses whose access did not come yet.
    addresses: VecDeque<u64>,
    /// The trace ended, after a flush.
    ended: bool,
    /// Where the packet at hand begins.
    position: u64,
    summary: Summary,
}

/// Hits and misses that are known and did not come yet: a pattern, several times over.
#[derive(Clone, Copy, Debug, Default)]
struct Outcomes {
    pattern: u64,
    pattern_bits: u32,
    repetitions: u64,
    /// Bits of the pattern that came.
    used: u32,
}

impl Outcomes {
    fn new(pattern: u64, pattern_bits: u32, repetitions: u64) -> Self {
        Self { pattern, pattern_bits, repetitions, used: 0 }
    }

    fn next(&mut self) -> Option<bool> {
        if self.repetitions == 0 || self.pattern_bits == 0 {
            return None;
        }
        let hit = self.pattern >> self.used & 1 == 1;
        self.used += 1;
        if self.used == self.pattern_bits {
            self.used = 0;
            self.repetitions -= 1;
        }
        Some(hit)
    }
}

impl Decoder {
    /// A decoder in the state in which reset leaves the hardware.
    ///
    /// # Errors
    /// When the configuration breaks a constraint.
    pub fn new(config: &Config) -> Result<Self, ParameterError> {
        config.validate()?;
        Ok(Self {
            cache: DataAddressStrideCache::new(config),
            records: RecordReader::new(config),
            pattern_bits: config.pattern_bits,
            word_bits: config.port.word_bits(),
            outcomes: Outcomes::default(),
            addresses: VecDeque::new(),
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
        for item in execution {
            match item? {
                Item::Event(event) => {
                    let instructions = &mut self.summary.instructions;
                    *instructions = instructions.saturating_add(event.instructions);
                    self.summary.events += 1;
                    emit(Item::Event(event))?;
                }
                Item::Access(site) => {
                    let address = self.address(site, bits)?;
                    emit(Item::Access(Access { site, address }))?;
                }
                Item::State(state) => emit(Item::State(state))?,
                Item::Cycles(cycles) => emit(Item::Cycles(cycles))?,
            }
        }
        self.finish(bits)?;
        Ok(self.summary)
    }

    /// The data address of the next access.
    fn address<R: Read + ?Sized>(
        &mut self,
        site: AccessSite,
        bits: &mut BitUnpacker<R>,
    ) -> Result<u64, DecodeError> {
        let hit = loop {
            match self.outcomes.next() {
                Some(hit) => break hit,
                None if self.ended => {
                    return Err(self.impossible("the execution has more accesses than the trace"));
                }
                None => self.packet(bits)?,
            }
        };
        let lookup = self.cache.look_up(site.program_counter);
        let address = if hit { lookup.predicted } else { self.addresses.pop_front() };
        let Some(address) = address else {
            return Err(self.impossible(match hit {
                true => "an access is said to be predicted that has no prediction",
                false => "an access is said to be a miss, whose address did not come",
            }));
        };
        if !hit && lookup.predicted == Some(address) {
            return Err(self.impossible("an address predicted right is said to be wrong"));
        }
        self.cache.update(lookup, address);
        Ok(address)
    }

    /// After the last access there is nothing but flushes.
    fn finish<R: Read + ?Sized>(&mut self, bits: &mut BitUnpacker<R>) -> Result<(), DecodeError> {
        loop {
            if self.outcomes.next().is_some() || !self.addresses.is_empty() {
                return Err(self.impossible("the trace has more accesses than the execution"));
            }
            if self.ended {
                return Ok(());
            }
            self.packet(bits)?;
        }
    }

    /// Reads one packet, and the padding after a flush.
    fn packet<R: Read + ?Sized>(&mut self, bits: &mut BitUnpacker<R>) -> Result<(), DecodeError> {
        self.position = bits.position();
        let packet = self.records.packet(FieldReader(bits));
        let packet = packet.map_err(|source| self.field(source))?;
        let by_itself = |hit: bool| Outcomes::new(hit.into(), 1, 1);
        match packet {
            Packet::Hit => self.outcomes = by_itself(true),
            Packet::Miss { address } => {
                self.addresses.push_back(address);
                if !self.records.has_repetitions() {
                    self.outcomes = by_itself(false);
                }
            }
            Packet::Repetition { pattern, count } => {
                self.outcomes = Outcomes::new(pattern, self.pattern_bits, count);
            }
            Packet::Flush { accesses, .. } if accesses >= self.pattern_bits.into() => {
                return Err(self.impossible("a flush has more accesses than make a pattern"));
            }
            Packet::Flush { pattern, accesses } => {
                self.outcomes = Outcomes::new(pattern, accesses as u32, 1);
                self.ended = end_of_flush(bits, self.word_bits, |source| self.field(source))?;
            }
        }
        self.summary.records += 1;
        Ok(())
    }

    #[cold]
    fn field(&self, source: FieldError) -> DecodeError {
        let (record, position) = (self.summary.records, self.position);
        DecodeError::Field { record, position, source }
    }

    #[cold]
    fn impossible(&self, what: &str) -> DecodeError {
        let (record, position) = (self.summary.records, self.position);
        DecodeError::Impossible { record, position, what: what.into() }
    }
}
