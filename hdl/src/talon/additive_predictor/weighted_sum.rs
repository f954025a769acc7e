//! The sum of additive prediction: what is predicted, and how sure that is.

use tracewright_elaborate::prelude::*;
use tracewright_sim::talon::config::Config;

/// Numbers by state, as a table of truth for each of their bits.
fn truth(numbers: &[i32], bits: u32) -> Vec<Word> {
    let set = |number: &i32, bit: u32| u64::from(*number as u32 >> bit & 1);
    let word = |bit| {
        let places = numbers.iter().enumerate();
        places.fold(0, |word, (place, number)| word | set(number, bit) << place)
    };
    (0..bits).map(|bit| Word::new(numbers.len(), word(bit))).collect()
}

fn bits_of(number: i32) -> u32 {
    32 - number.max(0).cast_unsigned().leading_zeros()
}

/// What the direction and, below it, the magnitude of a counter say, raised by so much that nothing is negative.
fn votes(weights: &[i8], raise: i32) -> Vec<i32> {
    let weights = weights.iter().copied().map(i32::from);
    weights
        .clone()
        .map(|weight| raise - weight)
        .chain(weights.map(|weight| raise + weight))
        .collect()
}

/// The tables as the hardware looks them up, and how their sums are read.
struct Tables {
    /// By table: bimodal, short, long and local history, match model.
    votes: [Vec<Word>; 5],
    corrections: Vec<Word>,
    /// Bits of the sum; the highest one says "taken".
    sum_bits: u32,
    /// Bits of the distance in eighths of a bit, corrected and raised.
    eighths_bits: u32,
    /// Whole bits by which it is raised.
    base: u32,
}

impl Tables {
    fn new(config: &Config) -> Self {
        let additive = &config.additive;
        let weights: [&[i8]; 5] = [
            &additive.bimodal_weights.0,
            &additive.short_history_weights.0,
            &additive.long_history_weights.0,
            &additive.local_weights.0,
            &additive.match_weights.0,
        ];
        let most = weights.map(|weights| weights.iter().copied().max().map_or(0, i32::from));
        let distance: i32 = most.iter().sum();
        // Zero is in the middle, so that the highest bit is the prediction.
        let middle = 1 << bits_of(distance);
        let votes = std::array::from_fn(|table| {
            let raise = most[table] + if table == 0 { middle - distance } else { 0 };
            let numbers = votes(weights[table], raise);
            truth(&numbers, bits_of(numbers.iter().copied().max().unwrap_or(0)))
        });
        let corrections = additive.confidence_corrections.0.map(i32::from);
        // Seven eighths round up.
        let least = corrections.iter().copied().min().unwrap_or(0) + 7;
        let base = (-least).max(0).cast_unsigned().div_ceil(8);
        let raised = corrections.map(|correction| correction + 7 + 8 * base.cast_signed());
        let highest = raised.iter().copied().max().unwrap_or(0);
        Self {
            votes,
            corrections: truth(&raised, bits_of(highest)),
            sum_bits: bits_of(distance) + 1,
            eighths_bits: bits_of(highest + middle),
            base,
        }
    }
}

block! {
    /// Adds up the weights of all tables; the distance of the sum from zero, in eighths of a bit, is the confidence.
    pub WeightedSum("weighted_sum") of (config: &Config) {
        let tables = Tables::new(config);
        let confidence_bits = config.confidence_bits() as usize;
        let sum_bits = tables.sum_bits as usize;
        let eighths_bits = (tables.eighths_bits as usize).max(confidence_bits + 4);
        let base = u64::from(tables.base);
        let whole_bits = eighths_bits - 3;
        let most = base + u64::from(config.most_confidence);
    }
    parameters {
        most_confidence = config.most_confidence as usize,
        sum_bits,
    }

    /// bimodal's counter: direction and, below it, magnitude
    in bimodal: 5;
    /// the counter by few recent outcomes
    in short_history: 4;
    /// the counter by more recent outcomes
    in long_history: 4;
    /// the counter by the branch's own recent outcomes
    in local_history: 4;
    /// the match model's outcome
    in matched: 1;
    /// class of the match's length
    in match_class: 3;
    /// the confidence counter of "not taken"
    in counter_not_taken: 3;
    /// the confidence counter of "taken"
    in counter_taken: 3;
    /// the outcome that is predicted
    out prediction: 1;
    /// a prediction of confidence k is wrong with probability 2^-k
    out confidence: confidence_bits;
    local match_state: 4;
    local bimodal_vote: tables.votes[0].len();
    local short_vote: tables.votes[1].len();
    local long_vote: tables.votes[2].len();
    local local_vote: tables.votes[3].len();
    local match_vote: tables.votes[4].len();
    local sum: sum_bits;
    local is_taken: 1;
    /// of the sum from zero; one less where it is negative
    local distance: sum_bits;
    local counter: 3;
    local correction: tables.corrections.len();
    local eighths: eighths_bits;
    local whole: whole_bits;
    param bimodal_truth = truth.clone() for truth in &tables.votes[0];
    param short_truth = truth.clone() for truth in &tables.votes[1];
    param long_truth = truth.clone() for truth in &tables.votes[2];
    param local_truth = truth.clone() for truth in &tables.votes[3];
    param match_truth = truth.clone() for truth in &tables.votes[4];
    param correction_truth = truth.clone() for truth in &tables.corrections;
    param sign = sum_bits - 1;
    param base = Word::new(whole_bits, base);
    param least = Word::new(whole_bits, base + 1);
    param most = Word::new(whole_bits, most);
    param most_confidence = Word::new(confidence_bits, config.most_confidence.into());
}

#[kernel]
impl Logic for WeightedSum {
    fn update(&mut self) {
        bimodal_vote = 0;
        for bit in 0..bimodal_truth.len() {
            if bimodal_truth[bit].get_bit(bimodal) {
                bimodal_vote = bimodal_vote.replace_bit(bit, true);
            }
        }
        short_vote = 0;
        for bit in 0..short_truth.len() {
            if short_truth[bit].get_bit(short_history) {
                short_vote = short_vote.replace_bit(bit, true);
            }
        }
        long_vote = 0;
        for bit in 0..long_truth.len() {
            if long_truth[bit].get_bit(long_history) {
                long_vote = long_vote.replace_bit(bit, true);
            }
        }
        local_vote = 0;
        for bit in 0..local_truth.len() {
            if local_truth[bit].get_bit(local_history) {
                local_vote = local_vote.replace_bit(bit, true);
            }
        }
        match_state = (resized(matched, 4) << 3) | resized(match_class, 4);
        match_vote = 0;
        for bit in 0..match_truth.len() {
            if match_truth[bit].get_bit(match_state) {
                match_vote = match_vote.replace_bit(bit, true);
            }
        }
        sum = resized(bimodal_vote)
            + resized(short_vote)
            + resized(long_vote)
            + resized(local_vote)
            + resized(match_vote);
        is_taken = resized(sum >> sign, 1);
        prediction = is_taken;
        distance = sum.replace_bit(sign, false);
        counter = counter_taken;
        if !is_taken {
            distance = (!sum).replace_bit(sign, false);
            counter = counter_not_taken;
        }
        correction = 0;
        for bit in 0..correction_truth.len() {
            if correction_truth[bit].get_bit(counter) {
                correction = correction.replace_bit(bit, true);
            }
        }
        eighths = resized(distance) + resized(correction) + resized(!is_taken);
        whole = resized(eighths >> 3);
        confidence = resized(whole - base);
        if whole > most {
            confidence = most_confidence;
        }
        if whole < least {
            confidence = 1;
        }
    }
}
