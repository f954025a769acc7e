//! A program for each context: the same addresses are different code.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use tracewright_sim::code::{Branch, Code, Instruction};
use tracewright_sim::event::{Event, ExecutionState, Isa, Item, Kind, Machine};
use tracewright_sim::packet::part::{Part, Reason};
use tracewright_sim::program::{ContextError, Program, Programs};
use tracewright_sim::synthetic::{Options, Synthetic};

use super::states::{encode, expected, items_of};
use super::{packets, presets};
use crate::common::learn;
use crate::common::packet_damage::decode_from;

const MACHINE: Machine = Machine { isa: Isa::RiscV, alignment: 1, address_bits: 32 };

/// The context of the second program; the first one is that of all others.
const SECOND: u64 = 0x2a5;

const SETTINGS: [(&str, &str); 2] = [("checksum_bits", "16"), ("context_bits", "10")];

/// The events of a program that is at the same addresses as all others, and the program.
fn load(seed: u64) -> (Vec<Event>, Program) {
    let options = Options {
        machine: MACHINE,
        events: 8_000,
        functions: 128,
        branch_every_instruction: false,
        predictability: 80,
        code_base: 0x1_0000,
        code_span: 1 << 10,
        ..Options::from_seed(seed)
    };
    let mut events: Vec<Event> = Synthetic::new(options).unwrap().collect();
    let program = learn(MACHINE, &mut events);
    (events, program)
}

/// Two programs in turns: an exception leads to the other one, where that was interrupted.
fn in_turns(first: &[Event], second: &[Event]) -> Vec<Item> {
    let begin = second.iter().position(|event| event.taken).unwrap();
    let mut programs = [first, &second[begin + 1..]];
    let mut goes_on = [0, second[begin].target];
    let (mut items, mut at) = (Vec::new(), 0);
    loop {
        // Where a taken branch leads, the program is known to go on.
        let is_turn = |(number, event): &(usize, &Event)| *number > 40 && event.taken;
        let Some((last, event)) = programs[at].iter().enumerate().find(is_turn) else {
            return items;
        };
        let (turn, rest) = programs[at].split_at(last + 1);
        items.extend(turn.iter().map(|event| Item::Event(*event)));
        (programs[at], goes_on[at], at) = (rest, event.target, 1 - at);
        let program_counter = event.program_counter;
        items.push(Item::Event(Event::exception(0, program_counter, goes_on[at])));
        let context = [0, SECOND][at];
        items.push(Item::State(ExecutionState { context, ..ExecutionState::default() }));
    }
}

/// Two programs and an execution of both.
struct Two {
    programs: [Program; 2],
    items: Vec<Item>,
}

fn two() -> Two {
    let (first, one) = load(11);
    let kinds: HashMap<u64, Kind> =
        first.iter().map(|event| (event.program_counter, event.kind)).collect();
    let differs =
        |event: &&Event| kinds.get(&event.program_counter).is_some_and(|kind| *kind != event.kind);
    // One that often has another instruction where the first program has one.
    let overlaps =
        |(events, _): &(Vec<Event>, Program)| events.iter().filter(differs).count() > 1000;
    let (second, other) = (12..100).map(load).find(overlaps).unwrap();
    let items = in_turns(&first, &second);
    assert!(items.len() > 5_000, "{} items", items.len());
    Two { programs: [one, other], items }
}

impl Two {
    fn programs(&self) -> Programs<'_> {
        let [first, second] = &self.programs;
        Programs::new(first, [(SECOND, second)], 10).unwrap()
    }
}

#[test]
fn each_context_is_decoded_with_its_program() {
    let two = two();
    for preset in presets() {
        for keeps in ["false", "true"] {
            let settings = [&SETTINGS[..], &[("sync_keeps_tables", keeps)]].concat();
            let design = packets(&preset, MACHINE, &settings);
            let bytes = encode(&design, &two.items);
            let (parts, recovered) = decode_from(&design, two.programs(), &bytes, 0);
            assert!(items_of(&parts) == expected(&two.items), "{preset}, keeps {keeps}");
            assert!(recovered.states > 100, "{recovered:?}");
        }
    }
}

#[test]
fn other_programs_do_not_give_the_execution() {
    let two = two();
    let [first, second] = &two.programs;
    let swapped = Programs::new(second, [(SECOND, first)], 10).unwrap();
    for checksum in ["0", "16"] {
        let settings = [("context_bits", "10"), ("checksum_bits", checksum)];
        let design = packets("traptor-m4", MACHINE, &settings);
        let bytes = encode(&design, &two.items);
        for programs in [swapped.clone(), first.into(), second.into()] {
            let (parts, recovered) = decode_from(&design, programs, &bytes, 0);
            assert!(recovered.gaps > 0, "checksum of {checksum} bits");
            let undecodable = |part: &Part| matches!(part, Part::Gap(gap) if matches!(gap.reason, Reason::Undecodable(_)));
            assert!(parts.iter().any(undecodable), "checksum of {checksum} bits");
        }
    }
}

