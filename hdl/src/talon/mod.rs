//! Talon in hardware.

pub mod bimodal;
pub mod confidence;
pub mod counter;
pub mod gshare;
pub mod loop_predictor;
pub mod match_model;
pub mod outcome_predictor;
pub mod score;
