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

    // The word stays until it is taken.
    in word: Stream(word_bits);
    // There is a beat.
    out trace_valid: 1;
    // The beat.
    out trace_data: width;
    // The sink takes it.
    in trace_ready: 1;
    reg beat: index_bits(beats as u32) as usize;
    param port_width = width;
    param beat_number = beat for beat in 0..beats;
    param last = beats - 1;
}

impl Logic for TracePort {
    #[hdl_gen]
    fn update(&mut self) {
        self.trace_valid.next = self.word.valid.val();
        self.trace_data.next = bits_to(self.word.word.val(), self.trace_data.width());
        for beat in 0..self.beat_number.len() {
            if self.beat.q.val() == beat {
                self.trace_data.next =
                    unsigned_cast_to_fit(self.word.word.val() >> (beat * self.port_width.val()));
            }
        }
        self.word.ready.next = 0.into();
        if self.word.valid.val().any() && self.trace_ready.val().any() {
            self.beat.d.next = self.beat.q.val() + 1;
            if self.beat.q.val() == self.last.val() {
                self.beat.d.next = 0.into();
                self.word.ready.next = 1.into();
            }
        }
    }
}
