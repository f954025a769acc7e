//! Decoding against code instead of a learned program: every instruction of A32 has four bytes, so a trace of it tells
//! what the code was.

mod changing;

use crate::common;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tracewright_sim::code::{Branch, Code, Instruction};
use tracewright_sim::encode::bit_packer::BitUnpacker;
use tracewright_sim::event::{Event, Isa, Kind, Machine};
use tracewright_sim::program::{Place, Program};
use tracewright_sim::scheme::{self, Design};

const WORD: u8 = 4;

/// Words, of which those that ran as branches are known.
#[derive(Debug)]
struct Words {
    range: Range<u64>,
    branches: HashMap<u64, Branch>,
}

impl Words {
    fn of(events: &[Event]) -> Words {
        let mut branches: HashMap<u64, Branch> = HashMap::new();
        for event in events.iter().filter(|event| event.kind != Kind::Exception || !event.taken) {
            let Event { kind, call, is_return, target, .. } = *event;
            let is_direct = matches!(kind, Kind::DirectJump | Kind::DirectConditional);
            let target = if is_direct { target } else { 0 };
            let branch = Branch { kind, call, is_return, target };
            let known = branches.entry(event.program_counter).or_insert(branch);
            // What was not taken at first had no target.
            known.target = known.target.max(target);
        }
        let start = branches.keys().min().expect("a trace") & !0xfff;
        let end = branches.keys().max().expect("a trace") + 0x1000;
        Words { range: start..end, branches }
    }
}

impl Code for Words {
    fn regions(&self) -> Vec<Range<u64>> {
        vec![self.range.clone()]
    }

    fn instruction(&self, address: u64) -> Option<Instruction> {
        let there = self.range.contains(&address) && address.is_multiple_of(WORD.into());
        there.then(|| Instruction { length: WORD, branch: self.branches.get(&address).copied() })
    }
}

/// A workload with its calls' lengths, and where it begins.
fn workload(name: &str) -> (Machine, Vec<Event>, u64) {
    let (machine, mut events) = common::workload(name, 40_000);
    for event in events.iter_mut().filter(|event| event.call) {
        event.length = WORD;
    }
    let first = events[0];
    let start = first.program_counter - (first.instructions - 1) * u64::from(WORD);
    (machine, events, start)
}

fn decode(design: &Design, program: &Program, trace: &[u8]) -> Result<Vec<Event>, common::Error> {
    let mut events = Vec::new();
    let mut bits = BitUnpacker::new(trace);
    scheme::decode(design, program, &mut bits, u64::MAX, |event| {
        events.push(event);
        Ok::<(), common::Error>(())
    })?;
    Ok(events)
}

const DESIGNS: [&str; 7] = [
    "traptor-m4",
    "traptor-s0",
    "stream-base-128",
    "stream-rbase-128",
    "ntuple-32x4",
    "nexs",
    "mctraptor-small-n1",
];

#[test]
fn code_decodes_what_a_learned_program_does() {
    for name in ["arm-adpcm_c", "arm-stringsearch"] {
        let (machine, events, start) = workload(name);
        let code: Arc<dyn Code> = Arc::new(Words::of(&events));
        let with_entry = Program::of_code(machine, Arc::clone(&code), Some(start)).unwrap();
        let without = Program::of_code(machine, code, None).unwrap();
        assert!(without.block_at(Place::Start(0)).is_none());
        let mut from_reset = vec![Event::exception(0, 0, start)];
        from_reset.extend(&events);
        let learned = common::learn(machine, &mut from_reset);
        for design in DESIGNS {
            let design = Design::preset(design).unwrap().for_machine(machine).unwrap();
            let trace = common::encode(&design, &events, usize::MAX).0;
            assert!(
                decode(&design, &with_entry, &trace).unwrap() == events,
                "{} of {name}",
                design.name
            );
            let trace = common::encode(&design, &from_reset, usize::MAX).0;
            for program in [&without, &with_entry, &learned] {
                let decoded = decode(&design, program, &trace).unwrap();
                assert!(decoded == from_reset, "{} of {name} from reset", design.name);
            }
        }
    }
}

#[test]
fn other_code_is_noticed_where_it_differs() {
    let (machine, events, start) = workload("arm-adpcm_c");
    let mut words = Words::of(&events);
    let at = events[1000].program_counter;
    words.branches.remove(&at);
    let stale = Program::of_code(machine, Arc::new(words), Some(start)).unwrap();
    for design in DESIGNS {
        let design = Design::preset(design).unwrap().for_machine(machine).unwrap();
        let decoded = decode(&design, &stale, &common::encode(&design, &events, usize::MAX).0);
        assert!(
            decoded.is_err() || decoded.is_ok_and(|decoded| decoded != events),
            "{}",
            design.name
        );
    }
}

/// A straight run, which counts how often it is read.
#[derive(Debug, Default)]
struct LongRun {
    reads: AtomicU64,
}

impl LongRun {
    const INSTRUCTIONS: u64 = 1 << 20;
}

impl Code for LongRun {
    fn regions(&self) -> Vec<Range<u64>> {
        Vec::from([Range { start: 0, end: Self::INSTRUCTIONS * u64::from(WORD) }])
    }

    fn instruction(&self, address: u64) -> Option<Instruction> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        let last = (Self::INSTRUCTIONS - 1) * u64::from(WORD);
        let jump = Branch { kind: Kind::DirectJump, call: false, is_return: false, target: 0 };
        let branch = (address == last).then_some(jump);
        (address <= last).then_some(Instruction { length: WORD, branch })
    }
}

/// A jump table into a long run has as many starts as the run has instructions.
#[test]
fn a_straight_run_is_not_read_again_for_each_start() {
    let machine = Machine { isa: Isa::Arm, alignment: 2, address_bits: 32 };
    let code = Arc::new(LongRun::default());
    let program = Program::of_code(machine, Arc::clone(&code) as Arc<dyn Code>, None).unwrap();
    for start in (0..LongRun::INSTRUCTIONS).step_by(1009) {
        let at = program.block_at(Place::At(start * u64::from(WORD))).unwrap();
        let block = program.block(at);
        assert_eq!(block.instructions, LongRun::INSTRUCTIONS - start);
        assert_eq!((block.kind, block.is_complete), (Kind::DirectJump, true));
    }
    let reads = code.reads.load(Ordering::Relaxed);
    assert!(reads < 2 * LongRun::INSTRUCTIONS, "{reads} instructions were read");
}
