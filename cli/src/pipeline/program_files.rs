//! The program of a trace, learned from a trace or read from its files.

use std::borrow::Cow;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use clap::Args;
use tracewright_image::Image;
use tracewright_image::changes::{self, Changes};
use tracewright_image::list::{self, Placed};
use tracewright_sim::event::Machine;
use tracewright_sim::program::Program;
use tracewright_sim::{rvfi, trace_io};
use tracewright_verification::trace::Learned;

use super::failure::usage;
use super::memory;
use super::paths::Input;
use super::print;

/// What the files of a program do not say of its code.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct CodeArguments {
    /// Take RISC-V code as that of a processor with these extensions too: zcmp, zcmt, or both with a comma between them.
    /// An ELF file says them itself unless its attributes were removed
    #[arg(long, value_name = "NAMES")]
    extensions: Option<rvfi::Extensions>,
    /// Take jumps by the table at this address (cm.jt, cm.jalt) as direct ones, for an encoder that does, as N-Trace
    /// says: it does not send their targets. Without it they are indirect
    #[arg(long, value_name = "ADDRESS", value_parser = list::address_of)]
    jump_table: Option<u64>,
}

impl CodeArguments {
    /// The extensions.
    pub fn extensions(self) -> rvfi::Extensions {
        self.extensions.unwrap_or_default()
    }
}

/// The files of a program that is otherwise learned from its trace.
#[derive(Args, Clone, Debug)]
pub struct KnownProgram {
    /// Decode with the program in this list of files, as `capture --images` writes it, instead of learning it from the
    /// trace; needed if the code changes while the program runs
    #[arg(long, value_name = "FILE", conflicts_with = "synthetic")]
    images: Option<Input>,
    /// The same with the program in this ELF file, and its load address if it is position-independent. A design with
    /// `exact_lengths` takes from it how long instructions are
    #[arg(long, value_name = "FILE[@ADDRESS]", conflicts_with_all = ["synthetic", "images"])]
    program: Option<Placed>,
    #[command(flatten)]
    code: CodeArguments,
}

impl KnownProgram {
    /// The program, with its name for messages; `None` without files.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn followed(&self) -> Result<Option<(PathBuf, Followed)>> {
        let code = self.code;
        Ok(match (&self.images, &self.program) {
            (Some(list), _) => {
                let image = image_of_list(list, code)?;
                Some((list.to_path_buf(), Followed::Image { image, entry: None }))
            }
            (None, Some(placed)) => Some((placed.path.clone(), Followed::of_file(placed, code)?)),
            (None, None) => None,
        })
    }
}

/// The program of a list, as `capture --images` writes it.
///
/// # Errors
/// When a file of the list cannot be read or does not match the others.
pub fn image_of_list(list: &Path, arguments: CodeArguments) -> Result<Arc<Image>> {
    Ok(Arc::new(image_of(read_list(list)?, arguments)?))
}

/// Fails unless a trace and a program are of one processor.
///
/// # Errors
/// When they are not.
pub fn check_processor(trace: (Machine, &Path), program: (Machine, &Path)) -> Result<()> {
    let processor = |machine: Machine| (machine.isa, machine.address_bits);
    match processor(trace.0) == processor(program.0) {
        true => Ok(()),
        false => Err(other_machine(trace, program)),
    }
}

fn other_machine(trace: (Machine, &Path), program: (Machine, &Path)) -> anyhow::Error {
    let (one, other) = (print::machine(trace.0), print::machine(program.0));
    anyhow!("{} is of {one}, but {} is for {other}", trace.1.display(), program.1.display())
}

/// The files of a list.
///
/// # Errors
/// When it cannot be read, or a line is not valid.
pub fn read_list(path: &Path) -> Result<Vec<Placed>> {
    Ok(list::read(&Input::found(path)?.text()?, path)?)
}

