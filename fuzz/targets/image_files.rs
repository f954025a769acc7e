//! Any text as a list of files or of changes of code.
#![no_main]

#[path = "../checks/image_files.rs"]
mod image_files;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    image_files::check(input);
});
