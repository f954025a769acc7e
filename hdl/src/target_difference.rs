//! The difference of a target from the last one sent, the shorter way round.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::Processor;

/// Keeps the last target sent.
#[derive(LogicBlock)]
pub struct TargetDifference {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// The target, in instruction units.
    pub target: Wire<In>,
    /// It is sent.
    pub send: Wire<In>,
    /// Its distance from the last one sent.
    pub magnitude: Wire<Out>,
    /// It lies below that.
    pub below: Wire<Out>,
    previous_target: Reg,
    difference: Wire<Local>,
    top: Param,
}

impl TargetDifference {
    /// The difference of targets of `processor`.
    pub fn new(processor: &Processor) -> Self {
        let target_bits = processor.instruction_address_bits() as usize;
        Self {
            kind: Kind::new("target_difference", [("target_bits", target_bits)]),
            domain: Domain::new(),
            target: Wire::new(target_bits).describe("in instruction units"),
            send: Wire::new(1),
            magnitude: Wire::new(target_bits),
            below: Wire::new(1),
            previous_target: Reg::new(target_bits, 0),
            difference: Wire::new(target_bits),
            top: Param::new(target_bits - 1),
        }
    }
}

impl Logic for TargetDifference {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, previous_target);
        self.difference.next = self.target.val() - self.previous_target.q.val();
        self.below.next = bits_to(self.difference.val() >> self.top.val(), 1);
        self.magnitude.next = self.difference.val();
        if self.below.val().any() {
            self.magnitude.next = !self.difference.val() + 1;
        }
        if self.send.val().any() {
            self.previous_target.d.next = self.target.val();
        }
    }
}
