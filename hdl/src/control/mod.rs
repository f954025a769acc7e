//! The hardware of control registers around a trace module or a funnel: front ends of buses, the registers, and what they do
//! with the module.

pub mod access;
pub mod apb;
pub mod apb_split;
pub mod axi_lite;
mod axi_lite_to_apb;
pub mod bridge_gate;
pub mod funnel_switch;
pub mod register_file;
pub mod timestamp_unit;
pub mod trace_switch;
pub mod trigger_inputs;
pub mod trigger_outputs;

use tracewright_elaborate::{Options, elaborate};
use tracewright_sim::config::TracePort;
use tracewright_sim::control::table::Map;
use tracewright_sim::control::{Bus, trace_switch as switch};
use tracewright_sim::scheme::Design;

use crate::{Error, Generated, collected, module_name, options};

/// What has control registers around it.
#[derive(Clone, Copy, Debug)]
pub enum Owner<'a> {
    /// The trace module of a design.
    Design(&'a Design),
    /// A funnel.
    Funnel {
        /// The name of its module.
        name: &'a str,
        /// Of which reset, clock enable and memories count.
        style: &'a TracePort,
    },
}

impl<'a> From<&'a Design> for Owner<'a> {
    fn from(design: &'a Design) -> Self {
        Owner::Design(design)
    }
}

impl<'a> ControlPart<'a> {
    /// The front end of a bus of registers in such a style: an AXI4-Lite has registers in any case.
    pub fn front_end(bus: Bus, style: &TracePort) -> ControlPart<'a> {
        match bus {
            Bus::Apb if style.encoder_registers => ControlPart::RegisteredApb,
            _ => ControlPart::FrontEnd(bus),
        }
    }
}

impl<'a> Owner<'a> {
    /// Its name.
    pub fn name(self) -> &'a str {
        match self {
            Owner::Design(design) => &design.name,
            Owner::Funnel { name, .. } => name,
        }
    }

    /// The name of its Verilog module.
    pub fn module(self) -> String {
        match self {
            Owner::Design(design) => module_name(design),
            Owner::Funnel { name, .. } => name.to_owned(),
        }
    }

    /// Reset, clock enable and memories.
    pub fn style(self) -> &'a TracePort {
        match self {
            Owner::Design(design) => design.port(),
            Owner::Funnel { style, .. } => style,
        }
    }

    /// The verb that makes its Verilog.
    pub fn verb(self) -> &'static str {
        match self {
            Owner::Design(_) => "generate",
            Owner::Funnel { .. } => "funnel",
        }
    }

    /// What the first line of a file of its control registers says.
    pub fn made(self) -> String {
        let (name, verb) = (self.name(), self.verb());
        format!("Control registers for {name} of Tracewright, made by `tracewright {verb}`.")
    }
}

/// A module of the control registers of a design or a funnel.
#[derive(Clone, Copy, Debug)]
pub enum ControlPart<'a> {
    /// The front end of a bus.
    FrontEnd(Bus),
    /// The front end of an APB with registers on both ways.
    RegisteredApb,
    /// The registers of a table.
    Registers(&'a Map),
    /// What switches the trace module.
    Switch(&'a switch::Config),
    /// What keeps a trace from a trace bus while its bridge is off.
    BridgeGate,
    /// The counter of a time of so many bits.
    TimestampUnit(u32),
    /// So many triggers from outside; true if the module stands still in some cycles.
    TriggerInputs(u32, bool),
    /// So many triggers to outside; true if the module stands still in some cycles.
    TriggerOutputs(u32, bool),
    /// What switches a funnel of so many sources.
    FunnelSwitch(u32),
    /// What gives transfers on an APB to so many units.
    ApbSplit(u32),
    /// What makes transfers on an APB with addresses of so many bits of those on an AXI4-Lite.
    AxiLiteToApb(u32),
}

/// The Verilog of a module of the control registers of a design or a funnel. Registers, bus and triggers do not wait for the
/// clock enable; the switches and the gate of a trace bus do.
///
/// # Errors
/// When the design breaks a constraint, or the name of the funnel cannot be a module's.
pub fn generate_control_part<'a>(
    owner: impl Into<Owner<'a>>,
    part: ControlPart<'_>,
) -> Result<Generated, Error> {
    part_module(owner.into(), part, false)
}

pub(crate) fn part_module(
    owner: Owner<'_>,
    part: ControlPart<'_>,
    faults: bool,
) -> Result<Generated, Error> {
    if let Owner::Design(design) = owner {
        design.validate()?;
    }
    let suffix = match part {
        ControlPart::FrontEnd(Bus::Apb) | ControlPart::RegisteredApb => "apb",
        ControlPart::FrontEnd(Bus::AxiLite) => "axi_lite",
        ControlPart::Registers(_) => "register_file",
        ControlPart::Switch(_) => "trace_switch",
        ControlPart::BridgeGate => "bridge_gate",
        ControlPart::TimestampUnit(_) => "timestamp_unit",
        ControlPart::TriggerInputs(..) => "trigger_inputs",
        ControlPart::TriggerOutputs(..) => "trigger_outputs",
        ControlPart::FunnelSwitch(_) => "funnel_switch",
        ControlPart::ApbSplit(_) => "apb_split",
        ControlPart::AxiLiteToApb(_) => "axi_lite_to_apb",
    };
    let top = format!("{}_{suffix}", owner.module());
    let mut options = Options { faults, ..options(top, owner.made(), owner.style()) };
    options.clock_enable &= matches!(
        part,
        ControlPart::Switch(_) | ControlPart::BridgeGate | ControlPart::FunnelSwitch(_)
    );
    let elaborated = match part {
        ControlPart::RegisteredApb => elaborate(&apb::RegisteredApb::new(), &options),
        ControlPart::FrontEnd(Bus::Apb) => elaborate(&apb::Apb::new(), &options),
        ControlPart::FrontEnd(Bus::AxiLite) => elaborate(&axi_lite::AxiLite::new(), &options),
        ControlPart::Registers(map) => elaborate(&register_file::RegisterFile::new(map), &options),
        ControlPart::Switch(config) => elaborate(&trace_switch::TraceSwitch::new(config), &options),
        ControlPart::BridgeGate => elaborate(&bridge_gate::BridgeGate::new(), &options),
        ControlPart::TimestampUnit(bits) => {
            elaborate(&timestamp_unit::TimestampUnit::new(bits), &options)
        }
        ControlPart::TriggerInputs(triggers, is_gated) => {
            elaborate(&trigger_inputs::TriggerInputs::new(triggers, is_gated), &options)
        }
        ControlPart::TriggerOutputs(triggers, is_gated) => {
            elaborate(&trigger_outputs::TriggerOutputs::new(triggers, is_gated), &options)
        }
        ControlPart::FunnelSwitch(sources) => {
            elaborate(&funnel_switch::FunnelSwitch::new(sources), &options)
        }
        ControlPart::ApbSplit(units) => elaborate(&apb_split::ApbSplit::new(units), &options),
        ControlPart::AxiLiteToApb(bits) => {
            elaborate(&axi_lite_to_apb::AxiLiteToApb::new(bits), &options)
        }
    };
    let refused =
        |source| Error::Elaborate { design: owner.name().to_owned(), source: Box::new(source) };
    Ok(collected(elaborated.map_err(refused)?, &options))
}
