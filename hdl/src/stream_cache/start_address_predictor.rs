//! The upper start address bits of late, which need not be sent or stored again.

use tracewright_elaborate::prelude::*;
use tracewright_sim::stream_cache::config::{Config, LastValueStartAddress};

/// One register of upper bits.
#[derive(LogicBlock)]
pub struct StartAddressPredictor {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// A start, in instruction units.
    pub start: Wire<In>,
    /// That start counts.
    pub update: Wire<In>,
    /// It is sent in the trace.
    pub sent: Wire<In>,
    /// It has the upper bits of late.
    pub matching: Wire<Out>,
    upper: Reg,
    start_upper: Wire<Local>,
    follows_all: Param,
    lower_bits: Param,
    _upper_bits: usize,
}

impl StartAddressPredictor {
    /// The predictor of `config`, which has one.
    pub fn new(config: &Config) -> Self {
        let upper_bits = config.upper_address() as usize;
        let follows_all = config.last_value_start_address == LastValueStartAddress::Every;
        Self {
            kind: Kind::new("start_address_predictor", [("upper_bits", upper_bits)]),
            domain: Domain::new(),
            start: Wire::new(config.processor.instruction_address_bits() as usize)
                .describe("in instruction units"),
            update: Wire::new(1),
            sent: Wire::new(1),
            matching: Wire::new(1),
            upper: Reg::new(upper_bits, 0),
            start_upper: Wire::new(upper_bits),
            follows_all: Param::new(follows_all),
            lower_bits: Param::new(config.lower_address() as usize),
            _upper_bits: upper_bits,
        }
    }
}

impl Logic for StartAddressPredictor {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, upper);
        self.start_upper.next =
            bits_to(self.start.val() >> self.lower_bits.val(), self._upper_bits);
        self.matching.next = bits_to(self.start_upper.val() == self.upper.q.val(), 1);
        if self.follows_all.val() == 1 {
            if self.update.val().any() {
                self.upper.d.next = self.start_upper.val();
            }
        } else {
            if self.update.val().any() && self.sent.val().any() {
                self.upper.d.next = self.start_upper.val();
            }
        }
    }
}
