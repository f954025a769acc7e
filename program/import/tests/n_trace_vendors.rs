//! What encoders of N-Trace send beside the standard, and what is not known of them, written here by hand.

use std::collections::BTreeMap;

use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_import::e_trace::{self, Code, Gap, Known, Options, Receiver};
use tracewright_import::n_trace::{self, Body, Encoder, Messages};
use tracewright_sim::code::Branch;
use tracewright_sim::event::{Item, Kind, Machine};
use tracewright_sim::trace_io;

use crate::e_trace::Parts;
use crate::n_trace::{decode, known};
use crate::n_trace_messages::{MACHINE, Program, events, indirect, message, start};

/// A loop at 0x100, a jump on, a loop at 0x110 with a jump in it, and the end at 0x120.
struct Loops(BTreeMap<u64, Known>);

impl Loops {
    fn new() -> Self {
        let branch = |kind, target| Some(Branch { kind, call: false, is_return: false, target });
        let instructions = [
            (0x100, known(4, None)),
            (0x104, known(2, branch(Kind::DirectConditional, 0x100))),
            (0x106, known(2, branch(Kind::DirectJump, 0x110))),
            (0x110, known(2, branch(Kind::DirectConditional, 0x120))),
            (0x112, known(2, branch(Kind::DirectJump, 0x110))),
            (0x120, known(4, None)),
            (0x124, known(2, branch(Kind::IndirectJump, 0))),
            (0x200, known(2, branch(Kind::DirectJump, 0x200))),
        ];
        Loops(instructions.into_iter().collect())
    }
}

impl Code for Loops {
    fn at(&self, address: u64) -> Option<Known> {
        self.0.get(&address).copied()
    }
}

fn full(code: u64, data: u64) -> Vec<u8> {
    message(&[(27, 6), (code, 4)], &[data])
}

fn end(count: u64) -> Vec<u8> {
    message(&[(33, 6), (4, 4), (0, 2)], &[count])
}

fn of_loops(messages: &[Vec<u8>]) -> Parts {
    decode(&messages.concat(), &Encoder::default(), &Loops::new(), MACHINE).0
}

/// The reasons of the gaps, each with the address at which the execution goes on.
fn gaps(parts: &Parts) -> Vec<(String, Option<u64>)> {
    let shown = |gap: &Gap| (gap.reason.to_string(), gap.goes_on);
    parts.gaps.iter().map(shown).collect()
}

/// SiFive's encoders count branches in a row that go the same way (RCODE 8 and 9).
#[test]
fn branches_in_a_row_are_followed() {
    let counted = [
        start(5, 0x100),
        full(9, 99),
        full(1, 0b10),
        full(8, 39),
        indirect(0, 3 * 100 + 1 + 2 * 39 + 1 + 3, (0x100, 0x100), 0b11),
        end(2),
    ];
    let alone = [
        start(5, 0x100),
        message(&[(27, 6), (2, 4)], &[0b11, 99]),
        full(1, 0b10),
        message(&[(27, 6), (2, 4)], &[0b10, 39]),
        indirect(0, 3 * 100 + 1 + 2 * 39 + 1 + 3, (0x100, 0x100), 0b11),
        end(2),
    ];
    let parts = of_loops(&counted);
    assert_eq!(parts.gaps, []);
    assert_eq!(parts.events(0).len(), 1 + 100 + 1 + 2 * 39 + 1 + 1);
    assert_eq!(parts.events(0), of_loops(&alone).events(0));
}

