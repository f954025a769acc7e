//! GDB over recorded executions: the scripts of cli/tests/debug/scripts, line by line, on every processor.

mod aarch64;
mod bare_metal;
mod frames;
mod linux;
mod lldb;
mod places;
mod script;
mod steps;
mod survives;
