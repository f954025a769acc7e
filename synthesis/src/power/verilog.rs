//! Netlists in Verilog, of cells or of what cells do, with a name for every net.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::cells::{Cell, Kept};
use super::function::Function;
use crate::netlist::{self, Bit, Module, Netlist};

/// What the cells of a library become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Instances.
    Cells,
    /// Assignments and processes, which any simulator runs without models of the cells.
    Functions,
}

/// The name of a net that is at no input of its module.
pub(super) fn net_name(number: u64) -> String {
    format!("net_{number}")
}

/// The number of a net of this name.
pub(super) fn net_number(name: &str) -> Option<u64> {
    name.strip_prefix("net_")?.parse().ok()
}

/// Every module of a netlist.
pub(super) fn modules(netlist: &Netlist, kinds: &[Cell], form: Form) -> String {
    let mut text = String::new();
    for (name, module) in netlist.modules.iter().filter(|(name, _)| netlist.is_design_module(name))
    {
        module_text(&mut text, (name, module), netlist, kinds, form);
    }
    text
}

fn module_text(
    text: &mut String,
    (name, module): (&str, &Module),
    netlist: &Netlist,
    kinds: &[Cell],
    form: Form,
) {
    let inputs = inputs(module);
    let names = |bit: &Bit| match bit {
        Bit::Constant(value) => format!("1'b{}", u8::from(value == "1")),
        Bit::Net(number) => inputs.get(number).cloned().unwrap_or_else(|| net_name(*number)),
    };
    let ports: Vec<String> = module
        .ports
        .iter()
        .map(|(name, port)| format!("    {} wire {}{name}", port.direction, range(port.bits.len())))
        .collect();
    let _ = writeln!(text, "module {name} (\n{}\n);", ports.join(",\n"));
    let all = module.cells.values().flat_map(|cell| cell.connections.values());
    let outputs = module.ports.values().map(|port| &port.bits);
    let mut numbers: Vec<u64> = all
        .chain(outputs)
        .flatten()
        .filter_map(|bit| match bit {
            Bit::Net(number) if !inputs.contains_key(number) => Some(*number),
            _ => None,
        })
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    for number in numbers {
        let _ = writeln!(text, "    wire {};", net_name(number));
    }
    for (name, port) in module.ports.iter().filter(|(_, port)| port.direction == "output") {
        let _ = writeln!(text, "    assign {name} = {};", together(&port.bits, &names));
    }
    for (number, (name, cell)) in module.cells.iter().enumerate() {
        let kind = kinds.iter().find(|kind| kind.name == cell.kind);
        match kind {
            Some(kind) if form == Form::Functions => functions(text, number, kind, cell, &names),
            _ if cell.kind == "$scopeinfo" => {}
            _ => {
                let is_inner = netlist.is_design_module(&cell.kind);
                let name = if is_inner { name.clone() } else { format!("cell_{number}") };
                let connections: Vec<String> = cell
                    .connections
                    .iter()
                    .filter(|(_, bits)| !bits.is_empty())
                    .map(|(port, bits)| format!(".{port}({})", together(bits, &names)))
                    .collect();
                let _ = writeln!(text, "    {} {name} ({});", cell.kind, connections.join(", "));
            }
        }
    }
    text.push_str("endmodule\n\n");
}

/// What a cell does: its outputs are assigned, and what it keeps is a register.
fn functions(
    text: &mut String,
    number: usize,
    kind: &Cell,
    cell: &netlist::Cell,
    names: &dyn Fn(&Bit) -> String,
) {
    let kept = format!("kept_{number}");
    let name = |variable: usize| match kind.pins.get(variable) {
        Some(pin) => cell.bits(&pin.name).first().map_or("1'b0".into(), names),
        None if variable == kind.pins.len() => kept.clone(),
        None => format!("~{kept}"),
    };
    if let Some(what) = &kind.kept {
        let _ = writeln!(text, "    reg {kept};");
        process(text, &kept, what, &name);
    }
    for pin in kind.pins.iter().filter(|pin| pin.is_output) {
        let target = cell.bits(&pin.name).first();
        if let Some((target, function)) = target.zip(pin.function.as_ref()) {
            let _ = writeln!(text, "    assign {} = {};", names(target), function.verilog(&name));
        }
    }
}

fn process(text: &mut String, kept: &str, what: &Kept, name: &dyn Fn(usize) -> String) {
    let of = |function: &Function| function.verilog(name);
    let clear = what.clear.as_ref().map(|clear| (of(clear), "1'b0"));
    let preset = what.preset.as_ref().map(|preset| (of(preset), "1'b1"));
    let asynchronous: Vec<(String, &str)> = clear.into_iter().chain(preset).collect();
    let mut body = String::new();
    for (condition, value) in &asynchronous {
        let _ = write!(body, "if ({condition}) {kept} <= {value}; else ");
    }
    if what.is_latch {
        let _ = writeln!(
            text,
            "    always @* {body}if ({}) {kept} <= {};",
            of(&what.clock),
            of(&what.data)
        );
        return;
    }
    // An edge of an expression is none for every tool, and one of a clock's inversion is later than that of the clock.
    let edge = |function: &str| match function.strip_prefix('~') {
        Some(name) => format!("negedge {name}"),
        None => format!("posedge {function}"),
    };
    let events = [edge(&of(&what.clock))];
    let events =
        events.into_iter().chain(asynchronous.iter().map(|(condition, _)| edge(condition)));
    let events: Vec<String> = events.collect();
    let _ =
        writeln!(text, "    always @({}) {body}{kept} <= {};", events.join(" or "), of(&what.data));
}

/// The names of the nets at inputs.
fn inputs(module: &Module) -> HashMap<u64, String> {
    let mut names = HashMap::new();
    for (name, port) in module.ports.iter().filter(|(_, port)| port.direction == "input") {
        for (place, bit) in port.bits.iter().enumerate() {
            let text = if port.bits.len() > 1 { format!("{name}[{place}]") } else { name.clone() };
            if let Bit::Net(number) = bit {
                names.insert(*number, text);
            }
        }
    }
    names
}

fn range(bits: usize) -> String {
    if bits > 1 { format!("[{}:0] ", bits - 1) } else { String::new() }
}

fn together(bits: &[Bit], names: &dyn Fn(&Bit) -> String) -> String {
    match bits {
        [bit] => names(bit),
        bits => format!("{{{}}}", bits.iter().rev().map(names).collect::<Vec<_>>().join(", ")),
    }
}
