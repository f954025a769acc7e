//! Right dumps in which messages are replaced by others that nobody knows: kinds, codes and values that the standards leave
//! to vendors or to the future. No instruction is given out that did not run.
//!
//! `LONG_TESTS` in the environment makes 100,000 cases of each standard, else there are 2,000.

use rand::seq::IndexedRandom;
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;
use tracewright_import::{e_trace, n_trace};
use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::event::{Event, Kind, Machine};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::program::Program;
use tracewright_sim::scheme::{Design, Encoder};
use tracewright_sim::session::{Session, Synchronisation, Turn};

use crate::e_trace::{Parts, image, parameters, workload};
use crate::n_trace_messages::message;

/// Events of the dump, and between two requests for a synchronisation.
const EVENTS: (usize, usize) = (2_500, 150);

/// Cases of one of so many designs of a standard.
fn cases(designs: usize) -> u64 {
    let all = if std::env::var_os("LONG_TESTS").is_some() { 100_000 } else { 2_000 };
    all / designs as u64
}

/// The dump of a design that is asked for synchronisations.
fn encode(preset: &str, changes: &[(&str, &str)], machine: Machine, events: &[Event]) -> Vec<u8> {
    let mut design = Design::preset(preset).unwrap();
    let always = [("enable_pin", "true"), ("trace_port_width", "8")];
    for (name, value) in always.iter().chain(changes) {
        design.set(name, value).unwrap();
    }
    design.set("address_width", &machine.address_bits.to_string()).unwrap();
    let mut encoder = Encoder::new(&design.for_machine(machine).unwrap()).unwrap();
    let mut bits = BitPacker::new();
    for (place, event) in events.iter().enumerate() {
        if place % EVENTS.1 == EVENTS.1 - 1 {
            encoder.turn(Turn::Synchronise(Synchronisation::Periodic), &mut bits);
        }
        encoder.event(event, &mut bits).unwrap();
    }
    encoder.flush(&mut bits);
    bits.finish()
}

/// Where the execution goes on after an event; `None` if the event does not say it.
fn next(event: &Event) -> Option<u64> {
    event.taken.then_some(event.target)
}

/// An event at the end of a part, after which the execution is not known.
fn is_rest(event: &Event) -> bool {
    event.kind == Kind::Exception && !event.taken
}

/// The place in `ran` after the events of a part, which begin at `from` or later.
fn place_of(part: &[Event], ran: &[Event], from: usize) -> Option<usize> {
    // A part begins with an exception after no instruction.
    let (first, events) = part.split_first()?;
    let rest = events.last().filter(|event| is_rest(event));
    let whole = &events[..events.len() - usize::from(rest.is_some())];
    (from..=ran.len() - whole.len()).find_map(|start| {
        let before = start.checked_sub(1).and_then(|before| next(&ran[before]));
        let end = start + whole.len();
        let begins = match whole.first() {
            Some(one) if one.instructions < ran[start].instructions => is_end_of(one, &ran[start]),
            Some(one) => {
                before.is_none_or(|next| next == first.target)
                    && (*one == ran[start] || is_end_of(one, &ran[start]))
            }
            None => true,
        };
        let are_same = begins && whole.iter().zip(&ran[start..end]).skip(1).all(|(a, b)| a == b);
        let is_in = |event: &Event, rest: &Event| {
            rest.instructions == 0
                || event.instructions >= rest.instructions
                    && event.program_counter >= rest.program_counter
        };
        let follows = rest.is_none_or(|rest| match whole.is_empty() {
            true => ran.iter().any(|event| is_in(event, rest)),
            false => ran.get(end).is_some_and(|event| is_in(event, rest)),
        });
        (are_same && follows).then_some(end)
    })
}

/// The same event of a part that begins later in its run: an exception right there is of no known instruction.
fn is_end_of(one: &Event, other: &Event) -> bool {
    let is_bare = one.instructions == 0 && one.kind == Kind::Exception;
    let whole = Event { instructions: other.instructions, ..*one };
    whole == *other || is_bare && one.target == other.target
}

