//! Names that are unknown, illegal or taken.

use tracewright_elaborate::prelude::*;
use tracewright_elaborate::{Options, elaborate};

refused!(
    a_number_of_the_struct_in_an_expression,
    { _offset: u64 = 3, out: Wire<Out> = Wire::new(4) },
    {
        #[hdl_gen]
        fn update(&mut self) { self.out.next = self._offset.into(); }
    },
    "top: `_offset` is no signal of this block; a number of the struct must be a `Param` to appear in an expression",
);

refused!(
    a_vector_index_that_is_no_constant,
    { _lane: usize = 0, lanes: Vec<Wire<In>> = vec![Wire::new(4)], out: Wire<Out> = Wire::new(4) },
    {
        #[hdl_gen]
        fn update(&mut self) { self.out.next = self.lanes[self._lane].val(); }
    },
    "top: the index of `lanes[_lane]` must be made of integers and loop indexes",
);

refused!(
    a_vector_index_beyond_the_end,
    { lanes: Vec<Wire<In>> = vec![Wire::new(4)], out: Wire<Out> = Wire::new(4) },
    {
        #[hdl_gen]
        fn update(&mut self) { self.out.next = self.lanes[1].val(); }
    },
    "top: `lanes[1]` is no signal of this block; a number of the struct must be a `Param` to appear in an expression",
);

refused!(
    a_verilog_keyword,
    { output: Wire<In> = Wire::new(1) },
    {
        #[hdl_gen]
        fn update(&mut self) {}
    },
    "top.output: `output` is not a legal name in Verilog: it is a keyword of Verilog, of SystemVerilog or of the C++ that Verilator writes",
);

refused!(
    a_name_outside_of_ascii,
    { größe: Wire<In> = Wire::new(1) },
    {
        #[hdl_gen]
        fn update(&mut self) {}
    },
    "top.größe: `größe` is not a legal name in Verilog: a name is letters, digits and `_`, and does not start with a digit",
);

refused!(
    a_vector_and_a_field_of_one_name,
    { lanes: Vec<Wire<In>> = vec![Wire::new(1)], lanes_0: Wire<In> = Wire::new(1) },
    {
        #[hdl_gen]
        fn update(&mut self) {}
    },
    "top: top.lanes[0] and top.lanes_0 both become `lanes_0`",
);

refused!(
    a_signal_called_as_the_clock,
    { domain: Domain = Domain::new(), clock: Wire<In> = Wire::new(1) },
    {
        #[hdl_gen]
        fn update(&mut self) {}
    },
    "top: top.domain and top.clock both become `clock`",
);

refused!(
    a_loop_index_called_as_a_signal,
    { i: Wire<In> = Wire::new(4), out: Vec<Wire<Out>> = vec![Wire::new(4)] },
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
    #[derive(LogicBlock)]
    struct Empty {
        kind: Kind,
    }
    impl Logic for Empty {
        #[hdl_gen]
        fn update(&mut self) {}
    }
    let refusal = |kind: &str, top: &str| {
        elaborate(&Empty { kind: Kind::plain(kind) }, &Options::new(top))
            .expect_err("a fault")
            .to_string()
    };
    let rule = "a name is letters, digits and `_`, and does not start with a digit";
    assert_eq!(refusal("a-b", "top"), format!("top: `a-b` is not a legal name in Verilog: {rule}"));
    assert_eq!(
        refusal("empty", "m4$"),
        format!("m4$: `m4$` is not a legal name in Verilog: {rule}")
    );
}

/// A sub-block whose body depends on more than its kind may say.
#[derive(LogicBlock)]
pub struct Constant {
    kind: Kind,
    pub out: Wire<Out>,
    value: Param,
}

impl Constant {
    pub fn new(kind: Kind, value: usize) -> Self {
        Self { kind, out: Wire::new(4), value: Param::new(value) }
    }
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
        first: Constant = Constant::new(Kind::new("constant", [("width", 4)]), 1),
        second: Constant = Constant::new(Kind::new("constant", [("width", 4)]), 2),
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
        first: Constant = Constant::new(Kind::new("constant", [("v", 1)]), 1),
        second: Constant = Constant::new(Kind::new("constant", [("v", 2)]), 2),
        third: Constant = Constant::new(Kind::plain("constant_v1"), 1),
    },
    {
        #[hdl_gen]
        fn update(&mut self) {}
    },
    "top: constant: v = 1 and constant_v1 both become `top_constant_v1`",
);
