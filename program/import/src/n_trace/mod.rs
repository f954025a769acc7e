//! Dumps of N-Trace, RISC-V's trace in messages of the Nexus standard, as any encoder of the standard writes them.
//!
//! [`Encoder`] has the parameters of the encoder, by the names that the specifications give them. [`Messages`] finds the
//! messages in a dump, [`Body`] has the fields of one, and [`decode`] follows the program and gives the items of a
//! trace, as [`crate::e_trace::decode`] does.
//!
//! ```
//! use tracewright_import::n_trace::{Body, Encoder, Messages};
//!
//! // A start at 0x100, because tracing is enabled.
//! let dump = [0x24, 0x15, 0x00, 0x0b];
//! let (offset, message) = Messages::of(&dump, &Encoder::default())?.next().unwrap();
//! assert_eq!(offset, 0);
//! assert_eq!(message?.body, Body::Start { sync: 5, count: 0, address: 0x100 });
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod body;
mod decoder;
mod encoder;
mod error;
mod fields;
mod follower;
mod hart;
mod messages;
mod read;
mod step;

pub use body::Body;
pub use decoder::{decode, first_message};
pub use encoder::Encoder;
pub use error::{Problem, Unreadable};
pub use messages::{Message, Messages};
