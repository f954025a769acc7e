//! The arguments that name the files of a program, or of one for each context.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use anyhow::Result;
use clap::{ArgGroup, Args};
use tracewright_image::list::{Placed, address_of, context_of};

use super::contexts::{Contexts, Own};
use super::events;
use super::failure::usage;
use super::paths::Input;
use super::program_files::{self, CodeArguments, Followed};

/// The files of the program.
#[derive(Args, Clone, Debug)]
#[command(group(ArgGroup::new("program_files").args(["program", "images"]).required(true).multiple(true)))]
pub struct ProgramArguments {
    /// Take the program from this ELF file, with its load address if it is position-independent; `decode` also takes a
    /// trace of the program. With CONTEXT= it is the program of this context only; can be repeated for others
    #[arg(long, value_name = "[CONTEXT=]FILE[@ADDRESS]")]
    program: Vec<OfContext<Placed>>,
    /// Add a shared library of the program, or of a context's program, at its load address; a file whose name ends with
    /// .bin is bytes of code at that address, such as a boot ROM; can be repeated
    #[arg(long, value_name = "[CONTEXT=]FILE@ADDRESS")]
    image: Vec<OfContext<Placed>>,
    /// Read the program and its libraries from a list as `capture --images` writes it, one FILE@ADDRESS per line, with
    /// CONTEXT= before it for the program of a context; can be repeated for the programs of contexts
    #[arg(long, value_name = "[CONTEXT=]FILE")]
    images: Vec<OfContext<PathBuf>>,
    /// Take names and lines of source from files with debugging information in this folder, which are found by the build
    /// identifiers of the program's files
    #[arg(long, value_name = "FOLDER", default_value = "/usr/lib/debug")]
    debug_files: Input,
    /// Start at this address if the trace does not say where it begins; the default is the entry point of the ELF file
    #[arg(long, value_name = "ADDRESS", value_parser = address_of)]
    entry: Option<u64>,
    #[command(flatten)]
    code: CodeArguments,
}

/// An argument of one context, as in `3=user.elf`, or of all contexts that have none of their own.
#[derive(Clone, Debug)]
struct OfContext<T> {
    context: Option<u64>,
    value: T,
}

impl<T: FromStr<Err: Display>> FromStr for OfContext<T> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (context, value) = context_of(text);
        let value = value.parse().map_err(|error: T::Err| error.to_string())?;
        Ok(Self { context, value })
    }
}

/// The arguments of a context, or of all contexts that have none of their own.
struct Files<'a> {
    program: Option<&'a Placed>,
    image: Vec<&'a Placed>,
    images: Option<&'a Path>,
    /// Files of this context in the list of the others.
    listed: Vec<Placed>,
}

impl ProgramArguments {
    /// The name of the program for messages.
    pub fn path(&self) -> &Path {
        self.of(None).map_or(Path::new(""), |files| files.path())
    }

    /// Loads the programs for decoding.
    ///
    /// # Errors
    /// When a program cannot be read, or a context has two.
    pub fn load(&self) -> Result<Contexts> {
        let other = self.of(None)?;
        let listed =
            other.images.map(program_files::read_contexts).transpose()?.unwrap_or_default();
        let other = self.load_one(&other, self.entry)?;
        let contexts = self.program.iter().map(|program| program.context);
        let contexts = contexts
            .chain(self.image.iter().map(|image| image.context))
            .chain(self.images.iter().map(|images| images.context))
            .chain(listed.iter().map(|(context, _)| *context));
        let mut numbers: Vec<u64> = contexts.flatten().collect();
        numbers.sort_unstable();
        numbers.dedup();
        let own = numbers.into_iter().map(|context| {
            let own = listed.iter().filter(|(of, _)| *of == Some(context));
            let own: Vec<Placed> = own.map(|(_, placed)| placed.clone()).collect();
            let Some(first) = own.first() else {
                let files = self.of(Some(context))?;
                let (path, followed) = (files.path().into(), self.load_one(&files, None)?);
                return Ok(Own { context, path, followed });
            };
            if self.has(context) {
                let list = self.path().display();
                return Err(usage(format!(
                    "context {context:#x} has files in {list} and as an argument"
                )));
            }
            let path = first.path.clone();
            let files = Files { program: None, image: Vec::new(), images: None, listed: own };
            let followed = self.load_one(&files, None)?;
            Ok(Own { context, path, followed })
        });
        Ok(Contexts { other, own: own.collect::<Result<_>>()? })
    }

