//! The signals of one block and the names that kernels and Verilog give them.

mod fields;
mod names;
mod packed;

use crate::collect::{Field, Inherited, MEMORY_SWEEP, Node, RESTART_REGISTERS, readable};
use crate::error::Error;
use crate::expression::SignalId;
use crate::fault::FAULT_SELECT;
use crate::names::objection;
use crate::signal::Offer;
use crate::word::Word;
use std::collections::{BTreeMap, BTreeSet, HashMap};

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

/// A value with a name.
#[derive(Debug)]
pub(crate) struct Constant {
    pub name: String,
    pub value: Word,
    pub description: String,
}

#[derive(Debug)]
pub(crate) struct Register {
    pub now: SignalId,
    pub next: SignalId,
    /// The value after a reset; one as wide as the register where a reset does not change it.
    pub reset: Word,
    pub is_reset: bool,
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
    pub sweep: Option<Sweep>,
    pub description: String,
}

impl MemoryBlock {
    /// Bits of an entry with its epoch.
    pub fn word_width(&self) -> usize {
        self.width + usize::from(self.sweep.is_some())
    }
}

/// What a memory has that is cleared while it is used.
#[derive(Clone, Debug)]
pub(crate) struct Sweep {
    /// What an entry of another epoch reads as.
    pub cleared: Word,
    /// For each read port, the name of the entry with its epoch in the highest bit.
    pub words: Vec<String>,
    /// The name of the signal that says that the sweep has come to an entry of this memory.
    pub comes: String,
}

/// A packed word that the kernel makes from its fields.
#[derive(Debug)]
pub(crate) struct PackedWord {
    pub word: SignalId,
    /// The fields that have bits, the one in the lowest bits first.
    pub parts: Vec<SignalId>,
}

/// The names and widths of a packed word's fields, the one in the lowest bits first.
pub(crate) type Parts = Vec<(String, usize)>;

/// The members of a bundle, and whether each flows as the bundle does.
pub(crate) type Members = Vec<(String, bool)>;

/// A port as the parent sees it.
#[derive(Clone, Debug)]
pub(crate) struct InterfacePort {
    pub key: String,
    pub name: String,
    pub width: usize,
    /// The fields, if it is a packed word.
    pub parts: Parts,
    pub is_output: bool,
    /// For an output, the keys of the inputs that reach it within a cycle.
    pub depends: BTreeSet<String>,
}

impl InterfacePort {
    /// A port of a module of which nothing else is known.
    pub fn plain(name: &str, width: usize, is_output: bool) -> Self {
        let (key, name) = (name.to_owned(), name.to_owned());
        Self { key, name, width, parts: Vec::new(), is_output, depends: BTreeSet::new() }
    }
}

/// The clock and the reset of a block.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Clocking {
    /// Whether it, or a block inside it, declares a register or a memory.
    pub is_declared: bool,
    /// Whether the module has the pin `clock`.
    pub has_clock: bool,
    /// Whether the module has the pin of the reset.
    pub has_reset: bool,
    /// Whether the module has a pin that restarts registers because a block that it is in has one.
    pub has_restart: bool,
    /// Whether the module has a pin that clears memories because a block that it is in has one.
    pub has_sweep: bool,
}

/// A block as its parent sees it.
#[derive(Clone, Debug)]
pub(crate) struct Interface {
    pub ports: Vec<InterfacePort>,
    /// The bundles, by their keys.
    pub bundles: Vec<(String, Members)>,
    pub clocking: Clocking,
    /// Which module it is, among those of the design.
    pub module: usize,
}

#[derive(Debug)]
pub(crate) struct Child {
    pub name: String,
    pub interface: Interface,
    /// The signals at its ports, in the same order.
    pub ports: Vec<SignalId>,
    /// The parameters of the block that it has, too.
    pub given: Vec<String>,
    /// Where the faults of its module begin among those of the design, if it can have some.
    pub first_fault: Option<usize>,
}

#[derive(Debug)]
pub(crate) enum Symbol {
    Signal(SignalId),
    /// A field of a packed word that arrives whole.
    Slice {
        signal: SignalId,
        low: usize,
        width: usize,
    },
    Bundle(Members),
    Parameter(Word),
}

