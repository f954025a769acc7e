//! The match model: predicts that outcomes go on as they did after the last time that a branch was met like this.

use super::block::Fold;
use super::config::Config;
use crate::config::mask;

/// The match length from which on the model alone predicts.
pub const TRUSTED_CLASS: u8 = 4;
/// The match length from which on gshare need not learn what the model predicts.
pub const LONG: u8 = 16;
/// The bit of an outcome's random ones that keeps a pointer where chance decides: the counters seldom look at it.
pub const KEEPING_BIT: u32 = 7;
/// The longest match that is told from longer ones.
pub const LONGEST: u8 = 127;
/// The class of each length begins here, from class 1 on.
pub const CLASS_BEGINS: [u8; 7] = [1, 2, 4, 12, 24, 48, 96];

/// A ring of outcomes, pointers into it by branch and outcomes, and the place that is being followed.
#[derive(Clone, Debug)]
pub struct MatchModel {
    outcomes: Box<[bool]>,
    pointers: Box<[u32]>,
    fold: Fold,
    history_mask: u64,
    history_place: u32,
    position: u32,
    followed: u32,
    /// As wide as what it is chosen with, so that it is read as it was written: a processor waits long for bytes that are
    /// read as one word after they were written one by one.
    length: u32,
    follows: bool,
    /// The random bits of which any that is set keeps a pointer.
    keeping: u16,
}

/// What the model says.
#[derive(Clone, Copy, Debug)]
pub struct MatchPrediction {
    /// The outcome at the place that is followed.
    pub taken: bool,
    /// Class of the match's length.
    pub class: u8,
    /// The length itself.
    pub length: u8,
    followed: u32,
    key: usize,
}

impl MatchPrediction {
    /// What the model says after a match of this class, and nothing that it learns from.
    pub fn of(taken: bool, class: u8) -> Self {
        Self { taken, class, length: 0, followed: 0, key: 0 }
    }
}

impl MatchModel {
    /// The model as the clear sweep leaves it.
    pub fn new(config: &Config) -> Self {
        let fold = Fold::new(config.match_pointers);
        Self {
            outcomes: vec![false; config.match_history_entries as usize].into(),
            pointers: vec![0; config.match_pointers as usize].into(),
            fold,
            history_mask: mask(config.match_key_outcomes()),
            history_place: fold.bits - config.match_key_outcomes(),
            position: 0,
            followed: 0,
            length: 0,
            follows: false,
            keeping: u16::from(config.match_random_pointers) << KEEPING_BIT,
        }
    }

    /// What an address is to the index of a pointer.
    pub fn folded_address(&self, address: u64) -> u32 {
        self.fold.index(address) as u32
    }

    /// Predicts; where nothing is followed it begins to follow what the pointer of this branch says.
    #[inline]
    pub fn predict(&mut self, folded_address: u32, history: u64) -> MatchPrediction {
        let latest = history & self.history_mask;
        let key = (u64::from(folded_address) ^ latest << self.history_place) as usize;
        // Both are loaded, as whether something is followed is not for a processor's branch predictor to tell.
        let pointer = self.pointers[key];
        let followed = if self.follows { self.followed } else { pointer };
        let length = if self.follows { self.length } else { 0 };
        (self.followed, self.length, self.follows) = (followed, length, true);
        let taken = self.outcomes[followed as usize & (self.outcomes.len() - 1)];
        let length = length as u8;
        MatchPrediction { taken, class: class(length), length, followed, key }
    }

    /// Learns the outcome that was predicted last, which has these random bits.
    #[inline]
    pub fn learn(&mut self, prediction: &MatchPrediction, taken: bool, random: u16) {
        let MatchPrediction { length, followed, key, .. } = *prediction;
        let (place_mask, position) = (self.outcomes.len() as u32 - 1, self.position);
        let good = prediction.taken == taken;
        let pointer = &mut self.pointers[key];
        let replaces = (!good | (length == 0)) & (random & self.keeping == 0);
        *pointer = if replaces { position } else { *pointer };
        self.length = u32::from(length) + u32::from(length < LONGEST);
        self.followed = (followed + 1) & place_mask;
        self.follows = good;
        self.outcomes[position as usize] = taken;
        self.position = (position + 1) & place_mask;
    }
}

/// The class of each length.
const CLASSES: [u8; LONGEST as usize + 1] = {
    let mut classes = [0; LONGEST as usize + 1];
    let mut class = 0;
    while class < CLASS_BEGINS.len() {
        let mut length = CLASS_BEGINS[class] as usize;
        class += 1;
        while length < classes.len() {
            classes[length] = class as u8;
            length += 1;
        }
    }
    classes
};

/// The class of a match's length, up to [`LONGEST`].
#[inline]
pub fn class(length: u8) -> u8 {
    CLASSES[usize::from(length) % CLASSES.len()]
}
