//! What a design's Verilog needs to be used elsewhere, as texts by file name.
//!
//! * `NAME.core`: FuseSoC, with targets to lint, simulate and synthesize;
//! * `NAME.xml`: an IP-XACT component, IEEE 1685-2014;
//! * `TOP.sdc`: timing constraints; `TOP_nextpnr.sdc`: those that nextpnr reads;
//! * `TOP_waivers.vlt`: the lint waiver for one file with several modules;
//! * `TOP_axis.v`: the module with an AXI4-Stream port ([`sink_wrapper`]);
//! * `TOP_contract.v`, on request: a module that checks that the pins follow docs/hardware.md;
//! * `TOP_rvfi_contract.v` or `TOP_retired_contract.v`, on request: a module that names the conventions of a core's port that
//!   its adapter does not have ([`port_contract()`]);
//! * `TOP_icestorm.v`: the module with few pins, to place and route it alone;
//! * `TOP_rvfi.v` or `TOP_tip.v`, on request: the module with a port that its cores have themselves ([`with_ingress`]);
//! * `TOP_atb.v` or `TOP_pins.v`, on request: the module as the source of a trace bus or at the pins of a chip ([`sink_wrapper`]);
//! * `TOP_control.v`, on request: the module with control registers on a bus ([`control`]);
//! * `TOP_control_uart.v`, on request: that with a serial line by which its ring is read ([`uart_reader`]);
//! * `NAME.v` and, on request, `NAME_control.v`: a [`funnel()`] of several traces, and it with control registers;
//! * `testbench/`: a testbench in Verilog-2001 with its vectors.
//!
//! ```
//! let design = tracewright_sim::scheme::Design::preset("traptor-m4")?;
//! let generated = tracewright_hdl::generate(&design)?;
//! let layers = tracewright_packaging::Layers::alone(&generated);
//! let files = tracewright_packaging::package(&design, layers, &["traptor_m4.v"], false)?;
//! assert!(files["traptor_m4_axis.v"].contains("m_axis_tvalid"));
//! assert!(files["testbench/vectors.hex"].lines().count() > 100);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod control;
mod funnel;
mod port_contract;
mod render;
mod shown;
mod starting_points;
mod system;
mod templates;
mod vectors;

use std::collections::BTreeMap;

use tracewright_hdl::Generated;
use tracewright_hdl::unit::{Pins, UnitAssembly};
use tracewright_sim::scheme::Design;

pub use funnel::funnel;
pub use port_contract::port_contract;
pub use starting_points::{
    STARTING_POINTS, StartingPoint, WHOLE_SYSTEM, WHOLE_UNIT, WholeUnit, index,
};
pub use system::package_of_system;

/// Why a design cannot be packaged.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A port that nothing is known of: a fault of the hardware's source.
    #[error("{design} has a port `{port}`, and the testbench does not know what to show there")]
    UnknownPort {
        /// The design.
        design: String,
        /// The port, without the number of a core.
        port: String,
    },
    /// The design's testbench cannot be made.
    #[error("{design} cannot be given a testbench: {reason}")]
    Vectors {
        /// The design.
        design: String,
        /// What was wrong.
        reason: String,
    },
    /// A module around the design cannot be there.
    #[error(transparent)]
    Hardware(#[from] tracewright_hdl::Error),
    /// A template does not fit what it is given: a fault of this crate.
    #[error("a template cannot be filled in: {0}")]
    Template(#[from] minijinja::Error),
}

impl Error {
    fn refused<E: std::fmt::Display>(design: &Design) -> impl Fn(E) -> Error {
        move |error| Error::Vectors { design: design.name.clone(), reason: error.to_string() }
    }
}

/// A design's Verilog as it grows from the inside out: each module has the one before it in it, or is the same one.
#[derive(Clone, Copy, Debug)]
pub struct Layers<'a> {
    /// The trace module, which the testbench shows blocks to.
    pub trace_module: &'a Generated,
    /// That with the adapters of its cores, which gets an AXI4-Stream port.
    pub with_adapters: &'a Generated,
    /// The outermost module, which the timing constraints are for.
    pub whole: &'a Generated,
}

impl<'a> Layers<'a> {
    /// A trace module with nothing around it.
    pub fn alone(trace_module: &'a Generated) -> Layers<'a> {
        Layers { trace_module, with_adapters: trace_module, whole: trace_module }
    }

    /// The modules of a unit.
    pub fn of(unit: &'a UnitAssembly) -> Layers<'a> {
        Layers {
            trace_module: &unit.trace_module,
            with_adapters: unit.with_adapters(),
            whole: unit.whole(),
        }
    }
}

/// The files of a design's package beside its Verilog, by their names. `sources` are the names of the Verilog files of the module with
/// its adapters, every one after those with the modules that it instantiates. With `assertions` the package has a module that checks
/// the pins of the trace module, and the testbench instantiates it.
///
/// # Errors
/// When the design cannot be encoded, or its hardware has other pins than docs/hardware.md.
pub fn package(
    design: &Design,
    layers: Layers<'_>,
    sources: &[&str],
    assertions: bool,
) -> Result<BTreeMap<String, String>, Error> {
    let pins = Pins::find(design, layers.trace_module)?;
    let vectors = vectors::Vectors::new(design, &pins)?;
    templates::fill(design, layers, sources, &pins, &vectors, assertions)
}
