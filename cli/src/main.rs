//! The program `tracewright`: the library's command, with an allocator that counts.

use std::process::ExitCode;

/// Counts what every reader allocates.
#[global_allocator]
static ALLOCATOR: tracewright::Counted = tracewright::Counted;

fn main() -> ExitCode {
    tracewright::main()
}
