//! Proofs about the serial encoder and the sequencer.

use super::Proof;
use super::prover::Method;
use crate::mutations::{Fault, fault};

const ENCODER_FAULTS: &[Fault] = &[
    fault(
        "a slot is sent again and again",
        "_serial_encoder",
        "sent <= sent | current",
        "sent <= current",
    ),
    fault("the piece before is kept", "_serial_encoder", "piece = 8'd0", "piece = 8'd128"),
];

const SEQUENCER_FAULTS: &[Fault] = &[
    fault(
        "a flush is forgotten",
        "_sequencer",
        "if (flush && !clearing)",
        "if (!flush && !clearing)",
    ),
    fault("blocks are taken while the tables are cleared", "_sequencer", "& !clearing", "& 1'b1"),
    fault(
        "a flush without a record",
        "_sequencer",
        "state <= STATE_RECORDING",
        "state <= STATE_DRAINING",
    ),
];

/// All of them.
pub fn all() -> Vec<Proof> {
    let encoder = |what, design, macros, is_quick| Proof {
        what,
        design,
        modules: &[("ENCODER", "serial_encoder")],
        harness: "serial_encoder.v",
        macros,
        views: &[("active", "ENCODER", "dut", "active")],
        method: Method::Pdr,
        faults: ENCODER_FAULTS,
        is_quick,
    };
    let sequencer = |what, design, is_quick| Proof {
        what,
        design,
        modules: &[("SEQUENCER", "sequencer")],
        harness: "sequencer.v",
        macros: &[("PATIENCE", "16")],
        views: &[],
        method: Method::Pdr,
        faults: SEQUENCER_FAULTS,
        is_quick,
    };
    vec![
        encoder(
            "serial encoder: zero above the piece's size, at most 8 bits, a record in fewer than 40 cycles",
            ("traptor-m4", &[]),
            &[("LIMIT", "40")],
            true,
        ),
        sequencer(
            "sequencer: tables are cleared before the first block; a flush makes one record, and ends",
            ("stream-rbase-32", &[]),
            true,
        ),
        sequencer(
            "the same, the index of the sweep being the instruction counter",
            ("traptor-m4", &[]),
            false,
        ),
    ]
}
