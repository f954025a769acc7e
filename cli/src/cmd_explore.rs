//! `tracewright explore`: a search over parameters for few bits, few gates and small buffers.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use clap::Args;
use tracewright_exploration::{Exploration, Names, Setup, explore, search_file};
use tracewright_verification::Shard;

use crate::pipeline::design::{self, Changes};
use crate::pipeline::exploration::{self, Shown};
use crate::pipeline::failure::{self, usage};
use crate::pipeline::paths::{self, Input, OutputFolder};
use crate::pipeline::predictors::Predictors;
use crate::pipeline::unit::Sections;
use crate::pipeline::{addresses, classes, events, limits, progress};

/// Search parameters for designs of few bits, few gates and small buffers
#[derive(Args)]
#[command(after_help = "\
The file has a preset or the TOML file of a design, values for its parameters, the objectives, classes
of traces and a budget; docs/exploration.md describes it. Designs are measured on the traces with the
golden models, predictors without hardware beside them. Every measurement of a design is kept in the
folder, so that the same command goes on where it was killed. Finished, the folder has all.csv,
front.csv, front.svg and exploration.json.

Examples:
  tracewright explore space.toml workloads/*.pet.zst --output results
  tracewright explore space.toml run.pet.zst --output results --emit designs --synthesize
  tracewright explore space.toml --class firmware=traces/rv32 --class hosted='traces/x86/*.pet.zst' \
      --baseline traptor-m4 --objective worst --leave-out hosted --output results
  tracewright explore space.toml run.pet.zst --output results-2 --shard 2/8")]
pub struct Arguments {
    /// The search: a TOML file
    #[arg(value_name = "FILE")]
    search: Input,
    /// Traces; each of them is a class of its own
    #[arg(value_name = "TRACE")]
    traces: Vec<Input>,
    #[command(flatten)]
    classes: classes::Arguments,
    /// Choose designs without this class, and measure them on it
    #[arg(long, value_name = "CLASS")]
    leave_out: Vec<String>,
    /// Keep measurements and results in this folder
    #[arg(long, short, value_name = "DIR")]
    output: OutputFolder,
    /// Do one of several parts of the search, such as 2/8; `merge` puts the results together
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// Use this many processor cores; the default is all of them
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    #[command(flatten)]
    shown: Shown,
}

/// Runs the command.
///
/// # Errors
/// When the search is not valid, a trace is bad or disappears, or the folder cannot be used.
pub fn run(arguments: &Arguments, predictors: &Predictors) -> Result<()> {
    let Arguments { search, traces, classes, leave_out, output, shard, jobs, shown } = arguments;
    if let Some(jobs) = jobs {
        let pool = rayon::ThreadPoolBuilder::new().num_threads((*jobs).into());
        pool.build_global().context("cannot start threads")?;
    }
    let around = RefCell::new(BTreeMap::new());
    let design = |folder: &Path, name: &str| {
        let path = folder.join(name);
        let unit = design::load_unit(&path.to_string_lossy(), &Changes::default());
        let unit = unit.map_err(|error| failure::sentence(&error))?;
        if unit.sections != Sections::default() {
            let sections = toml::to_string(&unit.sections).map_err(|error| error.to_string())?;
            around.borrow_mut().insert(unit.design.name.clone(), sections);
        }
        Ok(unit.design)
    };
    let predictor = |folder: &Path, name: &str| predictors.named(folder, name);
    let names = Names { design: &design, predictor: &predictor };
    let mut search = search_file::load(search, &names).map_err(usage)?;
    search.around = around.take();
    search.classes.extend(classes.classes()?);
    search.left_out.extend(leave_out.iter().cloned());
    search.baseline = classes.baseline()?.or(search.baseline);
    if let Some(goal) = classes.goal() {
        search.objectives.retain(|objective| !objective.is_of_bits());
        search.objectives.insert(0, goal.objective());
    }
    let all = classes::all(traces, &search.classes)?;
    events::rereadable(&all)?;
    events::not_all_empty(&all)?;
    output.claim(&Exploration::FILES)?;
    let traces = paths::paths(traces);
    search.fit(&addresses::of_all(&search.followers()?, &paths::paths(&all))?)?;
    let most = search.most_measurements(*shard, all.len());
    let progress = progress::bar(most, "measurements");
    let setup = Setup { shard: *shard, limit: limits::events(), progress };
    let found = explore(&search, &traces, output, &setup)?;
    drop(setup);
    exploration::save(&found, output)?;
    exploration::print(&found, shown)
}
