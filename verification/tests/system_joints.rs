//! Do the benches of systems notice? One fault at a time is put into how units and what they share are joined.

use std::collections::BTreeSet;

use tracewright_sim::control::Bus;
use tracewright_sim::scheme::Design;
use tracewright_sim::sinks::Sink;
use tracewright_sim::unit::{Hart, Ingress, System, SystemSink};
use tracewright_sim::{rvfi, tip};
use tracewright_testbench::stimulus::{Ready, Stimulus};
use tracewright_verification::{
    Decoded, Progress, Source, Workload, cosimulate_system_model, system_with_faults,
};

/// What no run finds, below a reason: ends of the names of signals, and the kind of the fault.
const SURVIVORS: &str = include_str!("system_joints.txt");

/// Without `ALL_FAULTS` in the environment one fault in so many is tried.
const STEP: usize = 32;

const EVENTS: u64 = 1_000;

/// Two harts with different ports.
fn harts() -> Vec<Hart> {
    let design = |preset: &str, source: &str| {
        let mut design = Design::preset(preset).unwrap();
        let settings = [
            ("alignment", "2"),
            ("trace_port_width", "8"),
            ("enable_pin", "true"),
            ("time_bits", "20"),
            ("time_source", "binary"),
            ("source_bits", "6"),
            ("source_id", source),
        ];
        settings.iter().for_each(|(name, value)| design.set(name, value).unwrap());
        design
    };
    let rvfi = Ingress::Rvfi(rvfi::Config::new(rvfi::Xlen::Rv32, 1));
    let tip = Ingress::Tip(tip::Config::default());
    let hart = |name: &str, design, ingress: Ingress| Hart {
        name: name.to_owned(),
        design: ingress.fit(design).unwrap(),
        ingress: Some(ingress),
    };
    vec![hart("a", design("ntrace-htm", "1"), rvfi), hart("b", design("ntrace-btm", "9"), tip)]
}

/// What the faults of a system leave: a run of all its harts.
struct Bench {
    system: System,
    workloads: Vec<Workload>,
    stimuli: Vec<Stimulus>,
}

impl Bench {
    fn new(name: &str, sink: SystemSink, bus: Bus) -> Bench {
        let harts = harts();
        let learn = |(hart, seed): (&Hart, u64)| {
            let source = Source::synthetic(seed, Some(EVENTS), std::slice::from_ref(&hart.design));
            source.for_risc_v().learn(&Progress::silent()).unwrap()
        };
        let workloads: Vec<Workload> = harts.iter().zip(4..).map(learn).collect();
        let fit = |(hart, workload): (Hart, &Workload)| Hart {
            design: workload.design(&hart.design).unwrap(),
            ..hart
        };
        let harts = harts.into_iter().zip(&workloads).map(fit).collect();
        let shown = |seed| Stimulus {
            seed,
            ready: Ready::Random,
            flush_interval: Some(300),
            ..Stimulus::default()
        };
        let system = System { name: name.to_owned(), harts, sink, bus };
        Bench { system, workloads, stimuli: vec![shown(1), shown(2)] }
    }

    /// What the run finds, if anything.
    fn check(&self, library: &std::sync::Arc<tracewright_testbench::Library>) -> Option<String> {
        let system = (&self.system, None);
        let progress = Progress::silent();
        let (stimuli, workloads) = (&self.stimuli, &self.workloads);
        let done = cosimulate_system_model(system, Some(library), stimuli, workloads, &progress);
        match done {
            Err(error) => Some(error.to_string()),
            Ok(done) => {
                let wrong = |decoded: &Decoded| matches!(decoded, Decoded::Different(_));
                let different = done.decoded.iter().any(wrong).then(|| "decoded".to_owned());
                done.report.failure.map(|failure| failure.to_string()).or(different)
            }
        }
    }
}

fn is_listed(fault: &str) -> bool {
    SURVIVORS
        .lines()
        .any(|line| !line.is_empty() && !line.starts_with('#') && fault.ends_with(line))
}

#[test]
fn every_fault_of_a_joint_is_found() {
    let benches = [
        Bench::new("ring", SystemSink::Ring(1 << 16), Bus::Apb),
        Bench::new("memory", SystemSink::Memory(Default::default()), Bus::AxiLite),
        Bench::new("bus", SystemSink::Port(Sink::Atb), Bus::Apb),
        Bench::new("stream", SystemSink::Port(Sink::AxiStream), Bus::Apb),
    ];
    let all = std::env::var_os("ALL_FAULTS").is_some();
    let (mut survivors, mut found) = (BTreeSet::new(), Vec::new());
    // A sample is of the second one alone: each is a model to compile.
    let benches = if all { &benches[..] } else { &benches[1..2] };
    for bench in benches {
        let (library, faults) = system_with_faults(&bench.system).unwrap();
        assert_eq!(bench.check(&library), None, "{} without a fault", bench.system.name);
        let tried = (1..).zip(faults.iter().map(ToString::to_string));
        let tried: Vec<_> = tried.filter(|(_, fault)| all || !is_listed(fault)).collect();
        for (number, fault) in tried.iter().step_by(if all { 1 } else { STEP }) {
            match bench.check(&library.holding("fault_select", *number).unwrap()) {
                Some(_) if is_listed(fault) => found.push(fault.clone()),
                Some(_) => {}
                None => {
                    println!("not found: {fault}");
                    survivors.insert(fault.clone());
                }
            }
        }
        println!("{}: {} faults", bench.system.name, tried.len());
    }
    let unknown: Vec<_> = survivors.iter().filter(|fault| !is_listed(fault)).collect();
    assert!(unknown.is_empty(), "not found and not in system_joints.txt: {unknown:#?}");
    assert!(found.is_empty(), "found, and still in system_joints.txt: {found:#?}");
}
