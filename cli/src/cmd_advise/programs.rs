//! What is advised on: traces as they are, programs and working sets as the traces of their runs.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use tracewright_capture::{self as capture, Options, Target};
use tracewright_sim::event::{Isa, Machine};
use tracewright_sim::trace_io::{Extensions, Format, Writer, WriterOptions};
use tracewright_working_set::{self as working_set, CaptureOptions, Program, Sink};

use crate::cmd_wset::board;
use crate::pipeline::failure::{before_crash, interrupted, usage};
use crate::pipeline::folder::{self, TemporaryFolder};
use crate::pipeline::output::Output;
use crate::pipeline::paths::{Input, OutputFile, OutputFolder};
use crate::pipeline::trace_sink::TraceSink;
use crate::pipeline::{count, events, limits, print, progress};

/// The first bytes of an ELF file.
const ELF: &[u8] = b"\x7fELF";

/// The inputs, and how programs among them are run.
#[derive(Args)]
pub struct Programs {
    /// Programs (ELF files), working sets and traces, in any order
    #[arg(value_name = "PROGRAM or TRACE", required = true)]
    inputs: Vec<Input>,
    /// Arguments of the program, if it is one for Linux
    #[arg(id = "of_linux", value_name = "ARGUMENT", last = true)]
    arguments: Vec<OsString>,
    /// End the run of each program after this many instructions, rounded up to a few blocks
    #[arg(long, value_name = "N", default_value = "100M", value_parser = count::at_least::<u64>(1))]
    limit: u64,
    /// Give programs without an operating system this file through the input device
    #[arg(long, value_name = "FILE")]
    input: Option<Input>,
    /// Take the libraries of Linux programs from this folder instead of /
    #[arg(long, value_name = "FOLDER")]
    sysroot: Option<Input>,
    #[command(flatten)]
    board: board::Arguments,
}

/// The traces that designs are measured on, as long as this is not dropped.
pub struct Traced {
    /// Their files.
    pub paths: Vec<PathBuf>,
    /// What they are called: the files that the command was given.
    pub names: Vec<String>,
    /// True for those that end at the limit, before the program does.
    pub is_cut: Vec<bool>,
    _folder: Option<TemporaryFolder>,
}

impl Programs {
    /// Runs the programs and replays the working sets, and gives all traces.
    ///
    /// # Errors
    /// When a program cannot be run, a file cannot be read, or there are arguments for no program or for several.
    pub fn traced(&self) -> Result<Traced> {
        let is_run = |input: &&Input| input.begins_with(ELF);
        let linux =
            self.inputs.iter().filter(is_run).filter(|input| !self.is_for_board(input)).count();
        if !self.arguments.is_empty() && linux != 1 {
            return Err(usage(format_args!(
                "arguments after -- are for one Linux program, and {linux} of the inputs are: expected one"
            )));
        }
        let mut traced = Traced {
            paths: Vec::new(),
            names: self.inputs.iter().map(|input| input.display().to_string()).collect(),
            is_cut: Vec::new(),
            _folder: None,
        };
        for (number, input) in self.inputs.iter().enumerate() {
            let is_program = input.begins_with(ELF);
            if !is_program && !input.begins_with(&working_set::file::MAGIC) {
                events::rereadable([input])?;
                traced.paths.push(input.to_path_buf());
                traced.is_cut.push(false);
                continue;
            }
            let folder = match traced._folder.take() {
                Some(folder) => folder,
                None => folder::temporary()?,
            };
            let trace = trace_of(input, number, folder.path())?;
            let is_cut = match is_program {
                false => replay(input, &trace)?,
                true if self.is_for_board(input) => self.run_on_board(input, &trace)?,
                true => self.run_on_linux(input, &trace)?,
            };
            traced.paths.push(trace.to_path_buf());
            traced.is_cut.push(is_cut);
            traced._folder = Some(folder);
        }
        Ok(traced)
    }

    /// True for a program of RISC-V without an operating system: it is loaded where the memory of its board is, or a
    /// board is named.
    fn is_for_board(&self, input: &Input) -> bool {
        let program = input.bytes().ok().and_then(|elf| Program::of_elf(&elf).ok());
        program.is_some_and(|program| {
            self.board.is_named()
                || self
                    .board
                    .choose(&program)
                    .is_ok_and(|(board, _)| board.assemble(&program).is_ok())
        })
    }

