//! Faults in Talon where tables are read through registers, and in a coder so small that its limits are met often.

use super::subject::{Fault, Subject, fault};
use super::talon::changed;

/// Tables read through registers, and a coder of seven bits that holds two back.
pub fn subject() -> Subject {
    let registers = [
        ("memory_style", "synchronous"),
        ("return_confidence", "5"),
        ("single_target_confidences", "[2, 3, 5, 5]"),
        ("choice_confidences", "[1, 1, 2, 5]"),
        ("most_confidence", "5"),
        ("range_bits", "7"),
        ("guard_bits", "2"),
        ("address_first_chunk", "4"),
        ("target_buffer_tag_bits", "1"),
    ];
    changed(&registers, FAULTS)
}

const CODER: &str = "_range_coder";
const OUTCOMES: &str = "_outcome_predictor";
const QUEUE: &str = "_fifo_depth2";
const TABLE: &str = "_predictor_table_entries64";

/// Every fault, by module.
const FAULTS: &[Fault] = &[
    fault(
        "the confidence counter is that of the next branch",
        "_confidence",
        "index = held_place",
        "index = folded",
    ),
    fault(
        "the outcome is that of the next branch",
        OUTCOMES,
        "prediction ^ second_taken",
        "prediction ^ first_taken",
    ),
    fault(
        "counters learn the next branch's outcome",
        OUTCOMES,
        ".taken       (second_taken)",
        ".taken       (first_taken)",
    ),
    fault(
        "counters learn when the next branch retires",
        OUTCOMES,
        ".learn       (second_learn)",
        ".learn       (first_learn)",
    ),
    fault(
        "the history waits for the table",
        OUTCOMES,
        ".update      (learn)",
        ".update      (second_learn)",
    ),
    fault(
        "the path waits for the table",
        OUTCOMES,
        ".latest      (gshare_latest),\n        .predict     (second_predict)",
        ".latest      (gshare_latest),\n        .predict     (first_predict)",
    ),
    fault(
        "evidence is judged a cycle early",
        OUTCOMES,
        ".evidence    (held_evidence)",
        ".evidence    (evidence)",
    ),
    fault(
        "evidence is judged at the next branch's address",
        OUTCOMES,
        ".address     (second_address)",
        ".address     (first_address)",
    ),
    fault(
        "a target is that of the next block",
        "_encoder",
        "late_difference = stages_2_later_target",
        "late_difference = stages_1_later_target",
    ),
    fault(
        "a count is that of the next block",
        "_encoder",
        "late_count = stages_2_later_count",
        "late_count = stages_1_later_count",
    ),
    fault(
        "a target's confidence is that of the next block",
        "_encoder",
        ": late_confidence),",
        ": target_predictor_confidence),",
    ),
    fault(
        "a predicted exception sends its address",
        "_coding",
        "(is_exception & !is_predicted) | (",
        "is_exception | (",
    ),
    fault("a cleared entry is valid", "_target_buffer", "{tag, !clear_valid}", "{tag, 1'b1}"),
    fault("what was just learned is not forwarded", TABLE, "forwards_last ? last", "1'b0 ? last"),
    fault("an entry of another block is forwarded", TABLE, "read_index == past_index", "1'd1"),
    fault("the queue keeps no reserve", QUEUE, "held < 3'd2", "held < 3'd4"),
    fault("the code may end at the carry itself", CODER, "sum[9] & (|sum[8:0])", "sum[9]"),
    fault(
        "the ones are counted from a place too low",
        CODER,
        "room = ~shifted[6:0] + 7'd1",
        "room = ~shifted[6:0]",
    ),
    fault(
        "the last but one length of ones is one short",
        CODER,
        "room[1] ? 3'd6",
        "room[1] ? 3'd5",
    ),
    fault("a one is missing behind the code", CODER, "|room[6:3]", "|room[6:2]"),
    fault(
        "a code that is one longer loses its first bit",
        CODER,
        "is_short ? {below[4:0], 1'b1}",
        "is_short ? {below[4:0], 1'b0}",
    ),
    fault(
        "a detour is as long with another candidate as without",
        CODER,
        "has_other ? 4'd8",
        "has_other ? 4'd7",
    ),
    fault("two bits that are held back are swapped", CODER, "{head[0], 1'b1}", "{1'b1, head[0]}"),
    fault("the end of a code carries nothing", CODER, "after[8:5] + 4'd1", "after[8:5] | 4'd1"),
];