#[derive(Debug)]
pub(crate) struct Table {
    pub path: String,
    pub kind: String,
    /// What the block does, for the line above the module.
    pub description: String,
    pub parameters: Vec<(String, u64)>,
    pub signals: Vec<Signal>,
    pub symbols: HashMap<String, Symbol>,
    pub constants: Vec<Constant>,
    pub registers: Vec<Register>,
    pub memories: Vec<MemoryBlock>,
    pub children: Vec<Child>,
    pub packed: Vec<PackedWord>,
    /// The fields of the block's own packed words, by their keys.
    pub layouts: HashMap<String, Parts>,
    /// The fields of the words that arrive whole.
    pub slices: BTreeMap<SignalId, Parts>,
    /// The block's own bundles, by their keys.
    pub bundles: Vec<(String, Members)>,
    pub clocking: Clocking,
    /// The pins of this or of an outer block that concern every block in it.
    pub scope: Inherited,
    /// What has each name already.
    taken: HashMap<String, String>,
}

impl Table {
    /// The table of a block at this path without anything in it.
    pub fn empty(path: &str) -> Self {
        Self {
            path: path.to_owned(),
            kind: String::new(),
            description: String::new(),
            parameters: Vec::new(),
            signals: Vec::new(),
            symbols: HashMap::new(),
            constants: Vec::new(),
            registers: Vec::new(),
            memories: Vec::new(),
            children: Vec::new(),
            packed: Vec::new(),
            layouts: HashMap::new(),
            slices: BTreeMap::new(),
            bundles: Vec::new(),
            clocking: Clocking::default(),
            scope: Inherited::default(),
            taken: HashMap::from([(FAULT_SELECT.into(), "the selection of a fault".into())]),
        }
    }

    /// The table of `node`, whose sub-blocks have the interfaces `below`.
    pub fn new(node: &Node, below: Vec<Interface>, inherited: Inherited) -> Result<Self, Error> {
        let mut table = Self { scope: node.scope(inherited), ..Self::empty(&node.path) };
        table.identify(node)?;
        let is_state =
            |field: &Field| matches!(field.offer, Offer::Register { .. } | Offer::Memory { .. });
        table.clocking.is_declared = node.fields.iter().any(is_state)
            || below.iter().any(|interface| interface.clocking.is_declared);
        table.claim_all(node)?;
        for field in &node.fields {
            table.add_field(&field.key, &field.offer)?;
        }
        for (child, interface) in node.children.iter().zip(below) {
            table.add_child(&child.key, child.label.as_deref(), interface);
        }
        (table.clocking.has_clock, table.clocking.has_reset) = table.used_pins();
        // A block that declares such an input has that of its parent's kernel.
        let declares = |input| node.declared_bits(input) > 0;
        table.clocking.has_restart =
            inherited.restart && table.clocking.has_reset && !declares(RESTART_REGISTERS);
        table.clocking.has_sweep =
            inherited.sweep_bits > 0 && table.sweeps_memories() && !declares(MEMORY_SWEEP);
        let pins = table.clocking;
        for (has, pin) in [(pins.has_restart, RESTART_REGISTERS), (pins.has_sweep, MEMORY_SWEEP)] {
            if has {
                table.parameters.push((pin.into(), 1));
            }
        }
        Ok(table)
    }

    /// Whether something in the configuration changes with the clock, and whether the reset changes anything.
    pub fn used_pins(&self) -> (bool, bool) {
        let below = || self.children.iter().map(|child| child.interface.clocking);
        let registers = || self.registers.iter().filter(|register| register.reset.bits() > 0);
        let clock = registers().next().is_some()
            || self.memories.iter().any(|memory| memory.width > 0)
            || below().any(|clocking| clocking.has_clock);
        let reset = registers().any(|register| register.is_reset)
            || below().any(|clocking| clocking.has_reset);
        (clock, reset)
    }

    /// Whether a memory of this or of an inner block is cleared while it is used.
    pub fn sweeps_memories(&self) -> bool {
        self.memories.iter().any(|memory| memory.width > 0 && memory.sweep.is_some())
            || self.children.iter().any(|child| child.interface.clocking.has_sweep)
    }

    /// Gives the design's top both pins if any configuration of it has a clock, so that its users connect every
    /// configuration in the same way.
    pub fn keep_pins(&mut self) {
        self.clocking.has_clock = self.clocking.is_declared;
        self.clocking.has_reset = self.clocking.is_declared;
    }

    pub fn path_of(&self, key: &str) -> String {
        format!("{}.{}", self.path, readable(key))
    }

    pub fn signal_path(&self, signal: SignalId) -> String {
        self.path_of(&self.signals[signal].key)
    }

    fn identify(&mut self, node: &Node) -> Result<(), Error> {
        let mut kinds = 0;
        for field in &node.fields {
            if let Offer::Kind { name, parameters, description } = &field.offer {
                kinds += 1;
                self.kind.clone_from(name);
                self.description.clone_from(description);
                self.parameters.clone_from(parameters);
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
}
