//! Talon's golden encoder and decoder against each other, its streams against an independent implementation's, and
//! damaged traces.

mod targets;
mod tick;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::decode::error::DecodeError;
use tracewright_sim::decode::record_decoder::PartDecoder;
use tracewright_sim::decode::summary::Summary;
use tracewright_sim::encode::bit_packer::{BitPacker, BitUnpacker};
use tracewright_sim::event::{Event, Machine};
use tracewright_sim::field::Account;
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::program::Program;
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_sim::talon::config::Config;
use tracewright_sim::talon::decoder::Decoder;
use tracewright_sim::talon::encoder::Encoder;
use tracewright_sim::talon::gshare::Gshare;
use tracewright_sim::talon::{arbitrary, presets};

use crate::common::additive_reference::additive_configurations;
use crate::common::talon_reference::{ReferenceEncoder, configurations};
use crate::common::{described, is_measured, learn, workload};

const WORKLOADS: [&str; 7] = [
    "arm-adpcm_c",
    "arm-stringsearch",
    "arm-tiff2bw",
    "arm-fft-head",
    "rv64-djpeg",
    "rv64-stringsearch",
    "rv32imac-traps",
];

fn encode(config: &Config, events: &[Event]) -> (Vec<u8>, Account) {
    let mut encoder = Encoder::new(config).unwrap();
    let mut sinks = (BitPacker::new(), Account::default());
    for event in events {
        encoder.event(event, &mut sinks).unwrap();
    }
    encoder.flush(&mut sinks);
    (sinks.0.finish(), sinks.1)
}

fn decode(
    config: &Config,
    program: &Program,
    bytes: &[u8],
    most_instructions: u64,
) -> Result<(Vec<Event>, Summary), DecodeError> {
    let mut events = Vec::new();
    let mut bits = BitUnpacker::new(bytes);
    let decoder = Decoder::new(config, program).unwrap();
    let take = |event| {
        events.push(event);
        Ok::<(), DecodeError>(())
    };
    let summary = decoder.limit(most_instructions).decode(&mut bits, take, |_| Ok(()))?;
    Ok((events, summary))
}

#[track_caller]
fn round_trip(config: &Config, program: &Program, events: &[Event], what: &str) -> Account {
    let (bytes, account) = encode(config, events);
    let (back, summary) =
        decode(config, program, &bytes, u64::MAX).unwrap_or_else(|error| panic!("{what}: {error}"));
    let differs = |at: &usize| back.get(*at).map(described) != Some(described(&events[*at]));
    if let Some(at) = (0..events.len()).find(differs) {
        let found = back.get(at).map(ToString::to_string);
        panic!("{what}: event {at} is {found:?}, not {}", events[at]);
    }
    assert_eq!(back.len(), events.len(), "{what}");
    assert_eq!(summary.records, account.records, "{what}");
    account
}

fn for_machine(mut config: Config, machine: Machine) -> Config {
    config.processor.alignment = machine.alignment.into();
    config.processor.address_width = machine.address_bits.into();
    config
}

#[test]
fn every_preset_gives_every_workload_back() {
    for name in WORKLOADS {
        let (machine, mut events) = workload(name, 300_000);
        let program = learn(machine, &mut events);
        for (preset, config) in presets::presets() {
            let config = for_machine(config, machine);
            round_trip(&config, &program, &events, &format!("{} on {name}", preset.name));
        }
    }
}

#[test]
fn random_configurations_give_synthetic_programs_back() {
    for seed in 0..200 {
        let options = Options { events: 5_000, exceptions: true, ..Options::from_seed(seed) };
        let mut synthetic = Synthetic::new(options).unwrap();
        let machine = synthetic.machine();
        let mut events: Vec<Event> = synthetic.by_ref().filter(|event| event.thread == 0).collect();
        let program = learn(machine, &mut events);
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        for _ in 0..2 {
            let (alignment, bits) = (machine.alignment.into(), machine.address_bits.into());
            let config = arbitrary::config(&mut random, alignment, bits);
            round_trip(&config, &program, &events, &format!("seed {seed}, {config:?}"));
        }
    }
}

/// Length in bytes and the beginning of the SHA-256 of each trace's streams, in the order of the configurations.
const STREAMS: [(&str, [(usize, &str); 5]); 5] = [
    (
        "arm-adpcm_c",
        [
            (1_869, "d5e8f4dd4932"),
            (1_740, "48b1a5f8286f"),
            (1_407, "d47d363365f8"),
            (1_428, "43ca43989c0e"),
            (470, "fcaf365d3bc9"),
        ],
    ),
    (
        "arm-stringsearch",
        [
            (31_663, "c2d286a1be3b"),
            (23_884, "3d5780d9c9b0"),
            (23_186, "08b1ac3654dd"),
            (22_316, "ee9d0a3b3a6e"),
            (20_784, "442f2dba9977"),
        ],
    ),
    (
        "arm-tiff2bw",
        [
            (12_724, "7e113f44bc76"),
            (13_071, "d214629fa3a8"),
            (12_823, "25e20bb2dc0c"),
            (12_491, "8233a0b545f1"),
            (13_082, "0a727bf6d18d"),
        ],
    ),
    (
        "rv64-djpeg",
        [
            (35_760, "9f8b471014c0"),
            (31_761, "cc7e21a20705"),
            (29_143, "6cb84704a9d1"),
            (28_065, "ac2c8a27c5fa"),
            (23_776, "4a1322bfc9d1"),
        ],
    ),
    (
        "rv64-stringsearch",
        [
            (35_673, "ecc54d8be85d"),
            (26_730, "aca100bf891d"),
            (24_801, "b6cc4f6e7895"),
            (22_455, "1f847baed69f"),
            (19_434, "80ad03c8871a"),
        ],
    ),
];

