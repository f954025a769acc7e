//! Decoding against code that changes while it runs: the events are those of the execution, and the code is not read for
//! each of them.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tracewright_sim::code::{Branch, ChangingCode, Code, Instruction};
use tracewright_sim::encode::bit_packer::BitUnpacker;
use tracewright_sim::event::{Event, Isa, Kind, Machine};
use tracewright_sim::packet::part::Part;
use tracewright_sim::program::Program;
use tracewright_sim::scheme::{self, Design};

use super::{DESIGNS, WORD, decode};
use crate::common;

const EVENTS: u64 = 40_000;

/// Events between two changes.
const PERIOD: u64 = 5_000;

/// A loop whose first branch is a conditional branch in every second period and a direct jump in the others.
#[derive(Debug, Default)]
struct Rewritten {
    reads: AtomicU64,
}

impl Rewritten {
    fn read(&self, period: u64, address: u64) -> Option<Instruction> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        let direct = |kind, target| Branch { kind, call: false, is_return: false, target };
        let branch = match address {
            0x08 if period.is_multiple_of(2) => Some(direct(Kind::DirectConditional, 0x20)),
            0x08 => Some(direct(Kind::DirectJump, 0x20)),
            0x10 => Some(direct(Kind::IndirectJump, 0)),
            0x24 => Some(direct(Kind::DirectConditional, 0)),
            0x2c => Some(direct(Kind::DirectJump, 0x04)),
            _ => None,
        };
        (address < 0x30).then_some(Instruction { length: WORD, branch })
    }
}

impl Code for Rewritten {
    fn regions(&self) -> Vec<Range<u64>> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        Vec::from([Range { start: 0, end: 0x30 }])
    }

    fn instruction(&self, address: u64) -> Option<Instruction> {
        self.read(0, address)
    }

    fn changing(self: Arc<Self>, _thread: u8) -> Option<Box<dyn ChangingCode>> {
        Some(Box::new(Now { code: self, period: 0 }))
    }
}

#[derive(Clone, Debug)]
struct Now {
    code: Arc<Rewritten>,
    period: u64,
}

impl ChangingCode for Now {
    fn next_change(&self) -> u64 {
        (self.period + 1) * PERIOD
    }

    fn advance(&mut self, event: u64) {
        self.period = event / PERIOD;
    }

    fn state(&self) -> u32 {
        self.period as u32 + 1
    }

    fn instruction(&self, address: u64) -> Option<Instruction> {
        self.code.read(self.period, address)
    }

    fn read(&self, address: u64, length: usize) -> Vec<u8> {
        let byte = |at: u64| if (8..12).contains(&at) { (self.period % 2) as u8 } else { 0 };
        (address..0x30).take(length).map(byte).collect()
    }

    fn is(&self, address: u64, bytes: &[u8]) -> bool {
        self.code.reads.fetch_add(1, Ordering::Relaxed);
        self.read(address, bytes.len()) == bytes
    }

    fn is_fixed(&self, range: Range<u64>) -> bool {
        range.start > 0x0c
    }

    fn file(&self, _address: u64) -> Option<u32> {
        None
    }

    fn size(&self) -> u64 {
        u64::from(WORD)
    }

    fn boxed_clone(&self) -> Box<dyn ChangingCode> {
        Box::new(self.clone())
    }
}

/// An execution that begins by reset.
fn execution() -> Vec<Event> {
    let code = Rewritten::default();
    // The decoder gives the lengths of calls only.
    let mut events = vec![Event::exception(0, 0, 0)];
    let (mut at, mut instructions, mut random) = (0, 0, 1u64);
    while (events.len() as u64) < EVENTS {
        let period = events.len() as u64 / PERIOD;
        let instruction = code.read(period, at).expect("an instruction");
        instructions += 1;
        let next = at + u64::from(WORD);
        let Some(Branch { kind, target, .. }) = instruction.branch else {
            at = next;
            continue;
        };
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let taken = !kind.is_conditional() || random >> 40 & 3 == 0;
        let target = match kind {
            Kind::IndirectJump => u64::from(WORD) * (random >> 50 & 3),
            _ => target,
        };
        let event = common::event(kind, instructions, at, taken.then_some(target));
        events.push(Event { length: 0, ..event });
        (at, instructions) = (if taken { target } else { next }, 0);
    }
    events
}

#[test]
fn code_that_changes_is_read_once_for_each_change() {
    let machine = Machine { isa: Isa::Arm, alignment: 2, address_bits: 32 };
    let events = execution();
    let most_reads = EVENTS / PERIOD * 100;
    for name in DESIGNS {
        let design = Design::preset(name).unwrap().for_machine(machine).unwrap();
        let code = Arc::new(Rewritten::default());
        let program = Program::of_code(machine, Arc::clone(&code) as Arc<dyn Code>, None).unwrap();
        let decoded = decode(&design, &program, &common::encode(&design, &events, usize::MAX).0);
        assert!(decoded.unwrap() == events, "{name}");
        let reads = code.reads.load(Ordering::Relaxed);
        assert!(reads < most_reads, "{name}: {reads} reads");
    }
}

/// Each packet with cleared tables goes on with the code that the one before has reached.
#[test]
fn packets_go_on_in_code_that_changes() {
    let machine = Machine { isa: Isa::Arm, alignment: 2, address_bits: 32 };
    let events = execution();
    let mut design = Design::preset("traptor-m4").unwrap().for_machine(machine).unwrap();
    for (parameter, value) in [("framing", "packets"), ("sync_interval", "1024")] {
        design.set(parameter, value).unwrap();
    }
    let code = Arc::new(Rewritten::default());
    let program = Program::of_code(machine, Arc::clone(&code) as Arc<dyn Code>, None).unwrap();
    let trace = common::encode(&design, &events, usize::MAX).0;
    let mut decoded = Vec::new();
    let mut bits = BitUnpacker::new(trace.as_slice());
    let whole = scheme::decode_packets(&design, &program, &mut bits, u64::MAX, |part| {
        if let Part::Event(event) = part {
            decoded.push(event);
        }
        Ok::<(), common::Error>(())
    });
    let whole = whole.unwrap();
    assert!(whole.packets > 50 && whole.gaps == 0, "{whole:?}");
    assert!(decoded == events);
    let reads = code.reads.load(Ordering::Relaxed);
    assert!(reads < EVENTS / 10, "{reads} reads");
}
