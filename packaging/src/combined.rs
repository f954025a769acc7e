//! A design for control flow and one for data addresses before one trace port.

use std::collections::BTreeSet;

use minijinja::context;
use tracewright_hdl::{Direction, Generated, Storage};
use tracewright_sim::combined::Combined;
use tracewright_sim::pins::{Group, module, sinks};

use crate::Error;
use crate::pins::is_of;
use crate::render::render;
use crate::wires::{self, TemplatePort, passed, pin};

const TEMPLATE: &str = include_str!("../templates/TOP_combined.v");

/// True for a pin of a design that the module around it does not pass on as it is.
fn is_own(name: &str) -> bool {
    let own = [module::RETIRE_VALID.name, module::DATA_VALID.name, module::STALL.name];
    let groups = [Group::Flush, Group::Trace, Group::Level];
    own.contains(&name) || groups.into_iter().any(|group| is_of(name, group))
}

/// True for the clock, the reset and the clock enable, which both designs have in common.
fn is_common(name: &str) -> bool {
    is_of(name, Group::Clock)
}

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
    let refused = |source| tracewright_hdl::Error::Elaborate {
        design: name.into(),
        source: Box::new(source),
    };
    tracewright_hdl::check_top(name).map_err(refused)?;
    if let Some(module) = same_module(name, [&flow, &data, &funnel]) {
        return Err(Error::SameModule { name: name.into(), module });
    }
    let names = |module: &Generated| -> Vec<String> {
        let ports = module.ports.iter().map(|port| port.name.clone());
        ports.filter(|name| !is_own(name)).collect()
    };
    let common = |name: &&String| is_common(name);
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

/// A name that two of the modules have, one of which is that around the others.
fn same_module(name: &str, inner: [&Generated; 3]) -> Option<String> {
    let modules = inner.into_iter().flat_map(|module| &module.files);
    let mut modules = modules.map(|(file, _)| file.trim_end_matches(".v"));
    let mut names = BTreeSet::from([name]);
    modules.find(|module| !names.insert(module)).map(str::to_owned)
}

/// The ports of the module around two designs.
fn ports(flow: &Generated, data: &Generated) -> Vec<TemplatePort> {
    let inputs = |of: &Generated, has_common: bool| -> Vec<TemplatePort> {
        let inputs = of.ports.iter().filter(|port| {
            let is_shared = is_of(&port.name, Group::Flush) || is_of(&port.name, Group::Trace);
            port.direction == Direction::Input
                && !is_shared
                && (has_common || !is_common(&port.name))
        });
        inputs.map(passed).collect()
    };
    let level = |of: &Generated| {
        let port = of.ports.iter().find(|port| is_of(&port.name, Group::Level));
        port.map_or(1, |port| port.width)
    };
    let mut ports = inputs(flow, true);
    ports.extend(inputs(data, false));
    ports.extend([
        pin(&module::STALL, 1),
        pin(&module::FLUSH, 1),
        pin(&module::FLUSHED, 1),
        pin(&module::TRACE_DATA, 8),
        pin(&module::TRACE_VALID, 1),
        pin(&module::TRACE_READY, 1),
        pin(&module::BUFFERED_WORDS, level(flow) as u32),
        pin(&sinks::DATA_BUFFERED_WORDS, level(data) as u32),
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
