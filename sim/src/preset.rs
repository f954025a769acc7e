//! Named designs, with what the papers say of each; every room lists its own.

pub use crate::room::Preset;
use crate::scheme::Scheme;

/// Every preset, in the order of the schemes.
pub fn all() -> impl Iterator<Item = Preset> {
    Scheme::presets().into_iter().map(|(preset, _)| preset)
}
