//! The fingerprint of a design: a number by which software sees that a decoder has the parameters of the hardware.

use super::Design;

/// Parameters that change neither the trace's bits nor the control registers.
const WITHOUT_EFFECT: [&str; 7] = [
    "fifo_bits",
    "record_queue_depth",
    "encoder_registers",
    "reset",
    "clock_enable",
    "memories",
    "loss_pins",
];

/// The largest number that is tried for every parameter; above it, powers of two are.
const TRIED: u32 = 128;

impl Design {
    /// CRC-32 of the scheme's name and of all parameters that may change bits of the trace or control registers. A
    /// parameter that is only stated where it is changed does not count where it is not, so new ones do not change the
    /// fingerprint of older hardware.
    pub fn fingerprint(&self) -> u32 {
        let mut text = format!("scheme={}\n", self.scheme.name());
        for (name, value) in self.resolved().stated_values() {
            if !WITHOUT_EFFECT.contains(&name) {
                text += &format!("{name}={value}\n");
            }
        }
        crc32fast::hash(text.as_bytes())
    }

    /// The parameter and the value with which this design has the fingerprint of another one, if one parameter is all
    /// that differs.
    pub fn difference_to(&self, fingerprint: u32) -> Option<(&'static str, String)> {
        let powers = (TRIED.ilog2()..u32::BITS).map(|bits| 1 << bits);
        let numbers: Vec<String> = (0..=TRIED).chain(powers).map(|one| one.to_string()).collect();
        for parameter in self.table() {
            let words = parameter.allowed.split([',', ' ']).filter(|word| !word.is_empty());
            let values = words.map(str::to_owned).chain(numbers.iter().cloned());
            if WITHOUT_EFFECT.contains(&parameter.name) {
                continue;
            }
            for value in values {
                let mut changed = self.clone();
                if changed.set(parameter.name, &value).is_ok()
                    && changed.fingerprint() == fingerprint
                {
                    return Some((parameter.name, value));
                }
            }
        }
        None
    }
}
