//! The values of the signals that are looked at.

use rustc_hash::FxHashMap;

use crate::error::Problem;

/// Bits of a value that are kept.
const BITS_MAX: usize = 1 << 16;

/// The state of a bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Zero,
    One,
    Unknown,
}

impl State {
    /// The state with this sign.
    pub(super) fn of(sign: u8) -> Option<State> {
        STATES[usize::from(sign)]
    }

    const fn with(sign: u8) -> Option<State> {
        match sign {
            b'0' | b'l' | b'L' => Some(State::Zero),
            b'1' | b'h' | b'H' => Some(State::One),
            b'x' | b'X' | b'z' | b'Z' | b'u' | b'U' | b'w' | b'W' | b'-' => Some(State::Unknown),
            _ => None,
        }
    }
}

/// The states of all signs: most bits of a file are of signals that nobody looks at, and only checked.
const STATES: [Option<State>; 256] = {
    let mut states = [None; 256];
    let mut sign = 0;
    while sign < 256 {
        states[sign] = State::with(sign as u8);
        sign += 1;
    }
    states
};

/// A signal: its bits, the highest first, of which those at the left are left out where they are like the first one that
/// is there, or 0 if that is 1.
#[derive(Default)]
struct Signal {
    /// How many bits it has.
    width: usize,
    now: Vec<State>,
    /// What it becomes at the time that is being read.
    next: Vec<State>,
    changes: bool,
}

/// Where a part of a signal is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub signal: usize,
    /// Its lowest bit, from that of the signal.
    pub low: u32,
    /// At most 64.
    pub width: u32,
}

/// The signals that are looked at, by their identifiers.
#[derive(Default)]
pub(super) struct Signals {
    numbers: FxHashMap<Vec<u8>, usize>,
    signals: Vec<Signal>,
    /// Those that change at the time that is being read.
    changed: Vec<usize>,
    /// The signs of bits whose signal is not known yet.
    signs: Vec<u8>,
}

impl Signals {
    /// The number of a signal of so many bits.
    pub(super) fn add(&mut self, identifier: &[u8], width: u32) -> usize {
        let next = self.signals.len();
        let number = *self.numbers.entry(identifier.to_owned()).or_insert(next);
        if number == next {
            self.signals.push(Signal { width: width as usize, ..Signal::default() });
        }
        number
    }

    /// What changes call the signals.
    pub(super) fn identifiers(&self) -> impl Iterator<Item = &[u8]> {
        self.numbers.keys().map(Vec::as_slice)
    }

    /// True if changes of the signal with this identifier are kept.
    pub(super) fn is_kept(&self, identifier: &[u8]) -> bool {
        self.numbers.contains_key(identifier)
    }

    /// Keeps the bits of a change until its signal is known.
    pub(super) fn keep_bits(&mut self, signs: &[u8]) -> Result<(), Problem> {
        if signs.is_empty() || signs.len() > BITS_MAX {
            return Err(Problem::expected("1 to 65,536 bits after b", signs));
        }
        // Without an early end, so that several are looked up at once.
        if signs.iter().fold(false, |wrong, sign| wrong | State::of(*sign).is_none()) {
            return Err(Problem::expected("bits of 0, 1, x and z after b", signs));
        }
        self.signs.clear();
        self.signs.extend_from_slice(signs);
        Ok(())
    }

    /// A signal changes to the bits that are kept. More than it has may only repeat the first one, or be 0.
    pub(super) fn change_to_bits(&mut self, identifier: &[u8]) -> Result<(), Problem> {
        let Some(number) = self.numbers.get(identifier) else { return Ok(()) };
        let signal = &mut self.signals[*number];
        signal.next.clear();
        signal.next.extend(self.signs.iter().filter_map(|sign| State::of(*sign)));
        let more = self.signs.len().saturating_sub(signal.width);
        if signal.next[..more].contains(&State::One) {
            let found = format!("{} bits", self.signs.len());
            return Err(Problem::expected("as many bits as the signal has", found.as_bytes()));
        }
        if !std::mem::replace(&mut signal.changes, true) {
            self.changed.push(*number);
        }
        Ok(())
    }

    /// A signal of one bit changes.
    pub(super) fn change_to(&mut self, identifier: &[u8], state: State) {
        let Some(number) = self.numbers.get(identifier) else { return };
        let signal = &mut self.signals[*number];
        signal.next.clear();
        signal.next.push(state);
        if !std::mem::replace(&mut signal.changes, true) {
            self.changed.push(*number);
        }
    }

    /// All changes of a time have been made.
    pub(super) fn settle(&mut self) {
        for number in self.changed.drain(..) {
            let signal = &mut self.signals[number];
            std::mem::swap(&mut signal.now, &mut signal.next);
            signal.changes = false;
        }
    }

    /// The lowest bit of a part before the changes of the time that is being read.
    pub(super) fn bit(&self, part: Part) -> State {
        state(&self.signals[part.signal].now, part.low)
    }

    /// The same after them.
    pub(super) fn next_bit(&self, part: Part) -> State {
        let signal = &self.signals[part.signal];
        state(if signal.changes { &signal.next } else { &signal.now }, part.low)
    }

    /// A part as a number, before the changes of the time that is being read; `None` if bits are unknown.
    pub(super) fn number(&self, part: Part) -> Option<u64> {
        let bits = &self.signals[part.signal].now;
        (part.low..part.low + part.width).rev().try_fold(0, |value, bit| match state(bits, bit) {
            State::Zero => Some(value << 1),
            State::One => Some(value << 1 | 1),
            State::Unknown => None,
        })
    }
}

/// The bit with this number, from the lowest.
fn state(bits: &[State], number: u32) -> State {
    let place = bits.len().checked_sub(1 + number as usize);
    match (place, bits.first()) {
        (Some(place), _) => bits[place],
        (None, None | Some(State::Unknown)) => State::Unknown,
        (None, Some(_)) => State::Zero,
    }
}
