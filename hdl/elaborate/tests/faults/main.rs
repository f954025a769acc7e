//! The faults that an input of the design switches on.

#![allow(clippy::unwrap_used)]

use tracewright_elaborate::prelude::*;
use tracewright_elaborate::{FaultKind, Options, Verilog, elaborate};

block! {
    /// Counts the cycles in which it is told to.
    pub Counter("counter") of (width: usize);
    parameters { width }

    in counts: 1;
    in clears: 1;
    out total: width;
    reg count: width;
}

#[kernel]
impl Logic for Counter {
    fn update(&mut self) {
        if clears {
            count.d = 0;
        } else if counts {
            count.d = count.q + 1;
        }
        total = count.q;
    }
}

block! {
    /// Two counters that are alike.
    pub Pair("pair") of ();
    parameters {}

    in counts: 2;
    in clears: 1;
    out total: 4;
    block first: Counter(4);
    block second: Counter(4);
}

#[kernel]
impl Logic for Pair {
    fn update(&mut self) {
        first.counts = counts.get_bit(0).into();
        second.counts = counts.get_bit(1).into();
        first.clears = clears;
        second.clears = clears;
        total = first.total + second.total;
    }
}

fn verilog(faults: bool) -> Verilog {
    elaborate(&Pair::new(), &Options { faults, ..Options::new("demo") }).unwrap()
}

#[test]
fn without_the_option_there_are_none() {
    let verilog = verilog(false);
    assert!(verilog.faults.is_empty());
    assert!(verilog.modules.iter().all(|module| !module.text.contains("fault")));
}

#[test]
fn every_module_has_the_input_and_its_own_numbers() {
    let verilog = verilog(true);
    assert_eq!(verilog.ports.last().map(|port| port.name.as_str()).unwrap(), "total");
    assert!(verilog.ports.iter().any(|port| port.name == "fault_select" && port.width == 20));
    let of = |module: &str| verilog.faults.iter().filter(|fault| fault.module == module).count();
    assert_eq!(of("demo_counter") + of("demo"), verilog.faults.len());
    let text = |module: &str| &verilog.module(module).unwrap().text;
    assert!(text("demo_counter").contains("wire [19:0] fault = fault_select - 20'd0;"));
    let before = format!("wire [19:0] fault = fault_select - 20'd{};", of("demo_counter"));
    assert!(text("demo").contains(&before), "{}", text("demo"));
    assert_eq!(text("demo").matches(".fault_select (fault_select)").count(), 2);
}

#[test]
fn faults_are_described_by_module_signal_kind_and_ordinal() {
    let verilog = verilog(true);
    let all: Vec<String> = verilog.faults.iter().map(ToString::to_string).collect();
    for fault in [
        "demo_counter count inverted 1",
        "demo_counter count swapped-arms 1",
        "demo_counter count off-by-one 2",
        "demo_counter count dropped 1",
        "demo total bit-inverted 1",
    ] {
        assert!(all.iter().any(|one| one == fault), "{fault}: {all:#?}");
    }
    // A sum has a width that somebody chose; what passes a signal on has no faults of its own.
    assert!(all.iter().any(|one| one == "demo total too-narrow 1"), "{all:#?}");
    assert!(!all.iter().any(|one| one.starts_with("demo_counter total")), "{all:#?}");
    let mut distinct = all.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), all.len());
    assert!(verilog.faults.iter().any(|fault| fault.kind == FaultKind::StuckAtZero));
}

#[test]
fn what_the_writer_adds_to_blocks_has_faults_of_its_own() {
    let options = Options { clock_enable: true, faults: true, ..Options::new("demo") };
    let verilog = elaborate(&Pair::new(), &options).unwrap();
    let all: Vec<String> = verilog.faults.iter().map(ToString::to_string).collect();
    for instance in ["first", "second"] {
        let fault = format!("demo {instance}_clock_enable stuck-at-1 1");
        let number = 1 + all.iter().position(|one| *one == fault).expect("a fault of the enable");
        let before = all.iter().filter(|one| one.starts_with("demo_counter")).count();
        let is_on = format!("(clock_enable) || (fault == 20'd{})", number - before);
        assert!(verilog.module("demo").unwrap().text.contains(&is_on), "{is_on}");
    }
}
