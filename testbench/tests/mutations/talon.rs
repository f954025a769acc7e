//! Faults in Talon: what a tired engineer might write.
//!
//! Those that only show in a small coder or where tables are read through registers are in `talon_registers.rs`.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::scheme::Design;

use super::subject::{Fault, Subject, fault};
use super::traptor::{MACHINE, events};
use crate::straight_runs;

/// talon-xl, which has every structure, with tables so small that branches share entries.
pub fn subject() -> Subject {
    changed(&[], FAULTS)
}

/// talon-xl with small tables, counters that overflow, and `changes`.
pub fn changed(changes: &[(&str, &str)], faults: &'static [Fault]) -> Subject {
    let mut design = Design::preset("talon-xl").unwrap().for_machine(MACHINE).unwrap();
    let small = [
        ("bimodal_entries", "64"),
        ("gshare_entries", "64"),
        ("gshare_history_bits", "7"),
        ("match_history_entries", "64"),
        ("match_pointers", "8"),
        ("confidence_entries", "16"),
        ("loop_entries", "4"),
        ("return_address_stack_depth", "3"),
        ("target_buffer_sets", "2"),
        ("target_buffer_tag_bits", "4"),
        ("target_bits", "14"),
        ("retire_count_bits", "7"),
        ("instruction_count_bits", "8"),
    ];
    for (name, value) in small.iter().chain(changes) {
        design.set(name, value).unwrap();
    }
    let mut programs = [events(21), events(22)];
    programs[0].extend(loops(23));
    programs[0].extend(indirect_runs());
    programs[1].extend(straight_runs::straight_runs(530));
    programs[1].extend(indirect_runs());
    programs[1].extend(loops(24));
    // Between two of its flushes there are only escapes, of five bytes each: the second finds the module empty.
    let jump = Event { instructions: 1, ..branch(Kind::DirectJump, 0x8000, true, 0x8000) };
    programs[0].extend([jump; 2_200]);
    for program in &mut programs {
        program.insert(0, branch(Kind::Exception, 0x8000, true, 0x8400));
        program.extend((0..150).flat_map(interrupt));
        program.extend((0..20).flat_map(returns));
    }
    Subject { design, programs, faults }
}

/// A taken or untaken branch that is of no program.
fn branch(kind: Kind, program_counter: u64, taken: bool, target: u64) -> Event {
    Event {
        instructions: 3,
        program_counter,
        target: if taken { target } else { 0 },
        kind,
        call: false,
        is_return: false,
        taken,
        length: 4,
        thread: 0,
    }
}

/// Loops with trip counts around what the loop predictor and the match model count, and a branch at random after each.
fn loops(seed: u64) -> Vec<Event> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut events = Vec::new();
    for (number, trips) in (0..).zip([3, 5, 9, 14, 30, 31, 32, 33, 150]) {
        let place = 0x8000 + 0x54 * number;
        for _ in 0..24 {
            let count = if random.random_range(0..8) == 0 { trips / 2 } else { trips };
            let conditional = |taken| branch(Kind::DirectConditional, place, taken, place - 8);
            events.extend((0..=count).map(|trip| conditional(trip < count)));
            let next = place + 0x10;
            events.push(branch(Kind::DirectConditional, next, random.random(), next + 0x20));
        }
    }
    events
}

/// Runs that end in conditional indirect branches and leave the instruction counter's range before them.
fn indirect_runs() -> Vec<Event> {
    let run = |length: u64| Event {
        instructions: length,
        ..branch(
            Kind::IndirectConditional,
            0x8000 + 16 * (length % 5),
            !length.is_multiple_of(3),
            0x9000 + 0x40 * (length % 7),
        )
    };
    (200..420).map(run).collect()
}

/// Jumps, which have no symbol, and an exception to one of two handlers near the code.
fn interrupt(number: u64) -> impl Iterator<Item = Event> {
    let place = 0x8000 + 4 * (number % 16);
    let jumps = (0..9).map(move |_| branch(Kind::DirectJump, place, true, place));
    let handler = if number % 6 < 4 { 0x8400 } else { 0x8480 };
    jumps.chain([branch(Kind::Exception, place, true, handler)])
}

