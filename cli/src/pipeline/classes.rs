//! Classes of traces and the baseline that designs are compared with, as arguments of searches and fits.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, ValueEnum};
use tracewright_exploration::class::{Class, traces_of};
use tracewright_exploration::{Objective, fit};
use tracewright_sim::scheme::Design;

use super::design::{self, Changes};
use super::failure::usage;
use super::paths::Input;

/// What designs or tables are chosen by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Goal {
    /// Bits of all traces together
    Total,
    /// The largest ratio of a trace's bits to those of the baseline
    Worst,
    /// The largest ratio of the bits of a class of traces to those of the baseline
    WorstClass,
}

/// Classes, and what is compared over them.
#[derive(Args, Clone, Debug)]
pub struct Arguments {
    /// Take these traces as a class, as `hosted=traces/x86`: a trace, a folder of traces, or file names with `*`; the same
    /// name can come again
    #[arg(long = "class", value_name = "NAME=PATH", value_parser = named)]
    classes: Vec<(String, PathBuf)>,
    /// Compare with this design: a preset or TOML file
    #[arg(long, value_name = "DESIGN")]
    baseline: Option<String>,
    /// Choose by the total, or by the worst ratio to the baseline
    #[arg(long, value_name = "GOAL")]
    objective: Option<Goal>,
}

fn named(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, path)) if !name.is_empty() && !path.is_empty() => {
            Ok((name.to_owned(), PathBuf::from(path)))
        }
        _ => Err("expected NAME=PATH".into()),
    }
}

impl Goal {
    /// The objective of a search.
    pub fn objective(self) -> Objective {
        match self {
            Goal::Total => Objective::BitsPerInstruction,
            Goal::Worst => Objective::WorstRatio,
            Goal::WorstClass => Objective::WorstClassRatio,
        }
    }

    /// What a fit makes small.
    pub fn of_fit(self) -> fit::Goal {
        match self {
            Goal::Total => fit::Goal::Total,
            Goal::Worst => fit::Goal::Worst,
            Goal::WorstClass => fit::Goal::WorstClass,
        }
    }
}

impl Arguments {
    /// The classes, in the order in which their names come first.
    ///
    /// # Errors
    /// When a path has no traces.
    pub fn classes(&self) -> Result<Vec<Class>> {
        let mut classes: Vec<Class> = Vec::new();
        for (name, path) in &self.classes {
            let traces = traces_of(path).map_err(usage)?;
            match classes.iter_mut().find(|class| class.name == *name) {
                Some(class) => class.traces.extend(traces),
                None => classes.push(Class { name: name.clone(), traces }),
            }
        }
        Ok(classes)
    }

    /// The design to compare with, if one is named.
    ///
    /// # Errors
    /// When it does not exist or is not valid.
    pub fn baseline(&self) -> Result<Option<Design>> {
        let baseline = self.baseline.as_ref();
        baseline.map(|name| design::load(name, &Changes::default())).transpose()
    }

    /// What is chosen by, if that is said.
    pub fn goal(&self) -> Option<Goal> {
        self.objective
    }
}

/// All traces of a command: those without a class, then those of its classes.
///
/// # Errors
/// When the command writes one of them, or there is none.
pub fn all(loose: &[Input], classes: &[Class]) -> Result<Vec<Input>> {
    let mut all = loose.to_vec();
    for path in classes.iter().flat_map(|class| &class.traces) {
        all.push(Input::found(path)?);
    }
    match all.is_empty() {
        true => Err(usage("expected a trace, or --class NAME=PATH")),
        false => Ok(all),
    }
}
