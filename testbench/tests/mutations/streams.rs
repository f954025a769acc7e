//! Faults in stream cache and N-tuple: in the blocks of both, and in each one's own.

use tracewright_sim::event::{Event, Isa, Kind, Machine};
use tracewright_sim::scheme::Design;
use tracewright_sim::synthetic::{Options, Synthetic};

use super::subject::Subject;
use super::texts::{Fault, fault};
use crate::straight_runs;

const MACHINE: Machine = Machine { isa: Isa::RiscV, alignment: 1, address_bits: 32 };

/// rBASE with streams so short that many are cut, and runs whose size reaches both bounds.
pub fn stream_cache() -> Subject {
    let design = design(
        "stream-rbase-32",
        &[
            ("stream_length_bits", "5"),
            ("one_length_start_bits", "2"),
            ("one_length_most_bits", "5"),
            ("upper_address_bits", "14"),
        ],
    );
    let mut programs = [events(31, 95), events(32, 60)];
    programs[0].extend(straight_runs::straight_runs(LONGEST_RUN));
    programs[1].extend([looped(); 500]);
    Subject { design, programs }
}

/// N-tuple with few short tuples.
pub fn ntuple() -> Subject {
    let design = design(
        "ntuple-32x4",
        &[
            ("stream_cache_entries", "16"),
            ("stream_length_bits", "5"),
            ("tuple_length", "3"),
            ("tuple_history_entries", "7"),
        ],
    );
    let mut programs = [events(35, 95), events(36, 80)];
    programs[0].extend(straight_runs::straight_runs(LONGEST_RUN));
    Subject { design, programs }
}

/// More than twice the longest stream of the designs here, so that runs end right at it and around it.
const LONGEST_RUN: u64 = 70;

/// Once around a loop of three instructions, which is predicted for ever.
fn looped() -> Event {
    Event {
        instructions: 3,
        program_counter: 0x000f_0004,
        target: 0x000f_0000,
        kind: Kind::DirectConditional,
        call: false,
        is_return: false,
        taken: true,
        length: 2,
        thread: 0,
    }
}

pub(super) fn design(preset: &str, parameters: &[(&str, &str)]) -> Design {
    let mut design = Design::preset(preset).unwrap().for_machine(MACHINE).unwrap();
    for (name, value) in parameters {
        design.set(name, value).unwrap();
    }
    design
}

pub(super) fn events(seed: u64, predictability: u8) -> Vec<Event> {
    let options = Options {
        machine: MACHINE,
        events: 12_000,
        functions: 24,
        predicated: true,
        exceptions: true,
        branch_every_instruction: false,
        predictability,
        code_base: 0x000f_0000,
        code_span: 1 << 21,
        ..Options::from_seed(seed)
    };
    Synthetic::new(options).unwrap().collect()
}

