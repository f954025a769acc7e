//! What an execution looks like: every instruction of it, and what can be told from them.

pub mod blocks;
pub mod disassembly;
pub mod calls;
mod error;
pub mod lines;
pub mod names;
pub mod profile;
pub mod timeline;
pub mod tree;
mod walker;

pub use error::{Contradiction, Error, Impossible};
pub use walker::{Step, Walker};
