//! Faults in Talon where tables are read through registers, and in a coder so small that its limits are met often.

use super::subject::Subject;
use super::talon::changed;
use super::texts::{Fault, fault};

/// Tables read through registers, registers at the coder, and a coder of seven bits that holds two back. The instruction
/// counter is wide, so that jumps leave the module empty when a flush comes.
pub fn subject() -> Subject {
    let registers = [
        ("memory_style", "synchronous"),
        ("encoder_registers", "true"),
        ("instruction_count_bits", "12"),
        ("return_confidence", "5"),
        ("single_target_confidences", "[2, 3, 5, 5]"),
        ("choice_confidences", "[1, 1, 2, 5]"),
        ("most_confidence", "5"),
        ("range_bits", "7"),
        ("guard_bits", "2"),
        ("address_first_chunk", "4"),
        ("target_buffer_tag_bits", "2"),
        ("targets_per_entry", "1"),
        ("return_address_stack_wraps", "true"),
    ];
    changed(&registers)
}

const CODER: &str = "_range_coder";
const OUTCOMES: &str = "_outcome_predictor";
const PREDICTORS: &str = "_predictors";
const BUFFER: &str = "_single_target_buffer";
const STACK: &str = "_return_address_stack";
const QUEUE: &str = "_fifo_depth2";
const TABLE: &str = "_predictor_table_entries64";

/// Every fault, by module.
pub const FAULTS: &[Fault] = &[
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
        PREDICTORS,
        "late_difference = stages_4_later_target",
        "late_difference = stages_3_later_target",
    ),
    fault(
        "a count is that of the next block",
        PREDICTORS,
        "late_count = stages_4_later_count",
        "late_count = stages_3_later_count",
    ),
    fault(
        "a target's confidence is that of the next block",
        PREDICTORS,
        ": late_confidence),",
        ": target_predictor_confidence),",
    ),
    fault(
        "a predicted exception sends its address",
        "_operations",
        "(is_exception & !is_short) | (",
        "is_exception | (",
    ),
    fault("what was just learned is not forwarded", TABLE, "forwards_last ? last", "1'b0 ? last"),
    fault("an entry of another block is forwarded", TABLE, "read_index == past_index", "1'd1"),
    fault(
        "an exception long after a symbol is short",
        "_operations",
        " & !(|step_instructions[11:2])",
        "",
    ),
    fault("a stack that wraps is never full", STACK, "full | (push & !(|above))", "full"),
    fault(
        "an address that was never written is popped",
        STACK,
        "has_top = full | (|pointer)",
        "has_top = 1'b1",
    ),
    fault("a cleared entry is valid", BUFFER, "{held_tag, !clear_valid}", "{held_tag, 1'b1}"),
    fault(
        "an entry that the block before took is not seen",
        BUFFER,
        "if (did_replace[0] && same_set)",
        "if (1'b0)",
    ),
    fault(
        "an entry that the block before took is seen in every set",
        BUFFER,
        "if (did_replace[1] && same_set)",
        "if (did_replace[1])",
    ),
    fault(
        "an entry that the block before took has any tag",
        BUFFER,
        "hits[0] = same_tag",
        "hits[0] = 1'b1",
    ),
    fault(
        "a second target takes an entry however sure it is",
        BUFFER,
        "has_two | !other_is_sure",
        "1'b1",
    ),
    fault("a target takes an entry that is sure", BUFFER, "takes_other | !(|confidence)", "1'b1"),
    fault(
        "an entry takes a target that cannot be told from it",
        BUFFER,
        "learn & !(|same_bits) &",
        "learn & !(|known) &",
    ),
    fault(
        "the way that was used is replaced next",
        BUFFER,
        "!recents_read_data",
        "recents_read_data",
    ),
    fault(
        "a target far away is the one that is known",
        BUFFER,
        "is_near ? same_bits",
        "1'b1 ? same_bits",
    ),
    fault("an entry's confidence wraps", BUFFER, "(confidences_0_read_data != 2'd3)", "1'b1"),
    fault(
        "a wrong target leaves an entry as sure as it was",
        BUFFER,
        "{1'b0, confidences_1_read_data[1]}",
        "confidences_1_read_data",
    ),
    fault(
        "a new target is as sure as the one before",
        BUFFER,
        "(clear_valid || replaces[1])",
        "clear_valid",
    ),
    fault(
        "a new target is not the recent one",
        BUFFER,
        "may_replace ? taken_way",
        "1'b0 ? taken_way",
    ),
    fault(
        "an exception is looked up by its own address",
        PREDICTORS,
        "early_exception ? ",
        "1'b0 ? ",
    ),
    fault(
        "a flush does not wait for blocks on the way",
        "_encoder",
        "queue_out_valid | is_predicting",
        "queue_out_valid",
    ),
    fault(
        "a flush does not wait for the operation in the register",
        "_encoder",
        "is_predicting | operation_register_out_valid",
        "is_predicting",
    ),
    fault(
        "a block in the first register is not waited for",
        "_encoder",
        "retire_register_is_held | ",
        "",
    ),
    fault("a symbol that doubles the range is taken at once", CODER, "!wrong & !doubles", "!wrong"),
    fault("a wrong symbol is taken at once", CODER, "has_symbol & !wrong & ", "has_symbol & "),
    fault(
        "a step is taken at once in its second cycle",
        CODER,
        "second <= valid & !step",
        "second <= valid",
    ),
    fault("the queue keeps no reserve", QUEUE, "held < 4'd2", "held < 4'd7"),
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
    fault("a one is missing after the code", CODER, "|room[6:3]", "|room[6:2]"),
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
    fault("the end of a code carries nothing", CODER, "shifted[8:5] + 4'd1", "shifted[8:5] | 4'd1"),
];
