//! The walker gives every instruction, and notices what cannot be.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::common::{Random, jump, reset, walk};
use proptest::prelude::*;
use tracewright_sim::code::{Branch, Code, Instruction};
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::program::Place;
use tracewright_view::Walker;

/// Instructions of 2 and 4 bytes that a seed determines, and a hole.
#[derive(Debug)]
struct Drawn {
    seed: u64,
}

const SIZE: u64 = 400;
const BASE: u64 = 0x1_0000;

impl Code for Drawn {
    fn regions(&self) -> Vec<Range<u64>> {
        vec![BASE..BASE + SIZE, BASE + 2 * SIZE..BASE + 3 * SIZE]
    }

    fn instruction(&self, address: u64) -> Option<Instruction> {
        self.regions().iter().find(|region| region.contains(&address))?;
        let mut random = Random(self.seed ^ address.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        random.below(2);
        let length = 2 + 2 * random.below(2) as u8;
        let kind = Kind::from_code(random.below(16) as u8);
        let is_direct = matches!(kind, Some(Kind::DirectJump | Kind::DirectConditional));
        let target = if is_direct { BASE + 2 * random.below(SIZE / 2) } else { 0 };
        let branch = kind.map(|kind| Branch { kind, call: false, is_return: false, target });
        Some(Instruction { length, branch })
    }
}

fn program_counters(walker: &mut Walker, events: &[Event]) -> Vec<u64> {
    let mut found = Vec::new();
    for event in events {
        let step = walker.step(event).unwrap_or_else(|error| panic!("{error}"));
        found.extend(walker.program_counters(&step));
    }
    found
}

proptest! {
    #[test]
    fn every_instruction_is_found(seed: u64) {
        let code = Drawn { seed };
        let starts: Vec<u64> = (0..40).map(|n| BASE + 2 * n).collect();
        let (events, walked) = walk(&code, &starts, 500, &mut Random(seed));
        let mut walker = Walker::new(Arc::new(code), None);
        prop_assert_eq!(program_counters(&mut walker, &events), walked);
    }

    #[test]
    fn a_changed_event_is_noticed(seed: u64, changed in 1usize..200, what in 0..4) {
        let code = Drawn { seed };
        let starts: Vec<u64> = (0..40).map(|n| BASE + 2 * n).collect();
        let (mut events, _) = walk(&code, &starts, 200, &mut Random(seed));
        let event = &mut events[changed];
        prop_assume!(event.kind != Kind::Exception);
        match what {
            0 => event.instructions += 1,
            1 => event.program_counter += 2,
            2 => event.target += 2 * u64::from(event.taken && event.kind == Kind::DirectJump),
            _ => event.kind = Kind::from_code((event.kind as u8 + 1) % 4).expect("a kind"),
        }
        prop_assume!(what != 2 || event.kind == Kind::DirectJump);
        let mut walker = Walker::new(Arc::new(code), None);
        let error = events.iter().find_map(|event| walker.step(event).err()).expect("an error");
        prop_assert_eq!(error.index, changed as u64);
    }
}

/// Eight sequential instructions, a jump to the first, then a system call.
#[derive(Debug)]
struct Small;

impl Code for Small {
    fn regions(&self) -> Vec<Range<u64>> {
        vec![0x100..0x128, 0x200..0x208]
    }

