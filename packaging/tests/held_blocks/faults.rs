//! Do the tests notice? One fault at a time is put around adapter and trace module, and each has to be found.

use std::sync::Arc;

use tracewright_hdl::Fault;
use tracewright_sim::scheme::Design;
use tracewright_testbench::{BuildOptions, Library, design::source};

use super::bench::{self, Holding};
use super::expected::Shown;
use super::{E_TRACE, Port, compare, design, whole};
use crate::control::faults::{find_those, with_faults};

#[test]
fn every_fault_of_holding_is_found() {
    let design = design(E_TRACE, &[]);
    let generated = with_faults(&design, None, Port::Tip.ingress(), None);
    // Another bench tries the switch, in which tracing is switched.
    let is_tried = |fault: &Fault| !fault.module.ends_with("_adapter_switch");
    find_those("held-blocks", &generated, is_tried, |library| {
        compare((Port::Tip, Holding::Adapter), library, &design)
    });
}

#[test]
fn a_queue_with_little_room_holds_nothing() {
    let design = narrow();
    let right = whole(Port::Rvfi, &design);
    let built = |generated| source(generated).build(&BuildOptions::default()).expect("it compiles");
    assert_eq!(fills_no_queue(&built(&right), &design), Ok(()));
    let mut wrong = right.clone();
    let (_, top) = wrong.files.last_mut().expect("the top");
    let line = top.lines().find(|line| line.contains(".adapter_stall")).expect("it is joined");
    // The adapter always has room.
    *top = top.replace(line, "        .adapter_stall (1'b0),");
    assert!(fills_no_queue(&built(&wrong), &design).is_err());
}

/// Each loss holds the core's blocks for a cycle, which fills the queue of a core that never pauses.
fn fills_no_queue(library: &Arc<Library>, design: &Design) -> Result<(), String> {
    let shown = Shown::new(Port::Rvfi, design, 4, false);
    let run = bench::run(library, &shown, (Holding::Adapter, 100));
    match run {
        Err(what) => Err(what),
        Ok(run) if run.drops < 100 => Err(format!("only {} drops", run.drops)),
        Ok(_) => Ok(()),
    }
}

/// Its losses are short, and many.
fn narrow() -> Design {
    design(
        E_TRACE,
        &[
            ("encoder", "serial"),
            ("record_queue_depth", "2"),
            ("fifo_bits", "64"),
            ("trace_port_width", "2"),
        ],
    )
}
