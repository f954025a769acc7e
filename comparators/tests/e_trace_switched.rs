//! E-Trace that is switched off and on, loses blocks, begins anew in the middle and says the time: the crate `riscv-etrace` as
//! published reads it.

use std::collections::BTreeSet;
use std::num::NonZeroU8;

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use riscv_etrace::config::Parameters;
use tracewright_sim::config::mask;
use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::event::{Event, ExecutionState, Kind};
use tracewright_sim::filter::{Filter, Mode, Range, Settings};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::packet::header::Next;
use tracewright_sim::scheme::{Design, Encoder};
use tracewright_sim::session::{Detail, Session, Synchronisation, Turn};

use crate::common::Execution;
use crate::e_trace::parameters;
use crate::e_trace_scheme::{
    Traced, fewest_programs, passes, random_programs, riscv_traces, stops, traced_by_crate,
};

/// Events between two that switch tracing off, between two that ask for a start, and between two that lead to another level
/// without an exception.
const PERIODS: (u64, u64, u64) = (300, 40, 20);
/// Bits of the context, and of a cause without the bit of an interrupt.
const WIDTHS: (u8, u8) = (12, 6);

/// Bits of the time in one trace after the other: more than any execution has instructions, or none.
const TIME_WIDTHS: [u8; 3] = [0, 37, 64];

/// Privilege level and context.
type State = (u8, u64);

/// An exception as the trace says it: its cause, and what it says beside that; an interrupt says nothing.
type Told = (u16, Option<u64>);

/// A part of an execution that is traced.
#[derive(Default)]
struct Part {
    /// Where it begins, if a run that is left out leads there.
    begins: Option<u64>,
    events: Vec<Event>,
    /// Privilege level and context of each event.
    levels: Vec<State>,
    /// Exceptions, each with the states before and after it.
    traps: Vec<(Told, State, State)>,
    /// Blocks are lost after it, and perhaps its last events.
    is_lost: bool,
}

fn design(execution: &Execution, time_bits: u8, trap_values: bool) -> Design {
    let mut design = Design::preset("etrace-base").unwrap();
    for (name, value) in [
        ("enable_pin", "true".to_owned()),
        ("when_full", "drop".into()),
        ("resync_max", "7".into()),
        ("filter_ranges", "1".into()),
        ("filter_privilege", "true".into()),
        ("privilege_bits", "2".into()),
        ("context_bits", WIDTHS.0.to_string()),
        ("cause_bits", (WIDTHS.1 + 1).to_string()),
        ("time_bits", time_bits.to_string()),
        ("trap_values", trap_values.to_string()),
        ("address_width", execution.core.machine.address_bits.to_string()),
    ] {
        design.set(name, &value).unwrap();
    }
    design.for_machine(execution.core.machine).unwrap()
}

/// Half of the traces with each time say what exceptions say.
fn has_trap_values(seed: u64) -> bool {
    (seed / 3).is_multiple_of(2)
}

/// What an exception says, of any length and either sign.
fn trap_value(random: &mut ChaCha8Rng, execution: &Execution) -> u64 {
    let width = execution.core.machine.address_bits.into();
    let value = random.random::<u64>() & mask(random.random_range(0..=width));
    (if random.random() { value } else { !value }) & mask(width)
}

fn time_bits(seed: u64) -> u8 {
    TIME_WIDTHS[(seed % 3) as usize]
}

/// The state after an event: an exception leads to the machine's level, an indirect jump perhaps to another.
fn after(event: &Event, mut now: ExecutionState, random: &mut ChaCha8Rng) -> ExecutionState {
    now.cause = None;
    if event.kind == Kind::Exception && event.taken {
        // The crate keeps the outcome of a branch before an interrupt, which the decoder of the specification forgets.
        let kinds = if event.instructions > 0 { 2 } else { 1 };
        let cause = random.random_range(0..kinds << WIDTHS.1);
        return ExecutionState { privilege: 3, cause: Some(cause), ..now };
    }
    if event.kind == Kind::IndirectJump && random.random_range(0..PERIODS.2) == 0 {
        let privilege = *[0, 1, 3].choose(random).unwrap();
        return ExecutionState { privilege, context: random.random_range(0..3), ..now };
    }
    now
}

