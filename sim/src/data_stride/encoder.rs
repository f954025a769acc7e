//! The golden encoder: memory accesses in, trace bits out.

use std::convert::Infallible;

use super::config::Config;
use super::data_address_stride_cache::DataAddressStrideCache;
use super::data_repetitions::{DataRepetitions, Repetition};
use super::layout::{Packet, Word};
use crate::configuration::Configuration;
use crate::encode::record_sender::RecordSender;
use crate::event::{Access, Event};
use crate::field::Sink;
use crate::golden_encoder::GoldenEncoder;
use crate::parameter::ParameterError;

/// Turns memory accesses into a trace of data addresses, bit for bit as the hardware does.
#[derive(Clone, Debug)]
pub struct Encoder {
    cache: DataAddressStrideCache,
    /// `None` where every access is sent by itself.
    repetitions: Option<DataRepetitions>,
    records: RecordSender,
    address_width: u32,
    word_bits: u32,
}

impl Encoder {
    /// An encoder as reset leaves the hardware.
    ///
    /// # Errors
    /// When the configuration breaks a constraint.
    pub fn new(config: &Config) -> Result<Self, ParameterError> {
        config.validate()?;
        Ok(Self {
            cache: DataAddressStrideCache::new(config),
            repetitions: config.data_repetitions.then(|| DataRepetitions::new(config)),
            records: RecordSender::new::<Word>(&config.format()),
            address_width: config.processor.address_width,
            word_bits: config.port.word_bits(),
        })
    }

    fn put<S: Sink>(&self, packet: Packet, sink: &mut S) {
        self.records.send(&Word::new(&packet, self.address_width), sink);
    }

    fn put_repetition<S: Sink>(&self, repetition: Option<Repetition>, sink: &mut S) {
        if let Some(Repetition { pattern, count }) = repetition {
            self.put(Packet::Repetition { pattern, count }, sink);
        }
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
        let lookup = self.cache.look_up(site.program_counter);
        let hit = lookup.predicted == Some(address);
        self.cache.update(lookup, address);
        if let Some(repetitions) = &mut self.repetitions {
            let over = repetitions.access(hit);
            self.put_repetition(over, sink);
        } else if hit {
            self.put(Packet::Hit, sink);
        }
        if !hit {
            self.put(Packet::Miss { address }, sink);
        }
        Ok(())
    }

    fn flush<S: Sink>(&mut self, sink: &mut S) {
        let (over, open) =
            self.repetitions.as_mut().map(DataRepetitions::flush).unwrap_or_default();
        self.put_repetition(over, sink);
        self.put(Packet::Flush { pattern: open.pattern, accesses: open.accesses }, sink);
        sink.align(self.word_bits);
    }
}
