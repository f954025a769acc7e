//! Faults in E-Trace where registers are between the steps in which payloads are cut and sent.

use super::bench::Bench;
use super::subject::Subject;
use super::{e_trace, e_trace_full, e_trace_returns};

/// The modules that E-Trace has between its record former and the bit packer then.
const STEPS: &[&str] =
    &["address_difference", "payload_", "highest_", "slot_encoder", "encoder", "back_end"];

/// The signals of an index and a count in them.
const OTHERS: &[&str] = &[
    "other_sign",
    "other_magnitude",
    "other_searched",
    "other_group",
    "other_chosen",
    "other_head",
    "other_least",
    "other_filled",
    "other_rounded",
    "other_bytes",
    "other_sent",
    "other_limit",
    "other_low",
    "other_high",
    "other_size",
    "other_rest_bits",
    "may_index",
    "counts",
    "ends_count",
    "fails",
];

/// Those of the depth of a stack.
const DEPTHS: &[&str] =
    &["depth_sign", "depth_magnitude", "depth_found", "signed_depth", "before_depth", "rest_ones"];

/// A payload without extensions, slot by slot.
pub fn bench() -> Bench<'static> {
    e_trace::bench("etrace-steps", with_registers(e_trace::subject())).only(STEPS)
}

/// What may go instead of a payload, and the choice between both.
pub fn bench_of_extensions() -> Bench<'static> {
    let subject = with_registers(e_trace_full::subject());
    e_trace::bench("etrace-full-steps", subject)
        .only(&["payload_", "encoder", "extension_choice"])
        .only_signals(OTHERS)
}

/// The depth of a stack of return addresses after an address.
pub fn bench_of_depths() -> Bench<'static> {
    let subject = with_registers(e_trace_returns::subject());
    e_trace::bench("etrace-depth-steps", subject).only(&["payload_"]).only_signals(DEPTHS)
}

/// The choice alone.
pub fn bench_of_choice() -> Bench<'static> {
    let subject = with_registers(e_trace_full::subject());
    e_trace::bench("etrace-choice", subject).only(&["extension_choice"])
}

fn with_registers(mut subject: Subject) -> Subject {
    subject.design.set("encoder_registers", "true").unwrap();
    subject
}
