//! Digests of generated files in their manifest, by which edits of an integrator are seen before they are overwritten.

use std::collections::BTreeMap;

use anyhow::Result;
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use tracewright_verification::MANIFEST;

/// What writes manifests, for their field `generator`.
pub const GENERATOR: &str = concat!("tracewright ", env!("CARGO_PKG_VERSION"));

/// The field of a manifest with the digests.
pub const FIELD: &str = "digests";

/// SHA-256 in hexadecimal, as `sha256sum` prints it.
pub fn of(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The digests of files for their manifest. Its own is of its text with this value, all zeros, in the place of it.
pub fn of_all<'a>(
    files: impl Iterator<Item = (&'a String, &'a String)>,
) -> BTreeMap<String, String> {
    let own = (MANIFEST.to_owned(), "0".repeat(64));
    files.map(|(name, text)| (name.clone(), of(text.as_bytes()))).chain([own]).collect()
}

/// The text of a manifest, with its own digest in its place.
pub fn sealed(manifest: &impl Serialize) -> Result<String> {
    let manifest = &(serde_json::to_string_pretty(manifest)? + "\n");
    let value: Value = serde_json::from_str(manifest)?;
    let zeros = value[FIELD][MANIFEST].as_str().unwrap_or_default().to_owned();
    Ok(replaced(manifest, &zeros, &of(manifest.as_bytes())))
}

/// The files of a manifest and their digests; `None` if it has none. A manifest that was changed has a wrong digest of
/// its own.
pub fn recorded(manifest: &str) -> Option<BTreeMap<String, String>> {
    let value: Value = serde_json::from_str(manifest).ok()?;
    let mut digests: BTreeMap<String, String> =
        serde_json::from_value(value.get(FIELD)?.clone()).ok()?;
    let own = digests.get(MANIFEST)?.clone();
    if of(replaced(manifest, &own, &"0".repeat(own.len())).as_bytes()) == own {
        digests.insert(MANIFEST.into(), of(manifest.as_bytes()));
    }
    Some(digests)
}

/// The text with another digest of the manifest.
fn replaced(manifest: &str, before: &str, after: &str) -> String {
    let entry = |digest: &str| format!("\"{MANIFEST}\": \"{digest}\"");
    manifest.replacen(&entry(before), &entry(after), 1)
}
