//! The whole data address module, pins to pins (docs/hardware.md).

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::data_stride::config::Config;

use super::encoder::Encoder;
use crate::encode::top::BackEnd;
use crate::parts::sequencer::Sequencer;

block! {
    /// Data address buffer, stride cache, packets, encoder, buffer and port.
    pub DataStride("data_stride") of (config: &Config) {
        let address_width = config.processor.address_width as usize;
        let clear_bits = index_bits(config.clear_clocks()) as usize;
        let port = &config.port;
    }

    /// an access is made in this cycle
    in data_valid: 1;
    /// byte address of its instruction
    in data_pc: address_width;
    /// the byte address that it accesses
    in data_address: address_width;
    /// it writes; not traced
    in data_store: 1;
    /// the access of this cycle is not taken
    out stall: 1;
    /// level: the trace ends here
    in flush: 1;
    /// every bit of the trace has left the module
    out flushed: 1;
    /// trace bits, bit 0 first
    out trace_data: port.trace_port_width as usize;
    /// a beat is ready
    out trace_valid: 1;
    /// the sink takes the beat
    in trace_ready: 1;
    /// trace words in the output FIFO
    out buffered_words: BackEnd::level_bits(port);
    block sequencer: Sequencer(clear_bits, false, false, false, false);
    block encoder: Encoder(config, clear_bits);
    block back_end: BackEnd(port, &config.format(), Some(0), None);
    param shift = config.index_shift() as usize;
}

impl Logic for DataStride {
    #[hdl_gen]
    fn update(&mut self) {
        self.sequencer.flush.next = self.flush.val();
        self.sequencer.ready.next = self.encoder.flush_ready.val();
        self.sequencer.is_empty.next = self.back_end.is_empty.val();
        self.flushed.next = self.sequencer.flushed.val();
        self.stall.next = !(self.sequencer.tracing.val() & self.encoder.ready.val());

        connect::join(&mut self.sequencer.clear, &mut self.encoder.clear);
        self.encoder.flush.next =
            self.sequencer.record_flush.val() & self.encoder.flush_ready.val();
        self.encoder.access.next = self.data_valid.val() & !self.stall.val();
        self.encoder.site.next =
            bits_to(self.data_pc.val() >> self.shift.val(), self.encoder.site.width());
        self.encoder.address.next = self.data_address.val();

        connect::join(&mut self.encoder.record, &mut self.back_end.record);
        self.trace_valid.next = self.back_end.trace_valid.val();
        self.trace_data.next = self.back_end.trace_data.val();
        self.back_end.trace_ready.next = self.trace_ready.val();
        self.buffered_words.next = self.back_end.buffered_words.val();
    }
}
