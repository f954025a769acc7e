//! Proofs about FIFOs.

use super::Proof;
use super::prover::Method;
use super::texts::{Fault, fault};

const VIEWS: &[(&str, &str, &str, &str)] = &[
    ("write_pointer", "FIFO", "dut", "write_pointer"),
    ("read_pointer", "FIFO", "dut", "read_pointer"),
    ("cells", "FIFO", "dut", "words_cells"),
    ("dut_held", "FIFO", "dut", "held"),
];

const FAULTS: &[Fault] = &[
    fault(
        "a put into a full FIFO",
        "_fifo_depth2_",
        "puts = in_valid & in_ready",
        "puts = in_valid",
    ),
    fault(
        "the fill bit follows the takes",
        "_fifo_depth2_",
        "is_filled <= puts",
        "is_filled <= takes",
    ),
];

const COUNTED_FAULTS: &[Fault] =
    &[fault("the count misses takes", "_fifo", "held <= held - ", "held <= held + ")];

const RESERVE_FAULTS: &[Fault] = &[fault(
    "no room for the last that comes late",
    "_fifo",
    "in_ready = held <",
    "in_ready = held <=",
)];

/// All of them.
pub fn all() -> Vec<Proof> {
    let fifo = |what, design, name, macros, faults, is_quick| Proof {
        what,
        design,
        system_memory: None,
        modules: name,
        harness: "fifo.v",
        macros,
        views: VIEWS,
        method: Method::Induction { cycles: 1 },
        faults,
        is_quick,
    };
    vec![
        fifo(
            "record queue, 2 records: order, no loss, no overflow",
            ("traptor-m4", &[]),
            &[("FIFO", "fifo_depth2_")],
            &[("DEPTH", "2"), ("RESERVE", "0")],
            FAULTS,
            true,
        ),
        fifo(
            "output FIFO, 10 words: the same",
            ("traptor-m4", &[]),
            &[("FIFO", "fifo_depth10_")],
            &[("DEPTH", "10"), ("RESERVE", "0")],
            COUNTED_FAULTS,
            true,
        ),
        fifo(
            "record queue, 2 records, and 4 that come late: the same",
            ("traptor-m4-fpga", &[]),
            &[("FIFO", "fifo_depth2_")],
            &[("DEPTH", "2"), ("RESERVE", "4")],
            RESERVE_FAULTS,
            false,
        ),
        fifo(
            "record queue, 8 records, and 6 that come late: the same",
            ("talon-m-fpga", &[]),
            &[("FIFO", "fifo_depth8_")],
            &[("DEPTH", "8"), ("RESERVE", "6")],
            RESERVE_FAULTS,
            false,
        ),
        fifo(
            "output FIFO, 32 words: the same",
            ("traptor-m4", &[("fifo_bits", "256")]),
            &[("FIFO", "fifo_depth32_")],
            &[("DEPTH", "32"), ("RESERVE", "0")],
            COUNTED_FAULTS,
            false,
        ),
    ]
}