/// Fails if the parts have an instruction that did not run, or one that ran only before.
#[track_caller]
fn have_run(parts: &Parts, ran: &[Event], what: &str) {
    let mut from = 0;
    for part in 0..parts.items.len() {
        let events = parts.events(part);
        if events.is_empty() {
            continue;
        }
        from = place_of(&events, ran, from).unwrap_or_else(|| {
            panic!(
                "{what}: part {part} of {}: {:x?}",
                parts.items.len(),
                &events[..events.len().min(3)]
            )
        });
    }
}

/// Replaces messages, and decodes.
#[track_caller]
fn nothing_is_invented(
    (name, seed, cases): (&str, u64, u64),
    messages: &[Vec<u8>],
    decode: impl Fn(&[u8]) -> Parts,
    unknown: impl Fn(&mut ChaCha8Rng, &[u8]) -> Vec<u8>,
) {
    let ran = decode(&messages.concat());
    assert_eq!(ran.gaps, [], "{name}");
    let ran = ran.events(0);
    assert!(ran.len() >= EVENTS.0, "{name}: {} events", ran.len());
    let (mut events, mut all) = (0, 0);
    for case in 0..cases {
        let mut random = ChaCha8Rng::seed_from_u64(seed << 32 | case);
        let mut changed = messages.to_vec();
        for _ in 0..random.random_range(1..4) {
            let place = random.random_range(1..messages.len());
            changed[place] = unknown(&mut random, &messages[place]);
        }
        let parts = decode(&changed.concat());
        have_run(&parts, &ran, &format!("{name}, case {case}"));
        assert!(!parts.gaps.is_empty(), "{name}, case {case}");
        events += (0..parts.items.len()).map(|part| parts.events(part).len()).sum::<usize>();
        all += ran.len();
    }
    // What is not lost is given out.
    assert!(2 * events > all, "{name}: {events} of {all} events");
}

/// Kinds of messages (TCODE) that are read.
const KNOWN: [u64; 16] = [2, 3, 4, 7, 8, 9, 11, 12, 23, 27, 28, 29, 30, 33, 34, 35];

/// One of the values of four bits that are not in a list.
fn reserved(random: &mut ChaCha8Rng, known: &[u64]) -> u64 {
    loop {
        let value = random.random_range(0..16);
        if !known.contains(&value) {
            return value;
        }
    }
}

/// A message of N-Trace that is not known, in place of another.
fn unknown_message(random: &mut ChaCha8Rng, right: &[u8]) -> Vec<u8> {
    let mut number = |most: u32| random.next_u64() >> random.random_range(64 - most..64);
    let (count, address, history) = (number(20), number(31), number(31) | 1);
    let fields: Vec<u64> = (0..4).map(|_| number(40)).collect();
    match random.random_range(0..9) {
        0 | 1 => {
            let code = (0..63).filter(|code| !KNOWN.contains(code)).collect::<Vec<u64>>();
            let fields = &fields[..random.random_range(1..4)];
            message(&[(*code.choose(random).unwrap(), 6)], fields)
        }
        2 => {
            let code = reserved(random, &[0, 1, 2, 8, 9]);
            message(&[(27, 6), (code, 4)], &fields[..random.random_range(1..3)])
        }
        3 => {
            let sync = (reserved(random, &[0, 1, 2, 3, 4, 5, 6, 7, 9]), 4);
            match random.random_range(0..4) {
                0 => message(&[(9, 6), sync], &[count, address]),
                1 => message(&[(11, 6), sync], &[count, address]),
                2 => message(&[(12, 6), sync, (0, 2)], &[count, address]),
                _ => message(&[(29, 6), sync, (0, 2)], &[count, address, history]),
            }
        }
        4 => {
            let event = reserved(random, &[0, 1, 4, 8]);
            message(&[(33, 6), (event, 4), (1, 2)], &[count, history])
        }
        5 => message(&[(33, 6), (4, 4), (random.random_range(2..4), 2)], &[count, history]),
        6 => {
            let (format, level) = *[(1, 0), (0, 2), (2, 2)].choose(random).unwrap();
            message(&[(2, 6), (format, 2), (level, 2)], &[fields[0] & 0xfffe])
        }
        7 => {
            // No history, and counts that no message has.
            let wrong = [[count, address, 0], [count | 1 << 22, address, history]];
            message(&[(28, 6), (0, 2)], wrong.choose(random).unwrap())
        }
        _ => {
            // Two fields that the message does not have.
            let mut longer = right.to_vec();
            let end = longer.iter().position(|byte| byte & 3 == 3).unwrap();
            longer.truncate(end + 1);
            longer[end] &= !2;
            longer.extend([0x05, 0x07]);
            longer
        }
    }
}

