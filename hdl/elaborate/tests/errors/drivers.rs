//! Signals driven too little, too much or in a circle.

use tracewright_elaborate::prelude::*;
use tracewright_elaborate::{Options, elaborate};

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
