//! Proofs about the sink that writes to the memory of the system.

use tracewright_sim::system_memory_sink::Bus;

use super::Proof;
use super::prover::Method;
use super::texts::{Fault, fault};

const FAULTS: &[Fault] = &[
    fault(
        "a burst begins before the ring",
        ".v",
        "(writes_at < start) | (limit < writes_at)",
        "limit < writes_at",
    ),
    fault(
        "a burst goes on after the ring",
        ".v",
        "is_near_end ? limit[1:0] - place : ~place",
        "~place",
    ),
    fault(
        "a reset changes the address of a burst",
        ".v",
        "if (resets && !is_writing)",
        "if (resets)",
    ),
    fault(
        "the write pointer is written during a burst",
        ".v",
        "if (is_empty) begin",
        "if (!enable) begin",
    ),
];

const VIEWS: &[(&str, &str, &str, &str)] = &[
    ("is_writing", "SINK", "dut", "is_writing"),
    ("checks", "SINK", "dut", "checks"),
    ("drops", "SINK", "dut", "drops"),
    ("fifo_valid", "SINK", "dut", "waiting_out_valid"),
    ("beats_left", "SINK", "dut", "beats_left"),
    ("held", "FIFO", "dut.waiting", "held"),
];

/// All of them.
pub fn all() -> Vec<Proof> {
    vec![Proof {
        what: "RAM sink with system memory, bursts of four words: bursts in the ring and in 4 KiB, each whole, one at a time",
        design: ("traptor-m4", &[("trace_port_width", "32")]),
        system_memory: Some(Bus { address_bits: 32, data_bits: 32, burst_beats: 4 }),
        modules: &[("SINK", "system_memory_sink ("), ("FIFO", "system_memory_sink_fifo")],
        harness: "system_memory_sink.v",
        macros: &[("BURST", "4"), ("DEPTH", "8")],
        views: VIEWS,
        method: Method::Induction { cycles: 2 },
        faults: FAULTS,
        is_quick: true,
    }]
}