/// Two calls, a return from both at once, and one to an address that no call left.
fn returns(number: u64) -> [Event; 4] {
    let place = 0x8000 + 0x40 * number;
    let call = |place| Event { call: true, ..branch(Kind::DirectJump, place, true, place + 0x10) };
    let back = |target| Event {
        is_return: true,
        ..branch(Kind::IndirectJump, place + 0x30, true, target)
    };
    [call(place), call(place + 0x10), back(place + 4), back(place + 0x20)]
}

const CODER: &str = "_range_coder";
const CODING: &str = "_coding";
const TARGETS: &str = "_target_predictor";
const BUFFER: &str = "_target_buffer";
const STACK: &str = "_return_address_stack";
const COUNT: &str = "_instruction_counter";
const OUTCOMES: &str = "_outcome_predictor";
const MATCHES: &str = "_match_model";
const LOOP: &str = "_loop_step";

/// Every fault, by module.
const FAULTS: &[Fault] = &[
    fault(
        "a likely symbol does not double a small range",
        CODER,
        "doubles ? {likely[10:0], 1'b0}",
        "1'b0 ? {likely[10:0], 1'b0}",
    ),
    fault(
        "an escape takes the unlikely part of the range",
        CODER,
        "escape ? 12'd1 : range >>",
        "range >>",
    ),
    fault("a wrong symbol leaves no code to escapes", CODER, "cleared - 11'd1", "cleared"),
    fault(
        "a wrong symbol shifts one bit too few",
        CODER,
        "confidence + {3'd0, is_short}",
        "confidence",
    ),
    fault("a wrong symbol keeps the low end", CODER, "base = wrong ? moved : low", "base = low"),
    fault("the coder gives up nothing above a carry", CODER, "sum[18] & (|sum[17:0])", "1'b0"),
    fault("the range is not whole after a carry", CODER, "carries || restarts", "restarts"),
    fault("the low end is 0 after a carry", CODER, "carries ? 18'h3f000", "carries ? 18'd0"),
    fault(
        "the end of a code is rounded down",
        CODER,
        "(|rest) ? after[17:10] + 8'd1 : after",
        "after",
    ),
    fault(
        "the other candidate's bit is not held back",
        CODER,
        "{head[4:0], 1'b1}",
        "{head[4:0], 1'b0}",
    ),
    fault(
        "an address does not leave its lowest bits to the coder",
        CODER,
        "has_address ? guard",
        "1'b0 ? guard",
    ),
    fault(
        "a number of chunks goes lowest bit first",
        CODER,
        "{chunks[0], chunks[1], chunks[2]}",
        "chunks",
    ),
    fault("the range is not reset", CODER, "range <= 12'd4095", "range <= range"),
    fault(
        "the coder moves while its record waits",
        CODING,
        ".step         (takes)",
        ".step         (step_valid)",
    ),
    fault(
        "a step is over while its record waits",
        CODING,
        "step_valid & (record_ready | !sends)",
        "step_valid",
    ),
    fault(
        "an outcome's symbol comes again after its target",
        CODING,
        "did_outcome <= is_outcome & more",
        "did_outcome <= 1'b0",
    ),
    fault(
        "an overflow comes again after an outcome",
        CODING,
        "did_overflow | is_first_overflow",
        "is_first_overflow",
    ),
    fault("a predicted target takes a detour", CODING, "is_target & !is_predicted", "is_target"),
    fault(
        "a large difference has a chunk too few",
        CODING,
        "|step_difference[30:14]",
        "|step_difference[30:15]",
    ),
    fault("an overflow sends the instruction count", CODING, "is_overflow ? 8'd0 : step", "step"),
    fault(
        "a predicted exception is like any other",
        CODING,
        "is_overflow | (is_exception & is_predicted)",
        "is_overflow",
    ),
    fault(
        "a target has the outcome's confidence",
        CODING,
        "is_outcome ? step_outcome_confidence :",
        "1'b1 ? step_outcome_confidence :",
    ),
    fault(
        "exceptions are looked up by their own address",
        "_encoder",
        "retire_exception ? address & 31'h7fffc000 : address",
        "address",
    ),
    fault(
        "a choice is learned though both targets are wrong",
        "_encoder",
        "target_predictor_has_choice & !target_predictor_wrong",
        "target_predictor_has_choice",
    ),
    fault(
        "a choice is learned as an outcome",
        "_encoder",
        "retire_conditional ? retire_taken :",
        "1'b1 ? retire_taken :",
    ),
    fault(
        "a choice is as sure as the surer of two",
        "_encoder",
        "outcome_predictor_confidence < target",
        "outcome_predictor_confidence > target",
    ),
    fault(
        "the path follows branches that are not taken",
        "_encoder",
        "retire_indirect & retire_taken",
        "retire_indirect",
    ),
    fault(
        "the reference has no upper bits",
        "_encoder",
        "{address[30:14], target",
        "{17'd0, target",
    ),
    fault(
        "a wrong choice has no other target",
        "_encoder",
        "target_predictor_has_choice ? (!target_predictor_wrong)",
        "1'b0 ? (!target_predictor_wrong)",
    ),
    fault(
        "a flush does not wait for the queue",
        "_encoder",
        "is_empty = !queue_out_valid",
        "is_empty = 1'b1",
    ),
    fault(
        "a return far away is the one on the stack",
        TARGETS,
        "is_near & stack_has_top",
        "stack_has_top",
    ),
    fault("returns train the target buffer", TARGETS, "learn & !is_return", "learn"),
    fault(
        "conditional branches choose between targets",
        TARGETS,
        "has_other & !conditional",
        "has_other",
    ),
    fault(
        "the second target is the first",
        TARGETS,
        "is_second = !buffer_is_first",
        "is_second = buffer_is_first",
    ),
    fault("a call returns to itself", TARGETS, "address[13:0] + {10'd0, length}", "address[13:0]"),
    fault(
        "the way that was used is replaced next",
        BUFFER,
        "!way & !clear_valid",
        "way & !clear_valid",
    ),
    fault(
        "an entry is replaced however sure it is",
        BUFFER,
        "!(hit | (|entries_read_data_confidence))",
        "!hit",
    ),
    fault(
        "a wrong target leaves an entry as sure as it was",
        BUFFER,
        "{1'b0, entries_read_data_confidence[1]}",
        "entries_read_data_confidence",
    ),
    fault(
        "every new target goes second",
        BUFFER,
        "!(entries_read_data_has_two & entries_read_data_recent)",
        "1'b1",
    ),
    fault("a tag is not folded", BUFFER, "above[3:0] ^ above[7:4]", "above[3:0]"),
    fault("an entry's confidence wraps", BUFFER, "entries_read_data_confidence != 2'd3", "1'b1"),
    fault(
        "a cleared entry is sure",
        BUFFER,
        "learned_confidence = 2'd0",
        "learned_confidence = 2'd3",
    ),
    fault("the stack's count wraps", STACK, "popped_count != 2'd3", "1'b1"),
    fault("an empty stack is popped", STACK, "!(pop && has_top) ? count", "!pop ? count"),
    fault("two addresses are popped and one is counted", STACK, "count - 2'd2", "count - 2'd1"),
    fault("the stack does not wrap", STACK, "(|pointer) ? pointer - 2'd1 : 2'd2", "pointer - 2'd1"),
    fault(
        "a jump counts as crossing the range",
        COUNT,
        "leaves_more = |total[6:0]",
        "leaves_more = 1'b1",
    ),
    fault("no overflow at a jump", COUNT, "(halves & upper_half) | ", ""),
    fault(
        "no overflow in a sequential block",
        COUNT,
        "above_range & !control_flow & !exception",
        "1'b0",
    ),
    fault("no overflow before a symbol", COUNT, "above_range & ((control", "1'b0 & ((control"),
    fault(
        "a jump takes no half off",
        COUNT,
        "halves ? above_range & !leaves_more : upper_half",
        "upper_half",
    ),
    fault("a flush does not clear the count", COUNT, " | flush", ""),
    fault("the count is not 0 after the clear sweep", COUNT, "clears || is_swept", "clears"),
    fault("bimodal is sure too late", "_bimodal", "magnitude >= 3'd5", "magnitude >= 3'd6"),
    fault("bimodal's counters always grow", "_bimodal", "grows[magnitude]", "1'b1"),
    fault(
        "bimodal's index is not folded",
        "_bimodal",
        "address[5:0] ^ address[11:6] ^ address[17:12]",
        "address[5:0]",
    ),
    fault("gshare's index leaves out the path", "_gshare", "folded ^ path[5:0]", "folded"),
    fault("gshare's index leaves out the oldest outcome", "_gshare", " ^ {5'd0, history[6]}", ""),
    fault(
        "gshare's counters grow like small ones",
        "_gshare",
        "grows[4], grows[2], grows[0]",
        "grows[2], grows[1], grows[0]",
    ),
    fault(
        "the path leaves out the branch before its target",
        "_gshare",
        "{path_after[5:0], 2'd0} ^ target",
        "{path[5:0], 2'd0} ^ target",
    ),
    fault("a pointer's key leaves out the latest outcomes", MATCHES, " ^ {latest, 1'b0}", ""),
    fault("a match always goes on", MATCHES, "follows ? followed : pointers_entry", "followed"),
    fault(
        "a pointer stays though no match is long",
        MATCHES,
        "(|length) ? learn & !good : learn",
        "learn & !good",
    ),
    fault("a class begins one late", MATCHES, "length >= 7'd12", "length > 7'd12"),
    fault("a match's length wraps", MATCHES, "!(&reached) & learn", "learn"),
    fault("a match begins without a branch", MATCHES, "follows | predict", "1'b1"),
    fault("gshare learns what a long match predicts", OUTCOMES, " & !match_is_enough", ""),
    fault(
        "a match is trusted too early",
        OUTCOMES,
        "match_model_match_class >= 3'd4",
        "match_model_match_class >= 3'd3",
    ),
    fault(
        "a loop is sure too early",
        OUTCOMES,
        "loop_predictor_confidence == 2'd3",
        "loop_predictor_confidence == 2'd2",
    ),
    fault(
        "gshare's direction is its magnitude",
        OUTCOMES,
        "gshare_counter[2];",
        "gshare_counter[1];",
    ),
    fault(
        "the confidence index leaves out the prediction",
        "_confidence",
        " ^ {3'd0, prediction}",
        "",
    ),
    fault(
        "the confidence index is that of bimodal",
        "_judge",
        "evidence_bimodal[3] ^ evidence_prediction",
        "evidence_bimodal[3]",
    ),
    fault(
        "confidence grows with mistakes",
        "_judge",
        "counters_right = !evidence_wrong",
        "counters_right = evidence_wrong",
    ),
    fault("a loop's tag overlaps its index", "_loop_predictor", "hash[6:2]", "hash[5:1]"),
    fault("a loop's count wraps", LOOP, "entry_current != 5'd31", "1'b1"),
    fault("a predicted branch takes a loop's entry", LOOP, " & !right", ""),
    fault(
        "a loop goes the other way",
        LOOP,
        "found ? entry_direction : (!taken)",
        "found ? entry_direction : taken",
    ),
    fault("a loop's entry is taken too often", LOOP, "!(|random[7:5])", "!(|random[7:6])"),
    fault("a loop that ends early stays sure", LOOP, "if (!complete)", "if (1'b1)"),
    fault(
        "a score does not say for or against",
        "_score",
        "{bimodal[3] == prediction,",
        "{bimodal[3],",
    ),
    fault(
        "gshare has a score though it is not asked",
        "_score",
        "{is_sure, gshare",
        "{1'b0, gshare",
    ),
    fault(
        "a loop against a prediction has the score of one for it",
        "_score",
        "{looped != prediction,",
        "{looped == prediction,",
    ),
    fault("random bits step with every cycle", "_random_bits", "if (step)", "if (1'b1)"),
    fault("random bits shift without feedback", "_random_bits", "^ 8'd184", "^ 8'd0"),
    fault(
        "a counter of magnitude 0 keeps its direction",
        "_counter_step",
        "(|magnitude) ? direction : taken",
        "direction",
    ),
    fault("a counter of magnitude 0 wraps", "_counter_step", "carry = |magnitude", "carry = 1'b1"),
];
