//! Fields and kernels that are not for this crate.

use tracewright_elaborate::prelude::*;
use tracewright_elaborate::{Options, elaborate};

refused!(two_kinds, { block other: Kind::plain("other"); }, {
        #[hdl_gen]
        fn update(&mut self) {}
    }, "top must have exactly one field of type `Kind`");

refused!(
    a_memory_without_entries,
    { memory cells: [4; 0]; },
    {
        #[hdl_gen]
        fn update(&mut self) {}
    },
    "top.cells is a memory without entries",
);

refused!(
    a_memory_without_read_ports,
    { memory cells: [4; 4] { reads: 0 }; },
    {
        #[hdl_gen]
        fn update(&mut self) {}
    },
    "top.cells is a memory without read ports",
);

refused!(
    a_signal_of_rust_hdl,
    {
        block a: rust_hdl::prelude::Signal::<In, rust_hdl::prelude::Bits<8>>::default();
    },
    {
        #[hdl_gen]
        fn update(&mut self) {}
    },
    "top.a is a signal of RustHDL's own; use `Wire`",
);

refused!(
    a_product_of_signals,
    { in a: 4; out out: 4; },
    {
        #[hdl_gen]
        fn update(&mut self) { self.out.next = self.a.val() * self.a.val(); }
    },
    "top: a product of signals cannot be written as Verilog",
);

refused!(
    a_pattern_that_is_no_number,
    { in a: 4; out out: 1; },
    {
        #[hdl_gen]
        fn update(&mut self) {
        match self.a.val().index() {
            0 => self.out.next = true.into(),
            other => self.out.next = (other == 1).into(),
        }
    }
    },
    "top: the pattern `other` cannot be written as Verilog",
);

#[test]
fn a_block_without_hdl_gen() {
    block! {
        Silent("silent") of ();
    }
    impl Logic for Silent {
        fn update(&mut self) {}
    }
    let error = elaborate(&Silent::new(), &Options::new("top")).expect_err("a fault");
    assert_eq!(error.to_string(), "top: a block without `#[hdl_gen]` cannot be written as Verilog");
    let error = elaborate(&Wire::<In>::new(1), &Options::new("top")).expect_err("a fault");
    assert_eq!(
        error.to_string(),
        "top: a design that is not one block cannot be written as Verilog"
    );
}

#[test]
fn the_simulator_refuses_the_same_designs() {
    let error = Simulator::new(crate::names::Constant::new("constant", &[], 16))
        .err()
        .map(|error| error.to_string());
    assert_eq!(error.as_deref(), Some("simulated.out: the number 0x10 does not fit in 4 bits"));
}
