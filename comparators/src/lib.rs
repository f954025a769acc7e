//! What a trace encoder can be compared with.
//!
//! A [`Comparator`] is another encoder of a processor's control flow, which has no hardware here: a format that is in
//! use, a compressor in software, or a model of a design that a paper describes. It turns the same events into bits
//! as the schemes of `tracewright-sim`, and decodes them.
//!
//! ```
//! use tracewright_comparators::{Comparator, Core};
//! use tracewright_sim::encode::bit_packer::BitPacker;
//! use tracewright_sim::event::Event;
//! use tracewright_sim::program::ProgramBuilder;
//! use tracewright_sim::synthetic::{Options, Synthetic};
//!
//! let program = Synthetic::new(Options { events: 500, exceptions: false, ..Options::from_seed(7) })?;
//! let core = Core::of(program.machine(), 64);
//! let events: Vec<Event> = program.collect();
//! let mut builder = ProgramBuilder::new(core.machine);
//! for event in &events {
//!     builder.event(event)?;
//! }
//! let program = builder.finish()?;
//!
//! let comparator = Comparator::named("tslz")?;
//! let mut encoder = comparator.encoder(&core)?;
//! let mut bits = BitPacker::new();
//! for event in &events {
//!     encoder.event(event, &mut bits)?;
//! }
//! encoder.finish(&mut bits)?;
//! let bytes = bits.finish();
//!
//! let mut decoded = Vec::new();
//! comparator.decode(&core, &program, &mut bytes.as_slice(), u64::MAX, &mut |event| decoded.push(event))?;
//! assert_eq!(decoded.len(), events.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod comparator;
mod core;
pub mod dmtf;
mod error;
pub mod limit;
pub mod predictor;
mod scheme;
pub mod software;
pub mod tslz;

pub use comparator::{ALL, Basis, Comparator, Gates, Published};
pub use core::Core;
pub use error::{DecodeError, EncodeError, Unknown};

use tracewright_sim::event::Event;
use tracewright_sim::field::Sink;

/// The encoder of a comparator.
pub trait Encode: Send {
    /// Encodes one event; a call must have its length.
    ///
    /// # Errors
    /// When the format cannot carry it.
    fn event(&mut self, event: &Event, sink: &mut dyn Sink) -> Result<(), EncodeError>;

    /// Ends the trace.
    ///
    /// # Errors
    /// When a compressor fails.
    fn finish(&mut self, sink: &mut dyn Sink) -> Result<(), EncodeError>;
}
