//! The golden encoder and decoder of E-Trace against each other, and both against bits written down by hand.

use crate::common::{MACHINE, learn, round_trip};
use crate::streams::{
    cut_traces_are_errors, damaged_traces_end, design, hard_places, presets_give_workloads_back,
    synthetic,
};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use tracewright_sim::e_trace::arbitrary;
use tracewright_sim::scheme::{Design, Scheme};

#[test]
fn every_preset_gives_every_workload_back() {
    presets_give_workloads_back("etrace-");
}

#[test]
fn random_configurations_give_synthetic_programs_back_with_flushes_anywhere() {
    for seed in 0..150 {
        let (machine, mut events) = synthetic(seed, 5_000);
        let program = learn(machine, &mut events);
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        for interval in [events.len(), 1, 97] {
            let (alignment, bits) = (machine.alignment.into(), machine.address_bits.into());
            let config = arbitrary::config(&mut random, alignment, bits);
            let design = design(Scheme::ETrace(config));
            round_trip(&design, &program, &events, interval, &format!("{seed}: {design:?}"));
        }
    }
}

#[test]
fn exceptions_and_flushes_where_they_are_hardest_to_place() {
    let mut events = hard_places();
    let program = learn(MACHINE, &mut events);
    let design = Design::preset("etrace-base").unwrap().for_machine(MACHINE).unwrap();
    for interval in 1..=events.len() {
        round_trip(&design, &program, &events, interval, &format!("every {interval}"));
    }
}

#[test]
fn a_cut_trace_is_an_error() {
    cut_traces_are_errors("etrace-base");
}

#[test]
fn a_damaged_trace_comes_to_an_end() {
    damaged_traces_end("etrace-base");
}
