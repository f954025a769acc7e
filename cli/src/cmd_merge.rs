//! `tracewright merge`: the results of shards, put together.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use tracewright_exploration::merge;

use crate::pipeline::exploration::{self, Shown};

/// Put the results of the shards of a search together
#[derive(Args)]
#[command(after_help = "\
Each folder has the result of one shard (`explore --shard`) of the same search on the same traces.
Nothing is measured again. The merged folder is like that of a search without shards.

Example:
  tracewright merge results-1 results-2 -o results --emit designs")]
pub struct Arguments {
    /// Results folders
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,
    /// Write the merged results into this folder
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,
    #[command(flatten)]
    shown: Shown,
}

/// Runs the command.
///
/// # Errors
/// When a shard is missing or not finished, or the folders are not of one search.
pub fn run(arguments: &Arguments) -> Result<()> {
    let merged = merge(&arguments.folders, &arguments.output)?;
    exploration::save(&merged, &arguments.output)?;
    exploration::print(&merged, &arguments.shown)
}
