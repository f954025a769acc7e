//! Proofs about whole designs.

use super::Proof;
use super::prover::Method;
use super::texts::{Fault, fault};

/// The smallest back end, so that it is often full.
const SMALLEST: [(&str, &str); 3] =
    [("fifo_bits", "8"), ("record_queue_depth", "1"), ("retire_count_bits", "1")];

/// T-raptor without tables.
const TRAPTOR: &[(&str, &str)] = &[
    SMALLEST[0],
    SMALLEST[1],
    SMALLEST[2],
    ("gshare_entries", "1"),
    ("return_address_stack_depth", "0"),
    ("indirect_branch_target_buffer_entries", "0"),
    ("branch_count_bits", "2"),
    ("instruction_count_bits", "8"),
];

/// The same with an encoder that sends a record per cycle.
const PARALLEL: &[(&str, &str)] = &[
    SMALLEST[1],
    SMALLEST[2],
    ("gshare_entries", "1"),
    ("return_address_stack_depth", "0"),
    ("indirect_branch_target_buffer_entries", "0"),
    ("branch_count_bits", "2"),
    ("instruction_count_bits", "8"),
    ("trace_port_width", "16"),
    ("fifo_bits", "16"),
];

const STREAMS: &[(&str, &str)] =
    &[SMALLEST[0], SMALLEST[1], SMALLEST[2], ("stream_cache_entries", "4")];

const TUPLES: &[(&str, &str)] = &[
    SMALLEST[0],
    SMALLEST[1],
    SMALLEST[2],
    ("stream_cache_entries", "4"),
    ("tuple_history_entries", "3"),
    ("tuple_length", "2"),
];

const FAULTS: &[Fault] = &[
    fault(
        "blocks are taken while the flush is recorded",
        "_sequencer",
        "state == STATE_TRACING",
        "state <= STATE_RECORDING",
    ),
    fault(
        "flushed before the module is empty",
        "_sequencer",
        "if (is_empty) begin",
        "if (1'b1) begin",
    ),
    fault(
        "a beat is over although it is not taken",
        "_trace_port",
        "if (word_valid && trace_ready)",
        "if (word_valid)",
    ),
];

/// With a port as wide as a word there are no beats.
const WIDE_FAULTS: &[Fault] = &[FAULTS[0], FAULTS[1]];

/// All of them.
pub fn all() -> Vec<Proof> {
    let design = |what, design, macros, faults, is_quick| Proof {
        what,
        design,
        system_memory: None,
        modules: &[("TOP", ""), ("SEQUENCER", "sequencer")],
        harness: "design.v",
        macros,
        views: &[("clearing", "SEQUENCER", "dut.sequencer", "clearing")],
        method: Method::Pdr,
        faults,
        is_quick,
    };
    const SERIAL: &[(&str, &str)] = &[("STALL", "stall"), ("BEATS", "8")];
    const WIDE: &[(&str, &str)] = &[("STALL", "stall"), ("BEATS", "1")];
    const CORES: &[(&str, &str)] = &[("STALL", "stall_0"), ("BEATS", "8")];
    vec![
        design("T-raptor: beats, flush, blocks", ("traptor-m4", TRAPTOR), SERIAL, FAULTS, true),
        design("with the parallel encoder", ("traptor-m4", PARALLEL), WIDE, WIDE_FAULTS, false),
        design("with registers", ("traptor-m4-fpga", TRAPTOR), SERIAL, FAULTS, false),
        design("rBASE", ("stream-rbase-32", STREAMS), SERIAL, FAULTS, false),
        design("N-tuple", ("ntuple-32x4", TUPLES), SERIAL, FAULTS, false),
        design("Nexus-like", ("nexs", &SMALLEST), CORES, FAULTS, true),
        design("a module for several cores", ("mctraptor-small-n1", TRAPTOR), CORES, FAULTS, false),
    ]
}
