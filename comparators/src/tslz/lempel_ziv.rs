//! Lempel-Ziv as hardware does it: every entry of the window is compared with each symbol.

use std::io::Read;

use tracewright_sim::encode::bit_packer::{BitUnpacker, TakeError};
use tracewright_sim::field::{Field, Sink};

use crate::DecodeError;

/// Bits of a symbol.
pub const SYMBOL_BITS: u32 = 12;

/// Entries of the window.
pub const WINDOW: usize = 256;

/// Bits of a match's place in the window.
const PLACE_BITS: u32 = WINDOW.trailing_zeros();

/// Bits of a match's length, which is 1 to 2^bits.
const LENGTH_BITS: u32 = 5;

const LONGEST: u64 = 1 << LENGTH_BITS;

const FLAG: Field = Field { name: "flag", doc: "1: a match, 0: a symbol" };
const PLACE: Field =
    Field { name: "place", doc: "how many symbols before the match its copy begins, less 1" };
const LENGTH: Field = Field { name: "length", doc: "symbols of the match, less 1" };
const SYMBOL: Field = Field { name: "symbol", doc: "a symbol that is in no match" };

/// Symbols of the history between two moves of the window to its front.
const HISTORY: usize = 1 << 12;

/// The last 256 symbols.
struct Window {
    /// The window is the end of it; at first it is shorter.
    history: Vec<u16>,
}

impl Window {
    fn new() -> Self {
        Self { history: Vec::with_capacity(HISTORY) }
    }

    /// The symbols, the most recent one last.
    fn symbols(&self) -> &[u16] {
        &self.history[self.history.len().saturating_sub(WINDOW)..]
    }

    /// The symbol `distance` symbols ago, 1 to 256.
    fn before(&self, distance: usize) -> Option<u16> {
        let symbols = self.symbols();
        Some(symbols[symbols.len().checked_sub(distance)?])
    }

    fn push(&mut self, symbol: u16) {
        if self.history.len() == HISTORY {
            self.history.drain(..HISTORY - WINDOW);
        }
        self.history.push(symbol);
    }
}

/// Turns symbols into matches.
pub struct LempelZiv {
    window: Window,
    /// Distances at which the match at hand is found, in order.
    candidates: Vec<u16>,
    /// Symbols of the match at hand.
    length: u64,
}

impl LempelZiv {
    /// An empty window.
    pub fn new() -> Self {
        Self { window: Window::new(), candidates: Vec::with_capacity(WINDOW), length: 0 }
    }

    /// Adds a symbol to the match at hand, or begins another.
    pub fn symbol(&mut self, symbol: u16, sink: &mut dyn Sink) {
        if self.length > 0 {
            let of_match = |distance: &u16| self.window.before((*distance).into()) == Some(symbol);
            if self.length < LONGEST && self.candidates.iter().any(of_match) {
                self.candidates.retain(of_match);
                self.length += 1;
                return self.window.push(symbol);
            }
            self.finish(sink);
        }
        self.candidates.clear();
        let recent = self.window.symbols().iter().rev().zip(1..);
        let equal = recent.filter(|(other, _)| **other == symbol);
        self.candidates.extend(equal.map(|(_, distance)| distance));
        if self.candidates.is_empty() {
            sink.put(&FLAG, 0, 1);
            sink.put(&SYMBOL, symbol.into(), SYMBOL_BITS);
            sink.end_record();
        } else {
            self.length = 1;
        }
        self.window.push(symbol);
    }

    /// Sends the match at hand.
    pub fn finish(&mut self, sink: &mut dyn Sink) {
        if self.length > 0 {
            let distance = self.candidates.first().copied().unwrap_or(1);
            sink.put(&FLAG, 1, 1);
            sink.put(&PLACE, u64::from(distance) - 1, PLACE_BITS);
            sink.put(&LENGTH, self.length - 1, LENGTH_BITS);
            sink.end_record();
            self.length = 0;
        }
    }
}

