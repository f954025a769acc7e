//! RustHDL's simulation of a block against the Verilog written for it, cycle by cycle.

mod arithmetic;
mod banks;
mod bundles;
mod casts;
mod conditions;
mod corners;
mod harness;
mod intermediate;
mod memories;
mod packed;
mod state;
