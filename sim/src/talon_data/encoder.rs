//! The golden encoder: memory accesses in, trace bits out.

use std::convert::Infallible;

use super::config::{Config, REFERENCE_BITS};
use super::layout::Word;
use super::stride_table::StrideTable;
use crate::config::mask;
use crate::configuration::Configuration;
use crate::encode::record_sender::RecordSender;
use crate::event::{Access, Event};
use crate::field::Sink;
use crate::golden_encoder::GoldenEncoder;
use crate::parameter::ParameterError;
use crate::talon::range_coder::{RangeCoder, reversed};

/// Turns memory accesses into a trace of data addresses, bit for bit as the hardware does.
#[derive(Clone, Debug)]
pub struct Encoder {
    config: Config,
    table: StrideTable,
    coder: RangeCoder,
    records: RecordSender,
    /// The address of the access before, by whatever instruction.
    last_address: u64,
}

/// An address, told from one of two references.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Miss {
    /// 0: from the last address of the entry; 1: from that of the access before.
    pub reference: u64,
    /// Exclusive or of the address and the reference.
    pub difference: u64,
}

impl Miss {
    /// Tells an address from that reference from which it differs by less.
    #[inline]
    pub fn new(address: u64, references: [u64; 2]) -> Self {
        let [of_entry, of_last] = references.map(|reference| address ^ reference);
        match of_last < of_entry {
            true => Miss { reference: 1, difference: of_last },
            false => Miss { reference: 0, difference: of_entry },
        }
    }
}

impl Encoder {
    /// An encoder as reset leaves the hardware.
    ///
    /// # Errors
    /// When the configuration breaks a constraint.
    pub fn new(config: &Config) -> Result<Self, ParameterError> {
        config.validate()?;
        Ok(Self {
            table: StrideTable::new(config),
            coder: RangeCoder::new(&config.coder()),
            records: RecordSender::new::<Word>(&config.format()),
            last_address: 0,
            config: config.clone(),
        })
    }

    /// Ends the code and appends the address of an access that is not where it was predicted.
    fn send_miss<S: Sink>(&mut self, miss: Miss, mut word: Word, sink: &mut S) {
        let Miss { reference, difference } = miss;
        let end = self.coder.detour(&[], true);
        let held_back = difference << REFERENCE_BITS | reference;
        self.coder.restart(held_back & mask(self.config.guard_bits));
        word.sends_miss = true;
        word.miss = reversed(end.bits, end.count);
        word.address = difference >> self.config.held_back_bits();
        self.records.send(&word, sink);
    }
}

impl GoldenEncoder for Encoder {
    type Error = Infallible;

    /// Control flow is not in the trace.
    #[inline]
    fn event<S: Sink>(&mut self, _: &Event, _: &mut S) -> Result<(), Infallible> {
        Ok(())
    }

    #[inline]
    fn access<S: Sink>(&mut self, access: &Access, sink: &mut S) -> Result<(), Infallible> {
        let Access { site, address } = *access;
        let prediction = self.table.predict(site.program_counter);
        let is_wrong = prediction.address != address;
        let word = Word::code(self.coder.symbol(is_wrong, prediction.confidence));
        if is_wrong {
            let references = [prediction.last_address, self.last_address];
            self.send_miss(Miss::new(address, references), word, sink);
        } else if word.sends_code {
            self.records.send(&word, sink);
        }
        self.table.learn(&prediction, address);
        self.last_address = address;
        Ok(())
    }

    fn flush<S: Sink>(&mut self, sink: &mut S) {
        let (low_bits, ones) = (self.coder.low_bits(), self.config.escape_ones);
        let escape = reversed(self.coder.escape(), low_bits) | mask(ones) << low_bits;
        self.records.send(&Word { flush: true, escape, ..Word::default() }, sink);
        self.coder.restart(0);
        sink.align(self.config.port.word_bits());
    }
}
