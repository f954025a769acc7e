//! Targets: a stack without a bound, then what came before on the same path, then the list of the branch's targets.

use std::collections::HashMap;

use tracewright_sim::event::Event;

use super::NEW_ADDRESS_BITS;

/// Targets of indirect branches before this one that contexts have, long to short.
const PATH_LENGTHS: [usize; 6] = [16, 8, 5, 3, 2, 1];

/// Guesses of a context are counted up to this number of right ones in a row.
const MOST_RIGHT: usize = 15;

/// Right and wrong guesses.
#[derive(Clone, Copy, Debug)]
struct Guesses {
    right: f64,
    wrong: f64,
}

impl Default for Guesses {
    fn default() -> Self {
        Self { right: 0.4, wrong: 0.4 }
    }
}

impl Guesses {
    /// Bits of whether a guess is right, which is learned.
    fn code(&mut self, right: bool) -> f64 {
        let count = if right { &mut self.right } else { &mut self.wrong };
        let before = *count;
        *count += 1.0;
        (((self.right + self.wrong) - 1.0) / before).log2()
    }
}

/// The model of targets.
#[derive(Default)]
pub struct Targets {
    stack: Vec<u64>,
    returns: HashMap<u64, Guesses>,
    /// By a hash of branch and path: the target, and how often in a row it was right.
    paths: HashMap<u64, (u64, usize)>,
    guesses: [[Guesses; MOST_RIGHT + 1]; PATH_LENGTHS.len()],
    lists: HashMap<u64, Vec<u64>>,
    recent: Vec<u64>,
}

fn hash(seed: u64, words: &[u64]) -> u64 {
    words
        .iter()
        .fold(seed, |hash, word| (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23))
}

impl Targets {
    /// Pushes the return address of a call.
    pub fn call(&mut self, event: &Event) {
        if event.call && event.taken {
            self.stack.push(event.program_counter.wrapping_add(event.length.into()));
        }
    }

    /// Bits of a target, which is learned.
    pub fn code(&mut self, event: &Event) -> f64 {
        let Event { program_counter, target, is_return, .. } = *event;
        let mut bits = 0.0;
        let mut is_known = false;
        if is_return && let Some(address) = self.stack.pop() {
            is_known = address == target;
            bits += self.returns.entry(program_counter).or_default().code(is_known);
        }
        let mut wrong: Option<u64> = None;
        for (number, length) in PATH_LENGTHS.into_iter().enumerate() {
            let path = &self.recent[self.recent.len().saturating_sub(length)..];
            let key = hash(program_counter << 3 | number as u64, path);
            let entry = self.paths.entry(key);
            let (guess, right) = entry.or_insert((target, 0));
            let is_new = *guess == target && *right == 0;
            // A guess that was wrong before is not made again.
            if !is_known && !is_new && wrong != Some(*guess) {
                is_known = *guess == target;
                bits += self.guesses[number][*right].code(is_known);
                wrong = Some(*guess);
            }
            (*guess, *right) = match *guess == target {
                true => (target, (*right + 1).min(MOST_RIGHT)),
                false => (target, 1),
            };
        }
        let list = self.lists.entry(program_counter).or_default();
        let is_new = !list.contains(&target);
        if !is_known {
            bits += (list.len() as f64 + 1.0).log2();
            bits += if is_new { NEW_ADDRESS_BITS } else { 0.0 };
        }
        if is_new {
            list.push(target);
        }
        if self.recent.len() == 4 * PATH_LENGTHS[0] {
            self.recent.drain(..3 * PATH_LENGTHS[0]);
        }
        self.recent.push(target);
        bits
    }
}
