//! The committed fuzz corpus, and damaged copies of it, through the checks of the fuzz targets.

#[path = "../../fuzz/checks/mod.rs"]
mod checks;
#[path = "../../fuzz/checks/damage.rs"]
mod damage;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use checks::packets::Decoded;
use checks::seeds::{GappedSeed, Seed, gapped, seeds};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::event::Event;

use crate::common::is_long;

/// What a target's check gives: the events, or nothing for an input that is refused.
type Check = fn(&[u8]) -> Option<Vec<Event>>;

/// Targets, with the damaged inputs to try: about a second each. Without `LONG_TESTS` it is one in six of them.
const TARGETS: [(&str, Check, u32); 4] = [
    ("decode_trace", checks::decode_trace::check, 60_000),
    ("packets", checks::packets::check, 20_000),
    ("bits_file", checks::bits_file::check, 30_000),
    ("trace_file", checks::trace_file::check, 4_000),
];

fn folder(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus").join(target)
}

fn corpus(target: &str) -> Vec<(String, Vec<u8>)> {
    let files = std::fs::read_dir(folder(target)).expect("the corpus is there");
    let mut corpus: Vec<_> = files
        .map(|file| {
            let path = file.expect("a readable folder").path();
            (
                path.file_name().expect("a name").to_string_lossy().into_owned(),
                std::fs::read(path).expect("a file"),
            )
        })
        .collect();
    corpus.sort();
    corpus
}

#[test]
fn valid_inputs_come_back_exactly() {
    for Seed { target, name, bytes, events } in seeds() {
        let (_, check, _) = TARGETS.iter().find(|(known, ..)| *known == target).unwrap();
        let back = check(&bytes).unwrap_or_else(|| panic!("{target}/{name} is refused"));
        let differs = back.iter().zip(&events).find(|(back, event)| back != event);
        assert_eq!((differs, back.len()), (None, events.len()), "{target}/{name}");
    }
}

#[test]
fn valid_traces_with_gaps_come_back_but_for_the_gaps() {
    for GappedSeed { name, bytes, parts } in gapped() {
        let decoded = checks::packets::decoded(&bytes).expect("a design with packets");
        // After a reset the checksum of the end before is unknown, so that end is damaged where there are checksums.
        let reasons: Vec<_> = decoded
            .gaps
            .iter()
            .map(|gap| gap.reason.name())
            .filter(|reason| *reason != "damaged")
            .collect();
        assert_eq!(reasons, ["lost", "reset"], "{name}");
        let decoded: Vec<_> = decoded.parts.into_iter().filter(|part| !part.is_empty()).collect();
        assert_eq!(decoded, parts, "{name}");
    }
}

/// Damage to the corpus reaches every gap but two: no input of the fuzzer is as long as a packet that is too long, and
/// no program changes its code.
#[test]
fn damage_reaches_every_gap() {
    let corpus = corpus("packets");
    let mut random = ChaCha8Rng::seed_from_u64(0);
    let mut reached = BTreeMap::new();
    for _ in 0..10_000 {
        let (_, original) = corpus.choose(&mut random).expect("a corpus");
        let (_, other) = corpus.choose(&mut random).expect("a corpus");
        let mut input = original.clone();
        damage::damage(&mut random, &mut input, other);
        let Some(Decoded { parts, gaps, .. }) = checks::packets::decoded(&input) else { continue };
        // A gap after which the execution goes on is more than a refused trace.
        for (gap, after) in gaps.iter().zip(&parts[1..]) {
            let (all, followed) = reached.entry(gap.reason.name()).or_insert((0, 0));
            *all += 1;
            *followed += u32::from(!after.is_empty());
        }
    }
    let often = |reason: &str| reached.get(reason).copied().unwrap_or_default();
    for reason in ["beginning", "damaged", "lost", "reset", "tables-unknown"] {
        assert!(often(reason).0 > 20, "{reason}: {reached:?}");
    }
    for reason in ["beginning", "damaged", "lost", "reset"] {
        assert!(often(reason).1 > 20, "{reason}: {reached:?}");
    }
    for reason in ["cut-off", "no-packet"] {
        assert!(often(reason).0 > 0, "{reason}: {reached:?}");
    }
}

/// A file of the corpus whose format has changed would no longer lead anywhere.
#[test]
fn the_corpus_is_alive() {
    for (target, check, _) in TARGETS {
        for (name, bytes) in corpus(target) {
            let decoded = check(&bytes);
            assert!(decoded.is_some() || !name.starts_with("valid-"), "{target}/{name} is refused");
        }
    }
}

#[test]
fn damaged_inputs_are_refused_or_sound() {
    for (target, check, count) in TARGETS {
        let corpus = corpus(target);
        let mut random = ChaCha8Rng::seed_from_u64(0);
        let (mut sound, mut refused) = (0, 0);
        for _ in 0..if is_long() { count } else { count / 6 } {
            let (_, original) = corpus.choose(&mut random).expect("a corpus");
            let (_, other) = corpus.choose(&mut random).expect("a corpus");
            let mut input = original.clone();
            for _ in 0..random.random_range(1..4) {
                damage::damage(&mut random, &mut input, other);
            }
            *if check(&input).is_some() { &mut sound } else { &mut refused } += 1;
        }
        // Neither side may be a dead end.
        assert!(sound > 0 && refused > 0, "{target}: {sound} sound, {refused} refused");
    }
}

/// Writes the valid inputs anew: `cargo test -p tracewright-sim --test suite write_the_corpus -- --ignored`.
#[test]
#[ignore = "writes into fuzz/corpus"]
fn write_the_corpus() {
    let whole = seeds().into_iter().map(|seed| (seed.target, seed.name, seed.bytes));
    let gapped = gapped().into_iter().map(|seed| ("packets", seed.name, seed.bytes));
    for (target, name, bytes) in whole.chain(gapped) {
        let folder = folder(target);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(name), bytes).unwrap();
    }
}
