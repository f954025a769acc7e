//! What is sent of a target: its difference from the last one sent, arithmetic or bit by bit.

use tracewright_elaborate::prelude::*;
use tracewright_sim::nexus::config::{Config, TargetCoding};

use crate::target_difference::TargetDifference;

block! {
    /// Keeps the last target sent.
    pub TargetCoder("target_coder") of (config: &Config) {
        let address_width = config.processor.address_width as usize;
        let is_difference = config.target_coding == TargetCoding::Difference;
    }

    /// byte address of the target
    in target: address_width;
    /// the target is sent
    in send: 1;
    /// difference or exclusive or with the last target
    out value: config.target_bits() as usize;
    /// the target lies below the last one
    out below: 1;
    reg previous_target: address_width if !is_difference;
    block target_difference: TargetDifference(&config.processor) if is_difference;
    param is_difference = is_difference;
    param alignment = config.processor.alignment as usize;
}

impl Logic for TargetCoder {
    #[hdl_gen]
    fn update(&mut self) {
        if self.is_difference.val() == 1 {
            self.target_difference.target.next =
                bits_to(self.target.val() >> self.alignment.val(), self.value.width());
            self.target_difference.send.next = self.send.val();
            self.value.next = self.target_difference.magnitude.val();
            self.below.next = self.target_difference.below.val();
        } else {
            self.value.next = self.target.val() ^ self.previous_target.q.val();
            self.below.next = 0.into();
            if self.send.val().any() {
                self.previous_target.d.next = self.target.val();
            }
        }
    }
}
