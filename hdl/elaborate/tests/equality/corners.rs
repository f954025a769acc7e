//! Blocks that leave something out.

use crate::bench;
use crate::harness::{compare, lint};
use tracewright_elaborate::prelude::*;
use tracewright_elaborate::{Direction, Options, Port, elaborate};

block! {
    /// Inputs that nothing reads and a local that only feeds itself.
    Idle("idle") of ();

    /// bits 2 to 4
    in used: 9;
    in ignored: 70;
    in empty: 0;
    out out: 3;
    out nothing: 0;
    local dead: 9;
    local unwritten: 9;
}

#[kernel]
impl Logic for Idle {
    fn update(&mut self) {
        dead = used;
        dead = dead + 1;
        out = resized(used >> 2, 3);
        nothing = empty + 7;
    }
}

bench!(Idle, [used, ignored, empty], [out, nothing]);

block! {
    /// Memories whose write enable is a constant, and no register.
    Constants("constants") of ();

    in address: 2;
    out out: 3;
    out ever: 200;
    memory never_written: [3; 4];
    memory always_written: [200; 1];
    block idle: Idle();
}

#[kernel]
impl Logic for Constants {
    fn update(&mut self) {
        never_written.read_address = address;
        never_written.write_enable = false;
        never_written.write_address = 0;
        never_written.write_data = 0;
        always_written.read_address = 0;
        always_written.write_enable = true;
        always_written.write_address = 0;
        always_written.write_data = always_written.read_data ^ 0x1_2345_6789_abcd_ef01u128;
        idle = Idle { used: 0, ignored: 0, empty: 0 };
        out = never_written.read_data & idle.out;
        ever = always_written.read_data;
    }
}

#[test]
fn what_nothing_reads_is_named() {
    let verilog = compare(Idle::new());
    // The line above the module speaks of them.
    let (_, text) = verilog.modules[0].text.split_once('\n').expect("lines");
    assert!(text.contains("    input  wire [8:0]  used, // bits 2 to 4\n"), "{text}");
    assert!(
        text.contains("    wire _unused_ok = &{1'b0, used[1:0], used[8:5], ignored};\n"),
        "{text}"
    );
    assert!(!text.contains("clock") && !text.contains("reset"), "{text}");
    assert!(
        !text.contains("dead") && !text.contains("unwritten") && !text.contains("nothing"),
        "{text}"
    );
}

#[test]
fn constant_memories() {
    let verilog = elaborate(&Constants::new(), &Options::new("top")).expect("a sound design");
    lint(&verilog);
    assert_eq!(verilog.storage_bits(), 12 + 200);
    let port = |name: &str, direction, width| Port { name: name.into(), direction, width };
    let (input, output) = (Direction::Input, Direction::Output);
    assert_eq!(
        verilog.ports,
        [
            port("clock", input, 1),
            port("reset", input, 1),
            port("address", input, 2),
            port("out", output, 3),
            port("ever", output, 200),
        ]
    );
}

block! {
    /// A sum whose optional parts have no bits, in a block whose register has none either.
    Absent("absent") of (optional_bits: usize);
    parameters { optional_bits }

    in start: 5;
    in optional: optional_bits;
    in add: 1;
    out sum: 5;
    reg held: optional_bits;
}

#[kernel]
impl Logic for Absent {
    fn update(&mut self) {
        held.d = optional;
        sum = start;
        if add == 1 {
            sum = sum | resized(held.q, 5);
        }
    }
}

block! {
    /// The block above without and with its optional part, and a register that no reset changes.
    Present("present") of ();

    in start: 5;
    in optional: 3;
    in add: 1;
    out absent_sum: 5;
    out present_sum: 5;
    block absent: Absent(0);
    block present: Absent(3);
    block unreset: Unreset();
}

#[kernel]
impl Logic for Present {
    fn update(&mut self) {
        absent = Absent { start, optional: 0, add };
        present = Absent { start, optional, add };
        unreset.start = start;
        absent_sum = absent.sum;
        present_sum = present.sum;
    }
}

bench!(Present, [start, optional, add], [absent_sum, present_sum]);

block! {
    /// A register that no reset changes and nothing reads.
    Unreset("unreset") of ();

    in start: 5;
    out nothing: 0;
    reg held: 5 = undefined;
}

#[kernel]
impl Logic for Unreset {
    fn update(&mut self) {
        held.d = start;
        nothing = resized(held.q, 0);
    }
}

#[test]
fn pins_and_statements_that_a_configuration_does_not_need_are_absent() {
    let verilog = compare(Present::new());
    let text = |name: &str| {
        let found = verilog.modules.iter().find(|module| module.name.ends_with(name));
        found.unwrap_or_else(|| panic!("no module {name}")).text.clone()
    };
    let [with, without, unreset] =
        ["absent_optional_bits3", "absent_optional_bits0", "unreset"].map(text);
    assert!(with.contains("clock,") && with.contains("reset,"), "{with}");
    assert!(!without.contains("clock") && !without.contains("reset,"), "{without}");
    assert!(!without.contains("sum = sum") && !without.contains("if ("), "{without}");
    assert!(
        unreset.contains("clock,") && !unreset.contains("input  wire       reset"),
        "{unreset}"
    );
}

#[test]
fn the_top_keeps_both_pins() {
    let options = Options::new("top");
    let pins = |optional| {
        let verilog = elaborate(&Absent::new(optional), &options).expect("a sound design");
        lint(&verilog);
        verilog.ports.iter().map(|port| port.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(pins(3), ["clock", "reset", "start", "optional", "add", "sum"]);
    assert_eq!(pins(0), ["clock", "reset", "start", "add", "sum"]);
}

#[test]
fn nothing_at_all() {
    block! {
        Nothing("nothing") of ();
    }
    #[kernel]
    impl Logic for Nothing {
        fn update(&mut self) {}
    }
    lint(&elaborate(&Nothing::new(), &Options::new("top")).expect("a sound design"));
}

#[test]
fn memories_wake_up_with_the_pattern_of_the_seed() {
    let first_words = |seed| {
        let mut simulator = Simulator::with_seed(Constants::new(), seed).expect("a sound design");
        let words: Vec<u64> = (0..4u64)
            .map(|address| {
                simulator.poke(|block| block.address.next = address.into());
                simulator.peek(|block| block.never_written.read_data.val().to_u64())
            })
            .collect();
        (words, simulator.peek(|block| block.ever.val()))
    };
    assert_eq!(first_words(1), first_words(1));
    assert_ne!(first_words(1), first_words(2));
}
