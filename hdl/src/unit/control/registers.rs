//! The module with the registers on a bus: its front end, and the registers themselves.

use tracewright_sim::control::Bus;
use tracewright_sim::control::table::{ADDRESS_BITS, Access, Hardware, Map};
use tracewright_sim::pins::{Group, control as pins, module};

use crate::control::{ControlPart, Owner, generate_control_part};
use crate::unit::pins::{is_of, reset_of};
use crate::unit::wires::{self, around, instance, made, port, storage};
use crate::{Assembly, Connection, Direction, Error, Generated, Port};

/// The ports of a bus.
pub(super) fn bus_ports(bus: Bus) -> Vec<Port> {
    wires::pins(bus.pins(), &())
}

/// The ports of the registers on the side of the hardware, in the order of the table.
pub(super) fn hardware_ports(map: &Map) -> Vec<Port> {
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

/// The module with the registers of a map on a bus.
pub(super) fn register_file<'a>(
    owner: impl Into<Owner<'a>>,
    map: &Map,
    bus: Bus,
) -> Result<Generated, Error> {
    register_module(owner.into(), map, bus, false)
}

/// The same, with or without faults in how its parts are joined.
pub(super) fn register_module(
    owner: Owner<'_>,
    map: &Map,
    bus: Bus,
    faults: bool,
) -> Result<Generated, Error> {
    let front_end = ControlPart::front_end(bus, owner.style());
    let front_end = generate_control_part(owner, front_end)?;
    let file = generate_control_part(owner, ControlPart::Registers(map))?;
    let top = format!("{}_registers", owner.module());
    let reset = reset_of(owner.style());
    let clocks = file.ports.iter().filter(|port| is_of(&port.name, Group::Clock)).cloned();
    let ports: Vec<_> = clocks.chain(bus_ports(bus)).chain(hardware_ports(map)).collect();
    let mut assembly = around(&top, &ports, faults);
    let gates_valid = bus == Bus::AxiLite && reset == module::RESET.name;
    instance(&mut assembly, "front_end", &front_end, |assembly, port| {
        of_front_end(assembly, port, gates_valid)
    });
    instance(&mut assembly, "register_file", &file, Assembly::same);
    let bus_name = if bus == Bus::Apb { "an APB4" } else { "an AXI4-Lite" };
    let title = format!(
        "Registers of the RISC-V Trace Control Interface as {bus_name} slave. docs/control.md describes them; an access\n\
         outside of their pages ends in an error, reads 0 and writes nothing. Registers are words, and are not protected.\n"
    );
    let made = made(assembly, &header(owner), &title)?;
    let bits = front_end.storage_bits + file.storage_bits;
    let mut files = front_end.files;
    files.extend(file.files);
    files.push(made.file);
    Ok(Generated {
        ports: made.ports,
        files,
        memory_files: Vec::new(),
        header: header(owner),
        top_header: header(owner),
        storage: vec![storage("registers", bits)],
        storage_bits: bits,
        memory_bits: 0,
        faults: made.faults,
        top,
    })
}

/// What is joined to a port of the front end: an address is one of words there, and AXI wants valid low from the first moment of
/// a reset, which takes effect at the next edge of the clock only.
fn of_front_end(assembly: &mut Assembly, port: &Port, gates_valid: bool) -> Connection {
    let name = port.name.as_str();
    let addresses = [pins::PADDR.name, pins::AXI_AWADDR.name, pins::AXI_ARADDR.name];
    let answers =
        [(pins::AXI_BVALID.name, "write_answered"), (pins::AXI_RVALID.name, "read_answered")];
    if addresses.contains(&name) {
        return assembly.net(name, ADDRESS_BITS as usize).value().bits(2, port.width).into();
    }
    match answers.iter().find(|(pin, _)| gates_valid && *pin == name) {
        None => assembly.same(port),
        Some((_, answered)) => {
            let answered = assembly.net(answered, 1);
            let (valid, reset) = (assembly.net(name, 1), assembly.bit(module::RESET.name));
            assembly.drive(valid, answered.value() & !reset);
            answered.into()
        }
    }
}
