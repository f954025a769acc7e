//! What is sent of a target: its difference from the last one sent, arithmetic or bit by bit.

use tracewright_elaborate::prelude::*;
use tracewright_sim::nexus::config::{Config, TargetCoding};

use crate::target_difference::TargetDifference;

/// Keeps the last target sent.
#[derive(LogicBlock)]
pub struct TargetCoder {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// The byte address of the target.
    pub target: Wire<In>,
    /// It is sent.
    pub send: Wire<In>,
    /// Distance or exclusive or.
    pub value: Wire<Out>,
    /// The target lies below the last one.
    pub below: Wire<Out>,
    previous_target: Opt<Reg>,
    target_difference: Opt<TargetDifference>,
    is_difference: Param,
    alignment: Param,
    _target_bits: usize,
}

impl TargetCoder {
    /// The coder of `config`.
    pub fn new(config: &Config) -> Self {
        let address_width = config.processor.address_width as usize;
        let is_difference = config.target_coding == TargetCoding::Difference;
        Self {
            kind: Kind::plain("target_coder"),
            domain: Domain::new(),
            target: Wire::new(address_width),
            send: Wire::new(1),
            value: Wire::new(config.target_bits() as usize),
            below: Wire::new(1),
            previous_target: Opt::new(!is_difference, Reg::new(address_width, 0)),
            target_difference: Opt::new(is_difference, TargetDifference::new(&config.processor)),
            is_difference: Param::new(is_difference),
            alignment: Param::new(config.processor.alignment as usize),
            _target_bits: config.target_bits() as usize,
        }
    }
}

impl Logic for TargetCoder {
    #[hdl_gen]
    fn update(&mut self) {
        if self.is_difference.val() == 1 {
            self.target_difference.domain.next = self.domain.val();
            self.target_difference.target.next =
                bits_to(self.target.val() >> self.alignment.val(), self._target_bits);
            self.target_difference.send.next = self.send.val();
            self.value.next = self.target_difference.magnitude.val();
            self.below.next = self.target_difference.below.val();
        } else {
            dff_setup!(self, domain, previous_target);
            self.value.next = self.target.val() ^ self.previous_target.q.val();
            self.below.next = 0.into();
            if self.send.val().any() {
                self.previous_target.d.next = self.target.val();
            }
        }
    }
}