/// What is not understood and may be of the execution is a loss up to the next synchronisation.
#[test]
fn what_is_not_known_is_a_gap() {
    let sync = |reason| message(&[(9, 6), (reason, 4)], &[0, 0x110 >> 1]);
    let unknown = [
        (full(3, 5), "RCODE is 3"),
        (full(15, 5), "RCODE is 15"),
        (message(&[(56, 6)], &[1, 2]), "(TCODE) 56"),
        (message(&[(31, 6)], &[1]), "(TCODE) 31"),
        (message(&[(5, 6)], &[1, 2]), "(TCODE) 5,"),
        (sync(8), "SYNC is 8"),
        (sync(14), "SYNC is 14"),
        (message(&[(33, 6), (4, 4), (2, 2)], &[3]), "CDF is 2"),
        (message(&[(33, 6), (6, 4), (0, 2)], &[3]), "EVCODE is 6"),
        (message(&[(2, 6)], &[3 << 2 | 1]), "FORMAT is 1"),
        (message(&[(2, 6)], &[2 << 2]), "PRV is 2"),
        (message(&[(27, 6), (2, 4)], &[3, 1 << 18]), "HREPEAT is 262144"),
        (message(&[(30, 6)], &[1 << 18]), "B-CNT is 262144"),
        (message(&[(3, 6)], &[1 << 22]), "I-CNT is 4194304"),
        (full(1, 1 << 32), "HIST is 4294967296"),
    ];
    for (message, says) in unknown {
        let jump = indirect(0, 3 * 3 + 1 + 1 + 3, (0x100, 0x100), 0b11101);
        let messages = [start(5, 0x100), jump, message, full(1, 0b11), start(2, 0x110), end(1)];
        let parts = of_loops(&messages);
        let found = gaps(&parts);
        assert_eq!((found.len(), found[0].1), (1, Some(0x110)), "{says}");
        assert!(found[0].0.contains(says), "{}: {says}", found[0].0);
        // What led to the jump and the jump are there, and no other.
        assert_eq!(parts.events(0).len(), 1 + 6, "{says}");
    }
    let encoder = Encoder { passed_over: vec![56], ..Encoder::default() };
    let messages = [start(5, 0x100), message(&[(56, 6)], &[1, 2]), full(1, 0b11), end(3)].concat();
    assert_eq!(decode(&messages, &encoder, &Loops::new(), MACHINE).0.gaps, []);
}

/// A message that cannot be read is no loss of other sources.
#[test]
fn only_the_source_of_a_message_is_lost() {
    let encoder = Encoder { source_bits: 2, ..Encoder::default() };
    let of = |source, rest: &[(u64, u32)], variable: &[u64]| {
        let mut fixed = vec![rest[0], (source, 2)];
        fixed.extend(&rest[1..]);
        message(&fixed, variable)
    };
    let dump = [
        of(1, &[(9, 6), (5, 4)], &[0, 0x80]),
        of(0, &[(56, 6)], &[4]),
        of(1, &[(3, 6)], &[3]),
        of(1, &[(33, 6), (4, 4), (0, 2)], &[2]),
    ];
    let options = Options {
        hart: Some(1),
        address_bits: 32,
        thread_max: 0,
        has_states: false,
        begins_in_the_middle: false,
        events_max: 100,
    };
    let mut parts = Parts::default();
    n_trace::decode(&dump.concat(), &encoder, &Loops::new(), &options, &mut parts).unwrap();
    assert_eq!(parts.gaps, []);
    assert_eq!(parts.events(0).len(), 2);
}

/// An encoder that counts cycles sends DirectBranch after direct jumps too.
#[test]
fn a_direct_jump_may_send_a_message() {
    let direct = |count| message(&[(3, 6)], &[count]);
    let parts = of_loops(&[start(5, 0x100), direct(4), direct(2), direct(1), end(2)]);
    assert_eq!(parts.gaps, []);
    let expected = [
        (0x104, 2, false, 0),
        (0x106, 1, true, 0x110),
        (0x110, 1, false, 0),
        (0x112, 1, true, 0x110),
        (0x110, 1, true, 0x120),
    ];
    assert_eq!(events(&parts.events(0))[1..], expected);
}

/// An address of 49 bits stands for one of 64 once what is different in it has been applied.
#[test]
fn the_highest_bit_of_an_address_stands_for_those_above() {
    let high = 0xffff_ffff_8000_0000u64;
    let branch = Branch { kind: Kind::IndirectJump, call: false, is_return: false, target: 0 };
    let instructions = [(0x100, known(2, Some(branch))), (high, known(2, Some(branch)))];
    let code = Loops(instructions.into_iter().collect());
    let machine = Machine { address_bits: 64, ..MACHINE };
    let encoder = Encoder { address_width: 49, ..Encoder::default() };
    let jump = |before: u64, after: u64| {
        let difference = (before ^ after) & ((1 << 49) - 1);
        message(&[(4, 6), (0, 2)], &[1, difference >> 1])
    };
    let messages = [start(5, 0x100), jump(0x100, high), jump(high, 0x100), end(0)];
    let parts = decode(&messages.concat(), &encoder, &code, machine).0;
    assert_eq!(parts.gaps, []);
    assert_eq!(events(&parts.events(0))[1..], [(0x100, 1, true, high), (high, 1, true, 0x100)]);
    let whole = start(5, high & ((1 << 49) - 1));
    let read = Messages::of(&whole, &encoder).unwrap().next().unwrap().1.unwrap();
    assert_eq!(read.body, Body::Start { sync: 5, count: 0, address: high });
}

