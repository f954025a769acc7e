use super::offer::{Offer, offer};
use crate::word::Word;
use rust_hdl::core::atom::{Atom, AtomKind};
use rust_hdl::core::prelude::{
    Block, Direction, Logic, PinConstraint, Probe, TypeDescriptor, TypeKind, VCDValue,
    VerilogLiteral,
};
use rust_hdl::core::signal::get_signal_id;
use std::marker::PhantomData;

/// A signal of run-time width: `Wire<In>` and `Wire<Out>` are ports, `Wire<Local>` is inside the block.
///
/// A kernel reads `wire.val()` and writes `wire.next`. A width of 0 is allowed: the wire then reads as 0 and
/// does not appear in the Verilog.
#[derive(Clone, Debug)]
pub struct Wire<D: Direction> {
    /// The value being driven.
    pub next: Word,
    settled: Word,
    changed: bool,
    driven: bool,
    identity: usize,
    width: usize,
    description: String,
    label: Option<String>,
    direction: PhantomData<D>,
}

impl<D: Direction> Wire<D> {
    /// A wire of `width` bits.
    pub fn new(width: usize) -> Self {
        Self {
            next: Word::zero(width),
            settled: Word::zero(width),
            changed: false,
            driven: false,
            identity: get_signal_id(),
            width,
            description: String::new(),
            label: None,
            direction: PhantomData,
        }
    }

    /// Adds one line that the Verilog carries beside the declaration.
    pub fn describe(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Gives the wire another name in the Verilog than its field's.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// Sets the line that the Verilog carries beside the declaration.
    pub fn set_description(&mut self, description: String) {
        self.description = description;
    }

    /// The number of bits.
    pub fn width(&self) -> usize {
        self.width
    }

    /// For an input the value that arrived; otherwise the value written last.
    pub fn val(&self) -> Word {
        match D::KIND {
            AtomKind::InputParameter => self.settled.clone(),
            _ => self.next.clone().fitted(self.width),
        }
    }

    /// Shows the wire to a probe as the member `member` of the bundle `bundle`, with what each is called in the Verilog.
    ///
    /// The Verilog name is made from these: `retire$0`, or `retire_0`, and `count` make `retire_count_0`. A member `word` carries the bundle's own name. A bundle whose name ends with `_`, as `in_`, stands for
    /// a word that Rust and Verilog keep for themselves: its members are `in_valid` and `in_word`.
    pub fn accept_as_member(
        &self,
        (bundle, bundle_label): (&str, &str),
        (member, label): (&str, &str),
        probe: &mut dyn Probe,
    ) {
        let is_index =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let (base, index) = match bundle_label.rsplit_once(['$', '_']) {
            Some((base, index)) if is_index(index) => (base, Some(index)),
            _ => (bundle_label, None),
        };
        let is_named = label != "word" || base.ends_with('_');
        let parts = [Some(base.trim_end_matches('_')), is_named.then_some(label), index];
        let label = parts.into_iter().flatten().collect::<Vec<_>>().join("_").replace('$', "_");
        self.show(&format!("{bundle}${member}"), Some(label), probe);
    }

    fn show(&self, name: &str, label: Option<String>, probe: &mut dyn Probe) {
        let description = self.description.clone();
        offer(
            name,
            self,
            Offer::Wire { direction: D::KIND, width: self.width, description, label },
            probe,
        );
    }
}

impl<D: Direction> Logic for Wire<D> {
    fn update(&mut self) {}

    fn connect(&mut self) {
        self.driven = true;
    }
}

impl<D: Direction> Block for Wire<D> {
    fn connect_all(&mut self) {}

    fn update_all(&mut self) {
        // `fitted` moves a word that already has the width, so the usual case copies nothing.
        self.next = std::mem::replace(&mut self.next, Word::zero(0)).fitted(self.width);
        self.changed = self.settled != self.next;
        if self.changed {
            self.settled = self.next.clone();
        }
    }

    fn has_changed(&self) -> bool {
        self.changed
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        self.show(name, self.label.clone(), probe);
    }
}

impl<D: Direction> Atom for Wire<D> {
    fn bits(&self) -> usize {
        self.width
    }

    fn connected(&self) -> bool {
        self.driven
    }

    fn changed(&self) -> bool {
        self.changed
    }

    fn kind(&self) -> AtomKind {
        D::KIND
    }

    fn descriptor(&self) -> TypeDescriptor {
        TypeDescriptor { name: format!("bits_{}", self.width), kind: TypeKind::Bits(self.width) }
    }

    fn vcd(&self) -> VCDValue {
        VCDValue::String(format!("{:x}", self.settled))
    }

    fn id(&self) -> usize {
        self.identity
    }

    fn verilog(&self) -> VerilogLiteral {
        self.settled.to_u64().into()
    }

    fn constraints(&self) -> Vec<PinConstraint> {
        Vec::new()
    }
}
