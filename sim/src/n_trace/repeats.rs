//! Messages that come again: they are counted in place of sending them.

use super::config::Config;
use super::layout::{HISTORY_FULL, HISTORY_REPEATED, Word};
use crate::config::mask;

/// A branch as its message says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The target of an indirect branch; `None` for a direct one, whose target the program tells.
    pub target: Option<u64>,
    /// The code before it.
    pub count: u64,
    /// The outcomes before it, after a first 1.
    pub history: u64,
}

/// What may come again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    Nothing,
    /// A full history, which waits to be sent.
    History(u64),
    /// A branch, whose message was sent.
    Branch(Branch),
}

/// Counts how often the last full history, or the last message of a branch, came again.
#[derive(Clone, Debug)]
pub struct Repeats {
    last: Last,
    /// How often a full history came, or a branch after its message.
    times: u64,
    most: u64,
}

impl Repeats {
    /// Nothing has been sent.
    pub fn new(config: &Config) -> Self {
        Self { last: Last::Nothing, times: 0, most: mask(config.repeat_bits) }
    }

    /// A history is full: it waits until another message is due.
    pub fn history(&mut self, history: u64, record: &mut impl FnMut(Word)) {
        if self.last == Last::History(history) && self.times < self.most {
            self.times += 1;
            return;
        }
        self.send(record);
        (self.last, self.times) = (Last::History(history), 1);
    }

    /// A branch is due; true if it is counted, and its message is not sent.
    pub fn counts(&mut self, branch: Branch, record: &mut impl FnMut(Word)) -> bool {
        if self.last == Last::Branch(branch) && self.times < self.most {
            self.times += 1;
            return true;
        }
        self.send(record);
        (self.last, self.times) = (Last::Branch(branch), 0);
        false
    }

    /// Another message is due, after which nothing comes again.
    pub fn end(&mut self, record: &mut impl FnMut(Word)) {
        self.send(record);
        (self.last, self.times) = (Last::Nothing, 0);
    }

    /// Sends what was counted.
    fn send(&self, record: &mut impl FnMut(Word)) {
        let times = self.times;
        match self.last {
            Last::History(earlier) => record(Word {
                earlier_once: times == 1,
                earlier_again: times > 1,
                earlier_code: if times == 1 { HISTORY_FULL } else { HISTORY_REPEATED },
                earlier,
                times,
                ..Word::default()
            }),
            Last::Branch(_) if times > 0 => {
                record(Word { branch_again: true, times, ..Word::default() });
            }
            Last::Branch(_) | Last::Nothing => {}
        }
    }
}
