//! The time of every event: what is expected of it, and the symbols of what it was.

pub mod back;
pub mod front;
pub mod generator;
