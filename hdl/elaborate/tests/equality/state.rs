//! Registers that hold, blocks with and without a clock, registers and memories that a configuration may lack.

use crate::bench;
use crate::harness::{Judge, compare, compare_with};
use tracewright_elaborate::Reset;
use tracewright_elaborate::prelude::*;

block! {
    /// Registers that are never written, written under a condition, and always written.
    Holds("holds") of (width: usize);
    parameters { width }

    in load: 1;
    in data: width;
    out fixed_value: width;
    out loaded_value: width;
    out followed_value: width;
    reg fixed: width = 1;
    reg loaded: width;
    reg followed: width = !Word::zero(width);
}

#[kernel]
impl Logic for Holds {
    fn update(&mut self) {
        if load {
            loaded.d = data;
        }
        followed.d = data;
        fixed_value = fixed.q;
        loaded_value = loaded.q;
        followed_value = followed.q;
    }
}

bench!(Holds, [load, data], [fixed_value, loaded_value, followed_value]);

#[test]
fn a_register_holds_unless_it_is_written() {
    for reset in [Reset::Synchronous, Reset::AsynchronousActiveLow] {
        for width in [1, 8, 65] {
            compare_with(Judge::Icarus, Holds::new(width), reset, 200, "");
        }
    }
}

block! {
    /// A block without state.
    Inverter("inverter") of ();
    in a: 4;
    out b: 4;
}

#[kernel]
impl Logic for Inverter {
    fn update(&mut self) {
        b = !a;
    }
}

bench!(Inverter, [a], [b]);

block! {
    /// A block without state around one that has some, if `delayed`, and one that has none.
    Outer("outer") of (delayed: bool);
    parameters { delayed }

    in a: 4;
    out b: 4;
    block inverter: Inverter();
    block delay: Holds(4) if delayed;
    param delayed = delayed;
}

#[kernel]
impl Logic for Outer {
    fn update(&mut self) {
        inverter.a = a;
        b = inverter.b;
        if delayed {
            delay = Holds { load: a.any().into(), data: inverter.b };
            b = delay.loaded_value ^ delay.followed_value ^ delay.fixed_value;
        }
    }
}

bench!(Outer, [a], [b]);

#[test]
fn a_block_has_a_clock_if_it_or_a_sub_block_has_state() {
    let has_clock = |text: &str| text.contains("clock") || text.contains("reset");
    let verilog = compare(Outer::new(true));
    for module in &verilog.modules {
        assert_eq!(has_clock(&module.text), module.name != "dut_top_inverter", "{}", module.text);
    }
    assert_eq!(verilog.modules.len(), 3);
    assert_eq!(verilog.ports[0].name, "clock");
    let verilog = compare(Outer::new(false));
    assert!(verilog.modules.iter().all(|module| !has_clock(&module.text)));
    assert!(verilog.ports.iter().all(|port| !has_clock(&port.name)));
}

block! {
    /// A register, and memories of one bank each, that a configuration may lack.
    Storage("storage") of (registered: bool, banks: usize, synchronous: bool);
    parameters {
        registered,
        banks if banks > 1,
        ..[("synchronous", usize::from(synchronous))],
    }

    in write: 1;
    in address: 3;
    in data: 8;
    out chosen: 8;
    out sum: 8;
    memory cells: [8; 8] { reads: 2, synchronous: synchronous } for _ in 0..banks;
    reg last: 8 = 9 if registered;
    reg warm: 1;
    local running: 8;
    param registered = registered;
}

#[kernel]
impl Logic for Storage {
    fn update(&mut self) {
        warm.d = 1;
        running = 0;
        for i in 0..cells.len() {
            cells[i].read_address[0] = address;
            cells[i].read_address[1] = !address;
            cells[i].write_enable = write;
            cells[i].write_address = address ^ i;
            cells[i].write_data = data;
            if warm.q {
                running = running + cells[i].read_data[0] - (cells[i].read_data[1] >> 1);
            }
        }
        sum = running;
        chosen = data;
        if registered {
            last.d = data;
            chosen = last.q;
        }
    }
}

bench!(Storage, [write, address, data], [chosen, sum]);

/// What a memory of the test holds at first.
fn content(bank: usize, address: usize) -> u64 {
    (11 * address + 37 * bank + 5) as u64 % 256
}

