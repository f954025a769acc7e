//! Talon's parameters, their constraints, and what they make the module store.

use super::additive_parameters::{self, Additive};
pub use super::sizes;
use super::sizes::*;
use super::time_parameters::{self, Time};
use crate::bound::MostBits;
use crate::config::{
    MemoryStyle, Processor, Protocol, STATED_WHEN_CHANGED, TracePort, index_bits, require,
};
use crate::configuration::{Configuration, shared_parameters};
use crate::parameter::{List, ParameterError};
use crate::parameters;

parameters! {
    /// A Talon configuration (docs/talon.md).
    pub struct Config {
        groups {
            /// The processor that is traced.
            processor: Processor,
            /// The way out.
            port: TracePort,
            /// Packets.
            protocol: Protocol,
            /// Additive prediction of outcomes.
            additive: Additive,
            /// The time of events.
            time: Time,
        }
        /// Counters of the bimodal outcome predictor, a direction and a magnitude of three bits each, or of four with additive
        /// prediction; a power of two.
        bimodal_entries: u32 = 256, in 4 ..= 65536;
        /// Bimodal counters that have one magnitude in common; a power of two.
        bimodal_counters_per_magnitude: u32 = 4, in 1 ..= 8;
        /// Counters of the filtered gshare outcome predictor, a direction and a magnitude of two bits each; a power of two.
        gshare_entries: u32 = 256, in 4 ..= 65536;
        /// Gshare counters that have one magnitude in common; a power of two.
        gshare_counters_per_magnitude: u32 = 2, in 1 ..= 8;
        /// Branch outcomes in gshare's history register.
        gshare_history_bits: u32 = 9, in 2 ..= 32;
        /// Bits of gshare's history of addresses; 0 leaves it out.
        gshare_path_bits: u32 = 0, in 0 ..= 16;
        /// Places by which the address is rotated in gshare's index: its low bits then do not meet the latest outcomes.
        gshare_address_rotation: u32 = 5, in 0 ..= 15;
        /// Outcomes that the match model remembers; a power of two.
        match_history_entries: u32 = 256, in 4 ..= 65536;
        /// Pointers of the match model into its history; a power of two.
        match_pointers: u32 = 16, in 4 ..= 4096;
        /// A pointer of the match model that would be replaced stays with probability 1/2: what repeats then comes, sooner or
        /// later, to a place from which it goes on as before.
        match_random_pointers: bool = false;
        /// Three-bit counters of correct predictions by branch and prediction; a power of two.
        confidence_entries: u32 = 16, in 4 ..= 65536;
        /// Entries of the loop predictor; 0 leaves it out. A power of two.
        loop_entries: u32 = 0, in 0 ..= 256;
        /// A loop that was left twice in a row is given up by the loop predictor: the way that it goes on is the wrong one.
        loop_relearns_direction: bool = false;
        /// Entries of the return address stack (RAS); any number.
        return_address_stack_depth: u32 = 6, in 1 ..= 64;
        /// Below its oldest entry the return address stack goes on with the addresses that it popped before.
        return_address_stack_wraps: bool = true;
        /// Return addresses that a return is compared with: the top of the stack, and the one below.
        return_addresses_compared: u32 = 1, in 1 ..= 2;
        /// Sets of two entries of the indirect branch target buffer; a power of two.
        target_buffer_sets: u32 = 8, in 1 ..= 1024;
        /// Targets of an entry of the target buffer. With 1, a branch with two targets has both entries of its set.
        targets_per_entry: u32 = 1, in 1 ..= 2;
        /// Tag bits of an entry of the target buffer.
        target_buffer_tag_bits: u32 = 2, in 1 ..= 16;
        /// A branch that goes elsewhere than its only entry says makes the other entry of the set less sure: one
        /// that no branch uses any more gives way. Only with one target in each entry.
        target_buffer_ages: bool = false;
        /// A branch without an entry takes a random one of its set, instead of the one that was not used last: a
        /// few branches in turn then do not drive each other out. Only with one target in each entry.
        target_buffer_random_victim: bool = false;
        /// The two entries of a branch are in different sets, so that two branches that meet in one way hardly meet in
        /// the other. Only with one target in each entry.
        target_buffer_skewed: bool = false;
        /// Bits of the history of targets, by which a branch with more than two targets finds its entry in the second
        /// way; 0 leaves it out. Only with one target in each entry.
        target_history_bits: u32 = 0, in 0 ..= 16;
        /// Places by which each target shifts the history of targets.
        target_history_shift: u32 = 2, in 1 ..= 8;
        /// Low bits of a target, in instruction units, that stack and target buffer keep. The others are the
        /// branch's, or those of a region. More than an address has are all of its bits.
        target_bits: u32 = 64, in 4 ..= 64;
        /// Registers of regions: the upper bits of the addresses that the program jumped to last, of which stack
        /// and target buffer keep a number. 0 leaves them out: the upper bits are then the branch's. A power of two
        /// from 2 on.
        target_regions: u32 = 0, in 0 ..= 16;
        /// Bits of the coder's range.
        range_bits: u32 = 10, in 6 ..= 16;
        /// Bits that the coder holds back, so that a later symbol need not carry into bits that were sent.
        guard_bits: u32 = 5, in 2 ..= 12;
        /// Highest confidence: a symbol with confidence k is wrong with probability 2^-k.
        most_confidence: u32 = 8, in 1 ..= 14;
        /// Ones after the highest code that make an escape. Fewer make escapes shorter, and leave more of the range of a
        /// wrong symbol of high confidence to them.
        escape_ones: u32 = 3, in 1 ..= 15;
        /// Bits of a target that are always sent; the others follow in chunks of a seventh, as many as differ.
        address_first_chunk: u32 = 6, in 2 ..= 32;
        /// Width of the counter of instructions since the last symbol. How often it overflows is counted in two bits less.
        instruction_count_bits: u32 = 10, in 8 ..= 40;
        /// Scores of the bimodal counter's 16 states, from surely against the prediction to surely for it.
        bimodal_scores: List<BIMODAL_STATES> = List([-12, -7, -3, 1, 2, 3, 4, 4, 5, 5, 6, 7, 8, 5, 7, 20]);
        /// Scores of the gshare counter's 8 states, from against to for, and of a counter that is not asked.
        gshare_scores: List<GSHARE_STATES> = List([-1, 0, -2, -2, -1, 0, 1, 5, 4]);
        /// Scores of a match model that contradicts the prediction, by class of match length.
        match_against_scores: List<MATCH_CLASSES> = List([-1, -1, -1, -1, 0, 0, 0, 0]);
        /// Scores of a match model that agrees with the prediction, by class of match length.
        match_for_scores: List<MATCH_CLASSES> = List([-1, -1, -1, -1, 0, 3, 3, 18]);
        /// Scores of the confidence counter's 8 values.
        confidence_scores: List<CONFIDENCE_STATES> = List([-1, 0, 0, 0, 0, 1, 1, 3]);
        /// Scores of the loop predictor: silent, then for and against at each of three confidences.
        loop_scores: List<LOOP_STATES> = List([0, 1, -1, 0, -3, 0, 0]);
        /// Confidence of the return address stack.
        return_confidence: u32 = 8, in 1 ..= 14;
        /// Confidences of a target buffer entry with one target, by the entry's own confidence.
        single_target_confidences: List<ENTRY_CONFIDENCES> = List([1, 1, 1, 6]);
        /// Confidences of an entry with two targets for a conditional branch, by the entry's own confidence.
        recent_target_confidences: List<ENTRY_CONFIDENCES> = List([1, 1, 1, 2]);
        /// Highest confidences of the choice between two targets, by the entry's own confidence.
        choice_confidences: List<ENTRY_CONFIDENCES> = List([1, 1, 8, 8]);
        /// How the tables of outcome predictors are read; synchronous costs cycles of latency and registers.
        memory_style: MemoryStyle = MemoryStyle::Asynchronous;
    }
}

