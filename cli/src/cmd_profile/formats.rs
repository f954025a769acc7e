//! The formats of profiles.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use anyhow::anyhow;
use clap::ValueEnum;
use tracewright_image::Image;
use tracewright_profile::flow::Flow;
use tracewright_profile::part::FilePart;
use tracewright_profile::samples::Samples;
use tracewright_profile::{
    Error, bolt, callgrind, gcc_auto, llvm_sample, samples, speedscope, unsymbolized,
};
use tracewright_view::{Seen, Wanted, coverage};

use crate::pipeline::output;

/// What no listing and no timeline is written to.
pub type Nothing = io::Sink;

/// A format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Branches and ranges for BOLT: perf2bolt -pa
    Bolt,
    /// Branches and ranges for llvm-profgen --unsymbolized-profile
    LlvmUnsymbolized,
    /// Counts by function and line, for clang -fprofile-sample-use
    LlvmSample,
    /// Counts by function and line, for gcc -fauto-profile of GCC 12
    GccAuto,
    /// Instructions by line and calls, for callgrind_annotate and KCachegrind
    Callgrind,
    /// Coverage of lines, functions and branches, for genhtml
    Lcov,
    /// The call tree, for speedscope.app
    Speedscope,
    /// Folded stacks, for flame graphs
    Folded,
}

/// All that was made of the runs.
pub struct Made<'a> {
    /// The programs.
    pub images: &'a [Arc<Image>],
    /// Counts, calls.
    pub seen: Seen<Nothing, Nothing>,
    /// Branches and ranges.
    pub flow: Flow,
    /// The file that the profile is of, if it is of one.
    pub of: FilePart,
}

impl Format {
    /// The name of the format as an argument.
    pub fn name(self) -> &'static str {
        match self {
            Format::Bolt => "bolt",
            Format::LlvmUnsymbolized => "llvm-unsymbolized",
            Format::LlvmSample => "llvm-sample",
            Format::GccAuto => "gcc-auto",
            Format::Speedscope => "speedscope",
            Format::Callgrind => "callgrind",
            Format::Lcov => "lcov",
            Format::Folded => "folded",
        }
    }

    /// True for the formats that have the addresses of one file.
    pub fn is_of_file(self) -> bool {
        use Format::{Bolt, GccAuto, LlvmSample, LlvmUnsymbolized};
        matches!(self, Bolt | LlvmUnsymbolized | LlvmSample | GccAuto)
    }

    /// What it is made of besides branches and ranges.
    pub fn wanted(self) -> Wanted {
        use Format::{Callgrind, Folded, GccAuto, Lcov, LlvmSample, Speedscope};
        let counts = matches!(self, Callgrind | Lcov | LlvmSample | GccAuto);
        let calls = matches!(self, Callgrind | Folded | Speedscope);
        Wanted { counts, calls, graph: self == Format::Callgrind }
    }
}

impl Made<'_> {
    /// Instructions of all programs.
    pub fn instructions(&self) -> u64 {
        self.seen.instructions
    }

    /// Taken branches of all programs.
    pub fn taken(&self) -> u64 {
        self.flow.branches.values().sum()
    }

    /// Counts by function and line of the file that the profile is of.
    fn samples(&self) -> Result<BTreeMap<Arc<str>, Samples>, Error> {
        let Made { seen, flow, of, .. } = self;
        samples::of_file(of, &seen.counts[of.program()], &of.of_flow(flow)?)
    }

    /// Writes the profile.
    ///
    /// # Errors
    /// When it cannot be made or written.
    pub fn write(&self, format: Format, into: &mut impl Write) -> Result<(), Error> {
        let Made { images, seen, flow, of } = self;
        match format {
            Format::Bolt => bolt::write(of, &of.of_flow(flow)?, into),
            Format::LlvmUnsymbolized => {
                unsymbolized::write(&of.of_flow(flow)?, of.first_code()?, into)
            }
            Format::Callgrind => {
                let command = of.file().path.display().to_string();
                callgrind::write(images, seen, &command, into)
            }
            Format::Lcov => {
                let mut counted = images.iter().zip(&seen.counts);
                Ok(counted.try_for_each(|(image, counts)| coverage::lcov(image, counts, into))?)
            }
            Format::LlvmSample => llvm_sample::write(&self.samples()?, into),
            Format::GccAuto => gcc_auto::write(&self.samples()?, into),
            Format::Speedscope => {
                let name = of.file().path.file_name().unwrap_or_default().to_string_lossy();
                speedscope::write(seen, &name, into)
            }
            Format::Folded => {
                let stacks = seen.tree.folded(&seen.names);
                Ok(stacks.iter().try_for_each(|line| writeln!(into, "{line}"))?)
            }
        }
    }
}

/// Adds the file to an error.
pub fn explain(path: &Path, error: Error) -> anyhow::Error {
    match error {
        Error::Write(error) => output::cannot_write(path, &error),
        error => anyhow!(error),
    }
}
