//! What a field tells the collector about itself.
//!
//! A RustHDL probe receives every field as a `&dyn Atom`, which says neither a register's reset value nor a
//! memory's depth and cannot be downcast. So a field leaves its description here for the length of the visit.

use crate::word::Word;
use rust_hdl::core::atom::{Atom, AtomKind};
use rust_hdl::core::prelude::{
    PinConstraint, Probe, TypeDescriptor, TypeKind, VCDValue, VerilogLiteral,
};
use std::cell::RefCell;

/// The description of one field of a block.
#[derive(Clone, Debug)]
pub(crate) enum Offer {
    Wire {
        direction: AtomKind,
        width: usize,
        description: String,
        /// The name in the Verilog, where it is not made from the field's.
        label: Option<String>,
    },
    Packed {
        direction: AtomKind,
        /// Whether the kernel writes the parts and not the word.
        is_assembled: bool,
        /// Names and widths, the one in the lowest bits first.
        parts: Vec<(String, usize)>,
        description: String,
    },
    /// The members that follow, and whether each flows as the bundle does.
    Bundle(Vec<(String, bool)>),
    Register {
        width: usize,
        /// None where a reset does not change it.
        reset: Option<Word>,
        description: String,
        /// The name in the Verilog, where it is not made from the field's.
        label: Option<String>,
    },
    Memory {
        depth: usize,
        width: usize,
        reads: Reads,
        synchronous: bool,
        /// What a cleared entry reads as.
        cleared: Option<u64>,
        description: String,
    },
    Parameter(Word),
    /// A parameter with a name in the Verilog.
    Constant {
        value: Word,
        description: String,
    },
    Kind {
        name: String,
        parameters: Vec<(String, u64)>,
        description: String,
    },
}

/// The read ports of a memory, as the kernel names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reads {
    One,
    Many(usize),
}

thread_local! {
    static OFFER: RefCell<Option<Offer>> = const { RefCell::new(None) };
    static LABEL: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Names the block that the probe visits next.
pub(crate) fn label_next_block(label: &str) {
    LABEL.set(Some(label.to_owned()));
}

/// The name of the block being visited, if it is not made from the field's.
pub(crate) fn received_label() -> Option<String> {
    LABEL.take()
}

pub(crate) fn offer(name: &str, field: &dyn Atom, description: Offer, probe: &mut dyn Probe) {
    OFFER.set(Some(description));
    probe.visit_atom(name, field);
    OFFER.set(None);
}

/// The description of the field being visited; none for a signal type of RustHDL's own.
pub(crate) fn received() -> Option<Offer> {
    OFFER.take()
}

/// The atom of a field that is no single signal.
pub(crate) struct Marker;

impl Atom for Marker {
    fn bits(&self) -> usize {
        0
    }

    fn connected(&self) -> bool {
        true
    }

    fn changed(&self) -> bool {
        false
    }

    fn kind(&self) -> AtomKind {
        AtomKind::Constant
    }

    fn descriptor(&self) -> TypeDescriptor {
        TypeDescriptor { name: String::new(), kind: TypeKind::Bits(0) }
    }

    fn vcd(&self) -> VCDValue {
        VCDValue::String(String::new())
    }

    fn id(&self) -> usize {
        0
    }

    fn verilog(&self) -> VerilogLiteral {
        false.into()
    }

    fn constraints(&self) -> Vec<PinConstraint> {
        Vec::new()
    }
}
