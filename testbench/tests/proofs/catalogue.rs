//! The list of proofs.

use super::Proof;
use super::prover::Method;
use crate::mutations::{Fault, fault};

/// All proofs, in the order of the page.
pub fn all() -> Vec<Proof> {
    let mut proofs = fifos();
    proofs.shrink_to_fit();
    proofs
}

const OF_FIFO: &[(&str, &str, &str, &str)] = &[
    ("write_pointer", "FIFO", "dut", "write_pointer"),
    ("read_pointer", "FIFO", "dut", "read_pointer"),
    ("cells", "FIFO", "dut", "words_cells"),
    ("dut_held", "FIFO", "dut", "held"),
];

const QUEUE_FAULTS: &[Fault] = &[
    fault("a put into a full FIFO", "_fifo", "puts = in_valid & in_ready", "puts = in_valid"),
    fault("the fill bit follows the takes", "_fifo", "is_filled <= puts", "is_filled <= takes"),
];

const COUNTED_FAULTS: &[Fault] = &[
    fault("the count misses takes", "_fifo", "held <= held - ", "held <= held + "),
    fault(
        "a put where the oldest word is",
        "_fifo",
        "words_cells[write_pointer] <=",
        "words_cells[read_pointer] <=",
    ),
];

fn fifos() -> Vec<Proof> {
    let fifo = |what, design, modules, macros, faults, is_quick| Proof {
        what,
        design,
        modules,
        harness: "fifo.v",
        macros,
        views: OF_FIFO,
        method: Method::Induction { cycles: 1 },
        faults,
        is_quick,
    };
    vec![
        fifo(
            "record queue of 2 records: order, nothing lost, no overflow",
            ("traptor-m4", &[]),
            &[("FIFO", "fifo_depth2_")],
            &[("DEPTH", "2"), ("RESERVE", "0")],
            QUEUE_FAULTS,
            true,
        ),
        fifo(
            "output FIFO of 10 words: order, nothing lost, no overflow",
            ("traptor-m4", &[]),
            &[("FIFO", "fifo_depth10_")],
            &[("DEPTH", "10"), ("RESERVE", "0")],
            COUNTED_FAULTS,
            true,
        ),
        fifo(
            "output FIFO of 32 words: order, nothing lost, no overflow",
            ("traptor-m4", &[("fifo_bits", "256")]),
            &[("FIFO", "fifo_depth32_")],
            &[("DEPTH", "32"), ("RESERVE", "0")],
            COUNTED_FAULTS,
            false,
        ),
    ]
}

/// The page of all proofs.
pub fn page(rows: &[&str]) -> String {
    format!(
        "# Proofs\n\nWritten by `make prove`; [proofs.md](proofs.md) says what is proven and how.\n\n\
         | proven | of | method | seconds | faults refuted | in `make test` |\n|---|---|---|---|---|---|\n{}\n",
        rows.join("\n")
    )
}
