//! Several cores in hardware and model: one order, one time, whatever each core does.

use std::cell::RefCell;
use std::rc::Rc;

use crate::common::sample;
use tracewright_sim::decode::error::DecodeError;
use tracewright_sim::decode::summary::TimeStamp;
use tracewright_sim::encode::bit_packer::{BitPacker, BitUnpacker};
use tracewright_sim::event::{Event, Isa, Kind, Machine};
use tracewright_sim::program::ProgramBuilder;
use tracewright_sim::scheme::{self, Design, DesignError, Encoder};
use tracewright_sim::session::copying::Copying;
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_testbench::cosim::{self, AnyError, Report};
use tracewright_testbench::stimulus::{Pace, Ready, Stimulus};
use tracewright_testbench::{BuildOptions, design};

const MACHINE: Machine = Machine { isa: Isa::Arm, alignment: 2, address_bits: 32 };

/// Tables that are read at the clock edge, so that records come some clocks after their blocks.
const LATE: (&str, &str) = ("memory_style", "synchronous");

/// A preset with some parameters set.
fn design(preset: &str, changes: &[(&str, &str)]) -> Design {
    let mut design = Design::preset(preset).unwrap().for_machine(MACHINE).unwrap();
    changes.iter().for_each(|(name, value)| design.set(name, value).unwrap());
    design
}

/// Simulates, and gives the trace as well; the hardware has to be right.
#[track_caller]
fn simulate(design: &Design, events: &[Event], stimulus: Stimulus) -> (Report, Vec<u8>) {
    let library = design::library(design, &BuildOptions::default()).unwrap();
    let kept = Rc::new(RefCell::new(BitPacker::new()));
    // The order of the trace is that of the simulation.
    let golden = Copying::new(Encoder::new(design).unwrap(), &kept);
    let options = cosim::Options { stimulus, watchdog_cycles: 20_000, ..cosim::Options::default() };
    let events = events.iter().copied().map(Ok::<_, AnyError>);
    let report = cosim::run(&library, golden, events, &options).unwrap();
    assert_eq!(report.failure, None, "{options:?}");
    (report, kept.take().finish())
}

