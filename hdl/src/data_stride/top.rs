//! The whole data address module, pins to pins (docs/hardware.md).

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::data_stride::config::Config;
use tracewright_sim::pins::Interface;

use super::encoder::Encoder;
use crate::encode::top::BackEnd;
use crate::parts::sequencer::Sequencer;

crate::block_with_pins! { data pins {
    /// Data address buffer, stride cache, packets, encoder, buffer and port.
    pub DataStride("data_stride") of (config: &Config) {
        let pins = Interface::of(config);
        let clear_bits = index_bits(config.clear_clocks()) as usize;
        let port = &config.port;
    }
} {
    block sequencer: Sequencer(clear_bits, false, false, false, false);
    block encoder: Encoder(config, clear_bits);
    block back_end: BackEnd(port, &config.format(), Some(0), None, false, false);
    param shift = config.index_shift() as usize;
} }

#[kernel]
impl Logic for DataStride {
    fn update(&mut self) {
        sequencer = Sequencer { flush, ready: encoder.flush_ready, is_empty: back_end.is_empty };
        flushed = sequencer.flushed;
        stall = !(sequencer.tracing & encoder.ready);

        join(sequencer.clear, encoder.clear);
        encoder = Encoder {
            flush: sequencer.record_flush & encoder.flush_ready,
            access: data_valid & !stall,
            site: resized(data_pc >> shift),
            address: data_address,
        };

        join(encoder.record, back_end.record);
        crate::top::cores::sends!();
    }
}
