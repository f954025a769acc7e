//! The signals of one block and the names that kernels and Verilog give them.

use crate::collect::{Node, readable};
use crate::error::Error;
use crate::expression::SignalId;
use crate::names::objection;
use crate::signal::{Offer, Reads};
use crate::word::{Sizing, Word};
use rust_hdl::core::atom::AtomKind;
use std::collections::{BTreeSet, HashMap};

/// Who drives a signal and who reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Input,
    Output,
    Local,
    /// What a register holds.
    RegisterNow,
    /// What a register will hold.
    RegisterNext,
    MemoryOutput,
    MemoryInput,
    ChildOutput,
    ChildInput,
    /// A field of a packed word that the kernel makes.
    Part,
}

impl Role {
    /// Whether the kernel drives it.
    pub fn is_target(self) -> bool {
        matches!(
            self,
            Self::Output
                | Self::Local
                | Self::RegisterNext
                | Self::MemoryInput
                | Self::ChildInput
                | Self::Part
        )
    }

    /// Whether the kernel may read it.
    pub fn is_readable(self) -> bool {
        !matches!(self, Self::RegisterNext | Self::MemoryInput | Self::ChildInput)
    }
}

#[derive(Debug)]
pub(crate) struct Signal {
    pub key: String,
    pub name: String,
    pub width: usize,
    pub role: Role,
    pub description: String,
}

#[derive(Debug)]
pub(crate) struct Register {
    pub now: SignalId,
    pub next: SignalId,
    pub reset: Word,
}

#[derive(Debug)]
pub(crate) struct MemoryBlock {
    /// The name of its cells.
    pub name: String,
    pub depth: usize,
    pub width: usize,
    /// The address and the data of each read port.
    pub reads: Vec<(SignalId, SignalId)>,
    /// The data are of the clock after the address.
    pub synchronous: bool,
    pub write_enable: SignalId,
    pub write_address: SignalId,
    pub write_data: SignalId,
    pub description: String,
}

/// A packed word that the kernel makes from its fields.
#[derive(Debug)]
pub(crate) struct PackedWord {
    pub word: SignalId,
    /// The fields that have bits, the one in the lowest bits first.
    pub parts: Vec<SignalId>,
}

/// The members of a bundle, and whether each flows as the bundle does.
pub(crate) type Members = Vec<(String, bool)>;

/// A port as the parent sees it.
#[derive(Clone, Debug)]
pub(crate) struct InterfacePort {
    pub key: String,
    pub name: String,
    pub width: usize,
    pub is_output: bool,
    /// For an output, the keys of the inputs that reach it within a cycle.
    pub depends: BTreeSet<String>,
}

/// A block as its parent sees it.
#[derive(Clone, Debug)]
pub(crate) struct Interface {
    pub ports: Vec<InterfacePort>,
    /// The bundles among the ports, by their keys.
    pub bundles: Vec<(String, Members)>,
    /// Whether it has a clock and a reset.
    pub is_clocked: bool,
    /// The field that holds its clock.
    pub domain: Option<String>,
    /// Which module it is, among those of the design.
    pub module: usize,
}

#[derive(Debug)]
pub(crate) struct Child {
    pub name: String,
    pub interface: Interface,
    /// The signals at its ports, in the same order.
    pub ports: Vec<SignalId>,
}

#[derive(Debug)]
pub(crate) enum Symbol {
    Signal(SignalId),
    /// Some bits of a packed word that arrives whole.
    Slice {
        signal: SignalId,
        low: usize,
        width: usize,
    },
    Bundle(Members),
    Parameter(Word),
    Domain,
    /// The clock input of a register, a memory or a sub-block.
    ClockInput,
}

#[derive(Debug)]
pub(crate) struct Table {
    pub path: String,
    pub kind: String,
    pub parameters: Vec<(String, u64)>,
    pub signals: Vec<Signal>,
    pub symbols: HashMap<String, Symbol>,
    /// The clock inputs, in order.
    pub clock_inputs: Vec<String>,
    pub registers: Vec<Register>,
    pub memories: Vec<MemoryBlock>,
    pub children: Vec<Child>,
    pub packed: Vec<PackedWord>,
    /// Whether the block has a clock and a reset: it holds a register or a memory, or a block that does.
    pub is_clocked: bool,
    pub domain: Option<String>,
    /// What has each name already.
    taken: HashMap<String, String>,
}

