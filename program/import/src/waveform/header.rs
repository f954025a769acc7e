//! The signals that a waveform declares.

use std::io::BufRead;

use rustc_hash::FxHashMap;

use super::tokens::Tokens;
use crate::error::{Problem, quoted};

/// Declarations that are read: a file with more is damaged or not meant for this.
const DECLARATIONS_MAX: usize = 1 << 24;

/// A signal as it is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Declared {
    /// What changes call it.
    pub identifier: Vec<u8>,
    /// Its highest and its lowest bit.
    pub bits: (u32, u32),
    /// In how many declarations its bits are: some simulators write a vector in several.
    pub pieces: u32,
}

/// The signals of a waveform by their names with all scopes, such as `bench.core.valid`.
#[derive(Default)]
pub(super) struct Header {
    signals: FxHashMap<String, Declared>,
    /// What is said of the width of signals without bits: texts, real numbers, wires of no bits.
    without_bits: FxHashMap<String, String>,
}

impl Header {
    /// Reads the declarations.
    pub(super) fn read(tokens: &mut Tokens<impl BufRead>) -> Result<Header, Problem> {
        let mut header = Header::default();
        let mut scopes: Vec<String> = Vec::new();
        loop {
            tokens.require("$enddefinitions")?;
            match tokens.token() {
                b"$scope" => {
                    tokens.require("the kind of a scope")?;
                    tokens.require("the name of a scope")?;
                    scopes.push(String::from_utf8_lossy(tokens.token()).into_owned());
                    tokens.skip_section()?;
                }
                b"$upscope" => {
                    scopes.pop();
                    tokens.skip_section()?;
                }
                b"$var" => header.variable(&scopes, tokens)?,
                b"$enddefinitions" => {
                    tokens.skip_section()?;
                    return Ok(header);
                }
                [b'$', ..] => tokens.skip_section()?,
                other => return Err(Problem::expected("a declaration, such as $var", other)),
            }
        }
    }

    /// `$var wire 32 ! address [31:0] $end` after its first word.
    fn variable(
        &mut self,
        scopes: &[String],
        tokens: &mut Tokens<impl BufRead>,
    ) -> Result<(), Problem> {
        let mut words: Vec<Vec<u8>> = Vec::new();
        loop {
            tokens.require("$end")?;
            match tokens.token() {
                b"$end" => break,
                word => words.push(word.to_owned()),
            }
        }
        // One that is not needed is no reason to refuse the waveform, whatever is wrong with it.
        let [_kind, width, identifier, name, range @ ..] = words.as_slice() else { return Ok(()) };
        let mut name = String::from_utf8_lossy(name).into_owned();
        let width = String::from_utf8_lossy(width);
        let Some(bits) = super::names::decimal(&width).filter(|width| *width > 0) else {
            let path = scopes.iter().map(String::as_str).chain([&*name]);
            let path = path.collect::<Vec<_>>().join(".");
            self.without_bits.insert(path, quoted(width.as_bytes()));
            return Ok(());
        };
        name.push_str(&String::from_utf8_lossy(&range.concat()));
        self.declare(scopes, &name, bits, identifier)
    }

    /// Adds a signal of this width in bits, at least 1, whose name can end with the numbers of its bits.
    pub(super) fn declare(
        &mut self,
        scopes: &[String],
        name: &str,
        width: u32,
        identifier: &[u8],
    ) -> Result<(), Problem> {
        if self.signals.len() >= DECLARATIONS_MAX {
            return Err(Problem::expected("at most 16,777,216 signals", b"more"));
        }
        let range = name.rfind('[').and_then(|at| Some((at, super::names::range(&name[at..])?)));
        let (name, lowest) = match range {
            Some((at, (high, low))) => (name[..at].trim_end(), high.min(low)),
            None => (name, 0),
        };
        let path = scopes.iter().map(String::as_str).chain([name]);
        let bits = (lowest.saturating_add(width - 1), lowest);
        let declared = Declared { identifier: identifier.to_owned(), bits, pieces: 1 };
        self.signals
            .entry(path.collect::<Vec<_>>().join("."))
            .and_modify(|before| before.pieces += u32::from(before.bits != bits))
            .or_insert(declared);
        Ok(())
    }

    /// The signal with this name.
    pub(super) fn signal(&self, path: &str) -> Result<&Declared, Problem> {
        let found = self.signals.get(path);
        if let Some(Declared { pieces, .. }) = found.filter(|declared| declared.pieces > 1) {
            let found = format!("its bits are in {pieces} declarations, expected one");
            return Err(Problem::NoSignal { path: quoted(path.as_bytes()), found });
        }
        found.ok_or_else(|| {
            if let Some(width) = self.without_bits.get(path) {
                let found = format!("one whose width is {width}");
                return Problem::NoSignal { path: quoted(path.as_bytes()), found };
            }
            let name = path.rsplit('.').next().unwrap_or_default();
            let end = format!(".{name}");
            let mut others: Vec<&String> =
                self.signals.keys().filter(|other| other.ends_with(&end)).collect();
            others.sort();
            let found = match others.first() {
                Some(other) => format!("{} of this name elsewhere: {other}", others.len()),
                None => "none of this name".to_owned(),
            };
            Problem::NoSignal { path: quoted(path.as_bytes()), found }
        })
    }
}
