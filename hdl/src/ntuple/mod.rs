//! N-tuple compression (paper B) in hardware.
pub mod encoder;
pub mod top;
pub mod trace_output_controller;
pub mod tuple_history_buffer;
