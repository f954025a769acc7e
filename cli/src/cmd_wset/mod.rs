//! `tracewright wset`: runs of programs kept as their working sets.

mod capture;
mod info;
mod replay;
mod sink;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use clap::Subcommand;
use tracewright_working_set::{WorkingSet, file};

use crate::pipeline::limits;
use crate::pipeline::memory;

/// Keep runs of bare-metal RISC-V programs as working sets, and replay them
#[derive(Subcommand)]
pub enum Command {
    Capture(capture::Arguments),
    Replay(replay::Arguments),
    Info(info::Arguments),
}

/// Runs the command.
///
/// # Errors
/// When a program, a working set or the output is bad.
pub fn run(command: &Command) -> Result<()> {
    match command {
        Command::Capture(arguments) => capture::run(arguments),
        Command::Replay(arguments) => replay::run(arguments),
        Command::Info(arguments) => info::run(arguments),
    }
}

/// The bytes of a file.
fn read(path: &Path) -> Result<Vec<u8>> {
    memory::reading(path);
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Refuses to replay more instructions than the limit allows; a working set of a few bytes can describe any number.
fn check_length(path: &Path, working_set: &WorkingSet, file_bytes: u64) -> Result<()> {
    let most = limits::events().instructions_of_bytes(file_bytes);
    limits::check(path, working_set.totals.instructions, most, "instructions")
}

/// A working set and the size of its file.
fn open(path: &Path) -> Result<(WorkingSet, u64)> {
    let bytes = read(path)?;
    let working_set = file::read(&bytes).with_context(|| path.display().to_string())?;
    Ok((working_set, bytes.len() as u64))
}
