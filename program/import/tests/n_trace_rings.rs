//! Rings of N-Trace without packets, of programs that have no indirect jumps or whose returns are inferred: what is left of
//! the dump is decoded from its first synchronisation on.

use tracewright_import::e_trace::{Code, Options, Reason};
use tracewright_import::n_trace::{self, first_message};
use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::event::{Event, Kind, Machine};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::scheme::{Design, Encoder};
use tracewright_sim::session::{Session, Synchronisation, Turn};

use crate::e_trace::{Parts, compared, image, workload};
use crate::n_trace::{Learned, ours, told};

/// Events between two requests.
const PERIOD: usize = 300;

/// Bytes of the ring.
const RING: usize = 2048;

const DESIGNS: [(&str, &[(&str, &str)]); 5] = [
    ("ntrace-htm", &[]),
    ("ntrace-htm", &[("return_stack_entries", "8"), ("repeat_bits", "6")]),
    ("ntrace-htm", &[("history_bits", "3"), ("privilege_bits", "2"), ("time_bits", "24")]),
    ("ntrace-btm", &[]),
    ("ntrace-btm", &[("return_stack_entries", "4"), ("repeat_bits", "3"), ("time_bits", "40")]),
];

/// The dump of an encoder that is asked for a synchronisation every so many events.
fn encode(
    (preset, changes): (&str, &[(&str, &str)]),
    machine: Machine,
    events: &[Event],
) -> Vec<u8> {
    let mut design = Design::preset(preset).unwrap();
    let always = [("enable_pin", "true"), ("trace_port_width", "8")];
    for (name, value) in always.iter().chain(changes) {
        design.set(name, value).unwrap();
    }
    design.set("address_width", &machine.address_bits.to_string()).unwrap();
    let design = design.for_machine(machine).unwrap();
    let mut encoder = Encoder::new(&design).unwrap();
    let mut bits = BitPacker::new();
    for (place, event) in events.iter().enumerate() {
        if place % PERIOD == 0 {
            encoder.turn(Turn::Synchronise(Synchronisation::Periodic), &mut bits);
        }
        encoder.event(event, &mut bits).unwrap();
    }
    encoder.flush(&mut bits);
    bits.finish()
}

/// Every ring that the dump leaves is decoded to its end.
#[track_caller]
fn rings_are_decoded(machine: Machine, events: &[Event], code: &impl Code, learned: &Learned) {
    let parameters = ours(machine, false);
    let all = learned.without_steps(told(events));
    for design in DESIGNS {
        let dump = encode(design, machine, events);
        assert!(dump.len() > 2 * RING, "{design:?}: {} bytes", dump.len());
        for cut in 0..40 {
            let ring = &dump[dump.len() - RING - cut..];
            let ring = &ring[first_message(ring)..];
            let mut parts = Parts::default();
            let options = Options {
                hart: None,
                address_bits: machine.address_bits,
                thread_max: 3,
                has_states: true,
                begins_in_the_middle: true,
                events_max: 10_000_000,
            };
            n_trace::decode(ring, &parameters, code, &options, &mut parts).unwrap();
            let known = |reason: &Reason| matches!(reason, Reason::Beginning | Reason::Off);
            let are_known = parts.gaps.iter().all(|gap| known(&gap.reason));
            assert!(are_known, "{design:?}, cut {cut}: {:?}", parts.gaps);
            let found: Vec<_> = parts.events(0).iter().map(compared).collect();
            let found = learned.without_steps(found);
            // It begins with an exception to where it is known; one right after that is of no known instruction.
            assert!(all.ends_with(&found[2..]), "{design:?}, cut {cut}: {} events", found.len());
            assert!(found.len() > PERIOD, "{design:?}, cut {cut}: {} events", found.len());
        }
    }
}

/// A loop with branches and a jump, which has no indirect jump: the outcome of one branch is not regular.
#[test]
fn a_program_that_only_branches() {
    const LOOP: u64 = 0x1000;
    let machine = Machine { alignment: 2, ..workload("rv32imac-traps.pet.zst").0 };
    let event = |kind, instructions, program_counter, target: Option<u64>| Event {
        instructions,
        program_counter,
        target: target.unwrap_or(0),
        kind,
        call: false,
        is_return: false,
        taken: target.is_some(),
        length: 4,
        thread: 0,
    };
    let mut events = vec![event(Kind::Exception, 0, 0, Some(LOOP))];
    for round in 0_u32..40_000 {
        let skips = round.wrapping_mul(0x9e37_79b9) >> 30 == 0;
        let [near, far] = [LOOP + 0x20, LOOP + 0x40];
        events.push(event(Kind::DirectConditional, 3, LOOP + 8, skips.then_some(near)));
        if !skips {
            events.push(event(Kind::DirectJump, 2, LOOP + 16, Some(far)));
        }
        let (at, count) = if skips { (near + 0x28, 11) } else { (far + 8, 3) };
        events.push(event(Kind::DirectConditional, count, at, Some(LOOP)));
    }
    let learned = Learned::of(machine, &events, false);
    rings_are_decoded(machine, &events, &learned, &learned);
}

/// A real program, whose returns are nearly all inferred with a stack.
#[test]
fn a_program_with_calls() {
    let (machine, events) = workload("rv32imac-traps.pet.zst");
    let learned = Learned::of(machine, &events, false);
    rings_are_decoded(machine, &events, &image("rv32imac-traps.elf"), &learned);
}
