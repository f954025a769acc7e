//! Proofs about FIFOs, and the way of the bits from the packer to the port.

use super::Proof;
use super::prover::Method;
use crate::mutations::{Fault, fault};

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

const PACKER_FAULTS: &[Fault] = &[
    fault(
        "the last piece is not filled up",
        "_bit_packer",
        "padding <= piece_last",
        "padding <= 1'b0",
    ),
    fault(
        "a beat is over although it is not taken",
        "_trace_port",
        "if (word_valid && trace_ready)",
        "if (word_valid)",
    ),
    fault(
        "pieces come while the word is filled up",
        "_bit_packer",
        "word_ready & !padding",
        "word_ready",
    ),
];

const PACKER_VIEWS: &[(&str, &str, &str, &str)] = &[
    ("at", "PORT", "port", "beat"),
    ("held", "PACKER", "packer", "held"),
    ("held_bits", "PACKER", "packer", "held_bits"),
    ("is_padding", "PACKER", "packer", "padding"),
    ("write_pointer", "FIFO", "fifo", "write_pointer"),
    ("read_pointer", "FIFO", "fifo", "read_pointer"),
    ("cells", "FIFO", "fifo", "words_cells"),
];

/// All of them.
pub fn all() -> Vec<Proof> {
    let fifo = |what, design, name, macros, faults, is_quick| Proof {
        what,
        design,
        modules: name,
        harness: "fifo.v",
        macros,
        views: VIEWS,
        method: Method::Induction { cycles: 1 },
        faults,
        is_quick,
    };
    let packer = |what, design, modules, macros, is_quick| Proof {
        what,
        design,
        modules,
        harness: "pieces_to_beats.v",
        macros,
        views: PACKER_VIEWS,
        method: Method::Induction { cycles: 1 },
        faults: PACKER_FAULTS,
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
            true,
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
        packer(
            "bit packer, output FIFO and trace port: every bit once, in order, zeros at the end, beats stay",
            ("traptor-m4", &[("fifo_bits", "16")]),
            &[("PACKER", "bit_packer"), ("FIFO", "fifo_width8_"), ("PORT", "trace_port")],
            &[("DEPTH", "2")],
            true,
        ),
        packer(
            "the same",
            ("traptor-m4", &[]),
            &[("PACKER", "bit_packer"), ("FIFO", "fifo_depth10_"), ("PORT", "trace_port")],
            &[("DEPTH", "10")],
            false,
        ),
    ]
}
