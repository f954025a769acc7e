//! The first step: the difference of an address from the last one.

use tracewright_elaborate::prelude::*;
use tracewright_sim::e_trace::config::Config;

use super::words::{Cutting, Differing, Plan};
use crate::e_trace::record_former::Record;
use crate::parts::ports::Stream;
use crate::parts::word_register::WordRegister;

block! {
    /// Keeps the last address, and says of the next one how far it is from there.
    ///
    /// The last address changes with the payload that has the next one, so nothing is fed back over more than a step.
    pub AddressDifference("address_difference") of (config: &Config) {
        let address_bits = config.address_bits() as usize;
        let width = Differing::<View>::new(config).width();
    }
    parameters {
        address_bits,
        width,
    }

    in planned: Stream(Plan::<View>::new(config).width());
    out differing: Stream(width);
    /// of the last payload
    reg last_address: address_bits;
    block step_register: WordRegister(width);
    view plan: Plan(config);
    view record: Record(&config.planned_format());
    view cutting: Cutting(config);
    local made: Differing(config);
    local difference: address_bits;
    local field: address_bits;
    /// the payload ends in the difference
    local reports: 1;
}

#[kernel]
impl Logic for AddressDifference {
    fn update(&mut self) {
        plan = planned.word;
        record = plan.record;
        cutting = plan.cutting;
        difference = cutting.address - last_address.q;
        reports = record.plain | record.mapped;
        field = cutting.address;
        if reports {
            field = difference;
        }
        made = Differing { plan: planned.word, field };
        step_register.in_.valid = planned.valid;
        step_register.in_.word = made;
        planned.ready = step_register.in_.ready;
        if planned.valid & step_register.in_.ready & (record.synchronises | reports) {
            last_address.d = cutting.address;
        }
        join(step_register.out_, differing);
    }
}
