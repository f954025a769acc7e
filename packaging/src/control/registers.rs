//! The module with the registers on a bus: its front end, and the registers themselves.

use minijinja::context;
use tracewright_hdl::control::{ControlPart, Owner, generate_control_part};
use tracewright_hdl::{Direction, Generated, Storage};
use tracewright_sim::pins::{Group, Pin, control as pins, module};

use super::Bus;
use super::table::{Access, Hardware, Map};
use crate::Error;
use crate::pins::{is_of, reset_of};
use crate::render::render;
use crate::wires::{self, TemplatePort, port};

const TEMPLATE: &str = include_str!("../../templates/TOP_registers.v");

/// What the names of the wires between the front end and the registers begin with.
const ACCESS: &str = "access_";

/// The signals of a bus, without clock and reset.
pub(super) fn signals(bus: Bus) -> &'static [Pin<()>] {
    match bus {
        Bus::Apb => pins::APB,
        Bus::AxiLite => pins::AXI_LITE,
    }
}

/// The names of the signals of a bus, without clock and reset.
pub(crate) fn signal_names(bus: Bus) -> impl Iterator<Item = &'static str> {
    signals(bus).iter().map(|pin| pin.name)
}

/// Name and logical name in IP-XACT of each signal of a bus, without clock and reset.
pub(super) fn logical(bus: Bus) -> Vec<(&'static str, String)> {
    let logical = |name: &'static str| name.trim_start_matches("s_axi_").to_uppercase();
    signal_names(bus).map(|name| (name, logical(name))).collect()
}

/// The ports of a bus.
pub(super) fn bus_ports(bus: Bus) -> Vec<TemplatePort> {
    wires::pins(signals(bus), &())
}

/// The ports of the registers on the side of the hardware, in the order of the table.
pub(super) fn hardware_ports(map: &Map) -> Vec<TemplatePort> {
    use Direction::{Input, Output};
    let mut ports = Vec::new();
    for (_, field) in map.fields() {
        let (name, width) = (field.name, field.kept_bits() as usize);
        let of = |suffix: &str, direction, width| port(format!("{name}{suffix}"), direction, width);
        match field.access {
            Access::Constant => {}
            Access::Status => ports.push(of("_value", Input, width)),
            Access::Control { hardware, .. } => {
                ports.push(of("", Output, width));
                let (sets, clears) = (hardware == Hardware::Switches, hardware != Hardware::Reads);
                ports.extend(sets.then(|| of("_set", Input, 1)));
                ports.extend(clears.then(|| of("_clear", Input, 1)));
            }
            Access::Sticky { .. } => ports.push(of("_set", Input, 1)),
            Access::Pointer { .. } => ports.extend([
                of("_value", Input, width),
                of("_load", Output, 1),
                of("_loaded", Output, width),
            ]),
            Access::Data => ports.extend([
                of("_value", Input, width),
                of("_ready", Input, 1),
                of("_read", Output, 1),
            ]),
        }
    }
    ports
}

/// The first line of a file of the control registers.
pub(super) fn header<'a>(owner: impl Into<Owner<'a>>) -> String {
    format!("// {}\n", owner.into().made())
}

/// What is connected to a port of the front end: an address is one of words there, and a valid of AXI may be one that the
/// reset gates.
fn of_front_end(name: &str, gates_valid: bool) -> String {
    let addresses = [pins::PADDR.name, pins::AXI_AWADDR.name, pins::AXI_ARADDR.name];
    match name {
        _ if addresses.contains(&name) => format!("{name}[15:2]"),
        _ if gates_valid && name == pins::AXI_BVALID.name => "write_answered".into(),
        _ if gates_valid && name == pins::AXI_RVALID.name => "read_answered".into(),
        _ => name.to_owned(),
    }
}

/// The module with the registers of a map on a bus.
pub(super) fn register_file<'a>(
    owner: impl Into<Owner<'a>>,
    map: &Map,
    bus: Bus,
) -> Result<Generated, Error> {
    let owner = owner.into();
    let front_end = ControlPart::front_end(bus, owner.style());
    let front_end = generate_control_part(owner, front_end)?;
    let file = generate_control_part(owner, ControlPart::Registers(map))?;
    let top = format!("{}_registers", owner.module());
    let reset = reset_of(owner.style());
    let (bus_ports, ports) = (bus_ports(bus), hardware_ports(map));
    let gates_valid = bus == Bus::AxiLite && reset == module::RESET.name;
    let name = |of: &tracewright_hdl::Port| of.name.clone();
    let connections = front_end.ports.iter().map(|port| {
        let connection = of_front_end(&port.name, gates_valid);
        (name(port), connection)
    });
    let access = file.ports.iter().filter(|port| port.name.starts_with(ACCESS));
    let text = render(
        "registers",
        TEMPLATE,
        context! {
            header => header(owner), module => top, bus, bus_ports, ports, reset, gates_valid,
            access => access.map(wires::passed).collect::<Vec<_>>(), front_end => front_end.top,
            of_front_end => connections.collect::<Vec<_>>(), register_file => file.top,
            of_register_file => file.ports.iter().map(name).collect::<Vec<_>>(),
        },
    )?;
    let clocks =
        file.ports.iter().filter(|port| is_of(&port.name, Group::Clock)).map(wires::passed);
    let bits = front_end.storage_bits + file.storage_bits;
    let mut files = front_end.files;
    files.extend(file.files);
    files.push((format!("{top}.v"), text));
    Ok(Generated {
        ports: wires::ports(&[&clocks.collect::<Vec<_>>(), &bus_ports, &ports]),
        files,
        memory_files: Vec::new(),
        header: header(owner),
        top_header: header(owner),
        storage: vec![Storage { instance: "registers".into(), bits }],
        storage_bits: bits,
        memory_bits: 0,
        faults: Vec::new(),
        top,
    })
}
