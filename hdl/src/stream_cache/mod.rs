//! Stream cache and last stream predictor in hardware.
pub mod encoder;
pub mod last_stream_predictor;
pub mod one_length_counter;
pub mod record_former;
pub mod start_address_predictor;
#[expect(clippy::module_inception, reason = "the paper's name of the structure and of the scheme")]
pub mod stream_cache;
pub mod top;