/// What is stated only where it is not the default.
const OWN_STATED_WHEN_CHANGED: &[&str] = &[
    "match_random_pointers",
    "loop_relearns_direction",
    "target_buffer_ages",
    "target_buffer_random_victim",
    "target_buffer_skewed",
    "target_history_bits",
    "target_history_shift",
    "target_regions",
];

impl Config {
    /// True where there is a loop predictor.
    pub fn has_loop_predictor(&self) -> bool {
        self.loop_entries > 0 && !self.is_additive()
    }

    /// True where the sum of the tables' weights decides an outcome.
    pub fn is_additive(&self) -> bool {
        self.additive.additive
    }

    /// Latest outcomes in the key of the match model's pointers.
    pub fn match_key_outcomes(&self) -> u32 {
        if self.is_additive() {
            index_bits(self.match_pointers).min(self.additive.history_bits())
        } else {
            2
        }
    }

    /// Branch outcomes in the history register.
    pub fn history_bits(&self) -> u32 {
        if self.is_additive() { self.additive.history_bits() } else { self.gshare_history_bits }
    }

    /// Low bits of a target that the tables keep: no more than a target has, and all of them where the number of a
    /// region would have as many bits as the others.
    pub fn low_target_bits(&self) -> u32 {
        let all = self.processor.instruction_address_bits();
        let number = if self.target_regions > 0 { index_bits(self.target_regions) } else { 0 };
        if self.target_bits + number < all { self.target_bits } else { all }
    }

