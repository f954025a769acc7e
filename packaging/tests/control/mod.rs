//! Control registers: every field over both buses, traces by registers alone, and what tools read of the map.

mod bus;
mod designs;
mod fault_lists;
mod faults;
mod lint;
mod ram;
mod registers;
mod sinks;
mod tools;
mod trace;
pub mod traced;
mod triggers;
