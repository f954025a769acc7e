//! Traces made of packets: the hardware sends what the golden encoder sends, whatever the sink does.

use tracewright_sim::event::{Event, Machine};
use tracewright_sim::preset;
use tracewright_sim::program::ProgramBuilder;
use tracewright_sim::scheme::{Design, Encoder};
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_testbench::design::library;
use tracewright_testbench::stimulus::{Pace, Ready, Stimulus};
use tracewright_testbench::{BuildOptions, cosim};

/// Events of a synthetic program with exceptions, and the machine that runs it.
fn program(seed: u64, events: u64) -> (Machine, Vec<Event>) {
    let options = Options { events, exceptions: true, ..Options::from_seed(seed) };
    let synthetic = Synthetic::new(options).unwrap();
    let machine = synthetic.machine();
    let events: Vec<Event> = synthetic.collect();
    let mut builder = ProgramBuilder::new(machine);
    events.iter().for_each(|event| builder.event(event).unwrap());
    builder.finish().unwrap();
    (machine, events)
}

/// A preset with packets for a machine.
fn design(preset: &str, machine: Machine, changes: &[(&str, &str)]) -> Design {
    let mut design = Design::preset(preset).unwrap();
    design.set("address_width", &machine.address_bits.to_string()).unwrap();
    design.set("framing", "packets").unwrap();
    changes.iter().for_each(|(name, value)| design.set(name, value).unwrap());
    design.for_machine(machine).unwrap()
}

#[test]
fn hardware_and_model_are_equal() {
    for (number, preset) in preset::all().map(|preset| preset.name).enumerate() {
        let seed = number as u64;
        let (machine, events) = program(seed, 6_000);
        let changes = [
            ("sync_interval", "1024"),
            ("sync_keeps_tables", "true"),
            ("checksum_bits", ["0", "8", "16"][number % 3]),
        ];
        let design = Design::preset(preset).unwrap();
        if design.traces_data() || design.cores() > 1 {
            continue;
        }
        let design = self::design(preset, machine, &changes);
        let library = library(&design, &BuildOptions::default()).unwrap();
        for (ready, pace, bubble_percent, flush_interval) in [
            (Ready::Random, Pace::Dense, 20, None),
            (Ready::Bursts, Pace::OneInstructionPerCycle, 0, Some(700)),
            (Ready::Always, Pace::Dense, 0, Some(1)),
        ] {
            let stimulus = Stimulus {
                seed,
                pace,
                bubble_percent,
                ready,
                flush_interval,
                ..Stimulus::default()
            };
            let options = cosim::Options { stimulus, ..Default::default() };
            let events = events.iter().copied().map(Ok::<_, std::convert::Infallible>);
            let golden = Encoder::new(&design).unwrap();
            let report = cosim::run(&library, golden, events, &options).unwrap();
            assert_eq!(report.failure, None, "{preset}, {:?}", options.stimulus);
        }
    }
}