    /// Upper bits of a target, which the tables do not keep.
    pub fn upper_target_bits(&self) -> u32 {
        self.processor.instruction_address_bits() - self.low_target_bits()
    }

    /// True where the tables keep the number of a region: there is more than one.
    pub fn has_regions(&self) -> bool {
        self.target_regions > 0 && self.upper_target_bits() > 0
    }

    /// Bits of a region's number in the tables.
    pub fn region_bits(&self) -> u32 {
        if self.has_regions() { index_bits(self.target_regions) } else { 0 }
    }

    /// Bits of a target that the tables keep: its low bits, and above them the number of its region.
    pub fn table_target_bits(&self) -> u32 {
        self.low_target_bits() + self.region_bits()
    }

    /// Bits of one entry of the target buffer: valid, tag, targets, confidence; of two targets, whether it has both and
    /// which was last.
    pub fn target_buffer_entry_bits(&self) -> u32 {
        let targets = self.targets_per_entry;
        self.target_buffer_tag_bits + targets * self.table_target_bits() + 1 + 2 * targets
    }

    /// True where a branch with more than two targets finds them by the history of targets.
    pub fn has_target_history(&self) -> bool {
        self.target_history_bits > 0
    }

    /// Bits of the target buffer beside its entries: by set, which way was used last, and whether the branch in the first
    /// way has more than two targets.
    pub fn target_buffer_set_bits(&self) -> u32 {
        1 + u32::from(self.has_target_history())
    }

    /// Bits of a confidence.
    pub fn confidence_bits(&self) -> u32 {
        index_bits(self.most_confidence + 1)
    }

    /// True where a return is also compared with the return address below the top of the stack.
    pub fn compares_second_return_address(&self) -> bool {
        self.return_addresses_compared.min(self.return_address_stack_depth) > 1
    }

    /// True where the coder takes a second cycle for what sends bits: with registers at a serial encoder, whose port takes
    /// at least a cycle for every bit or piece too.
    pub fn codes_in_two_cycles(&self) -> bool {
        self.port.encoder_registers && !self.port.is_parallel()
    }

    /// Bits of the count of overflows of the instruction counter since the last symbol: with 10 bits of instructions an
    /// escape is due every 131,072 instructions without a branch.
    pub fn overflow_count_bits(&self) -> u32 {
        self.instruction_count_bits - 2
    }

    /// Bits of the coder's low end: the range's and those that it holds back.
    pub fn low_bits(&self) -> u32 {
        self.range_bits + self.guard_bits
    }

    /// Bits of a chunk of a target after the first.
    pub fn address_next_chunk(&self) -> u32 {
        let rest =
            self.processor.instruction_address_bits().saturating_sub(self.address_first_chunk);
        rest.div_ceil(MOST_CHUNKS).max(1)
    }

    /// Bits of a target that is sent with so many chunks after the first.
    pub fn address_bits(&self, chunks: u32) -> u32 {
        let bits = self.address_first_chunk + chunks * self.address_next_chunk();
        bits.min(self.processor.instruction_address_bits())
    }

    /// Chunks after the first that hold every bit of `difference` that is not zero.
    #[inline]
    pub fn address_chunks(&self, difference: u64) -> u32 {
        let bits = 64 - difference.leading_zeros();
        bits.saturating_sub(self.address_first_chunk).div_ceil(self.address_next_chunk())
    }

