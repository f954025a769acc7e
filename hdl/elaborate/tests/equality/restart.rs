//! Registers that an input of their block, or of one around it, restarts.

use tracewright_elaborate::prelude::*;
use tracewright_elaborate::{Options, Reset, elaborate};

block! {
    /// A register with a reset and one without.
    Inner("inner") of ();
    in data: 4;
    out sum: 4;
    reg held: 4 = 3;
    reg plain: 4 = undefined;
}

#[kernel]
impl Logic for Inner {
    fn update(&mut self) {
        held.d = data;
        plain.d = data;
        sum = held.q + plain.q;
    }
}

block! {
    /// One block that is restarted.
    Restarted("restarted") of ();
    in restart_registers: 1;
    in data: 4;
    out sum: 4;
    block inner: Inner();
}

#[kernel]
impl Logic for Restarted {
    fn update(&mut self) {
        inner.data = data;
        sum = inner.sum;
    }
}

block! {
    /// The same block restarted and not.
    Outer("outer") of ();
    in again: 1;
    in data: 4;
    out sums: 4;
    block restarted: Restarted();
    block steady: Inner();
}

#[kernel]
impl Logic for Outer {
    fn update(&mut self) {
        restarted = Restarted { restart_registers: again, data };
        steady.data = data;
        sums = restarted.sum ^ steady.sum;
    }
}

/// The module's text.
fn module(reset: Reset, name: &str) -> String {
    let verilog = elaborate(&Outer::new(), &Options { reset, ..Options::new("top") }).unwrap();
    verilog.module(name).unwrap().text.clone()
}

#[test]
fn a_restart_is_a_synchronous_reset() {
    let restarted = "top_inner_restart_registers1";
    for (reset, expected) in [
        (
            Reset::Synchronous,
            "    always @(posedge clock) begin
        if (reset || restart_registers) begin
            held <= 4'd3;
        end else begin
            held <= data;
        end
    end
",
        ),
        (
            Reset::AsynchronousActiveLow,
            "    always @(posedge clock or negedge reset_n) begin
        if (!reset_n) begin
            held <= 4'd3;
        end else if (restart_registers) begin
            held <= 4'd3;
        end else begin
            held <= data;
        end
    end
",
        ),
    ] {
        let text = module(reset, restarted);
        assert!(text.contains(expected), "{text}");
        assert!(text.contains("plain <= data;"), "{text}");
        assert!(!module(reset, "top_inner").contains("restart_registers"));
        assert!(module(reset, "top_restarted").contains(".restart_registers (restart_registers)"));
    }
}
