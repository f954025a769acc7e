//! Signals driven too little, too much or in a circle.

use tracewright_elaborate::prelude::*;
use tracewright_elaborate::{Options, elaborate};

block! {
    /// A sub-block that passes `value` through at once and a cycle later.
    Stage("stage") of ();

    in value: 4;
    out now: 4;
    out later: 4;
    reg held: 4;
}

impl Logic for Stage {
    #[hdl_gen]
    fn update(&mut self) {
        self.held.d.next = self.value.val();
        self.now.next = self.value.val();
        self.later.next = self.held.q.val();
    }
}

refused!(
    a_latch,
    { in a: 1; out out: 1; },
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
    { in a: 2; local lanes: 1 for _ in 0..2; },
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
    {
        in a: 1;
        local between: 1;
        out out: 1;
    },
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
    {
        in a: 1;
        local between: 1;
        out out: 1;
    },
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

refused!(an_output_without_driver, { out out: 1; }, {
        #[hdl_gen]
        fn update(&mut self) {}
    }, "top.out is not driven");

refused!(
    an_input_of_a_sub_block_without_driver,
    { block stages: Stage() for _ in 0..1; },
    {
        #[hdl_gen]
        fn update(&mut self) {}
    },
    "top.stages[0].value is not driven",
);

refused!(
    a_memory_port_without_driver,
    { memory cells: [4; 4]; },
    {
        #[hdl_gen]
        fn update(&mut self) {
        self.cells.read_address.next = 0.into();
        self.cells.write_enable.next = false.into();
        self.cells.write_data.next = 0.into();
    }
    },
    "top.cells.write_address is not driven",
);

refused!(
    an_input_driven_by_the_kernel_too,
    { in a: 1; },
    {
        #[hdl_gen]
        fn update(&mut self) { self.a.next = true.into(); }
    },
    "top.a is driven from elsewhere and by the kernel too",
);

refused!(
    an_output_of_a_sub_block_driven_by_the_kernel_too,
    { block stage: Stage(); },
    {
        #[hdl_gen]
        fn update(&mut self) {
        self.stage.value.next = 0.into();
        self.stage.later.next = 0.into();
    }
    },
    "top.stage.later is driven from elsewhere and by the kernel too",
);

refused!(
    an_input_of_a_sub_block_that_is_read,
    { block stage: Stage(); out out: 4; },
    {
        #[hdl_gen]
        fn update(&mut self) {
        self.stage.value.next = 0.into();
        self.out.next = self.stage.value.val();
    }
    },
    "top.stage.value cannot be read here: it is an input; read the local that drives it",
);

refused!(
    a_loop_through_a_sub_block,
    { block stage: Stage(); out out: 4; },
    {
        #[hdl_gen]
        fn update(&mut self) {
        self.out.next = self.stage.now.val() + 1;
        self.stage.value.next = self.out.val() + self.stage.later.val();
    }
    },
    "combinational loop: top.stage.now -> top.stage.value -> top.stage.now",
);

refused!(
    a_loop_through_a_memory,
    { memory cells: [2; 4]; },
    {
        #[hdl_gen]
        fn update(&mut self) {
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
    block! {
        Ring("ring") of ();
        block stage: Stage();
    }
    impl Logic for Ring {
        #[hdl_gen]
        fn update(&mut self) {
            self.stage.value.next = self.stage.later.val() + 1;
        }
    }
    let mut simulator = Simulator::new(Ring::new()).expect("a sound design");
    simulator.clock();
    simulator.clock();
    assert_eq!(simulator.peek(|ring| ring.stage.later.val()), 2);
}
