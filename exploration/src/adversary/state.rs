//! What a search keeps in its folder, to go on from there.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use tracewright_sim::synthetic::script::ScriptError;

use super::STATE;
use super::mutation;
use super::trial::{Kind, OutputLoad, Worst};
use crate::error::{Error, Result};
use crate::store::{read_json, to_json, write};

/// The programs that have children, the worst first.
pub(super) struct State {
    identity: String,
    pub tried: u64,
    pub kept: Vec<Worst>,
}

/// The file.
#[derive(Serialize, Deserialize)]
struct Saved {
    tracewright: String,
    /// Parameters of the designs, and those of the search.
    identity: String,
    tried: u64,
    kept: Vec<Program>,
}

#[derive(Serialize, Deserialize)]
struct Program {
    #[serde(flatten)]
    kind: Kind,
    instructions: u64,
    bits: u64,
    baseline_bits: u64,
    #[serde(flatten)]
    load: OutputLoad,
    script: String,
}

impl State {
    /// The state in a folder; that of a search which has not begun if there is none.
    pub fn open(folder: &Path, identity: &str) -> Result<Self> {
        let path = folder.join(STATE);
        if !path.exists() {
            return Ok(Self { identity: identity.into(), tried: 0, kept: Vec::new() });
        }
        let saved: Saved = read_json(&path)?;
        let damaged = |what: String| Error::Damaged { path: path.clone(), line: None, what };
        let version = env!("CARGO_PKG_VERSION");
        if saved.tracewright != version {
            let (found, expected) = (saved.tracewright, version.into());
            return Err(Error::Version { path: folder.into(), found, expected });
        }
        if saved.identity != identity {
            let what = "expected the same designs, goal, events, seed and shard as before".into();
            return Err(Error::Merge { path: folder.into(), what });
        }
        let program = |one: Program| {
            let script =
                one.script.parse().map_err(|error| damaged(ScriptError::to_string(&error)))?;
            Ok(Worst {
                kind: one.kind,
                lines: mutation::lines(&script),
                instructions: one.instructions,
                bits: one.bits,
                baseline_bits: one.baseline_bits,
                load: one.load,
                script,
            })
        };
        let kept = saved.kept.into_iter().map(program).collect::<Result<_>>()?;
        Ok(Self { identity: saved.identity, tried: saved.tried, kept })
    }

    /// Writes the state, whole or not at all.
    pub fn save(&self, folder: &Path) -> Result<()> {
        let program = |one: &Worst| Program {
            kind: one.kind,
            instructions: one.instructions,
            bits: one.bits,
            baseline_bits: one.baseline_bits,
            load: one.load,
            script: one.script.to_string(),
        };
        let saved = Saved {
            tracewright: env!("CARGO_PKG_VERSION").into(),
            identity: self.identity.clone(),
            tried: self.tried,
            kept: self.kept.iter().map(program).collect(),
        };
        fs::create_dir_all(folder).map_err(Error::write(folder))?;
        write(&folder.join(STATE), &to_json(&saved)?)
    }

    /// The programs of a kind, the worst first.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = &Worst> {
        self.kept.iter().filter(move |one| one.kind == kind)
    }
}
