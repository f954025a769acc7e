//! Dumps of an encoder that is switched off and on, loses blocks, and begins anew in the middle: each part is decoded,
//! with the privilege level, the context and the causes that the encoder was told.

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_import::e_trace::{Encoder as Parameters, Reason};
use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::event::{Event, ExecutionState, Item, Kind, Machine};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::scheme::{Design, Encoder};
use tracewright_sim::session::{Detail, Session, Synchronisation, Turn};

use crate::e_trace::{Compared, Learned, are_found, decode, random_programs, told, workload};

/// Events between two that switch tracing off, between two that ask for a start, and between two that lead to another level
/// without an exception.
const PERIODS: (u64, u64, u64) = (300, 40, 20);
/// Bits of the context, and of a cause without the bit of an interrupt.
const WIDTHS: (u32, u32) = (12, 6);

/// A part of an execution that is traced: its events, each with the state in which it happens and the cause of an exception.
#[derive(Default)]
struct Part {
    events: Vec<Event>,
    states: Vec<ExecutionState>,
    /// Blocks are lost after it, and perhaps its last events.
    is_lost: bool,
}

fn design(machine: Machine) -> Design {
    let mut design = Design::preset("etrace-base").unwrap();
    for (name, value) in [
        ("enable_pin", "true".to_owned()),
        ("when_full", "drop".into()),
        ("resync_max", "6".into()),
        ("privilege_bits", "2".into()),
        ("context_bits", WIDTHS.0.to_string()),
        ("cause_bits", (WIDTHS.1 + 1).to_string()),
        ("address_width", machine.address_bits.to_string()),
    ] {
        design.set(name, &value).unwrap();
    }
    design.for_machine(machine).unwrap()
}

/// The state after an event: an exception leads to the machine's level, an indirect jump perhaps to another.
fn after(event: &Event, now: ExecutionState, random: &mut ChaCha8Rng) -> ExecutionState {
    let now = ExecutionState { cause: None, ..now };
    if event.kind == Kind::Exception && event.taken {
        let cause = random.random_range(0..2 << WIDTHS.1);
        return ExecutionState { privilege: 3, cause: Some(cause), ..now };
    }
    if event.kind == Kind::IndirectJump && random.random_range(0..PERIODS.2) == 0 {
        let privilege = *[0, 1, 3].choose(random).unwrap();
        return ExecutionState { privilege, context: random.random_range(0..3), ..now };
    }
    now
}

/// The dump, and the parts of the execution in it.
fn encode(machine: Machine, events: &[Event], seed: u64) -> (Vec<u8>, Vec<Part>) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut encoder = Encoder::new(&design(machine)).unwrap();
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
        part.states.push(ExecutionState { cause: now.cause, ..before });
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

/// The place in a part of the first event that the encoder tells: it begins with the first block that may change the flow, or
/// at the handler of an exception before it.
fn begun(part: &Part) -> usize {
    let is_untold =
        |event: &&Event| event.kind == Kind::Exception && (!event.taken || event.instructions == 0);
    part.events.iter().take_while(is_untold).count()
}

/// True if there is more than exceptions.
fn is_more(events: &[Compared]) -> bool {
    events.iter().any(|(_, kind, ..)| *kind != Kind::Exception)
}

/// The state of an event. That of an exception where nothing has retired is not told, but its cause.
fn of_event(event: &Event, state: ExecutionState) -> ExecutionState {
    let is_told = event.kind != Kind::Exception || event.instructions > 0;
    if is_told { state } else { ExecutionState { cause: state.cause, ..ExecutionState::default() } }
}

/// The states of the events that a dump tells, and the cause of the exception of each.
fn told_states(events: &[Event], states: &[ExecutionState]) -> Vec<ExecutionState> {
    let mut all: Vec<ExecutionState> = Vec::new();
    let mut was_exception = false;
    for (event, state) in events.iter().zip(states) {
        let is_exception = event.kind == Kind::Exception;
        if is_exception && !event.taken {
            continue;
        }
        match all.last_mut() {
            Some(last) if was_exception && is_exception && event.instructions == 0 => {
                last.cause = state.cause;
            }
            _ => all.push(of_event(event, *state)),
        }
        was_exception = is_exception;
    }
    all
}

