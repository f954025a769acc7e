//! From a block to the files of its modules.

use crate::collect::{CLOCK_ENABLE, Inherited, Node, collect};
use crate::error::Error;
use crate::fault::{BEFORE_FIRST, FAULT_BITS, FAULT_SELECT, Site};
use crate::names::objection;
use crate::options::{
    Direction, Instance, MemoryShape, Module, Options, Port, RegisterShape, Reset, Verilog,
};
use crate::table::{Interface, InterfacePort, Role, Table};
use crate::write::{OWN_NAME, Style, Wrapper, placeholder};
use crate::{fault, flow, lower, process, write};
use rust_hdl::core::prelude::Block;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Checks that a top module can have this name.
///
/// # Errors
/// When Verilog, SystemVerilog or Verilator's C++ does not allow it.
pub fn check_top(name: &str) -> Result<(), Error> {
    match objection(name) {
        None => Ok(()),
        Some(reason) => Err(Error::IllegalName { signal: name.into(), name: name.into(), reason }),
    }
}

/// Checks a design and writes it as Verilog-2001, one module for each distinct kind, parameters and body.
///
/// The same design and options give the same text, byte for byte.
pub fn elaborate<B: Block>(block: &B, options: &Options) -> Result<Verilog, Error> {
    check_top(&options.top)?;
    let root = collect(block, &options.top)?;
    let style = Style::of(options);
    let mut library = Library { style, entries: Vec::new(), known: HashMap::new() };
    let interface = library.add(&root, true, Inherited::default())?;
    let names = library.names(&options.top, interface.module)?;
    let mut faults = Vec::new();
    let modules = library.entries.iter().zip(&names).map(|(entry, name)| {
        let is_top = *name == options.top;
        let header = if is_top { options.top_header_text() } else { options.header_text() };
        let module = entry.module(name, &names, &header, faults.len());
        faults.extend(entry.faults.iter().map(|site| site.named(name)));
        module
    });
    let modules = modules.collect();
    let mut ports = Vec::new();
    if interface.clocking.is_declared {
        let reset = if options.reset == Reset::Synchronous { "reset" } else { "reset_n" };
        let enable = options.clock_enable.then_some(CLOCK_ENABLE);
        for name in ["clock", reset].into_iter().chain(enable) {
            ports.push(Port { name: name.into(), direction: Direction::Input, width: 1 });
        }
    }
    if options.faults {
        let direction = Direction::Input;
        ports.push(Port { name: FAULT_SELECT.into(), direction, width: FAULT_BITS });
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
    Ok(Verilog { top: options.top.clone(), modules, ports, faults })
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
    is_memory: bool,
    faults: Vec<Site>,
}

impl Entry {
    fn of_wrapper(wrapper: &Wrapper, style: Style) -> Entry {
        let Wrapper { depth, width, .. } = *wrapper;
        Entry {
            kind: wrapper.kind(),
            description: wrapper.description(),
            parameters: Vec::new(),
            text: wrapper.text(style),
            registers: Vec::new(),
            memories: vec![MemoryShape { name: "cells".into(), depth, width }],
            instances: Vec::new(),
            is_memory: true,
            faults: Vec::new(),
        }
    }

    fn module(&self, name: &str, names: &[String], header: &str, faults_before: usize) -> Module {
        let summary = if self.description.is_empty() { &self.kind } else { &self.description };
        let mut text = format!("{header}// {summary}\n");
        let mut body = self.text.replace(OWN_NAME, name);
        if !self.faults.is_empty() {
            body = body.replace(BEFORE_FIRST, &format!("{FAULT_BITS}'d{faults_before}"));
        }
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
            is_memory: self.is_memory,
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
    style: Style,
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
        let mut plan = process::plan(&statements, &table);
        let faults = self.style.faults.then(|| fault::put_in(&mut plan, &mut table, None));
        let mut body = write::write(&mut table, &plan, faults, self.style);
        let mut instances: Vec<(String, usize)> = table
            .children
            .iter()
            .map(|child| (child.name.clone(), child.interface.module))
            .collect();
        for (instance, wrapper) in std::mem::take(&mut body.wrappers) {
            let module = self.enter(Entry::of_wrapper(&wrapper, self.style));
            body.text = body.text.replace(&wrapper.placeholder(), &placeholder(module));
            instances.push((instance, module));
        }
        let entry = Entry {
            kind: table.kind,
            description: table.description,
            parameters: table.parameters,
            text: body.text,
            registers: body.registers,
            memories: body.memories,
            instances,
            is_memory: false,
            faults: body.faults,
        };
        interface.module = self.enter(entry);
        Ok(interface)
    }

    /// The number of a module, which is added unless it is there already.
    fn enter(&mut self, entry: Entry) -> usize {
        let identity = format!("{}\n{}", entry.title(), entry.text);
        let module = *self.known.entry(identity).or_insert(self.entries.len());
        if module == self.entries.len() {
            self.entries.push(entry);
        }
        module
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
