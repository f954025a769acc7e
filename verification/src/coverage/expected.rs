//! The required coverage: a minimum, and the reasons for branches that are never taken.

use std::fmt;

use serde::Deserialize;

use super::{Measured, Side};
use crate::error::Result;

/// The text of the expectation.
const EXPECTED: &str = include_str!("expected.toml");

/// The required coverage.
#[derive(Clone, Debug, Deserialize)]
pub struct Expected {
    floor: Floor,
    #[serde(default)]
    untaken: Vec<Explained>,
}

/// The minimum for every kind of module, in percent.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Floor {
    lines: f64,
    branches: f64,
    toggles: f64,
}

/// A side of a branch that is never taken in some design, and the reason.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Explained {
    module: String,
    code: String,
    side: String,
    reason: String,
}

/// Less coverage than expected.
#[derive(Clone, Debug, PartialEq)]
pub enum Shortfall<'a> {
    /// A kind of module is below the minimum.
    Below {
        /// The kind of module.
        module: &'a str,
        /// `lines`, `branches` or `toggles`.
        what: &'static str,
        /// The percentage that is covered.
        percent: f64,
        /// The percentage that is expected.
        floor: f64,
    },
    /// A side is never taken, and no reason is given.
    Unexplained(&'a Side),
}

impl fmt::Display for Shortfall<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shortfall::Below { module, what, percent, floor } => {
                write!(f, "{module}: {percent:.1} % of {what} covered, expected {floor} %")
            }
            Shortfall::Unexplained(Side { module, code, side }) => write!(
                f,
                "{module}: the side `{side}` of `{code}` is never taken; \
                 give the reason in verification/src/coverage/expected.toml"
            ),
        }
    }
}

impl Expected {
    /// Reads the expectation that this crate was built with.
    ///
    /// # Errors
    /// When the file is not valid.
    pub fn load() -> Result<Self> {
        Ok(toml::from_str(EXPECTED)?)
    }

    /// The reason why a side is never taken; `None` if the file has none.
    pub fn reason(&self, side: &Side) -> Option<&str> {
        let explains = |explained: &&Explained| {
            explained.module == side.module
                && explained.side == side.side
                && side.code.contains(&explained.code)
        };
        self.untaken.iter().find(explains).map(|explained| explained.reason.as_str())
    }

    /// The first module or branch that is not as expected, if there is one.
    pub fn shortfall<'a>(&self, measured: &'a Measured) -> Option<Shortfall<'a>> {
        for (module, summary) in &measured.modules {
            let shares = [
                ("lines", summary.lines, self.floor.lines),
                ("branches", summary.branches, self.floor.branches),
                ("toggles", summary.toggles, self.floor.toggles),
            ];
            for (what, share, floor) in shares {
                let percent = share.percent();
                if percent < floor {
                    return Some(Shortfall::Below { module, what, percent, floor });
                }
            }
        }
        let unexplained = measured.untaken.keys().find(|side| self.reason(side).is_none());
        unexplained.map(Shortfall::Unexplained)
    }
}
