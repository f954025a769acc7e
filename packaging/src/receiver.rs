//! What takes the trace from a sink, so that a module with a sink is simulated as one without.

use minijinja::context;
use tracewright_hdl::{Direction, Generated};
use tracewright_sim::scheme::Design;

use crate::Error;
use crate::pins::Pins;
use crate::render::render;
use crate::sink::{self, Sink, clock_or_reset, sink_wrapper};
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
    let has_pins = sink::has_half_period(&around);
    let beat_bits = if sink == Sink::Atb { pins.trace_width.max(8) } else { pins.trace_width };
    let mut ports: Vec<TemplatePort> = Vec::new();
    for inner in &generated.ports {
        let width = if inner.name == "trace_data" { beat_bits } else { inner.width };
        ports.push(port(&inner.name, inner.direction, width));
    }
    let is_there = |name: &str| generated.ports.iter().any(|port| port.name == name);
    let connection = |name: &str| match name {
        "aclken" | "atclken" => "clock_enable".to_owned(),
        "m_axis_tvalid" | "atvalid" => "trace_valid".into(),
        "m_axis_tready" | "atready" => "trace_ready".into(),
        "atdata" => "trace_data".into(),
        "trace_id" => TRACE_ID.into(),
        "afvalid" => "1'b0".into(),
        sink::SYNC_REQUEST => "sync_request".into(),
        _ => clock_or_reset(name, pins.reset).unwrap_or(name).into(),
    };
    let connections = around.ports.iter().map(|port| (port.name.clone(), connection(&port.name)));
    let connections: Vec<(String, String)> = connections.collect();
    // Outputs of the sink that are not the trace module's have wires of their own.
    let own = around.ports.iter().filter(|port| {
        port.direction == Direction::Output
            && connection(&port.name) == port.name
            && !is_there(&port.name)
    });
    let text = render(
        "received",
        TEMPLATE,
        context! {
            name => design.name, top => around.top, ports, wires => own.map(wires::passed).collect::<Vec<_>>(), connections,
            has_pins, half_period, pins, is_axis => sink == Sink::AxiStream,
        },
    )?;
    let top = format!("{}_received", around.top);
    let mut files = generated.files;
    files.extend(around.files);
    files.push((format!("{top}.v"), text));
    let own_bits = usize::from(has_pins);
    Ok(Generated {
        top,
        files,
        ports: wires::ports(&[&ports]),
        storage_bits: around.storage_bits + own_bits,
        storage: around.storage,
        ..generated
    })
}
