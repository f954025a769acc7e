use super::offer::{Marker, Offer, offer};
use crate::word::Word;
use rust_hdl::core::prelude::{Block, Logic, Probe};

/// A constant of the configuration, for kernels to read.
///
/// The writer puts the value in place of the name and drops the branches it rules out, so
/// `if self.has_history.val() == 1 { .. }` is a choice made at elaboration. Made from an integer it takes the
/// width of what it meets, as an integer in the kernel does; made from a [`Word`] it keeps that word's width.
#[derive(Clone, Debug)]
pub struct Param {
    value: Word,
    /// The remark of one that has a name in the Verilog too.
    description: Option<String>,
}

impl Param {
    /// A parameter; `bool` becomes a word of one bit.
    pub fn new(value: impl Into<Word>) -> Self {
        Self { value: value.into(), description: None }
    }

    /// A parameter of `width` bits that is a `localparam` in the Verilog: a state, or a kind of something.
    pub fn constant(width: usize, value: impl Into<Word>) -> Self {
        Self { value: value.into().fitted(width), description: Some(String::new()) }
    }

    /// Adds one line that the Verilog carries beside the declaration.
    pub fn describe(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// The value as a number, for widths in kernels: `bits_to(value, self.width.number())`.
    pub fn number(&self) -> usize {
        self.value.index()
    }

    /// The value.
    pub fn val(&self) -> Word {
        self.value.clone()
    }
}

impl Logic for Param {
    fn update(&mut self) {}
}

impl Block for Param {
    fn connect_all(&mut self) {}

    fn update_all(&mut self) {}

    fn has_changed(&self) -> bool {
        false
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        let (value, description) = (self.value.clone(), self.description.clone());
        let offered = match description {
            Some(description) => Offer::Constant { value, description },
            None => Offer::Parameter(value),
        };
        offer(name, &Marker, offered, probe);
    }
}
