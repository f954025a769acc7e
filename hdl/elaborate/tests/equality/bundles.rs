//! Bundles of ports that are connected whole.

use crate::harness::{Bench, compare};
use tracewright_elaborate::prelude::*;

bundle! {
    /// Words with a handshake; `word` carries the bundle's own name.
    Stream of (bits: usize);
    forward valid: 1;
    /// held until it is ready
    forward word: bits;
    backward ready: 1;
}

block! {
    /// A register between two streams; a word goes on a cycle after it came.
    Slot("slot") of (bits: usize);
    parameters { bits }

    in source: Stream(bits);
    out sink: Stream(bits);
    reg full: 1;
    reg stored: bits;
}

#[kernel]
impl Logic for Slot {
    fn update(&mut self) {
        source.ready = !full.q | sink.ready;
        sink = Stream { valid: full.q, word: stored.q };
        if source.ready {
            full.d = source.valid;
            stored.d = source.word;
        }
    }
}

/// The ports of blocks that take one stream and give one.
macro_rules! one_stream {
    ($block:ident) => {
        impl Bench for $block {
            fn inputs(&mut self) -> Vec<(String, usize, &mut Word)> {
                let (source, sink) = (&mut self.source, &mut self.sink);
                vec![
                    ("source_valid".into(), 1, &mut source.valid.next),
                    ("source".into(), source.word.width(), &mut source.word.next),
                    ("sink_ready".into(), 1, &mut sink.ready.next),
                ]
            }

            fn outputs(&self) -> Vec<(String, Word)> {
                vec![
                    ("source_ready".into(), self.source.ready.val()),
                    ("sink_valid".into(), self.sink.valid.val()),
                    ("sink".into(), self.sink.word.val()),
                ]
            }
        }
    };
}

one_stream!(Slot);

#[test]
fn members_of_a_bundle_are_ports() {
    let verilog = compare(Slot::new(8));
    let names: Vec<&str> = verilog.ports.iter().map(|port| port.name.as_str()).collect();
    let members = ["source_valid", "source", "source_ready", "sink_valid", "sink", "sink_ready"];
    assert_eq!(names, [&["clock", "reset"], members.as_slice()].concat());
    let text = &verilog.modules[0].text;
    assert!(text.contains("    input  wire [7:0] source, // held until it is ready\n"), "{text}");
}

block! {
    /// Two slots in a row: pins to a sub-block, that to another, and that to pins.
    Chain("chain") of (bits: usize);
    parameters { bits }

    in source: Stream(bits);
    out sink: Stream(bits);
    block first: Slot(bits);
    block second: Slot(bits);
}

#[kernel]
impl Logic for Chain {
    fn update(&mut self) {
        join(source, first.source);
        join(first.sink, second.source);
        join(second.sink, sink);
    }
}

one_stream!(Chain);

#[test]
fn bundles_are_connected_whole() {
    for bits in [0, 1, 8, 65] {
        compare(Chain::new(bits));
    }
}

block! {
    /// A stream that is held back while it is closed, by way of a local bundle.
    Gate("gate") of (bits: usize);
    parameters { bits }

    in open: 1;
    in source: Stream(bits);
    out sink: Stream(bits);
    local passed: Stream(bits);
    block slot: Slot(bits);
}

#[kernel]
impl Logic for Gate {
    fn update(&mut self) {
        passed = Stream { valid: source.valid & open, word: source.word };
        join(passed, slot.source);
        source.ready = slot.source.ready & open;
        join(slot.sink, sink);
    }
}

impl Bench for Gate {
    fn inputs(&mut self) -> Vec<(String, usize, &mut Word)> {
        let (source, sink) = (&mut self.source, &mut self.sink);
        vec![
            ("open".into(), 1, &mut self.open.next),
            ("source_valid".into(), 1, &mut source.valid.next),
            ("source".into(), source.word.width(), &mut source.word.next),
            ("sink_ready".into(), 1, &mut sink.ready.next),
        ]
    }

    fn outputs(&self) -> Vec<(String, Word)> {
        vec![
            ("source_ready".into(), self.source.ready.val()),
            ("sink_valid".into(), self.sink.valid.val()),
            ("sink".into(), self.sink.word.val()),
        ]
    }
}

#[test]
fn a_local_bundle() {
    compare(Gate::new(8));
}

block! {
    /// Slots in a row, with a local bundle between each and the next.
    Row("row") of (count: usize, bits: usize);
    parameters { count, bits }

    in source: Stream(bits);
    out sink: Stream(bits);
    local between: Stream(bits) for _ in 0..count + 1;
    block slots: Slot(bits) for _ in 0..count;
}

#[kernel]
impl Logic for Row {
    fn update(&mut self) {
        join(source, between[0]);
        for i in 0..slots.len() {
            join(between[i], slots[i].source);
            join(slots[i].sink, between[i + 1]);
        }
        for i in slots.len()..between.len() {
            join(between[i], sink);
        }
    }
}

one_stream!(Row);

#[test]
fn bundles_in_a_row() {
    for count in [0, 1, 3] {
        compare(Row::new(count, 5));
    }
}

block! {
    /// Slots beside each other, each between its own pins.
    Lanes("lanes") of (count: usize, bits: usize);
    parameters { count, bits }

    in sources: Stream(bits) for _ in 0..count;
    out sinks: Stream(bits) for _ in 0..count;
    block slots: Slot(bits) for _ in 0..count;
}

#[kernel]
impl Logic for Lanes {
    fn update(&mut self) {
        for i in 0..slots.len() {
            join(sources[i], slots[i].source);
            join(slots[i].sink, sinks[i]);
        }
    }
}

impl Bench for Lanes {
    fn inputs(&mut self) -> Vec<(String, usize, &mut Word)> {
        let mut found = Vec::new();
        for (index, source) in self.sources.iter_mut().enumerate() {
            found.push((format!("sources_valid_{index}"), 1, &mut source.valid.next));
            found.push((format!("sources_{index}"), source.word.width(), &mut source.word.next));
        }
        for (index, sink) in self.sinks.iter_mut().enumerate() {
            found.push((format!("sinks_ready_{index}"), 1, &mut sink.ready.next));
        }
        found
    }

    fn outputs(&self) -> Vec<(String, Word)> {
        let mut found = Vec::new();
        for (index, source) in self.sources.iter().enumerate() {
            found.push((format!("sources_ready_{index}"), source.ready.val()));
        }
        for (index, sink) in self.sinks.iter().enumerate() {
            found.push((format!("sinks_valid_{index}"), sink.valid.val()));
            found.push((format!("sinks_{index}"), sink.word.val()));
        }
        found
    }
}

#[test]
fn bundles_in_a_list() {
    compare(Lanes::new(3, 9));
}
