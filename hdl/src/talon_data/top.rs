//! The whole module for data addresses with coded confidence, pins to pins (docs/hardware.md).

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::pins::Interface;
use tracewright_sim::talon_data::config::Config;

use super::encoder::Encoder;
use crate::encode::top::BackEnd;
use crate::parts::sequencer::Sequencer;

crate::block_with_pins! { data pins {
    /// Data address buffer, stride table, range coder, encoder, buffer and port.
    pub TalonData("talon_data") of (config: &Config) {
        let pins = Interface::of(config);
        let clear_bits = index_bits(config.clear_clocks()) as usize;
        let table_bits = config.index_bits() as usize;
        let port = &config.port;
    }
} {
    block sequencer: Sequencer(clear_bits, false, false, false, false);
    block encoder: Encoder(config, clear_bits);
    block back_end: BackEnd(port, &config.format(), None, None, false, false);
    local folded: table_bits;
    param shift = config.index_shift() as usize;
    param shift_once = config.index_shift() as usize + table_bits;
    param shift_twice = config.index_shift() as usize + 2 * table_bits;
} }

#[kernel]
impl Logic for TalonData {
    fn update(&mut self) {
        sequencer = Sequencer {
            flush,
            ready: encoder.flush_ready,
            is_empty: encoder.is_empty & back_end.is_empty,
        };
        flushed = sequencer.flushed;
        stall = !(sequencer.tracing & encoder.ready);

        folded = resized(data_pc >> shift)
            ^ resized(data_pc >> shift_once)
            ^ resized(data_pc >> shift_twice);
        join(sequencer.clear, encoder.clear);
        encoder = Encoder {
            flush: sequencer.record_flush,
            access: data_valid & !stall,
            index: folded,
            address: data_address,
        };

        join(encoder.record, back_end.record);
        crate::top::cores::sends!();
    }
}
