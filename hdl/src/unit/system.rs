//! Several harts with one sink: their units, a funnel of whole messages, the sink, and one bus with all registers.

mod parts;
mod sink;

use std::collections::BTreeSet;

use tracewright_sim::config::TracePort;
use tracewright_sim::control::table::Map;
use tracewright_sim::message_funnel;
use tracewright_sim::pins::{control as pins, module};
use tracewright_sim::unit::{System, SystemError, SystemSinkConfig, UnitError};

use self::parts::Parts;
use super::netlist::Netlist;
use super::pins::reset_of;
use super::{UnitAssembly, assemble};
use crate::{Direction, Error, Generated};

/// The Verilog of a system, and what it was put together from.
#[derive(Clone, Debug)]
pub struct SystemAssembly {
    /// The units of the harts.
    pub units: Vec<UnitAssembly>,
    /// The module around all, with every file.
    pub whole: Generated,
    /// What takes the trace of all.
    pub sink: SystemSinkConfig,
    /// The funnel.
    pub funnel: message_funnel::Config,
    /// The registers of the funnel, and in the page after them those of the sink, where it has any.
    pub shared_registers: Map,
}

/// Pins of addresses, which are wider than those of a unit.
const ADDRESSES: [&str; 3] = [pins::PADDR.name, pins::AXI_AWADDR.name, pins::AXI_ARADDR.name];

/// Puts the Verilog of a system together.
///
/// # Errors
/// When the harts do not fit together, or one of them cannot have a module.
pub fn assemble_system(system: &System) -> Result<SystemAssembly, Error> {
    assembled(system, false)
}

/// The same with an input `fault_select`, whose value N puts the fault of that number into how units and what they share are
/// joined. With 0 the hardware is right.
///
/// # Errors
/// Those of [`assemble_system`].
pub fn assemble_system_with_faults(system: &System) -> Result<SystemAssembly, Error> {
    assembled(system, true)
}

fn assembled(system: &System, faults: bool) -> Result<SystemAssembly, Error> {
    let (funnel, sink) = (system.funnel()?, system.sink()?);
    let units = system.harts.iter().map(|hart| assemble(&hart.unit(&system.sink)));
    let units: Vec<UnitAssembly> =
        units.collect::<Result<_, _>>().map_err(|refused| refused.into_error())?;
    let Some(style) = system.style() else {
        return Err(Error::from(UnitError::from(SystemError::NoSource {
            hart: String::new(),
            design: system.name.clone(),
        })));
    };
    let shared_registers = system.shared_registers()?;
    let wholes: Vec<Generated> = units.iter().map(|unit| unit.clone().into_whole()).collect();
    let parts = Parts::new(system, (&style, &funnel, &sink), &shared_registers)?;
    let whole = joined(system, &wholes, &parts, (style.port(), faults))?;
    Ok(SystemAssembly { units, whole, sink, funnel, shared_registers })
}

/// The module around all.
fn joined(
    system: &System,
    units: &[Generated],
    parts: &Parts,
    (style, faults): (&TracePort, bool),
) -> Result<Generated, Error> {
    let refused =
        |source| crate::Error::Elaborate { design: system.name.clone(), source: Box::new(source) };
    crate::check_top(&system.name).map_err(refused)?;
    let mut netlist = Netlist::new(&system.name, faults);
    let bus = system.address_bits();
    for clock in [module::CLOCK.name, reset_of(style)] {
        netlist.port(clock, Direction::Input, 1);
    }
    for pin in system.bus.pins() {
        let is_address = ADDRESSES.contains(&pin.name);
        let width = if is_address { bus } else { pin.bits(&()) };
        let direction = if pin.is_input() { Direction::Input } else { Direction::Output };
        netlist.port(pin.name, direction, width as usize);
    }
    parts.nets(&mut netlist, &system.harts);
    for (place, (hart, unit)) in system.harts.iter().zip(units).enumerate() {
        netlist.instance(&hart.instance(), unit, |netlist, port| {
            parts.joined_unit(netlist, (place, hart), port)
        });
    }
    parts.instances(&mut netlist, &system.harts);
    let header = format!("// {} of Tracewright, made by `tracewright generate`.\n", system.name);
    let title = format!(
        "{} harts, one sink for their traces, and one bus with all registers (docs/system.md).\n",
        system.harts.len()
    );
    let whole = netlist.whole(&header, &title)?;
    let mut names = BTreeSet::new();
    match whole.files.iter().find(|(name, _)| !names.insert(name)) {
        Some((name, _)) => Err(Error::SameModule {
            name: system.name.clone(),
            module: name.trim_end_matches(".v").to_owned(),
        }),
        None => Ok(whole),
    }
}
