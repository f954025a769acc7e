//! The fields of packed words.

use super::names::verilog_name;
use super::{PackedWord, Parts, Role, Symbol, Table};
use crate::expression::SignalId;

impl Table {
    /// The fields of one of the block's own words: signals where the kernel makes the word, slices of it otherwise.
    pub(super) fn add_parts(
        &mut self,
        key: &str,
        word: SignalId,
        is_assembled: bool,
        parts: &Parts,
    ) {
        self.layouts.insert(key.to_owned(), parts.clone());
        if !is_assembled {
            return self.add_slices(key, word, parts);
        }
        let mut made = Vec::new();
        for (part, width) in parts {
            let key = format!("{key}${part}");
            let name = verilog_name(&key);
            let name = if *width > 0 { self.fresh(&name) } else { name };
            let signal = self.add(key, name, *width, Role::Part, "");
            made.extend((*width > 0).then_some(signal));
        }
        if !made.is_empty() {
            self.packed.push(PackedWord { word, parts: made });
        }
    }

    /// The fields of a word that arrives whole.
    pub(super) fn add_slices(&mut self, key: &str, word: SignalId, parts: &Parts) {
        let mut low = 0;
        for (part, width) in parts {
            let slice = Symbol::Slice { signal: word, low, width: *width };
            self.symbols.insert(format!("{key}${part}"), slice);
            low += width;
        }
        if parts.iter().filter(|(_, width)| *width > 0).count() > 1 {
            self.slices.insert(word, parts.clone());
        }
    }

    /// Whether the kernel makes this word from its fields.
    pub fn is_assembled(&self, signal: SignalId) -> bool {
        self.packed.iter().any(|packed| packed.word == signal)
    }
}
