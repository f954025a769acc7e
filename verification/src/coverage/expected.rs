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

#[cfg(test)]
mod tests {
    use tracewright_testbench::coverage::{Share, Summary};

    use super::*;

    fn measured(covered: u64, side: Option<Side>) -> Measured {
        let share = Share { covered, all: 100 };
        let summary = Summary { lines: share, branches: share, toggles: share };
        let modules = [("fifo".into(), summary)].into();
        Measured { modules, untaken: side.into_iter().map(|side| (side, 1)).collect() }
    }

    #[test]
    fn floors_and_reasons() {
        let expected = Expected::load().expect("the expectation");
        assert_eq!(expected.shortfall(&measured(100, None)), None);
        let below = measured(90, None);
        let text = expected.shortfall(&below).expect("below the floor").to_string();
        let floor = expected.floor.lines;
        assert_eq!(text, format!("fifo: 90.0 % of lines covered, expected {floor} %"));

        let known = &expected.untaken[0];
        let side = Side {
            module: known.module.clone(),
            code: format!("if ({})", known.code),
            side: known.side.clone(),
        };
        let explained = measured(100, Some(side.clone()));
        assert_eq!(expected.shortfall(&explained), None);
        let other = Side { module: "fifo".into(), ..side };
        let unexplained = measured(100, Some(other.clone()));
        assert_eq!(expected.shortfall(&unexplained), Some(Shortfall::Unexplained(&other)));
    }
}
