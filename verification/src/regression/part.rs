//! The results of a part of the regression, kept in a file until all parts are there.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tracewright_cache::Hash;

use super::{Outcome, Run};
use crate::error::{Error, Result};
use crate::shard::Shard;

/// Changes with the fields of the file.
const FORMAT: u32 = 1;

/// The results of one shard, or of all together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// Version of the command.
    tracewright: String,
    /// Number of the format.
    format: u32,
    /// A hash of the names of all runs of the plan.
    plan: String,
    /// The shards whose results it has.
    shards: Vec<Shard>,
    /// The results, in the order of the plan.
    pub outcomes: Vec<Outcome>,
}

impl Part {
    /// The name of the file in its folder.
    pub const FILE: &str = "regression.json";

    /// The results of a shard of a plan.
    pub fn new(runs: &[Run], shard: Shard, outcomes: Vec<Outcome>) -> Self {
        let mut plan = Hash::default();
        for run in runs {
            plan.add(run.name(", "));
        }
        Self {
            tracewright: env!("CARGO_PKG_VERSION").into(),
            format: FORMAT,
            plan: plan.finish(),
            shards: vec![shard],
            outcomes,
        }
    }

    /// Reads the results of a folder.
    ///
    /// # Errors
    /// When there are none of this version.
    pub fn load(folder: &Path) -> Result<Self> {
        let path = folder.join(Self::FILE);
        let fail = |what: String| Error::Part { path: path.clone(), what };
        let text = fs::read(&path).map_err(|source| Error::Read { path: path.clone(), source })?;
        // Another version may have other fields.
        let value: serde_json::Value =
            serde_json::from_slice(&text).map_err(|error| fail(error.to_string()))?;
        let (found, format) = (value["tracewright"].as_str(), value["format"].as_u64());
        let expected = env!("CARGO_PKG_VERSION");
        if let (Some(found), Some(format)) = (found, format)
            && (found, format) != (expected, FORMAT.into())
        {
            return Err(fail(format!(
                "the results are of tracewright {found}, format {format}, and this is tracewright {expected}, format {FORMAT}"
            )));
        }
        serde_json::from_value(value).map_err(|error| fail(error.to_string()))
    }

    /// Puts the results of the shards of one plan together, from their folders.
    ///
    /// # Errors
    /// When they are of different plans, or a shard is missing.
    pub fn merge(folders: &[PathBuf]) -> Result<Self> {
        let mut parts = Vec::with_capacity(folders.len());
        for folder in folders {
            parts.push((folder, Self::load(folder)?));
        }
        let Some((first, merged)) = parts.first() else {
            let what = "expected at least one folder with results".into();
            return Err(Error::Part { path: PathBuf::new(), what });
        };
        let fail = |folder: &Path, what| Error::Part { path: folder.join(Self::FILE), what };
        let mut merged = Self { shards: Vec::new(), outcomes: Vec::new(), ..merged.clone() };
        for (folder, part) in &parts {
            if part.plan != merged.plan {
                let what =
                    format!("its results are of another plan than those of {}", first.display());
                return Err(fail(folder, what));
            }
            merged.shards.extend(&part.shards);
            merged.outcomes.extend(part.outcomes.iter().cloned());
        }
        if let Some(missing) = Shard::missing(&merged.shards) {
            let what = format!("shard {missing} of its plan is in none of the folders");
            return Err(fail(first, what));
        }
        merged.shards = vec![Shard::WHOLE];
        merged.outcomes.sort_by_key(|outcome| outcome.number);
        merged.outcomes.dedup_by_key(|outcome| outcome.number);
        Ok(merged)
    }
}
