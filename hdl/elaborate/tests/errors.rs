//! Everything a design can have wrong, and how it is said.

use tracewright_elaborate::prelude::*;
use tracewright_elaborate::{Error, Options, check_kernel_source, elaborate};

/// A test that a block of these fields and this kernel is refused with this message.
///
/// The kernel comes with its attribute: what `hdl_gen` adds must see the same `self`.
macro_rules! refused {
    ($name:ident, { $($field:ident: $type:ty = $value:expr),* $(,)? }, { $($kernel:tt)* }, $message:expr $(,)?) => {
        #[test]
        fn $name() {
            #[derive(LogicBlock)]
            struct Faulty {
                kind: Kind,
                $($field: $type),*
            }
            impl Logic for Faulty {
                $($kernel)*
            }
            let block = Faulty { kind: Kind::plain("faulty"), $($field: $value),* };
            let error = elaborate(&block, &Options::new("top")).expect_err("a fault");
            assert_eq!(error.to_string(), $message);
        }
    };
}

/// A sub-block that passes `value` through at once and a cycle later.
#[derive(LogicBlock)]
struct Stage {
    kind: Kind,
    pub domain: Domain,
    pub value: Wire<In>,
    pub now: Wire<Out>,
    pub later: Wire<Out>,
    held: Reg,
}

impl Stage {
    fn new() -> Self {
        Self {
            kind: Kind::plain("stage"),
            domain: Domain::new(),
            value: Wire::new(4),
            now: Wire::new(4),
            later: Wire::new(4),
            held: Reg::new(4, 0),
        }
    }
}

impl Logic for Stage {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, held);
        self.held.d.next = self.value.val();
        self.now.next = self.value.val();
        self.later.next = self.held.q.val();
    }
}

// Widths.

refused!(
    operands_of_different_widths,
    { wide: Wire<In> = Wire::new(9), narrow: Wire<In> = Wire::new(8), sum: Wire<Out> = Wire::new(9) },
    {
        #[hdl_gen]
        fn update(&mut self) { self.sum.next = self.wide.val() + (self.narrow.val() ^ 1); }
    },
    "top.sum: `wide` has 9 bits and `narrow ^ 8'd1` has 8, but the operands of `+` must have equal widths",
);

refused!(
    a_comparison_of_different_widths,
    { v: Vec<Wire<In>> = vec![Wire::new(9), Wire::new(8)], out: Wire<Out> = Wire::new(1) },
    {
        #[hdl_gen]
        fn update(&mut self) { self.out.next = (self.v[0].val() < self.v[1].val()).into(); }
    },
    "top.out: `v[0]` has 9 bits and `v[1]` has 8, but the operands of `<` must have equal widths",
);

refused!(
    a_value_of_another_width_than_its_target,
    { a: Wire<In> = Wire::new(9), out: Wire<Out> = Wire::new(8) },
    {
        #[hdl_gen]
        fn update(&mut self) { self.out.next = self.a.val(); }
    },
    "top.out has 8 bits and cannot take `a`, which has 9",
);

refused!(
    a_number_that_does_not_fit,
    { a: Wire<In> = Wire::new(3), out: Wire<Out> = Wire::new(3) },
    {
        #[hdl_gen]
        fn update(&mut self) { self.out.next = self.a.val() + 8; }
    },
    "top.out: the number 0x8 does not fit in 3 bits",
);

refused!(
    a_reset_value_that_does_not_fit,
    { domain: Domain = Domain::new(), state: Reg = Reg::new(2, 4) },
    {
        #[hdl_gen]
        fn update(&mut self) { dff_setup!(self, domain, state); }
    },
    "top.state: the number 0x4 does not fit in 2 bits",
);

refused!(
    a_reset_value_of_another_width,
    { domain: Domain = Domain::new(), state: Reg = Reg::new(2, Word::new(3, 1)) },
    {
        #[hdl_gen]
        fn update(&mut self) { dff_setup!(self, domain, state); }
    },
    "top.state has 2 bits and cannot take `3'h1`, which has 3",
);

refused!(
    a_cast_to_fit_nothing,
    { a: Wire<In> = Wire::new(3), out: Wire<Out> = Wire::new(1) },
    {
        #[hdl_gen]
        fn update(&mut self) { self.out.next = (unsigned_cast_to_fit(self.a.val()) == 1).into(); }
    },
    "top.out: nothing says how many bits `a` has; give it a width with `bits_to`",
);

refused!(
    a_bit_beyond_the_word,
    { a: Wire<In> = Wire::new(3), out: Wire<Out> = Wire::new(1) },
    {
        #[hdl_gen]
        fn update(&mut self) { self.out.next = self.a.val().get_bit(3).into(); }
    },
    "top.out: bit 3 of `a` does not exist, it has 3 bits",
);

