//! T-raptor (paper C) in hardware.
pub mod encoder;
pub mod gshare;
pub mod indirect_branch_target_buffer;
pub mod last_value_predictor;
pub mod record_former;
pub mod return_address_stack;
pub mod target_predictor;
pub mod top;
