//! E-Trace in hardware: branch maps and address differences.
pub mod branch_count;
pub mod branch_predictor;
pub mod calls;
pub mod encoder;
pub mod extensions;
pub mod jump_target_cache;
pub mod loss;
pub mod payload;
pub mod record_former;
pub mod resync;
pub mod return_stack;
pub mod top;
