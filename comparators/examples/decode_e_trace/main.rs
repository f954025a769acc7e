//! Prints the addresses of the instructions that retired, from a trace of `etrace-base` or `etrace-returns`:
//!
//! ```text
//! cargo run --release -p tracewright-comparators --example decode_e_trace -- prog.elf trace.bin 3
//! ```
//!
//! The trace is the bytes of the trace port. The number is the binary logarithm of `return_stack_entries`, 0 for
//! `etrace-base`.

mod decoder;
mod stack;

use std::io::{BufWriter, Write, stdout};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [program, trace, return_stack_size_p] = arguments.as_slice() else {
        return Err("expected PROGRAM.elf TRACE.bin RETURN_STACK_SIZE_P".into());
    };
    let (program, trace) = (std::fs::read(program)?, std::fs::read(trace)?);
    let mut lines = BufWriter::new(stdout().lock());
    for address in decoder::addresses(&program, &trace, return_stack_size_p.parse()?)? {
        writeln!(lines, "0x{address:x}")?;
    }
    Ok(lines.flush()?)
}
