//! Messages of N-Trace of all kinds, written here by hand after the specification.

use std::collections::BTreeMap;

use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_import::e_trace::{Code, Gap, Known, Options, Reason};
use tracewright_import::n_trace::{self, Body, Encoder, Messages, Problem};
use tracewright_sim::code::Branch;
use tracewright_sim::event::{Event, ExecutionState, Item, Kind, Machine};

use crate::e_trace::Parts;
use crate::n_trace::{decode, known};

pub const MACHINE: Machine =
    Machine { isa: tracewright_sim::event::Isa::RiscV, alignment: 1, address_bits: 32 };

/// Bytes of a message: fields of fixed length as values and widths, and those of variable length.
pub fn message(fixed: &[(u64, u32)], variable: &[u64]) -> Vec<u8> {
    let (mut value, mut bits) = (0u128, 0);
    for (field, width) in fixed {
        value |= u128::from(*field) << bits;
        bits += width;
    }
    let mut bytes = Vec::new();
    for (place, field) in variable.iter().enumerate() {
        value |= u128::from(*field) << bits;
        let width = (bits + (64 - field.leading_zeros()).max(1)).div_ceil(6);
        bytes.extend((0..width).map(|byte| (value >> (6 * byte) & 0x3f) as u8));
        (value, bits) = (0, 0);
        let control = if place + 1 == variable.len() { 3 } else { 1 };
        let last = bytes.len() - 1;
        let end: Vec<u8> = bytes.split_off(last - (width as usize - 1));
        let count = end.len();
        let with_control =
            |(place, byte): (usize, &u8)| byte << 2 | if place + 1 == count { control } else { 0 };
        bytes.extend(end.iter().enumerate().map(with_control));
    }
    bytes
}

/// The program of "Example of I-CNT Handling", whose breakpoints are jumps back, and a function at 0x400.
pub struct Program(BTreeMap<u64, Known>);

impl Program {
    pub fn new() -> Self {
        let branch = |kind, call, is_return, target| Branch { kind, call, is_return, target };
        let direct = |target| Some(branch(Kind::DirectConditional, false, false, target));
        let jump = Some(branch(Kind::IndirectJump, false, false, 0));
        let call = Some(branch(Kind::DirectJump, true, false, 0x400));
        let returns = Some(branch(Kind::IndirectJump, false, true, 0));
        let instructions = [
            (0x100, known(2, None)),
            (0x102, known(4, direct(0x200))),
            (0x106, known(4, None)),
            (0x10a, known(4, direct(0x300))),
            (0x10e, known(2, None)),
            (0x110, known(4, None)),
            (0x114, known(2, jump)),
            (0x200, known(2, None)),
            (0x202, known(2, jump)),
            (0x300, known(4, call)),
            (0x304, known(2, jump)),
            (0x400, known(2, None)),
            (0x402, known(2, returns)),
            (0x500, known(4, Some(branch(Kind::Exception, false, false, 0)))),
        ];
        Program(instructions.into_iter().collect())
    }
}

impl Code for Program {
    fn at(&self, address: u64) -> Option<Known> {
        self.0.get(&address).copied()
    }
}

pub const START: (u64, u32) = (9, 6);

pub fn start(reason: u64, address: u64) -> Vec<u8> {
    message(&[START, (reason, 4)], &[0, address >> 1])
}

/// An address of each event, whether it is taken, and where it leads.
pub fn events(events: &[Event]) -> Vec<(u64, u64, bool, u64)> {
    let short = |event: &Event| {
        let Event { program_counter, instructions, taken, target, .. } = *event;
        (program_counter, instructions, taken, target)
    };
    events.iter().map(short).collect()
}

pub fn decoded(messages: &[Vec<u8>]) -> Parts {
    decode(&messages.concat(), &Encoder::default(), &Program::new(), MACHINE).0
}

