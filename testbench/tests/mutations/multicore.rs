//! Faults in what several cores share: order, threads, time stamps, flush.

use tracewright_sim::event::{Event, Isa, Machine};
use tracewright_sim::scheme::Design;
use tracewright_sim::synthetic::{Options, Synthetic};

use super::subject::Subject;
use super::texts::{Fault, fault};
use crate::straight_runs;

const MACHINE: Machine = Machine { isa: Isa::RiscV, alignment: 1, address_bits: 32 };

/// Three cores with counters so small that all of them overflow.
pub fn subject() -> Subject {
    let mut design = Design::preset("mctraptor-small-n4-timed").unwrap();
    design = design.for_machine(MACHINE).unwrap();
    for (name, value) in [
        ("cores", "3"),
        ("time_stamp_bits", "4"),
        ("branch_count_bits", "5"),
        ("instruction_count_bits", "9"),
        ("retire_count_bits", "8"),
        ("record_queue_depth", "3"),
    ] {
        design.set(name, value).unwrap();
    }
    let mut programs = [events(31), events(32)];
    // Straight runs bring two records in a cycle.
    let runs = straight_runs::straight_runs(530);
    programs[0]
        .extend(runs.into_iter().zip((0..3).cycle()).map(|(run, thread)| Event { thread, ..run }));
    Subject { design, programs }
}

fn events(seed: u64) -> Vec<Event> {
    let options = Options {
        machine: MACHINE,
        events: 6_000,
        functions: 24,
        predicated: true,
        exceptions: true,
        branch_every_instruction: false,
        predictability: 92,
        code_base: 0x000f_0000,
        code_span: 1 << 21,
        threads: 3,
        uneven: true,
        ..Options::from_seed(seed)
    };
    Synthetic::new(options).unwrap().collect()
}

/// Every fault, by module.
pub const FAULTS: &[Fault] = &[
    fault(
        "of two cores in a cycle the later one goes first",
        "_merge",
        "= pending & (~pending + 3'd1)",
        "= pending[2] ? 3'd4 : pending[1] ? 3'd2 : pending",
    ),
    fault("a core is done when another one is", "_merge", "done <= done | current", "done <= 3'd7"),
    fault("what is done is not remembered", "_merge", "done <= done | current", "done <= done"),
    fault(
        "done cores are remembered for the next clock",
        "_merge",
        "done <= 3'd0;\n                end",
        "done <= current;\n                end",
    ),
    fault(
        "a clock's cores are forgotten after the first",
        "_merge",
        "record_ready & (pending == current)",
        "record_ready",
    ),
    fault("the order is that of core 1 alone", "_merge", "= |arrived", "= arrived[1]"),
    fault(
        "core 2's records are called core 1's",
        "_merge",
        "thread = current[2] ? 2'd2",
        "thread = current[2] ? 2'd1",
    ),
    fault(
        "core 1's word is core 0's",
        "_merge",
        "current[1] ? queues_1_out_word",
        "current[1] ? queues_0_out_word",
    ),
    fault(
        "core 1's queue is never taken from",
        "_merge",
        "queues_1_out_ready = current[1] & (record_valid & record_ready)",
        "queues_1_out_ready = 1'b0",
    ),
    fault("every core's flush fills the trace up", "_merge", "& current[2];", "| 1'b0;"),
    fault("the first core's flush fills the trace up", "_merge", "& current[2];", "& current[0];"),
    fault(
        "a second record of a clock says the clocks again",
        "_merge",
        "has_rest & goes_first, has_rest & !goes_first",
        "1'b0, has_rest",
    ),
    fault("a record that goes first has no thread", "_merge", "goes_first, pads}", "1'b0, pads}"),
    fault(
        "a full clock counter makes a record beside another",
        "_time_stamps",
        "is_full & !record",
        "is_full",
    ),
    fault(
        "a stalled core's counter overflows",
        "_time_stamps",
        "tracing & ready & is_full",
        "tracing & is_full",
    ),
    fault(
        "a full clock counter makes no record",
        "_time_stamps",
        "tracing & ready & is_full",
        "1'b0 & is_full",
    ),
    fault(
        "a full clock counter starts over while the core is stalled",
        "_time_stamps",
        "else if (tracing && !is_full)",
        "else if (tracing)",
    ),
    fault(
        "the clock of a record counts twice",
        "_time_stamps",
        "count <= {3'd0, tracing}",
        "count <= {2'd0, tracing, 1'b0}",
    ),
    fault(
        "the clock of a record does not count",
        "_time_stamps",
        "count <= {3'd0, tracing}",
        "count <= 4'd0",
    ),
    fault(
        "time goes on while a flush is under way",
        "_time_stamps",
        "else if (tracing && !is_full)",
        "else if (!is_full)",
    ),
    fault(
        "core 1 loses a record when core 0 is stalled",
        ".v",
        "retire_decoders_1_take = !stall_1",
        "retire_decoders_1_take = !stall_1 & !stall_0",
    ),
    fault(
        "core 2 retires although it is stalled",
        ".v",
        "retire_decoders_2_take = !stall_2",
        "retire_decoders_2_take = 1'b1",
    ),
    fault(
        "a core's time overflow is lost",
        ".v",
        "encoders_2_record_valid | time_stamps_2_overflow",
        "encoders_2_record_valid",
    ),
    fault(
        "core 1 does not flush",
        ".v",
        "assign encoders_1_flush = sequencer_record_flush & all_ready",
        "assign encoders_1_flush = 1'b0",
    ),
];
