//! The presets of several cores: executions given back, estimated gates.

use crate::common::{learn, round_trip, workload};
use tracewright_sim::configuration::Configuration;
use tracewright_sim::event::Event;
use tracewright_sim::multicore::config::Config;
use tracewright_sim::multicore::sharing::Sharing;
use tracewright_sim::preset;
use tracewright_sim::scheme::{Design, Scheme};
use tracewright_sim::synthetic::{Options, Synthetic};

/// What a design sums up to.
#[test]
fn estimated_gates_grow_with_the_cores() {
    for (name, paper) in [("small", 2300.0), ("medium", 4800.0), ("large", 16500.0)] {
        let four = Design::preset(&format!("mctraptor-{name}-n4")).unwrap();
        let estimate = f64::from(four.estimated_gates()) / 4.0;
        assert!((estimate / paper - 1.0).abs() < 0.15, "{name}: {estimate}");
    }
    let Scheme::Mctraptor(config) = Design::preset("mctraptor-small-n2").unwrap().scheme else {
        panic!("of another scheme");
    };
    let refused = Config { sharing: Sharing { cores: 9, ..config.sharing }, ..config };
    assert!(refused.validate().unwrap_err().to_string().contains("cores"));
}

#[test]
fn every_preset_gives_threads_of_uneven_rates_back() {
    for (seed, preset) in preset::all().enumerate() {
        let mut design = Design::preset(preset.name).unwrap();
        let several = matches!(design.scheme, Scheme::Mctraptor(_) | Scheme::Nexus(_));
        if !several {
            continue;
        }
        let threads = design.cores() as u8;
        let options =
            Options { events: 20_000, threads, uneven: true, ..Options::from_seed(seed as u64) };
        let synthetic = Synthetic::new(options).unwrap();
        let machine = synthetic.machine();
        let mut events: Vec<Event> = synthetic.collect();
        let program = learn(machine, &mut events);
        design.set("address_width", &machine.address_bits.to_string()).unwrap();
        let design = design.for_machine(machine).unwrap();
        for interval in [usize::MAX, 1001, 5] {
            round_trip(&design, &program, &events, interval, preset.name);
        }
    }
}

#[test]
fn presets_give_workloads_back() {
    let (machine, mut events) = workload("arm-fft-head", 200_000);
    let program = learn(machine, &mut events);
    for name in ["mctraptor-small-n1", "mctraptor-medium-n2-timed", "mctraptor-large-n8-timed"] {
        let design = Design::preset(name).unwrap().for_machine(machine).unwrap();
        round_trip(&design, &program, &events, usize::MAX, name);
    }
}