    /// True if an argument is of this context.
    fn has(&self, context: u64) -> bool {
        let programs = self.program.iter().map(|program| program.context);
        let images = self.image.iter().map(|image| image.context);
        let lists = self.images.iter().map(|list| list.context);
        programs.chain(images).chain(lists).any(|of| of == Some(context))
    }

    /// The arguments of a context.
    fn of(&self, context: Option<u64>) -> Result<Files<'_>> {
        let program = one("--program", &self.program, context)?;
        let images = one("--images", &self.images, context)?.map(PathBuf::as_path);
        let image = self.image.iter().filter(|image| image.context == context);
        if program.is_none() && images.is_none() {
            return Err(usage(match context {
                Some(context) => format!(
                    "expected --program {context:#x}=FILE beside the --image of this context"
                ),
                None => {
                    "expected --program FILE for the contexts that have no program of their own"
                        .into()
                }
            }));
        }
        let image = image.map(|image| &image.value).collect();
        Ok(Files { program, image, images, listed: Vec::new() })
    }

    fn load_one(&self, files: &Files<'_>, entry: Option<u64>) -> Result<Followed> {
        if files.is_elf()? {
            let mut image = program_files::image_of(files.all()?, self.code)?;
            image.add_debug_files(&self.debug_files);
            return Ok(Followed::Image { image: Arc::new(image), entry });
        }
        if !files.image.is_empty() || files.images.is_some() || entry.is_some() {
            return Err(usage("--image, --images and --entry need an ELF file as --program"));
        }
        let path = files.path();
        let progress = events::progress_of([path], 1);
        Ok(Followed::Learned(Box::new(events::learn(path, &progress)?)))
    }
}

/// The only argument of a context, if there is one.
fn one<'a, T>(
    option: &str,
    arguments: &'a [OfContext<T>],
    context: Option<u64>,
) -> Result<Option<&'a T>> {
    let mut of_context = arguments.iter().filter(|argument| argument.context == context);
    let first = of_context.next();
    match (of_context.next(), context) {
        (None, _) => Ok(first.map(|argument| &argument.value)),
        (Some(_), Some(context)) => {
            Err(usage(format!("{option} {context:#x}=FILE is given twice, expected one")))
        }
        (Some(_), None) => Err(usage(format!(
            "{option} is given twice without a context, expected one, and CONTEXT=FILE for others"
        ))),
    }
}

impl<'a> Files<'a> {
    fn path(&self) -> &'a Path {
        let program = self.program.map(|program| program.path.as_path());
        program.or(self.images).unwrap_or(Path::new(""))
    }

    /// All files, with that of --program first.
    fn all(&self) -> Result<Vec<Placed>> {
        let files = self.program.iter().chain(&self.image);
        let files = files.map(|placed| (*placed).clone());
        let mut files: Vec<Placed> = files.chain(self.listed.iter().cloned()).collect();
        if let Some(path) = self.images {
            files.extend(program_files::read_list(path)?);
        }
        Ok(files)
    }

    /// True if the program is an ELF file. Anything else is read as a trace, also a file that cannot be read, so that
    /// the reader of traces reports the error. A pipe can be read only once, so it must be of an ELF file.
    fn is_elf(&self) -> Result<bool> {
        let Some(program) = self.program else { return Ok(true) };
        if events::is_pipe(&program.path) {
            return Ok(true);
        }
        Ok(Input::found(&program.path)?.begins_with(b"\x7fELF"))
    }
}
