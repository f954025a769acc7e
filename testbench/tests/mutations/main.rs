//! Do the tests notice? One small fault at a time is put into generated Verilog; co-simulation has
//! to find every one of them. `make mutations` runs this alone and prints the table.

mod faults;
#[path = "../straight_runs/mod.rs"]
mod straight_runs;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use faults::{FAULTS, Fault};
use tracewright_hdl::Generated;
use tracewright_sim::event::{Event, Isa, Machine};
use tracewright_sim::scheme::{Design, Encoder};
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_testbench::cosim::{self, Report};
use tracewright_testbench::design::source;
use tracewright_testbench::stimulus::{Pace, Ready, Stimulus};
use tracewright_testbench::{BuildOptions, Cache};

const MACHINE: Machine = Machine { isa: Isa::RiscV, alignment: 1, address_bits: 32 };

/// traptor-m4 with counters so small that they overflow and a buffer so small that it fills up.
fn design() -> Design {
    let mut design = Design::preset("traptor-m4").unwrap().for_machine(MACHINE).unwrap();
    for (name, value) in [
        ("branch_count_bits", "5"),
        ("instruction_count_bits", "9"),
        ("retire_count_bits", "8"),
        ("outcome_bit_for_jumps", "true"),
    ] {
        design.set(name, value).unwrap();
    }
    design
}

fn events(seed: u64) -> Vec<Event> {
    let options = Options {
        machine: MACHINE,
        events: 12_000,
        functions: 24,
        predicated: true,
        exceptions: true,
        branch_every_instruction: false,
        predictability: 92,
        code_base: 0x000f_0000,
        code_span: 1 << 21,
        ..Options::from_seed(seed)
    };
    Synthetic::new(options).unwrap().collect()
}

/// Runs a design's Verilog on two programs, each with its own kind of back-pressure.
fn simulate(generated: &Generated, cache: &Cache, programs: &[Vec<Event>]) -> Vec<Report> {
    let options = BuildOptions { cache: Some(cache.clone()), ..BuildOptions::default() };
    let library = source(generated).build(&options).unwrap();
    let shows = [
        Stimulus {
            seed: 1,
            ready: Ready::Random,
            bubble_percent: 20,
            flush_interval: Some(1000),
            ..Stimulus::default()
        },
        Stimulus {
            seed: 2,
            ready: Ready::Always,
            pace: Pace::OneInstructionAClock,
            ..Stimulus::default()
        },
    ];
    let mut reports = Vec::new();
    for (stimulus, events) in shows.into_iter().zip(programs) {
        let options = cosim::Options { stimulus, watchdog_cycles: 20_000, waves: None };
        let events = events.iter().copied().map(Ok::<_, std::convert::Infallible>);
        reports.push(
            cosim::run(&library, Encoder::new(&design()).unwrap(), events, &options).unwrap(),
        );
    }
    reports
}

fn break_it(generated: &Generated, fault: &Fault) -> Generated {
    let mut broken = generated.clone();
    let name = |file: &str| {
        file.strip_prefix(&generated.top).is_some_and(|rest| rest.starts_with(fault.module))
    };
    let (_, text) = broken
        .files
        .iter_mut()
        .find(|(file, text)| name(file) && text.contains(fault.from))
        .unwrap_or_else(|| {
            panic!("no `{}` in {}: change the fault with the hardware", fault.from, fault.module)
        });
    *text = text.replacen(fault.from, fault.to, 1);
    broken
}

#[test]
fn every_fault_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path());
    let generated = tracewright_hdl::generate(&design()).unwrap();
    let mut programs = [events(11), events(12)];
    programs[1].extend(straight_runs::straight_runs(530));
    for report in simulate(&generated, &cache, &programs) {
        assert_eq!(report.failure, None, "without a fault");
    }

    let next = AtomicUsize::new(0);
    let survivors = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(fault) = FAULTS.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let reports = simulate(&break_it(&generated, fault), &cache, &programs);
                    let found = reports.into_iter().find_map(|report| report.failure);
                    println!(
                        "{:60} {}",
                        fault.what,
                        found.as_ref().map_or("SURVIVED".into(), ToString::to_string)
                    );
                    if found.is_none() {
                        survivors.lock().unwrap().push(fault.what);
                    }
                }
            });
        }
    });
    let survivors = survivors.into_inner().unwrap();
    println!("{} faults, {} not found", FAULTS.len(), survivors.len());
    assert!(FAULTS.len() >= 20 && survivors.is_empty(), "not found: {survivors:?}");
}
