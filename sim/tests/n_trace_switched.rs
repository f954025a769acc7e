//! N-Trace that is switched without packets: synchronisations on request, ownership, and losses.

use std::error::Error;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::config::{Protocol, WhenFull};
use tracewright_sim::decode::summary::TimeStamp;
use tracewright_sim::encode::bit_packer::{BitPacker, BitUnpacker};
use tracewright_sim::event::{Event, ExecutionState, Kind, Machine};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::n_trace::config::Config;
use tracewright_sim::program::Program;
use tracewright_sim::room::Room;
use tracewright_sim::scheme::{self, Design};
use tracewright_sim::session::{Detail, Session, Synchronisation, Turn};

use crate::common::{Text, described, encode, event, learn};
use crate::n_trace::{START, bytes};
use crate::streams::synthetic;

#[test]
fn requests_states_and_losses_bit_for_bit() {
    let protocol = Protocol {
        enable_pin: true,
        when_full: WhenFull::Drop,
        privilege_bits: 2,
        context_bits: 2,
        ..Protocol::default()
    };
    let mut encoder = Config { protocol, ..Config::default() }.session().unwrap();
    let mut text = Text::default();
    let user = ExecutionState { privilege: 0, context: 1, cause: None };
    let steps = [
        (event(Kind::Exception, 0, 0, Some(0x1000)), ExecutionState { privilege: 3, ..user }),
        (event(Kind::IndirectJump, 1, 0x1000, Some(0x1020)), user),
        (event(Kind::IndirectJump, 1, 0x1020, Some(0x1000)), user),
        (event(Kind::DirectConditional, 1, 0x1000, Some(0x1000)), user),
    ];
    for (place, (event, state)) in steps.iter().enumerate() {
        if place == 2 {
            encoder.turn(Turn::Synchronise(Synchronisation::Periodic), &mut text);
        }
        if place == 3 {
            encoder.turn(Turn::End, &mut text);
        }
        encoder.event(event, &mut text).unwrap();
        encoder.detail(Detail::State(*state), &mut text).unwrap();
        encoder.detail(Detail::Complete, &mut text).unwrap();
    }
    encoder.flush(&mut text);
    let records = [
        START,
        // A context and level 3, then level 0, of context 1.
        "000010_00 101110_11",
        "011100_00 001000_01 010000_01 000001_11",
        "000010_00 100010_11",
        // Periodic, two units, and 0x800 units of address.
        "011101_00 000010_00 000010_01 000000_00 100000_01 000001_11",
        "000010_00 100010_11",
        // The end of what was traced, and an error.
        "100001_00 010100_00 000000_01 000001_11 001000_00 000000_11",
        // A restart from an overrun.
        "111111_11 001001_00 000111_01 000000_00 100000_11",
        "000010_00 100010_11",
        "100001_00 010100_00 000010_01 000011_11",
    ];
    let expected: Vec<String> = records.iter().map(|record| bytes(record)).collect();
    assert_eq!(text.0.trim_end(), expected.join(" "));
}

/// A request is answered after a branch or a jump that the program tells, and after a return that is inferred: with a history
/// by the message of an indirect branch, else by that of a direct one.
#[test]
fn requests_without_indirect_jumps_bit_for_bit() {
    let protocol = Protocol { enable_pin: true, privilege_bits: 2, ..Protocol::default() };
    let call = Event { call: true, length: 4, ..event(Kind::DirectJump, 1, 0x1008, Some(0x1040)) };
    let back = event(Kind::IndirectJump, 1, 0x1040, Some(0x100c));
    let events = [
        event(Kind::Exception, 0, 0, Some(0x1000)),
        event(Kind::DirectConditional, 1, 0x1000, None),
        event(Kind::DirectConditional, 1, 0x1004, Some(0x1008)),
        event(Kind::DirectJump, 1, 0x1008, Some(0x1000)),
        event(Kind::DirectJump, 3, 0x1008, Some(0x1008)),
        call,
        Event { is_return: true, ..back },
        event(Kind::DirectConditional, 1, 0x100c, Some(0x1000)),
    ];
    let level = "000010_00 000000_11";
    let histories: &[&str] = &[
        START,
        "000010_00 001100_11",
        // Two units to the branch that is not taken, two to the one that is: its target is 0x804.
        "011101_00 000010_00 000100_01 000100_00 100000_01 000101_11",
        level,
        "011101_00 000010_00 000010_01 000000_00 100000_01 000001_11",
        level,
        // Six units to the jump, two of the call, two of the return.
        "011101_00 000010_00 001010_01 000110_00 100000_01 000001_11",
        level,
        "100001_00 010100_00 000010_01 000011_11",
    ];
    let branches: &[&str] = &[
        START,
        "000010_00 001100_11",
        "001011_00 000010_00 000001_01 000100_00 100000_11",
        level,
        "001011_00 100010_01 000000_00 100000_11",
        level,
        "001100_00 000010_00 001010_01 000110_00 100000_11",
        level,
        "000011_00 000010_11",
        "100001_00 000100_00 000000_11",
    ];
    for (branch_history, records) in [(true, histories), (false, branches)] {
        let config = Config {
            protocol: protocol.clone(),
            branch_history,
            return_stack_entries: 2,
            ..Config::default()
        };
        let mut encoder = config.session().unwrap();
        let mut text = Text::default();
        for (place, event) in events.iter().enumerate() {
            if matches!(place, 1 | 3 | 6) {
                encoder.turn(Turn::Synchronise(Synchronisation::Periodic), &mut text);
            }
            encoder.event(event, &mut text).unwrap();
            let privilege = if place == 0 { 3 } else { 0 };
            let state = ExecutionState { privilege, context: 0, cause: None };
            encoder.detail(Detail::State(state), &mut text).unwrap();
            encoder.detail(Detail::Complete, &mut text).unwrap();
        }
        encoder.flush(&mut text);
        let expected: Vec<String> = records.iter().map(|record| bytes(record)).collect();
        assert_eq!(text.0.trim_end(), expected.join(" "), "history: {branch_history}");
    }
}