/// Turns matches into symbols.
pub struct Expander<R> {
    bits: BitUnpacker<R>,
    window: Window,
    distance: usize,
    left: u64,
    /// Matches and symbols taken.
    pub records: u64,
}

impl<R: Read> Expander<R> {
    /// An empty window.
    pub fn new(bits: BitUnpacker<R>) -> Self {
        Self { bits, window: Window::new(), distance: 0, left: 0, records: 0 }
    }

    /// Bits taken.
    pub fn position(&self) -> u64 {
        self.bits.position()
    }

    /// The next symbol, `None` at the end: less than a byte cannot be a match.
    ///
    /// # Errors
    /// When the bits end in a match or symbol, or cannot be read.
    pub fn next(&mut self) -> Result<Option<u16>, DecodeError> {
        if self.left == 0 {
            let position = self.bits.position();
            let field = |source: TakeError| DecodeError::Field { position, source: source.into() };
            if self.bits.is_at_end().map_err(field)? {
                return Ok(None);
            }
            self.records += 1;
            if self.bits.take(1).map_err(field)? == 0 {
                let symbol = self.bits.take(SYMBOL_BITS).map_err(field)? as u16;
                self.window.push(symbol);
                return Ok(Some(symbol));
            }
            self.distance = self.bits.take(PLACE_BITS).map_err(field)? as usize + 1;
            self.left = self.bits.take(LENGTH_BITS).map_err(field)? + 1;
        }
        self.left -= 1;
        let symbol = self.window.before(self.distance).ok_or(DecodeError::Window {
            position: self.bits.position(),
            distance: self.distance,
        })?;
        self.window.push(symbol);
        Ok(Some(symbol))
    }
}

#[cfg(test)]
mod tests {
    use tracewright_sim::encode::bit_packer::BitPacker;
    use tracewright_sim::field::Account;

    use super::*;

    fn bits(symbols: &[u16]) -> (Vec<u8>, Account) {
        let mut sinks = (BitPacker::new(), Account::default());
        let mut lempel_ziv = LempelZiv::new();
        symbols.iter().for_each(|symbol| lempel_ziv.symbol(*symbol, &mut sinks));
        lempel_ziv.finish(&mut sinks);
        (sinks.0.finish(), sinks.1)
    }

    fn back(bytes: &[u8]) -> Vec<u16> {
        let mut expander = Expander::new(BitUnpacker::new(bytes));
        std::iter::from_fn(|| expander.next().unwrap()).collect()
    }

    /// A symbol of 13 bits, then matches of 14 bits and at most 32 symbols, which overlap what they copy.
    #[test]
    fn a_run_is_a_symbol_and_matches() {
        let (bytes, account) = bits(&[7; 65]);
        assert_eq!((account.records, account.bits), (3, 13 + 2 * 14));
        assert_eq!(back(&bytes), [7; 65]);
        let repeated: Vec<u16> = (0..3).cycle().take(35).collect();
        let (bytes, account) = bits(&repeated);
        assert_eq!((account.records, back(&bytes)), (4, repeated));
    }

    /// What is 256 symbols ago is in the window, what is 257 ago is not.
    #[test]
    fn the_window_has_its_length() {
        for (distinct, matched) in [(256u64, true), (257, false)] {
            let symbols: Vec<u16> = (0..6000).map(|place| (place % distinct) as u16).collect();
            let (bytes, account) = bits(&symbols);
            assert_eq!(back(&bytes), symbols);
            assert_eq!(account.records == 6000, !matched, "{}", account.records);
        }
    }

    #[test]
    fn a_match_before_the_first_symbol_is_refused() {
        let mut expander = Expander::new(BitUnpacker::new([0b0000_0001, 0, 0].as_slice()));
        assert!(matches!(expander.next(), Err(DecodeError::Window { distance: 1, .. })));
    }
}
