//! Any bytes as an encoded trace in a file.
#![no_main]
#![allow(dead_code, reason = "every target has its own use for the checks")]

#[path = "../checks/mod.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    checks::bits_file::check(input);
});
