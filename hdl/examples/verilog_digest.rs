//! Prints a digest of the Verilog of every preset, and of random legal designs of every scheme.
//!
//! A change that must not alter the hardware leaves this list as it was:
//! `cargo run --release -p tracewright-hdl --example verilog_digest > before.txt`.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use sha2::{Digest, Sha256};
use tracewright_sim::preset;
use tracewright_sim::rvfi::{self, Xlen};
use tracewright_sim::scheme::{Design, Scheme};

/// Random designs of each scheme.
const RANDOM_DESIGNS: u64 = 60;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for design in designs()? {
        println!("{} {}", digest(&tracewright_hdl::generate(&design)?), design.name);
        if !design.traces_data() {
            for xlen in [Xlen::Rv32, Xlen::Rv64] {
                let config = rvfi::Config::new(xlen, 1);
                let adapter = tracewright_hdl::generate_rvfi_adapter(&design, &config)?;
                println!("{} {} {xlen:?}", digest(&adapter), design.name);
            }
        }
    }
    for scheme in Scheme::all() {
        for seed in 0..RANDOM_DESIGNS {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let (alignment, address_bits) = ((seed % 3) as u32, [32, 48, 64][seed as usize % 3]);
            let name = format!("{}-random-{seed}", scheme.name());
            let arbitrary = scheme.arbitrary(&mut random, alignment, address_bits);
            let design = Design::new(&name, arbitrary)?;
            println!("{} {}", digest(&tracewright_hdl::generate(&design)?), design.name);
        }
    }
    Ok(())
}

fn designs() -> Result<Vec<Design>, tracewright_sim::scheme::DesignError> {
    preset::all().map(|preset| Design::preset(preset.name)).collect()
}

fn digest(generated: &tracewright_hdl::Generated) -> String {
    let mut hash = Sha256::new();
    for (name, text) in &generated.files {
        hash.update(name);
        hash.update(text);
    }
    format!("{:x}", hash.finalize())
}
