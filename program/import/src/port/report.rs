//! What a port was found to be.

use super::convention::{Convention, Evidence};
use super::row::Port;
use super::settings::Settings;

/// A sentence of a report, with the convention whose rows show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// The convention.
    pub convention: Option<Convention>,
    /// The sentence, without a full stop.
    pub text: String,
}

/// What a port was found to be.
#[derive(Clone, Debug)]
pub struct Report {
    /// Instructions that were looked at.
    pub rows: u64,
    /// The pins of the port.
    pub port: Port,
    /// The conventions that rows show, in the order of [`Convention::ALL`].
    pub conventions: Vec<(Convention, Evidence)>,
    /// The settings of the adapter that fit.
    pub settings: Settings,
    /// What the settings are for, and what is worth knowing.
    pub advice: Vec<Sentence>,
    /// Why the port cannot be traced as it is; empty for one that can.
    pub obstacles: Vec<Sentence>,
}

impl Report {
    /// The evidence of a convention, if rows show it.
    pub fn found(&self, convention: Convention) -> Option<&Evidence> {
        self.conventions.iter().find(|(found, _)| *found == convention).map(|(_, rows)| rows)
    }

    /// True if a trace with these settings has every instruction.
    pub fn is_traceable(&self) -> bool {
        self.obstacles.is_empty()
    }
}
