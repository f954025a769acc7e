//! Shards: parts of a list of work that jobs on different machines do.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// One of several equal parts of a list, written `1/4` to `4/4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    index: u32,
    of: u32,
}

/// A text that names no shard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a shard such as 1/4, from 1/4 to 4/4; found `{0}`")]
pub struct ShardError(String);

impl Shard {
    /// The whole list.
    pub const WHOLE: Shard = Shard { index: 1, of: 1 };

    /// Number of this part, counted from 1.
    pub fn index(self) -> u32 {
        self.index
    }

    /// Number of parts.
    pub fn of(self) -> u32 {
        self.of
    }

    /// Whether the item of this number is in this part. Neighbours are in different parts.
    pub fn has(self, number: u64) -> bool {
        number % u64::from(self.of) == u64::from(self.index) - 1
    }

    /// Number of items of a list of this length that are in this part.
    pub fn share(self, length: u64) -> u64 {
        let before = u64::from(self.index) - 1;
        length.saturating_sub(before).div_ceil(self.of.into())
    }

    /// The first part that a list of parts lacks, if they are parts of the same number; `None` if none is missing.
    pub fn missing(parts: &[Shard]) -> Option<Shard> {
        let of = parts.first()?.of;
        let mut every = (1..=of).map(|index| Shard { index, of });
        every.find(|part| !parts.contains(part))
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let parts = text.split_once('/');
        let numbers = parts.and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((index, of)) if (1..=of).contains(&index) => Ok(Self { index, of }),
            _ => Err(ShardError(text.into())),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl TryFrom<String> for Shard {
    type Error = ShardError;

    fn try_from(text: String) -> Result<Self, ShardError> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}
