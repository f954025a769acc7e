//! Legal values drawn at random, extremes preferred: what the `arbitrary.rs` of every room draws with.

use rand::Rng;
use rand::seq::IndexedRandom;

use crate::config::{
    EncoderStyle, FramingStyle, Processor, Protocol, ResetStyle, TimeSource, TracePort, WhenFull,
};
use crate::configuration::Configuration;

/// The first configuration drawn that breaks no constraint.
pub fn legal<C: Configuration>(mut draw: impl FnMut() -> C) -> C {
    loop {
        let config = draw();
        if config.validate().is_ok() {
            return config;
        }
    }
}

/// One of these.
pub fn pick<T: Copy>(random: &mut impl Rng, values: &[T]) -> T {
    values.choose(random).copied().unwrap_or(values[0])
}

/// A value from `least` to `most`, the ends as likely as all between.
pub fn between(random: &mut impl Rng, least: u32, most: u32) -> u32 {
    match random.random_range(0..4) {
        0 => least,
        1 => most,
        _ => random.random_range(least..=most),
    }
}

/// Nothing said, or a value from `least` to `most`.
pub fn maybe(random: &mut impl Rng, least: u32, most: u32) -> Option<u32> {
    if random.random() { None } else { Some(between(random, least, most)) }
}

/// A processor of this alignment, with addresses of at least so many bits.
pub fn processor(random: &mut impl Rng, alignment: u32, address_bits: u32) -> Processor {
    Processor {
        alignment,
        address_width: between(random, address_bits, 64),
        retire_count_bits: between(random, 1, 7),
        exact_lengths: false,
        expanded_words: false,
    }
}

/// Packets, often with synchronisations close to each other.
pub fn packets(random: &mut impl Rng) -> Protocol {
    let protocol = Protocol {
        framing: FramingStyle::Packets,
        sync_interval: pick(random, &[None, Some(0), Some(1 << 10), Some(1 << 10), Some(1 << 12)]),
        sync_bytes: pick(random, &[0, 0, 16, 64, 333, 1024]),
        sync_keeps_tables: random.random(),
        when_full: pick(random, &[WhenFull::Stall, WhenFull::Drop]),
        checksum_bits: pick(random, &[0, 8, 16]),
        sequence_bits: pick(random, &[None, None, Some(0), Some(1), Some(5), Some(16)]),
        context_bits: pick(random, &[0, 0, 1, 9, 64]),
        privilege_bits: pick(random, &[0, 0, 1, 2, 3]),
        cause_bits: pick(random, &[0, 0, 1, 8, 64]),
        background_clearing: false,
        enable_pin: random.random(),
        time_bits: pick(random, &[0, 0, 1, 24, 64]),
        time_source: TimeSource::Counter,
        ..Protocol::default()
    };
    let background_clearing = protocol.restarts_tables() && random.random();
    let sources = [TimeSource::Counter, TimeSource::Binary, TimeSource::Gray];
    let time_source = pick(random, &sources[..if protocol.time_bits > 0 { 3 } else { 1 }]);
    let (has_context, has_privilege) = (protocol.context_bits > 0, protocol.privilege_bits > 0);
    let protocol = Protocol { time_source, ..protocol };
    let is_filtered = random.random();
    let protocol = match is_filtered {
        false => protocol,
        true => Protocol {
            filter_ranges: pick(random, &[0, 1, 1, 2, 3, 8]),
            filter_privilege: has_privilege && random.random(),
            filter_context: has_context && random.random(),
            filter_window: random.random(),
            ..protocol
        },
    };
    let background_clearing = background_clearing && protocol.restarts_tables();
    let loss_pins = protocol.drops_blocks() && !protocol.filter_window && random.random();
    Protocol { background_clearing, loss_pins, ..protocol }
}

/// Any way out.
pub fn port(random: &mut impl Rng) -> TracePort {
    TracePort {
        trace_port_width: pick(random, &[1, 1, 2, 3, 4, 5, 7, 8, 9, 16, 24, 32, 33, 63, 64]),
        fifo_bits: pick(random, &[8, 16, 40, 79, 128, 384, 1000]),
        record_queue_depth: between(random, 1, 5),
        encoder: pick(random, &[EncoderStyle::Auto, EncoderStyle::Serial, EncoderStyle::Parallel]),
        encoder_registers: random.random(),
        reset: pick(random, &[ResetStyle::Synchronous, ResetStyle::Asynchronous]),
        ..TracePort::default()
    }
}