/// A trace that begins anywhere goes on in the context, and so in the program, that its first usable header says.
#[test]
fn a_cut_trace_goes_on_in_its_context() {
    let two = two();
    let design = packets("traptor-m4", MACHINE, &SETTINGS);
    let bytes = encode(&design, &two.items);
    let expected = expected(&two.items);
    let mut begun = [0, 0];
    for from in (64..bytes.len() as u64 * 8).step_by(1024) {
        let (parts, _) = decode_from(&design, two.programs(), &bytes, from);
        // The packets that a change of context begins keep the tables, so they need one that does not.
        let gaps = parts.iter().take_while(|part| matches!(part, Part::Gap(_))).count();
        let [Part::Gap(gap), Part::State(state), rest @ ..] = &parts[gaps - 1..] else {
            assert_eq!(parts.len(), gaps, "only gaps at the end");
            continue;
        };
        assert_eq!(gap.context, state.context);
        let mut found = items_of(rest);
        let before = expected.len() - found.len();
        let now = expected[..before].iter().rev().find_map(|item| match item {
            Item::State(state) => Some(state.context),
            _ => None,
        });
        assert_eq!(now.unwrap_or(0), state.context, "from bit {from} on");
        // Of an exception that is first, the instruction is in the packet before.
        if let (Some(Item::Event(event)), Item::Event(known)) =
            (found.first_mut(), expected[before])
            && event.instructions == 0
        {
            event.program_counter = known.program_counter;
        }
        assert!(found == expected[before..], "from bit {from} on");
        begun[usize::from(state.context == SECOND)] += 1;
    }
    assert!(begun.iter().all(|times| *times > 3), "{begun:?}");
}

/// The length of the last instruction before a change of context is that in the program where it ran.
#[test]
fn the_instruction_before_is_of_the_program_before() {
    let event = |instructions, program_counter, taken: Option<u64>, kind| Event {
        instructions,
        program_counter,
        target: taken.unwrap_or(0),
        kind,
        call: false,
        is_return: false,
        taken: taken.is_some(),
        length: 0,
        thread: 0,
    };
    let code = |branch_length| Arc::new(Short { branch_length });
    let first = Program::of_code(MACHINE, code(4), Some(0x100)).unwrap();
    let second = Program::of_code(MACHINE, code(2), Some(0x100)).unwrap();
    let programs = Programs::new(&first, [(1, &second)], 4).unwrap();
    let items = [
        Item::Event(event(1, 0x100, None, Kind::DirectConditional)),
        Item::State(ExecutionState { context: 1, ..ExecutionState::default() }),
        // From 0x104 on; from 0x102 on it would be 8 instructions.
        Item::Event(event(7, 0x110, Some(0x100), Kind::DirectJump)),
    ];
    for keeps in ["false", "true"] {
        let settings = [("context_bits", "4"), ("sync_keeps_tables", keeps)];
        let design = packets("traptor-m4", MACHINE, &settings);
        let bytes = encode(&design, &items);
        let (parts, _) = decode_from(&design, programs.clone(), &bytes, 0);
        assert_eq!(items_of(&parts), items);
    }
}

/// A conditional branch, then instructions of 2 bytes, then a jump.
#[derive(Debug)]
struct Short {
    branch_length: u8,
}

impl Code for Short {
    fn regions(&self) -> Vec<Range<u64>> {
        Vec::from([Range { start: 0x100, end: 0x114 }])
    }

    fn instruction(&self, address: u64) -> Option<Instruction> {
        self.regions().iter().find(|region| region.contains(&address))?;
        let branch = |kind| Some(Branch { kind, call: false, is_return: false, target: 0x100 });
        Some(match address {
            0x100 => {
                Instruction { length: self.branch_length, branch: branch(Kind::DirectConditional) }
            }
            0x110 => Instruction { length: 4, branch: branch(Kind::DirectJump) },
            _ => Instruction { length: 2, branch: None },
        })
    }
}

#[test]
fn programs_that_no_trace_can_have_are_refused() {
    let (_, program) = load(11);
    let refused = |contexts: &[u64], context_bits| {
        let programs = contexts.iter().map(|context| (*context, &program));
        Programs::new(&program, programs, context_bits).map(|_| ()).unwrap_err()
    };
    assert_eq!(refused(&[3], 0), ContextError::Untraced { context: 3 });
    assert_eq!(refused(&[3, 16], 4), ContextError::Wide { context: 16, context_bits: 4 });
    assert_eq!(refused(&[3, 3], 4), ContextError::Twice { context: 3 });
    assert!(Programs::new(&program, [(u64::MAX, &program), (0, &program)], 64).is_ok());
}
