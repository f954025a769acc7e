//! Traces made of packets: the hardware sends what the golden encoder sends, whatever the sink does.

use crate::common::sample;
use tracewright_sim::config::CallLength;
use tracewright_sim::encode::bit_packer::BitUnpacker;
use tracewright_sim::event::{Event, Item, Machine};
use tracewright_sim::filter::Settings;
use tracewright_sim::packet::part::Part;
use tracewright_sim::program::ProgramBuilder;
use tracewright_sim::scheme::{self, Design, Encoder};
use tracewright_sim::synthetic::states::States;
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_testbench::cosim::Report;
use tracewright_testbench::design::library;
use tracewright_testbench::stimulus::{Pace, Ready, Stimulus};
use tracewright_testbench::{BuildOptions, cosim};

/// Events of a synthetic program with exceptions, and the machine that runs it.
pub(crate) fn program(seed: u64, events: u64) -> (Machine, Vec<Event>) {
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

/// The events with states after them, as many as the design traces.
pub(crate) fn with_states(design: &Design, seed: u64, events: &[Event]) -> Vec<Item> {
    let mut states = States::new(seed, design.protocol());
    let mut items = Vec::new();
    for event in events {
        items.push(Item::Event(*event));
        let state = states.as_mut().and_then(|states| states.after(event));
        items.extend(state.map(Item::State));
    }
    items
}

/// Shows a program to a design under several conditions; every bit is right.
pub(crate) fn cosimulate(design: &Design, seed: u64, events: &[Event]) -> Vec<Report> {
    cosimulate_filtered(design, seed, events, &Settings::default())
}

/// The same with a filter.
pub(crate) fn cosimulate_filtered(
    design: &Design,
    seed: u64,
    events: &[Event],
    filter: &Settings,
) -> Vec<Report> {
    let items = with_states(design, seed, events);
    let library = library(design, &BuildOptions::default()).unwrap();
    let shows = [
        (Ready::Random, Pace::Dense, 20, None),
        (Ready::Bursts, Pace::OneInstructionPerCycle, 0, Some(700)),
        (Ready::NeverFor(5000), Pace::Dense, 60, Some(3)),
    ];
    let show = |(ready, pace, bubble_percent, flush_interval)| {
        let sync_requests = true;
        let stimulus = Stimulus {
            seed,
            pace,
            bubble_percent,
            ready,
            flush_interval,
            sync_requests,
            filter: filter.clone(),
            instruction_bytes: 1 << design.processor().alignment,
            every_length: design.reads_lengths(),
            call_length: CallLength::of(design.processor()),
            ..Stimulus::default()
        };
        let options = cosim::Options { stimulus, ..Default::default() };
        let items = items.iter().copied().map(Ok::<_, std::convert::Infallible>);
        let golden = Encoder::new(design).unwrap();
        let report = cosim::run(&library, golden, items, &options).unwrap();
        assert_eq!(report.failure, None, "{}, {:?}", design.name, options.stimulus);
        report
    };
    shows.into_iter().map(show).collect()
}

/// Resets while the tables are being cleared, in packets, between them, and after the end: the hardware begins again
/// as the golden encoder does, and what the sink has received decodes up to each reset.
#[test]
fn a_reset_begins_a_trace_anew() {
    let (machine, events) = program(3, 4_000);
    let learned = {
        let mut builder = ProgramBuilder::new(machine);
        events.iter().for_each(|event| builder.event(event).unwrap());
        builder.finish().unwrap()
    };
    for (when_full, keeps_tables, checksum_bits) in
        [("stall", "false", "0"), ("stall", "true", "16"), ("drop", "false", "8")]
    {
        let changes = [
            ("sync_interval", "1024"),
            ("sync_keeps_tables", keeps_tables),
            ("when_full", when_full),
            ("checksum_bits", checksum_bits),
        ];
        let design = design("traptor-m4", machine, &changes);
        let library = library(&design, &BuildOptions::default()).unwrap();
        let resets = vec![1, 300, 700, 2_345, 4_001, 1_000_000];
        let ready = Ready::Random;
        let stimulus = Stimulus { seed: 5, resets, ready, ..Stimulus::default() };
        let options = cosim::Options { stimulus, ..Default::default() };
        let make = || {
            let events = events.iter().copied().map(Ok::<_, std::convert::Infallible>);
            Ok((Encoder::new(&design).unwrap(), events))
        };
        let (report, trace) = cosim::run_with_resets(&library, make, &options).unwrap();
        assert_eq!(report.failure, None, "{when_full}");
        let (mut reasons, mut begun) = (Vec::new(), 0);
        let mut bits = BitUnpacker::new(trace.bytes.as_slice());
        let take = |part| {
            match part {
                Part::Gap(gap) => reasons.push(gap.reason.name()),
                Part::State(_) | Part::Time(_) | Part::Unverified => {}
                Part::Event(event) => begun += usize::from(event.target == events[0].target),
            }
            Ok::<(), Box<dyn std::error::Error>>(())
        };
        scheme::decode_packets(&design, &learned, &mut bits, u64::MAX, take).unwrap();
        let count = |reason| reasons.iter().filter(|found| **found == reason).count();
        match when_full {
            // Nothing was sent before the first two resets, and a packet that a reset begins may be cut by the next
            // one.
            "stall" => {
                assert!((3..=4).contains(&count("reset")) && count("lost") == 0, "{reasons:?}");
            }
            _ => assert!(count("lost") > 4, "{reasons:?}"),
        }
        // A core that does not wait loses its first event while the tables are being cleared.
        assert_eq!(begun > 0, when_full == "stall", "{reasons:?}");
        assert!(count("damaged") >= 2, "{reasons:?}");
    }
}

/// Kept and cleared tables, blocks that wait and blocks that are lost, registers before the tables, one core of a
/// scheme for several. `regress --packets` has every preset.
#[test]
fn hardware_and_model_are_equal() {
    let times = [("0", "counter"), ("16", "counter"), ("64", "binary"), ("9", "gray")];
    let designs = [
        ("traptor-m4", ["false", "true"], ["drop", "false"], "16", ["16", "2", "8"]),
        ("traptor-b4", ["false", "true"], ["stall", "true"], "16", ["0", "0", "4"]),
        ("traptor-m4-fpga", ["true", "false"], ["drop", "true"], "8", ["9", "0", "0"]),
        ("talon-m-fpga", ["false", "false"], ["stall", "true"], "16", ["0", "2", "0"]),
        ("talon-s", ["false", "true"], ["drop", "true"], "0", ["0", "0", "33"]),
        ("stream-rbase-128", ["true", "false"], ["stall", "false"], "0", ["64", "3", "0"]),
        ("stream-base-128", ["false", "true"], ["drop", "false"], "8", ["0", "0", "0"]),
        ("ntuple-32x4", ["false", "true"], ["drop", "true"], "8", ["0", "1", "1"]),
        ("nexs", ["true", "false"], ["stall", "true"], "0", ["0", "0", "0"]),
        ("nexs", ["false", "false"], ["stall", "false"], "0", ["5", "0", "64"]),
        ("mctraptor-small-n1", ["false", "true"], ["drop", "false"], "16", ["8", "2", "5"]),
        ("traptor-m4-fpga", ["false", "false"], ["stall", "false"], "0", ["0", "0", "0"]),
        ("traptor-m4", ["false", "false"], ["drop", "false"], "16", ["0", "0", "0"]),
    ];
    for (seed, (preset, tables, losses, checksum_bits, state_bits)) in sample(3, (0..).zip(designs))
    {
        let [keeps_tables, in_background] = tables;
        let [when_full, enable_pin] = losses;
        let [context_bits, privilege_bits, cause_bits] = state_bits;
        let (machine, events) = program(seed, 6_000);
        let changes = [
            ("sync_interval", "1024"),
            ("sync_keeps_tables", keeps_tables),
            ("when_full", when_full),
            ("checksum_bits", checksum_bits),
            ("context_bits", context_bits),
            ("privilege_bits", privilege_bits),
            ("cause_bits", cause_bits),
            ("background_clearing", in_background),
            ("enable_pin", enable_pin),
            ("time_bits", times[seed as usize % 4].0),
            ("time_source", times[seed as usize % 4].1),
        ];
        let reports = cosimulate(&design(preset, machine, &changes), seed, &events);
        let lost: u64 = reports.iter().map(|report| report.lost_instructions).sum();
        let synchronisations: u64 = reports.iter().map(|report| report.synchronisations).sum();
        let least = if state_bits == ["0"; 3] { 10 } else { 100 };
        assert!(synchronisations > least, "{preset}: {reports:?}");
        let loses = when_full == "drop" || enable_pin == "true";
        assert_eq!(lost > 0, loses, "{preset}: {reports:?}");
    }
}

/// Synchronisations follow so many bytes at the trace port, whatever its width and whenever the sink takes them: a
/// port of one bit, of a number of bits that no byte is a multiple of, and wider ones, with tables that are cleared,
/// kept and both.
#[test]
fn synchronisations_follow_the_bytes_that_have_left() {
    let designs = [
        ("traptor-m4", "1", "64", [("checksum_bits", "16"), ("when_full", "drop")]),
        ("traptor-m4", "5", "100", [("enable_pin", "true"), ("cause_bits", "8")]),
        ("talon-m", "32", "128", [("sync_keeps_tables", "true"), ("enable_pin", "true")]),
        ("stream-rbase-128", "33", "16", [("background_clearing", "true"), ("when_full", "drop")]),
        ("nexs", "8", "333", [("context_bits", "9"), ("clock_enable", "true")]),
    ];
    for (seed, (preset, width, bytes, changes)) in sample(2, (60..).zip(designs)) {
        let (machine, events) = program(seed, 6_000);
        let changes = [
            &[("sync_interval", "0"), ("sync_bytes", bytes), ("trace_port_width", width)],
            &changes[..],
        ];
        let design = design(preset, machine, &changes.concat());
        for report in cosimulate(&design, seed, &events) {
            // Requests alone come in one cycle of a thousand.
            let most = report.bits / (8 * bytes.parse::<u64>().unwrap());
            let least = most / 2 - most / 8;
            assert!(report.synchronisations > least.min(40), "{preset}: {report:?}");
        }
    }
}

/// The records of one core of a scheme for several come some cycles after their blocks, into a queue of its own.
#[test]
fn records_of_one_of_several_cores_are_on_their_way() {
    let options =
        [("drop", "true", "false"), ("stall", "false", "false"), ("drop", "false", "true")];
    for (seed, (when_full, enable_pin, keeps_tables)) in sample(2, (40..).zip(options)) {
        let (machine, events) = program(seed, 6_000);
        let changes = [
            ("memory_style", "synchronous"),
            ("sync_interval", "1024"),
            ("sync_keeps_tables", keeps_tables),
            ("when_full", when_full),
            ("enable_pin", enable_pin),
            ("record_queue_depth", "1"),
            ("cause_bits", "4"),
        ];
        let reports = cosimulate(&design("mctraptor-medium-n1", machine, &changes), seed, &events);
        let synchronisations: u64 = reports.iter().map(|report| report.synchronisations).sum();
        assert!(synchronisations > 10, "{reports:?}");
    }
}

/// Flush records of synchronisations that keep the tables have no restart after them. One of them waits in the queue
/// of records when a loss clears the tables: that restart comes after the flush record of the loss.
#[test]
fn a_restart_waits_for_its_own_flush_record() {
    let changes = [
        ("sync_interval", "1024"),
        ("sync_keeps_tables", "true"),
        ("when_full", "drop"),
        ("cause_bits", "1"),
        ("record_queue_depth", "3"),
        ("fifo_bits", "384"),
        ("encoder", "serial"),
    ];
    for (seed, preset) in sample(2, (20..).zip(["traptor-s0", "traptor-s1", "traptor-m4"])) {
        let (machine, events) = program(seed, 20_000);
        let reports = cosimulate(&design(preset, machine, &changes), seed, &events);
        assert!(reports.iter().all(|report| report.lost_instructions > 0), "{reports:?}");
    }
}

/// A synchronisation waits until the tables are clear, 512 cycles, or clears them while blocks are taken.
#[test]
fn clearing_in_the_background_stops_the_core_for_a_few_cycles() {
    let (machine, events) = program(3, 20_000);
    let stalled = |change| {
        let wide = [("trace_port_width", "32"), ("fifo_bits", "1000"), ("sync_interval", "1024")];
        let design = design("traptor-m4", machine, &[&wide[..], &[change]].concat());
        let library = library(&design, &BuildOptions::default()).unwrap();
        let stimulus =
            Stimulus { seed: 5, pace: Pace::OneInstructionPerCycle, ..Stimulus::default() };
        let options = cosim::Options { stimulus, ..Default::default() };
        let events = events.iter().copied().map(Ok::<_, std::convert::Infallible>);
        let golden = Encoder::new(&design).unwrap();
        let report = cosim::run(&library, golden, events, &options).unwrap();
        assert_eq!(report.failure, None);
        assert_eq!(report.synchronisations, 120);
        report.stall_cycles / report.synchronisations
    };
    // The encoder stalls the core, too.
    let kept = stalled(("sync_keeps_tables", "true"));
    let paused = stalled(("background_clearing", "false"));
    let in_background = stalled(("background_clearing", "true"));
    assert!(paused >= 512, "{paused} cycles");
    assert!(in_background <= kept + 20, "{in_background} cycles, {kept} with kept tables");
}
