//! What an execution looks like: every instruction of it, and what can be told from them.

pub mod blocks;
pub mod disassembly;
mod error;
pub mod lines;
pub mod names;
mod walker;

pub use error::{Contradiction, Error, Impossible};
pub use walker::{Step, Walker};
