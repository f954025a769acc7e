//! Talon in hardware.
pub mod encoder;
pub mod instruction_counter;
pub mod outcome_predictor;
pub mod range_coder;
pub mod return_address_stack;
pub mod target_buffer;
pub mod target_predictor;
pub mod top;