/// Every message that is no part of another one ends with the time, which an encoder counts that is given none.
#[test]
fn times_bit_for_bit() {
    let protocol = Protocol {
        enable_pin: true,
        when_full: WhenFull::Drop,
        privilege_bits: 2,
        time_bits: 8,
        ..Protocol::default()
    };
    let mut encoder = Config { protocol, ..Config::default() }.session().unwrap();
    let mut text = Text::default();
    let steps = [
        (event(Kind::Exception, 0, 0, Some(0x1000)), 0xf0),
        (event(Kind::IndirectJump, 1, 0x1000, Some(0x1020)), 0xf5),
        (event(Kind::IndirectJump, 1, 0x1020, Some(0x1000)), 0x107),
        (event(Kind::DirectConditional, 1, 0x1000, Some(0x1000)), 0x110),
    ];
    for (place, (event, time)) in steps.iter().enumerate() {
        if place == 2 {
            encoder.turn(Turn::Synchronise(Synchronisation::Periodic), &mut text);
        }
        if place == 3 {
            encoder.turn(Turn::End, &mut text);
        }
        encoder.event(event, &mut text).unwrap();
        encoder.detail(Detail::Time(*time), &mut text).unwrap();
        encoder.detail(Detail::Complete, &mut text).unwrap();
    }
    encoder.flush(&mut text);
    let records = [
        "111111_11 001001_00 000001_01 000000_00 100000_01 110000_00 000011_11",
        "000010_00 001100_11",
        // Five cycles later.
        "011100_00 001000_01 010000_01 000001_01 000101_11",
        // The whole time of eight bits.
        "011101_00 000010_00 000010_01 000000_00 100000_01 000001_01 000111_11",
        "000010_00 001100_11",
        // What ends here retired at the time of the last message.
        "100001_00 010100_00 000000_01 000001_01 000000_11 001000_00 000000_11",
        "111111_11 001001_00 000111_01 000000_00 100000_01 010000_11",
        "000010_00 001100_11",
        "100001_00 010100_00 000010_01 000011_01 000000_11",
    ];
    let expected: Vec<String> = records.iter().map(|record| bytes(record)).collect();
    assert_eq!(text.0.trim_end(), expected.join(" "));
}

/// The time of each message is the number of instructions that its events have, modulo the width of the time.
#[test]
fn times_come_back() {
    let (mut count, mut exact) = (0, 0);
    for seed in 0..40 {
        let (machine, mut events) = synthetic(seed, 3_000);
        let program = learn(machine, &mut events);
        let preset = ["ntrace-htm", "ntrace-btm"][seed as usize % 2];
        let (bits, source) =
            [("40", "counter"), ("9", "gray"), ("64", "binary"), ("12", "counter")]
                [seed as usize / 2 % 4];
        let changes = [&[("time_bits", bits), ("time_source", source)], CHANGES[seed as usize % 3]];
        let design = switched(preset, &changes.concat(), machine);
        let (trace, _) = encode(&design, &events, if seed % 5 == 0 { 97 } else { events.len() });
        let mut times = Vec::new();
        let mut unpacker = BitUnpacker::new(trace.as_slice());
        let stamp = |TimeStamp { core, clock, events, .. }| {
            times.push((clock, events));
            assert_eq!(core, 0);
            Ok::<_, Box<dyn Error>>(())
        };
        let emit = |_| Ok::<_, Box<dyn Error>>(());
        scheme::decode_timed(&design, &program, &mut unpacker, u64::MAX, emit, stamp).unwrap();
        let mut instructions = vec![0];
        for event in &events {
            instructions.push(instructions[instructions.len() - 1] + event.instructions);
        }
        let mask = tracewright_sim::config::mask(bits.parse().unwrap());
        for (time, known) in times {
            // A message with which the trace begins is known before its event is, and straight runs are told later.
            let fits = instructions[known as usize..].iter().take(60).any(|at| at & mask == time);
            assert!(fits, "{preset}, seed {seed}: time {time} after {known} events");
            (count, exact) =
                (count + 1, exact + u32::from(instructions[known as usize] & mask == time));
        }
    }
    assert!(count > 10_000 && 2 * exact > count, "{exact} of {count} times");
}

