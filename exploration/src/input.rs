//! The traces that designs are measured on.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sha2::{Digest, Sha256};
use tracewright_sim::event::Machine;
use tracewright_sim::trace_io::Reader;

use crate::error::{Error, Result};

/// A trace, identified by its content.
#[derive(Clone, Debug)]
pub struct Input {
    /// The file.
    pub path: PathBuf,
    /// SHA-256 of the file, in hexadecimal.
    pub digest: String,
    /// The processor that was traced.
    pub machine: Machine,
    /// True if the trace has memory accesses.
    pub has_data: bool,
    stamp: (u64, Option<SystemTime>),
}

impl Input {
    /// Reads the file to identify it.
    ///
    /// # Errors
    /// When it cannot be read or is no trace.
    pub fn new(path: &Path) -> Result<Self> {
        let reader = Reader::open(path)?;
        let (machine, has_data) = (reader.machine(), reader.extensions().data);
        let stamp = stamp(path).map_err(Error::read(path))?;
        let mut digest = Sha256::new();
        File::open(path)
            .and_then(|mut file| io::copy(&mut file, &mut digest))
            .map_err(Error::read(path))?;
        let digest = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self { path: path.into(), digest, machine, has_data, stamp })
    }

    /// The name that results have it under.
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// Checks that the file is still the one that was identified.
    ///
    /// # Errors
    /// When it is gone or has changed.
    pub fn check(&self) -> Result<()> {
        match stamp(&self.path).map_err(Error::read(&self.path))? == self.stamp {
            true => Ok(()),
            false => Err(Error::Changed(self.path.clone())),
        }
    }
}

/// Size and time of the last change.
fn stamp(path: &Path) -> io::Result<(u64, Option<SystemTime>)> {
    let metadata = path.metadata()?;
    Ok((metadata.len(), metadata.modified().ok()))
}