    /// Runs a program without an operating system; true if it ends at the limit.
    fn run_on_board(&self, input: &Input, trace: &OutputFile) -> Result<bool> {
        let name = || input.display().to_string();
        let program = Program::of_elf(&input.bytes()?).with_context(name)?;
        let options = CaptureOptions {
            limit: self.limit,
            input: self.input.as_ref().map(Input::bytes).transpose()?.unwrap_or_default(),
            ..CaptureOptions::default()
        };
        let (board, said) = self.board.choose(&program)?;
        if let Some(said) = said {
            print::remark(format!("{}: {said}\n", name()));
        }
        let options = self.board.options(&board, options);
        let machine = Machine { isa: Isa::RiscV, alignment: 1, address_bits: program.address_bits };
        let progress = progress::bar(self.limit, "instructions");
        let captured = written(trace, machine, name, |sink| {
            let captured =
                working_set::capture(&program, &options, sink, |done| progress.add(done));
            captured.map_err(|error: anyhow::Error| match error.downcast() {
                Ok(error) => board::advised(error, &program, &board),
                Err(other) => other,
            })
        })?;
        print::remark(String::from_utf8_lossy(&captured.console));
        Ok(captured.exit.is_none())
    }

    /// Runs a Linux program in QEMU, with its output on standard error; true if it ends at the limit.
    fn run_on_linux(&self, input: &Input, trace: &OutputFile) -> Result<bool> {
        // A name without a slash would be searched for.
        let program = std::path::absolute(input)
            .with_context(|| format!("cannot find {}", input.display()))?;
        let target = Target::find(program.as_os_str(), None)?;
        let options = Options {
            arguments: self.arguments.clone(),
            sysroot: self.sysroot.as_deref().map(Path::to_path_buf),
            extensions: Extensions::LENGTHS,
            skip: 0,
            limit: self.limit,
            stop: true,
            hart: None,
            output_to_error: true,
        };
        let writer =
            Writer::new(trace.create()?, target.machine, writer_options(&options.extensions))?;
        let progress = progress::bar(self.limit, "instructions");
        let mut shown = 0;
        let (captured, writer) = capture::capture(&target, &options, writer, |instructions| {
            progress.add(instructions - shown);
            shown = instructions;
        })?;
        writer.finish()?.commit()?;
        match tracewright_interrupt::received() {
            Some(signal) => Err(interrupted(signal, format!("{} was ended", input.display()))),
            None => Ok(!captured.is_whole),
        }
    }
}

/// The file of the trace of a run.
fn trace_of(input: &Input, number: usize, folder: &Path) -> Result<OutputFile> {
    let folder = OutputFolder::new(folder.join(number.to_string()))?;
    folder.make()?;
    let mut name = input.file_name().unwrap_or_default().to_owned();
    name.push(".pet.zst");
    folder.file(Path::new(&name))
}

fn writer_options(extensions: &Extensions) -> WriterOptions {
    WriterOptions {
        format: Format::Pet1Zstd,
        extensions: *extensions,
        level: 1,
        ..WriterOptions::default()
    }
}

/// Writes the trace of what `run` sends to the sink.
fn written<T>(
    trace: &OutputFile,
    machine: Machine,
    name: impl FnOnce() -> String,
    run: impl FnOnce(
        &mut TraceSink<Output, false>,
    ) -> Result<T, <TraceSink<Output, false> as Sink>::Error>,
) -> Result<T> {
    let options = writer_options(&Extensions::LENGTHS);
    let mut sink = TraceSink::<_, false>::new(trace.create()?, machine, options)?;
    let done = run(&mut sink).map_err(before_crash).with_context(name)?;
    sink.finish()?.commit()?;
    Ok(done)
}

/// Replays a working set.
fn replay(input: &Input, trace: &OutputFile) -> Result<bool> {
    let name = || input.display().to_string();
    let bytes = input.bytes()?;
    let kept = working_set::file::read(&bytes).with_context(name)?;
    let most = limits::events().instructions_of_bytes(bytes.len() as u64);
    limits::check(input, kept.totals.instructions, most, "instructions")?;
    let progress = progress::bar(kept.totals.instructions, "instructions");
    written(trace, kept.machine, name, |sink| {
        working_set::replay(&kept, sink, |done| progress.add(done))
    })?;
    Ok(false)
}
