//! Verilator, Icarus Verilog and Yosys have nothing to say about any design, without a waiver. In every other design
//! each module has a file of its own, and in the others one file has all of them. Every fifth preset is checked, and in
//! `make long-tests` each.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::sample;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use tracewright_sim::arbitrary;
use tracewright_sim::parameter::Parameters;
use tracewright_sim::preset;
use tracewright_sim::scheme::{Design, Scheme};
use tracewright_testbench::VerilogFile;
use tracewright_testbench::lint::lint;

/// A random design with packets; `None` if the one drawn cannot have packets.
fn packets(scheme: &Scheme, seed: u64) -> Option<Design> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let drawn = scheme.arbitrary(&mut random, seed as u32 % 3, 32 + 32 * (seed as u32 % 2));
    let mut design = Design::new(&format!("packets-{}-{seed}", scheme.name()), drawn).unwrap();
    for (name, value) in arbitrary::packets(&mut random).values() {
        design.set(name, &value.to_string()).unwrap();
    }
    let design = in_style(design, seed as u32);
    design.validate().is_ok().then_some(design)
}

/// A clock enable, memories in modules of their own, both or none, and tuples in one memory or in several.
fn in_style(mut design: Design, number: u32) -> Design {
    design.set("clock_enable", if number & 1 != 0 { "true" } else { "false" }).unwrap();
    design.set("memories", if number & 2 != 0 { "wrappers" } else { "inferred" }).unwrap();
    if matches!(design.scheme, Scheme::Ntuple(_)) && number < 3 {
        design.set("tuple_search", "sequential").unwrap();
        design.set("tuples_per_cycle", ["1", "3", "32"][number as usize]).unwrap();
    }
    design
}

#[test]
fn three_tools_are_silent_about_every_design() {
    let mut random = ChaCha8Rng::seed_from_u64(20);
    let mut designs: Vec<Design> =
        sample(5, preset::all()).map(|preset| Design::preset(preset.name).unwrap()).collect();
    let mut timed = Design::preset("talon-m").unwrap();
    timed.set("time_mode", "exact").unwrap();
    designs.push(timed);
    for (number, scheme) in (0..).zip(Scheme::all()) {
        // One with packets and one without, of another style each.
        let styles = |first: u32| sample(2, [first, 1 - first]);
        designs.extend(styles(number % 2).map(|at| {
            let drawn = scheme.arbitrary(&mut random, at % 3, 32 + 32 * (at % 2));
            in_style(Design::new(&format!("random-{}-{at}", scheme.name()), drawn).unwrap(), at)
        }));
        let with_packets = styles((number + 1) % 2);
        designs.extend(with_packets.filter_map(|at| packets(&scheme, at.into())));
    }
    let next = AtomicUsize::new(0);
    let findings = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(design) = designs.get(number) else { break };
                    let generated = tracewright_hdl::generate(design).unwrap();
                    let files: Vec<VerilogFile> = generated
                        .files
                        .iter()
                        .map(|(name, text)| VerilogFile::new(name, text))
                        .collect();
                    let (name, text) = generated.one_file();
                    let whole = vec![VerilogFile::new(name, text)];
                    let files = if number.is_multiple_of(2) { files } else { whole };
                    for finding in lint(&files, &generated.top).unwrap() {
                        findings
                            .lock()
                            .unwrap()
                            .push(format!("{}: {finding}\n{:?}", design.name, design.scheme));
                    }
                }
            });
        }
    });
    let findings = findings.into_inner().unwrap();
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}