#[test]
fn a_condition_of_several_bits() {
    // Rust's types refuse this in a kernel, so the tree that a kernel would give is made by hand.
    struct Handmade(Wire<In>, Wire<Out>, Kind);
    impl Logic for Handmade {
        fn update(&mut self) {}

        fn hdl(&self) -> ast::Verilog {
            let signal = |name: &str| ast::VerilogExpression::Signal(name.into());
            let assignment = || ast::VerilogStatement::Assignment(signal("out$next"), signal("a"));
            ast::Verilog::Combinatorial(vec![ast::VerilogStatement::If(ast::VerilogConditional {
                test: signal("a"),
                then: vec![assignment()],
                otherwise: ast::VerilogBlockOrConditional::Block(vec![assignment()]),
            })])
        }
    }
    impl Block for Handmade {
        fn connect_all(&mut self) {}

        fn update_all(&mut self) {}

        fn has_changed(&self) -> bool {
            false
        }

        fn accept(&self, name: &str, probe: &mut dyn probe::Probe) {
            probe.visit_start_scope(name, self);
            self.0.accept("a", probe);
            self.1.accept("out", probe);
            self.2.accept("kind", probe);
            probe.visit_end_scope(name, self);
        }
    }
    let block = Handmade(Wire::new(3), Wire::new(3), Kind::plain("handmade"));
    let error = elaborate(&block, &Options::new("top")).expect_err("a fault");
    assert_eq!(
        error.to_string(),
        "top: the condition `a` has 3 bits, not one; say `.any()` or compare it"
    );
}

// Drivers.

refused!(
    a_latch,
    { a: Wire<In> = Wire::new(1), out: Wire<Out> = Wire::new(1) },
    {
        #[hdl_gen]
        fn update(&mut self) {
        if self.a.val().any() {
            self.out.next = self.a.val();
        }
    }
    },
    "top.out is a latch: some path through the kernel does not write it; write a default first",
);

refused!(
    a_latch_in_a_match,
    { a: Wire<In> = Wire::new(2), lanes: Vec<Wire<Local>> = vec![Wire::new(1), Wire::new(1)] },
    {
        #[hdl_gen]
        fn update(&mut self) {
        self.lanes[0].next = false.into();
        match self.a.val().index() {
            0 => self.lanes[1].next = false.into(),
            1 => self.lanes[1].next = true.into(),
            _ => {}
        }
    }
    },
    "top.lanes[1] is a latch: some path through the kernel does not write it; write a default first",
);

refused!(
    a_read_before_the_write,
    { a: Wire<In> = Wire::new(1), between: Wire<Local> = Wire::new(1), out: Wire<Out> = Wire::new(1) },
    {
        #[hdl_gen]
        fn update(&mut self) {
        self.out.next = self.between.val();
        self.between.next = self.a.val();
    }
    },
    "top.between is read before it is written",
);

refused!(
    a_read_after_a_write_on_some_paths,
    { a: Wire<In> = Wire::new(1), between: Wire<Local> = Wire::new(1), out: Wire<Out> = Wire::new(1) },
    {
        #[hdl_gen]
        fn update(&mut self) {
        if self.a.val().any() {
            self.between.next = self.a.val();
        }
        self.out.next = self.between.val();
    }
    },
    "top.between is read before it is written",
);

refused!(an_output_without_driver, { out: Wire<Out> = Wire::new(1) }, {
        #[hdl_gen]
        fn update(&mut self) {}
    }, "top.out is not driven");

refused!(
    an_input_of_a_sub_block_without_driver,
    { domain: Domain = Domain::new(), stages: Vec<Stage> = vec![Stage::new()] },
    {
        #[hdl_gen]
        fn update(&mut self) { self.stages[0].domain.next = self.domain.val(); }
    },
    "top.stages[0].value is not driven",
);

refused!(
    a_memory_port_without_driver,
    { domain: Domain = Domain::new(), cells: Memory = Memory::new(4, 4) },
    {
        #[hdl_gen]
        fn update(&mut self) {
        clock!(self, domain, cells);
        self.cells.read_address.next = 0.into();
        self.cells.write_enable.next = false.into();
        self.cells.write_data.next = 0.into();
    }
    },
    "top.cells.write_address is not driven",
);

refused!(
    a_register_without_clock,
    { state: Reg = Reg::new(1, 0) },
    {
        #[hdl_gen]
        fn update(&mut self) { self.state.d.next = true.into(); }
    },
    "top.state.clock is not driven; name its register in `dff_setup!` or its memory in `clock!`",
);

refused!(
    a_sub_block_without_clock,
    { stage: Stage = Stage::new() },
    {
        #[hdl_gen]
        fn update(&mut self) { self.stage.value.next = 0.into(); }
    },
    "top.stage.domain is not driven; hand it on with `self.block.domain.next = self.domain.val()`",
);