impl Table {
    /// The table of `node`, whose sub-blocks have the interfaces `below`.
    pub fn new(node: &Node, below: Vec<Interface>) -> Result<Self, Error> {
        let mut table = Self {
            path: node.path.clone(),
            kind: String::new(),
            parameters: Vec::new(),
            signals: Vec::new(),
            symbols: HashMap::new(),
            clock_inputs: Vec::new(),
            registers: Vec::new(),
            memories: Vec::new(),
            children: Vec::new(),
            packed: Vec::new(),
            is_clocked: below.iter().any(|interface| interface.is_clocked),
            domain: None,
            taken: HashMap::new(),
        };
        table.identify(node)?;
        table.is_clocked |= node
            .fields
            .iter()
            .any(|field| matches!(field.offer, Offer::Register { .. } | Offer::Memory { .. }));
        if table.is_clocked {
            for name in ["clock", "reset", "reset_n"] {
                table.taken.insert(name.into(), table.path.clone());
            }
        }
        // The names a reader knows from the source come first; those made from them give way.
        for field in &node.fields {
            match &field.offer {
                Offer::Wire { width: 1.., label, .. } => {
                    table.claim(&field.key, label.as_deref())?
                }
                Offer::Register { width: 1.., .. } => table.claim(&field.key, None)?,
                Offer::Packed { parts, .. } if parts.iter().any(|(_, width)| *width > 0) => {
                    table.claim(&field.key, None)?;
                }
                _ => {}
            }
        }
        for child in &node.children {
            table.claim(&child.key, None)?;
        }
        for field in &node.fields {
            table.add_field(&field.key, &field.offer)?;
        }
        for (child, interface) in node.children.iter().zip(below) {
            table.add_child(&child.key, interface);
        }
        Ok(table)
    }

    pub fn path_of(&self, key: &str) -> String {
        format!("{}.{}", self.path, readable(key))
    }

    pub fn signal_path(&self, signal: SignalId) -> String {
        self.path_of(&self.signals[signal].key)
    }

    /// The bundles of the block's own ports.
    pub fn bundles(&self) -> Vec<(String, Members)> {
        let mut bundles: Vec<_> = self
            .symbols
            .iter()
            .filter_map(|(key, symbol)| match symbol {
                Symbol::Bundle(members) => Some((key.clone(), members.clone())),
                _ => None,
            })
            .collect();
        bundles.sort();
        bundles
    }

    /// A name that nothing has yet, `name` itself if possible.
    pub fn fresh(&mut self, name: &str) -> String {
        let mut candidate = name.to_owned();
        let mut number = 2;
        while self.taken.contains_key(&candidate) || objection(&candidate).is_some() {
            candidate = format!("{name}_{number}");
            number += 1;
        }
        self.taken.insert(candidate.clone(), candidate.clone());
        candidate
    }

    fn identify(&mut self, node: &Node) -> Result<(), Error> {
        let mut kinds = 0;
        for field in &node.fields {
            match &field.offer {
                Offer::Kind { name, parameters } => {
                    kinds += 1;
                    self.kind.clone_from(name);
                    self.parameters.clone_from(parameters);
                }
                Offer::Domain => {
                    if self.domain.replace(field.key.clone()).is_some() {
                        return Err(Error::Domains { block: node.path.clone() });
                    }
                    self.symbols.insert(field.key.clone(), Symbol::Domain);
                }
                _ => {}
            }
        }
        if kinds != 1 {
            return Err(Error::Kind { block: node.path.clone() });
        }
        match objection(&self.kind) {
            Some(reason) => Err(Error::IllegalName {
                signal: node.path.clone(),
                name: self.kind.clone(),
                reason,
            }),
            None => Ok(()),
        }
    }

    fn claim(&mut self, key: &str, label: Option<&str>) -> Result<(), Error> {
        let name = label.map_or_else(|| verilog_name(key), str::to_owned);
        let path = self.path_of(key);
        if let Some(reason) = objection(&name) {
            return Err(Error::IllegalName { signal: path, name, reason });
        }
        match self.taken.insert(name.clone(), path.clone()) {
            Some(first) => {
                Err(Error::NameClash { block: self.path.clone(), name, first, second: path })
            }
            None => Ok(()),
        }
    }

    fn add_field(&mut self, key: &str, offer: &Offer) -> Result<(), Error> {
        match offer {
            Offer::Wire { direction, width, description, label } => {
                let role = self.role(key, direction)?;
                let name = label.clone().unwrap_or_else(|| verilog_name(key));
                self.add(key.to_owned(), name, *width, role, description);
            }
            Offer::Packed { direction, is_assembled, parts, description } => {
                let role = self.role(key, direction)?;
                self.add_packed(key, role, *is_assembled, parts, description);
            }
            Offer::Bundle(members) => {
                self.symbols.insert(key.to_owned(), Symbol::Bundle(members.clone()));
            }
            Offer::Register { width, reset, description } => {
                let now = self.add(
                    format!("{key}$q"),
                    verilog_name(key),
                    *width,
                    Role::RegisterNow,
                    description,
                );
                let name = self.fresh(&format!("{}_next", verilog_name(key)));
                let next = self.add(format!("{key}$d"), name, *width, Role::RegisterNext, "");
                self.add_clock_input(format!("{key}$clock"));
                let reset = self.reset_value(key, reset, *width)?;
                self.registers.push(Register { now, next, reset });
            }
            Offer::Memory { depth, width, reads, synchronous, description } => {
                self.add_memory(key, (*depth, *width), *reads, *synchronous, description)?
            }
            Offer::Parameter(value) => {
                self.symbols.insert(key.to_owned(), Symbol::Parameter(value.clone()));
            }
            Offer::Domain | Offer::Kind { .. } => {}
        }
        Ok(())
    }

