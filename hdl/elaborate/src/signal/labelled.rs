use super::offer::label_next_block;
use rust_hdl::core::prelude::{Block, Logic, Probe};
use std::ops::{Deref, DerefMut};

/// A sub-block that has another name in the Verilog than its field's, as each of a list has.
#[derive(Clone, Debug)]
pub struct Labelled<B> {
    held: B,
    label: String,
}

impl<B: Block> Labelled<B> {
    /// `block`, called `label`.
    pub fn new(label: impl Into<String>, block: B) -> Self {
        Self { held: block, label: label.into() }
    }
}

impl<B> Deref for Labelled<B> {
    type Target = B;

    fn deref(&self) -> &B {
        &self.held
    }
}

impl<B> DerefMut for Labelled<B> {
    fn deref_mut(&mut self) -> &mut B {
        &mut self.held
    }
}

impl<B: Block> Logic for Labelled<B> {
    fn update(&mut self) {}
}

impl<B: Block> Block for Labelled<B> {
    fn connect_all(&mut self) {
        self.held.connect_all();
    }

    fn update_all(&mut self) {
        self.held.update_all();
    }

    fn has_changed(&self) -> bool {
        self.held.has_changed()
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        label_next_block(&self.label);
        self.held.accept(name, probe);
    }
}