/// Keeps times alone.
#[derive(Default)]
struct Times(Vec<u64>);

impl Receiver for Times {
    fn item(&mut self, _: &Item) -> Result<(), trace_io::Error> {
        Ok(())
    }

    fn time(&mut self, _: u8, time: u64) -> Result<(), trace_io::Error> {
        self.0.push(time);
        Ok(())
    }

    fn gap(&mut self, _: &Gap) -> Result<(), trace_io::Error> {
        Ok(())
    }
}

/// A time is relative to the one that was sent last, in whatever message, and unknown after one that may have been missed.
#[test]
fn times_go_on_from_the_last_that_was_sent() {
    let sync = |time| message(&[(9, 6), (2, 4)], &[0, 0x100 >> 1, time]);
    let taken = |time| message(&[(3, 6)], &[3, time]);
    let written = |time| message(&[(7, 6)], &[5, 0x41, time]);
    let sample = |time| message(&[(34, 6), (8, 4), (0, 2)], &[0, time]);
    let dump = [
        taken(9),
        sync(0x100),
        taken(3),
        written(5),
        sample(6),
        taken(1),
        // Of a message that is passed over nobody knows whether it has a time.
        message(&[(56, 6)], &[7]),
        taken(2),
        sync(0x200),
        message(&[(8, 6), (0, 4)], &[4]),
        written(1),
        sync(0x300),
        end(0),
    ];
    for (timestamp_xor, expected) in [
        (0, [0x100, 0x103, 0x108, 0x10e, 0x10f, 0x200, 0x300]),
        (1, [0x100, 0x103, 0x106, 0x100, 0x101, 0x200, 0x300]),
    ] {
        let encoder = Encoder { timestamp_xor, passed_over: vec![56], ..Encoder::default() };
        let options = Options {
            hart: None,
            address_bits: 32,
            thread_max: 0,
            has_states: false,
            begins_in_the_middle: false,
            events_max: 100,
        };
        let mut times = Times::default();
        n_trace::decode(&dump.concat(), &encoder, &Loops::new(), &options, &mut times).unwrap();
        assert_eq!(times.0, expected);
    }
}

/// A few bytes do not stand for more branches than a message may, and none of a message that leads nowhere retires.
#[test]
fn a_message_stands_for_so_many_branches() {
    let encoder = Encoder { payload_branches: 1000, ..Encoder::default() };
    for message in [
        full(9, 1001),
        message(&[(27, 6), (2, 4)], &[0b111, 501]),
        // Round and round in a jump to itself.
        indirect(0, 2000, (0x100, 0x200), 0b111),
    ] {
        let jump = indirect(0, 3 * 3 + 1 + 1 + 3, (0x100, 0x200), 0b11101);
        let there = [start(5, 0x100), jump, full(0, 0), message, full(1, 0b11)].concat();
        let parts = decode(&there, &encoder, &Loops::new(), MACHINE).0;
        assert_eq!(parts.events(0).len(), 1 + 6, "{:?}", parts.gaps);
        assert!(gaps(&parts)[0].0.contains("more than 1000 branches"), "{:?}", parts.gaps);
    }
    // What code was counted before may pass as many.
    let waits = [start(5, 0x200), full(0, 900), full(0, 900), end(200)].concat();
    let parts = decode(&waits, &encoder, &Loops::new(), MACHINE).0;
    assert_eq!((parts.gaps.len(), parts.events(0).len()), (0, 1 + 2000));
    // One of many instructions whose last branch has no way on.
    let long = [start(5, 0x110), full(8, 70_000), indirect(0, 140_001, (0, 0), 0b11)].concat();
    let parts = decode(&long, &Encoder::default(), &Loops::new(), MACHINE).0;
    assert_eq!(parts.events(0).len(), 1 + 70_000 + 69_999);
}

