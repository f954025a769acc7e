//! Faults in what freezes a module while its clock is not enabled, and in memories in modules of their own.

use tracewright_sim::scheme::Design;

use super::packets;
use super::subject::Subject;
use super::texts::{Fault, fault};

/// Registers and memories of every kind: restarted, swept, and of packets.
pub fn subject() -> Subject {
    let mut design = Design::preset("traptor-m4").unwrap();
    for (name, value) in [
        ("framing", "packets"),
        ("sync_interval", "1024"),
        ("background_clearing", "true"),
        ("clock_enable", "true"),
        ("memories", "wrappers"),
    ] {
        design.set(name, value).unwrap();
    }
    Subject { design, programs: packets::programs() }
}

const ENABLED: &str = "else if (clock_enable) begin";
const ALWAYS: &str = "else begin";

/// Every fault, by module.
pub const FAULTS: &[Fault] = &[
    fault("the history of branches goes on", "_gshare", ENABLED, ALWAYS),
    fault("the last value goes on", "_last_value_predictor", ENABLED, ALWAYS),
    fault("the target buffer goes on", "_indirect_branch_target_buffer", ENABLED, ALWAYS),
    fault("the return address stack goes on", "_return_address_stack", ENABLED, ALWAYS),
    fault("the counters of records go on", "_record_former", ENABLED, ALWAYS),
    fault("the queue of records goes on", "_fifo_depth2", ENABLED, ALWAYS),
    fault("the encoder of records goes on", "_serial_encoder_slots9", ENABLED, ALWAYS),
    fault("the differences of targets go on", "_serial_difference", ENABLED, ALWAYS),
    fault("the framer goes on", "_framer", ENABLED, ALWAYS),
    fault("the stuffer goes on", "_stuffer", ENABLED, ALWAYS),
    fault("the packer of bits goes on", "_bit_packer", ENABLED, ALWAYS),
    fault("the synchroniser goes on", "_synchroniser", ENABLED, ALWAYS),
    fault("the trace port goes on", "_trace_port", ENABLED, ALWAYS),
    fault("the output FIFO goes on", "_fifo_depth10", ENABLED, ALWAYS),
    fault("counters are written", "_memory_512x3", "clock_enable && write_enable", "write_enable"),
    fault("a memory reads what it writes", "_memory_10x8", "[read_address]", "[write_address]"),
    fault("a memory is not written", "_memory_8x19", "<= write_data", "<= cells[write_address]"),
];
