//! E-Trace without packets, whose traps end in what exceptions say beside their cause.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::config::mask;
use tracewright_sim::configuration::Configuration;
use tracewright_sim::decode::field_reader::FieldReader;
use tracewright_sim::e_trace::arbitrary;
use tracewright_sim::e_trace::config::Config;
use tracewright_sim::e_trace::record_reader::{Payload, RecordReader};
use tracewright_sim::encode::bit_packer::{BitPacker, BitUnpacker};
use tracewright_sim::event::{Event, ExecutionState, Kind, Machine};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::parameter::Value;
use tracewright_sim::scheme::{self, Design, Encoder, Scheme};
use tracewright_sim::session::{Detail, Session};

use crate::common::learn;
use crate::streams::{design, synthetic};

/// A configuration that says these values.
fn telling(random: &mut ChaCha8Rng, machine: Machine) -> Config {
    loop {
        let (alignment, bits) = (machine.alignment.into(), machine.address_bits.into());
        let config = arbitrary::config(random, alignment, bits);
        if config.tells_trap_values() {
            return config;
        }
    }
}

/// A value of any length and either sign, wider than the trace has it.
fn value(random: &mut ChaCha8Rng) -> u64 {
    let value = random.random::<u64>() & mask(random.random_range(0..=64));
    if random.random() { value } else { !value }
}

/// Causes and values of the traps in a trace.
fn traps(config: &Config, bytes: &[u8]) -> Vec<(u64, Option<u64>)> {
    let (reader, mut bits) = (RecordReader::new(config), BitUnpacker::new(bytes));
    let mut traps = Vec::new();
    loop {
        let read = reader.payload(&mut FieldReader(&mut bits)).unwrap();
        match read.expect("a payload that an encoder sends").1 {
            Payload::Trap { cause, trap_value, .. } => traps.push((cause, trap_value)),
            Payload::Support { .. } => return traps,
            _ => {}
        }
    }
}

/// The trace, and causes and values of its exceptions.
fn encoded(
    design: &Design,
    config: &Config,
    events: &[Event],
    random: &mut ChaCha8Rng,
) -> (Vec<u8>, Vec<(u64, Option<u64>)>) {
    let (mut encoder, mut bits) = (Encoder::new(design).unwrap(), BitPacker::new());
    let (mut told, cause_bits) = (Vec::new(), config.protocol().cause_bits);
    for event in events {
        encoder.event(event, &mut bits).unwrap();
        if event.kind == Kind::Exception && event.taken {
            let (cause, value) = (random.random::<u64>() & mask(cause_bits), value(random));
            encoder.detail(Detail::TrapValue(value), &mut bits).unwrap();
            let state = ExecutionState { cause: Some(cause), ..ExecutionState::default() };
            encoder.detail(Detail::State(state), &mut bits).unwrap();
            let is_interrupt = cause >> (cause_bits - 1) == 1;
            let value = (!is_interrupt).then_some(value & mask(config.processor.address_width));
            told.push((config.cause(cause), value));
        }
    }
    encoder.flush(&mut bits);
    (bits.finish(), told)
}

#[test]
fn traps_end_in_the_values_of_their_exceptions() {
    let (mut count, mut all, mut interrupts) = (0, 0, 0);
    for seed in 0..600 {
        let (machine, mut events) = synthetic(seed, 300);
        let program = learn(machine, &mut events);
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let config = telling(&mut random, machine);
        let design = design(Scheme::ETrace(config.clone()));
        let stated = design.stated_values_in_files();
        assert!(stated.contains(&("trap_values", Value::Flag(true))), "seed {seed}");
        let (bytes, told) = encoded(&design, &config, &events, &mut random);
        // Where nothing retires at a handler, a second trap has its address.
        let mut found = traps(&config, &bytes);
        found.dedup();
        let mut rest = told.iter();
        for trap in &found {
            assert!(rest.any(|told| told == trap), "seed {seed}: {trap:x?} of {told:x?}");
        }
        count += found.len();
        all += told.len();
        interrupts += found.iter().filter(|(_, value)| value.is_none()).count();
        let mut back = Vec::new();
        scheme::decode(&design, &program, &mut BitUnpacker::new(&bytes[..]), u64::MAX, |event| {
            back.push(event);
            Ok::<(), Box<dyn std::error::Error>>(())
        })
        .unwrap();
        assert!(!back.is_empty(), "seed {seed}");
    }
    assert!(count > 800 && interrupts > 300, "{count} traps, {interrupts} interrupts");
    // Exceptions before the first instruction are not told.
    assert!(20 * count > 19 * all, "{count} of {all} traps");
}

#[test]
fn values_need_traps_with_a_place_and_a_cause() {
    let needed = "it needs enable_pin = true, framing = none and cause_bits of at least 2";
    for (preset, changes, expected) in [
        ("etrace-base", &[][..], needed),
        ("etrace-base", &["enable_pin"][..], needed),
        ("ntrace-btm", &["enable_pin"][..], "the scheme has no place for it in its trace"),
    ] {
        let mut design = Design::preset(preset).unwrap();
        changes.iter().for_each(|name| design.set(name, "true").unwrap());
        design.set("trap_values", "true").unwrap();
        let refused = design.validate().unwrap_err().to_string();
        assert!(refused.contains(expected), "{preset}: {refused}");
    }
}
