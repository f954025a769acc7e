//! A Nexus-like trace module in hardware: stream lengths and target differences.
pub mod encoder;
pub mod target_coder;
