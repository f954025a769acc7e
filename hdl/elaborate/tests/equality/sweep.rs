//! Memories that an input of their block, or of one around it, clears while they are used.

use tracewright_elaborate::prelude::*;
use tracewright_elaborate::{Options, elaborate};

block! {
    /// A memory that is cleared and one that is not.
    Inner("inner") of ();
    in address: 2;
    in write: 1;
    in data: 3;
    out sum: 3;
    memory swept: [3; 4] { cleared: 5 };
    memory kept: [3; 4];
}

#[kernel]
impl Logic for Inner {
    fn update(&mut self) {
        swept = Swept {
            read_address: address,
            write_enable: write,
            write_address: address,
            write_data: data,
        };
        kept.read_address = address;
        kept.write_enable = write;
        kept.write_address = address;
        kept.write_data = data;
        sum = swept.read_data + kept.read_data;
    }
}

block! {
    /// One block whose memories are cleared, for a sweep of eight entries.
    Swept("swept") of ();
    in memory_sweep: 5;
    in address: 2;
    in write: 1;
    in data: 3;
    out sum: 3;
    block inner: Inner();
}

#[kernel]
impl Logic for Swept {
    fn update(&mut self) {
        inner = Inner { address, write, data };
        sum = inner.sum;
    }
}

block! {
    /// The same block cleared and not.
    Outer("outer") of ();
    in sweep: 5;
    in address: 2;
    in write: 1;
    in data: 3;
    out sums: 3;
    block swept: Swept();
    block steady: Inner();
}

#[kernel]
impl Logic for Outer {
    fn update(&mut self) {
        swept = Swept { memory_sweep: sweep, address, write, data };
        steady = Inner { address, write, data };
        sums = swept.sum ^ steady.sum;
    }
}

block! {
    /// A memory whose cleared entry does not fit.
    TooLarge("too_large") of ();
    in memory_sweep: 4;
    out data: 2;
    memory entries: [2; 4] { cleared: 4 };
}

#[kernel]
impl Logic for TooLarge {
    fn update(&mut self) {
        entries.read_address = 0;
        entries.write_enable = 0;
        entries.write_address = 0;
        entries.write_data = 0;
        data = entries.read_data;
    }
}

/// The module's text.
fn module(name: &str) -> String {
    let verilog = elaborate(&Outer::new(), &Options::new("top")).unwrap();
    verilog.module(name).unwrap().text.clone()
}

#[test]
fn entries_have_an_epoch_and_a_sweep_writes_them() {
    let swept = module("top_inner_memory_sweep1");
    for expected in [
        "    input  wire [4:0] memory_sweep,\n",
        "    reg  [3:0] swept_cells [0:3];\n",
        "    assign swept_read_word = swept_cells[sweep_comes_to_swept ? memory_sweep[3:2] : address];\n",
        "    assign swept_read_data = swept_read_word[3] == memory_sweep[0] ? swept_read_word[2:0] : 3'd5;\n",
        "    assign sweep_comes_to_swept = memory_sweep[1] && memory_sweep[4] == 1'd0;\n",
        "        if (sweep_comes_to_swept ? swept_read_word[3] != memory_sweep[0] : write) begin
            swept_cells[sweep_comes_to_swept ? memory_sweep[3:2] : address] <= {memory_sweep[0], sweep_comes_to_swept ? 3'd5 : data};
",
        "    reg  [2:0] kept_cells [0:3];\n",
        "    assign kept_read_data = kept_cells[address];\n",
    ] {
        assert!(swept.contains(expected), "{expected}\n{swept}");
    }
    assert!(!module("top_inner").contains("sweep"), "{}", module("top_inner"));
    assert!(module("top_swept").contains(".memory_sweep (memory_sweep)"));
}

#[test]
fn a_cleared_entry_has_the_width_of_the_memory() {
    let refused = elaborate(&TooLarge::new(), &Options::new("top")).unwrap_err().to_string();
    assert_eq!(refused, "top.entries: the number 0x4 does not fit in 2 bits");
}
