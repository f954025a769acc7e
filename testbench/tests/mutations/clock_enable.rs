//! Faults in what the writer of Verilog adds to blocks: the clock's enable, restarts, and the sweep of memories.

use super::bench::Bench;
use super::packets::{EVENTS, design, programs, varied_runs};

/// Registers and memories of every kind: restarted, swept, and of packets.
pub fn bench() -> Bench<'static> {
    let design = design(&[
        ("background_clearing", "true"),
        ("clock_enable", "true"),
        ("memories", "wrappers"),
    ]);
    let bench = Bench::of_design("clock-enable", design, varied_runs(&programs(EVENTS)));
    bench.only_signals(&["clock_enable", "restart_registers", "memory_read_data", "memory_word"])
}
