//! Data addresses (paper B) in hardware.
pub mod data_address_stride_cache;
pub mod data_repetitions;
pub mod encoder;
pub mod top;
