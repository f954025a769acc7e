//! The hardware of control registers around a trace module: front ends of buses, the registers, and what they do with the
//! module.

pub mod access;
pub mod apb;
pub mod axi_lite;
pub mod bridge_gate;
pub mod register_file;
pub mod timestamp_unit;
pub mod trace_switch;
pub mod trigger_inputs;
pub mod trigger_outputs;

use tracewright_elaborate::{Options, elaborate};
use tracewright_sim::control::table::Map;
use tracewright_sim::control::{Bus, trace_switch as switch};
use tracewright_sim::scheme::Design;

use crate::{Error, Generated, beside, collected, refused};

/// A module of the control registers of a design.
#[derive(Clone, Copy, Debug)]
pub enum ControlPart<'a> {
    /// The front end of a bus.
    FrontEnd(Bus),
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
}

/// The Verilog of a module of the control registers of `design`. Registers, bus and triggers do not wait for the clock enable
/// of a design; the switch and the gate of a trace bus do.
///
/// # Errors
/// When the design breaks a constraint.
pub fn generate_control_part(design: &Design, part: ControlPart<'_>) -> Result<Generated, Error> {
    part_module(design, part, false)
}

pub(crate) fn part_module(
    design: &Design,
    part: ControlPart<'_>,
    faults: bool,
) -> Result<Generated, Error> {
    design.validate()?;
    let suffix = match part {
        ControlPart::FrontEnd(Bus::Apb) => "apb",
        ControlPart::FrontEnd(Bus::AxiLite) => "axi_lite",
        ControlPart::Registers(_) => "register_file",
        ControlPart::Switch(_) => "trace_switch",
        ControlPart::BridgeGate => "bridge_gate",
        ControlPart::TimestampUnit(_) => "timestamp_unit",
        ControlPart::TriggerInputs(..) => "trigger_inputs",
        ControlPart::TriggerOutputs(..) => "trigger_outputs",
    };
    let mut options = Options { faults, ..beside(design, suffix, "Control registers") };
    options.clock_enable &= matches!(part, ControlPart::Switch(_) | ControlPart::BridgeGate);
    let elaborated = match part {
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
    };
    Ok(collected(elaborated.map_err(refused(design))?, &options))
}
