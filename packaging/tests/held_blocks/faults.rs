//! Do the tests notice? One fault at a time is put around adapter and trace module, and each has to be found.

use tracewright_hdl::Generated;
use tracewright_sim::scheme::Design;
use tracewright_testbench::{BuildOptions, design::source};

use super::bench::{self, Holding};
use super::expected::Shown;
use super::{E_TRACE, Port, check, design, whole};
use crate::control::fault_lists::Fault;
use crate::control::faults::find_each;

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
    let design = design(E_TRACE, &[]);
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

#[test]
fn a_queue_with_little_room_holds_nothing() {
    let fault = ("the adapter always has room", ".adapter_stall (stall)", ".adapter_stall (1'b0)");
    find_each(&whole(Port::Rvfi, &narrow()), &[fault], fills_no_queue);
}
