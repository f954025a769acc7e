//! Registers and memories that change only while the clock is enabled.

use crate::bench;
use crate::harness::{Judge, compare_as, lint};
use tracewright_elaborate::prelude::*;
use tracewright_elaborate::{Memories, Options, Reset, elaborate};

block! {
    /// A register with a reset, one without, and a memory.
    Part("part") of ();
    in data: 4;
    in write: 1;
    out sum: 4;
    reg held: 4 = 3;
    reg plain: 4 = undefined;
    reg is_known: 1;
    /// It holds its value from the reset on.
    reg fixed: 4 = 9;
    memory entries: [4; 8] { cleared: 5 };
    reg counter: 3;
}

#[kernel]
impl Logic for Part {
    fn update(&mut self) {
        held.d = data;
        plain.d = data;
        is_known.d = 1;
        counter.d = counter.q + 1;
        entries.read_address = counter.q;
        entries.write_enable = write;
        entries.write_address = counter.q;
        entries.write_data = data;
        sum = held.q ^ fixed.q;
        if is_known.q {
            sum = held.q ^ fixed.q ^ plain.q;
        }
    }
}

block! {
    /// Registers that are restarted and memories that are swept.
    Whole("whole") of ();
    in restart_registers: 1;
    in memory_sweep: 5;
    in data: 4;
    in write: 1;
    out sum: 4;
    block part: Part();
}

#[kernel]
impl Logic for Whole {
    fn update(&mut self) {
        part = Part { data, write };
        sum = part.sum;
    }
}

block! {
    /// One register of each kind, without and with a condition.
    Plain("plain") of ();
    in data: 4;
    in load: 1;
    out sum: 4;
    reg held: 4 = 3;
    reg loaded: 4;
    reg fixed: 4 = 9;
    block inner: Part();
}

#[kernel]
impl Logic for Plain {
    fn update(&mut self) {
        held.d = data;
        if load {
            loaded.d = data;
        }
        inner = Part { data, write: load };
        sum = held.q + loaded.q + fixed.q + inner.sum;
    }
}

bench!(Plain, [data, load], [sum]);

block! {
    /// A register that nothing writes needs no enable.
    Still("still") of ();
    out value: 4;
    reg fixed: 4 = 9;
}

#[kernel]
impl Logic for Still {
    fn update(&mut self) {
        value = fixed.q;
    }
}

bench!(Still, [], [value]);

fn options(reset: Reset, memories: Memories) -> Options {
    Options { reset, memories, clock_enable: true, ..Options::new("dut_top") }
}

#[test]
fn nothing_changes_while_the_clock_is_not_enabled() {
    for reset in [Reset::Synchronous, Reset::AsynchronousActiveLow] {
        for memories in [Memories::Inferred, Memories::Wrappers] {
            compare_as(Judge::Icarus, Plain::new(), options(reset, memories), 400, "");
        }
        compare_as(Judge::Icarus, Still::new(), options(reset, Memories::Inferred), 40, "");
    }
}

#[test]
fn restarts_and_sweeps_wait_for_the_clock() {
    for (reset, restart) in [
        (Reset::Synchronous, "if (reset || (clock_enable && restart_registers)) begin"),
        (Reset::AsynchronousActiveLow, "end else if (clock_enable && restart_registers) begin"),
    ] {
        let verilog = elaborate(&Whole::new(), &options(reset, Memories::Inferred)).unwrap();
        lint(&verilog);
        let text = &verilog.modules[0].text;
        for expected in [
            restart,
            "end else if (clock_enable) begin",
            "if (clock_enable && (sweep_comes_to_entries ? ",
        ] {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
        let wrapped = elaborate(&Whole::new(), &options(reset, Memories::Wrappers)).unwrap();
        lint(&wrapped);
        let text = &wrapped.modules[1].text;
        assert!(text.contains("dut_top_memory_8x5 entries_cells ("), "{text}");
        assert!(text.contains(".read_address  (sweep_comes_to_entries ? "), "{text}");
    }
}
