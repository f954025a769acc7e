//! The regression: its plan, what it finds, and how it is written.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tracewright_hdl::unit::with_receiver;
use tracewright_sim::event::Event;
use tracewright_sim::preset;
use tracewright_sim::scheme::{Design, Scheme};
use tracewright_sim::sinks::Sink as PortSink;
use tracewright_testbench::stimulus::{Ready, Stimulus};
use tracewright_testbench::{BuildOptions, design as models};
use tracewright_verification::regression::{
    Extent, Outcome, Run, Sink, Subject, is_ring_end, junit, plan,
};
use tracewright_verification::{Error, Progress, Source};

use crate::is_long;

fn workloads() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../workloads")
}

#[test]
fn the_quick_part_has_every_preset_workload_and_scheme() {
    let extent = Extent { synthetic: 2, random: 1, quick: true, packets_only: false };
    let runs = plan(&workloads(), &extent).expect("a plan");
    for preset in preset::all() {
        assert!(runs.iter().any(|run| run.group == preset.name), "{}", preset.name);
    }
    let names: BTreeSet<String> = runs.iter().map(|run| run.workload.name()).collect();
    let files = fs::read_dir(workloads()).expect("the folder").map(|entry| entry.expect("a file"));
    let mut traces = 0;
    for file in files.filter(|file| file.file_name().to_string_lossy().ends_with(".pet.zst")) {
        let path = file.path().display().to_string();
        assert!(names.contains(&path), "{path}");
        traces += 1;
    }
    assert!(traces > 5, "{traces} traces");
    for scheme in Scheme::all() {
        let group = format!("random {}", scheme.name());
        // Each random design runs three programs.
        assert_eq!(runs.iter().filter(|run| run.group == group).count(), 3, "{group}");
    }
}

#[test]
fn a_folder_without_traces() {
    let folder = tempfile::tempdir().expect("a folder");
    let extent = Extent { synthetic: 0, random: 0, quick: true, packets_only: false };
    assert!(matches!(plan(folder.path(), &extent), Err(Error::NoTraces(_))));
    let missing = folder.path().join("missing");
    assert!(matches!(plan(&missing, &extent), Err(Error::Folder { .. })));
}

#[test]
fn suites_failures_and_marks() {
    let outcome = |group: &str, name: &str, failures: &[&str]| Outcome {
        number: 0,
        group: group.into(),
        name: name.into(),
        events: 0,
        instructions: 0,
        cycles: 0,
        stall_cycles: 0,
        fifo_high_water_bits: 0,
        elapsed: Duration::from_millis(1500),
        failures: failures.iter().map(ToString::to_string).collect(),
    };
    let outcomes = [
        outcome("traptor-m4", "a", &[]),
        outcome("random nexus", "b", &["bit 3 is 0 & not 1", "<no end>"]),
        outcome("traptor-m4", "c", &[]),
    ];
    insta::assert_snapshot!(junit(&outcomes).expect("text"));
}

/// A text of a sink's Verilog and what stands there in its place.
type Fault = (&'static str, &'static str);

/// What is found of a sink with a fault, or without one, around a module with beats of two bits.
fn failures(sink: PortSink, fault: Option<Fault>) -> Vec<String> {
    let mut design = Design::preset("nexs").expect("a preset");
    for (name, value) in
        [("framing", "packets"), ("trace_port_width", "2"), ("clock_enable", "true")]
    {
        design.set(name, value).expect("a good value");
    }
    let program = Source::synthetic(1, None, std::slice::from_ref(&design));
    let workload = program.learn(&Progress::silent()).expect("a program");
    let design = workload.design(&design).expect("a design for its machine");
    let generated = tracewright_hdl::generate(&design).expect("a good design");
    let mut whole = with_receiver(&design, generated, sink, 1).expect("a width that fits");
    let (_, text) = whole.files.iter_mut().rev().nth(2).expect("the sink");
    if let Some((from, to)) = fault {
        assert_eq!(text.matches(from).count(), 1, "{from}");
        *text = text.replace(from, to);
    }
    let model = models::source(&whole).build(&BuildOptions::default()).expect("a model");
    let ready = if sink.handshake().is_none() { Ready::Always } else { Ready::Bursts };
    let instruction_bytes = 1 << design.processor().alignment;
    let stimulus = Stimulus { seed: 1, ready, instruction_bytes, ..Stimulus::default() };
    let stimulus = Stimulus { flush_interval: Some(500), ..stimulus.varied(1) };
    let subject = Subject::Sink(Sink::Port(sink, 1));
    let run = Run { group: "a fault".into(), design, workload, stimulus, subject };
    run.failures(&model).expect("a simulation").1
}

#[test]
fn faults_in_the_ports_of_a_module_are_found() {
    use PortSink::{Atb, AxiStream, Pins};
    for (sink, faults) in [
        (
            AxiStream,
            [
                ("assign trace_ready = !held_valid | m_axis_tready", "assign trace_ready = 1'b1"),
                ("if (clock_enable)", "if (1'b1)"),
            ],
        ),
        (
            Atb,
            [
                ("{trace_data, gathered[7:2]}", "{gathered[5:0], trace_data}"),
                ("count <= kept;", "count <= count;"),
            ],
        ),
        (Pins, [("is_idle <= !trace_valid", "is_idle <= 1'b0"), ("!level", "1'b1")]),
    ] {
        assert_eq!(failures(sink, None), [""; 0], "{sink:?}");
        // Without `LONG_TESTS` it is one fault of each port.
        for fault in faults.into_iter().take(if is_long() { 2 } else { 1 }) {
            assert_ne!(failures(sink, Some(fault)), [""; 0], "{sink:?}: {}", fault.0);
        }
    }
}

#[test]
fn a_ring_has_the_last_events() {
    let all = [3, 0, 7].map(|count| Event::exception(count, 0x100 + count, 0x400 + count));
    let at = |event: Event, instructions, program_counter| Event {
        instructions,
        program_counter,
        ..event
    };
    for count in 0..=3 {
        assert!(is_ring_end(&all, &all[3 - count..]), "{count}");
        assert!(!is_ring_end(&all[..2], &all[3 - count..]) || count == 0, "{count}");
    }
    // The first event begins in a packet before the ring, also whole.
    assert!(is_ring_end(&all, &[at(all[2], 4, all[2].program_counter)]));
    assert!(is_ring_end(&all, &[at(all[2], 0, 0)]));
    assert!(is_ring_end(&all, &[at(all[1], 0, 0), all[2]]));
    // Somewhere else, longer, or not the first.
    assert!(!is_ring_end(&all, &[at(all[2], 4, 0)]));
    assert!(!is_ring_end(&all, &[at(all[2], 0, 1)]));
    assert!(!is_ring_end(&all, &[at(all[2], 8, all[2].program_counter)]));
    assert!(!is_ring_end(&all, &[all[1], at(all[2], 0, 0)]));
    assert!(!is_ring_end(&all, &[Event { target: 1, ..all[2] }]));
}
