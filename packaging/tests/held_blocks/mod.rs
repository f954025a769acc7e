//! E-Trace whose core never waits: nothing is lost while its sink takes every beat, not even what comes right after an
//! exception whose block makes two payloads.

mod bench;
mod expected;

use tracewright_hdl::Generated;
use tracewright_packaging::{Ingress, with_ingress};
use tracewright_sim::ingress::Queue;
use tracewright_sim::rvfi::{self, Xlen};
use tracewright_sim::scheme::Design;
use tracewright_sim::tip;
use tracewright_testbench::{BuildOptions, design::source};

use crate::common::for_each;
use crate::control::fault_lists::Fault;
use crate::control::faults::find_each;
use crate::execution::MACHINE;
use bench::Holding;
use expected::Shown;

/// How a core of a case says what it retires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Port {
    Rvfi,
    Tip,
    /// The pins of the trace module, a block in a cycle.
    Block,
}

const QUEUE: Queue = Queue { lanes: 1, depth: 8, slack: 4 };

const TIP: tip::Config =
    tip::Config { itype_bits: 4, retirement: tip::Retirement::Single, queue: QUEUE };

impl Port {
    fn ingress(self) -> Option<Ingress> {
        match self {
            Port::Rvfi => Some(Ingress::Rvfi(rvfi::Config { xlen: Xlen::Rv32, queue: QUEUE })),
            Port::Tip => Some(Ingress::Tip(TIP)),
            Port::Block => None,
        }
    }
}

type Changes = &'static [(&'static str, &'static str)];

/// What only a port can tell that has these pins.
const STATES: Changes = &[("privilege_bits", "2"), ("cause_bits", "7"), ("resync_max", "6")];

const STARTS: Changes = &[("resync_max", "6")];

/// More than a queue makes up for where the core pauses at exceptions alone.
const MANY_STARTS: Changes = &[("resync_max", "2")];

const CASES: [(Port, Changes, Holding); 6] = [
    (Port::Tip, &[], Holding::Adapter),
    (Port::Tip, STATES, Holding::Adapter),
    (Port::Rvfi, &[("encoder_registers", "true")], Holding::Adapter),
    (Port::Rvfi, STARTS, Holding::Adapter),
    (Port::Block, &[], Holding::Nothing),
    (Port::Block, MANY_STARTS, Holding::Core),
];

/// E-Trace with the port and the buffers that take all that a core can retire.
fn design(changes: Changes) -> Design {
    let mut design = Design::preset("etrace-base").expect("a preset");
    design = design.for_machine(MACHINE).expect("a machine");
    let wide = [
        ("enable_pin", "true"),
        ("when_full", "drop"),
        ("encoder", "parallel"),
        ("trace_port_width", "64"),
        ("record_queue_depth", "16"),
        ("fifo_bits", "4096"),
    ];
    for (name, value) in wide.iter().chain(changes) {
        design.set(name, value).expect("a good value");
    }
    design
}

fn whole(port: Port, design: &Design) -> Generated {
    let generated = tracewright_hdl::generate(design).expect("a good design");
    match port.ingress() {
        Some(ingress) => with_ingress(design, generated, ingress).expect("an adapter"),
        None => generated,
    }
}

/// Compares the trace with that of the golden encoder, which has every instruction.
fn check(
    (port, holding): (Port, Holding),
    (generated, design): (&Generated, &Design),
    options: &BuildOptions,
) -> Result<(), String> {
    let library = source(generated).build(options).map_err(|error| error.to_string())?;
    for (seed, rate) in [(1, 100), (2, 100), (3, 70)] {
        let shown = Shown::new(port, design, seed, true);
        let run = bench::run(&library, &shown, (holding, rate))?;
        if run.drops > 0 {
            return Err(format!("seed {seed}: {} cycles in which blocks are lost", run.drops));
        }
        let trace = run.trace;
        let differs = trace.iter().zip(&shown.expected).position(|(one, other)| one != other);
        if differs.is_some() || trace.len() != shown.expected.len() {
            let sizes = (trace.len(), shown.expected.len());
            return Err(format!("seed {seed}: byte {differs:?} is another one, {sizes:?}"));
        }
    }
    Ok(())
}

#[test]
fn nothing_is_lost_where_everything_fits() {
    for_each(&CASES, |(port, changes, holding)| {
        let design = design(changes);
        let whole = whole(*port, &design);
        let found = check((*port, *holding), (&whole, &design), &BuildOptions::default());
        found.map_err(|what| format!("{port:?}, {changes:?}: {what}"))
    });
}

/// Around adapter and trace module.
const FAULTS: &[Fault] = &[
    ("the adapter holds nothing", "retire_stall = adapter_holds", "retire_stall = 1'b0"),
    ("what is held is shown", "retire_valid & !adapter_holds", "retire_valid"),
    ("what is held counts as lost", "module_drops & !adapter_holds;", "module_drops;"),
    ("losses are not heard", ".module_drops (module_drops)", ".module_drops (1'b0)"),
    ("the adapter never has room", ".adapter_stall (stall)", ".adapter_stall (1'b1)"),
];

#[test]
fn every_fault_of_holding_is_found() {
    let design = design(&[]);
    find_each(&whole(Port::Tip, &design), FAULTS, |generated, options| {
        check((Port::Tip, Holding::Adapter), (generated, &design), options)
    });
}

/// Each loss holds the core's blocks for a cycle, which fills the queue of a core that never pauses.
fn fills_no_queue(generated: &Generated, options: &BuildOptions) -> Result<(), String> {
    let design = narrow();
    let library = source(generated).build(options).map_err(|error| error.to_string())?;
    let run =
        bench::run(&library, &Shown::new(Port::Rvfi, &design, 4, false), (Holding::Adapter, 100));
    match run {
        Err(what) => Err(what),
        Ok(run) if run.drops < 100 => Err(format!("only {} drops", run.drops)),
        Ok(_) => Ok(()),
    }
}

/// Its losses are short, and many.
fn narrow() -> Design {
    design(&[
        ("encoder", "serial"),
        ("record_queue_depth", "2"),
        ("fifo_bits", "64"),
        ("trace_port_width", "2"),
    ])
}

#[test]
fn a_queue_with_little_room_holds_nothing() {
    let fault = ("the adapter always has room", ".adapter_stall (stall)", ".adapter_stall (1'b0)");
    find_each(&whole(Port::Rvfi, &narrow()), &[fault], fills_no_queue);
}
