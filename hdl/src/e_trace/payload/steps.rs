//! The way of a record from its block to the encoder with registers between the steps of its payload.

use tracewright_elaborate::prelude::*;
use tracewright_sim::e_trace::config::Config;

use super::assembly::PayloadAssembly;
use super::difference::AddressDifference;
use super::search::{PayloadLeast, PayloadSearch};
use super::sign::PayloadSign;
use super::sums::{PayloadBytes, PayloadSizes};
use super::words::{Known, Plan, Sized};
use crate::e_trace::extensions::ExtensionChoice;
use crate::e_trace::loss::Loss;
use crate::encode::fifo::Fifo;
use crate::parts::ports::Stream;

block! {
    /// Records wait here before their payloads are cut, a step in each cycle, so the queue of the back end is not there.
    pub PayloadSteps("payload_steps") of (config: &Config) {
        let width = Plan::<View>::new(config).width();
    }
    parameters {
        width,
        record_bits = config.format().bits() as usize,
    }

    in planned: Stream(width);
    out record: Stream(config.format().bits());
    /// no record is inside
    out is_empty: 1;
    block record_queue: Fifo(config.port.record_queue_depth as usize, 0, width, false);
    block address_difference: AddressDifference(config);
    block payload_sign: PayloadSign(config);
    block payload_search: PayloadSearch(config);
    block payload_least: PayloadLeast(config);
    block payload_bytes: PayloadBytes(config);
    block payload_sizes: PayloadSizes(config);
    block payload_assembly: PayloadAssembly(config);
    block loss: Loss(config) if config.has_parts();
    block extension_choice: ExtensionChoice(config) if config.has_extensions();
    view last: Sized(config);
    view known: Known(config);
    view plan: Plan(config);
    param is_plain = usize::from(!config.has_extensions() && !config.has_parts());
    param has_parts = usize::from(config.has_parts());
    param has_extensions = usize::from(config.has_extensions());
    param drops = usize::from(config.protocol.drops_alone());
    param filters = usize::from(config.protocol.filters_alone());
}

#[kernel]
impl Logic for PayloadSteps {
    fn update(&mut self) {
        join(planned, record_queue.in_);
        join(record_queue.out_, address_difference.planned);
        join(address_difference.differing, payload_sign.differing);
        join(payload_sign.with_sign, payload_search.with_sign);
        join(payload_search.grouped, payload_least.grouped);
        join(payload_least.found, payload_bytes.found);
        join(payload_bytes.counted, payload_sizes.counted);
        payload_assembly.sized = payload_sizes.sized.word;
        record.valid = payload_sizes.sized.valid;
        payload_sizes.sized.ready = record.ready;
        if when(is_plain) {
            record.word = payload_assembly.record;
        }
        if when(has_parts) {
            last = payload_sizes.sized.word;
            known = last.known;
            plan = known.plan;
            loss.plain = payload_assembly.record;
            if when(drops) {
                loss.loses = plan.loses;
            }
            if when(filters) {
                loss.leaves = plan.leaves;
            }
            record.word = loss.record;
        }
        if when(has_extensions) {
            extension_choice.plain = payload_assembly.record;
            extension_choice.lane = payload_assembly.lane;
            record.word = extension_choice.record;
        }
        is_empty = !record_queue.out_.valid
            & !address_difference.differing.valid
            & !payload_sign.with_sign.valid
            & !payload_search.grouped.valid
            & !payload_least.found.valid
            & !payload_bytes.counted.valid
            & !payload_sizes.sized.valid;
    }
}
