//! Talon's streams as an independent implementation makes them: no escapes, other addresses, two symbols for a
//! conditional indirect branch, the bits highest first in a byte.

use sha2::{Digest, Sha256};
use tracewright_sim::config::mask;
use tracewright_sim::event::Event;
use tracewright_sim::parameter::List;
use tracewright_sim::talon::config::Config;
use tracewright_sim::talon::config::sizes::CHUNKS_BITS;
use tracewright_sim::talon::predictors::Predictors;
use tracewright_sim::talon::range_coder::{Code, RangeCoder};

/// Bits, the first one highest in its byte.
#[derive(Default)]
pub(super) struct Bytes {
    bytes: Vec<u8>,
    held: u64,
    held_bits: u32,
}

impl Bytes {
    pub(super) fn push(&mut self, bits: u64, count: u32) {
        for place in (0..count).rev() {
            self.held = self.held << 1 | bits >> place & 1;
            self.held_bits += 1;
            if self.held_bits == 8 {
                self.bytes.push(self.held as u8);
                (self.held, self.held_bits) = (0, 0);
            }
        }
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        while self.held_bits != 0 {
            self.push(0, 1);
        }
        self.bytes
    }
}

/// An encoder of such a stream.
pub struct ReferenceEncoder {
    pub(super) config: Config,
    predictors: Predictors,
    pub(super) coder: RangeCoder,
    pub(super) bytes: Bytes,
    /// Addresses are sent as Talon's format does it now.
    pub(super) is_current: bool,
}

impl ReferenceEncoder {
    /// An encoder after reset.
    pub fn new(config: &Config) -> Self {
        Self {
            predictors: Predictors::new(config),
            coder: RangeCoder::without_escapes(config),
            config: config.clone(),
            bytes: Bytes::default(),
            is_current: false,
        }
    }

    fn symbol(&mut self, wrong: bool, confidence: u32) {
        let Code { bits, count, ones, .. } = self.coder.symbol(wrong, confidence);
        self.bytes.push(bits, count);
        self.bytes.push(mask(ones), ones);
    }

    /// Bits that are not coded, highest first.
    fn raw(&mut self, raw: &[(u64, u32)]) {
        let guard_bits = self.config.guard_bits;
        let mut all = vec![(self.coder.aligned(), guard_bits + 2)];
        all.extend(raw);
        let bits: Vec<u64> = all
            .iter()
            .flat_map(|(bits, count)| (0..*count).rev().map(move |place| bits >> place & 1))
            .collect();
        let (sent, held_back) = bits.split_at(bits.len() - guard_bits as usize);
        sent.iter().for_each(|bit| self.bytes.push(*bit, 1));
        self.coder.restart(held_back.iter().fold(0, |held, bit| held << 1 | bit));
    }

    fn address(&self, target: u64, reference: u64, raw: &mut Vec<(u64, u32)>) {
        if self.is_current {
            let difference = target ^ reference;
            let chunks = self.config.address_chunks(difference);
            raw.push((chunks.into(), CHUNKS_BITS));
            raw.push((difference, self.config.address_bits(chunks)));
            return;
        }
        raw.push((u64::from(target < reference), 1));
        let mut distance = target.abs_diff(reference);
        let mut chunk = 6;
        loop {
            raw.push((distance & mask(chunk), chunk));
            distance >>= chunk;
            raw.push((u64::from(distance != 0), 1));
            if distance == 0 {
                return;
            }
            chunk = 4;
        }
    }

    /// Encodes an event; a call must have its length.
    pub fn event(&mut self, event: &Event) {
        if !event.kind.is_counted() {
            return self.predictors.follow(event);
        }
        if event.kind.is_conditional() {
            let outcome = self.predictors.predict_outcome(event.program_counter);
            self.symbol(outcome.taken() != event.taken, outcome.confidence());
            self.predictors.learn_outcome(&outcome, event.taken);
        }
        if event.kind.is_indirect() && event.taken {
            let expected =
                self.predictors.predict_target(event.program_counter, event.kind, event.is_return);
            let target = self.predictors.addresses().units(event.target);
            if let Some((candidate, confidence)) = expected.candidate {
                self.symbol(candidate != target, confidence);
            }
            if expected.candidate.is_none_or(|(candidate, _)| candidate != target) {
                let mut raw = Vec::new();
                if let Some(other) = expected.other {
                    raw.push((u64::from(other == target), 1));
                }
                if expected.other != Some(target) {
                    self.address(target, expected.reference, &mut raw);
                }
                self.raw(&raw);
            }
            self.predictors.learn_target(event, &expected);
        }
        self.predictors.follow(event);
    }

