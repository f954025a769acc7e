//! Whole programs under every preset and random configurations, against the decoder.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::event::Item;
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::scheme::{Design, Scheme};
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_sim::talon_data::config::Config;
use tracewright_sim::talon_data::encoder::Encoder;
use tracewright_sim::talon_data::{arbitrary, presets};
use tracewright_sim::trace_io;

use super::{decode, round_trip, synthetic};

#[test]
fn every_preset_gives_data_programs_back() {
    for seed in 0..6 {
        let (options, items) = synthetic(seed, 3_000);
        for (preset, _) in presets::presets() {
            let mut design = Design::preset(preset.name).unwrap();
            design.set("address_width", &options.machine.address_bits.to_string()).unwrap();
            let design = design.for_machine(options.machine).unwrap();
            let Scheme::TalonData(config) = &design.scheme else { panic!("{}", design.name) };
            round_trip(config, &items, usize::MAX, &format!("{}, seed {seed}", design.name));
        }
    }
}

#[test]
fn random_configurations_give_data_programs_back() {
    for seed in 0..150 {
        let (options, items) = synthetic(seed, 700);
        let machine = options.machine;
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        for interval in [usize::MAX, 1 + seed as usize] {
            let config = arbitrary::config(
                &mut random,
                machine.alignment.into(),
                machine.address_bits.into(),
            );
            round_trip(&config, &items, interval, &format!("seed {seed}, {config:?}"));
        }
    }
}

/// A trace may be flushed after any access and go on; so may one that has not begun.
#[test]
fn flushes_anywhere_lose_nothing() {
    let (_, items) = synthetic(1, 40);
    let mut config = Config::default();
    config.processor.address_width = 64;
    for interval in 1..30 {
        round_trip(&config, &items, interval, &format!("every {interval}"));
    }
    let mut encoder = Encoder::new(&config).unwrap();
    let mut packer = BitPacker::new();
    encoder.flush(&mut packer);
    encoder.flush(&mut packer);
    let (back, summary) = decode(&config, &[], &packer.finish()).unwrap();
    assert_eq!((back.len(), summary.records), (0, 2));
}

/// Control flow is not in the trace: it comes back from the execution, and alone it is one flush.
#[test]
fn events_pass_by() {
    let events = Synthetic::new(Options { events: 100, ..Options::from_seed(4) }).unwrap();
    let items: Vec<Item> = events.map(Item::Event).collect();
    let account = round_trip(&Config::default(), &items, usize::MAX, "no access");
    assert_eq!(account.records, 1);
}

/// A trace that is part of the project, in bits: what is sent, and when, is the format.
#[test]
fn bits_of_a_workload() {
    let path = format!("{}/../workloads/rv32-synthetic-data.pet.zst", env!("CARGO_MANIFEST_DIR"));
    let reader = trace_io::open(std::path::Path::new(&path)).unwrap();
    let mut config = Config::default();
    config.processor.alignment = reader.machine().alignment.into();
    let items: Vec<Item> = reader.items().collect::<Result<_, _>>().unwrap();
    let bits = round_trip(&config, &items, usize::MAX, "the workload").bits;
    assert_eq!(bits, 831_134);
}