#[test]
fn the_specification_s_examples_of_counts() {
    let end = |count| message(&[(33, 6), (0, 4), (0, 2)], &[count]);
    // The first branch is taken, then the second, then none.
    for (count, rest, expected) in [
        (3, 1, vec![(0x102, 2, true, 0x200)]),
        (7, 2, vec![(0x102, 2, false, 0), (0x10a, 2, true, 0x300), (0x300, 1, true, 0x400)]),
    ] {
        let branch = message(&[(3, 6)], &[count]);
        let parts = decoded(&[start(3, 0x100), branch, end(rest)]);
        assert_eq!(parts.gaps, []);
        let found = events(&parts.events(0));
        assert_eq!(found[0], (0, 0, true, 0x100));
        assert_eq!(found[1..], expected);
    }
    let parts = decoded(&[start(3, 0x100), end(10)]);
    let expected = [(0x102, 2, false, 0), (0x10a, 2, false, 0)];
    assert_eq!(events(&parts.events(0))[1..], expected);
    // The same with histories.
    for (count, history, expected) in
        [(4, 0b11, vec![(0x102, 2, true, 0x200)]), (10, 0b100, expected.to_vec())]
    {
        let end = message(&[(33, 6), (0, 4), (1, 2)], &[count, history]);
        let parts = decoded(&[start(3, 0x100), end]);
        assert_eq!(events(&parts.events(0))[1..], expected);
    }
    // A count that ends inside an instruction.
    for count in [2, 4, 6, 9] {
        let parts = decoded(&[start(3, 0x100), end(1), start(3, 0x100), end(count)]);
        let reasons: Vec<_> = parts.gaps.iter().map(|gap| gap.reason.name()).collect();
        assert_eq!(reasons, ["off", "damaged"], "{count}");
        assert!(parts.gaps[1].reason.to_string().contains("inside the instruction at"), "{count}");
    }
}

/// An indirect branch with a history from the address `before` to `after`.
pub fn indirect(kind: u64, count: u64, (before, after): (u64, u64), history: u64) -> Vec<u8> {
    message(&[(28, 6), (kind, 2)], &[count, (before ^ after) >> 1, history])
}

#[test]
fn all_kinds_of_messages_are_followed() {
    let messages = [
        start(5, 0x100),
        // Machine mode, with a context.
        message(&[(2, 6)], &[5 << 5 | 3 << 2 | 2]),
        // An exception at the second branch, and a jump back from its handler after a repeated history.
        indirect(2, 5, (0x100, 0x200), 0b10),
        message(&[(27, 6), (0, 4)], &[2]),
        indirect(0, 0, (0x200, 0x100), 1),
        message(&[(27, 6), (1, 4)], &[0b100]),
        indirect(0, 11, (0x100, 0x100), 1),
        message(&[(27, 6), (2, 4)], &[0b100, 1]),
        indirect(0, 11, (0x100, 0x100), 1),
        // Two times more, of which each has both branches in a history of its own.
        indirect(0, 11, (0x100, 0x100), 0b100),
        message(&[(30, 6)], &[2]),
        // A synchronisation among straight code, and one with an exception.
        message(&[(9, 6), (2, 4)], &[1, 0x102 >> 1]),
        message(&[(29, 6), (2, 4), (1, 2)], &[2, 0x300 >> 1, 0b11]),
        // A call, a return that is not sent, a jump.
        indirect(0, 5, (0x300, 0x100), 1),
        // A vendor's message, and the end with a time stamp.
        message(&[(56, 6)], &[1, 2, 3, 4, 5]),
        message(&[(33, 6), (4, 4), (1, 2)], &[1, 1, 77]),
    ];
    let encoder = Encoder { passed_over: vec![56], ..Encoder::default() };
    let (parts, _) = decode(&messages.concat(), &encoder, &Program::new(), MACHINE);
    assert_eq!(parts.gaps, []);
    let loop_back = [(0x102, 2, false, 0), (0x10a, 2, false, 0), (0x114, 3, true, 0x100)].repeat(5);
    let mut expected = vec![
        (0, 0, true, 0x100),
        (0x102, 2, false, 0),
        (0x106, 1, true, 0x200),
        (0x202, 2, true, 0x100),
    ];
    expected.extend(loop_back);
    expected.extend([
        (0x102, 2, true, 0x200),
        (0x102, 0, true, 0x300),
        (0x300, 1, true, 0x400),
        (0x402, 2, true, 0x304),
        (0x304, 1, true, 0x100),
    ]);
    assert_eq!(events(&parts.events(0)), expected);
    let state = ExecutionState { privilege: 3, context: 5, cause: None };
    assert_eq!(parts.items[0][1], Item::State(state));
    let read: Vec<_> = Messages::of(&messages.concat(), &encoder)
        .unwrap()
        .map(|(_, message)| message.unwrap())
        .collect();
    assert_eq!(read[14].body, Body::PassedOver { code: 56 });
    assert_eq!((read[15].timestamp, read[15].body.name()), (Some(77), "ProgTraceCorrelation"));
}

/// A system call counts or not, and its trap is an exception or, as the reference code has it, a jump.
#[test]
fn system_calls_lead_to_their_handler() {
    let end = || message(&[(33, 6), (4, 4), (1, 2)], &[1, 1]);
    for (kind, count, expected) in [
        (2, 0, (0, 0, true, 0x200)),
        (2, 2, (0x500, 1, true, 0x200)),
        (0, 2, (0x500, 1, true, 0x200)),
    ] {
        let call = indirect(kind, count, (0x500, 0x200), 1);
        let parts = decoded(&[start(5, 0x500), call, end()]);
        assert_eq!(parts.gaps, []);
        assert_eq!(events(&parts.events(0))[1..], [expected]);
    }
}