/// The files of a list, with the contexts of those that belong to one.
///
/// # Errors
/// When it cannot be read, or a line is not valid.
pub fn read_contexts(path: &Path) -> Result<Vec<(Option<u64>, Placed)>> {
    Ok(list::read_contexts(&Input::found(path)?.text()?, path)?)
}

/// The files as one image, with their changes if there is a file of changes among them.
///
/// # Errors
/// When a file cannot be read or does not match the others.
pub fn image_of(files: Vec<Placed>, arguments: CodeArguments) -> Result<Image> {
    let mut files = files.into_iter();
    let first = files
        .next()
        .ok_or_else(|| usage("expected the program's file as --program or in --images"))?;
    memory::reading(&Input::found(&first.path)?);
    let mut image = Image::open(&first.path, first.load_address)?;
    image.add_extensions(arguments.extensions());
    let mut changes = None;
    check_last(&image, &first)?;
    for placed in files {
        let Placed { path, load_address, .. } = &placed;
        let input = Input::found(path)?;
        memory::reading(&input);
        if input.begins_with(changes::MAGIC.as_bytes()) {
            changes = Some(input);
        } else {
            image.add(path, *load_address)?;
            check_last(&image, &placed)?;
        }
    }
    arguments.jump_table.map_or(Ok(()), |address| image.set_jump_table(address))?;
    if let Some(input) = changes {
        image.follow(Changes::read(BufReader::new(input.open()?), &input)?)?;
    }
    Ok(image)
}

/// Fails if the file that was loaded last is another build than its place in the list says.
fn check_last(image: &Image, placed: &Placed) -> Result<()> {
    Ok(image.files().last().map_or(Ok(()), |file| placed.check(&file.data))?)
}

/// A program that a decoder can follow.
#[derive(Clone, Debug)]
pub enum Followed {
    /// Learned from a trace.
    Learned(Box<Learned>),
    /// Read from the program's files.
    Image {
        /// The files.
        image: Arc<Image>,
        /// The first address of a trace that does not have it.
        entry: Option<u64>,
    },
}

impl Followed {
    /// The program of one file.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn of_file(placed: &Placed, arguments: CodeArguments) -> Result<Followed> {
        let image = Arc::new(image_of(vec![placed.clone()], arguments)?);
        Ok(Followed::Image { image, entry: None })
    }

    /// The processor of the program, as far as it is known without a trace.
    pub fn machine(&self) -> Machine {
        match self {
            Followed::Learned(learned) => learned.machine(),
            Followed::Image { image, .. } => image.machine(),
        }
    }

    /// The program's files, if it is known to its last instruction.
    pub fn image(&self) -> Option<&Image> {
        match self {
            Followed::Learned(_) => None,
            Followed::Image { image, .. } => Some(image),
        }
    }

    /// The extensions of a decoded trace of this program on `cores` cores.
    pub fn extensions(&self, cores: u32) -> trace_io::Extensions {
        match self {
            Followed::Learned(learned) => learned.extensions,
            Followed::Image { .. } => {
                trace_io::Extensions { threads: cores > 4, ..trace_io::Extensions::LENGTHS }
            }
        }
    }

    /// The program for decoding a trace of this machine; `file` is the trace.
    ///
    /// # Errors
    /// When the program is for another processor.
    pub fn program(
        &self,
        machine: Machine,
        file: &Path,
        program: &Path,
    ) -> Result<Cow<'_, Program>> {
        match self {
            Followed::Learned(learned) if learned.machine() == machine => {
                Ok(Cow::Borrowed(&learned.program))
            }
            Followed::Learned(learned) => {
                Err(other_machine((machine, file), (learned.machine(), program)))
            }
            Followed::Image { image, entry } => {
                check_processor((machine, file), (image.machine(), program))?;
                let entry = entry.unwrap_or(image.entry());
                let code = Arc::clone(image);
                let program_of_code = Program::of_code(machine, code, Some(entry));
                Ok(Cow::Owned(program_of_code.with_context(|| program.display().to_string())?))
            }
        }
    }
}
