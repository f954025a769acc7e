//! The board and the host of a program without an operating system, as arguments say them.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use tracewright_image::InstructionSet;
use tracewright_working_set::boards;
use tracewright_working_set::{BoardDescription, CaptureOptions, Error, Program};

use crate::pipeline::failure::{before_crash, usage};
use crate::pipeline::paths::Input;

/// Arguments of every command that runs such a program.
#[derive(Args, Clone)]
pub struct Arguments {
    /// Run the program on this board, a ready one (`tracewright wset boards` lists them) or that of a TOML file; the
    /// default is riscv-tests for a program with the symbol tohost, ibex-simple-system where that is 0x20008, and else
    /// tracewright
    #[arg(long, value_name = "NAME|FILE")]
    board: Option<String>,
    /// Let the program's semihosting calls open, create and remove files of this folder; without it they fail
    #[arg(long, value_name = "FOLDER")]
    semihosting_folder: Option<Input>,
    /// Give the program this command line by semihosting: its name and its arguments, as one word of the shell
    #[arg(long, value_name = "WORDS")]
    arguments: Option<String>,
}

impl Arguments {
    /// True if a board is named.
    pub fn is_named(&self) -> bool {
        self.board.is_some()
    }

    /// The board that is named, or that the program seems to be for, and what is to be said of a choice that nobody
    /// made.
    ///
    /// # Errors
    /// When there is no such board, or a file does not describe one.
    pub fn choose(&self, program: &Program) -> Result<(BoardDescription, Option<String>)> {
        let Some(board) = &self.board else {
            let (board, why) = boards::detected(program);
            let said =
                why.map(|why| format!("board {}: {why}; --board NAME takes another", board.name));
            return Ok((board, said));
        };
        if let Some(ready) = boards::named(board) {
            return Ok((ready, None));
        }
        if !board.ends_with(".toml") {
            let names: Vec<String> = boards::ready().map(|board| board.name).collect();
            let names = names.join(", ");
            return Err(usage(format!(
                "expected --board out of {names}, or a file whose name ends with .toml, found `{board}`"
            )));
        }
        let text = Input::found(board.as_str())?.text()?;
        let name = || board.clone();
        let described = BoardDescription::parse(&text).with_context(name)?;
        // An error of the board is one of its file. What does not fit into its memory is an error of the program, which
        // the run gives.
        let assembled = described.assemble(program).map(drop);
        match assembled.and_then(|()| described.check_symbols(program)) {
            Err(error @ Error::Board(_)) => Err(error).with_context(name),
            _ => Ok((described, None)),
        }
    }

    /// The options of a capture on this board.
    pub fn options(&self, board: &BoardDescription, options: CaptureOptions) -> CaptureOptions {
        CaptureOptions {
            board: Some(board.clone()),
            folder: self.semihosting_folder.as_deref().map(PathBuf::from),
            arguments: self.arguments.clone(),
            ..options
        }
    }
}

/// The error of a run with what its user can do about it.
pub fn advised(error: Error, program: &Program, board: &BoardDescription) -> anyhow::Error {
    let advice = match &error {
        Error::SegmentOutside { address, bytes, .. } => {
            fitting(program, *address, *bytes, &board.name)
        }
        error => error.address_of_nothing().and_then(|address| nothing_at(address, board)),
    };
    let error = before_crash(error.into());
    match advice {
        Some(advice) => anyhow::anyhow!("{error}; {advice}"),
        None => error,
    }
}

/// The ready boards that the whole program is in the memory of.
fn fitting(program: &Program, address: u64, bytes: u64, board: &str) -> Option<String> {
    let fits = |other: &BoardDescription| other.name != board && other.assemble(program).is_ok();
    let names: Vec<String> =
        boards::ready().filter(fits).map(|it| format!("--board {}", it.name)).collect();
    match names.is_empty() {
        true => Some(format!(
            "a TOML file for --board with memory at {address:#x} ({bytes} bytes) runs it"
        )),
        false => Some(format!("it is in the memory of {}", names.join(" and "))),
    }
}

/// What ready boards have at an address at which this one has nothing.
fn nothing_at(address: u64, board: &BoardDescription) -> Option<String> {
    let is_there =
        board.memory.iter().any(|it| (it.address..it.address + it.bytes).contains(&address));
    if is_there {
        return None;
    }
    let found = boards::with_device(address);
    let found: Vec<String> =
        found.iter().map(|(name, kind)| format!("--board {name} has {kind} there")).collect();
    let has_nothing =
        format!("board {} has neither memory nor a device at {address:#x}", board.name);
    Some(match found.is_empty() {
        true => has_nothing,
        false => format!("{has_nothing}, {}", found.join(", ")),
    })
}

/// The error of `tracewright capture`, which runs programs for Linux, with what runs a program that is none.
pub fn of_capture(error: anyhow::Error) -> anyhow::Error {
    let path = match error.downcast_ref::<tracewright_capture::Error>() {
        Some(tracewright_capture::Error::Program(tracewright_image::Error::NoCode { path })) => {
            path
        }
        _ => return error,
    };
    let elf = Input::found(path).and_then(|input| input.bytes());
    let Some(program) = elf.ok().and_then(|elf| Program::of_elf(&elf).ok()) else { return error };
    let isa = match program.address_bits {
        32 => InstructionSet::RV32,
        _ => InstructionSet::RV64,
    };
    let advice = tracewright_capture::instead_of_linux(path, isa);
    anyhow::anyhow!("{error}{advice}")
}
