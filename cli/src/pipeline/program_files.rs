//! The program of a trace, learned from a trace or read from its files.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use clap::Args;
use tracewright_image::Image;
use tracewright_image::changes::{self, Changes};
use tracewright_image::list::{self, Placed, address_of};
use tracewright_sim::event::Machine;
use tracewright_sim::program::Program;
use tracewright_sim::trace_io::Extensions;
use tracewright_verification::trace::Learned;

use super::events;
use super::failure::usage;
use super::memory;
use super::print;

/// The files of the program.
#[derive(Args, Clone, Debug)]
pub struct ProgramArguments {
    /// Take the program from this ELF file, with its load address if it is position-independent; `decode` also takes a
    /// trace of the program
    #[arg(long, value_name = "FILE[@ADDRESS]", required_unless_present = "images")]
    program: Option<Placed>,
    /// Add a shared library of the program at its load address; can be repeated
    #[arg(long, value_name = "FILE@ADDRESS")]
    image: Vec<Placed>,
    /// Read the program and its libraries from a list as `capture --images` writes it, one FILE@ADDRESS per line
    #[arg(long, value_name = "FILE")]
    images: Option<PathBuf>,
    /// Take names and lines of source from files with debugging information in this folder, which are found by the build
    /// identifiers of the program's files
    #[arg(long, value_name = "FOLDER", default_value = "/usr/lib/debug")]
    debug_files: PathBuf,
    /// Start at this address if the trace does not say where it begins; the default is the entry point of the ELF file
    #[arg(long, value_name = "ADDRESS", value_parser = address_of)]
    entry: Option<u64>,
}

impl ProgramArguments {
    /// The name of the program for messages.
    pub fn path(&self) -> &Path {
        let program = self.program.as_ref().map(|program| &program.path);
        program.or(self.images.as_ref()).map_or(Path::new(""), PathBuf::as_path)
    }

    /// All files, with that of --program first.
    fn files(&self) -> Result<Vec<Placed>> {
        let mut files: Vec<Placed> = self.program.iter().chain(&self.image).cloned().collect();
        if let Some(path) = &self.images {
            files.extend(read_list(path)?);
        }
        Ok(files)
    }

    /// True if the program is an ELF file. Anything else is read as a trace, also a file that cannot be read, so that
    /// the reader of traces reports the error. A pipe can be read only once, so it must be of an ELF file.
    fn is_elf(&self) -> bool {
        let mut magic = Vec::new();
        let Some(program) = &self.program else { return true };
        if events::is_pipe(&program.path) {
            return true;
        }
        let read = File::open(&program.path).and_then(|file| file.take(4).read_to_end(&mut magic));
        read.is_ok() && magic == b"\x7fELF"
    }

    /// The program's files as one image.
    ///
    /// # Errors
    /// When a file cannot be read or does not match the others.
    pub fn image(&self) -> Result<Image> {
        let mut image = image_of(self.files()?)?;
        image.add_debug_files(&self.debug_files);
        Ok(image)
    }

    /// Loads the program for decoding.
    ///
    /// # Errors
    /// When the program cannot be read.
    pub fn load(&self) -> Result<Followed> {
        if self.is_elf() {
            return Ok(Followed::Image { image: Arc::new(self.image()?), entry: self.entry });
        }
        if !self.image.is_empty() || self.images.is_some() || self.entry.is_some() {
            return Err(usage("--image, --images and --entry need an ELF file as --program"));
        }
        let path = self.path();
        let progress = events::progress_of([path], 1);
        Ok(Followed::Learned(Box::new(events::learn(path, &progress)?)))
    }
}

/// The program of a list, as `capture --images` writes it.
///
/// # Errors
/// When a file of the list cannot be read or does not match the others.
pub fn image_of_list(list: &Path) -> Result<Arc<Image>> {
    Ok(Arc::new(image_of(read_list(list)?)?))
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
fn read_list(path: &Path) -> Result<Vec<Placed>> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(list::read(&text, path)?)
}

/// The files as one image, with their changes if there is a file of changes among them.
fn image_of(files: Vec<Placed>) -> Result<Image> {
    let mut files = files.into_iter();
    let first = files
        .next()
        .ok_or_else(|| usage("expected the program's file as --program or in --images"))?;
    memory::reading(&first.path);
    let mut image = Image::open(&first.path, first.load_address)?;
    let mut changes = None;
    for Placed { path, load_address } in files {
        memory::reading(&path);
        match begins_with(&path, changes::MAGIC.as_bytes()) {
            true => changes = Some(path),
            false => image.add(&path, load_address)?,
        }
    }
    if let Some(path) = changes {
        let file = File::open(&path).with_context(|| format!("cannot read {}", path.display()))?;
        image.follow(Changes::read(BufReader::new(file), &path)?)?;
    }
    Ok(image)
}

/// True if a file begins with these bytes; false for one that cannot be read, which its reader reports.
fn begins_with(path: &Path, magic: &[u8]) -> bool {
    let mut first = Vec::new();
    let read =
        File::open(path).and_then(|file| file.take(magic.len() as u64).read_to_end(&mut first));
    read.is_ok() && first == magic
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
    /// The program of a list, as `capture --images` writes it.
    ///
    /// # Errors
    /// When a file of the list cannot be read or does not match the others.
    pub fn of_list(list: &Path) -> Result<Followed> {
        Ok(Followed::Image { image: image_of_list(list)?, entry: None })
    }

    /// The processor of the program, as far as it is known without a trace.
    pub fn machine(&self) -> Machine {
        match self {
            Followed::Learned(learned) => learned.machine(),
            Followed::Image { image, .. } => image.machine(),
        }
    }

    /// The extensions of a decoded trace of this program on `cores` cores.
    pub fn extensions(&self, cores: u32) -> Extensions {
        match self {
            Followed::Learned(learned) => learned.extensions,
            Followed::Image { .. } => Extensions { threads: cores > 4, ..Extensions::LENGTHS },
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
