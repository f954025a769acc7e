//! The house's rules: every block has its twin, kernels have one form, storage is as stated.

use std::path::{Path, PathBuf};

use tracewright_hdl::generate;
use tracewright_sim::scheme::Design;

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { sources(&path, found) } else { found.push(path) }
    }
}

fn hdl_sources() -> Vec<PathBuf> {
    let mut found = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    found.sort();
    assert!(found.len() > 10);
    found
}

/// The blocks that only the hardware has: they say when things happen, and the golden model has no time.
const HARDWARE_ONLY: [&str; 18] = [
    "parts/block_stage.rs",
    "parts/lane_queue.rs",
    "parts/mod.rs",
    "parts/ports.rs",
    "parts/predictor_table.rs",
    "parts/retire_buffer.rs",
    "parts/retire_decoder.rs",
    "parts/retire_register.rs",
    "parts/sequencer.rs",
    "parts/shedder.rs",
    "parts/skid_buffer.rs",
    "parts/stage.rs",
    "parts/state_tracker.rs",
    "parts/stream_stage.rs",
    "parts/synchroniser/kernel.rs",
    "parts/synchroniser.rs",
    "parts/time_keeper.rs",
    "parts/word_register.rs",
];

#[test]
fn the_hardware_only_parts_are_listed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    sources(&root.join("parts"), &mut found);
    found.sort();
    let found: Vec<_> = found
        .iter()
        .map(|path| path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned())
        .collect();
    assert_eq!(found, HARDWARE_ONLY);
}

/// Blocks whose model is a part of another file: what a filter leaves is followed by the model of every session.
const MODEL_ELSEWHERE: [(&str, &str); 1] = [("qualifier.rs", "session/course.rs")];

/// `hdl/src/X.rs` is the hardware of `sim/src/X.rs`, together with the parts of it in a folder `X`; only
/// the wiring, `top.rs`, `top` and `unit`, what blocks become, `generated.rs`, and the parts listed above have no twin.
#[test]
fn every_block_has_its_twin() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for source in hdl_sources() {
        let name = source.strip_prefix(root.join("src")).unwrap();
        let elsewhere = MODEL_ELSEWHERE.iter().find(|(block, _)| Path::new(block) == name);
        let twin =
            root.join("../sim/src").join(elsewhere.map_or(name, |(_, model)| Path::new(model)));
        let whole = twin.parent().unwrap().with_extension("rs");
        let is_part = source.parent().unwrap().with_extension("rs").exists() && whole.exists();
        let is_wiring = name.starts_with("top")
            || name.starts_with("unit")
            || name.file_name().is_some_and(|file| file == "top.rs");
        let is_listed = HARDWARE_ONLY.iter().any(|listed| Path::new(listed) == name)
            || name == Path::new("generated.rs");
        assert!(
            is_wiring || is_part || is_listed || twin.exists(),
            "{} has no twin {}",
            name.display(),
            twin.display()
        );
    }
}

/// Every kernel names signals as the model does, under the attribute `kernel`.
#[test]
fn every_kernel_has_the_form_of_the_model() {
    let mut kernels = 0;
    for source in hdl_sources() {
        let text = std::fs::read_to_string(&source).unwrap();
        let (behaviours, marked) =
            (text.matches("impl Logic for ").count(), text.matches("#[kernel]").count());
        assert!(!text.contains("hdl_gen"), "{}: RustHDL's own form", source.display());
        assert_eq!(behaviours, marked, "{}: a block without `#[kernel]`", source.display());
        kernels += marked;
    }
    assert!(kernels > 90, "{kernels} kernels");
}

/// The storage by instance adds up, and cores are counted together.
#[test]
fn storage_by_instance() {
    let bits_in = |name: &str, instance: &str| {
        let generated = generate(&Design::preset(name).unwrap()).unwrap();
        let total: usize = generated.storage.iter().map(|stored| stored.bits).sum();
        assert_eq!(total, generated.storage_bits, "{name}");
        let found = generated.storage.iter().find(|stored| stored.instance == instance);
        found.unwrap_or_else(|| panic!("{instance} in {:?}", generated.storage)).bits
    };
    assert_eq!(bits_in("traptor-m4", "encoder.gshare.counters.memory"), 512 * 2);
    assert_eq!(bits_in("mctraptor-small-n2", "encoders.gshare.counters.memory"), 2 * 512 * 2);
    // Entries of 5 bytes, as in paper B.
    assert_eq!(bits_in("stride-1024", "encoder.cache"), 1024 * 5 * 8);
    // 255 tuples of 8 indices of 7 bits, and the bits that say which of them are there.
    assert_eq!(bits_in("ntuple-32x4", "encoder.controller.history"), 255 * (8 * 7 + 1));
}

/// Memories are a part of the storage: tables, queues and the output buffer.
#[test]
fn memories_are_counted() {
    let generated = generate(&Design::preset("stream-base-128").unwrap()).unwrap();
    let (cache, predictor) = (128 * (30 - 5 + 8) + 32 * 6, 128 * 7);
    assert!(generated.memory_bits > cache + predictor, "{}", generated.memory_bits);
    assert!(generated.memory_bits < generated.storage_bits, "{}", generated.memory_bits);
}