/// The same as the items of a part say it.
fn found_states(items: &[Item], learned: &Learned) -> Vec<ExecutionState> {
    let mut states: Vec<ExecutionState> = Vec::new();
    let mut now = ExecutionState::default();
    for item in items {
        match item {
            Item::State(state) => {
                now = ExecutionState { cause: None, ..*state };
                if let Some(last) = states.last_mut().filter(|_| state.cause.is_some()) {
                    last.cause = state.cause;
                }
            }
            Item::Event(event) if !learned.without_runs(&[*event]).is_empty() => {
                states.push(of_event(event, now));
            }
            Item::Event(_) | Item::Access(_) | Item::Cycles(_) => {}
        }
    }
    states
}

#[track_caller]
fn are_decoded(machine: Machine, events: &[Event], seed: u64, what: &str) -> usize {
    let (dump, mut encoded) = encode(machine, events, seed);
    let parameters = Parameters {
        nocontext_p: 0,
        context_width_p: WIDTHS.0,
        ecause_width_p: WIDTHS.1,
        ..Parameters::default()
    };
    let learned = Learned::of(events);
    let (parts, _) = decode(&dump, &parameters, &learned, machine);
    let losses = encoded.iter().filter(|part| part.is_lost).count();
    let lost = parts.gaps.iter().filter(|gap| gap.reason == Reason::Lost).count();
    assert_eq!(lost, losses, "{what}: {:?}", parts.gaps);
    let is_known = |reason: &Reason| matches!(reason, Reason::Off | Reason::Lost);
    assert!(parts.gaps.iter().all(|gap| is_known(&gap.reason)), "{what}: {:?}", parts.gaps);
    encoded.retain(|part| is_more(&told(&part.events[begun(part)..])));
    let found =
        (0..parts.items.len()).map(|part| (part, learned.without_runs(&parts.events(part))));
    let found: Vec<_> = found.filter(|(_, events)| is_more(events)).collect();
    assert_eq!(found.len(), encoded.len(), "{what}: parts");
    for ((number, found), part) in found.iter().zip(&encoded) {
        let what = format!("{what}: part {number}");
        let first = begun(part);
        // It begins with an exception after no instruction.
        let mut all = told(&part.events[first..]);
        // The last one before a loss may be lost as well.
        if part.is_lost && found.len() <= all.len() {
            all.pop();
        }
        are_found(&found[1..], &all, &what);
        let found = found_states(&parts.items[*number], &learned);
        let expected = told_states(&part.events[first..], &part.states[first..]);
        let same = found[1..].iter().zip(&expected).take_while(|(one, other)| one == other).count();
        // What comes after the last instruction is in no payload.
        let least = expected.len().min(found.len() - 1).saturating_sub(1);
        let at = (found.get(same + 1), expected.get(same), part.events.get(first + same));
        assert!(same >= least, "{what}: state {same} of {least}: {at:x?}");
    }
    encoded.len()
}

#[test]
fn parts_of_traces_of_riscv_are_decoded() {
    for (seed, name) in (1..).zip(["rv32imac-traps", "rv64-djpeg", "rv64-stringsearch"]) {
        let (machine, mut events) = workload(&format!("{name}.pet.zst"));
        events.truncate(200_000);
        let parts = are_decoded(machine, &events, seed, name);
        assert!(parts > 100, "{name}: {parts} parts");
    }
}

#[test]
fn parts_of_random_programs_are_decoded() {
    let mut parts = 0;
    for (seed, machine, events) in random_programs(400) {
        parts += are_decoded(machine, &events, seed, &format!("seed {seed}"));
    }
    assert!(parts > 1_000, "{parts} parts");
}
