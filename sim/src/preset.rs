//! Named designs, with what the papers say of each; every room lists its own.

use crate::scheme::Scheme;

/// A named design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// The paper and section it comes from.
    pub source: &'static str,
    /// The paper's gate count, where it prints one.
    pub paper_gates: Option<u32>,
}

/// Every preset, in the order of the schemes.
pub fn all() -> impl Iterator<Item = Preset> {
    Scheme::presets().into_iter().map(|(preset, _)| preset)
}

/// What the preset of this name is made of.
pub fn find(name: &str) -> Option<Scheme> {
    Scheme::presets().into_iter().find(|(preset, _)| preset.name == name).map(|found| found.1)
}
