//! Damage to inputs, for the tests that replay the corpus.

use rand::Rng;

/// A bit turned, a byte replaced, a piece cut out, doubled or taken from elsewhere, the end cut off.
pub fn damage(random: &mut impl Rng, input: &mut Vec<u8>, other: &[u8]) {
    if input.is_empty() {
        return input.extend_from_slice(other);
    }
    let at = random.random_range(0..input.len());
    let end = (at + random.random_range(1..32)).min(input.len());
    match random.random_range(0..7) {
        0 | 1 => input[at] ^= 1 << random.random_range(0..8),
        2 => input[at] = random.random(),
        3 => drop(input.drain(at..end)),
        4 => input.extend_from_within(at..end),
        5 => {
            let from = random.random_range(0..=other.len());
            let piece = other[from..].iter().take(random.random_range(0..64)).copied();
            drop(input.splice(at..end, piece));
        }
        _ => input.truncate(at),
    }
}
