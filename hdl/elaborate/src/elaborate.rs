//! From a block to the files of its modules.

use crate::collect::{Inherited, Node, collect};
use crate::error::Error;
use crate::names::objection;
use crate::options::{
    Direction, Instance, MemoryShape, Module, Options, Port, RegisterShape, Reset, Verilog,
};
use crate::table::{Interface, InterfacePort, Role, Table};
use crate::write::{OWN_NAME, placeholder};
use crate::{flow, lower, process, write};
use rust_hdl::core::prelude::Block;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Checks a design and writes it as Verilog-2001, one module for each distinct kind, parameters and body.
///
/// The same design and options give the same text, byte for byte.
pub fn elaborate<B: Block>(block: &B, options: &Options) -> Result<Verilog, Error> {
    if let Some(reason) = objection(&options.top) {
        return Err(Error::IllegalName {
            signal: options.top.clone(),
            name: options.top.clone(),
            reason,
        });
    }
    let root = collect(block, &options.top)?;
    let mut library = Library { reset: options.reset, entries: Vec::new(), known: HashMap::new() };
    let interface = library.add(&root, true, Inherited::default())?;
    let names = library.names(&options.top, interface.module)?;
    let modules = library.entries.iter().zip(&names).map(|(entry, name)| {
        let is_top = *name == options.top;
        let header = if is_top { options.top_header_text() } else { options.header_text() };
        entry.module(name, &names, &header)
    });
    let mut ports = Vec::new();
    if interface.clocking.is_declared {
        let reset = if options.reset == Reset::Synchronous { "reset" } else { "reset_n" };
        for name in ["clock", reset] {
            ports.push(Port { name: name.into(), direction: Direction::Input, width: 1 });
        }
    }
    ports.extend(interface.ports.iter().filter(|port| port.width > 0).map(|port| Port {
        name: port.name.clone(),
        direction: if port.is_output { Direction::Output } else { Direction::Input },
        width: port.width,
    }));
    if let Some(port) = ports.iter().find(|port| port.name == options.top) {
        return Err(Error::IllegalName {
            signal: options.top.clone(),
            name: port.name.clone(),
            reason: "it is the name of a pin",
        });
    }
    Ok(Verilog { top: options.top.clone(), modules: modules.collect(), ports })
}

/// A module whose name and whose sub-modules' names are still open.
struct Entry {
    kind: String,
    description: String,
    parameters: Vec<(String, u64)>,
    text: String,
    registers: Vec<RegisterShape>,
    memories: Vec<MemoryShape>,
    /// The instances: their names and modules.
    instances: Vec<(String, usize)>,
}

impl Entry {
    fn module(&self, name: &str, names: &[String], header: &str) -> Module {
        let summary = if self.description.is_empty() { &self.kind } else { &self.description };
        let mut text = format!("{header}// {summary}\n");
        let mut body = self.text.replace(OWN_NAME, name);
        for (_, module) in &self.instances {
            body = body.replace(&placeholder(*module), &names[*module]);
        }
        text.push_str(&body);
        let instance = |(name, module): &(String, usize)| Instance {
            name: name.clone(),
            module: names[*module].clone(),
        };
        Module {
            name: name.to_owned(),
            file_name: format!("{name}.v"),
            text,
            registers: self.registers.clone(),
            memories: self.memories.clone(),
            instances: self.instances.iter().map(instance).collect(),
        }
    }

    fn title(&self) -> String {
        if self.parameters.is_empty() {
            self.kind.clone()
        } else {
            format!("{}: {}", self.kind, self.stated())
        }
    }

    fn stated(&self) -> String {
        let parameters: Vec<String> =
            self.parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        parameters.join(", ")
    }
}

/// The distinct modules of a design, each after those it instantiates.
struct Library {
    reset: Reset,
    entries: Vec<Entry>,
    known: HashMap<String, usize>,
}

impl Library {
    /// Adds the module of `node`, and those below it, unless it is there already.
    ///
    /// It has the inputs that it inherits from the blocks that it is in.
    fn add(&mut self, node: &Node, is_top: bool, inherited: Inherited) -> Result<Interface, Error> {
        let scope = node.scope(inherited);
        let below = node.children.iter().map(|child| self.add(child, false, scope));
        let mut table = Table::new(node, below.collect::<Result<Vec<_>, _>>()?, inherited)?;
        if is_top {
            table.keep_pins();
        }
        let statements = lower::lower(&node.kernel, &table)?;
        let inputs = flow::check(&statements, &table)?;
        let mut interface = Interface {
            ports: interface_ports(&table, &inputs),
            bundles: table.bundles.clone(),
            clocking: table.clocking,
            module: 0,
        };
        let plan = process::plan(&statements, &table);
        let body = write::write(&mut table, &plan, self.reset);
        let instances = table
            .children
            .iter()
            .map(|child| (child.name.clone(), child.interface.module))
            .collect();
        let entry = Entry {
            kind: table.kind,
            description: table.description,
            parameters: table.parameters,
            text: body.text,
            registers: body.registers,
            memories: body.memories,
            instances,
        };
        let identity = format!("{}\n{}", entry.title(), entry.text);
        interface.module = *self.known.entry(identity).or_insert(self.entries.len());
        if interface.module == self.entries.len() {
            self.entries.push(entry);
        }
        Ok(interface)
    }

    /// The name of every module: the top's own, `top_kind`, or that with the parameters in which kinds differ.
    fn names(&self, top: &str, root: usize) -> Result<Vec<String>, Error> {
        let mut names = Vec::new();
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        for (index, entry) in self.entries.iter().enumerate() {
            let name = if index == root {
                top.to_owned()
            } else {
                format!("{top}_{}{}", entry.kind, self.suffix(index, root))
            };
            if let Some(reason) = objection(&name) {
                return Err(Error::IllegalName { signal: top.into(), name, reason });
            }
            if let Some(first) = seen.insert(name.clone(), index) {
                let first = &self.entries[first];
                if first.title() == entry.title() {
                    return Err(Error::AmbiguousKind {
                        kind: entry.kind.clone(),
                        parameters: entry.stated(),
                    });
                }
                return Err(Error::NameClash {
                    block: top.into(),
                    name,
                    first: first.title(),
                    second: entry.title(),
                });
            }
            names.push(name);
        }
        Ok(names)
    }

    fn suffix(&self, index: usize, root: usize) -> String {
        let entry = &self.entries[index];
        let alike: Vec<&Entry> = self
            .entries
            .iter()
            .enumerate()
            .filter(|(other, found)| *other != root && found.kind == entry.kind)
            .map(|(_, found)| found)
            .collect();
        let differs = |parameter: &(String, u64)| {
            alike.iter().any(|other| !other.parameters.contains(parameter))
        };
        let parts = entry.parameters.iter().filter(|parameter| differs(parameter));
        parts.map(|(name, value)| format!("_{name}{value}")).collect()
    }
}

fn interface_ports(table: &Table, inputs: &[BTreeSet<usize>]) -> Vec<InterfacePort> {
    table
        .signals
        .iter()
        .enumerate()
        .filter(|(_, signal)| matches!(signal.role, Role::Input | Role::Output))
        .map(|(index, signal)| {
            let is_output = signal.role == Role::Output;
            let sources = inputs[index].iter().filter(|_| is_output);
            InterfacePort {
                key: signal.key.clone(),
                name: signal.name.clone(),
                width: signal.width,
                parts: table.layouts.get(&signal.key).cloned().unwrap_or_default(),
                is_output,
                depends: sources.map(|input| table.signals[*input].key.clone()).collect(),
            }
        })
        .collect()
}
