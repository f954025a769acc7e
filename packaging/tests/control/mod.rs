//! Control registers: every field over both buses, traces by registers alone, and what tools read of the map.

mod bus;
pub mod designs;
pub mod drivers;
pub mod faults;
mod funnel;
mod funnel_files;
mod lint;
mod ram;
mod registers;
mod sinks;
mod standard;
mod system_memory;
mod timestamp;
pub mod tools;
mod trace;
pub mod traced;
mod triggers;