    /// Ends the stream: its bytes, and the beginning of their SHA-256.
    pub fn finish(mut self) -> (usize, String) {
        self.bytes.push(self.coder.low(), self.config.low_bits());
        let bytes = self.bytes.finish();
        let digest = Sha256::digest(&bytes);
        (bytes.len(), digest[..6].iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

/// The configurations whose streams there are: those of the implementation's own description, which the presets have
/// left over.
pub fn configurations() -> [(&'static str, Config); 5] {
    [
        ("talon-s6", small()),
        ("talon-m", medium()),
        ("talon-n", medium_plus()),
        ("talon-l", large()),
        ("talon-xl", extra_large()),
    ]
}

fn small() -> Config {
    Config {
        bimodal_entries: 128,
        bimodal_counters_per_magnitude: 1,
        gshare_entries: 128,
        gshare_counters_per_magnitude: 1,
        gshare_history_bits: 9,
        gshare_path_bits: 8,
        gshare_address_rotation: 0,
        match_history_entries: 256,
        match_pointers: 16,
        confidence_entries: 32,
        loop_entries: 0,
        return_address_stack_depth: 6,
        return_address_stack_wraps: false,
        return_addresses_compared: 2,
        target_buffer_sets: 4,
        targets_per_entry: 2,
        target_buffer_tag_bits: 5,
        target_bits: 19,
        range_bits: 10,
        guard_bits: 5,
        most_confidence: 8,
        bimodal_scores: List([-11, -6, -3, 1, 3, 3, 4, 4, 5, 6, 6, 7, 8, 5, 7, 14]),
        gshare_scores: List([-3, -3, -3, -2, -1, 0, 1, 5, 4]),
        match_against_scores: List([-1, -2, -1, -1, 0, 0, 0, 0]),
        match_for_scores: List([-1, -1, -1, 0, 1, 2, 3, 16]),
        confidence_scores: List([-2, -1, 0, 0, 0, 1, 1, 3]),
        return_confidence: 8,
        single_target_confidences: List([2, 3, 8, 8]),
        recent_target_confidences: List([1, 1, 1, 1]),
        choice_confidences: List([1, 1, 1, 7]),
        ..Config::default()
    }
}

fn medium() -> Config {
    Config {
        bimodal_entries: 256,
        gshare_entries: 256,
        gshare_history_bits: 10,
        return_address_stack_depth: 8,
        bimodal_scores: List([-13, -6, -3, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 5, 8, 13]),
        gshare_scores: List([-3, -1, -2, -2, -1, 0, 1, 5, 4]),
        match_against_scores: List([-1, -1, -1, -1, 0, 0, 0, 0]),
        match_for_scores: List([-1, -1, 0, 0, 0, 1, 3, 16]),
        confidence_scores: List([-2, -1, 0, 0, 1, 1, 2, 3]),
        choice_confidences: List([1, 1, 1, 4]),
        ..small()
    }
}

fn medium_plus() -> Config {
    Config {
        match_history_entries: 512,
        match_pointers: 32,
        confidence_entries: 128,
        range_bits: 12,
        guard_bits: 6,
        most_confidence: 10,
        bimodal_scores: List([-6, -2, 0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 5, 8, 14]),
        gshare_scores: List([-3, -1, -2, -2, 0, 0, 1, 5, 3]),
        match_for_scores: List([-1, -1, 0, 0, 0, 1, 2, 9]),
        confidence_scores: List([-3, -1, -1, 0, 1, 2, 3, 6]),
        return_confidence: 9,
        single_target_confidences: List([2, 3, 8, 9]),
        choice_confidences: List([1, 1, 1, 10]),
        ..medium()
    }
}

fn large() -> Config {
    Config {
        gshare_entries: 512,
        bimodal_scores: List([-4, -2, 0, 1, 3, 4, 4, 4, 5, 5, 6, 6, 6, 5, 8, 14]),
        gshare_scores: List([-4, -1, -2, -2, -1, 0, 1, 6, 3]),
        match_against_scores: List([-1, -1, -1, -2, 0, 0, 0, 0]),
        match_for_scores: List([-1, -1, -1, -1, 0, 1, 2, 8]),
        confidence_scores: List([-4, -1, 0, 0, 1, 2, 3, 6]),
        ..medium_plus()
    }
}

fn extra_large() -> Config {
    Config {
        bimodal_entries: 512,
        match_history_entries: 1024,
        match_pointers: 64,
        loop_entries: 8,
        return_address_stack_depth: 7,
        bimodal_scores: List([-4, -1, -1, 2, 3, 3, 4, 4, 5, 5, 6, 6, 6, 4, 7, 15]),
        match_against_scores: List([-1, -1, -1, -1, -3, -5, -20, -20]),
        match_for_scores: List([0, -1, 0, 0, 1, 2, 4, 8]),
        confidence_scores: List([-5, -1, -1, 0, 0, 1, 2, 5]),
        loop_scores: List([0, 1, -1, 0, -3, 0, 0]),
        ..large()
    }
}
