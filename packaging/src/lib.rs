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

mod combined;
pub mod control;
mod funnel;
mod ingress;
mod netlist;
mod pins;
mod port_contract;
mod receiver;
mod render;
mod sink;
mod starting_points;
mod system;
mod templates;
mod uart;
mod unit;
mod vectors;
mod wires;

use std::collections::BTreeMap;

use tracewright_hdl::Generated;
use tracewright_sim::scheme::Design;

pub use combined::combined;
pub use funnel::funnel;
pub use ingress::{ingress_adapter, with_ingress};
pub use port_contract::port_contract;
pub use receiver::with_receiver;
pub use sink::sink_wrapper;
pub use starting_points::{
    STARTING_POINTS, StartingPoint, WHOLE_SYSTEM, WHOLE_UNIT, WholeUnit, index,
};
pub use system::{
    Hart, System, SystemAssembly, SystemError, SystemSink, SystemSinkConfig, register_base,
};
pub use tracewright_sim::sinks::{Sink, uart_reader::MARK};
pub use tracewright_sim::unit::Ingress;
pub use uart::uart_reader;
pub use unit::{Assembly, NoUnit, Shell, Unit};

/// Why a design cannot be packaged.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A port that every trace module has is missing: a fault of the hardware's source.
    #[error("{design} has no port `{port}`")]
    MissingPort {
        /// The design.
        design: String,
        /// The port.
        port: &'static str,
    },
    /// A port that nothing is known of: a fault of the hardware's source.
    #[error("{design} has a port `{port}`, and the testbench does not know what to show there")]
    UnknownPort {
        /// The design.
        design: String,
        /// The port, without the number of a core.
        port: String,
    },
    /// Two of the modules that are put together have one name.
    #[error(
        "{name}: two modules would be called `{module}`: expected designs and a module around them with different names, \
         where - counts as _"
    )]
    SameModule {
        /// The module around them.
        name: String,
        /// The name of both.
        module: String,
    },
    /// The design's testbench cannot be made.
    #[error("{design} cannot be given a testbench: {reason}")]
    Vectors {
        /// The design.
        design: String,
        /// What was wrong.
        reason: String,
    },
    /// The design can have no such adapter.
    #[error(transparent)]
    Adapter(#[from] tracewright_hdl::Error),
    /// Control registers for a module that has no pins to switch it.
    #[error(
        "{design} cannot be switched off and on by registers, because without packets a trace cannot go on where tracing was \
         switched on: set framing=packets and enable_pin=true"
    )]
    NoSwitch {
        /// The design.
        design: String,
    },
    /// The same where the pin alone is missing.
    #[error(
        "{design} cannot be switched off and on by registers without its pin: set enable_pin=true"
    )]
    NoEnablePin {
        /// The design.
        design: String,
    },
    /// Two sinks for one trace.
    #[error(
        "{design} can have one sink: a RAM sink with a memory of its own, one with that of the system, or a trace bus"
    )]
    TwoSinks {
        /// The design.
        design: String,
    },
    /// A reader of a ring that is not there, or not on its bus.
    #[error("{design} can have a reader of its ring only with registers on APB and a RAM sink")]
    Reader {
        /// The design.
        design: String,
    },
    /// More triggers than a register has fields for.
    #[error("{design} can have 8 trigger inputs and 8 trigger outputs at most, not {count}")]
    Triggers {
        /// The design.
        design: String,
        /// What was asked for.
        count: u32,
    },
    /// The sink's parameters break a constraint.
    #[error(transparent)]
    Sink(#[from] tracewright_sim::parameter::ParameterError),
    /// Harts that cannot be a system.
    #[error(transparent)]
    System(#[from] SystemError),
    /// Modules cannot be joined: a fault of this crate.
    #[error(transparent)]
    Assembly(#[from] tracewright_hdl::AssemblyError),
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
    let pins = pins::Pins::find(design, layers.trace_module)?;
    let vectors = vectors::Vectors::new(design, &pins)?;
    templates::fill(design, layers, sources, &pins, &vectors, assertions)
}
