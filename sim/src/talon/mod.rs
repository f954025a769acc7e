//! Talon: a tracing branch predictor whose predictions carry a confidence, and a range coder that charges by it.
//!
//! An [`encoder`] and a [`decoder`] keep equal [`predictors`]. Every branch is one symbol, "as predicted" or not, and
//! the [`range_coder`] sends it for the fraction of a bit that the prediction's confidence makes it worth. The
//! [`layout`] says what else can follow a symbol, and docs/talon.md why each part is there.

pub mod additive_parameters;
pub mod additive_predictor;
pub mod arbitrary;
pub mod bimodal;
pub mod bit_window;
pub mod block;
pub mod bound;
pub mod code_reader;
pub mod confidence;
pub mod config;
mod constraints;
pub mod counter;
pub mod decisions;
pub mod decoder;
pub mod encoder;
pub mod formats;
pub mod gshare;
pub mod history_fold;
pub mod instruction_counter;
pub mod layout;
pub mod loop_predictor;
pub mod match_model;
pub mod outcome_predictor;
pub mod outcomes;
pub mod per_address;
pub mod predictors;
pub mod presets;
pub mod range_coder;
pub mod regions;
pub mod return_address_stack;
pub mod room;
pub mod score;
pub mod single_target_buffer;
pub mod sizes;
pub mod target_buffer;
pub mod target_history;
pub mod target_predictor;
pub mod tick;
pub mod time_parameters;