    fn role(&self, key: &str, direction: &AtomKind) -> Result<Role, Error> {
        match direction {
            AtomKind::InputParameter => Ok(Role::Input),
            AtomKind::OutputParameter => Ok(Role::Output),
            AtomKind::LocalSignal => Ok(Role::Local),
            _ => {
                let construct = format!("the direction of {}", readable(key));
                Err(Error::Unsupported { block: self.path.clone(), construct })
            }
        }
    }

    fn add_packed(
        &mut self,
        key: &str,
        role: Role,
        is_assembled: bool,
        parts: &[(String, usize)],
        description: &str,
    ) {
        let whole = parts.iter().map(|(_, width)| width).sum();
        let word = self.add(key.to_owned(), verilog_name(key), whole, role, description);
        let mut low = 0;
        let mut made = Vec::new();
        for (part, width) in parts {
            let part_key = format!("{key}${part}");
            if is_assembled {
                let name = verilog_name(&part_key);
                let name = if *width > 0 { self.fresh(&name) } else { name };
                let signal = self.add(part_key, name, *width, Role::Part, "");
                made.extend((*width > 0).then_some(signal));
            } else {
                let slice = Symbol::Slice { signal: word, low, width: *width };
                self.symbols.insert(part_key, slice);
            }
            low += width;
        }
        if is_assembled && whole > 0 {
            self.packed.push(PackedWord { word, parts: made });
        }
    }

    fn reset_value(&self, key: &str, reset: &Word, width: usize) -> Result<Word, Error> {
        let signal = || self.path_of(key);
        match reset.sizing() {
            Sizing::Exact if reset.bits() != width => {
                let value = format!("{reset:?}");
                Err(Error::AssignedWidth {
                    signal: signal(),
                    width,
                    value,
                    value_width: reset.bits(),
                })
            }
            Sizing::Literal if width > 0 && reset.significant_bits() > width => {
                Err(Error::NumberTooWide { signal: signal(), value: format!("{reset:#x}"), width })
            }
            _ => Ok(reset.clone().fitted(width)),
        }
    }

    fn add_memory(
        &mut self,
        key: &str,
        (depth, width): (usize, usize),
        reads: Reads,
        synchronous: bool,
        description: &str,
    ) -> Result<(), Error> {
        let missing = match (depth, reads) {
            (0, _) => Some("entries"),
            (_, Reads::Many(0)) => Some("read ports"),
            _ => None,
        };
        if let Some(missing) = missing {
            return Err(Error::EmptyMemory { signal: self.path_of(key), missing });
        }
        let address = crate::address_width(depth);
        let ports = match reads {
            Reads::One => vec![String::new()],
            Reads::Many(count) => (0..count).map(|port| format!("${port}")).collect(),
        };
        let mut add = |field: &str, width, role| {
            let key = format!("{key}${field}");
            let name = self.fresh(&verilog_name(&key));
            self.add(key, name, width, role, "")
        };
        let reads = ports
            .iter()
            .map(|port| {
                let from = add(&format!("read_address{port}"), address, Role::MemoryInput);
                (from, add(&format!("read_data{port}"), width, Role::MemoryOutput))
            })
            .collect();
        let write_enable = add("write_enable", 1, Role::MemoryInput);
        let write_address = add("write_address", address, Role::MemoryInput);
        let write_data = add("write_data", width, Role::MemoryInput);
        self.add_clock_input(format!("{key}$clock"));
        let name = self.fresh(&format!("{}_cells", verilog_name(key)));
        let description = description.to_owned();
        self.memories.push(MemoryBlock {
            name,
            depth,
            width,
            reads,
            synchronous,
            write_enable,
            write_address,
            write_data,
            description,
        });
        Ok(())
    }

    fn add_child(&mut self, key: &str, interface: Interface) {
        let name = verilog_name(key);
        let ports = interface
            .ports
            .iter()
            .map(|port| {
                let role = if port.is_output { Role::ChildOutput } else { Role::ChildInput };
                let wire = self.fresh(&format!("{name}_{}", port.name));
                self.add(format!("{key}${}", port.key), wire, port.width, role, "")
            })
            .collect();
        for (bundle, members) in &interface.bundles {
            self.symbols.insert(format!("{key}${bundle}"), Symbol::Bundle(members.clone()));
        }
        if let Some(domain) = &interface.domain {
            self.add_clock_input(format!("{key}${domain}"));
        }
        self.children.push(Child { name, interface, ports });
    }

    fn add_clock_input(&mut self, key: String) {
        self.symbols.insert(key.clone(), Symbol::ClockInput);
        self.clock_inputs.push(key);
    }

    fn add(
        &mut self,
        key: String,
        name: String,
        width: usize,
        role: Role,
        description: &str,
    ) -> SignalId {
        let signal = self.signals.len();
        self.symbols.insert(key.clone(), Symbol::Signal(signal));
        self.signals.push(Signal { key, name, width, role, description: description.to_owned() });
        signal
    }
}

fn verilog_name(key: &str) -> String {
    key.replace('$', "_")
}
