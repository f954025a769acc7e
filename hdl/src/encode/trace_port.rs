//! Trace words out through the pins, a beat at a time.

use crate::parts::ports::Stream;
use tracewright_elaborate::prelude::*;
use tracewright_sim::config::{TracePort as Port, index_bits};

block! {
    /// Shows the beats of the oldest trace word in turn, under AXI4-Stream's rules.
    pub TracePort("trace_port") of (port: &Port) {
        let (width, word_bits) = (port.trace_port_width as usize, port.word_bits() as usize);
        let beats = word_bits / width;
    }
    parameters {
        port_width = width,
        word_bits,
    }

    /// the word stays until it is taken
    in word: Stream(word_bits);
    /// a beat is ready
    out trace_valid: 1;
    /// bits of the beat
    out trace_data: width;
    /// the sink takes the beat
    in trace_ready: 1;
    reg beat: index_bits(beats as u32) as usize;
    param port_width = width;
    param beat_number = beat for beat in 0..beats;
    param last = beats - 1;
}

#[kernel]
impl Logic for TracePort {
    fn update(&mut self) {
        trace_valid = word.valid;
        trace_data = resized(word.word);
        for beat in 0..beat_number.len() {
            if beat.q == beat {
                trace_data = fitted(word.word >> (beat * port_width));
            }
        }
        word.ready = 0;
        if word.valid && trace_ready {
            beat.d = beat.q + 1;
            if beat.q == last {
                beat.d = 0;
                word.ready = 1;
            }
        }
    }
}
