//! Parts of the hardware that the golden model does without: they say when things happen, not what.
//!
//! `hdl/tests/structure.rs` lists them beside the blocks that have a twin in `tracewright-sim`.

pub mod block_stage;
pub mod lane_queue;
pub mod ports;
pub mod predictor_table;
pub mod retire_buffer;
pub mod retire_decoder;
pub mod retire_register;
pub mod sequencer;
pub mod shedder;
pub mod skid_buffer;
pub mod stage;
pub mod state_tracker;
pub mod stream_stage;
pub mod synchroniser;
pub mod time_keeper;
pub mod word_register;
