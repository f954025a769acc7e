//! Faults that a co-simulation did not see before it had a cause for each loss and drove every pin: `cosim
//! --synthetic` as it is, with nothing but seeds, has to find each with the stated share of them. `make mutations`
//! tries them all; without `ALL_FAULTS` in the environment some are tried, as each is a compilation, and without
//! `LONG_TESTS` not those of the largest design.

use std::fs;
use std::path::Path;

use tracewright_hdl::Generated;
use tracewright_sim::config::CallLength;
use tracewright_sim::scheme::Design;
use tracewright_sim::synthetic::Options;
use tracewright_testbench::stimulus::Stimulus;
use tracewright_verification::{MANIFEST, Progress, Setup, Source, Workload, cosimulate};

use crate::is_long;

/// Events of a program.
const EVENTS: u64 = 6_000;

/// Programs that each fault is shown, for one machine, so that they share a model.
const PROGRAMS: usize = 12;

/// One fault in so many is tried by `make test`.
const STEP: usize = 6;

/// What is put in the place of a text of the Verilog.
struct Fault {
    what: &'static str,
    /// The file's name after that of the top module, from its beginning.
    module: &'static str,
    from: &'static str,
    to: &'static str,
    /// Of [`PROGRAMS`] programs so many find it at least.
    least: usize,
}

const fn fault(
    what: &'static str,
    module: &'static str,
    from: &'static str,
    to: &'static str,
    least: usize,
) -> Fault {
    Fault { what, module, from, to, least }
}

/// A design with faults.
struct Subject {
    preset: &'static str,
    settings: &'static [(&'static str, &'static str)],
    faults: &'static [Fault],
}

const DROPS: Subject = Subject {
    preset: "traptor-m4",
    settings: &[
        ("framing", "packets"),
        ("when_full", "drop"),
        ("enable_pin", "true"),
        ("checksum_bits", "16"),
        ("context_bits", "4"),
        ("cause_bits", "4"),
        ("sync_interval", "1024"),
    ],
    faults: &[
        // M1
        fault(
            "a synchronisation waits for a block to be lost",
            "_synchroniser",
            "synchronised = 1'b1;",
            "synchronised = 1'b0;",
            8,
        ),
        fault(
            "the tables are cleared again until a loss ends",
            "_synchroniser",
            "if (!is_restarted) begin",
            "if (1'b1) begin",
            4,
        ),
        // M2
        fault(
            "the first packet waits for the header before it",
            "_synchroniser",
            "if ((retire_valid | trace_ends) && !waiting_valid) begin",
            "if ((retire_valid | trace_ends) && waiting_valid) begin",
            6,
        ),
        fault(
            "something has retired without a block",
            "_synchroniser",
            "if (is_shown) begin",
            "if (1'b1) begin",
            4,
        ),
        fault(
            "the context of the last header outlives a reset",
            "_state_tracker",
            "told_context <= 4'd0;",
            "told_context <= told_context;",
            1,
        ),
        fault(
            "the cause of the last header outlives a reset",
            "_state_tracker",
            "told_has_cause <= 1'b0;",
            "told_has_cause <= told_has_cause;",
            1,
        ),
        // M3
        fault(
            "the framer goes on after a discard",
            "_framer",
            "if (reset || restart_registers) begin",
            "if (reset) begin",
            2,
        ),
        fault(
            "the checksum goes on after a discard",
            "_checksum",
            "if (reset || restart_registers) begin",
            "if (reset) begin",
            2,
        ),
        fault(
            "what is discarded is not lost",
            "_synchroniser",
            "if (discards) begin\n                waiting_valid <= 1'b0;\n                is_losing <= 1'b1;",
            "if (discards) begin\n                waiting_valid <= 1'b0;",
            2,
        ),
        // M4
        fault(
            "tables are never kept",
            "_synchroniser",
            "if (tracker_keeps & !loses) begin",
            "if (1'b0) begin",
            8,
        ),
        // M7
        fault(
            "a reset of one clock does not end a loss",
            "_synchroniser",
            "is_losing <= 1'b0;",
            "is_losing <= is_losing & (phase != PHASE_CLOSED);",
            1,
        ),
    ],
};

const TALON: Subject = Subject {
    preset: "talon-s",
    settings: &[],
    faults: &[
        // M5
        fault(
            "an overflow comes again after an outcome",
            "_operations",
            "did_overflow | is_first_overflow",
            "is_first_overflow",
            1,
        ),
    ],
};

const STACK: Subject = Subject {
    preset: "talon-xl",
    settings: &[],
    faults: &[
        // M5
        fault(
            "an empty stack that never was full is popped",
            "_return_address_stack",
            "(pop && has_top) ? below",
            "pop ? below",
            1,
        ),
    ],
};

const E_TRACE: Subject = Subject {
    preset: "etrace-full",
    settings: &[("trace_port_width", "1")],
    faults: &[
        // M7
        fault(
            "a flush while the queue of records is full",
            ".v",
            "encoder_flush = sequencer_record_flush & encoder_ready",
            "encoder_flush = sequencer_record_flush",
            1,
        ),
    ],
};

