//! The committed fuzz corpus, and damaged copies of it, through the checks of the fuzz targets.

#[path = "../../fuzz/checks/mod.rs"]
mod checks;
#[path = "../../fuzz/checks/damage.rs"]
mod damage;

use std::path::{Path, PathBuf};

use checks::seeds::{Seed, seeds};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::event::Event;

/// What a target's check gives: the events, or nothing for an input that is refused.
type Check = fn(&[u8]) -> Option<Vec<Event>>;

/// Targets, with the damaged inputs to try: about a second each.
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
                damage::damage(&mut random, &mut input, other);
            }
            *if check(&input).is_some() { &mut sound } else { &mut refused } += 1;
        }
        // Neither side may be a dead end.
        assert!(sound > 0 && refused > 0, "{target}: {sound} sound, {refused} refused");
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