/// Decodes a trace of `events`: events and time stamps in the order of the trace.
fn decode(design: &Design, events: &[Event], trace: &[u8]) -> (Vec<Event>, Vec<TimeStamp>) {
    #[derive(Debug, thiserror::Error)]
    enum Error {
        #[error(transparent)]
        Decode(#[from] DecodeError),
        #[error(transparent)]
        Design(#[from] DesignError),
    }
    let mut builder = ProgramBuilder::new(MACHINE);
    events.iter().for_each(|event| builder.event(event).unwrap());
    let program = builder.finish().unwrap();
    let (mut decoded, mut stamps) = (Vec::new(), Vec::new());
    scheme::decode_timed(
        design,
        &program,
        &mut BitUnpacker::new(trace),
        u64::MAX,
        |event| {
            decoded.push(event);
            Ok::<(), Error>(())
        },
        |stamp| {
            stamps.push(stamp);
            Ok(())
        },
    )
    .unwrap();
    (decoded, stamps)
}

fn uneven(seed: u64, cores: u8, events: u64) -> Vec<Event> {
    let options = Options {
        machine: MACHINE,
        events,
        code_base: 0x1_0000,
        code_span: 1 << 22,
        threads: cores,
        uneven: true,
        ..Options::from_seed(seed)
    };
    Synthetic::new(options).unwrap().collect()
}

/// A loop whose indirect jump goes to another place every time, on every core.
fn all_alike(cores: u8, rounds: u64) -> Vec<Event> {
    let at = |round: u64| 0x1000 + 0x10 * (round * 5 % 13);
    let jump = |round, thread| Event {
        instructions: 1,
        program_counter: at(round),
        target: at(round + 1),
        kind: Kind::IndirectJump,
        call: false,
        is_return: false,
        taken: true,
        length: 4,
        thread,
    };
    (0..rounds).flat_map(|round| (0..cores).map(move |core| jump(round, core))).collect()
}

/// Every core has a record in every cycle in which none is stalled; they come core by core.
#[test]
fn all_cores_send_in_one_clock() {
    let wide = [("trace_port_width", "64"), ("fifo_bits", "4096")];
    let designs = [
        ("nexus-n8-timed", &[][..]),
        ("mctraptor-small-n8-timed", &[]),
        ("mctraptor-small-n8-timed", &[LATE]),
    ];
    for (preset, late) in sample(2, designs) {
        let design = design(preset, &[&wide, late].concat());
        let events = all_alike(8, 500);
        let (report, trace) = simulate(&design, &events, Stimulus::default());
        assert_eq!(report.blocks, 4000);
        let (decoded, stamps) = decode(&design, &events, &trace);
        assert_eq!(decoded.len(), events.len());
        // The first clock is clock 0 of all cores; later the queues are full and each has its turn.
        let first: Vec<_> = stamps[..8].iter().map(|stamp| (stamp.core, stamp.clock)).collect();
        assert_eq!(first, (0..8).map(|core| (core, 0)).collect::<Vec<_>>(), "{preset}");
        let order: Vec<_> = stamps.iter().map(|stamp| (stamp.clock, stamp.core)).collect();
        assert!(order.is_sorted(), "{preset}: cycle by cycle, in a cycle by the index");
    }
}

/// Small clock counters overflow over and over, also of stalled cores and while others send.
#[test]
fn clock_counters_overflow() {
    let changes = [("time_stamp_bits", "4"), ("record_queue_depth", "1"), ("cores", "3")];
    let designs = [
        ("nexus-n4-timed", &[][..]),
        ("mctraptor-medium-n4-timed", &[]),
        ("mctraptor-medium-n4-timed", &[LATE]),
    ];
    for (preset, late) in sample(2, designs) {
        let design = design(preset, &[&changes, late].concat());
        for (seed, bubble_percent) in [(1, 0), (2, 40), (3, 95)] {
            for ready in [Ready::Always, Ready::Bursts, Ready::NeverFor(3000)] {
                let events = uneven(seed, 3, 3_000);
                let stimulus = Stimulus { seed, bubble_percent, ready, ..Stimulus::default() };
                let (report, trace) = simulate(&design, &events, stimulus);
                let (decoded, stamps) = decode(&design, &events, &trace);
                assert_eq!(decoded.len(), events.len());
                assert!(stamps.is_sorted_by_key(|stamp| stamp.clock) || report.stall_cycles > 0);
            }
        }
    }
}

/// Time stands still while a flush is under way, and goes on from there.
#[test]
fn clocks_are_those_of_the_hardware() {
    let wide = ("trace_port_width", "32");
    for (pace, changes) in [
        (Pace::Dense, &[wide][..]),
        (Pace::OneInstructionPerCycle, &[wide]),
        (Pace::Dense, &[wide, LATE]),
    ] {
        let design = design("mctraptor-small-n2-timed", changes);
        let events = uneven(5, 2, 4_000);
        let stimulus = Stimulus { pace, bubble_percent: 30, ..Stimulus::default() };
        let (whole, trace) = simulate(&design, &events, stimulus.clone());
        let (_, stamps) = decode(&design, &events, &trace);
        let last = stamps.last().unwrap().clock;
        // From the first clock with a stall low to the last block, and the flush in the clock after.
        let traced = whole.cycles - whole.reset_cycles;
        assert!(last < traced && traced - last < 64, "{last} of {traced}");
        let flushed = Stimulus { flush_interval: Some(100), ..stimulus };
        let (parts, trace) = simulate(&design, &events, flushed);
        let (decoded, stamps) = decode(&design, &events, &trace);
        assert_eq!(decoded.len(), events.len());
        assert!(stamps.is_sorted_by_key(|stamp| stamp.clock));
        let traced = parts.cycles - parts.reset_cycles;
        assert!(stamps.last().unwrap().clock < traced);
    }
}

/// Without stalls every record has the same order and time, whether it is made in the cycle of its block or some cycles later.
#[test]
fn late_records_have_the_order_and_the_time_of_their_blocks() {
    let wide = [
        ("trace_port_width", "64"),
        ("fifo_bits", "4096"),
        ("record_queue_depth", "16"),
        ("time_stamp_bits", "5"),
        ("indirect_branch_target_buffer_entries", "16"),
    ];
    for preset in ["mctraptor-medium-n4-timed", "mctraptor-medium-n4"] {
        let events = uneven(9, 4, 6_000);
        let stimulus = Stimulus { bubble_percent: 90, ..Stimulus::default() };
        let traces = [&[][..], &[LATE]].map(|late| {
            let design = design(preset, &[&wide, late].concat());
            let (report, trace) = simulate(&design, &events, stimulus.clone());
            assert_eq!((report.events, report.stall_cycles), (6_000, 0));
            trace
        });
        assert!(traces[0] == traces[1], "{preset}: the traces differ");
    }
}

/// Queues of one record, and tables of few entries: blocks are on their way when their core has to wait.
#[test]
fn records_on_their_way_have_room() {
    for (seed, cores) in (1..).zip(["1", "2", "3", "8"]) {
        let changes = [
            ("cores", cores),
            ("record_queue_depth", "1"),
            ("gshare_entries", "4"),
            ("indirect_branch_target_buffer_entries", "4"),
            ("time_stamp_bits", "6"),
            LATE,
        ];
        let mut presets = ["mctraptor-medium-n4", "mctraptor-medium-n4-timed"];
        presets.rotate_left(seed as usize % 2);
        for preset in sample(2, presets) {
            let design = design(preset, &changes);
            for ready in [Ready::Random, Ready::Bursts, Ready::NeverFor(2000)] {
                let stimulus =
                    Stimulus { seed, ready, flush_interval: Some(200), ..Stimulus::default() };
                let events = uneven(seed, cores.parse().unwrap(), 3_000);
                let (report, trace) = simulate(&design, &events, stimulus);
                assert!(report.stall_cycles > 0, "{report:?}");
                assert_eq!(decode(&design, &events, &trace).0.len(), events.len(), "{cores}");
            }
        }
    }
}

/// A stalled core does not keep the others from retiring.
#[test]
fn cores_stall_one_by_one() {
    let design = design("nexus-n2", &[("trace_port_width", "1"), ("record_queue_depth", "8")]);
    // Core 0 sends much, core 1 retires a million instructions in a few streams.
    let mut events = all_alike(1, 2_000);
    let far = Event {
        instructions: 40_000,
        program_counter: 0x9000,
        target: 0x8000,
        kind: Kind::DirectConditional,
        thread: 1,
        ..events[0]
    };
    events.extend([far; 25]);
    let (report, _) = simulate(&design, &events, Stimulus::default());
    // A block has 15 instructions: core 1 alone needs 66,675 clocks, core 0's records 36 bits each.
    assert!(report.stall_cycles > 50_000, "{report:?}");
    assert!(report.cycles < 80_000, "{report:?}");
}

/// Every parameter of what cores share at its ends.
#[test]
fn every_number_of_cores() {
    for cores in sample(7, 1..=8u8) {
        let count = cores.to_string();
        let design = design("nexus-n4-timed", &[("cores", &count), ("time_stamp_bits", "48")]);
        let stimulus = Stimulus {
            seed: cores.into(),
            ready: Ready::Random,
            bubble_percent: 50,
            flush_interval: Some(333),
            ..Stimulus::default()
        };
        let events = uneven(cores.into(), cores, 2_000);
        let (_, trace) = simulate(&design, &events, stimulus);
        assert_eq!(decode(&design, &events, &trace).0.len(), events.len(), "{cores} cores");
    }
}
