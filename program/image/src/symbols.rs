//! Functions by their addresses.

use std::cmp::Reverse;

/// A function of a program image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The address of the first instruction, without a Thumb bit.
    pub address: u64,
    /// The size in bytes; 0 if the file does not have it.
    pub size: u64,
    /// The name as in the file, which may be mangled.
    pub name: String,
}

/// Symbols, searched by any address in them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Symbols(Vec<Symbol>);

impl Symbols {
    pub(crate) fn new(mut symbols: Vec<Symbol>) -> Self {
        // Of several names of one function the one that says how long it is, then the one that is least private (`malloc`
        // is `__libc_malloc` too), then the shortest (`free` is `cfree` too), then the first by alphabet: an order that
        // does not depend on the file's.
        fn order(symbol: &Symbol) -> (u64, Reverse<u64>, usize, usize, &str) {
            let private = symbol.name.len() - symbol.name.trim_start_matches('_').len();
            (symbol.address, Reverse(symbol.size), private, symbol.name.len(), &symbol.name)
        }
        symbols.sort_by(|a, b| order(a).cmp(&order(b)));
        symbols.dedup_by_key(|symbol| symbol.address);
        Self(symbols)
    }

    /// The function at an address without a Thumb bit.
    pub(crate) fn at(&self, address: u64) -> Option<&Symbol> {
        let next = self.0.partition_point(|symbol| symbol.address <= address);
        let symbol = self.0[..next].last()?;
        // A function of unknown size extends to the next one.
        (symbol.size == 0 || address - symbol.address < symbol.size).then_some(symbol)
    }

    pub(crate) fn all(&self) -> &[Symbol] {
        &self.0
    }
}
