//! Trace words out through the pins, a beat at a time.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::{TracePort as Port, index_bits};

/// Shows the beats of the oldest trace word in turn, under AXI4-Stream's rules.
#[derive(LogicBlock)]
pub struct TracePort {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// There is a word.
    pub word_valid: Wire<In>,
    /// The word, which stays until it is taken.
    pub word: Wire<In>,
    /// Its last beat goes.
    pub word_ready: Wire<Out>,
    /// There is a beat.
    pub trace_valid: Wire<Out>,
    /// The beat.
    pub trace_data: Wire<Out>,
    /// The sink takes it.
    pub trace_ready: Wire<In>,
    beat: Reg,
    port_width: Param,
    last: Param,
    _beats: usize,
    _port_width: usize,
}

impl TracePort {
    /// The port of `port`.
    pub fn new(port: &Port) -> Self {
        let (width, word_bits) = (port.trace_port_width as usize, port.word_bits() as usize);
        let beats = word_bits / width;
        Self {
            kind: Kind::new("trace_port", [("port_width", width), ("word_bits", word_bits)]),
            domain: Domain::new(),
            word_valid: Wire::new(1),
            word: Wire::new(word_bits),
            word_ready: Wire::new(1),
            trace_valid: Wire::new(1),
            trace_data: Wire::new(width),
            trace_ready: Wire::new(1),
            beat: Reg::new(index_bits(beats as u32) as usize, 0),
            port_width: Param::new(width),
            last: Param::new(beats - 1),
            _beats: beats,
            _port_width: width,
        }
    }
}

impl Logic for TracePort {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, beat);
        self.trace_valid.next = self.word_valid.val();
        self.trace_data.next = bits_to(self.word.val(), self._port_width);
        for beat in 0..self._beats {
            if self.beat.q.val() == beat {
                self.trace_data.next =
                    unsigned_cast_to_fit(self.word.val() >> (beat * self.port_width.val()));
            }
        }
        self.word_ready.next = 0.into();
        if self.word_valid.val().any() && self.trace_ready.val().any() {
            self.beat.d.next = self.beat.q.val() + 1;
            if self.beat.q.val() == self.last.val() {
                self.beat.d.next = 0.into();
                self.word_ready.next = 1.into();
            }
        }
    }
}