refused!(
    a_clock_under_a_condition,
    { domain: Domain = Domain::new(), a: Wire<In> = Wire::new(1), stage: Stage = Stage::new() },
    {
        #[hdl_gen]
        fn update(&mut self) {
        self.stage.value.next = 0.into();
        if self.a.val().any() {
            self.stage.domain.next = self.domain.val();
        }
    }
    },
    "top.stage.domain: a clock cannot depend on a condition",
);

refused!(
    an_input_driven_by_the_kernel_too,
    { a: Wire<In> = Wire::new(1) },
    {
        #[hdl_gen]
        fn update(&mut self) { self.a.next = true.into(); }
    },
    "top.a is driven from elsewhere and by the kernel too",
);

refused!(
    an_output_of_a_sub_block_driven_by_the_kernel_too,
    { domain: Domain = Domain::new(), stage: Stage = Stage::new() },
    {
        #[hdl_gen]
        fn update(&mut self) {
        self.stage.domain.next = self.domain.val();
        self.stage.value.next = 0.into();
        self.stage.later.next = 0.into();
    }
    },
    "top.stage.later is driven from elsewhere and by the kernel too",
);

refused!(
    an_input_of_a_sub_block_that_is_read,
    { domain: Domain = Domain::new(), stage: Stage = Stage::new(), out: Wire<Out> = Wire::new(4) },
    {
        #[hdl_gen]
        fn update(&mut self) {
        self.stage.domain.next = self.domain.val();
        self.stage.value.next = 0.into();
        self.out.next = self.stage.value.val();
    }
    },
    "top.stage.value cannot be read here: it is an input; read the local that drives it",
);

refused!(
    a_loop_through_a_sub_block,
    { domain: Domain = Domain::new(), stage: Stage = Stage::new(), out: Wire<Out> = Wire::new(4) },
    {
        #[hdl_gen]
        fn update(&mut self) {
        self.stage.domain.next = self.domain.val();
        self.out.next = self.stage.now.val() + 1;
        self.stage.value.next = self.out.val() + self.stage.later.val();
    }
    },
    "combinational loop: top.stage.now -> top.stage.value -> top.stage.now",
);

refused!(
    a_loop_through_a_memory,
    { domain: Domain = Domain::new(), cells: Memory = Memory::new(4, 2) },
    {
        #[hdl_gen]
        fn update(&mut self) {
        clock!(self, domain, cells);
        self.cells.read_address.next = 0.into();
        if self.cells.read_data.val().any() {
            self.cells.read_address.next = 1.into();
        }
        self.cells.write_enable.next = false.into();
        self.cells.write_address.next = 0.into();
        self.cells.write_data.next = 0.into();
    }
    },
    "combinational loop: top.cells.read_address -> top.cells.read_data -> top.cells.read_address",
);

#[test]
fn a_register_breaks_a_loop() {
    #[derive(LogicBlock)]
    struct Ring {
        kind: Kind,
        domain: Domain,
        stage: Stage,
    }
    impl Logic for Ring {
        #[hdl_gen]
        fn update(&mut self) {
            self.stage.domain.next = self.domain.val();
            self.stage.value.next = self.stage.later.val() + 1;
        }
    }
    let ring = Ring { kind: Kind::plain("ring"), domain: Domain::new(), stage: Stage::new() };
    let mut simulator = Simulator::new(ring).expect("a sound design");
    simulator.clock();
    simulator.clock();
    assert_eq!(simulator.peek(|ring| ring.stage.later.val()), 2);
}

// Names.

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
struct Constant {
    kind: Kind,
    pub out: Wire<Out>,
    value: Param,
}

impl Constant {
    fn new(kind: Kind, value: usize) -> Self {
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

// What is not there, and what is there too often.

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
    let error = Simulator::new(Constant::new(Kind::plain("constant"), 16))
        .err()
        .map(|error| error.to_string());
    assert_eq!(error.as_deref(), Some("simulated.out: the number 0x10 does not fit in 4 bits"));
}

// Sources.

const KERNEL: &str = "
fn elsewhere() {
    for i in 0..=1 {}
}
impl Logic for Taps {
    #[rust_hdl::prelude::hdl_gen]
    #[rustfmt::skip]
    fn update(&mut self) {
        if self.a.val().any() {
            for i in 0 ..= 3 { self.b.next = i.into(); }
        }
    }
}
";

#[test]
fn an_inclusive_range_in_a_kernel() {
    let error = check_kernel_source(KERNEL, "src/taps.rs").expect_err("a fault");
    assert_eq!(error, Error::InclusiveRange { file: "src/taps.rs".into(), line: 10 });
    assert_eq!(check_kernel_source(&KERNEL.replace("0 ..= 3", "0..4"), "src/taps.rs"), Ok(()));
}

#[test]
fn a_source_that_is_not_rust() {
    let error = check_kernel_source("fn main() {\n    (]\n}", "x.rs").expect_err("a fault");
    assert!(error.to_string().starts_with("x.rs:2: "), "{error}");
}
