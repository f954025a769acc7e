//! Stream cache and last stream predictor (paper A): BASE, eBASE and rBASE.
//!
//! The stream detector makes instruction streams out of events. The [`stream_cache`] gives each a
//! short index, the [`last_stream_predictor`] predicts that index from the one before, and only what
//! it gets wrong is sent. The [`one_length_counter`] sends runs of right predictions as numbers, and
//! the [`start_address_predictor`] leaves upper address bits out.

pub mod arbitrary;
pub mod bound;
pub mod config;
pub mod decoder;
pub mod encoder;
pub mod formats;
pub mod last_stream_predictor;
pub mod layout;
pub mod one_length_counter;
pub mod presets;
pub mod record_former;
pub mod record_reader;
pub mod room;
pub mod start_address_predictor;
#[expect(clippy::module_inception, reason = "the paper's name of the structure and of the scheme")]
pub mod stream_cache;
