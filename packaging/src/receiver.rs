//! What takes the trace from a sink, so that a module with a sink is simulated as one without.

use minijinja::context;
use tracewright_hdl::{Direction, Generated};
use tracewright_sim::pins::sinks::{self, Outlet};
use tracewright_sim::pins::{Pin, module};
use tracewright_sim::scheme::Design;
use tracewright_sim::sinks::Sink;

use crate::Error;
use crate::pins::Pins;
use crate::render::render;
use crate::sink::{clock_or_reset, has_half_period, sink_wrapper};
use crate::wires::{self, TemplatePort, port};

const TEMPLATE: &str = include_str!("../templates/TOP_received.v");

/// The source's number on a trace bus.
const TRACE_ID: &str = "7'd21";

/// The trace module of a design with a sink around it, and around both a module with the ports of the trace module, for
/// simulation. Bits that narrow trace ports send come in bytes from a trace bus: `trace_data` has 8 bits at least then. Pins of a chip
/// do not wait for `trace_ready`; they change every `2 * half_period` cycles, which is read for [`Sink::Pins`] only.
///
/// # Errors
/// Those of [`sink_wrapper`].
pub fn with_receiver(
    design: &Design,
    generated: Generated,
    sink: Sink,
    half_period: u8,
) -> Result<Generated, Error> {
    let pins = Pins::find(design, &generated)?;
    let around = sink_wrapper(design, &generated, sink)?;
    let has_pins = has_half_period(&around);
    let beat_bits = sink.beat_bits(pins.trace_width as u32) as usize;
    let mut ports: Vec<TemplatePort> = Vec::new();
    for inner in &generated.ports {
        let is_data = inner.name == module::TRACE_DATA.name;
        let width = if is_data { beat_bits } else { inner.width };
        ports.push(port(&inner.name, inner.direction, width));
    }
    let is_there = |name: &str| generated.ports.iter().any(|port| port.name == name);
    let connection = |name: &str| connection(name, pins.reset);
    let connections = around.ports.iter().map(|port| (port.name.clone(), connection(&port.name)));
    let connections: Vec<(String, String)> = connections.collect();
    // Outputs of the sink that are not the trace module's have wires of their own.
    let own = around.ports.iter().filter(|port| {
        port.direction == Direction::Output
            && connection(&port.name) == port.name
            && !is_there(&port.name)
    });
    let receiver = has_pins.then(|| tracewright_hdl::generate_pin_receiver(design)).transpose()?;
    let text = render(
        "received",
        TEMPLATE,
        context! {
            name => design.name, top => around.top, ports, wires => own.map(wires::passed).collect::<Vec<_>>(), connections,
            half_period, pins, receiver => receiver.as_ref().map(|receiver| &receiver.top),
            of_receiver => receiver.iter().flat_map(|receiver| &receiver.ports).map(|port| &port.name).collect::<Vec<_>>(), is_axis => sink == Sink::AxiStream,
        },
    )?;
    let top = format!("{}_received", around.top);
    let mut files = generated.files;
    let own_bits = receiver.as_ref().map_or(0, |receiver| receiver.storage_bits);
    files.extend(receiver.into_iter().flat_map(|receiver| receiver.files));
    files.extend(around.files);
    files.push((format!("{top}.v"), text));
    Ok(Generated {
        top,
        files,
        ports: wires::ports(&[&ports]),
        storage_bits: around.storage_bits + own_bits,
        storage: around.storage,
        ..generated
    })
}

/// What is connected to a port of a sink.
fn connection(name: &str, reset: &str) -> String {
    let of_module = [
        (module::CLOCK_ENABLE, &[sinks::ACLKEN, sinks::ATCLKEN][..]),
        (module::TRACE_DATA, &[sinks::ATDATA]),
        (module::SYNC_REQUEST, &[sinks::SYNCREQ]),
    ];
    let is_named = |pins: &[Pin<Outlet>]| pins.iter().any(|pin| pin.name == name);
    let mut handshakes = Sink::ALL.into_iter().filter_map(Sink::handshake);
    if let Some((pin, _)) = of_module.iter().find(|(_, pins)| is_named(pins)) {
        pin.name.to_owned()
    } else if let Some(pins) =
        handshakes.find(|pins| [pins.valid.name, pins.ready.name].contains(&name))
    {
        let pin = if pins.valid.name == name { module::TRACE_VALID } else { module::TRACE_READY };
        pin.name.to_owned()
    } else if name == sinks::TRACE_ID.name {
        TRACE_ID.into()
    } else if name == sinks::AFVALID.name {
        "1'b0".into()
    } else {
        clock_or_reset(name, reset).unwrap_or(name).into()
    }
}
