//! The recent upper start address bits, which need not be sent or stored again.

use tracewright_elaborate::prelude::*;
use tracewright_sim::stream_cache::config::{Config, LastValueStartAddress};

block! {
    /// One register of upper bits.
    pub StartAddressPredictor("start_address_predictor") of (config: &Config) {
        let upper_bits = config.upper_address() as usize;
        let follows_all = config.last_value_start_address == LastValueStartAddress::Every;
    }
    parameters {
        upper_bits,
    }

    /// in instruction units
    in start: config.processor.instruction_address_bits() as usize;
    /// the start of a stream is learned
    in update: 1;
    /// the start is sent in the trace
    in sent: 1;
    /// the start has the upper bits of the last one
    out matching: 1;
    reg upper: upper_bits;
    local start_upper: upper_bits;
    param follows_all = follows_all;
    param lower_bits = config.lower_address() as usize;
}

#[kernel]
impl Logic for StartAddressPredictor {
    fn update(&mut self) {
        start_upper = resized(start >> lower_bits);
        matching = start_upper == upper.q;
        if when(follows_all) {
            if update {
                upper.d = start_upper;
            }
        } else {
            if update && sent {
                upper.d = start_upper;
            }
        }
    }
}
