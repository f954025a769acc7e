//! E-Trace and N-Trace whose core never waits: nothing is lost while its sink takes every beat, not even what comes right after an
//! exception whose block makes two payloads.

mod bench;
mod expected;
mod faults;

use std::sync::Arc;

use tracewright_hdl::Generated;
use tracewright_hdl::unit::with_ingress;
use tracewright_sim::ingress::Queue;
use tracewright_sim::scheme::Design;
use tracewright_sim::tip;
use tracewright_sim::unit::Ingress;
use tracewright_testbench::{BuildOptions, Library, design::source};

use crate::common::{chosen, for_each};
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
            Port::Rvfi => Some(Ingress::Rvfi(crate::execution::of_queue(QUEUE))),
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

const E_TRACE: &str = "etrace-base";

const N_TRACE: &str = "ntrace-htm";

const CASES: [(&str, Port, Changes, Holding); 7] = [
    (E_TRACE, Port::Tip, &[], Holding::Adapter),
    (E_TRACE, Port::Tip, STATES, Holding::Adapter),
    (E_TRACE, Port::Rvfi, &[("encoder_registers", "true")], Holding::Adapter),
    (E_TRACE, Port::Rvfi, STARTS, Holding::Adapter),
    (E_TRACE, Port::Block, &[], Holding::Nothing),
    (E_TRACE, Port::Block, MANY_STARTS, Holding::Core),
    (N_TRACE, Port::Tip, &[("privilege_bits", "2")], Holding::Adapter),
];

/// A scheme with the port and the buffers that take all that a core can retire.
fn design(preset: &str, changes: Changes) -> Design {
    let mut design = Design::preset(preset).expect("a preset");
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
    compare((port, holding), &library, design)
}

/// The same of a model that is built.
fn compare(
    (port, holding): (Port, Holding),
    library: &Arc<Library>,
    design: &Design,
) -> Result<(), String> {
    for (seed, rate) in [(1, 100), (2, 100), (3, 70)] {
        let shown = Shown::new(port, design, seed, true);
        let run = bench::run(library, &shown, (holding, rate))?;
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
    for_each(&chosen(CASES, &[1, 5, 6]), |(preset, port, changes, holding)| {
        let design = design(preset, changes);
        let whole = whole(*port, &design);
        let found = check((*port, *holding), (&whole, &design), &BuildOptions::default());
        found.map_err(|what| format!("{preset}, {port:?}, {changes:?}: {what}"))
    });
}
