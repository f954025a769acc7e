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

impl Logic for Idle {
    #[hdl_gen]
    fn update(&mut self) {
        self.dead.next = self.used.val();
        self.dead.next = self.dead.val() + 1;
        self.out.next = bits_to(self.used.val() >> 2, 3);
        self.nothing.next = self.empty.val() + 7;
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

impl Logic for Constants {
    #[hdl_gen]
    fn update(&mut self) {
        self.never_written.read_address.next = self.address.val();
        self.never_written.write_enable.next = false.into();
        self.never_written.write_address.next = 0.into();
        self.never_written.write_data.next = 0.into();
        self.always_written.read_address.next = 0.into();
        self.always_written.write_enable.next = true.into();
        self.always_written.write_address.next = 0.into();
        self.always_written.write_data.next =
            self.always_written.read_data.val() ^ 0x1_2345_6789_abcd_ef01u128;
        self.idle.used.next = 0.into();
        self.idle.ignored.next = 0.into();
        self.idle.empty.next = 0.into();
        self.out.next = self.never_written.read_data.val() & self.idle.out.val();
        self.ever.next = self.always_written.read_data.val();
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

#[test]
fn nothing_at_all() {
    block! {
        Nothing("nothing") of ();
    }
    impl Logic for Nothing {
        #[hdl_gen]
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
