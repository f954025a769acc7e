//! E-Trace without packets: the hardware begins anew, tells losses, and leaves out what does not pass a filter as the golden
//! encoder does.

use crate::common::sample;
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use tracewright_sim::encode::bit_packer::{BitPacker, BitUnpacker};
use tracewright_sim::event::{Event, Machine};
use tracewright_sim::filter::{Mode, Range, Settings, Window};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::program::ProgramBuilder;
use tracewright_sim::scheme::{self, Design, Encoder};
use tracewright_sim::session::{Session, Synchronisation, Turn};

use crate::packets::{cosimulate, cosimulate_filtered, program, with_states};

/// A switched `etrace-base` with these values.
fn changed(machine: Machine, changes: &[(&str, String)]) -> Design {
    let mut design = Design::preset("etrace-base").unwrap();
    design.set("address_width", &machine.address_bits.to_string()).unwrap();
    design.set("enable_pin", "true").unwrap();
    changes.iter().for_each(|(name, value)| design.set(name, value).unwrap());
    design.for_machine(machine).unwrap()
}

/// E-Trace that is switched without packets, begins anew on request, and tells level, context and cause.
#[test]
fn e_trace_begins_anew_without_packets() {
    let cases = [
        ("0", "0", "0", "8", "0"),
        ("2", "0", "7", "1", "4"),
        ("2", "16", "3", "32", "1"),
        ("0", "0", "7", "64", "2"),
    ];
    for (seed, (privilege_bits, context_bits, cause_bits, port, resync_max)) in
        sample(2, (0..).zip(cases))
    {
        let (machine, events) = program(seed, 3_000);
        let changes = [
            ("privilege_bits", privilege_bits.into()),
            ("context_bits", context_bits.into()),
            ("cause_bits", cause_bits.into()),
            ("trace_port_width", port.into()),
            ("resync_max", resync_max.into()),
        ];
        let design = changed(machine, &changes);
        let reports = cosimulate(&design, seed, &events);
        assert!(reports.iter().all(|report| report.synchronisations > 20));
        decodes((&design, machine), seed, &events);
    }
}

/// E-Trace without packets, of a core that does not wait: losses, and ends in the middle of them.
#[test]
fn e_trace_tells_losses_without_packets() {
    for (seed, (privilege_bits, cause_bits, port, encoder)) in
        (10..).zip([("0", "0", "8", "serial"), ("2", "7", "1", "auto"), ("2", "3", "64", "auto")])
    {
        let (machine, events) = program(seed, 6_000);
        let changes = [
            ("when_full", "drop".into()),
            ("privilege_bits", privilege_bits.into()),
            ("cause_bits", cause_bits.into()),
            ("trace_port_width", port.into()),
            ("encoder", encoder.into()),
            ("resync_max", "3".into()),
        ];
        let design = changed(machine, &changes);
        let reports = cosimulate(&design, seed, &events);
        let all = reports.iter().map(|report| (report.lost_instructions, report.blocks));
        assert!(all.clone().all(|(lost, blocks)| lost > 0 && blocks > 200), "{reports:?}");
        decodes((&design, machine), seed, &events);
        for lost in [0, 3, 5, 17, 200, 201, 202, 203, 3_000] {
            decodes_to_a_loss((&design, machine), seed, &events, lost);
        }
    }
}

/// Where blocks are lost, all before them is decoded, but perhaps the last jump or exception where nothing has retired at its
/// target.
fn decodes_to_a_loss(
    (design, machine): (&Design, Machine),
    seed: u64,
    events: &[Event],
    lost: usize,
) {
    let mut builder = ProgramBuilder::new(machine);
    events.iter().for_each(|event| builder.event(event).unwrap());
    let program = builder.finish().unwrap();
    let (mut golden, mut bits) = (Encoder::new(design).unwrap(), BitPacker::new());
    for item in with_states(design, seed, &events[..lost]) {
        golden.item(&item, &mut bits).unwrap();
    }
    golden.turn(Turn::End, &mut bits);
    golden.flush(&mut bits);
    let (mut decoded, bytes) = (0, bits.finish());
    let mut bits = BitUnpacker::new(bytes.as_slice());
    let end = scheme::decode(design, &program, &mut bits, u64::MAX, |event| {
        assert_eq!((event.program_counter, event.taken), known(&events[decoded]), "{lost}");
        decoded += 1;
        Ok::<(), Box<dyn std::error::Error>>(())
    });
    let end = end.unwrap_err().to_string();
    assert!(end.ends_with("blocks were lost"), "{end}");
    assert!(decoded + 1 >= lost, "{decoded} of {lost} events");
}

/// What the trace says of an event.
fn known(event: &Event) -> (u64, bool) {
    (event.program_counter, event.taken)
}

/// What the golden encoder makes of a program, with starts in the middle and ends, is decoded into it.
fn decodes((design, machine): (&Design, Machine), seed: u64, events: &[Event]) {
    let mut builder = ProgramBuilder::new(machine);
    events.iter().for_each(|event| builder.event(event).unwrap());
    let program = builder.finish().unwrap();
    let (mut golden, mut bits) = (Encoder::new(design).unwrap(), BitPacker::new());
    for (number, item) in (1..).zip(with_states(design, seed, events)) {
        if number % 37 == 0 {
            golden.turn(Turn::Synchronise(Synchronisation::Periodic), &mut bits);
        }
        golden.item(&item, &mut bits).unwrap();
        if number % 500 == 0 {
            golden.flush(&mut bits);
        }
    }
    golden.flush(&mut bits);
    let mut decoded = Vec::new();
    let bytes = bits.finish();
    scheme::decode(design, &program, &mut BitUnpacker::new(bytes.as_slice()), u64::MAX, |event| {
        decoded.push(event);
        Ok::<(), Box<dyn std::error::Error>>(())
    })
    .unwrap();
    let known =
        |event: &Event| (event.instructions, event.program_counter, event.taken, event.target);
    let different = decoded.iter().zip(events).position(|(one, other)| known(one) != known(other));
    assert_eq!((different, decoded.len()), (None, events.len()), "{}", design.name);
}

