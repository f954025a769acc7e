//! Do the tests notice? One small fault at a time is put into generated Verilog; co-simulation has
//! to find every one of them. `make mutations` tries them all and prints the table; without
//! `ALL_FAULTS` in the environment every 96th one is tried, as each is a compilation.
//!
//! Every scheme has a file with its faults, the design they are put into, and what that is shown.

mod background;
mod blocks;
mod clock_enable;
mod data_stride;
mod data_stride_registers;
mod e_trace;
mod e_trace_full;
mod e_trace_returns;
mod elaborated;
mod elaborated_talon_data;
mod elaborated_traptor;
mod filters;
mod funnel;
mod last_value;
mod multicore;
mod multicore_registers;
mod nexus;
mod packets;
mod ram_sink;
mod rvfi;
mod states;
mod stream_registers;
mod streams;
mod stuffer;
mod subject;
mod talon;
mod talon_faults;
mod talon_registers;
mod talon_targets;
mod tip;
mod traptor;
mod traptor_registers;
mod traptor_smaller;
mod tuple_search;

use std::panic::AssertUnwindSafe;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use subject::Subject;
pub use subject::{Fault, fault};
use tracewright_hdl::Generated;
use tracewright_sim::event::Item;
use tracewright_sim::scheme::Encoder;
use tracewright_testbench::cosim::{self, Report};
use tracewright_testbench::design::source;
use tracewright_testbench::stimulus::{Pace, Ready, Stimulus};
use tracewright_testbench::{BuildOptions, Cache};

/// Runs a design's Verilog on two programs, each with its own kind of back-pressure.
fn simulate<T: Copy + Into<Item>>(
    generated: &Generated,
    cache: &Cache,
    subject: &Subject<T>,
) -> Vec<Report> {
    let options = BuildOptions { cache: Some(cache.clone()), ..BuildOptions::default() };
    let library = source(generated).build(&options).unwrap();
    let shows = [
        Stimulus {
            seed: 1,
            ready: Ready::Random,
            bubble_percent: 20,
            flush_interval: Some(1000),
            sync_requests: true,
            ..Stimulus::default()
        },
        Stimulus {
            seed: 2,
            ready: Ready::Always,
            pace: Pace::OneInstructionPerCycle,
            sync_requests: true,
            ..Stimulus::default()
        },
    ];
    let mut reports = Vec::new();
    for (stimulus, items) in shows.into_iter().zip(&subject.programs) {
        let options =
            cosim::Options { stimulus, watchdog_cycles: 20_000, ..cosim::Options::default() };
        let items = items.iter().copied().map(Ok::<_, std::convert::Infallible>);
        let encoder = Encoder::new(&subject.design).unwrap();
        reports.push(cosim::run(&library, encoder, items, &options).unwrap());
    }
    reports
}

/// The Verilog with the fault; none if the text that it changes is not there.
pub fn break_it(generated: &Generated, fault: &Fault) -> Option<Generated> {
    let mut broken = generated.clone();
    let name = |file: &str| {
        file.strip_prefix(&generated.top).is_some_and(|rest| rest.starts_with(fault.module))
    };
    let mut files = broken.files.iter_mut();
    let (_, text) = files.find(|(file, text)| name(file) && text.contains(fault.from))?;
    *text = text.replacen(fault.from, fault.to, 1);
    Some(broken)
}

/// Puts every fault of a subject in, one at a time; each has to be found.
fn find_every_fault<T: Copy + Into<Item> + Sync>(subject: &Subject<T>, at_least: usize) {
    let generated = tracewright_hdl::generate(&subject.design).unwrap();
    let check = |generated: &Generated, cache: &Cache| {
        let reports = simulate(generated, cache, subject);
        reports.into_iter().find_map(|report| report.failure).map(|failure| failure.to_string())
    };
    find_each(&subject.design.name, &generated, subject.faults, at_least, check);
}

