//! What takes a trace from the pins of a chip.

use tracewright_elaborate::prelude::*;
use tracewright_sim::pins::sinks::{self, Outlet};

block! {
    /// Takes a value at each edge of the pins' clock.
    pub PinReceiver("pin_receiver") of (outlet: &Outlet) {
        let beat_bits = outlet.trace_port_width as usize;
    }
    parameters {
        trace_port_width = beat_bits,
    }

    #[remark(sinks::PIN_CLOCK.meaning)]
    in pin_clock: 1;
    #[remark(sinks::PIN_DATA.meaning)]
    in pin_data: beat_bits;
    #[remark(sinks::PIN_IDLE.meaning)]
    in pin_idle: 1;
    out trace_data: beat_bits;
    out trace_valid: 1;
    reg clock_before: 1;
}

#[kernel]
impl Logic for PinReceiver {
    fn update(&mut self) {
        trace_data = pin_data;
        trace_valid = (pin_clock ^ clock_before.q) & !pin_idle;
        clock_before.d = pin_clock;
    }
}