/// Every fault of rBASE, by module.
pub const STREAM_CACHE: &[Fault] = &[
    fault(
        "an exception at the longest length does not cut the stream",
        "_stream_detector",
        "& !branch_ends;",
        "& !branch_ends & !excepts;",
    ),
    fault(
        "a stored start is believed whatever its upper bits",
        "_record_former",
        "is_told = inferred | start_addresses_matching",
        "is_told = inferred | 1'b1",
    ),
    fault(
        "an inferred start needs its upper bits",
        "_record_former",
        "is_told = inferred | start_addresses_matching",
        "is_told = start_addresses_matching",
    ),
    fault(
        "the stream cache stores what an exception breaks off",
        "_record_former",
        "cache_update = steps & is_whole",
        "cache_update = steps",
    ),
    fault(
        "the predictor learns of what an exception breaks off",
        "_record_former",
        "predictor_update = steps & is_whole",
        "predictor_update = steps",
    ),
    fault(
        "the predictor learns the index of a miss",
        "_record_former",
        "whole_hit ? cache_index : 5'd0",
        "cache_index",
    ),
    fault(
        "every start is sent",
        "_record_former",
        "sends_start = misses & !inferred",
        "sends_start = misses",
    ),
    fault(
        "a cut stream has no code",
        "_record_former",
        "end_code != BRANCH_CODE",
        "end_code == 2'd1",
    ),
    fault("a miss has an index", "_record_former", "misses ? 5'd0", "is_whole ? 5'd0"),
    fault(
        "a miss does not end a run",
        "_record_former",
        "counter_ends = steps & !predicted",
        "counter_ends = steps & !predicted & !misses",
    ),
    fault(
        "a hit counts again while it waits",
        "_record_former",
        "counter_hit = steps & predicted",
        "counter_hit = stream_valid & predicted",
    ),
    fault(
        "runs of half the length",
        "_one_length_counter",
        "is_full = &(count | ~ones)",
        "is_full = &(count | ~ones_below)",
    ),
    fault(
        "a run goes on beyond the longest",
        "_one_length_counter",
        "begins = hit & (!running | is_full)",
        "begins = hit & !running",
    ),
    fault(
        "every run but the longest is short",
        "_one_length_counter",
        "is_short = !(&(count | ~ones_below)) & !(|(count & ones & ~ones_below))",
        "is_short = !is_full",
    ),
    fault("the monitor gains 2", "_one_length_counter", "went_on ? 4'd3", "went_on ? 4'd2"),
    fault("the size grows late", "_one_length_counter", "monitor > 4'd11", "monitor > 4'd12"),
    fault("the size shrinks late", "_one_length_counter", "monitor < 4'd2", "monitor < 4'd1"),
    fault("the size has no upper bound", "_one_length_counter", "size != 3'd6", "size != 3'd7"),
    fault(
        "the monitor stays at 0",
        "_one_length_counter",
        "if (grows || shrinks) begin",
        "if (grows) begin",
    ),
    fault(
        "the set is of the start alone",
        "_stream_cache",
        "start[5:3] ^ true_length[2:0]",
        "start[5:3]",
    ),
    fault("a cut stream is hashed as empty", "_stream_cache", "length : 5'd31", "length : 5'd0"),
    fault(
        "set 0 has its reserved way for the oldest",
        "_stream_cache",
        "is_set_0 ? order_read_data | 6'd7 : order_read_data",
        "order_read_data",
    ),
    fault(
        "a hit does not make its way the newest",
        "_stream_cache",
        "order_write_enable = update | clear",
        "order_write_enable = (update & !found) | clear",
    ),
    fault("the order is not cleared", "_stream_cache", "clear_valid ? 6'd0", "clear_valid ? 6'd1"),
    fault(
        "the index before stays",
        "_last_stream_predictor",
        "previous_index <= index",
        "previous_index <= previous_index",
    ),
    fault(
        "the predictor is not cleared",
        "_last_stream_predictor",
        "clear_valid ? 5'd0",
        "clear_valid ? 5'd8",
    ),
    fault(
        "the last value has other bits",
        "_start_address_predictor",
        "start_upper = start[30:17]",
        "start_upper = start[29:16]",
    ),
    fault(
        "after a cut the start is as before it",
        "_stream_source",
        ".goes_on (buffer_out_second)",
        ".goes_on (1'b0)",
    ),
    fault(
        "after a cut the start is sent",
        "_stream_source",
        "inferred = stored_inferred | buffer_out_second",
        "inferred = stored_inferred",
    ),
    fault("a cut is one unit too far", "_cut_start", "start[4:0] - {4'd0, goes_on}", "start[4:0]"),
    fault("a cut does not carry", "_cut_start", "carry = (|start[4:0]) & goes_on", "carry = 1'b0"),
    fault(
        "every branch leads where the program says",
        "_stream_start",
        "inferred <= branch_ends & direct",
        "inferred <= branch_ends",
    ),
    fault(
        "a flush leaves the start to be sent",
        "_stream_start",
        "else if (cut || flush) begin",
        "else if (cut) begin",
    ),
    fault(
        "the second stream of a block is lost",
        "_stream_buffer",
        "aside_valid <= second_valid | (first_valid & aside_valid)",
        "aside_valid <= first_valid & aside_valid",
    ),
    fault(
        "the second stream of a block is skipped",
        "_stream_buffer",
        "if (!out_first)",
        "if (1'b1)",
    ),
    fault(
        "a cut stream has a length",
        "_stream_source",
        "(end_code != CUT_CODE) ? stored_length : 5'd0",
        "stored_length",
    ),
];

