//! Streams of additive prediction as an independent implementation makes them: those of `talon_reference`, with the
//! addresses of today's format, and an escape at the end.

use tracewright_sim::parameter::List;
use tracewright_sim::talon::additive_parameters::Additive;
use tracewright_sim::talon::config::Config;
use tracewright_sim::talon::range_coder::RangeCoder;

use super::talon_reference::ReferenceEncoder;

impl ReferenceEncoder {
    /// An encoder of the streams that there are of additive prediction.
    pub fn of_additive(config: &Config) -> Self {
        let mut reference = Self::new(config);
        reference.coder = RangeCoder::new(config);
        reference.is_current = true;
        reference
    }

    /// Ends the stream with a flush: its bytes, and their 64-bit FNV-1a.
    pub fn flush(mut self) -> (usize, u64) {
        self.bytes.push(self.coder.escape(), self.config.low_bits());
        // Ones, the kind of escape, and no instructions.
        self.bytes.push(0b111, 3);
        self.bytes.push(0, 2 + 10);
        let bytes = self.bytes.finish();
        let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
        (bytes.len(), hash)
    }
}

/// The configurations of additive prediction whose streams there are: of the bits of talon-m, and of 1.3 times its
/// gates.
pub fn additive_configurations() -> [(&'static str, Config); 2] {
    let large = Config {
        bimodal_counters_per_magnitude: 2,
        match_history_entries: 512,
        confidence_entries: 32,
        return_address_stack_depth: 8,
        return_addresses_compared: 2,
        target_bits: 20,
        range_bits: 12,
        guard_bits: 6,
        most_confidence: 10,
        instruction_count_bits: 14,
        return_confidence: 9,
        single_target_confidences: List([1, 1, 1, 6]),
        recent_target_confidences: List([1, 1, 1, 2]),
        choice_confidences: List([1, 1, 8, 8]),
        additive: Additive { additive: true, ..Additive::default() },
        ..Config::default()
    };
    let medium = Config {
        match_history_entries: 256,
        additive: Additive { history_entries: 128, ..large.additive.clone() },
        ..large.clone()
    };
    [("G-M", medium), ("G-G", large)]
}
