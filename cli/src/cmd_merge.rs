//! `tracewright merge`: the results of shards, put together.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use tracewright_exploration::{Exploration, merge};
use tracewright_verification::regression::{self, Part};

use crate::cmd_regress;
use crate::pipeline::exploration::{self, Shown};
use crate::pipeline::failure::usage;
use crate::pipeline::paths::{self, Input, OutputFolder};

/// Put the results of the shards of a search or a regression together
#[derive(Args)]
#[command(after_help = "\
Each folder has the result of one shard, of `explore --shard` or of `regress --shard`, all of the
same search on the same traces, or of the same regression. Nothing is measured or simulated again.
The merged folder is like that of a search or regression without shards; that of a regression also
has junit.xml.

Examples:
  tracewright merge results-1 results-2 -o results --emit designs
  tracewright merge regression-1 regression-2 -o regression")]
pub struct Arguments {
    /// Results folders
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<Input>,
    /// Write the merged results into this folder
    #[arg(long, short, value_name = "DIR")]
    output: OutputFolder,
    #[command(flatten)]
    shown: Shown,
}

/// Runs the command.
///
/// # Errors
/// When a shard is missing or not finished, the folders do not belong together, or a run of the regression failed.
pub fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { folders, output, shown } = arguments;
    if folders.iter().any(|folder| folder.join(Part::FILE).exists()) {
        if shown.makes_designs() {
            return Err(usage(
                "--emit and --synthesize are for searches, and these are results of a regression",
            ));
        }
        let merged = Part::merge(&paths::paths(folders))?;
        output.make()?;
        let mut junit = output.file("junit.xml")?.create()?;
        junit.write_all(regression::junit(&merged.outcomes)?.as_bytes())?;
        junit.commit()?;
        // A folder with this file is finished, so it is written last.
        cmd_regress::save(&merged, output)?;
        return cmd_regress::print(&merged, shown.json());
    }
    output.claim(&Exploration::FILES)?;
    let merged = merge(&paths::paths(folders), output)?;
    exploration::save(&merged, output)?;
    exploration::print(&merged, shown)
}