/// A filter that lets a part of the events pass.
fn filter(seed: u64, events: &[Event], kind: &str) -> Settings {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut some = || events.choose(&mut random).unwrap();
    let around = |address: u64, bytes: u64, mode| Range {
        low: address.saturating_sub(bytes),
        high: address + bytes,
        mode,
    };
    let target = events.iter().find(|event| event.taken).unwrap().target;
    match kind {
        "ranges" => Settings {
            ranges: vec![
                around(target, 200, Mode::Include),
                around(some().program_counter, 400, Mode::Include),
                around(some().program_counter, 20, Mode::Exclude),
            ],
            ..Settings::default()
        },
        "levels" => Settings { privileges: Some(0b0101), context: Some(0), ..Settings::default() },
        _ => {
            let window = Some(Window { start: target, stop: some().program_counter });
            Settings { window, ..Settings::default() }
        }
    }
}

/// What does not pass is left out, and each part between ends as its last block leaves it, whether the core waits or loses
/// blocks.
#[test]
fn e_trace_leaves_out_what_does_not_pass_a_filter() {
    let cases = [
        ("ranges", "stall", "8"),
        ("ranges", "drop", "32"),
        ("levels", "drop", "16"),
        ("levels", "stall", "1"),
        ("window", "stall", "64"),
        ("window", "drop", "8"),
    ];
    for (seed, (kind, when_full, port)) in sample(5, (30..).zip(cases)) {
        let (machine, events) = program(seed, 2_000);
        let has = |one: &str| (kind == one).to_string();
        let changes = [
            ("when_full", when_full.into()),
            ("privilege_bits", "2".into()),
            ("context_bits", "3".into()),
            ("cause_bits", "4".into()),
            ("trace_port_width", port.into()),
            ("resync_max", "4".into()),
            ("filter_ranges", if kind == "ranges" { "3" } else { "0" }.into()),
            ("filter_privilege", has("levels")),
            ("filter_context", has("levels")),
            ("filter_window", has("window")),
        ];
        let design = changed(machine, &changes);
        let filter = filter(seed, &events, kind);
        let reports = cosimulate_filtered(&design, seed, &events, &filter);
        let all = reports.iter().map(|report| (report.filtered_instructions, report.blocks));
        assert!(all.clone().all(|(out, blocks)| out > 100 && blocks > 100), "{reports:?}");
    }
}

/// The module sends what the golden encoder says, with a filter if the design has one.
#[track_caller]
fn shows_blocks(design: &Design, seed: u64, events: &[Event]) {
    let reports = match design.protocol().filters() {
        true => cosimulate_filtered(design, seed, events, &filter(seed, events, "ranges")),
        false => cosimulate(design, seed, events),
    };
    assert!(reports.iter().all(|report| report.blocks > 30), "{reports:?}");
}

/// Traps end in what their exceptions say, of any length, of a core that waits, of one that loses blocks, and with a filter.
#[test]
fn e_trace_says_the_values_of_exceptions() {
    let cases = [
        ("7", "stall", "8", "auto", false),
        ("2", "stall", "64", "serial", true),
        ("3", "drop", "1", "auto", false),
        ("7", "drop", "32", "auto", true),
    ];
    for (seed, (cause_bits, when_full, port, encoder, filters)) in sample(3, (60..).zip(cases)) {
        let (machine, events) = program(seed, 4_000);
        let changes = [
            ("when_full", when_full.into()),
            ("privilege_bits", if seed % 2 == 0 { "2" } else { "0" }.into()),
            ("context_bits", if seed % 4 == 0 { "16" } else { "0" }.into()),
            ("cause_bits", cause_bits.into()),
            ("trap_values", "true".into()),
            ("trace_port_width", port.into()),
            ("encoder", encoder.into()),
            ("fifo_bits", "512".into()),
            ("filter_ranges", if filters { "3" } else { "0" }.into()),
        ];
        let design = changed(machine, &changes);
        shows_blocks(&design, seed, &events);
    }
}

/// Starts and traps say when their block retired, of a core that waits, of one that loses blocks, and with a filter.
#[test]
fn e_trace_says_the_time() {
    let cases = [
        ("32", "counter", "stall", "8", false),
        ("9", "gray", "stall", "64", true),
        ("64", "binary", "drop", "1", false),
        ("1", "gray", "drop", "32", true),
        ("33", "gray", "drop", "16", false),
    ];
    for (seed, (bits, source, when_full, port, filters)) in sample(3, (50..).zip(cases)) {
        let (machine, events) = program(seed, 2_000);
        let changes = [
            ("when_full", when_full.into()),
            ("privilege_bits", if seed % 2 == 0 { "2" } else { "0" }.into()),
            ("context_bits", if seed % 4 == 0 { "5" } else { "0" }.into()),
            ("cause_bits", if seed % 3 == 0 { "4" } else { "0" }.into()),
            ("trap_values", if seed % 3 == 0 { "true" } else { "false" }.into()),
            ("trace_port_width", port.into()),
            ("resync_max", "2".into()),
            ("fifo_bits", "512".into()),
            ("time_bits", bits.into()),
            ("time_source", source.into()),
            ("filter_ranges", if filters { "3" } else { "0" }.into()),
        ];
        let design = changed(machine, &changes);
        shows_blocks(&design, seed, &events);
        decodes((&design, machine), seed, &events);
    }
}