const CHANGES: [&[(&str, &str)]; 3] = [
    &[("privilege_bits", "2"), ("count_bits", "8")],
    &[("return_stack_entries", "4"), ("repeat_bits", "5"), ("history_bits", "3")],
    &[("privilege_bits", "2"), ("context_bits", "16"), ("repeat_bits", "2")],
];

fn switched(preset: &str, changes: &[(&str, &str)], machine: Machine) -> Design {
    let mut design = Design::preset(preset).unwrap();
    design.set("enable_pin", "true").unwrap();
    design.set("address_width", &machine.address_bits.to_string()).unwrap();
    for (name, value) in changes {
        design.set(name, value).unwrap();
    }
    design.for_machine(machine).unwrap()
}

/// The events of a trace, and the error that ends it.
fn decoded(design: &Design, program: &Program, trace: &[u8]) -> (Vec<Event>, Option<String>) {
    let mut events = Vec::new();
    let mut bits = BitUnpacker::new(trace);
    let result = scheme::decode(design, program, &mut bits, u64::MAX, |event| {
        events.push(described(&event));
        Ok::<_, Box<dyn Error>>(())
    });
    (events, result.err().map(|error| error.to_string()))
}

#[test]
fn requests_change_no_event() {
    for seed in 0..60 {
        let (machine, mut events) = synthetic(seed, 3_000);
        let program = learn(machine, &mut events);
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        for (preset, changes) in
            ["ntrace-htm", "ntrace-btm"].into_iter().zip(CHANGES.iter().cycle().skip(seed as usize))
        {
            let design = switched(preset, changes, machine);
            let mut encoder = scheme::Encoder::new(&design).unwrap();
            let mut bits = BitPacker::new();
            for event in &events {
                if random.random_range(0..20) == 0 {
                    encoder.turn(Turn::Synchronise(Synchronisation::Periodic), &mut bits);
                }
                encoder.event(event, &mut bits).unwrap();
                let privilege = random.random_range(0..4);
                let state = ExecutionState { privilege, context: 0, cause: None };
                encoder.detail(Detail::State(state), &mut bits).unwrap();
                encoder.detail(Detail::Complete, &mut bits).unwrap();
                if random.random_range(0..200) == 0 {
                    encoder.flush(&mut bits);
                }
            }
            encoder.flush(&mut bits);
            let (found, error) = decoded(&design, &program, &bits.finish());
            assert_eq!(error, None, "{preset}, seed {seed}");
            let expected: Vec<Event> = events.iter().map(described).collect();
            assert!(found == expected, "{preset}, seed {seed}");
        }
    }
}

#[test]
fn a_loss_ends_a_trace_for_our_decoder() {
    for seed in 0..30 {
        let (machine, mut events) = synthetic(seed, 1_000);
        let program = learn(machine, &mut events);
        for (preset, changes) in ["ntrace-htm", "ntrace-btm"].into_iter().zip(CHANGES) {
            let mut design = switched(preset, changes, machine);
            design.set("when_full", "drop").unwrap();
            let mut encoder = scheme::Encoder::new(&design).unwrap();
            let mut bits = BitPacker::new();
            let (before, rest) = events.split_at(100 + seed as usize);
            for event in before {
                encoder.event(event, &mut bits).unwrap();
            }
            encoder.turn(Turn::End, &mut bits);
            for event in &rest[10..] {
                encoder.event(event, &mut bits).unwrap();
            }
            encoder.flush(&mut bits);
            let (found, error) = decoded(&design, &program, &bits.finish());
            let error = error.unwrap_or_default();
            assert!(error.ends_with("blocks were lost"), "{preset}: {error}");
            let expected: Vec<Event> = before.iter().map(described).collect();
            assert!(found == expected, "{preset}, seed {seed}: {} events", found.len());
        }
    }
}