#[test]
fn registers_and_memories_that_a_configuration_lacks() {
    for (registered, banks, synchronous) in
        [(true, 0, false), (false, 0, false), (true, 1, true), (false, 3, false), (true, 2, true)]
    {
        let mut storage = Storage::new(registered, banks, synchronous);
        let mut initial = String::new();
        for (bank, cells) in storage.cells.iter_mut().enumerate() {
            cells.fill(|address| content(bank, address));
            for address in 0..8 {
                let value = content(bank, address);
                initial.push_str(&format!("dut.cells_{bank}_cells[{address}] = {value};"));
            }
        }
        let verilog = compare_with(Judge::Icarus, storage, Reset::Synchronous, 300, &initial);
        assert_eq!(verilog.storage_bits(), 64 * banks + 8 * usize::from(registered) + 1);
        let line =
            "// A register, and memories of one bank each, that a configuration may lack\nmodule";
        assert!(verilog.modules[0].text.starts_with(line), "{}", verilog.modules[0].text);
    }
}

block! {
    /// Two stages of a pipeline, which are there if tables are read `late`.
    Stages("stages") of (late: bool);
    parameters { late }

    in a: 4;
    out b: 4;
    out c: 4;
    stage first: 4 if late;
    stage second: 4 = 5 if late;
}

#[kernel]
impl Logic for Stages {
    fn update(&mut self) {
        first.d = a + 1;
        second.d = first.q ^ 3;
        b = second.q;
        c = first.q & second.q;
    }
}

bench!(Stages, [a], [b, c]);

#[test]
fn stages_hold_or_are_names() {
    for late in [true, false] {
        let verilog = compare(Stages::new(late));
        assert_eq!(verilog.storage_bits(), 8 * usize::from(late));
    }
    let text = &compare(Stages::new(false)).modules[0].text;
    assert!(text.contains("    assign first = a + 4'd1;\n"), "{text}");
}

block! {
    /// A state machine whose states have names, and a list whose elements have names.
    Named("named") of ();

    in go: 1;
    in word: 4;
    out busy: 1;
    out halves: 2;
    out kept_halves: 2;
    reg state: 2;
    #[label(["kept_low", "kept_high"][at])]
    reg kept: 2 for at in 0..2;
    #[label(["low_half", "high_half"][at])]
    local half: 2 for at in 0..2;
    param place = 2 * at for at in 0..2;
    constant idle: 2 = 0;
    constant first: 2 = 1;
    /// the last one
    constant second: 2 = 2;
}

impl Logic for Named {
    #[allow(clippy::if_same_then_else, reason = "the writer has to join equal arms")]
    #[hdl_gen]
    fn update(&mut self) {
        for at in 0..self.half.len() {
            self.half[at].next = unsigned_cast_to_fit(self.word.val() >> self.place[at].val());
            self.kept[at].d.next = self.half[at].val();
        }
        self.halves.next = (self.half[0].val() + 1) ^ (self.half[1].val() + self.half[0].val());
        self.kept_halves.next = self.kept[0].q.val() ^ self.kept[1].q.val();
        self.busy.next = bits_to(self.state.q.val() != self.idle.val(), 1);
        if self.state.q.val() == self.idle.val() {
            if self.go.val().any() {
                self.state.d.next = self.first.val();
            }
        } else if self.state.q.val() == self.first.val() {
            self.state.d.next = self.second.val();
        } else if self.state.q.val() == self.second.val() {
            self.state.d.next = self.idle.val();
        } else if self.go.val().any() {
            self.state.d.next = self.idle.val();
        }
    }
}

bench!(Named, [go, word], [busy, halves, kept_halves]);

#[test]
fn states_and_elements_of_lists_have_names() {
    let verilog = compare(Named::new());
    let text = &verilog.modules[0].text;
    for line in [
        "    localparam [1:0] SECOND = 2'd2; // the last one\n",
        "    assign busy = state != IDLE;\n",
        "            state <= IDLE;\n",
        "                FIRST: state <= SECOND;\n",
        "    assign low_half = word[1:0];\n",
        "            kept_high <= high_half;\n",
    ] {
        assert!(text.contains(line), "{line}in:\n{text}");
    }
}
