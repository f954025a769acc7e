//! Legal configurations drawn at random, extremes preferred, for tests and regressions.

use rand::Rng;

use super::config::Config;
use crate::arbitrary::{between, legal, pick, port, processor};
use crate::config::{Protocol, TimeSource, WhenFull};

/// A legal configuration; the same generator state always gives the same one.
///
/// `alignment` and `address_bits` are those of the machine that will be traced.
pub fn config(random: &mut impl Rng, alignment: u32, address_bits: u32) -> Config {
    let config = legal(|| Config {
        processor: processor(random, alignment, address_bits),
        port: port(random),
        return_stack_entries: pick(random, &[0, 0, 2, 4, 8, 64]),
        trap_cause_bits: between(random, 1, 16),
        jump_target_cache_entries: pick(random, &[0, 0, 2, 4, 64]),
        branch_predictor_entries: pick(random, &[0, 0, 2, 8, 256]),
        branch_count_bits: pick(random, &[2, 3, 4, 16, 24]),
        ..Config::default()
    });
    if config.infers_returns() || config.has_extensions() {
        config
    } else {
        switched(random, config)
    }
}

/// The same, perhaps with pins that switch it and say privilege level, context, cause and time.
fn switched(random: &mut impl Rng, config: Config) -> Config {
    if random.random() {
        return config;
    }
    legal(|| {
        let protocol = Protocol {
            enable_pin: true,
            privilege_bits: pick(random, &[0, 2, 2]),
            context_bits: pick(random, &[0, 0, 1, 16]),
            cause_bits: pick(random, &[0, 2, config.trap_cause_bits + 1]),
            when_full: pick(random, &[WhenFull::Stall, WhenFull::Drop]),
            filter_ranges: pick(random, &[0, 0, 1, 4]),
            filter_window: pick(random, &[false, false, true]),
            ..config.protocol.clone()
        };
        let protocol = Protocol {
            filter_privilege: protocol.privilege_bits > 0 && random.random(),
            filter_context: protocol.context_bits > 0 && random.random(),
            ..protocol
        };
        let resync_max = pick(random, &[0, 1, 2, 3, 8]);
        // Drawn last, so that what is drawn before it stays.
        let time_bits = pick(random, &[0, 0, 1, 24, 64]);
        let sources = [TimeSource::Counter, TimeSource::Binary, TimeSource::Gray];
        let time_source = pick(random, &sources[..if time_bits > 0 { 3 } else { 1 }]);
        let trap_values = protocol.cause_bits > 0 && random.random();
        let source_bits = pick(random, &[0, 0, 8]);
        let source_id = between(random, 0, (1 << source_bits) - 1);
        let protocol =
            Protocol { time_bits, time_source, trap_values, source_bits, source_id, ..protocol };
        Config { protocol, resync_max, ..config.clone() }
    })
}