    /// Clocks after reset until every table is clear.
    pub fn clear_clocks(&self) -> u32 {
        let Additive { history_entries, local_entries, local_histories, .. } = self.additive;
        let of_outcomes = if self.is_additive() {
            history_entries.max(local_entries).max(local_histories)
        } else {
            self.gshare_entries.max(self.loop_entries)
        };
        [
            of_outcomes,
            self.bimodal_entries,
            self.match_history_entries,
            self.match_pointers,
            self.confidence_entries,
            self.targets_per_entry * self.target_buffer_sets,
            if self.times_events() { self.time.time_entries } else { 1 },
        ]
        .into_iter()
        .fold(1, u32::max)
    }

    /// True where the hardware's instruction counter is wide enough to number the entries of the clear sweep too: no
    /// number reaches its upper half before the last one. It counts instructions during a sweep in the background.
    pub fn sweeps_by_instruction_count(&self) -> bool {
        index_bits(self.clear_clocks()) < self.instruction_count_bits
            && !self.protocol.clears_in_background()
    }
}

impl Configuration for Config {
    shared_parameters!();

    fn validate(&self) -> Result<(), ParameterError> {
        self.protocol.validate(&self.processor, self.payloads())?;
        self.protocol.validate_tables(self.memory_style)?;
        self.validate_tables()?;
        self.validate_targets()?;
        self.validate_confidences()?;
        self.validate_time()?;
        let retired = self.processor.retire_count_bits;
        require(retired < self.instruction_count_bits, "retire_count_bits", retired, || {
            format!("less than instruction_count_bits = {}", self.instruction_count_bits)
        })
    }

    fn resolved(&self) -> Self {
        Config { port: self.port.resolved(), protocol: self.protocol.resolved(), ..self.clone() }
    }

    fn most_bits_of_event(&self) -> Option<MostBits> {
        // Nothing is proven of what a time can take.
        (!self.times_events()).then(|| self.most_bits())
    }

    fn blocks_in_flight(&self) -> u32 {
        match self.memory_style {
            MemoryStyle::Asynchronous => 0,
            MemoryStyle::Synchronous => 6,
        }
    }

    /// Symbols wait instead of records: most of them never become one.
    fn queues_records(&self) -> bool {
        false
    }

    fn predicts_returns(&self) -> bool {
        true
    }

    fn has_event_times(&self) -> bool {
        self.times_events()
    }

    fn stated_when_changed(&self) -> Vec<&'static str> {
        let additive = additive_parameters::STATED_WHEN_CHANGED;
        let time = time_parameters::STATED_WHEN_CHANGED;
        [&STATED_WHEN_CHANGED[..], OWN_STATED_WHEN_CHANGED, additive, time].concat()
    }

    /// The papers' rule: tables and buffer; all other registers are in the constant.
    fn estimated_storage(&self) -> Vec<(&'static str, u32)> {
        let depth = self.return_address_stack_depth;
        let history = index_bits(self.match_history_entries);
        let regions = if self.has_regions() {
            self.target_regions * self.upper_target_bits() + 2 * self.region_bits()
        } else {
            0
        };
        let bimodal = |magnitude_bits| {
            let magnitudes = self.bimodal_entries / self.bimodal_counters_per_magnitude;
            ("bimodal", self.bimodal_entries + magnitude_bits * magnitudes)
        };
        let (bimodal, histories) = if self.is_additive() {
            (bimodal(4), ("histories", self.additive.stored_bits()))
        } else {
            let magnitudes = self.gshare_entries / self.gshare_counters_per_magnitude;
            (bimodal(3), ("gshare", self.gshare_entries + 2 * magnitudes))
        };
        let loops = if self.has_loop_predictor() { self.loop_entries } else { 0 };
        vec![
            bimodal,
            histories,
            ("match_model", self.match_history_entries + history * self.match_pointers),
            ("confidence", 3 * self.confidence_entries),
            ("loop_predictor", 19 * loops),
            ("return_address_stack", depth * self.table_target_bits() + 2 * index_bits(depth)),
            (
                "target_buffer",
                self.target_buffer_sets
                    * (2 * self.target_buffer_entry_bits() + self.target_buffer_set_bits()),
            ),
            ("regions", regions),
            ("time", self.stored_time_bits()),
            ("output_fifo", self.port.fifo_bits),
        ]
    }
}