/// Every fault of N-tuple, by module.
pub const NTUPLE: &[Fault] = &[
    fault(
        "an exception at the longest length does not cut the stream",
        "_stream_detector",
        "& !branch_ends;",
        "& !branch_ends & !excepts;",
    ),
    fault(
        "a miss has an index",
        "_trace_output_controller",
        "cache_hit ? cache_index",
        "collects ? cache_index",
    ),
    fault("tuples of two", "_trace_output_controller", "count == 2'd2", "count == 2'd1"),
    fault(
        "a hit is sent like a miss",
        "_trace_output_controller",
        "misses = collects & !cache_hit",
        "misses = collects",
    ),
    fault(
        "the last index is the first",
        "_trace_output_controller",
        "tuple = {index, 8'd0}",
        "tuple = {8'd0, index}",
    ),
    fault(
        "an exception ends the tuple",
        "_trace_output_controller",
        "(broken & is_flush))",
        "broken)",
    ),
    fault(
        "a flush does not end the tuple",
        "_trace_output_controller",
        "clears = take & (completes | (broken & is_flush))",
        "clears = take & completes",
    ),
    fault(
        "the history learns a tuple again while it waits",
        "_trace_output_controller",
        "history_learn = take & completes",
        "history_learn = completes",
    ),
    fault(
        "the indices of a tuple are sent with its age",
        "_trace_output_controller",
        "sends_tuple = !(|history_age) & completes",
        "sends_tuple = completes",
    ),
    fault(
        "a flush sends too few indices",
        "_trace_output_controller",
        "pending_bits + 4'd4",
        "pending_bits + 4'd3",
    ),
    fault(
        "an exception is not sent",
        "_trace_output_controller",
        "record_valid = misses | completes | broken",
        "record_valid = misses | completes | (broken & is_flush)",
    ),
    fault(
        "all equal tuples count",
        "_tuple_history_buffer",
        "(|now) ? now & (~now + 7'd1)",
        "(|now) ? now",
    ),
    fault(
        "the newest tuple has no age",
        "_tuple_history_buffer",
        "newest & 7'd85",
        "newest & 7'd84",
    ),
    fault(
        "a column learns its neighbour's index",
        "_tuple_history_buffer",
        "{columns_1[23:0], tuple_index_1}",
        "{columns_1[23:0], tuple_index_0}",
    ),
    fault(
        "an index is not compared",
        "_tuple_history_buffer",
        "matching <= now",
        "matching <= so_far",
    ),
    fault(
        "a tuple begins where the one before was like none",
        "_tuple_history_buffer",
        "so_far = (|place) ? matching : 7'd127",
        "so_far = matching",
    ),
    fault(
        "the stream cache stores what an exception breaks off",
        "_encoder",
        "cache_update = take & source_is_whole",
        "cache_update = take",
    ),
    fault(
        "a cut leaves an instruction out",
        "_stream_detector",
        "total[4:0] + {4'd0, cut}",
        "total[4:0]",
    ),
    fault(
        "a block that goes beyond the longest stream cuts nothing",
        "_stream_detector",
        "cut = total[5] | is_longest",
        "cut = is_longest",
    ),
    fault(
        "a branch is cut off its stream",
        "_stream_detector",
        "is_longest = (&total[4:0]) & !branch_ends",
        "is_longest = &total[4:0]",
    ),
];
