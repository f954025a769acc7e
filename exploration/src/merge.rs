//! Puts the results of the shards of a search together.

use std::path::{Path, PathBuf};

use tracewright_verification::Shard;

use crate::error::{Error, Result};
use crate::outcome::Exploration;
use crate::store::{self, Store};
use crate::without_class::without_each;

/// Merges results folders into `into`, which can then be explored further like any other.
///
/// # Errors
/// When a folder has no finished result of this version, when they are of different searches, or when a shard is
/// missing.
pub fn merge(folders: &[PathBuf], into: &Path) -> Result<Exploration> {
    let Some((first, others)) = folders.split_first() else {
        let what = "expected at least one results folder to merge".into();
        return Err(Error::Merge { path: into.into(), what });
    };
    let mut merged = Exploration { improvement: None, ..Exploration::load(first)? };
    for folder in others {
        let part = Exploration::load(folder)?;
        if part.search != merged.search {
            let what =
                format!("its results are of another search than those of {}", first.display());
            return Err(Error::Merge { path: folder.clone(), what });
        }
        merged.shards.extend(part.shards);
        merged.configurations.extend(part.configurations);
    }
    merged.shards.sort();
    merged.shards.dedup();
    if let Some(missing) = Shard::missing(&merged.shards) {
        let what = format!("shard {missing} of its search is in none of the folders");
        return Err(Error::Merge { path: first.clone(), what });
    }
    merged.shards = vec![Shard::WHOLE];
    merged.rank();
    merged.without_class = without_each(&merged);
    // Everything is read before anything is written, so that a bad folder leaves nothing.
    let measured = folders.iter().map(|folder| store::measured(folder));
    let measured: Vec<_> = measured.collect::<Result<_>>()?;
    Store::open(into)?.keep(measured.into_iter().flatten())?;
    Ok(merged)
}
