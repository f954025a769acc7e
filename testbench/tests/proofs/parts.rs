//! Proofs about the serial encoder, the way of its bits to the pins, and the sequencer.

use super::Proof;
use super::prover::Method;
use super::texts::{Fault, fault};

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
    [encoders(), packers(), sequencers()].into_iter().flatten().collect()
}

fn encoders() -> Vec<Proof> {
    let encoder = |what, design, macros, is_quick| Proof {
        what,
        design,
        system_memory: None,
        modules: &[("ENCODER", "serial_encoder")],
        harness: "serial_encoder.v",
        macros,
        views: &[("active", "ENCODER", "dut", "active")],
        method: Method::Pdr,
        faults: ENCODER_FAULTS,
        is_quick,
    };
    vec![encoder(
        "serial encoder: zero above the piece's size, at most 8 bits, a record in fewer than 40 cycles",
        ("traptor-m4", &[]),
        &[("LIMIT", "40")],
        true,
    )]
}

fn packers() -> Vec<Proof> {
    let packer = |what, design, modules, macros, is_quick| Proof {
        what,
        design,
        system_memory: None,
        modules,
        harness: "pieces_to_beats.v",
        macros,
        views: PACKER_VIEWS,
        method: Method::Induction { cycles: 1 },
        faults: PACKER_FAULTS,
        is_quick,
    };
    vec![
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

fn sequencers() -> Vec<Proof> {
    let sequencer = |what, design, is_quick| Proof {
        what,
        design,
        system_memory: None,
        modules: &[("SEQUENCER", "sequencer")],
        harness: "sequencer.v",
        macros: &[("PATIENCE", "16")],
        views: &[],
        method: Method::Pdr,
        faults: SEQUENCER_FAULTS,
        is_quick,
    };
    vec![
        sequencer(
            "sequencer: tables are cleared before the first block; a flush makes one record, and ends",
            ("stream-rbase-32", &[]),
            true,
        ),
        sequencer(
            "the same, the index of the sweep being the instruction counter",
            (
                "traptor-m4",
                &[("gshare_entries", "16"), ("indirect_branch_target_buffer_entries", "16")],
            ),
            true,
        ),
    ]
}
