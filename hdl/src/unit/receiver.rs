//! What takes the trace from a sink, so that a module with a sink is simulated as one without.

use tracewright_sim::pins::sinks::{self, Outlet};
use tracewright_sim::pins::{Pin, module};
use tracewright_sim::scheme::Design;
use tracewright_sim::sinks::Sink;

use crate::unit::pins::Pins;
use crate::unit::sink::{clock_or_reset, sink_wrapper};
use crate::unit::wires::{self, half_period, has_half_period, instance, made};
use crate::{Assembly, Connection, Error, Generated, Port, Value};

/// The source's number on a trace bus.
const TRACE_ID: u64 = 21;

/// The trace module of a design with a sink around it, and around both a module with the ports of the trace module, for
/// simulation. Bits that narrow trace ports send come in bytes from a trace bus: `trace_data` has 8 bits at least then. Pins of a chip
/// do not wait for `trace_ready`; they change every `2 * half_period_cycles` cycles, which is read for [`Sink::Pins`] only.
///
/// # Errors
/// Those of [`sink_wrapper`].
pub fn with_receiver(
    design: &Design,
    generated: Generated,
    sink: Sink,
    half_period_cycles: u8,
) -> Result<Generated, Error> {
    let pins = Pins::find(design, &generated)?;
    let around = sink_wrapper(design, &generated, sink)?;
    let has_pins = has_half_period(&around);
    let beat_bits = sink.beat_bits(pins.trace_width as u32) as usize;
    let mut ports = generated.ports.clone();
    for data in ports.iter_mut().filter(|port| port.name == module::TRACE_DATA.name) {
        data.width = beat_bits;
    }
    let top = format!("{}_received", around.top);
    let mut assembly = wires::around(&top, &ports, false);
    if sink == Sink::AxiStream {
        let bus = assembly.net(sinks::AXIS_TDATA.name, beat_bits.next_multiple_of(8));
        let data = assembly.net(module::TRACE_DATA.name, beat_bits);
        assembly.drive(data, bus.value().bits(0, beat_bits));
    }
    let receiver = has_pins.then(|| crate::generate_pin_receiver(design)).transpose()?;
    if let Some(receiver) = &receiver {
        instance(&mut assembly, "receiver", receiver, Assembly::same);
    }
    let period: Vec<_> =
        has_pins.then(|| half_period(&mut assembly, half_period_cycles)).into_iter().collect();
    assembly.instance("sink", around.instantiated(), &period, |assembly, port| {
        joined(assembly, port, pins.reset)
    });
    let title = format!(
        "{} with a sink and what takes the trace from it. The ports are those of the module without the sink, so that it is\n\
         simulated in the same way.\n",
        design.name
    );
    let made = made(assembly, "", &title)?;
    let mut files = generated.files;
    let own_bits = receiver.as_ref().map_or(0, |receiver| receiver.storage_bits);
    files.extend(receiver.into_iter().flat_map(|receiver| receiver.files));
    files.extend(around.files);
    files.push(made.file);
    Ok(Generated {
        top,
        files,
        ports: made.ports,
        storage_bits: around.storage_bits + own_bits,
        storage: around.storage,
        ..generated
    })
}

/// What is joined to a port of a sink.
fn joined(assembly: &mut Assembly, port: &Port, reset: &str) -> Connection {
    let of_module = [
        (module::CLOCK_ENABLE, &[sinks::ACLKEN, sinks::ATCLKEN][..]),
        (module::TRACE_DATA, &[sinks::ATDATA]),
        (module::SYNC_REQUEST, &[sinks::SYNCREQ]),
    ];
    let name = port.name.as_str();
    let is_named = |pins: &[Pin<Outlet>]| pins.iter().any(|pin| pin.name == name);
    let mut handshakes = Sink::ALL.into_iter().filter_map(Sink::handshake);
    let same = if let Some((pin, _)) = of_module.iter().find(|(_, pins)| is_named(pins)) {
        pin.name
    } else if let Some(pins) =
        handshakes.find(|pins| [pins.valid.name, pins.ready.name].contains(&name))
    {
        let pin = if pins.valid.name == name { module::TRACE_VALID } else { module::TRACE_READY };
        pin.name
    } else if name == sinks::TRACE_ID.name {
        return Value::constant(port.width, TRACE_ID).into();
    } else if name == sinks::AFVALID.name {
        return Value::constant(port.width, 0).into();
    } else if let Some(connection) = clock_or_reset(assembly, name, reset) {
        return connection;
    } else {
        name
    };
    assembly.net(same, port.width).into()
}
