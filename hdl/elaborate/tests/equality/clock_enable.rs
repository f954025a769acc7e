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

impl Logic for Part {
    #[hdl_gen]
    fn update(&mut self) {
        self.held.d.next = self.data.val();
        self.plain.d.next = self.data.val();
        self.is_known.d.next = 1.into();
        self.counter.d.next = self.counter.q.val() + 1;
        self.entries.read_address.next = self.counter.q.val();
        self.entries.write_enable.next = self.write.val();
        self.entries.write_address.next = self.counter.q.val();
        self.entries.write_data.next = self.data.val();
        self.sum.next = self.held.q.val() ^ self.fixed.q.val();
        if self.is_known.q.val().any() {
            self.sum.next = self.held.q.val() ^ self.fixed.q.val() ^ self.plain.q.val();
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

impl Logic for Whole {
    #[hdl_gen]
    fn update(&mut self) {
        self.part.data.next = self.data.val();
        self.part.write.next = self.write.val();
        self.sum.next = self.part.sum.val();
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

impl Logic for Plain {
    #[hdl_gen]
    fn update(&mut self) {
        self.held.d.next = self.data.val();
        if self.load.val().any() {
            self.loaded.d.next = self.data.val();
        }
        self.inner.data.next = self.data.val();
        self.inner.write.next = self.load.val();
        self.sum.next =
            self.held.q.val() + self.loaded.q.val() + self.fixed.q.val() + self.inner.sum.val();
    }
}

bench!(Plain, [data, load], [sum]);

block! {
    /// A register that nothing writes needs no enable.
    Still("still") of ();
    out value: 4;
    reg fixed: 4 = 9;
}

impl Logic for Still {
    #[hdl_gen]
    fn update(&mut self) {
        self.value.next = self.fixed.q.val();
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
