//! Proofs about packets.

use super::Proof;
use super::prover::Method;
use super::texts::{Fault, fault};

const SERIAL: &[(&str, &str)] = &[("framing", "packets"), ("checksum_bits", "8")];

const DROPS: &[(&str, &str)] =
    &[("framing", "packets"), ("checksum_bits", "8"), ("when_full", "drop")];

const DROPS_AND_KEEPS: &[(&str, &str)] = &[
    ("framing", "packets"),
    ("checksum_bits", "8"),
    ("when_full", "drop"),
    ("sync_keeps_tables", "true"),
];

const DROPS_IN_BACKGROUND: &[(&str, &str)] = &[
    ("framing", "packets"),
    ("checksum_bits", "8"),
    ("when_full", "drop"),
    ("background_clearing", "true"),
];

const FAULTS: &[Fault] = &[
    fault("no zero is stuffed", "_stuffer", "assign stuffs = ", "assign stuffs = 1'b0 & "),
    fault("a zero is stuffed a one too early", "_stuffer", "allowed = 4'd15", "allowed = 4'd14"),
    fault("a stuffed zero does not end a run", "_stuffer", "start = left", "start = 4'd0"),
    fault("a marker has a one too few", "_framer", "10'd63", "10'd31"),
    fault("a packet follows an end", "_framer", "if (header_is_end)", "if (1'b0)"),
    fault(
        "a piece of the marker is sent again",
        "_framer",
        "if (piece_ready) begin",
        "if (1'b1) begin",
    ),
    fault(
        "a packet ends before its last piece is taken",
        "_framer",
        "sends && payload_last",
        "payload_valid && payload_last",
    ),
];

const SYNCHRONISER_FAULTS: &[Fault] = &[
    fault(
        "a block is not counted",
        "_synchroniser",
        "is_lost = is_shown & !retire_valid",
        "is_lost = is_shown & !retire_valid & !is_off",
    ),
    fault(
        "blocks are taken before the packet after a loss",
        "_synchroniser",
        "& !is_losing",
        "& 1'b1",
    ),
    fault(
        "the count begins where it ended",
        "_synchroniser",
        "is_losing ? {1'b0, lost}",
        "1'b1 ? {1'b0, lost}",
    ),
    fault(
        "the address of a block that is lost is not kept",
        "_synchroniser",
        "!is_shown ? address",
        "!retire_valid ? address",
    ),
    fault(
        "a loss does not end with the trace",
        "_synchroniser",
        "is_restarted & (trace_ends | ",
        "is_restarted & (",
    ),
    fault(
        "a header is replaced before it is taken",
        "_synchroniser",
        "if (header_ready) begin",
        "if (1'b1) begin",
    ),
];

/// All of them.
pub fn all() -> Vec<Proof> {
    let framer = |what, design, macros, faults, is_quick| Proof {
        what,
        design,
        system_memory: None,
        modules: &[("FRAMER", "framer")],
        harness: "framer.v",
        macros,
        views: &[
            ("header_piece", "FRAMER", "dut", "header_encoder_piece"),
            ("header_piece_bits", "FRAMER", "dut", "header_encoder_piece_bits"),
        ],
        method: Method::Pdr,
        faults,
        is_quick,
    };
    let synchroniser = |what, design, is_quick| Proof {
        what,
        design,
        system_memory: None,
        modules: &[("SYNC", "synchroniser")],
        harness: "synchroniser.v",
        macros: &[
            ("PATIENCE", "4"),
            ("LIMIT", "28"),
            ("CHECKSUM_BITS", "8"),
            ("NUMBER_BITS", "8"),
            ("ALIGNMENT", "2"),
        ],
        views: &[],
        method: Method::Pdr,
        faults: SYNCHRONISER_FAULTS,
        is_quick,
    };
    vec![
        framer(
            "framer: markers where a packet begins and nowhere else, packets whole but for stuffed zeros",
            ("traptor-m4", SERIAL),
            &[("MARKER_ONES", "16"), ("LIMIT", "12")],
            FAULTS,
            true,
        ),
        framer(
            "the same, of a scheme whose records are in pieces of another size",
            ("talon-m", SERIAL),
            &[("MARKER_ONES", "16"), ("LIMIT", "12")],
            FAULTS,
            false,
        ),
        synchroniser(
            "synchroniser: every block taken or counted, losses told before blocks are taken, a trace ends in fewer than 28 cycles",
            ("traptor-m4", DROPS),
            true,
        ),
        synchroniser("the same with kept tables", ("traptor-m4", DROPS_AND_KEEPS), false),
        synchroniser(
            "the same with tables cleared in the background",
            ("traptor-m4", DROPS_IN_BACKGROUND),
            true,
        ),
    ]
}
