//! The programs of a trace: one for each context that has its own, and one for all others.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use anyhow::Result;
use tracewright_sim::event::Machine;
use tracewright_sim::program::{Program, Programs};

use super::failure::usage;
use super::program_files::Followed;

/// The programs that a decoder can follow.
#[derive(Clone, Debug)]
pub struct Contexts {
    /// The program of all contexts that have none of their own.
    pub other: Followed,
    /// The others.
    pub own: Vec<Own>,
}

/// The program of a context.
#[derive(Clone, Debug)]
pub struct Own {
    /// The context.
    pub context: u64,
    /// Its name for messages.
    pub path: PathBuf,
    /// The program.
    pub followed: Followed,
}

impl Contexts {
    /// The programs for decoding a trace of this machine, whose contexts have so many bits, 0 if it has none; `file` is
    /// the trace, and `program` the name of the program of all other contexts.
    ///
    /// # Errors
    /// When a program is for another processor, or the trace cannot have the contexts.
    pub fn programs(
        &self,
        machine: Machine,
        file: &Path,
        program: &Path,
        context_bits: u32,
    ) -> Result<Decodable<'_>> {
        let other = self.other.program(machine, file, program)?;
        let own = self.own.iter().map(|Own { context, path, followed }| {
            Ok((*context, followed.program(machine, file, path)?))
        });
        let programs = Decodable { other, own: own.collect::<Result<_>>()?, context_bits };
        programs.all()?;
        Ok(programs)
    }
}

/// Programs for decoding.
pub struct Decodable<'a> {
    other: Cow<'a, Program>,
    own: Vec<(u64, Cow<'a, Program>)>,
    context_bits: u32,
}

impl Decodable<'_> {
    /// All of them.
    ///
    /// # Errors
    /// When the trace cannot have the contexts, or code changes while it runs.
    pub fn all(&self) -> Result<Programs<'_>> {
        let own = self.own.iter().map(|(context, program)| (*context, &**program));
        let programs = Programs::new(&self.other, own, self.context_bits);
        programs.map_err(|error| usage(format_args!("--program: {error}")))
    }

    /// The program of all contexts that have none of their own.
    pub fn other(&self) -> &Program {
        &self.other
    }
}
