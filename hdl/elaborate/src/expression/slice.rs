//! Taking bits out of expressions.
//!
//! Verilog takes bits of names only. Most operators let a slice through to their operands, which also shows
//! later passes which bits of a signal nobody reads; what remains becomes a [`Expression::Part`], which the
//! writer gives a name.

use super::{Arithmetic, Direction, Expression, SignalId, owned};
use crate::word::{Word, bits_to};
use std::rc::Rc;

impl Expression {
    /// The same value in `width` bits, cut or zero-extended.
    pub(crate) fn resized(self, width: usize) -> Self {
        let own = self.width();
        if width <= own {
            self.sliced(0, width)
        } else {
            Self::concatenated([Self::zero(width - own), self])
        }
    }

    /// `width` bits from bit `low` up, all within the expression's own.
    pub(crate) fn sliced(self, low: usize, width: usize) -> Self {
        if low == 0 && width == self.width() {
            return self;
        }
        if width == 0 {
            return Self::zero(0);
        }
        match self {
            Self::Constant(word) => Self::Constant(word.slice(low, width)),
            Self::Read { signal, low: start, .. } => Self::Read { signal, low: start + low, width },
            Self::Concatenate(parts) => Self::slice_of_parts(&parts, low, width),
            Self::Not(value) => Self::not(owned(value).sliced(low, width)),
            Self::Binary(
                operation @ (Arithmetic::And | Arithmetic::Or | Arithmetic::Xor),
                left,
                right,
            ) => Self::binary(
                operation,
                owned(left).sliced(low, width),
                owned(right).sliced(low, width),
            ),
            // A sum's low bits depend on its operands' low bits only.
            Self::Binary(operation, left, right) if low == 0 => {
                Self::binary(operation, owned(left).sliced(0, width), owned(right).sliced(0, width))
            }
            Self::Shift(Direction::Left, value, amount) if low == 0 => {
                Self::Shift(Direction::Left, Rc::new(owned(value).sliced(0, width)), amount)
            }
            Self::Shift(Direction::Right, value, amount) if amount.constant().is_some() => {
                let low = low.saturating_add(amount.constant().map_or(0, Word::index));
                let inside = width.min(value.width().saturating_sub(low));
                if inside == 0 {
                    Self::zero(width)
                } else {
                    owned(value).sliced(low, inside).resized(width)
                }
            }
            Self::Choose(condition, value, other) => Self::choose(
                owned(condition),
                owned(value).sliced(low, width),
                owned(other).sliced(low, width),
            ),
            Self::Part { value, low: start, .. } => Self::Part { value, low: start + low, width },
            other => Self::Part { value: Rc::new(other), low, width },
        }
    }

    /// Where the expression has other bits than `signal`, and these, if all others are the signal's own.
    pub(crate) fn replaces_part_of(&self, signal: SignalId) -> Option<(usize, Self)> {
        let Self::Concatenate(parts) = self else { return None };
        let own = |part: &Self, at: usize| matches!(part, Self::Read { signal: read, low, .. } if *read == signal && *low == at);
        let width = self.width();
        let mut inner = parts.as_slice();
        let (mut low, mut high) = (0, width);
        if let [first, rest @ ..] = inner
            && own(first, width - first.width())
        {
            high -= first.width();
            inner = rest;
        }
        if let [rest @ .., last] = inner
            && own(last, 0)
        {
            low += last.width();
            inner = rest;
        }
        (high - low < width && !inner.is_empty())
            .then(|| (low, Self::concatenated(inner.iter().cloned())))
    }

    /// `width` bits from bit `low` up; only the parts that have these bits are copied.
    pub(crate) fn bits(&self, low: usize, width: usize) -> Self {
        match self {
            Self::Concatenate(parts) if width > 0 => Self::slice_of_parts(parts, low, width),
            other => other.clone().sliced(low, width),
        }
    }

    fn slice_of_parts(parts: &[Self], low: usize, width: usize) -> Self {
        let (mut bottom, mut taken) = (0, Vec::new());
        for part in parts.iter().rev() {
            let top = bottom + part.width();
            let (from, to) = (low.max(bottom), (low + width).min(top));
            if from < to {
                taken.push(part.bits(from - bottom, to - from));
            }
            if top >= low + width {
                break;
            }
            bottom = top;
        }
        taken.reverse();
        Self::concatenated(taken)
    }

    /// The parts side by side, the most significant first.
    pub(crate) fn concatenated(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut flat: Vec<Self> = Vec::new();
        for part in parts {
            match part {
                Self::Concatenate(inner) => {
                    inner.into_iter().for_each(|part| Self::append(&mut flat, part))
                }
                part if part.width() > 0 => Self::append(&mut flat, part),
                _ => {}
            }
        }
        if flat.len() > 1 {
            Self::Concatenate(flat)
        } else {
            flat.pop().unwrap_or_else(|| Self::zero(0))
        }
    }

    /// Adds a part below the others, joining constants and neighbouring bits of one signal.
    fn append(parts: &mut Vec<Self>, next: Self) {
        let joined = match (parts.last(), &next) {
            (Some(Self::Constant(high)), Self::Constant(low)) => {
                let width = high.bits() + low.bits();
                let high = bits_to(high.clone(), width) << low.bits();
                Some(Self::Constant(high | bits_to(low.clone(), width)))
            }
            (
                Some(Self::Read { signal, low, width }),
                Self::Read { signal: other, low: other_low, width: below },
            ) if signal == other && *low == other_low + below => {
                Some(Self::Read { signal: *signal, low: *other_low, width: width + below })
            }
            _ => None,
        };
        match joined {
            Some(joined) => {
                parts.pop();
                parts.push(joined);
            }
            None => parts.push(next),
        }
    }

    /// `left | right` as a concatenation, if at every bit one of them is a constant 0.
    pub(super) fn interleaved(left: &Self, right: &Self) -> Option<Self> {
        let mut cuts = left.boundaries();
        cuts.extend(right.boundaries());
        cuts.sort_unstable();
        cuts.dedup();
        if cuts.len() < 3 {
            return None;
        }
        let mut parts = Vec::new();
        for window in cuts.windows(2).rev() {
            let (low, width) = (window[0], window[1] - window[0]);
            let (left, right) = (left.bits(low, width), right.bits(low, width));
            let part = match (left.is_zero(), right.is_zero()) {
                (true, _) => right,
                (_, true) => left,
                _ => return None,
            };
            if matches!(part, Self::Part { .. }) {
                return None;
            }
            parts.push(part);
        }
        Some(Self::concatenated(parts))
    }

    /// The bit positions at which neighbouring bits of a constant part differ.
    pub(super) fn constant_changes(&self) -> Vec<usize> {
        let parts = match self {
            Self::Concatenate(parts) => parts.as_slice(),
            one => std::slice::from_ref(one),
        };
        let (mut position, mut cuts) = (0, Vec::new());
        for part in parts.iter().rev() {
            if let Some(word) = part.constant() {
                cuts.extend(word.changes().map(|change| position + change));
            }
            position += part.width();
        }
        cuts
    }

    /// The bit positions between which the expression is one part, the ends included.
    pub(super) fn boundaries(&self) -> Vec<usize> {
        let mut cuts = vec![0];
        match self {
            Self::Concatenate(parts) => {
                let mut position = 0;
                for part in parts.iter().rev() {
                    position += part.width();
                    cuts.push(position);
                }
            }
            other => cuts.push(other.width()),
        }
        cuts
    }
}
