//! The design as RustHDL's probe shows it.

use crate::error::Error;
use crate::signal::{Offer, received, received_label};
use rust_hdl::core::ast::{Verilog, VerilogBlock};
use rust_hdl::core::atom::Atom;
use rust_hdl::core::prelude::{Block, Probe};

/// The input without which registers and memories do not change, where the options ask for it.
pub(crate) const CLOCK_ENABLE: &str = "clock_enable";

/// The input that gives every register of a block, and of the blocks in it, the value that it has after a reset.
pub(crate) const RESTART_REGISTERS: &str = "restart_registers";

/// The input that clears the memories of a block, and of the blocks in it, while they are used. Bit 0 is the epoch: an
/// entry that was written in another one reads as cleared. Bit 1 writes a cleared entry, whose index is above.
pub(crate) const MEMORY_SWEEP: &str = "memory_sweep";

/// The inputs of a block that the blocks in it have, too, without a declaration.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Inherited {
    /// Registers are restarted.
    pub restart: bool,
    /// Bits of the input that clears memories; none if there is no such input.
    pub sweep_bits: usize,
}

/// A block, its fields and its sub-blocks.
#[derive(Debug)]
pub(crate) struct Node {
    /// The name in its parent, as kernels spell it: `lanes$2` for `lanes[2]`.
    pub key: String,
    /// The name in the Verilog, where it is not made from the key.
    pub label: Option<String>,
    /// The path from the top, as errors spell it.
    pub path: String,
    pub fields: Vec<Field>,
    pub children: Vec<Node>,
    pub kernel: VerilogBlock,
}

#[derive(Debug)]
pub(crate) struct Field {
    pub key: String,
    pub offer: Offer,
}

/// A kernel's spelling of a name as an error shows it: `lanes$2$d` is `lanes[2].d`.
pub(crate) fn readable(key: &str) -> String {
    let mut text = String::new();
    for segment in key.split('$') {
        if segment.chars().all(|character| character.is_ascii_digit()) {
            text.push_str(&format!("[{segment}]"));
        } else {
            if !text.is_empty() {
                text.push('.');
            }
            text.push_str(segment);
        }
    }
    text
}

impl Node {
    /// Bits of the input that the block declares with this name, if it does.
    pub fn declared_bits(&self, input: &str) -> usize {
        let bits = self.fields.iter().find_map(|field| match field.offer {
            Offer::Wire { width, .. } if field.key == input => Some(width),
            _ => None,
        });
        bits.unwrap_or(0)
    }

    /// What the blocks in this one inherit, where this one has `outer`.
    pub fn scope(&self, outer: Inherited) -> Inherited {
        Inherited {
            restart: outer.restart || self.declared_bits(RESTART_REGISTERS) == 1,
            sweep_bits: outer.sweep_bits.max(self.declared_bits(MEMORY_SWEEP)),
        }
    }

    /// The path of something in this block.
    pub fn path_of(&self, key: &str) -> String {
        format!("{}.{}", self.path, readable(key))
    }
}

/// The tree of blocks under `block`, which is called `top`.
pub(crate) fn collect(block: &dyn Block, top: &str) -> Result<Node, Error> {
    let mut collector = Collector::default();
    block.accept(top, &mut collector);
    if let Some(error) = collector.error {
        return Err(error);
    }
    collector.root.ok_or_else(|| Error::Unsupported {
        block: top.into(),
        construct: "a design that is not one block".into(),
    })
}

#[derive(Default)]
struct Collector {
    open: Vec<Node>,
    root: Option<Node>,
    error: Option<Error>,
}

impl Collector {
    fn path(&self, key: &str) -> String {
        match self.open.last() {
            Some(parent) => parent.path_of(key),
            None => key.to_owned(),
        }
    }

    fn fail(&mut self, error: Error) {
        self.error.get_or_insert(error);
    }
}

impl Probe for Collector {
    fn visit_start_scope(&mut self, name: &str, node: &dyn Block) {
        let path = self.path(name);
        let kernel = match node.hdl() {
            Verilog::Combinatorial(kernel) => kernel,
            _ => {
                self.fail(Error::Unsupported {
                    block: path.clone(),
                    construct: "a block without `#[hdl_gen]`".into(),
                });
                Vec::new()
            }
        };
        self.open.push(Node {
            key: name.to_owned(),
            label: received_label(),
            path,
            fields: Vec::new(),
            children: Vec::new(),
            kernel,
        });
    }

    fn visit_start_namespace(&mut self, name: &str, _node: &dyn Block) {
        let block = self.path(name);
        self.fail(Error::Unsupported { block, construct: "a `LogicInterface`".into() });
    }

    fn visit_atom(&mut self, name: &str, _signal: &dyn Atom) {
        match (received(), self.open.last_mut()) {
            (Some(offer), Some(block)) => block.fields.push(Field { key: name.to_owned(), offer }),
            (Some(_), None) => {
                self.fail(Error::Unsupported {
                    block: name.to_owned(),
                    construct: "a design that is not one block".into(),
                });
            }
            (None, _) => {
                let signal = self.path(name);
                self.fail(Error::ForeignSignal { signal });
            }
        }
    }

    fn visit_end_scope(&mut self, _name: &str, _node: &dyn Block) {
        if let Some(done) = self.open.pop() {
            match self.open.last_mut() {
                Some(parent) => parent.children.push(done),
                None => self.root = Some(done),
            }
        }
    }
}