/// Messages that nobody knows in place of others: no instruction is given out that did not run.
#[test]
fn nothing_is_invented_for_unknown_messages() {
    let mut random = ChaCha8Rng::seed_from_u64(11);
    let jump = |count| indirect(0, count, (0x100, 0x100), 0b100);
    let mut right = vec![start(5, 0x100)];
    for round in 0..40 {
        right.push(jump(11));
        if round % 10 == 9 {
            right.push(message(&[(9, 6), (2, 4)], &[0, 0x100 >> 1]));
        }
    }
    right.push(message(&[(33, 6), (4, 4), (1, 2)], &[0, 1]));
    let whole = decode(&right.concat(), &Encoder::default(), &Program::new(), MACHINE).0;
    let ran = whole.events(0);
    for _ in 0..5000 {
        let mut messages = right.clone();
        let place = 1 + random.next_u32() as usize % (messages.len() - 1);
        let known = [2, 3, 4, 7, 8, 9, 11, 12, 23, 27, 28, 29, 30, 33, 34, 35];
        let code = u64::from(random.next_u32() % 63);
        messages[place] = match known.contains(&code) {
            true => full(3 + u64::from(random.next_u32()) % 5, random.next_u32().into()),
            false => message(&[(code, 6)], &[random.next_u32().into(), random.next_u32().into()]),
        };
        let parts = decode(&messages.concat(), &Encoder::default(), &Program::new(), MACHINE).0;
        assert_eq!(parts.gaps.len(), 1, "{code} at {place}");
        let found: Vec<_> = (0..=parts.gaps.len()).flat_map(|part| parts.events(part)).collect();
        assert!(
            found.len() <= ran.len() + 1
                && found[1..]
                    .iter()
                    .all(|event| { event.instructions == 0 || ran.contains(event) })
        );
    }
}

/// A synchronisation that is a sample is of no execution.
#[test]
fn a_sample_is_no_synchronisation() {
    let encoder = Encoder::sifive();
    let sample = message(&[(9, 6), (15, 4)], &[0, 0x124 >> 1]);
    let dump = [start(5, 0x100), sample, full(1, 0b11), end(3)].concat();
    let (parts, summary) = decode(&dump, &encoder, &Loops::new(), MACHINE);
    assert_eq!((parts.gaps.len(), parts.events(0).len(), summary.other_payloads), (0, 2, 1));
}

/// Keeps where events and samples are.
#[derive(Default)]
struct Places(Vec<Vec<(&'static str, e_trace::Field)>>);

impl Receiver for Places {
    fn item(&mut self, _: &Item) -> Result<(), trace_io::Error> {
        Ok(())
    }

    fn told(&mut self, told: &e_trace::Told) -> Result<(), trace_io::Error> {
        let is_place = |(name, _): &&(&str, e_trace::Field)| matches!(*name, "ADDRESS" | "TARGET");
        self.0.push(told.fields.iter().filter(is_place).cloned().collect());
        Ok(())
    }

    fn gap(&mut self, _: &Gap) -> Result<(), trace_io::Error> {
        Ok(())
    }
}

/// A dump of events alone: the address of one is what is different from the one before, or from where a call has led.
#[test]
fn events_and_samples_have_places() {
    let event = |code, kind, data: &[u64]| {
        message(&[(code, 6), (kind, 4), (data.len() as u64 - 1, 2)], data)
    };
    let dump = [
        event(34, 15, &[0x10]),
        event(35, 0, &[0x4040_070a >> 1, 2]),
        event(34, 9, &[0x24 >> 1]),
        event(34, 9, &[0x64 >> 1, 0x3d]),
        event(34, 12, &[0x147, 0x1c]),
        event(34, 9, &[0xa >> 1]),
    ];
    let options = Options {
        hart: None,
        address_bits: 32,
        thread_max: 0,
        has_states: false,
        begins_in_the_middle: false,
        events_max: 100,
    };
    let (mut places, encoder) = (Places::default(), Encoder::default());
    n_trace::decode(&dump.concat(), &encoder, &Loops::new(), &options, &mut places).unwrap();
    let at = |address| ("ADDRESS", e_trace::Field::Address(address));
    let to = |address| ("TARGET", e_trace::Field::Address(address));
    let expected = [
        vec![],
        vec![at(0x4040_070a)],
        vec![at(0x4040_072e)],
        vec![at(0x4040_074a), to(0x4040_0730)],
        vec![],
        vec![at(0x4040_073a)],
    ];
    assert_eq!(places.0, expected);
}