/// Streams of another implementation, in another language, by their bytes and the beginning of their SHA-256.
///
/// They have no escapes, so they show the predictors, the scores and the coder, not the whole format.
#[test]
fn streams_are_those_of_an_independent_implementation() {
    let (mut finished_bits, mut reference_bits) = (0, 0);
    for (name, streams) in STREAMS {
        let (machine, mut events) = workload(name, usize::MAX);
        learn(machine, &mut events);
        for ((design, config), (bytes, digest)) in configurations().into_iter().zip(streams) {
            let config = for_machine(config, machine);
            let mut reference = ReferenceEncoder::new(&config);
            events.iter().for_each(|event| reference.event(event));
            assert_eq!(reference.finish(), (bytes, digest.to_owned()), "{design} on {name}");
            finished_bits += encode(&config, &events).1.bits;
            reference_bits += 8 * bytes as u64;
        }
    }
    let ratio = finished_bits as f64 / reference_bits as f64;
    assert!(
        ratio < 1.025,
        "the format takes {ratio:.4} times the bits of the streams without escapes"
    );
}

/// Bytes and FNV-1a of the streams of each configuration of additive prediction.
type AdditiveStreams = [(usize, u64); 2];

const ADDITIVE_STREAMS: [(&str, AdditiveStreams); 5] = [
    ("arm-adpcm_c", [(1_401, 0x47c2_5210_1dc5_a469), (1_396, 0x7f6f_7740_907e_9ce2)]),
    ("arm-stringsearch", [(17_160, 0xc728_6b23_e437_a52d), (15_133, 0x1c80_208a_2deb_37c4)]),
    ("arm-tiff2bw", [(8_370, 0xdcdf_ef6f_380b_5327), (8_270, 0x22c9_9323_7166_39c3)]),
    ("rv64-djpeg", [(26_538, 0x7590_889e_07d7_b1b2), (24_696, 0xc951_fdc9_53cb_c3ff)]),
    ("rv64-stringsearch", [(22_315, 0xd0e8_8098_5dd6_2e70), (20_217, 0x7e64_00c3_d57a_63ef)]),
];

#[test]
fn additive_streams_are_those_of_an_independent_implementation() {
    for (name, streams) in ADDITIVE_STREAMS {
        let (machine, mut events) = workload(name, usize::MAX);
        learn(machine, &mut events);
        for ((design, config), stream) in additive_configurations().into_iter().zip(streams) {
            // The other implementation has addresses of 32 bits.
            let config = for_machine(config, Machine { address_bits: 32, ..machine });
            let mut reference = ReferenceEncoder::of_additive(&config);
            events.iter().for_each(|event| reference.event(event));
            assert_eq!(reference.flush(), stream, "{design} on {name}");
        }
    }
}

/// The presets have left the other implementation's configurations after, for fewer bits.
#[test]
fn presets_take_fewer_bits_than_the_configurations_of_the_streams() {
    let presets = presets::presets();
    for (name, config) in configurations() {
        let Some((_, preset)) = presets.iter().find(|(preset, _)| preset.name == name) else {
            continue;
        };
        let (mut before, mut now) = (0, 0);
        for (trace, _) in STREAMS.into_iter().filter(|(trace, _)| is_measured(trace)) {
            let (machine, mut events) = workload(trace, usize::MAX);
            learn(machine, &mut events);
            before += encode(&for_machine(config.clone(), machine), &events).1.bits;
            now += encode(&for_machine(preset.clone(), machine), &events).1.bits;
        }
        assert!(now < before, "{name}: {now} bits, not fewer than {before}");
    }
}

/// The folded history, kept bit by bit, is the history's pieces of an index's size together.
#[test]
fn gshare_folds_every_length_of_history() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for index_bits in 2..=10 {
        for history_bits in 2..=32 {
            let config = Config {
                gshare_entries: 1 << index_bits,
                gshare_history_bits: history_bits,
                ..Config::default()
            };
            let mut gshare = Gshare::new(&config);
            for _ in 0..100 {
                gshare.update_history(0, random.random());
                let pieces = (0..history_bits).step_by(index_bits);
                let folded = pieces.fold(0, |folded, piece| folded ^ gshare.history() >> piece);
                // Address and path are zero.
                assert_eq!(gshare.index(0) as u64, folded & ((1 << index_bits) - 1), "{config:?}");
            }
        }
    }
}

/// Damage gives an error, or an execution of the program that ends.
#[test]
fn damaged_traces_end() {
    let (machine, mut events) = workload("rv64-stringsearch", 20_000);
    let program = learn(machine, &mut events);
    let instructions: u64 = events.iter().map(|event| event.instructions).sum();
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut refused = 0;
    for (_, config) in presets::presets() {
        let config = for_machine(config, machine);
        let (bytes, _) = encode(&config, &events);
        for _ in 0..100 {
            let mut damaged = bytes.clone();
            for _ in 0..random.random_range(1..4) {
                let at = random.random_range(0..damaged.len());
                damaged[at] ^= 1 << random.random_range(0..8);
            }
            damaged.truncate(random.random_range(damaged.len() / 2..=damaged.len()));
            match decode(&config, &program, &damaged, 2 * instructions) {
                Ok((events, _)) => assert!(events.len() as u64 <= 2 * instructions),
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > 500, "{refused} of 600 damaged traces were refused");
}
