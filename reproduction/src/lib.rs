//! The papers' tables and figures on any traces, beside what the papers print.
//!
//! A [`Selection`] names tables and figures, and [`reproduce`] measures what they need, everything in as few passes over
//! the traces as it takes, and makes an [`Artefact`] of each: values here, values of the paper, and their ratios.
//! [`csv`] and [`page`] write them; [`Artefact::drawing`](artefact::Artefact) says how each is drawn.
//!
//! ```
//! use std::path::PathBuf;
//! use tracewright_reproduction::{Selection, Settings, reproduce};
//! use tracewright_sim::event_limit::EventLimit;
//! use tracewright_verification::Progress;
//!
//! let selection = Selection { paper: Some("a".parse()?), table: Some(2), figure: None };
//! let trace = PathBuf::from("../workloads/arm-stringsearch.pet.zst");
//! let artefacts = reproduce(
//!     &selection.entries()?,
//!     &Settings::default(),
//!     &[trace],
//!     EventLimit::default(),
//!     &Progress::silent(),
//! )?;
//! let [table] = &artefacts[..] else { panic!("one table was asked for") };
//! assert_eq!(table.place.to_string(), "Paper A, Table 2");
//! // BASE with 128 entries: 0.472 bits per instruction in the paper.
//! assert_eq!(table.rows[0].cells[2].paper, Some(0.472));
//! # Ok::<(), tracewright_reproduction::Error>(())
//! ```
//!
//! The values of the papers are in `papers/`, one file for each paper; a value that a paper only draws is missing.

pub mod artefact;
pub mod csv;
mod error;
pub mod page;
mod papers;
pub mod place;
mod program;
mod run;

use std::path::PathBuf;

use tracewright_sim::event_limit::EventLimit;
use tracewright_sim::scheme::Design;
use tracewright_verification::Progress;

pub use artefact::Artefact;
pub use error::{Error, Result};
pub use papers::Entry;
pub use run::Settings;

use place::{Kind, Paper};
use run::{Needs, Results};

/// Tables and figures that are asked for; everything if it says nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Only those of this paper.
    pub paper: Option<Paper>,
    /// Only the table with this number.
    pub table: Option<u32>,
    /// Only the figure with this number.
    pub figure: Option<u32>,
}

impl Selection {
    /// The tables and figures.
    ///
    /// # Errors
    /// When there is none, or a number comes without its paper.
    pub fn entries(&self) -> Result<Vec<Entry>> {
        let Some(paper) = self.paper else {
            return match (self.table, self.figure) {
                (None, None) => Ok(papers::catalogue().collect()),
                _ => Err(Error::NumberWithoutPaper),
            };
        };
        let of_paper = || papers::catalogue().filter(|entry| entry.place.paper == paper);
        let mut wanted = Vec::new();
        for (kind, number) in [(Kind::Table, self.table), (Kind::Figure, self.figure)] {
            let Some(number) = number else { continue };
            let is_wanted =
                |entry: &Entry| entry.place.kind == kind && entry.place.number == number;
            let Some(entry) = of_paper().find(is_wanted) else {
                let known: Vec<String> = of_paper().map(|entry| entry.place.to_string()).collect();
                let wanted = place::Place { paper, kind, number }.to_string();
                return Err(Error::NoSuchPlace { wanted, known: known.join("; ") });
            };
            wanted.push(entry);
        }
        Ok(if wanted.is_empty() { of_paper().collect() } else { wanted })
    }
}

/// How often the traces are read for these tables and figures; progress counts so many times their bytes.
///
/// # Errors
/// When a design does not exist.
pub fn passes(entries: &[Entry]) -> Result<u64> {
    Ok(needs(entries)?.passes())
}

/// The designs of these tables and figures whose predictors leave out upper bits of targets, with these settings.
///
/// # Errors
/// When a design does not exist or cannot have the settings.
pub fn eliding_designs(entries: &[Entry], settings: &Settings) -> Result<Vec<Design>> {
    needs(entries)?.eliding(settings)
}

/// Measures and makes tables and figures. A trace may have as many records as `limit` allows; `progress` is in bytes.
///
/// # Errors
/// When there is no trace, a trace is bad, or a design cannot trace it.
pub fn reproduce(
    entries: &[Entry],
    settings: &Settings,
    traces: &[PathBuf],
    limit: EventLimit,
    progress: &Progress,
) -> Result<Vec<Artefact>> {
    if traces.is_empty() {
        return Err(Error::NoTraces);
    }
    let results = Results::measure(needs(entries)?, settings, traces, limit, progress)?;
    entries.iter().map(|entry| Ok((entry.make)(&results)?.rectangular())).collect()
}

fn needs(entries: &[Entry]) -> Result<Needs> {
    let mut needs = Needs::default();
    entries.iter().try_for_each(|entry| (entry.needs)(&mut needs))?;
    Ok(needs)
}