/// Puts the faults in one at a time; `check`, which finds nothing without them, has to find each.
fn find_each(
    name: &str,
    generated: &Generated,
    faults: &[Fault],
    at_least: usize,
    check: impl Fn(&Generated, &Cache) -> Option<String> + Sync,
) {
    let (mut broken, mut missing) = (Vec::new(), String::new());
    for fault in faults {
        match break_it(generated, fault) {
            Some(verilog) => broken.push((fault, verilog)),
            None => {
                missing.push_str(&format!("\n{} in {}: `{}`", fault.what, fault.module, fault.from))
            }
        }
    }
    assert!(missing.is_empty(), "{name}: change these faults with the hardware:{missing}");

    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path());
    assert_eq!(check(generated, &cache), None, "without a fault");

    let step = if std::env::var_os("ALL_FAULTS").is_some() { 1 } else { 96 };
    let tried: Vec<_> = broken.iter().step_by(step).collect();
    let next = AtomicUsize::new(0);
    let survivors = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((fault, broken)) = tried.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found =
                        std::panic::catch_unwind(AssertUnwindSafe(|| check(broken, &cache)));
                    let found = found.unwrap_or_else(|_| panic!("{name}: {}", fault.what));
                    println!("{:60} {}", fault.what, found.as_deref().unwrap_or("SURVIVED"));
                    if found.is_none() {
                        survivors.lock().unwrap().push(fault.what);
                    }
                }
            });
        }
    });
    let survivors = survivors.into_inner().unwrap();
    let count = faults.len();
    println!("{name}: {} of {count} faults, {} not found", tried.len(), survivors.len());
    assert!(count >= at_least && survivors.is_empty(), "{name}: not found: {survivors:?}");
}

#[test]
fn every_fault_of_traptor_is_found() {
    find_every_fault(&traptor::subject(), 60);
    find_every_fault(&traptor_registers::subject(), 20);
    find_every_fault(&traptor_registers::serial_subject(), 9);
    find_every_fault(&traptor_smaller::subject(), 10);
}

#[test]
fn every_fault_of_talon_is_found() {
    find_every_fault(&talon::subject(), 60);
    find_every_fault(&talon_registers::subject(), 20);
    find_every_fault(&talon_targets::subject(), 14);
}

#[test]
fn every_fault_of_packets_in_the_background_is_found() {
    find_every_fault(&background::subject(), 11);
}

#[test]
fn every_fault_of_the_clock_enable_is_found() {
    find_every_fault(&clock_enable::subject(), 17);
}

#[test]
fn every_fault_of_packets_is_found() {
    find_every_fault(&packets::subject(), 30);
}

#[test]
fn every_fault_of_stuffed_zeros_is_found() {
    stuffer::find_every_fault();
}

#[test]
fn every_fault_of_states_is_found() {
    find_every_fault(&states::subject(), 15);
}

#[test]
fn every_fault_of_data_stride_is_found() {
    find_every_fault(&data_stride::subject(), 24);
    find_every_fault(&data_stride::inline_subject(), 8);
    find_every_fault(&data_stride_registers::subject(), 20);
}

#[test]
fn every_fault_of_several_cores_is_found() {
    find_every_fault(&multicore::subject(), 20);
    find_every_fault(&multicore_registers::subject(), 14);
}

#[test]
fn every_fault_of_nexus_is_found() {
    find_every_fault(&nexus::subject(), 20);
}

#[test]
fn every_fault_of_e_trace_is_found() {
    find_every_fault(&e_trace::subject(), 20);
    find_every_fault(&e_trace_returns::subject(), 15);
}

#[test]
fn every_fault_of_e_trace_with_extensions_is_found() {
    find_every_fault(&e_trace_full::subject(), 25);
}

#[test]
fn every_fault_of_the_stream_cache_is_found() {
    find_every_fault(&streams::stream_cache(), 30);
    find_every_fault(&last_value::last_value_of_misses(), 4);
    find_every_fault(&stream_registers::stream_cache(), 20);
}

#[test]
fn every_fault_of_ntuple_is_found() {
    find_every_fault(&streams::ntuple(), 18);
    find_every_fault(&tuple_search::subject(), 20);
    find_every_fault(&stream_registers::ntuple(), 6);
}

#[test]
fn every_fault_of_filters_is_found() {
    filters::find_every_fault();
}

#[test]
fn every_fault_of_the_funnel_is_found() {
    funnel::find_every_fault();
}

#[test]
fn every_fault_of_the_rvfi_adapter_is_found() {
    rvfi::find_every_fault();
}

#[test]
fn every_fault_of_the_ram_sink_is_found() {
    ram_sink::find_every_fault();
}

#[test]
fn every_fault_of_the_tip_adapter_is_found() {
    tip::find_every_fault();
}

#[test]
fn every_fault_of_the_adapter_for_several_blocks_is_found() {
    blocks::find_every_fault();
}
