//! What the time of an event is expected to be: two tables, by where it begins and how it ends, and by the branch before.

use super::Timed;
use super::generator::Generator;
use crate::config::{index_bits, mask};
use crate::talon::time_parameters::Time;

/// The highest confidence of an entry.
pub const MOST_ENTRY_CONFIDENCE: u8 = 7;
/// The confidence of the symbol that says whether a time is as expected: by whether both tables expect the same, whether the
/// time before was not as expected, and the entry's confidence.
pub const CONFIDENCES: [[[u32; 8]; 2]; 2] = [
    [[1, 1, 1, 1, 2, 3, 3, 7], [1, 1, 1, 1, 1, 2, 2, 3]],
    [[1, 2, 3, 3, 4, 5, 5, 8], [1, 2, 2, 2, 3, 3, 4, 7]],
];
/// Places by which the folded branch is rotated to the left.
pub const BRANCH_ROTATION: u32 = 3;
/// Random bits of the second table are as many places above those of the first.
pub const SECOND_RANDOM: u32 = 7;

/// Cycles above the usual ones of the instructions, and how sure they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// The cycles, -64 to 191.
    pub value: i64,
    /// 0 to 7.
    pub confidence: u8,
}

impl Entry {
    /// Bits of a value.
    pub const VALUE_BITS: u32 = 8;
    /// Bits of an entry.
    pub const BITS: u32 = Self::VALUE_BITS + 3;
    /// The lowest value: an entry's 8 bits from 192 on are negative.
    pub const LEAST: i64 = -64;
    /// The highest value.
    pub const MOST: i64 = 191;

    fn learn(&mut self, excess: i64, random: u16) {
        if self.value == excess {
            let grows = Generator::are_zero(random, self.confidence);
            if self.confidence < MOST_ENTRY_CONFIDENCE && grows {
                self.confidence += 1;
            }
        } else if self.confidence > 0 {
            self.confidence -= 1;
        } else if (Self::LEAST..=Self::MOST).contains(&excess) {
            self.value = excess;
        }
    }
}

/// What is expected of an event.
#[derive(Clone, Copy, Debug)]
pub struct Expected {
    /// The surer entry, the second table's if both are as sure.
    pub first: Entry,
    /// The other one.
    pub second: Entry,
    /// The surer one is of the second table.
    pub is_of_second: bool,
    /// The confidence of the surer one's symbol.
    pub confidence: u32,
    /// Where the tables have them.
    places: [usize; 2],
}

impl Expected {
    /// Both entries have the same value.
    pub fn is_same(&self) -> bool {
        self.first.value == self.second.value
    }
}

/// The tables.
#[derive(Clone, Debug)]
pub struct Front {
    tables: [Vec<Entry>; 2],
    index_bits: u32,
    random: Generator,
    /// The time of the event before was not as expected.
    was_wrong: bool,
    /// Where the event at hand begins, folded.
    start: u64,
    /// The branch of the event before, folded.
    branch: u64,
}

impl Front {
    /// Cleared tables.
    pub fn new(time: &Time) -> Self {
        let table = vec![Entry::default(); time.time_entries as usize];
        Self {
            tables: [table.clone(), table],
            index_bits: index_bits(time.time_entries),
            random: Generator::default(),
            was_wrong: false,
            start: 0,
            branch: 0,
        }
    }

    /// What is expected of the event at hand.
    pub fn predict(&self, outcome: bool) -> Expected {
        let bits = self.index_bits;
        let rotation = BRANCH_ROTATION % bits;
        let rotated = (self.branch << rotation | self.branch >> (bits - rotation)) & mask(bits);
        let places = [self.start ^ u64::from(outcome) << (bits - 1), self.start ^ rotated]
            .map(|place| place as usize);
        let [a, b] = [self.tables[0][places[0]], self.tables[1][places[1]]];
        let is_of_second = b.confidence >= a.confidence;
        let (first, second) = if is_of_second { (b, a) } else { (a, b) };
        let is_same = usize::from(a.value == b.value);
        let of_entry = CONFIDENCES[is_same][usize::from(self.was_wrong)];
        let confidence = of_entry[usize::from(first.confidence)];
        Expected { first, second, is_of_second, confidence, places }
    }

    /// Learns the cycles above the usual ones.
    pub fn learn(&mut self, expected: &Expected, excess: i64) {
        let random = self.random.step();
        let randoms = [random, random >> SECOND_RANDOM];
        for ((table, place), random) in self.tables.iter_mut().zip(expected.places).zip(randoms) {
            table[place].learn(excess, random);
        }
        self.was_wrong = expected.first.value != excess;
    }

    /// Goes on after an event.
    pub fn follow(&mut self, event: &Timed) {
        self.start = self.fold(event.next);
        self.branch = self.fold(event.branch);
    }

    /// The exclusive or of all pieces of an address that are as wide as an index.
    fn fold(&self, mut address: u64) -> u64 {
        let mut folded = 0;
        while address > 0 {
            folded ^= address & mask(self.index_bits);
            address >>= self.index_bits;
        }
        folded
    }
}
