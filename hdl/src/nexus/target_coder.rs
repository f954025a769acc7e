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

#[kernel]
impl Logic for TargetCoder {
    fn update(&mut self) {
        if when(is_difference) {
            target_difference =
                TargetDifference { target: resized(target >> alignment, value.width()), send };
            value = target_difference.magnitude;
            below = target_difference.below;
        } else {
            value = target ^ previous_target.q;
            below = 0;
            if send {
                previous_target.d = target;
            }
        }
    }
}
