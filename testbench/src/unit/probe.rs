//! A module around a unit that shows what is at the pins of the trace module in it.

use std::fmt::Write as _;

use tracewright_hdl::{Direction, Generated, Port as Pin};
use tracewright_sim::pins::{Group, ingress, is_clock, module, sinks};

use super::Whole;
use crate::design::source;
use crate::error::Result;
use crate::library::{InputPort, Library, OutputPort};
use crate::{ModelSource, Port, VerilogFile};

/// Half a clock cycle at the pins of a chip, in clock cycles of the unit: as fast as it goes.
const FASTEST: &str = "#(.HALF_PERIOD (1))";

/// What the names of pins of the trace module begin with.
const PREFIX: &str = "probe_";

/// The name of the output that shows a pin of the trace module.
pub(super) fn name(pin: &str) -> String {
    format!("{PREFIX}{pin}")
}

/// The name of the input for a lane of a core's port.
pub(super) fn of_lane(pin: &str, lane: u32) -> String {
    format!("{pin}_lane{lane}")
}

/// True for a pin with the values of all lanes beside each other.
fn has_lanes(pin: &str) -> bool {
    let of_all = [&ingress::TIP_CAUSE, &ingress::TIP_PRIV, &ingress::TIP_CONTEXT];
    ingress::is_of_a_port(pin) && of_all.iter().all(|row| row.name != pin)
}

/// The name of a clock or a reset in the module around a unit, with what is in front of it at the unit's pin.
fn of_clock(pin: &Pin) -> Option<&'static str> {
    let is_low = [sinks::ARESETN.name, sinks::ATRESETN.name].contains(&pin.name.as_str());
    match pin.name.as_str() {
        name if is_clock(name) => Some(module::CLOCK.name),
        _ if is_low => Some(module::RESET_N.name),
        _ => None,
    }
}

/// The pins of the trace module that are shown.
fn shown(trace_module: &Generated) -> impl Iterator<Item = &Pin> {
    trace_module.ports.iter().filter(|port| {
        let is_of = |group| module::find(&port.name).is_some_and(|pin| pin.group == group);
        !is_of(Group::Clock) && !is_of(Group::Filter)
    })
}

/// The name of a pin without the number of the only core.
fn of_only_core(name: &str) -> &str {
    module::find(name).map_or(name, |pin| pin.name)
}

/// A trace module in what is simulated.
pub(super) struct Probed<'a> {
    /// What the names of its hart's pins begin with.
    pub(super) prefix: String,
    /// The instances down to it, each with a dot after it.
    pub(super) path: String,
    pub(super) trace_module: &'a Generated,
    /// What its core can show in a cycle.
    pub(super) lanes: u32,
}

/// A net in the outermost module that is shown, and its width.
pub(super) type Net = (&'static str, u32);

/// What is to be built: the unit, and the module around it.
pub(super) fn model(whole: &Whole) -> ModelSource {
    let path = whole.path.iter().map(|instance| format!("{instance}.")).collect();
    let probed = Probed {
        prefix: String::new(),
        path,
        trace_module: &whole.trace_module,
        lanes: whole.lanes(),
    };
    model_of(&whole.verilog, &[probed], &[])
}

/// The same of a module with several trace modules, and nets of its own that are shown.
pub(super) fn model_of(verilog: &Generated, probed: &[Probed<'_>], nets: &[Net]) -> ModelSource {
    let mut ports: Vec<Port> = Vec::new();
    let mut connections = Vec::new();
    for pin in &verilog.ports {
        let port = |name: String, width: u32| match pin.direction {
            Direction::Input => Port::input(name, width),
            Direction::Output => Port::output(name, width),
        };
        let of_lanes =
            probed.iter().find(|one| pin.name.strip_prefix(&one.prefix).is_some_and(has_lanes));
        if let Some(clock) = of_clock(pin) {
            ports.push(port(clock.into(), 1));
            connections.push(format!(".{} ({clock})", pin.name));
        } else if let Some(Probed { lanes, .. }) = of_lanes {
            let names: Vec<String> = (0..*lanes).map(|lane| of_lane(&pin.name, lane)).collect();
            let width = pin.width as u32 / lanes;
            ports.extend(names.iter().map(|name| port(name.clone(), width)));
            let beside: Vec<&str> = names.iter().rev().map(String::as_str).collect();
            connections.push(format!(".{} ({{{}}})", pin.name, beside.join(", ")));
        } else {
            ports.push(port(pin.name.clone(), pin.width as u32));
            connections.push(format!(".{0} ({0})", pin.name));
        }
    }
    let mut assignments = String::new();
    for Probed { prefix, path, trace_module, .. } in probed {
        for pin in shown(trace_module) {
            let port = format!("{prefix}{}", name(of_only_core(&pin.name)));
            let _ = writeln!(assignments, "    assign {port} = unit.{path}{};", pin.name);
            ports.push(Port::output(port, pin.width as u32));
        }
    }
    for (net, width) in nets {
        let _ = writeln!(assignments, "    assign {} = unit.{net};", name(net));
        ports.push(Port::output(name(net), *width));
    }
    let top = format!("{}_simulated", verilog.top);
    let text = text(&top, verilog, &ports, &connections, &assignments);
    let mut files = source(verilog).files;
    files.push(VerilogFile::new(format!("{top}.v"), text));
    ModelSource { files, top, clock: Some(module::CLOCK.name.into()), ports }
}

fn text(
    top: &str,
    verilog: &Generated,
    ports: &[Port],
    connections: &[String],
    assignments: &str,
) -> String {
    let declared = ports.iter().map(|port| {
        let range = if port.width > 1 { format!("[{}:0] ", port.width - 1) } else { String::new() };
        format!("    {} wire {range}{}", port.direction, port.name)
    });
    let declared: Vec<String> = declared.collect();
    let has = |pin: &str| verilog.ports.iter().any(|port| port.name == pin);
    // A system has a pin in place of the parameter.
    let is_parameter = has(sinks::PIN_CLOCK.name) && !has(sinks::HALF_PERIOD.name);
    let parameters = if is_parameter { FASTEST } else { "" };
    format!(
        "module {top} (\n{}\n);\n    {} {parameters} unit (\n        {}\n    );\n{assignments}endmodule\n",
        declared.join(",\n"),
        verilog.top,
        connections.join(",\n        "),
    )
}

/// The pins of a hart by the names that they have in its unit.
#[derive(Clone, Copy)]
pub(super) struct Named<'a> {
    library: &'a Library,
    prefix: &'a str,
}

impl<'a> Named<'a> {
    /// The pins whose names begin so in a model.
    pub(super) fn new(library: &'a Library, prefix: &'a str) -> Self {
        Named { library, prefix }
    }

    pub(super) fn input(&self, name: &str) -> Result<InputPort> {
        Ok(self.library.input_of_any_width(&format!("{}{name}", self.prefix))?.0)
    }

    pub(super) fn output(&self, name: &str) -> Result<OutputPort> {
        Ok(self.library.output_of_any_width(&format!("{}{name}", self.prefix))?.0)
    }
}
