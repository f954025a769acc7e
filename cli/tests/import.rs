//! Traces of logs that other tools have written.

mod live;
mod port;
mod qemu;
mod spike;
mod tables;
mod waveform;
