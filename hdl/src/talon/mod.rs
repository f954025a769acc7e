//! Talon in hardware.

pub mod additive_predictor;
pub mod bimodal;
pub mod confidence;
pub mod counter;
pub mod encoder;
pub mod gshare;
pub mod instruction_counter;
pub mod loop_predictor;
pub mod match_model;
pub mod outcome_predictor;
pub mod predictors;
pub mod range_coder;
pub mod regions;
pub mod return_address_stack;
pub mod score;
pub mod single_target_buffer;
pub mod target_buffer;
pub mod target_predictor;
pub mod tick;
pub mod top;
