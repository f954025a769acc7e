//! The house's rules: every block has its twin, kernels use no inclusive ranges, storage is as stated.

use std::path::{Path, PathBuf};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use tracewright_elaborate::check_kernel_source;
use tracewright_hdl::{Storage, generate};
use tracewright_sim::preset;
use tracewright_sim::scheme::{Design, Scheme};

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
const HARDWARE_ONLY: [&str; 7] = [
    "parts/mod.rs",
    "parts/ports.rs",
    "parts/predictor_table.rs",
    "parts/retire_decoder.rs",
    "parts/sequencer.rs",
    "parts/stage.rs",
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

/// `hdl/src/X.rs` is the hardware of `sim/src/X.rs`, together with the parts of it in a folder `X`; only
/// the wiring, `top.rs`, and the parts listed above have no twin.
#[test]
fn every_block_has_its_twin() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for source in hdl_sources() {
        let name = source.strip_prefix(root.join("src")).unwrap();
        let twin = root.join("../sim/src").join(name);
        let whole = twin.parent().unwrap().with_extension("rs");
        let is_part = source.parent().unwrap().with_extension("rs").exists() && whole.exists();
        let is_wiring = name.file_name().is_some_and(|file| file == "top.rs");
        let is_listed = HARDWARE_ONLY.iter().any(|listed| Path::new(listed) == name);
        assert!(
            is_wiring || is_part || is_listed || twin.exists(),
            "{} has no twin {}",
            name.display(),
            twin.display()
        );
    }
}

#[test]
fn no_kernel_has_an_inclusive_range() {
    for source in hdl_sources() {
        let text = std::fs::read_to_string(&source).unwrap();
        check_kernel_source(&text, &source.display().to_string()).unwrap();
    }
}

/// What the inventories call the parts that are memories; the other parts are registers.
const MEMORIES: [&str; 12] = [
    "gshare",
    "return_address_stack",
    "indirect_branch_target_buffer",
    "stream_cache",
    "last_stream_predictor",
    "stream_buffer",
    "data_address_stride_cache",
    "data_address_buffer",
    "serial_difference",
    "record_queue",
    "order_queue",
    "output_fifo",
];

/// The tables, the queues and the buffer have as many bits as the golden model's inventory says.
#[test]
fn memories_have_the_stated_bits() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut designs: Vec<Design> =
        preset::all().map(|preset| Design::preset(preset.name).unwrap()).collect();
    for scheme in Scheme::all() {
        for at in 0..40 {
            let drawn = scheme.arbitrary(&mut random, at % 3, 32 + 32 * (at % 2));
            designs.push(Design::new(&format!("random-{at}"), drawn).unwrap());
        }
    }
    for design in designs {
        let storage = design.storage();
        let stated: u32 =
            storage.iter().filter(|(name, _)| MEMORIES.contains(name)).map(|(_, bits)| bits).sum();
        let generated = generate(&design).unwrap();
        assert_eq!(generated.memory_bits, stated as usize, "{design:?}");
    }
}

/// The storage by instance adds up, and cores are counted together.
#[test]
fn storage_by_instance() {
    let gshare = |name| {
        let generated = generate(&Design::preset(name).unwrap()).unwrap();
        let total: usize = generated.storage.iter().map(|stored| stored.bits).sum();
        assert_eq!(total, generated.storage_bits, "{name}");
        let counters = |stored: &&Storage| stored.instance.ends_with(".gshare.counters.memory");
        generated.storage.iter().find(counters).map(|stored| stored.bits)
    };
    assert_eq!(gshare("traptor-m4"), Some(512 * 2));
    assert_eq!(gshare("mctraptor-small-n2"), Some(2 * 512 * 2));
}
