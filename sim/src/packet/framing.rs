//! The numbers of the packets of one configuration.

use crate::config::{Processor, Protocol};
use crate::configuration::Configuration;
use crate::encode::record::RecordFormat;
use crate::packet::header;

/// Ones of a marker, where no piece of the trace is longer.
const LEAST_MARKER_ONES: u32 = 16;

/// How a configuration makes packets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Framing {
    /// The parameters.
    pub protocol: Protocol,
    /// The processor, whose addresses the headers have.
    pub processor: Processor,
    /// Ones of a marker; after one less a zero is stuffed.
    pub marker_ones: u32,
    /// Bits of a trace word, to which the end fills the trace up.
    pub word_bits: u32,
    /// Cycles in a row in which the hardware may work and send nothing ([`Configuration::silent_cycles`]).
    pub silent_cycles: u32,
}

impl Framing {
    /// The framing of a configuration; `None` without packets.
    ///
    /// A piece of the trace, which the hardware sends in one cycle, is shorter than a marker, so that at most one zero
    /// is stuffed into it.
    pub fn of(config: &impl Configuration) -> Option<Self> {
        let (protocol, processor) = (config.protocol(), config.processor());
        if !protocol.has_packets() {
            return None;
        }
        let mut framing = Self {
            protocol: protocol.clone(),
            processor: processor.clone(),
            marker_ones: LEAST_MARKER_ONES,
            word_bits: config.port().word_bits(),
            silent_cycles: config.silent_cycles(),
        };
        let piece = config.piece_most_bits().max(framing.header_format().piece_bits());
        framing.marker_ones = framing.marker_ones.max(piece + 1);
        Some(framing)
    }

    /// Trace words after which a synchronisation is due; 0 for never.
    pub fn sync_words(&self) -> u32 {
        self.protocol.sync_words(self.word_bits)
    }

    /// The record of a header.
    pub fn header_format(&self) -> RecordFormat {
        header::format(&self.protocol, &self.processor)
    }
}
