//! Dumps of E-Trace, RISC-V's Efficient Trace, as any encoder of the standard writes them.
//!
//! [`Encoder`] has the parameters of the encoder, by the names that the specification gives them. [`Frames`] finds the
//! payloads in a dump, [`Payload`] has the fields of one, and [`decode`] follows the program and gives the items of a
//! trace, with a [`Gap`] where something is missing.
//!
//! ```
//! use tracewright_import::e_trace::{Encoder, Frames, Payload};
//!
//! // A start at 0x80000000 in machine mode, with a header of one byte.
//! let encoder = Encoder::default().for_addresses(32);
//! let dump = [0x05, 0x73, 0x00, 0x00, 0x00, 0x20];
//! for frame in Frames::of(&dump, &encoder)? {
//!     let payload = Payload::read(&frame?, &encoder)?;
//!     assert_eq!(payload.name(), "start");
//! }
//! # Ok::<(), tracewright_import::e_trace::Problem>(())
//! ```

mod bits;
mod code;
mod decoder;
mod encoder;
mod error;
mod execution;
mod fields;
mod follower;
mod frames;
mod hart;
mod pass;
mod payload;
mod straight;
mod tables;

pub(crate) use decoder::{End, finish};
pub(crate) use execution::{Progress, Run};
pub(crate) use hart::{Execution, Failed};
pub(crate) use pass::{Pass, Retired, Waiting};
pub(crate) use straight::Straights;

pub use code::{Code, Known};
pub use decoder::{
    Gap, Options, PAYLOAD_BRANCHES, Reason, Receiver, Summary, Told, decode, first_payload,
};
pub use encoder::{Encoder, OptionName};
pub use error::{Error, Problem};
pub use fields::Field;
pub use frames::{Frame, Frames};
pub use payload::{Address, Depth, Payload, QualStatus, State};
