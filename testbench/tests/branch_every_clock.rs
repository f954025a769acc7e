//! A branch in every cycle, for 100,000 clocks, and for a million in `make long-tests`, through a port that is wide enough.

use crate::common::{is_long, sample};
use tracewright_sim::event::{Event, Isa, Machine};
use tracewright_sim::program::ProgramBuilder;
use tracewright_sim::scheme::{Design, Encoder};
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_testbench::design::library;
use tracewright_testbench::stimulus::Stimulus;
use tracewright_testbench::{BuildOptions, cosim};

/// How many branches are shown.
fn branches() -> u64 {
    if is_long() { 1_000_000 } else { 100_000 }
}

/// Blocks back to back: nothing stalls and every bit is right, however badly they are predicted.
#[track_caller]
fn nothing_stalls(preset: &str, predictability: u8, changes: &[(&str, &str)]) {
    let options = Options { predictability, exceptions: true, ..Options::from_seed(3) };
    nothing_stalls_in(options, preset, changes);
}

/// The same for a synthetic program with these options.
#[track_caller]
fn nothing_stalls_in(options: Options, preset: &str, changes: &[(&str, &str)]) {
    let predictability = options.predictability;
    let options = Options { events: branches(), branch_every_instruction: true, ..options };
    let synthetic = Synthetic::new(options).unwrap();
    let machine = synthetic.machine();
    let mut design = Design::preset(preset).unwrap();
    design.set("trace_port_width", "64").unwrap();
    design.set("address_width", &machine.address_bits.to_string()).unwrap();
    changes.iter().for_each(|(name, value)| design.set(name, value).unwrap());
    let design = design.for_machine(machine).unwrap();
    let events: Vec<Event> = synthetic.collect();
    let mut builder = ProgramBuilder::new(machine);
    events.iter().for_each(|event| builder.event(event).unwrap());
    builder.finish().unwrap();

    let library = library(&design, &BuildOptions::default()).unwrap();
    let options = cosim::Options {
        stimulus: Stimulus { seed: 5, ..Stimulus::default() },
        ..Default::default()
    };
    let events = events.into_iter().map(Ok::<_, std::convert::Infallible>);
    let report = cosim::run(&library, Encoder::new(&design).unwrap(), events, &options).unwrap();
    let what = format!("{preset}, {changes:?}, predictability {predictability}");
    assert_eq!(report.failure, None, "{what}");
    assert_eq!(report.stall_cycles, 0, "{what}: {report:?}");
    assert_eq!((report.events, report.blocks), (branches(), branches()));
    let busy = report.cycles - report.reset_cycles;
    assert!(busy < branches() + 200, "{what}: {busy} clocks");
}

#[test]
fn a_branch_in_every_clock() {
    // A record without prediction, of N-tuple, or with time stamps may have more bits than the port takes
    // in a cycle, and waits for the next.
    let designs = [
        ("traptor-m4", 90, "79", "2"),
        ("traptor-m4", 0, "79", "2"),
        ("traptor-s0", 0, "384", "2"),
        ("traptor-b4", 50, "79", "2"),
        ("stream-base-128", 0, "80", "2"),
        ("stream-ebase-32", 90, "80", "2"),
        ("stream-rbase-1024", 50, "80", "2"),
        ("ntuple-32x4", 0, "80", "8"),
        ("ntuple-32x4", 90, "80", "8"),
        ("nexus-n1", 0, "256", "2"),
        ("mctraptor-small-n1-timed", 0, "256", "2"),
    ];
    for (preset, predictability, fifo_bits, record_queue_depth) in sample(2, designs) {
        let changes = [("fifo_bits", fifo_bits), ("record_queue_depth", record_queue_depth)];
        nothing_stalls(preset, predictability, &changes);
    }
}

/// An exception may take a second clock of E-Trace, so there is none. A payload after 31 branches may have more bits than
/// the port takes in a cycle.
#[test]
fn a_branch_in_every_clock_of_e_trace() {
    let queues = [("fifo_bits", "384"), ("record_queue_depth", "8")];
    let registers = [queues[0], queues[1], ("encoder_registers", "true")];
    for (predictability, changes) in sample(2, [(90, &queues[..]), (0, &queues), (50, &registers)])
    {
        let options = Options { exceptions: false, predictability, ..Options::from_seed(3) };
        let presets = ["etrace-base", "etrace-returns", "etrace-full", "ntrace-btm", "ntrace-htm"];
        for preset in sample(4, presets) {
            nothing_stalls_in(options.clone(), preset, changes);
        }
    }
}

/// Talon's coder takes one symbol per cycle, so that only a conditional indirect branch takes two, which RISC-V does not
/// have. A target of 64 bits and what goes before it are more than the port takes, and the blocks after it wait.
#[test]
fn a_branch_in_every_clock_of_talon() {
    let machine = Machine { isa: Isa::RiscV, alignment: 1, address_bits: 64 };
    let queues = [("fifo_bits", "256"), ("record_queue_depth", "8")];
    let registers = [("memory_style", "synchronous"), ("encoder_registers", "true")];
    let both = [&queues[..], &registers].concat();
    for (preset, predictability, changes) in [
        ("talon-s", 90, &queues[..]),
        ("talon-s", 50, &queues),
        ("talon-s", 0, &queues),
        ("talon-m", 90, &queues),
        ("talon-m", 50, &queues),
        ("talon-m", 0, &queues),
        ("talon-m", 0, &both),
    ] {
        let options = Options {
            machine,
            predicated: false,
            exceptions: true,
            predictability,
            ..Options::from_seed(3)
        };
        nothing_stalls_in(options, preset, changes);
    }
}

/// Tables read through registers and pieces held in one cost clocks of latency, and none of throughput.
#[test]
fn a_branch_in_every_clock_through_registers() {
    for predictability in [90, 0] {
        nothing_stalls("traptor-m4", predictability, &[("memory_style", "synchronous")]);
    }
    let both = [("memory_style", "synchronous"), ("encoder_registers", "true")];
    nothing_stalls("traptor-m4", 0, &both);
    nothing_stalls("stream-rbase-128", 50, &[("encoder_registers", "true")]);
    let timed = [("memory_style", "synchronous"), ("fifo_bits", "256")];
    nothing_stalls("mctraptor-small-n1-timed", 0, &timed);
    let designs = [
        ("stream-base-128", 0, &[("memory_style", "synchronous")][..]),
        ("stream-ebase-32", 90, &[("memory_style", "synchronous")]),
        ("stream-rbase-1024", 50, &both),
        ("ntuple-32x4", 90, &[("memory_style", "synchronous"), ("record_queue_depth", "8")]),
    ];
    for (preset, predictability, changes) in sample(3, designs) {
        nothing_stalls(preset, predictability, changes);
    }
}
