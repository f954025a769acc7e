//! The whole data address module, pins to pins (docs/hardware.md).

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::data_stride::config::Config;

use super::encoder::Encoder;
use crate::encode::top::BackEnd;
use crate::top::Sequencer;

/// Data address buffer, stride cache, packets, encoder, buffer and port.
#[derive(LogicBlock)]
pub struct DataStride {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// An access is made in this clock.
    pub data_valid: Wire<In>,
    /// Byte address of its instruction.
    pub data_pc: Wire<In>,
    /// The byte address that it accesses.
    pub data_address: Wire<In>,
    /// It writes; not traced, the decoder knows.
    pub data_store: Wire<In>,
    /// The access of this clock is not taken.
    pub stall: Wire<Out>,
    /// End the trace here.
    pub flush: Wire<In>,
    /// Everything is out.
    pub flushed: Wire<Out>,
    /// Trace bits.
    pub trace_data: Wire<Out>,
    /// There is a beat.
    pub trace_valid: Wire<Out>,
    /// The sink takes it.
    pub trace_ready: Wire<In>,
    /// Trace words in the output FIFO.
    pub buffered_words: Wire<Out>,
    sequencer: Sequencer,
    encoder: Encoder,
    back_end: BackEnd,
    shift: Param,
    _site_bits: usize,
}

impl DataStride {
    /// The module of `config`, which is valid.
    pub fn new(config: &Config) -> Self {
        let address_width = config.processor.address_width as usize;
        let clear_bits = index_bits(config.clear_clocks()) as usize;
        let port = &config.port;
        Self {
            kind: Kind::plain("data_stride"),
            domain: Domain::new(),
            data_valid: Wire::new(1).describe("an access is made in this clock"),
            data_pc: Wire::new(address_width).describe("byte address of its instruction"),
            data_address: Wire::new(address_width).describe("the byte address that it accesses"),
            data_store: Wire::new(1).describe("it writes; not traced"),
            stall: Wire::new(1).describe("the access of this clock is not taken"),
            flush: Wire::new(1).describe("level: end the trace here"),
            flushed: Wire::new(1).describe("everything is out"),
            trace_data: Wire::new(port.trace_port_width as usize)
                .describe("trace bits, bit 0 first"),
            trace_valid: Wire::new(1),
            trace_ready: Wire::new(1),
            buffered_words: Wire::new(BackEnd::level_bits(port))
                .describe("trace words in the output FIFO"),
            sequencer: Sequencer::new(clear_bits),
            encoder: Encoder::new(config, clear_bits),
            back_end: BackEnd::new(port, &config.format(), 0),
            shift: Param::new(config.index_shift() as usize),
            _site_bits: config.site_bits() as usize,
        }
    }
}

impl Logic for DataStride {
    #[hdl_gen]
    fn update(&mut self) {
        self.sequencer.domain.next = self.domain.val();
        self.encoder.domain.next = self.domain.val();
        self.back_end.domain.next = self.domain.val();

        self.sequencer.flush.next = self.flush.val();
        self.sequencer.ready.next = self.encoder.flush_ready.val();
        self.sequencer.is_empty.next = self.back_end.is_empty.val();
        self.flushed.next = self.sequencer.flushed.val();
        self.stall.next = !(self.sequencer.tracing.val() & self.encoder.ready.val());

        self.encoder.clear.next = self.sequencer.clear.val();
        self.encoder.clear_index.next = self.sequencer.clear_index.val();
        self.encoder.flush.next =
            self.sequencer.record_flush.val() & self.encoder.flush_ready.val();
        self.encoder.access.next = self.data_valid.val() & !self.stall.val();
        self.encoder.site.next = bits_to(self.data_pc.val() >> self.shift.val(), self._site_bits);
        self.encoder.address.next = self.data_address.val();

        self.back_end.record_valid.next = self.encoder.record_valid.val();
        self.back_end.record.next = self.encoder.record.val();
        self.encoder.record_ready.next = self.back_end.record_ready.val();
        self.trace_valid.next = self.back_end.trace_valid.val();
        self.trace_data.next = self.back_end.trace_data.val();
        self.back_end.trace_ready.next = self.trace_ready.val();
        self.buffered_words.next = self.back_end.buffered_words.val();
    }
}