const BRANCH_COUNT: Subject = Subject {
    preset: "traptor-m4",
    settings: &[("framing", "packets"), ("checksum_bits", "8"), ("branch_count_bits", "5")],
    faults: &[
        // M7
        fault(
            "a count of branches is full one late within a packet",
            "_record_former",
            "branch_count == 5'd30",
            "branch_count == 5'd31",
            2,
        ),
    ],
};

/// The first programs for a machine with instructions of four bytes, as `cosim --synthetic` has them, and the design
/// for it.
fn programs(subject: &Subject) -> (Design, Vec<(u64, Workload)>) {
    let mut design = Design::preset(subject.preset).expect("a preset");
    for (name, value) in subject.settings {
        design.set(name, value).expect("a parameter");
    }
    let seeds = (0..).filter(|seed| Options::from_seed(*seed).machine.alignment == 2);
    let learn = |seed| {
        let source = Source::synthetic(seed, Some(EVENTS), std::slice::from_ref(&design));
        (seed, source.learn(&Progress::silent()).expect("a program"))
    };
    let workloads: Vec<_> = seeds.take(PROGRAMS).map(learn).collect();
    let fitted = workloads[0].1.design(&design).expect("a design for its machine");
    (fitted, workloads)
}

/// Programs that find something in the Verilog of a folder.
fn found(design: &Design, programs: &[(u64, Workload)], verilog: &Path) -> usize {
    let finds = |(seed, workload): &&(u64, Workload)| {
        let stimulus = Stimulus {
            pauses: true,
            instruction_bytes: 1 << design.processor().alignment,
            every_length: design.reads_lengths(),
            call_length: CallLength::of(design.processor()),
            ..Stimulus::default()
        };
        let mut stimulus = stimulus.varied(*seed);
        if design.framing().is_some() {
            stimulus = stimulus.with_resets(*seed);
        }
        let setup = Setup { stimulus, verilog: Some(verilog), ..Setup::default() };
        let done = cosimulate(&setup, design, workload, &Progress::silent()).expect("the tools");
        let is_found = done.failure.is_some() || done.decoded_equal != Some(true);
        if is_found && is_whole() {
            println!("    seed {seed}: {}", done.failure.unwrap_or_else(|| "decoded".into()));
        }
        is_found
    };
    programs.iter().filter(finds).count()
}

/// Writes a design's Verilog as `generate` does, with a fault or without one.
fn write(folder: &Path, name: &str, generated: &Generated, fault: Option<&Fault>) {
    let folder = folder.join(name);
    fs::create_dir_all(&folder).expect("a folder");
    let mut is_broken = fault.is_none();
    for (file, text) in &generated.files {
        let is_of = |fault: &&Fault| {
            let module = file.strip_prefix(&generated.top);
            !is_broken
                && module.is_some_and(|module| module.starts_with(fault.module))
                && text.contains(fault.from)
        };
        let text = match fault.filter(is_of) {
            None => text.clone(),
            Some(fault) => {
                is_broken = true;
                text.replacen(fault.from, fault.to, 1)
            }
        };
        fs::write(folder.join(file), text).expect("a file");
    }
    let what = fault.map_or("", |fault| fault.what);
    assert!(is_broken, "{name}: change this fault with the hardware: {what}");
    let files: Vec<&String> = generated.files.iter().map(|(file, _)| file).collect();
    let manifest = serde_json::json!({ "files": files }).to_string();
    fs::write(folder.join(MANIFEST), manifest).expect("a file");
}

fn is_whole() -> bool {
    std::env::var_os("ALL_FAULTS").is_some()
}

fn find_every_fault(subject: &Subject) {
    let (design, programs) = programs(subject);
    let generated = tracewright_hdl::generate(&design).expect("a good design");
    let faults = subject.faults.iter().step_by(if is_whole() { 1 } else { STEP });
    let check = |fault: Option<&Fault>| {
        let folder = tempfile::tempdir().expect("a folder");
        write(folder.path(), &design.name, &generated, fault);
        found(&design, &programs, folder.path())
    };
    assert_eq!(check(None), 0, "{}: found without a fault", subject.preset);
    let mut missed = Vec::new();
    for fault in faults {
        let count = check(Some(fault));
        println!("{:60} {count} of {PROGRAMS} programs", fault.what);
        if count < fault.least {
            missed.push(fault.what);
        }
    }
    assert!(missed.is_empty(), "{}: found by too few programs: {missed:?}", subject.preset);
}

#[test]
fn faults_of_losses_resets_and_discards_are_found() {
    find_every_fault(&DROPS);
}

#[test]
fn faults_of_long_runs_and_unbalanced_returns_are_found() {
    find_every_fault(&TALON);
    if is_whole() || is_long() {
        find_every_fault(&STACK);
    }
}

#[test]
fn faults_of_flushes_and_full_counters_are_found() {
    find_every_fault(&E_TRACE);
    find_every_fault(&BRANCH_COUNT);
}
