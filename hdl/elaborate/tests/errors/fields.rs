//! Fields and kernels that are not for this crate.

use tracewright_elaborate::prelude::*;
use tracewright_elaborate::{Options, elaborate};

refused!(two_kinds, { other: Kind = Kind::plain("other") }, {
        #[hdl_gen]
        fn update(&mut self) {}
    }, "top must have exactly one field of type `Kind`");

refused!(
    two_clocks,
    { first: Domain = Domain::new(), second: Domain = Domain::new() },
    {
        #[hdl_gen]
        fn update(&mut self) {}
    },
    "top has more than one `Domain`",
);

refused!(
    a_memory_without_entries,
    { domain: Domain = Domain::new(), cells: Memory = Memory::new(0, 4) },
    {
        #[hdl_gen]
        fn update(&mut self) { clock!(self, domain, cells); }
    },
    "top.cells is a memory without entries",
);

refused!(
    a_memory_without_read_ports,
    { domain: Domain = Domain::new(), cells: MultiReadMemory = Memory::with_read_ports(4, 4, 0) },
    {
        #[hdl_gen]
        fn update(&mut self) { clock!(self, domain, cells); }
    },
    "top.cells is a memory without read ports",
);

refused!(
    a_signal_of_rust_hdl,
    { a: rust_hdl::prelude::Signal<In, rust_hdl::prelude::Bits<8>> = Default::default() },
    {
        #[hdl_gen]
        fn update(&mut self) {}
    },
    "top.a is a signal of RustHDL's own; use `Wire`",
);

refused!(
    a_product_of_signals,
    { a: Wire<In> = Wire::new(4), out: Wire<Out> = Wire::new(4) },
    {
        #[hdl_gen]
        fn update(&mut self) { self.out.next = self.a.val() * self.a.val(); }
    },
    "top: a product of signals cannot be written as Verilog",
);

refused!(
    a_pattern_that_is_no_number,
    { a: Wire<In> = Wire::new(4), out: Wire<Out> = Wire::new(1) },
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
    #[derive(LogicBlock)]
    struct Silent {
        kind: Kind,
    }
    impl Logic for Silent {
        fn update(&mut self) {}
    }
    let error = elaborate(&Silent { kind: Kind::plain("silent") }, &Options::new("top"))
        .expect_err("a fault");
    assert_eq!(error.to_string(), "top: a block without `#[hdl_gen]` cannot be written as Verilog");
    let error = elaborate(&Wire::<In>::new(1), &Options::new("top")).expect_err("a fault");
    assert_eq!(
        error.to_string(),
        "top: a design that is not one block cannot be written as Verilog"
    );
}

#[test]
fn the_simulator_refuses_the_same_designs() {
    let error = Simulator::new(crate::names::Constant::new(Kind::plain("constant"), 16))
        .err()
        .map(|error| error.to_string());
    assert_eq!(error.as_deref(), Some("simulated.out: the number 0x10 does not fit in 4 bits"));
}
