//! A trace port at the pins of a chip.

use tracewright_elaborate::prelude::*;
use tracewright_sim::pins::sinks::{self, Outlet};

block! {
    /// Shows the trace at pins, with a clock whose edges lie in the middle of a value.
    pub ChipPins("chip_pins") of (outlet: &Outlet) {
        let beat_bits = outlet.trace_port_width as usize;
    }
    parameters {
        trace_port_width = beat_bits,
    }

    in trace_data: beat_bits;
    in trace_valid: 1;
    out trace_ready: 1;
    #[remark(sinks::TRACE_FLUSHED.meaning)]
    in trace_flushed: 1;
    out flushed: 1;
    #[remark(sinks::HALF_PERIOD.meaning)]
    in half_period: sinks::HALF_PERIOD.bits(outlet);
    #[remark(sinks::PIN_CLOCK.meaning)]
    out pin_clock: 1;
    #[remark(sinks::PIN_DATA.meaning)]
    out pin_data: beat_bits;
    #[remark(sinks::PIN_IDLE.meaning)]
    out pin_idle: 1;
    /// cycles for which the value has been at the pins
    reg age: sinks::HALF_PERIOD.bits(outlet) + 1;
    reg level: 1;
    reg value: beat_bits;
    reg is_idle: 1 = 1;
    local is_last: 1;
}

#[kernel]
impl Logic for ChipPins {
    fn update(&mut self) {
        // The middle comes after half of the cycles, and the end after twice as many.
        is_last = age.q == ((resized(half_period, age.width()) << 1) | 1);
        trace_ready = is_last;
        if age.q == resized(half_period, age.width()) {
            level.d = !level.q;
        }
        age.d = age.q + 1;
        if is_last {
            age.d = 0;
            value.d = 0;
            if trace_valid {
                value.d = trace_data;
            }
            is_idle.d = !trace_valid;
        }
        pin_clock = level.q;
        pin_data = value.q;
        pin_idle = is_idle.q;
        // The last value has been at the pins for its whole time once the idle one has taken its place.
        flushed = trace_flushed & is_idle.q;
    }
}
