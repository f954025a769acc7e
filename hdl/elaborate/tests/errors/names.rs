//! Names that are unknown, illegal or taken.

use tracewright_elaborate::prelude::*;
use tracewright_elaborate::{Options, elaborate};

const OFFSET: u64 = 3;

refused!(
    a_constant_of_rust_in_an_expression,
    { out out: 4; },
    {
        #[hdl_gen]
        fn update(&mut self) { self.out.next = OFFSET.into(); }
    },
    "top: `OFFSET` is not declared in this block; a constant must be a `param` to appear in an expression",
);

refused!(
    a_vector_index_that_is_no_constant,
    {
        param lane = 0;
        in lanes: 4 for _ in 0..1;
        out out: 4;
    },
    {
        #[hdl_gen]
        fn update(&mut self) { self.out.next = self.lanes[self.lane.number()].val(); }
    },
    "top: the index of `lanes[lane.number()]` must be made of integers and loop indexes",
);

refused!(
    a_vector_index_beyond_the_end,
    { in lanes: 4 for _ in 0..1; out out: 4; },
    {
        #[hdl_gen]
        fn update(&mut self) { self.out.next = self.lanes[1].val(); }
    },
    "top: `lanes[1]` is not declared in this block; a constant must be a `param` to appear in an expression",
);

refused!(
    a_verilog_keyword,
    { in output: 1; },
    {
        #[hdl_gen]
        fn update(&mut self) {}
    },
    "top.output: `output` is not a legal name in Verilog: it is a keyword of Verilog, of SystemVerilog or of the C++ that Verilator writes",
);

refused!(
    a_name_outside_of_ascii,
    { in größe: 1; },
    {
        #[hdl_gen]
        fn update(&mut self) {}
    },
    "top.größe: `größe` is not a legal name in Verilog: a name is letters, digits and `_`, and does not start with a digit",
);

refused!(
    a_vector_and_a_field_of_one_name,
    { in lanes: 1 for _ in 0..1; in lanes_0: 1; },
    {
        #[hdl_gen]
        fn update(&mut self) {}
    },
    "top: top.lanes[0] and top.lanes_0 both become `lanes_0`",
);

refused!(
    a_signal_called_as_the_clock,
    { in clock: 1; reg state: 1; },
    {
        #[hdl_gen]
        fn update(&mut self) {}
    },
    "top: the clock and top.clock both become `clock`",
);

refused!(
    a_loop_index_called_as_a_signal,
    { in i: 4; out out: 4 for _ in 0..1; },
    {
        #[hdl_gen]
        fn update(&mut self) {
        for i in 0..1 {
            self.out[i].next = i.into();
        }
    }
    },
    "top: top.i and the index of a loop both become `i`",
);

#[test]
fn an_illegal_name_of_a_kind_or_a_top() {
    block! {
        Empty(module) of (module: &str);
    }
    impl Logic for Empty {
        #[hdl_gen]
        fn update(&mut self) {}
    }
    let refusal = |kind: &str, top: &str| {
        elaborate(&Empty::new(kind), &Options::new(top)).expect_err("a fault").to_string()
    };
    let rule = "a name is letters, digits and `_`, and does not start with a digit";
    assert_eq!(refusal("a-b", "top"), format!("top: `a-b` is not a legal name in Verilog: {rule}"));
    assert_eq!(
        refusal("empty", "m4$"),
        format!("m4$: `m4$` is not a legal name in Verilog: {rule}")
    );
}

block! {
    /// A sub-block whose body depends on more than its parameters may say.
    pub Constant(module) of (module: &str, stated: &[(&'static str, usize)], value: usize);
    parameters { ..stated.iter().copied() }

    out out: 4;
    param value = value;
}

impl Logic for Constant {
    #[hdl_gen]
    fn update(&mut self) {
        self.out.next = self.value.val();
    }
}

refused!(
    two_modules_that_state_the_same,
    {
        block first: Constant("constant", &[("width", 4)], 1);
        block second: Constant("constant", &[("width", 4)], 2);
    },
    {
        #[hdl_gen]
        fn update(&mut self) {}
    },
    "two blocks of kind `constant` differ but state the same parameters (width = 4): state what sets them apart",
);

refused!(
    two_modules_of_one_name,
    {
        block first: Constant("constant", &[("v", 1)], 1);
        block second: Constant("constant", &[("v", 2)], 2);
        block third: Constant("constant_v1", &[], 1);
    },
    {
        #[hdl_gen]
        fn update(&mut self) {}
    },
    "top: constant: v = 1 and constant_v1 both become `top_constant_v1`",
);
