//! Legal configurations drawn at random, extremes preferred, for tests and regressions.

use rand::Rng;

use super::config::Config;
use crate::arbitrary::{between, legal, pick, port, processor};
use crate::config::{Protocol, TimeSource, WhenFull};

/// A legal configuration, perhaps with pins that switch it and say privilege level, context and time, and perhaps with exact
/// lengths, which synthetic programs have; the same generator state always gives the same one.
///
/// `alignment` and `address_bits` are those of the machine that will be traced.
pub fn config(random: &mut impl Rng, alignment: u32, address_bits: u32) -> Config {
    let config = legal(|| Config {
        processor: processor(random, alignment, address_bits),
        port: port(random),
        branch_history: pick(random, &[true, true, false]),
        history_bits: between(random, 2, 31),
        count_bits: pick(random, &[8, 8, 14, 20]),
        return_stack_entries: pick(random, &[0, 0, 2, 4, 8, 32]),
        repeat_bits: pick(random, &[0, 0, 1, 2, 6, 16]),
        ..Config::default()
    });
    let mut config = if random.random() { config } else { switched(random, &config) };
    config.processor.exact_lengths = random.random();
    if !config.switches() {
        return config;
    }
    let config = timed(random, config);
    named(random, config)
}

/// The same, perhaps with the time.
fn timed(random: &mut impl Rng, mut config: Config) -> Config {
    let time_bits = pick(random, &[0, 0, 1, 24, 64]);
    let sources = [TimeSource::Counter, TimeSource::Binary, TimeSource::Gray];
    let time_source = pick(random, &sources[..if time_bits > 0 { 3 } else { 1 }]);
    (config.protocol.time_bits, config.protocol.time_source) = (time_bits, time_source);
    config
}

/// The same, perhaps with a source in messages.
fn named(random: &mut impl Rng, mut config: Config) -> Config {
    let source_bits = pick(random, &[0, 0, 6, 12]);
    config.protocol.source_bits = source_bits;
    config.protocol.source_id = between(random, 0, (1 << source_bits) - 1);
    config
}

/// The same with pins that switch it, and perhaps with others that say privilege level and context.
fn switched(random: &mut impl Rng, config: &Config) -> Config {
    legal(|| {
        let protocol = Protocol {
            enable_pin: true,
            privilege_bits: pick(random, &[0, 2, 2]),
            context_bits: pick(random, &[0, 0, 1, 16]),
            when_full: pick(random, &[WhenFull::Stall, WhenFull::Drop]),
            ..config.protocol.clone()
        };
        Config { protocol, ..config.clone() }
    })
}