/// A filter that lets most of an execution pass, or everything.
fn filter(execution: &Execution, random: &mut ChaCha8Rng) -> Settings {
    let around = execution.events.choose(random).map_or(0, |event| event.program_counter);
    let bytes = random.random_range(0..200);
    let most = mask(execution.core.machine.address_bits.into());
    let (low, high) = (around.saturating_sub(bytes), around.saturating_add(bytes).min(most));
    match random.random_range(0..3) {
        0 => Settings::default(),
        1 => Settings { privileges: Some(0b1011), ..Settings::default() },
        _ => Settings {
            ranges: vec![Range { low, high, mode: Mode::Exclude }],
            ..Settings::default()
        },
    }
}

/// Where an event leads, if it may change the flow.
fn leads_to(event: &Event) -> Option<Next> {
    match event.taken {
        true => Some(Next::At(event.target)),
        false if event.kind == Kind::Exception => None,
        false => Some(Next::After(event.program_counter)),
    }
}

/// Adds an event to the part that it is of.
fn retire(
    part: &mut Part,
    event: &Event,
    trap_value: u64,
    before: &ExecutionState,
    now: &ExecutionState,
) {
    // An exception before the first instruction is not told.
    let has_begun = event.instructions > 0
        || part.events.iter().any(|event| event.instructions > 0 || event.taken);
    part.events.push(*event);
    let [before, after] = [before, now].map(|state| (state.privilege, state.context));
    part.levels.push(before);
    if let Some(cause) = now.cause.filter(|_| has_begun) {
        let value = (cause >> WIDTHS.1 == 0).then_some(trap_value);
        part.traps.push((((cause & 63) as u16, value), before, after));
    }
}

