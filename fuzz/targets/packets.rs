//! Any bits as a trace of packets.
#![no_main]
#![allow(dead_code, reason = "every target has its own use for the checks")]

#[path = "../checks/mod.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    checks::packets::check(input);
});