#[test]
fn what_is_lost_is_a_gap() {
    let jump = |count| message(&[(4, 6), (0, 2)], &[count, 0]);
    let messages = [
        jump(3),
        start(5, 0x200),
        message(&[(4, 6), (0, 2)], &[2, (0x200 ^ 0x300) >> 1]),
        message(&[(8, 6), (0, 4)], &[4]),
        jump(2),
        start(7, 0x200),
        jump(2),
        // Control bits that are reserved, and the next synchronisation.
        vec![0x10, 0x02, 0x33],
        start(2, 0x300),
        vec![0; 5],
    ];
    let parts = decoded(&messages);
    let gap = |gap: &Gap| (gap.reason.name(), gap.goes_on);
    let found: Vec<_> = parts.gaps.iter().map(gap).collect();
    assert_eq!(
        found,
        [("beginning", Some(0x200)), ("payloads-lost", Some(0x200)), ("damaged", Some(0x300)),]
    );
    assert_eq!(events(&parts.events(0))[1..], [(0x202, 2, true, 0x300)]);
    assert_eq!(events(&parts.events(1))[1..], [(0x202, 2, true, 0x200)]);
    let problem = Problem::Control { found: 2, place: "are reserved" };
    assert_eq!(parts.gaps[2].reason, Reason::Damaged(problem.into()));
}

#[test]
fn each_source_is_a_thread() {
    let encoder = Encoder { source_bits: 3, ..Encoder::default() };
    let of = |source, fixed: &[(u64, u32)], variable: &[u64]| {
        let mut all = vec![fixed[0], (source, 3)];
        all.extend(&fixed[1..]);
        message(&all, variable)
    };
    let messages: Vec<Vec<u8>> = (0..6)
        .map(|place| match place / 2 {
            0 => of(place % 2, &[START, (5, 4)], &[0, 0x80]),
            1 => of(place % 2, &[(3, 6)], &[3 + 4 * (place % 2)]),
            _ => of(place % 2, &[(33, 6), (4, 4), (0, 2)], &[1 + place % 2]),
        })
        .collect();
    let (parts, summary) = decode(&messages.concat(), &encoder, &Program::new(), MACHINE);
    assert_eq!(summary.sources, BTreeMap::from([(0, 3), (1, 3)]));
    let threads: Vec<u8> = parts.events(0).iter().map(|event| event.thread).collect();
    assert_eq!(threads.iter().filter(|thread| **thread == 1).count(), 4);
    // One alone.
    let options = Options {
        hart: Some(1),
        address_bits: 32,
        thread_max: 3,
        has_states: true,
        begins_in_the_middle: false,
        events_max: 100,
    };
    let (dump, mut parts) = (messages.concat(), Parts::default());
    n_trace::decode(&dump, &encoder, &Program::new(), &options, &mut parts).unwrap();
    assert_eq!(events(&parts.events(0)).len(), 4);
}

#[test]
fn upper_bits_of_addresses_are_extended() {
    // The examples of "Virtual Addresses Optimization".
    let encoder = Encoder { extends_addresses: 1, ..Encoder::default() };
    for (bytes, expected) in [
        (&[0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0x7f][..], 0xf_ffff_fffe),
        (&[0xfc, 0xfc, 0xfc, 0xfc, 0x7c, 0xf3], 0xffff_fffe_3fff_fffe),
        (&[0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0x03], 0x1f_ffff_fffe),
    ] {
        let mut dump = vec![0x24, 0x15];
        dump.extend(bytes);
        let (_, message) = Messages::of(&dump, &encoder).unwrap().next().unwrap();
        let address = Body::Start { sync: 5, count: 0, address: expected };
        assert_eq!(message.unwrap().body, address);
    }
}

/// Any bytes are decoded, or refused.
#[test]
fn damage_is_no_crash() {
    let mut random = ChaCha8Rng::seed_from_u64(6);
    let whole = [start(5, 0x100), indirect(0, 11, (0x100, 0x100), 0b100).repeat(40)].concat();
    for round in 0..400 {
        let mut dump = whole.clone();
        for _ in 0..1 + round % 7 {
            let place = random.next_u32() as usize % dump.len();
            dump[place] = random.next_u32() as u8;
        }
        let options = Options {
            hart: None,
            address_bits: 32,
            thread_max: 3,
            has_states: true,
            begins_in_the_middle: round % 2 == 0,
            events_max: 20_000,
        };
        let encoder = Encoder { infers_jumps: 1, ..Encoder::default() };
        let mut parts = Parts::default();
        let _ = n_trace::decode(&dump, &encoder, &Program::new(), &options, &mut parts);
    }
}