/// The trace, the parts of the execution in it, and the time after each event, which is a cycle for each instruction.
fn encode(execution: &Execution, seed: u64) -> (Vec<u8>, Vec<Part>, BTreeSet<u64>) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let tells_values = has_trap_values(seed);
    let design = design(execution, time_bits(seed), tells_values);
    let settings = filter(execution, &mut random);
    let mut filter = Filter::new(settings.clone(), design.processor().alignment);
    let mut encoder = Encoder::new(&design).unwrap().filtered(&design, settings).unwrap();
    let (mut bits, mut parts) = (BitPacker::new(), vec![Part::default()]);
    let mut now = ExecutionState { privilege: 3, ..ExecutionState::default() };
    // Tracing is off at reset.
    encoder.flush(&mut bits);
    let (mut left_out, mut time, mut times) = (0, 0, BTreeSet::new());
    for event in &execution.events {
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
        let value = if tells_values { trap_value(&mut random, execution) } else { 0 };
        encoder.detail(Detail::TrapValue(value), &mut bits).unwrap();
        time += event.instructions;
        times.insert(time);
        encoder.detail(Detail::State(now), &mut bits).unwrap();
        encoder.detail(Detail::Complete, &mut bits).unwrap();
        let passed = filter.traces();
        if let Some(next) = leads_to(event) {
            filter.decide(event.program_counter, next, &now);
            let part = parts.last_mut().unwrap();
            part.begins = match next {
                Next::At(target) if !passed && filter.traces() => Some(target),
                _ if passed => part.begins,
                _ => None,
            };
        }
        if passed {
            retire(parts.last_mut().unwrap(), event, value, &before, &now);
        }
        if passed && !filter.traces() {
            parts.push(Part::default());
        }
        if random.random_range(0..PERIODS.0) == 0 {
            // Blocks that are lost end a part as well.
            let part = parts.last_mut().unwrap();
            part.begins = part.begins.filter(|_| !part.events.is_empty());
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
    (bits.finish(), parts, times)
}

/// The events that are read: the crate's tracer stops at a branch to itself.
#[track_caller]
fn is_read(mut execution: Execution, seed: u64, what: &str) -> usize {
    let to_itself = |event: &Event| event.taken && event.target == event.program_counter;
    let first = execution.events.iter().position(to_itself);
    execution.events.truncate(first.unwrap_or(usize::MAX));
    let (bytes, parts, times) = encode(&execution, seed);
    let time_width = NonZeroU8::new(time_bits(seed));
    let parameters = Parameters {
        notime_p: time_width.is_none(),
        time_width_p: time_width.unwrap_or(NonZeroU8::MIN),
        nocontext_p: false,
        context_width_p: NonZeroU8::new(WIDTHS.0).unwrap(),
        ecause_width_p: NonZeroU8::new(WIDTHS.1).unwrap(),
        ..parameters(&execution)
    };
    let found = traced_by_crate(&execution, &bytes, &parameters, what);
    times_are_told(&found, &times, time_width.is_some(), what);
    // The first support payload comes before all, and nothing after the last.
    let found = &found[1..found.len() - 1];
    assert_eq!(found.len(), parts.len(), "{what}: parts");
    let stops = stops(&execution.events);
    let (mut read_before_losses, mut all_before_losses) = (0, 0);
    for (number, (found, part)) in found.iter().zip(&parts).enumerate() {
        let passed = passes(&stops, part.begins, &part.events);
        let expected = passed.iter().map(|(address, place)| (*address, part.levels[*place]));
        let read = found
            .passed
            .iter()
            .map(|(address, context)| (*address, (u8::from(context.privilege), context.context)));
        let same = read.zip(expected).take_while(|(one, other)| one == other).count();
        // The target of a last jump is reported as if an instruction had retired there.
        let count = found.passed.len();
        let is_whole =
            same == passed.len() && count <= passed.len() + 1 || part.is_lost && same == count;
        if part.is_lost {
            read_before_losses += same;
            all_before_losses += passed.len();
        }
        assert!(is_whole, "{what}: part {number}: {same} of {} and {count}", passed.len());
        traps_are_told(found, part, &format!("{what}: part {number}"));
    }
    assert!(20 * read_before_losses >= 19 * all_before_losses, "{what}: {read_before_losses}");
    execution.events.len()
}

/// Starts and traps say the time of some event, in their order.
#[track_caller]
fn times_are_told(found: &[Traced], known: &BTreeSet<u64>, are_told: bool, what: &str) {
    let times: Vec<u64> = found.iter().flat_map(|part| part.times.iter().copied()).collect();
    assert!(
        times.is_sorted() && times.iter().all(|time| known.contains(time)),
        "{what}: {times:?}"
    );
    let is_read = found.iter().any(|part| !part.passed.is_empty());
    assert_eq!(times.is_empty(), !(are_told && is_read), "{what}");
    let traps: usize = found.iter().map(|part| part.trap_states.len()).sum();
    assert!(!are_told || times.len() >= traps, "{what}: {} times, {traps} traps", times.len());
}

/// The trace has the traps of a part, with the states that the specification asks for.
#[track_caller]
fn traps_are_told(found: &Traced, part: &Part, what: &str) {
    assert_eq!(found.traps.len(), found.trap_states.len(), "{what}");
    let told = found.traps.iter().map(|info| (info.ecause, info.tval));
    let mut told: Vec<(Told, _)> = told.zip(&found.trap_states).collect();
    let mut traps = part.traps.clone();
    // After an exception at the target of a jump, a second trap has the address of a handler where nothing retires.
    told.dedup_by_key(|(told, _)| *told);
    traps.dedup_by_key(|(told, ..)| *told);
    // The last exception may be lost before its handler.
    if part.is_lost && told.len() < traps.len() {
        traps.pop();
    }
    assert_eq!(told.len(), traps.len(), "{what}");
    for ((told, (thaddr, state)), (trap, before, after)) in told.into_iter().zip(traps) {
        let state = (u8::from(state.privilege), state.context);
        assert_eq!((told, state), (trap, if *thaddr { after } else { before }), "{what}");
    }
}

#[test]
fn the_crate_reads_parts_of_every_trace_of_riscv() {
    for (seed, (name, mut execution)) in (1..).zip(riscv_traces()) {
        execution.events.truncate(400_000);
        let read = is_read(execution, seed, &name);
        assert!(read > 500, "{name}: {read} events");
    }
}

#[test]
fn the_crate_reads_parts_of_random_programs() {
    let mut programs = 0;
    for (seed, execution) in random_programs(true) {
        // Each program with two filters, and with other losses and requests.
        for seed in [seed, seed + 2_000] {
            is_read(execution.clone(), seed, &format!("seed {seed}"));
            programs += 1;
        }
    }
    assert!(programs >= 2 * fewest_programs(), "{programs} traces");
}
