//! Names of tables and figures of the papers.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::error::Error;

/// A table or a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A table.
    Table,
    /// A figure.
    Figure,
}

/// A paper, by its letter in docs/references.md.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Paper(pub char);

impl FromStr for Paper {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text.to_ascii_uppercase().as_str() {
            "A" => Ok(Paper('A')),
            "B" => Ok(Paper('B')),
            "C" => Ok(Paper('C')),
            "E" => Ok(Paper('E')),
            _ => Err(Error::NoPaper(text.into())),
        }
    }
}

/// A table or figure of a paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Place {
    /// The paper.
    pub paper: Paper,
    /// Table or figure.
    pub kind: Kind,
    /// Its number in the paper.
    pub number: u32,
}

impl Place {
    /// The table of this number of a paper.
    pub const fn table(paper: char, number: u32) -> Self {
        Self { paper: Paper(paper), kind: Kind::Table, number }
    }

    /// The figure of this number of a paper.
    pub const fn figure(paper: char, number: u32) -> Self {
        Self { paper: Paper(paper), kind: Kind::Figure, number }
    }

    /// The name of its files: `paper-a-table-2`.
    pub fn file_stem(&self) -> String {
        let kind = match self.kind {
            Kind::Table => "table",
            Kind::Figure => "figure",
        };
        format!("paper-{}-{kind}-{}", self.paper.0.to_ascii_lowercase(), self.number)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            Kind::Table => "Table",
            Kind::Figure => "Figure",
        };
        write!(f, "Paper {}, {kind} {}", self.paper.0, self.number)
    }
}
