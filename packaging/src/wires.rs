//! Ports of the modules that are put around a trace module, as templates write them.

use serde::Serialize;
use tracewright_hdl::{Direction, Port};
use tracewright_sim::pins::Pin;

use crate::render::range;

/// A port in a template.
#[derive(Clone, Debug, Serialize)]
pub struct TemplatePort {
    pub name: String,
    /// With the space that aligns it.
    pub direction: &'static str,
    /// The range in Verilog, followed by a space; empty for one bit.
    pub range: String,
    #[serde(skip)]
    width: usize,
}

/// A port that is a wire.
pub fn port(name: impl Into<String>, direction: Direction, width: usize) -> TemplatePort {
    let direction = if direction == Direction::Input { "input " } else { "output" };
    TemplatePort { name: name.into(), direction, range: range(width), width }
}

/// A pin of the table as a wire.
pub fn pin<C>(pin: &Pin<C>, width: u32) -> TemplatePort {
    let direction = if pin.is_input() { Direction::Input } else { Direction::Output };
    port(pin.name, direction, width as usize)
}

/// The pins of a list that are there.
pub fn pins<C>(pins: &[Pin<C>], of: &C) -> Vec<TemplatePort> {
    pins.iter().filter(|row| row.bits(of) > 0).map(|row| pin(row, row.bits(of))).collect()
}

/// A port of another module as one of a template.
pub fn passed(of: &Port) -> TemplatePort {
    port(&of.name, of.direction, of.width)
}

/// The ports of a module from those of its template.
pub fn ports(lists: &[&[TemplatePort]]) -> Vec<Port> {
    let direction = |port: &TemplatePort| match port.direction {
        "output" => Direction::Output,
        _ => Direction::Input,
    };
    let all = lists.iter().flat_map(|list| list.iter());
    all.map(|port| Port { name: port.name.clone(), direction: direction(port), width: port.width })
        .collect()
}
