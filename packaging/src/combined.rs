//! A design for control flow and one for data addresses before one trace port.

use minijinja::context;
use tracewright_hdl::{Direction, Generated, Storage};
use tracewright_sim::combined::Combined;

use crate::Error;
use crate::render::render;
use crate::wires::{self, TemplatePort, passed, port};

const TEMPLATE: &str = include_str!("../templates/TOP_combined.v");

/// Pins of a design that the module around it does not pass on as they are.
const OWN: [&str; 8] = [
    "retire_valid",
    "data_valid",
    "stall",
    "flush",
    "flushed",
    "buffered_words",
    "trace_data",
    "trace_valid",
];

/// Pins that all modules have in common.
const COMMON: [&str; 4] = ["clock", "reset", "reset_n", "clock_enable"];

/// The module `name` around both designs and a funnel.
///
/// It has the pins of both, but for one `stall`, `flush`, `flushed` and trace port of 8 bits; `data_buffered_words` is
/// what waits of data addresses.
///
/// # Errors
/// When the name cannot be a module's, or a design cannot become hardware.
pub fn combined(name: &str, combined: &Combined) -> Result<Generated, Error> {
    let [flow, data] = combined.designs();
    let funnel_top = format!("{name}_funnel");
    let funnel = tracewright_hdl::generate_funnel(&funnel_top, combined.funnel(), flow.port())?;
    let (flow, data) = (tracewright_hdl::generate(flow)?, tracewright_hdl::generate(data)?);
    let is_passed = |name: &str| !OWN.contains(&name) && name != "trace_ready";
    let names = |module: &Generated| -> Vec<String> {
        let ports = module.ports.iter().map(|port| port.name.clone());
        ports.filter(|name| is_passed(name)).collect()
    };
    let common = |name: &&String| COMMON.contains(&name.as_str());
    let (flow_passed, data_passed) = (names(&flow), names(&data));
    let ports = ports(&flow, &data);
    let context = context! {
        top => name,
        flow_top => flow.top,
        data_top => data.top,
        funnel_top,
        ports,
        common => flow_passed.iter().filter(common).collect::<Vec<_>>(),
        flow_passed,
        data_passed,
    };
    let text = render("TOP_combined.v", TEMPLATE, context)?;
    Ok(around(name, text, wires::ports(&[&ports]), [flow, data, funnel]))
}

/// The ports of the module around two designs.
fn ports(flow: &Generated, data: &Generated) -> Vec<TemplatePort> {
    let width = |module: &Generated, name: &str| {
        module.ports.iter().find(|port| port.name == name).map_or(1, |port| port.width)
    };
    let is_common = |name: &str| COMMON.contains(&name);
    let inputs = |module: &Generated, has_common: bool| -> Vec<TemplatePort> {
        let inputs = module.ports.iter().filter(|port| {
            port.direction == Direction::Input
                && !matches!(port.name.as_str(), "flush" | "trace_ready")
                && (has_common || !is_common(&port.name))
        });
        inputs.map(passed).collect()
    };
    let mut ports = inputs(flow, true);
    ports.extend(inputs(data, false));
    ports.extend([
        port("stall", Direction::Output, 1),
        port("flush", Direction::Input, 1),
        port("flushed", Direction::Output, 1),
        port("trace_data", Direction::Output, 8),
        port("trace_valid", Direction::Output, 1),
        port("trace_ready", Direction::Input, 1),
        port("buffered_words", Direction::Output, width(flow, "buffered_words")),
        port("data_buffered_words", Direction::Output, width(data, "buffered_words")),
    ]);
    ports
}

/// The Verilog of a module `top` around others, which come first.
fn around(
    top: &str,
    text: String,
    ports: Vec<tracewright_hdl::Port>,
    inner: [Generated; 3],
) -> Generated {
    let header = format!("// {top} of Tracewright, made by `tracewright combine`.\n");
    let mut generated = Generated {
        top: top.to_owned(),
        top_header: header.clone(),
        header,
        files: Vec::new(),
        memory_files: Vec::new(),
        ports,
        storage_bits: 0,
        storage: Vec::new(),
        memory_bits: 0,
        faults: Vec::new(),
    };
    for module in inner {
        let storage = module.storage.into_iter();
        let of_module = |Storage { instance, bits }| {
            let instance = format!("{}.{instance}", module.top);
            Storage { instance, bits }
        };
        generated.storage.extend(storage.map(of_module));
        generated.storage_bits += module.storage_bits;
        generated.memory_bits += module.memory_bits;
        generated.memory_files.extend(module.memory_files);
        generated.files.extend(module.files);
    }
    let text = format!("{}\n{text}", generated.header);
    generated.files.push((format!("{top}.v"), text));
    generated
}
