//! The committed fuzz corpus, and damaged copies of it, through the checks of the fuzz targets.

#[path = "../../fuzz/checks/mod.rs"]
mod checks;

use std::path::{Path, PathBuf};

use checks::seeds::{Seed, seeds};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::event::Event;

/// What a target's check gives: the events, or nothing for an input that is refused.
type Check = fn(&[u8]) -> Option<Vec<Event>>;

/// Targets, with the damaged inputs to try: about a second each.
const TARGETS: [(&str, Check, u32); 3] = [
    ("decode_trace", checks::decode_trace::check, 60_000),
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
        for _ in 0..count {
            let (_, original) = corpus.choose(&mut random).expect("a corpus");
            let (_, other) = corpus.choose(&mut random).expect("a corpus");
            let mut input = original.clone();
            for _ in 0..random.random_range(1..4) {
                damage(&mut random, &mut input, other);
            }
            *if check(&input).is_some() { &mut sound } else { &mut refused } += 1;
        }
        // Neither side may be a dead end.
        assert!(sound > 0 && refused > 0, "{target}: {sound} sound, {refused} refused");
    }
}

/// A bit turned, a byte replaced, a piece cut out, doubled or taken from elsewhere, the end cut off.
fn damage(random: &mut impl Rng, input: &mut Vec<u8>, other: &[u8]) {
    if input.is_empty() {
        return input.extend_from_slice(other);
    }
    let at = random.random_range(0..input.len());
    let end = (at + random.random_range(1..32)).min(input.len());
    match random.random_range(0..7) {
        0 | 1 => input[at] ^= 1 << random.random_range(0..8),
        2 => input[at] = random.random(),
        3 => drop(input.drain(at..end)),
        4 => input.extend_from_within(at..end),
        5 => {
            let from = random.random_range(0..=other.len());
            let piece = other[from..].iter().take(random.random_range(0..64)).copied();
            drop(input.splice(at..end, piece));
        }
        _ => input.truncate(at),
    }
}

/// Writes the valid inputs anew: `cargo test -p tracewright-sim --test fuzz_corpus -- --ignored`.
#[test]
#[ignore = "writes into fuzz/corpus"]
fn write_the_corpus() {
    for Seed { target, name, bytes, .. } in seeds() {
        let folder = folder(target);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(name), bytes).unwrap();
    }
}
