//! Predictors without hardware: an idea in two functions, and its bits beside those of designs.
//!
//! A [`Predictor`] says what a branch will do, and learns what it did. Encoder and decoder each have one, show it the
//! same branches, and so have the same tables. What was predicted with a confidence k, and is right, costs
//! -log2(1 - 2^-k) bits; what is wrong costs k bits, and the whole target if it is that of an indirect branch. The bits
//! are those of a range coder with the same probabilities as Talon's. Tables are declared with their sizes, so that
//! storage is counted.
//!
//! ```
//! use tracewright_comparators::predictor::{Branch, Model, Prediction, Predictor, Table, Tables};
//!
//! /// Counts how often each branch was taken.
//! struct Bimodal {
//!     counters: Table,
//! }
//!
//! impl Predictor for Bimodal {
//!     fn predict(&mut self, branch: &Branch) -> Prediction {
//!         let counter = self.counters.get(branch.program_counter >> 1);
//!         Prediction { taken: counter >= 2, target: 0, confidence: if counter % 3 == 0 { 3 } else { 1 } }
//!     }
//!
//!     fn learn(&mut self, branch: &Branch, taken: bool, _target: u64) {
//!         if branch.kind.is_conditional() {
//!             self.counters.count(branch.program_counter >> 1, taken);
//!         }
//!     }
//! }
//!
//! let model = Model::new("bimodal", |tables| {
//!     Bimodal { counters: tables.table("counters", 512, 2, 1) }
//! });
//! assert_eq!(model.storage()[0], ("counters".to_owned(), 1024));
//! ```

mod code;
mod decoder;
mod encoder;
mod model;
mod range_coder;
mod table;

pub use encoder::{Costs, FIELDS, ModelEncoder};
pub use model::{Model, Parameters, UnknownParameter};
pub use table::{MOST_ENTRIES, Table, Tables};

use tracewright_sim::event::Kind;

/// The highest confidence of a prediction.
pub const MOST_CONFIDENT: u32 = 14;

/// A control-flow instruction at the end of a run of instructions, as encoder and decoder know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Byte address.
    pub program_counter: u64,
    /// Instructions of the run, this one included.
    pub instructions: u64,
    /// What it does to the program counter; an exception is a system call that comes straight back.
    pub kind: Kind,
    /// It leaves a return address.
    pub call: bool,
    /// It goes back to one.
    pub is_return: bool,
    /// Bytes of the instruction if it is a call, else 0.
    pub length: u8,
    /// Byte address to which a direct branch went when it was last taken; `None` until then.
    pub target: Option<u64>,
}

/// What a branch will do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prediction {
    /// It is taken. Counts for conditional branches.
    pub taken: bool,
    /// Byte address of where it goes. Counts for indirect branches.
    pub target: u64,
    /// A number k from 1 to [`MOST_CONFIDENT`], where the prediction is wrong once in 2^k times.
    pub confidence: u32,
}

/// A scheme without hardware: what is predicted, and what is learned.
///
/// All that it remembers has to be in its [`Tables`], or the storage that is counted is not the storage that it has.
pub trait Predictor: Send {
    /// What the next execution of a branch does. It is asked for conditional and indirect branches.
    fn predict(&mut self, branch: &Branch) -> Prediction;

    /// What a branch did: taken or not, and the byte address of its target if it was taken, else 0. It is told of every
    /// branch.
    fn learn(&mut self, branch: &Branch, taken: bool, target: u64);

    /// Says at the end of a trace what went wrong, if the predictor can fail.
    ///
    /// # Errors
    /// A sentence.
    fn check(&mut self) -> Result<(), String> {
        Ok(())
    }
}

impl Prediction {
    /// True if it says what a branch did.
    fn is_right(&self, kind: Kind, taken: bool, target: u64) -> bool {
        match kind {
            Kind::DirectConditional => self.taken == taken,
            Kind::IndirectJump => self.target == target,
            _ => self.taken == taken && (!taken || self.target == target),
        }
    }
}
