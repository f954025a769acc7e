//! E-Trace in hardware: branch maps and address differences.
pub mod encoder;
pub mod payload;
pub mod record_former;
pub mod return_stack;
pub mod top;
