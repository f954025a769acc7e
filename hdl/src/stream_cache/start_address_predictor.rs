//! The last value of the start address: a register of upper bits.

use tracewright_elaborate::prelude::*;
use tracewright_sim::stream_cache::config::Config;

/// Compares and learns the upper bits of a start.
#[derive(LogicBlock)]
pub struct StartAddressPredictor {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// Where a stream starts, in instruction units.
    pub start: Wire<In>,
    /// Learn it.
    pub update: Wire<In>,
    /// It has the upper bits of late.
    pub is_upper: Wire<Out>,
    upper: Reg,
    lower_bits: Param,
    _upper_bits: usize,
}

impl StartAddressPredictor {
    /// The predictor of `config`.
    pub fn new(config: &Config) -> Self {
        let start_bits = config.processor.instruction_address_bits() as usize;
        let upper_bits = config.upper_address() as usize;
        Self {
            kind: Kind::new(
                "start_address_predictor",
                [("start_bits", start_bits), ("upper_bits", upper_bits)],
            ),
            domain: Domain::new(),
            start: Wire::new(start_bits).describe("in instruction units"),
            update: Wire::new(1),
            is_upper: Wire::new(1),
            upper: Reg::new(upper_bits, 0),
            lower_bits: Param::new(start_bits - upper_bits),
            _upper_bits: upper_bits,
        }
    }
}

impl Logic for StartAddressPredictor {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, upper);
        self.is_upper.next = bits_to(
            bits_to(self.start.val() >> self.lower_bits.val(), self._upper_bits)
                == self.upper.q.val(),
            1,
        );
        if self.update.val().any() {
            self.upper.d.next =
                bits_to(self.start.val() >> self.lower_bits.val(), self._upper_bits);
        }
    }
}
