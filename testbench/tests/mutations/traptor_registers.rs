//! Faults in T-raptor with registers on the way: tables read through registers, whole records encoded at once, and a
//! serial encoder that holds its record.

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
    // An indirect jump, a direct one and the indirect one again, in three cycles.
    let alternating = |number: u64| {
        let place = 0x8000 + 0x40 * number;
        let indirect = move || repeated(Kind::IndirectJump, place + 2, 0xa000 + place, 2).skip(1);
        let direct = repeated(Kind::DirectJump, place + 4, place + 2, 2).skip(1);
        let branches = repeated(Kind::DirectConditional, place, 0x9000, 20);
        branches.chain(indirect()).chain(direct).chain(indirect())
    };
    (0..40).flat_map(group).chain((40..80).flat_map(alternating)).collect()
}

const COUNTERS: &str = "_predictor_table_entries512";
const WAY: &str = "_way";
const QUEUE: &str = "_fifo_depth2";
const RECORDS: &str = "_word_register_width51";
const PIECES: &str = "_word_register_width108";

const FAULTS: &[Fault] = &[
    fault(
        "what was just learned is not forwarded",
        COUNTERS,
        "forwards_last ? last",
        "1'b0 ? last",
    ),
    fault("every entry is the one just learned", COUNTERS, "read_index == learn_index", "1'd1"),
    fault(
        "what was not learned is forwarded",
        COUNTERS,
        "forwards_last <= learn",
        "forwards_last <= 1'd1",
    ),
    fault(
        "the next block's entry learns",
        COUNTERS,
        ".write_index (learn_index)",
        ".write_index (read_index)",
    ),
    fault("the entry's old content is forwarded", COUNTERS, "last <= learned", "last <= entry"),
    fault(
        "what was learned two cycles ago is not forwarded",
        COUNTERS,
        "forwards_earlier ? earlier",
        "1'b0 ? earlier",
    ),
    fault("an entry of another block is forwarded", COUNTERS, "read_index == past_index", "1'd1"),
    fault(
        "a way just learned is not seen",
        WAY,
        "(learned_last & follows_last) ? last_matches",
        "1'b0 ? last_matches",
    ),
    fault(
        "a way learned two cycles ago is not seen",
        WAY,
        "if (learned_last & follows_earlier)",
        "if (1'd0)",
    ),
    fault(
        "a way that another block learned is seen",
        WAY,
        "(learned_last & follows_last) ? last_matches",
        "follows_last ? last_matches",
    ),
    fault("a way learns for the next block's set", WAY, "(learn_set)", "(set)"),
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
        "predicted_taken ^ chosen_flags_taken",
        "predicted_taken ^ read_flags_taken",
    ),
    fault(
        "counters learn when the next block retires",
        "_encoder",
        "gshare_learn = chosen_flags_valid",
        "gshare_learn = read_flags_valid",
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
        ".target          (read_stage_later_target)",
        ".target          (target_units)",
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
    fault("a flush does not wait for the held piece", "_back_end", "piece_is_gone & ", ""),
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

/// Registers around the serial encoder.
pub fn serial_subject() -> Subject {
    changed(&[("encoder_registers", "true")], SERIAL_FAULTS)
}

const SERIAL: &str = "_serial_encoder";
const DIFFERENCE: &str = "_serial_difference";

const SERIAL_FAULTS: &[Fault] = &[
    fault(
        "a stage of the held record is sent twice",
        SERIAL,
        "held_stages & ~current",
        "held_stages",
    ),
    fault(
        "a number has one chunk",
        "_chunk_selector_first3",
        "last <= |next_value[4:3]",
        "last <= 1'b0",
    ),
    fault("the next chunk of a target is the same one", DIFFERENCE, "index + 3'd1", "index"),
    fault(
        "a target's second pass begins after its first chunk",
        DIFFERENCE,
        "(load || at_end)",
        "load",
    ),
    fault(
        "a held record is overwritten",
        SERIAL,
        "if (!held_valid) begin\n            held_record",
        "if (1'd1) begin\n            held_record",
    ),
    fault(
        "the number of chunks is that of an older record",
        SERIAL,
        "branch_count_selector_load = !held_valid",
        "branch_count_selector_load = record_valid",
    ),
    fault(
        "chunks go on though the piece is not taken",
        DIFFERENCE,
        "if (load || step)",
        "if (1'd1)",
    ),
    fault(
        "the first chunk is not that of the next record",
        DIFFERENCE,
        "next_target[2:0]",
        "target[2:0]",
    ),
    fault("a flush does not wait for the held record", "_back_end", "registers_are_empty & ", ""),
];
