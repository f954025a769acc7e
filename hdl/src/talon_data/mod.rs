//! Data addresses with coded confidence in hardware.

pub mod encoder;
pub mod stride_table;
pub mod top;