    fn instruction(&self, address: u64) -> Option<Instruction> {
        let branch = |kind, target| Some(Branch { kind, call: false, is_return: false, target });
        self.regions().iter().find(|region| region.contains(&address))?;
        let branch = match address {
            0x120 => branch(Kind::DirectJump, 0x100),
            0x124 => branch(Kind::Exception, 0),
            _ => None,
        };
        Some(Instruction { length: 4, branch })
    }
}

fn messages(events: &[Event]) -> String {
    let mut walker = Walker::new(Arc::new(Small), None);
    match events.iter().find_map(|event| walker.step(event).err()) {
        Some(error) => error.to_string(),
        None => "no error".into(),
    }
}

#[test]
fn what_is_wrong_is_said() {
    let begin = reset(0, 0x100);
    let round = jump(9, 0x120, 0x100);
    let said = [
        messages(&[begin, round, round]),
        messages(&[begin, jump(8, 0x11c, 0x100)]),
        messages(&[begin, jump(9, 0x120, 0x104)]),
        messages(&[begin, round, reset(0, 0x300), jump(2, 0x304, 0x100)]),
        messages(&[begin, round, reset(0, 0x200), jump(3, 0x208, 0x100)]),
        messages(&[begin, Event { kind: Kind::DirectConditional, ..round }]),
        messages(&[round]),
        messages(&[reset(0, 0x124), jump(2, 0x128, 0x100)]),
    ];
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn an_exception_may_come_between_any_two_instructions() {
    let at = |count: u64, program_counter| Event {
        instructions: count,
        program_counter,
        ..reset(0, 0x100)
    };
    for count in 1..9 {
        assert_eq!(messages(&[reset(0, 0x100), at(count, 0xfc + 4 * count)]), "no error");
        assert_ne!(messages(&[reset(0, 0x100), at(count, 0x100 + 4 * count)]), "no error");
    }
    // The jump has an event of its own.
    assert_ne!(messages(&[reset(0, 0x100), at(9, 0x120)]), "no error");
    assert_eq!(messages(&[reset(0, 0x100), jump(9, 0x120, 0x100), at(0, 0x120)]), "no error");
    // A trap at a system call.
    assert_eq!(messages(&[reset(0, 0x124), at(1, 0x124)]), "no error");
}

#[test]
fn the_entry_is_where_a_trace_without_a_beginning_begins() {
    let mut walker = Walker::new(Arc::new(Small), Some(0x11c));
    let found = program_counters(&mut walker, &[jump(2, 0x120, 0x100), jump(9, 0x120, 0x100)]);
    assert_eq!(found.len(), 11);
    assert_eq!(found[..3], [0x11c, 0x120, 0x100]);
    let other = Event { thread: 1, ..jump(2, 0x120, 0x100) };
    assert!(walker.step(&other).is_err());
}

#[test]
fn instructions_after_the_last_event_are_known() {
    let mut walker = Walker::new(Arc::new(Small), None);
    assert!(walker.trail(3).is_none(), "nowhere");
    for event in [reset(0, 0x100), jump(9, 0x120, 0x100)] {
        walker.step(&event).unwrap_or_else(|error| panic!("{error}"));
    }
    assert!(walker.trail(0).is_none());
    let step = walker.trail(3).expect("a step");
    assert!(walker.program_counters(&step).eq([0x100, 0x104, 0x108]));
    assert_eq!((step.before, step.event.program_counter, step.is_trailing), (9, 0x108, true));
    walker.gap(Some(Place::At(0x11c)));
    let step = walker.step(&jump(2, 0x120, 0x100)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((step.before, step.is_trailing), (12, false));
    // Where nothing has retired yet, they begin at the entry.
    let mut walker = Walker::new(Arc::new(Small), Some(0x200));
    let step = walker.trail(2).expect("a step");
    assert!(walker.program_counters(&step).eq([0x200, 0x204]));
}

/// A straight run that ends in an indirect jump, and counts how often it is read.
#[derive(Debug, Default)]
struct LongRun {
    reads: AtomicU64,
}

impl LongRun {
    const INSTRUCTIONS: u64 = 1 << 20;
    const LAST: u64 = BASE + 4 * (Self::INSTRUCTIONS - 1);
}

impl Code for LongRun {
    fn regions(&self) -> Vec<Range<u64>> {
        Vec::from([Range { start: BASE, end: Self::LAST + 4 }])
    }

    fn instruction(&self, address: u64) -> Option<Instruction> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        let jump = Branch { kind: Kind::IndirectJump, call: false, is_return: false, target: 0 };
        let branch = (address == Self::LAST).then_some(jump);
        (address <= Self::LAST).then_some(Instruction { length: 4, branch })
    }
}

/// A jump table into a long run can have as many targets as the run has instructions.
#[test]
fn a_straight_run_is_not_read_again_for_each_start() {
    let code = Arc::new(LongRun::default());
    let mut walker = Walker::new(Arc::clone(&code) as Arc<dyn Code>, Some(BASE));
    let starts: Vec<u64> = (0..LongRun::INSTRUCTIONS).step_by(1009).collect();
    for (number, pair) in starts.windows(2).enumerate() {
        let (count, target) = (LongRun::INSTRUCTIONS - pair[0], BASE + 4 * pair[1]);
        let event = Event { kind: Kind::IndirectJump, ..jump(count, LongRun::LAST, target) };
        let step = walker.step(&event).expect("an event of the code");
        if number.is_multiple_of(100) {
            assert_eq!(walker.program_counters(&step).count() as u64, count);
        }
    }
    let reads = code.reads.load(Ordering::Relaxed);
    assert!(reads < 2 * LongRun::INSTRUCTIONS, "{reads} instructions were read");
}
