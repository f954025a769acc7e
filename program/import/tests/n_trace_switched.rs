//! Dumps of N-Trace of an encoder that is switched off and on, loses blocks, and synchronises in the middle: each part is
//! decoded, with the privilege level and the context that the encoder was told.

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_import::e_trace::Reason;
use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::event::{Event, ExecutionState, Item, Kind, Machine};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::scheme::{Design, Encoder};
use tracewright_sim::session::{Detail, Session, Synchronisation, Turn};

use crate::e_trace::{Compared, are_found, compared, random_programs, workload};
use crate::n_trace::{Learned, decode, exact, ours, told};

/// Events between two that switch tracing off or lose blocks, between two that ask for a synchronisation, and between two
/// indirect jumps that lead to another level.
const PERIODS: (u64, u64, u64) = (300, 40, 20);

/// A part of an execution that is traced: its events, each with the state in which it happens.
#[derive(Default)]
struct Part {
    events: Vec<Event>,
    states: Vec<ExecutionState>,
    /// Blocks are lost after it.
    is_lost: bool,
}

type Changes<'a> = &'a [(&'a str, &'a str)];

const DESIGNS: [(&str, Changes<'_>); 3] = [
    ("ntrace-htm", &[("context_bits", "12")]),
    ("ntrace-htm", &[("return_stack_entries", "4"), ("repeat_bits", "6"), ("count_bits", "8")]),
    ("ntrace-btm", &[("context_bits", "1"), ("repeat_bits", "3")]),
];

fn design((preset, changes): (&str, Changes<'_>), machine: Machine) -> Design {
    let mut design = Design::preset(preset).unwrap();
    let always = [
        ("enable_pin", "true"),
        ("when_full", "drop"),
        ("privilege_bits", "2"),
        ("trace_port_width", "8"),
    ];
    for (name, value) in always.iter().chain(changes) {
        design.set(name, value).unwrap();
    }
    design.set("address_width", &machine.address_bits.to_string()).unwrap();
    design.for_machine(machine).unwrap()
}

/// The state after an event: an exception leads to the machine's level, an indirect jump perhaps to another.
fn after(event: &Event, now: ExecutionState, random: &mut ChaCha8Rng) -> ExecutionState {
    if event.kind == Kind::Exception && event.taken {
        return ExecutionState { privilege: 3, ..now };
    }
    // A return that is inferred has no message.
    let may_change = event.kind == Kind::IndirectJump && !event.is_return;
    if may_change && random.random_range(0..PERIODS.2) == 0 {
        let privilege = *[0, 1, 3].choose(random).unwrap();
        return ExecutionState { privilege, context: random.random_range(0..2), ..now };
    }
    now
}

/// The dump, and the parts of the execution in it.
fn encode(design: &Design, events: &[Event], seed: u64) -> (Vec<u8>, Vec<Part>) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut encoder = Encoder::new(design).unwrap();
    let (mut bits, mut parts) = (BitPacker::new(), vec![Part::default()]);
    let mut now = ExecutionState { privilege: 3, ..ExecutionState::default() };
    // Tracing is off at reset.
    encoder.flush(&mut bits);
    let mut left_out = 0;
    for event in events {
        let before = now;
        now = after(event, now, &mut random);
        if left_out > 0 {
            left_out -= 1;
            encoder.detail(Detail::State(now), &mut bits).unwrap();
            continue;
        }
        if random.random_range(0..PERIODS.1) == 0 {
            encoder.turn(Turn::Synchronise(Synchronisation::Periodic), &mut bits);
        }
        encoder.event(event, &mut bits).unwrap();
        encoder.detail(Detail::State(now), &mut bits).unwrap();
        let part = parts.last_mut().unwrap();
        part.events.push(*event);
        part.states.push(before);
        if random.random_range(0..PERIODS.0) == 0 {
            part.is_lost = random.random();
            if part.is_lost {
                encoder.turn(Turn::End, &mut bits);
            } else {
                encoder.flush(&mut bits);
            }
            parts.push(Part::default());
            left_out = random.random_range(0..50);
        }
    }
    encoder.flush(&mut bits);
    (bits.finish(), parts)
}

/// The first event that the encoder tells: it begins with the first block that may change the flow, or at the handler of an
/// exception before it.
fn begun(part: &Part) -> usize {
    let is_straight = |event: &&Event| event.kind == Kind::Exception && !event.taken;
    let straight = part.events.iter().take_while(is_straight).count();
    let has_run = part.events[..straight].iter().any(|event| event.instructions > 0);
    let is_first = part
        .events
        .get(straight)
        .is_some_and(|event| event.kind == Kind::Exception && event.instructions == 0 && !has_run);
    straight + usize::from(is_first)
}

/// True if there is more than exceptions.
fn is_more(events: &[Compared]) -> bool {
    events.iter().any(|(_, kind, ..)| *kind != Kind::Exception)
}

/// The level and the context of an event; of none where nothing has retired.
fn of_event(event: &Event, state: ExecutionState, has_context: bool) -> Option<(u8, u64)> {
    let context = if has_context { state.context } else { 0 };
    (event.instructions > 0).then_some((state.privilege, context))
}

#[track_caller]
fn are_decoded(
    (preset, changes): (&str, Changes<'_>),
    (machine, events): (Machine, &[Event]),
    seed: u64,
    what: &str,
) -> usize {
    let design = design((preset, changes), machine);
    let has_context = design.protocol().context_bits > 0;
    let (dump, mut encoded) = encode(&design, events, seed);
    let has_lengths = design.reads_lengths();
    let parameters = ours(machine, has_lengths);
    let learned = Learned::of(machine, events, has_lengths);
    let (parts, _) = decode(&dump, &parameters, &learned, machine);
    let losses = encoded.iter().filter(|part| part.is_lost).count();
    let lost = parts.gaps.iter().filter(|gap| gap.reason == Reason::Lost).count();
    assert_eq!(lost, losses, "{what}: {:?}", parts.gaps);
    let is_known = |reason: &Reason| matches!(reason, Reason::Off | Reason::Lost);
    assert!(parts.gaps.iter().all(|gap| is_known(&gap.reason)), "{what}: {:?}", parts.gaps);
    encoded.retain(|part| is_more(&told(&part.events[begun(part)..])));
    let found = (0..parts.items.len()).map(|part| (part, parts.events(part)));
    let found: Vec<_> = found
        .map(|(part, events)| (part, events.iter().map(compared).collect::<Vec<_>>()))
        .filter(|(_, events)| is_more(events))
        .collect();
    assert_eq!(found.len(), encoded.len(), "{what}: parts");
    for ((number, found), part) in found.iter().zip(&encoded) {
        let what = format!("{what}: part {number}");
        let first = begun(part);
        // It begins with an exception after no instruction.
        let found = learned.without_steps(found[1..].to_vec());
        are_found(&found, &learned.without_steps(told(&part.events[first..])), &what);
        let is_told = |event: &Event| event.kind != Kind::Exception || event.taken;
        let expected = part.events.iter().zip(&part.states).skip(first);
        let expected: Vec<_> = expected
            .filter(|(event, _)| is_told(event))
            .map(|(event, state)| of_event(event, *state, has_context))
            .collect();
        let mut now = ExecutionState::default();
        let mut states = Vec::new();
        for item in &parts.items[*number] {
            match item {
                Item::State(state) => now = *state,
                Item::Event(event) => states.push(of_event(event, now, has_context)),
                Item::Access(_) | Item::Cycles(_) => {}
            }
        }
        let least = expected.len().min(states.len() - 1);
        let same =
            states[1..].iter().zip(&expected).take_while(|(one, other)| one == other).count();
        assert_eq!(same, least, "{what}: {:?}, {:?}", states.get(same + 1), expected.get(same));
    }
    encoded.len()
}

#[test]
fn parts_of_a_trace_of_riscv_are_decoded() {
    let (machine, mut events) = workload("rv32imac-traps.pet.zst");
    events.truncate(60_000);
    for (seed, design) in (1..).zip(DESIGNS) {
        let parts = are_decoded(design, (machine, &events), seed, design.0);
        assert!(parts > 100, "{}: {parts} parts", design.0);
    }
}

#[test]
fn parts_of_random_programs_are_decoded() {
    let mut parts = 0;
    for (seed, machine, events) in random_programs(200) {
        for (preset, changes) in DESIGNS {
            let what = format!("{preset}, seed {seed}");
            let changes = if seed.is_multiple_of(2) { exact(changes) } else { changes.to_vec() };
            parts += are_decoded((preset, &changes), (machine, &events), seed, &what);
        }
    }
    assert!(parts > 1_000, "{parts} parts");
}
