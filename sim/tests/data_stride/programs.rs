//! Whole programs under every preset and random configurations, against the decoder.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use tracewright_sim::data_stride::arbitrary;
use tracewright_sim::data_stride::config::Config;
use tracewright_sim::data_stride::encoder::Encoder;
use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::event::Item;
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::preset;
use tracewright_sim::scheme::{Design, Scheme};
use tracewright_sim::synthetic::{Options, Synthetic};

use super::{decode, inline, round_trip, small, synthetic};

#[test]
fn every_preset_gives_data_programs_back() {
    let presets: Vec<Design> = preset::all()
        .map(|preset| Design::preset(preset.name).unwrap())
        .filter(|design| matches!(design.scheme, Scheme::DataStride(_)))
        .collect();
    assert_eq!(presets.len(), 7);
    for seed in 0..6 {
        let (options, items) = synthetic(seed, 3_000);
        let mut bits = Vec::new();
        for preset in &presets {
            let mut design = preset.clone();
            design.set("address_width", &options.machine.address_bits.to_string()).unwrap();
            let design = design.for_machine(options.machine).unwrap();
            let Scheme::DataStride(config) = &design.scheme else { panic!("{}", design.name) };
            let what = format!("{}, seed {seed}", design.name);
            bits.push(round_trip(config, &items, usize::MAX, &what).bits);
        }
        assert!(bits[5] <= bits[0], "more entries, fewer bits: {bits:?}");
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
    for config in [small(), inline(), Config::default()] {
        let mut config = config;
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
}

/// Control flow is not in the trace: it comes back from the execution, and alone it is one flush.
#[test]
fn events_pass_by() {
    let events = Synthetic::new(Options { events: 100, ..Options::from_seed(4) }).unwrap();
    let items: Vec<Item> = events.map(Item::Event).collect();
    let account = round_trip(&Config::default(), &items, usize::MAX, "no access");
    assert_eq!((account.records, account.bits), (1, 1 + 8 + 3));
}
