//! Faults in T-raptor with registers on the way: tables read a clock late, whole records encoded at once.

use tracewright_sim::event::{Event, Kind};

use super::subject::{Fault, Subject, fault};
use super::traptor::changed;

/// Tables read through registers, and registers around a parallel encoder that has to wait.
pub fn subject() -> Subject {
    let registers =
        [("memory_style", "synchronous"), ("encoder_registers", "true"), ("encoder", "parallel")];
    let mut subject = changed(&registers, FAULTS);
    subject.programs[1].extend(repeated_jumps());
    subject
}

/// New indirect jumps that follow each other at once, on a path that branches beside them have made the same.
fn repeated_jumps() -> Vec<Event> {
    let repeated = |kind, program_counter, target, times| {
        (0..times).map(move |time| Event {
            instructions: if time == 0 { 400 } else { 1 },
            program_counter,
            target,
            kind,
            call: false,
            is_return: false,
            taken: true,
            length: 2,
            thread: 0,
        })
    };
    let group = |number: u64| {
        let place = 0x8000 + 0x40 * number;
        repeated(Kind::DirectConditional, place, 0x9000, 20).chain(repeated(
            Kind::IndirectJump,
            place + 2,
            0xa000 + place,
            3,
        ))
    };
    (0..40).flat_map(group).collect()
}

const COUNTERS: &str = "_predictor_table_entries512";
const QUEUE: &str = "_fifo_depth2";
const RECORDS: &str = "_word_register_width51";
const PIECES: &str = "_word_register_width108";

const FAULTS: &[Fault] = &[
    fault(
        "what was just learned is not forwarded",
        COUNTERS,
        "forwards ? forwarded : entries_read_data",
        "entries_read_data",
    ),
    fault("every entry is the one just learned", COUNTERS, "index == read_index", "1'b1"),
    fault("what was not learned is forwarded", COUNTERS, "forwards <= learn", "forwards <= 1'b1"),
    fault(
        "the next block's entry learns",
        COUNTERS,
        "clear_index : read_index",
        "clear_index : index",
    ),
    fault(
        "the entry's old content is forwarded",
        COUNTERS,
        "forwarded <= learned",
        "forwarded <= entry",
    ),
    fault(
        "a way just learned is not forwarded",
        "_predictor_table_entries32_width27",
        "forwards ? forwarded : entries_read_data",
        "entries_read_data",
    ),
    fault(
        "the tag is the next branch's",
        "_indirect_branch_target_buffer",
        "ways_0_entry[26:19] == read_tag",
        "ways_0_entry[26:19] == path_tag",
    ),
    fault(
        "the return address is the next block's",
        "_target_predictor",
        "(read_return_address)",
        "(path_return_address)",
    ),
    fault(
        "a step leaves out the target",
        "_stage",
        "later_target = held_target",
        "later_target = target",
    ),
    fault(
        "a step leaves out the count",
        "_stage",
        "later_count = held_count",
        "later_count = count",
    ),
    fault(
        "the outcome is the next branch's",
        "_encoder",
        "predicted_taken ^ read_flags_taken",
        "predicted_taken ^ retire_taken",
    ),
    fault(
        "counters learn when the next block retires",
        "_encoder",
        "gshare_learn = read_flags_valid",
        "gshare_learn = retire_valid",
    ),
    fault(
        "the history waits for the table",
        "_encoder",
        "gshare_update = retire_valid & retire_conditional",
        "gshare_update = read_flags[0] & read_flags[3]",
    ),
    fault("a flush does not wait for a record that is formed", "_encoder", " | formed_valid)", ")"),
    fault(
        "a record that is formed goes out twice",
        "_encoder",
        "formed_valid <= record_former_record_valid",
        "formed_valid <= record_former_record_valid | formed_valid",
    ),
    fault(
        "a target is compared with that of the next block",
        "_encoder",
        "predicted_target ^ read_stage_later_target",
        "predicted_target ^ target_units",
    ),
    fault("the queue keeps no reserve", QUEUE, "held < 3'd2", "held < 3'd4"),
    fault("the reserve is one short", QUEUE, "held < 3'd2", "held < 3'd3"),
    fault(
        "what goes into the reserve is lost",
        QUEUE,
        "if (in_valid) begin\n            words_cells",
        "if (in_valid && in_ready) begin\n            words_cells",
    ),
    fault("a held piece is overwritten", PIECES, "out_ready | !held_valid", "1'b1"),
    fault("a piece is given twice", PIECES, "held_valid <= in_valid", "held_valid <= 1'b1"),
    fault("a held record is overwritten", RECORDS, "out_ready | !held_valid", "1'b1"),
    fault(
        "no piece is the last",
        "_back_end",
        "{piece_last, piece_bits, piece}",
        "{1'b0, piece_bits, piece}",
    ),
    fault("a flush does not wait for the registers", "_back_end", "registers_are_empty & ", ""),
    fault(
        "an encoded record is overwritten",
        "_parallel_encoder",
        "piece_ready | !held_valid",
        "1'b1",
    ),
    fault("a record is sent twice", "_parallel_encoder", "if (piece_ready)", "if (1'b0)"),
    fault("a magnitude off by one", "_target_difference", "~difference + 31'd1", "~difference"),
    fault(
        "any misprediction moves the last target",
        "_record_former",
        "(has_target)",
        "(mispredicted)",
    ),
];
