use rust_hdl::core::prelude::{Block, Logic, Probe};
use std::ops::{Deref, DerefMut};

/// A sub-block, memory or register that a configuration may leave out.
///
/// Kernels use it as the block itself, under a [`Param`](super::Param) that says whether it is there: RustHDL
/// walks both branches of an `if`, so even an absent block must exist as a value.
#[derive(Clone, Debug)]
pub struct Opt<B> {
    held: B,
    present: bool,
}

impl<B: Block> Opt<B> {
    /// `block`, in the design only if `present`.
    pub fn new(present: bool, block: B) -> Self {
        Self { held: block, present }
    }

    /// Whether the block is in the design.
    pub fn is_present(&self) -> bool {
        self.present
    }
}

impl<B> Deref for Opt<B> {
    type Target = B;

    fn deref(&self) -> &B {
        &self.held
    }
}

impl<B> DerefMut for Opt<B> {
    fn deref_mut(&mut self) -> &mut B {
        &mut self.held
    }
}

impl<B: Block> Logic for Opt<B> {
    fn update(&mut self) {}
}

impl<B: Block> Block for Opt<B> {
    fn connect_all(&mut self) {
        if self.present {
            self.held.connect_all();
        }
    }

    fn update_all(&mut self) {
        if self.present {
            self.held.update_all();
        }
    }

    fn has_changed(&self) -> bool {
        self.present && self.held.has_changed()
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        if self.present {
            self.held.accept(name, probe);
        }
    }
}
