//! What the values of Talon's parameters must be beside their ranges.

use super::config::Config;
use crate::config::{MemoryStyle, require};
use crate::parameter::{List, ParameterError};

fn power_of_two(name: &'static str, value: u32) -> Result<(), ParameterError> {
    require(value.is_power_of_two(), name, value, || "it is a power of two".into())
}

fn zero_or_power_of_two(name: &'static str, value: u32) -> Result<(), ParameterError> {
    require(value == 0 || value.is_power_of_two(), name, value, || {
        "it is 0 or a power of two".into()
    })
}

impl Config {
    /// Tables of outcomes: powers of two, and magnitudes that fit them.
    pub(super) fn validate_tables(&self) -> Result<(), ParameterError> {
        power_of_two("bimodal_entries", self.bimodal_entries)?;
        power_of_two("gshare_entries", self.gshare_entries)?;
        power_of_two("match_history_entries", self.match_history_entries)?;
        power_of_two("match_pointers", self.match_pointers)?;
        power_of_two("confidence_entries", self.confidence_entries)?;
        zero_or_power_of_two("loop_entries", self.loop_entries)?;
        let sharing = |name, sharing: u32, entries: u32| {
            require(sharing.is_power_of_two() && 2 * sharing <= entries, name, sharing, || {
                format!("a power of two, at most {}", entries / 2)
            })
        };
        sharing(
            "bimodal_counters_per_magnitude",
            self.bimodal_counters_per_magnitude,
            self.bimodal_entries,
        )?;
        sharing(
            "gshare_counters_per_magnitude",
            self.gshare_counters_per_magnitude,
            self.gshare_entries,
        )?;
        self.additive.validate()?;
        let path = self.gshare_path_bits;
        require(path == 0 || !self.is_additive(), "gshare_path_bits", path, || {
            "with additive it is 0: there is no gshare".into()
        })
    }

    /// The target buffer, regions, and the chunks in which targets are sent.
    pub(super) fn validate_targets(&self) -> Result<(), ParameterError> {
        power_of_two("target_buffer_sets", self.target_buffer_sets)?;
        for (name, is_on) in [
            ("target_buffer_ages", self.target_buffer_ages),
            ("target_buffer_random_victim", self.target_buffer_random_victim),
            ("target_buffer_skewed", self.target_buffer_skewed),
        ] {
            require(!is_on || self.targets_per_entry == 1, name, is_on, || {
                "only with targets_per_entry = 1".into()
            })?;
        }
        let history = self.target_history_bits;
        require(
            history == 0 || self.targets_per_entry == 1,
            "target_history_bits",
            history,
            || "only with targets_per_entry = 1".into(),
        )?;
        let regions = self.target_regions;
        require(
            regions == 0 || regions > 1 && regions.is_power_of_two(),
            "target_regions",
            regions,
            || "it is 0 or a power of two from 2 on".into(),
        )?;
        let address = self.processor.instruction_address_bits();
        let (first, guard) = (self.address_first_chunk, self.guard_bits);
        require(first >= guard && first < address, "address_first_chunk", first, || {
            format!("from guard_bits = {guard} to {}", address - 1)
        })
    }

    /// Times: the coder's confidences, and what they go with.
    pub(super) fn validate_time(&self) -> Result<(), ParameterError> {
        let is_asynchronous = self.memory_style == MemoryStyle::Asynchronous;
        let Config { time, protocol, port, most_confidence, .. } = self;
        time.validate(*most_confidence, is_asynchronous, port.encoder_registers, protocol)
    }

    /// Confidences: none above the highest one, and that within the coder's range.
    pub(super) fn validate_confidences(&self) -> Result<(), ParameterError> {
        let (most, range) = (self.most_confidence, self.range_bits);
        require(most + 2 <= range, "most_confidence", most, || {
            format!("at most range_bits - 2 = {}", range - 2)
        })?;
        let confidence = |name, value: u32| {
            require((1..=most).contains(&value), name, value, || {
                format!("from 1 to most_confidence = {most}")
            })
        };
        confidence("return_confidence", self.return_confidence)?;
        for (name, List(values)) in [
            ("single_target_confidences", self.single_target_confidences),
            ("recent_target_confidences", self.recent_target_confidences),
            ("choice_confidences", self.choice_confidences),
        ] {
            values
                .iter()
                .try_for_each(|value| confidence(name, i32::from(*value).max(0) as u32))?;
        }
        Ok(())
    }
}
