//! A design for control flow and one for data addresses before one trace port.

use std::collections::BTreeSet;

use tracewright_sim::combined::Combined;
use tracewright_sim::pins::{Group, module, sinks};

use crate::unit::pins::is_of;
use crate::unit::wires::{self, Made, instance, made, pin};
use crate::{Assembly, Connection, Direction, Error, Generated, Port, Storage, Value};

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
    let funnel = crate::generate_funnel(&funnel_top, combined.funnel(), flow.port())?;
    let (flow, data) = (crate::generate(flow)?, crate::generate(data)?);
    let refused =
        |source| crate::Error::Elaborate { design: name.into(), source: Box::new(source) };
    crate::check_top(name).map_err(refused)?;
    if let Some(module) = same_module(name, [&flow, &data, &funnel]) {
        return Err(Error::SameModule { name: name.into(), module });
    }
    let made = joined(name, [&flow, &data, &funnel])?;
    Ok(whole(name, made, [flow, data, funnel]))
}

/// The first line of the file of the module.
fn header(name: &str) -> String {
    format!("// {name} of Tracewright, made by `tracewright combine`.\n")
}

/// A design before the funnel, by the names of its pins and of its nets.
struct Source {
    valid: &'static str,
    level: &'static str,
    stall: &'static str,
    flushed: &'static str,
    /// Of its trace port.
    data: &'static str,
    offers: &'static str,
    taken: &'static str,
}

const SOURCES: [Source; 2] = [
    Source {
        valid: module::RETIRE_VALID.name,
        level: module::BUFFERED_WORDS.name,
        stall: "flow_stall",
        flushed: "flow_flushed",
        data: "flow_data",
        offers: "flow_valid",
        taken: "flow_ready",
    },
    Source {
        valid: module::DATA_VALID.name,
        level: sinks::DATA_BUFFERED_WORDS.name,
        stall: "data_stall",
        flushed: "data_flushed",
        data: "address_data",
        offers: "address_valid",
        taken: "address_ready",
    },
];

impl Source {
    /// What is joined to a port of the design; `other` is the one beside it.
    fn joined(&self, other: &Source, assembly: &mut Assembly, port: &Port) -> Connection {
        let net = match port.name.as_str() {
            name if name == self.valid => {
                let waits = assembly.bit(other.stall);
                return (assembly.bit(name) & !waits).into();
            }
            name if name == module::STALL.name => self.stall,
            name if name == module::FLUSHED.name => self.flushed,
            name if name == module::TRACE_DATA.name => self.data,
            name if name == module::TRACE_VALID.name => self.offers,
            name if name == module::TRACE_READY.name => self.taken,
            name if name == module::BUFFERED_WORDS.name => self.level,
            name => name,
        };
        assembly.net(net, port.width).into()
    }

    /// What is joined to a port of the funnel; `None` if it is not of this source.
    fn of_funnel(&self, number: usize, port: &str) -> Option<&'static str> {
        let pins = [
            (sinks::SOURCE_DATA.numbered(number), self.data),
            (sinks::SOURCE_VALID.numbered(number), self.offers),
            (sinks::SOURCE_READY.numbered(number), self.taken),
        ];
        pins.into_iter().find(|(pin, _)| pin == port).map(|(_, net)| net)
    }
}

/// The module around both designs and the funnel.
fn joined(name: &str, [flow, data, funnel]: [&Generated; 3]) -> Result<Made, Error> {
    let mut assembly = wires::around(name, &ports(flow, data), false);
    let [flow_stalls, data_stalls] = SOURCES.map(|source| assembly.bit(source.stall));
    let stall = assembly.net(module::STALL.name, 1);
    assembly.drive(stall, flow_stalls | data_stalls);
    let [of_flow, of_data] = &SOURCES;
    instance(&mut assembly, "flow", flow, |assembly, port| of_flow.joined(of_data, assembly, port));
    let join = |assembly: &mut Assembly, port: &Port| of_data.joined(of_flow, assembly, port);
    instance(&mut assembly, "addresses", data, join);
    instance(&mut assembly, "funnel", funnel, |assembly, port| {
        let sources = SOURCES.iter().enumerate();
        let net = sources.filter_map(|(number, of)| of.of_funnel(number, &port.name)).next();
        match net {
            Some(net) => assembly.net(net, port.width).into(),
            // What is left leaves when neither of the two has anything more.
            None if port.name == module::FLUSH.name => {
                Value::all(SOURCES.map(|source| assembly.bit(source.flushed))).into()
            }
            None => assembly.same(port),
        }
    });
    let title = format!(
        "{name}: instructions ({}) and data addresses ({}) of one core in one trace, in the frames of\n\
         {}. Blocks and accesses of a cycle are taken together: neither of them while stall is high.\n",
        flow.top, data.top, funnel.top
    );
    Ok(made(assembly, &header(name), &title)?)
}

/// A name that two of the modules have, one of which is that around the others.
fn same_module(name: &str, inner: [&Generated; 3]) -> Option<String> {
    let modules = inner.into_iter().flat_map(|module| &module.files);
    let mut modules = modules.map(|(file, _)| file.trim_end_matches(".v"));
    let mut names = BTreeSet::from([name]);
    modules.find(|module| !names.insert(module)).map(str::to_owned)
}

/// The ports of the module around two designs.
fn ports(flow: &Generated, data: &Generated) -> Vec<Port> {
    let inputs = |of: &Generated, has_common: bool| -> Vec<Port> {
        let inputs = of.ports.iter().filter(|port| {
            let is_shared = is_of(&port.name, Group::Flush) || is_of(&port.name, Group::Trace);
            port.direction == Direction::Input
                && !is_shared
                && (has_common || !is_common(&port.name))
        });
        inputs.cloned().collect()
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
fn whole(top: &str, made: Made, inner: [Generated; 3]) -> Generated {
    let mut generated = Generated {
        top: top.to_owned(),
        top_header: header(top),
        header: header(top),
        files: Vec::new(),
        memory_files: Vec::new(),
        ports: made.ports,
        storage_bits: 0,
        storage: Vec::new(),
        memory_bits: 0,
        faults: made.faults,
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
    generated.files.push(made.file);
    generated
}