fn decode_n_trace(dump: &[u8], code: &impl e_trace::Code, machine: Machine) -> Parts {
    crate::n_trace::decode(dump, &n_trace::Encoder::default(), code, machine).0
}

#[test]
fn nothing_is_invented_for_messages_of_n_trace() {
    let (machine, mut events) = workload("rv32imac-traps.pet.zst");
    events.truncate(EVENTS.0);
    let image = Arc::new(image("rv32imac-traps.elf"));
    let program = Program::of_code(machine, image.clone(), None).unwrap();
    let events: Vec<Event> = events.iter().map(|event| program.with_length(*event)).collect();
    let designs: [(&str, &[(&str, &str)]); 4] = [
        ("ntrace-htm", &[("exact_lengths", "true")]),
        (
            "ntrace-htm",
            &[("exact_lengths", "true"), ("return_stack_entries", "8"), ("repeat_bits", "4")],
        ),
        ("ntrace-btm", &[("exact_lengths", "true"), ("privilege_bits", "2")]),
        ("ntrace-htm", &[("exact_lengths", "true"), ("history_bits", "5"), ("count_bits", "8")]),
    ];
    let parameters = n_trace::Encoder::default();
    for (seed, (preset, changes)) in (1..).zip(designs) {
        let dump = encode(preset, changes, machine, &events);
        let found = n_trace::Messages::of(&dump, &parameters).unwrap();
        let mut starts: Vec<usize> = found.map(|(offset, _)| offset as usize).collect();
        starts.push(dump.len());
        let messages: Vec<_> =
            starts.windows(2).map(|ends| dump[ends[0]..ends[1]].to_vec()).collect();
        let decode = |dump: &[u8]| decode_n_trace(dump, &*image, machine);
        nothing_is_invented(
            (preset, seed, cases(designs.len())),
            &messages,
            decode,
            unknown_message,
        );
    }
}

/// A payload of E-Trace that is not known, in place of another, with its header.
fn unknown_payload(random: &mut ChaCha8Rng, right: &[u8]) -> Vec<u8> {
    // A support payload goes on with the options of data trace.
    let is_support = right[1] & 0xf == 0xf;
    let payload = match random.random_range(if is_support { 0..2 } else { 0..3 }) {
        // Format 0, whose tables the encoder does not have.
        0 => (random.next_u64() << 2).to_le_bytes().to_vec(),
        // Format 3, subformat 3, with a mode of the encoder that is no branch trace.
        1 => vec![0x3f | random.random::<u8>() << 6, 0],
        // Bytes after the fields.
        _ => {
            let length = usize::from(right[0] & 0x1f);
            let mut payload = right[1..=length].to_vec();
            let most = 20 - payload.len().min(16);
            payload.resize(payload.len() + most, 0x5a);
            payload
        }
    };
    let mut bytes = vec![right[0] & !0x1f | payload.len() as u8];
    bytes.extend(payload);
    bytes
}

#[test]
fn nothing_is_invented_for_payloads_of_e_trace() {
    let (machine, mut events) = workload("rv32imac-traps.pet.zst");
    events.truncate(EVENTS.0);
    let image = image("rv32imac-traps.elf");
    let parameters = parameters([0, 0, 0]);
    let designs = [&[][..], &[("privilege_bits", "2"), ("resync_max", "6")]];
    for (seed, changes) in (1..).zip(designs) {
        let dump = encode("etrace-base", changes, machine, &events);
        let mut frames = e_trace::Frames::of(&dump, &parameters).unwrap();
        let mut starts = vec![0];
        while frames.next().is_some() {
            starts.push(frames.offset() as usize);
        }
        let payloads: Vec<_> =
            starts.windows(2).map(|ends| dump[ends[0]..ends[1]].to_vec()).collect();
        let decode = |dump: &[u8]| crate::e_trace::decode(dump, &parameters, &image, machine).0;
        nothing_is_invented(
            ("etrace-base", seed, cases(designs.len())),
            &payloads,
            decode,
            unknown_payload,
        );
    }
}
