//! The committed corpus of lists of files and changes, and damaged copies of it, through the check of the fuzz target.

#[path = "../../../fuzz/checks/damage.rs"]
mod damage;
#[path = "../../../fuzz/checks/image_files.rs"]
mod image_files;

use std::path::Path;

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn corpus() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/image_files");
    let files = std::fs::read_dir(folder).expect("the corpus is there");
    let mut corpus: Vec<_> = files
        .map(|file| {
            let path = file.expect("a readable folder").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read(path).expect("a file"))
        })
        .collect();
    corpus.sort();
    corpus
}

#[test]
fn the_corpus_is_alive() {
    for (name, bytes) in corpus() {
        assert!(image_files::check(&bytes) || !name.starts_with("valid-"), "{name} is refused");
    }
}

#[test]
fn damaged_lists_are_refused_or_sound() {
    let corpus = corpus();
    let mut random = ChaCha8Rng::seed_from_u64(0);
    let (mut sound, mut refused) = (0, 0);
    for _ in 0..40_000 {
        let (_, original) = corpus.choose(&mut random).expect("a corpus");
        let (_, other) = corpus.choose(&mut random).expect("a corpus");
        let mut input = original.clone();
        for _ in 0..random.random_range(1..4) {
            damage::damage(&mut random, &mut input, other);
        }
        *if image_files::check(&input) { &mut sound } else { &mut refused } += 1;
    }
    assert!(sound > 0 && refused > 0, "{sound} sound, {refused} refused");
}
