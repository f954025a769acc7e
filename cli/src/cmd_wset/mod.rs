//! `tracewright wset`: runs of programs kept as their working sets.

pub mod board;
mod boards;
mod capture;
mod info;
mod replay;

use std::path::Path;

use anyhow::{Context, Result};
use clap::Subcommand;
use tracewright_working_set::{WorkingSet, file};

use crate::pipeline::limits;
use crate::pipeline::paths::Input;

/// Keep runs of bare-metal RISC-V programs as working sets, and replay them
#[derive(Subcommand)]
pub enum Command {
    Capture(capture::Arguments),
    Replay(replay::Arguments),
    Info(info::Arguments),
    Boards(boards::Arguments),
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
        Command::Boards(arguments) => boards::run(arguments),
    }
}

/// Refuses to replay more instructions than the limit allows; a working set of a few bytes can describe any number.
///
/// # Errors
/// When it has more.
pub fn check_length(path: &Path, working_set: &WorkingSet, file_bytes: u64) -> Result<()> {
    let most = limits::events().instructions_of_bytes(file_bytes);
    limits::check(path, working_set.totals.instructions, most, "instructions")
}

/// A working set and the size of its file.
///
/// # Errors
/// When it cannot be read.
pub fn open(path: &Input) -> Result<(WorkingSet, u64)> {
    let bytes = path.bytes()?;
    let working_set = file::read(&bytes).with_context(|| path.display().to_string())?;
    Ok((working_set, bytes.len() as u64))
}
