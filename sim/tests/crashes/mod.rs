//! Crashes decode: what retired before and after is there, and what was attempted is where an exception comes.

use std::convert::Infallible;
use std::sync::Arc;

use tracewright_sim::code::Code;
use tracewright_sim::config::{Processor, Protocol};
use tracewright_sim::decode::error::DecodeError;
use tracewright_sim::encode::bit_packer::{BitPacker, BitUnpacker};
use tracewright_sim::event::{Event, Isa, Kind, Machine};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::packet::part::Part;
use tracewright_sim::program::Program;
use tracewright_sim::rvfi::{self, Retirement, Rvfi, Xlen};
use tracewright_sim::scheme::{self, Design, DesignError, Encoder, Scheme};
use tracewright_sim::tip::{self, Cycle, EXCEPTION, INTERRUPT, Tip};

pub mod core;

use core::{Edge, Holes, RESET, run};

pub const MACHINE: Machine = Machine { isa: Isa::RiscV, alignment: 1, address_bits: 32 };
const PROCESSOR: Processor = Processor {
    address_width: 32,
    alignment: 1,
    retire_count_bits: 4,
    exact_lengths: false,
    expanded_words: false,
};

/// What an adapter shows of an execution, and how many instructions have no event.
pub struct Shown {
    pub events: Vec<Event>,
    pub trailing: u64,
    /// The last of these.
    pub last: u64,
}

pub fn keep(events: &mut Vec<Event>) -> impl FnMut(Event) -> Result<(), Infallible> {
    |event| {
        events.push(event);
        Ok(())
    }
}

fn on_rvfi(said: &[Retirement]) -> Shown {
    let (mut adapter, mut events) =
        (Rvfi::new(rvfi::Config::new(Xlen::Rv32, 1), &PROCESSOR, 0), Vec::new());
    for one in said {
        adapter.retire(one, keep(&mut events)).unwrap();
    }
    adapter.flush(keep(&mut events)).unwrap();
    let (trailing, last) = (adapter.trailing_instructions(), adapter.program_counter());
    Shown { events, trailing, last }
}

/// The same execution on a trace ingress port: what traps has no instruction.
fn on_tip(said: &[Retirement]) -> Shown {
    let processor = &PROCESSOR;
    let mut adapter = Tip::new(tip::Config::default(), processor, &Protocol::default(), 0);
    let mut cycles: Vec<Cycle> = Vec::new();
    let mut after_trap = false;
    for one in said {
        let class = rvfi::classify(one.instruction, Xlen::Rv32, rvfi::Extensions::NONE);
        let behind = one.program_counter + u64::from(class.length);
        if one.interrupt && !after_trap {
            // `mepc` is what would have come next.
            let previous = cycles.last().copied().unwrap_or_default();
            let address = said_next(said, one);
            match cycles.last_mut() {
                Some(last) if previous.itype == 0 && previous.retired == 1 => {
                    last.itype = INTERRUPT
                }
                _ => cycles.push(Cycle { itype: INTERRUPT, address, ..Cycle::default() }),
            }
        }
        after_trap = one.trap;
        let itype = match (class.kind, class.call, class.is_return) {
            _ if one.trap => EXCEPTION,
            (None, ..) => 0,
            (Some(Kind::DirectConditional), ..) => 4 + u8::from(one.next_program_counter != behind),
            (Some(Kind::DirectJump), true, _) => 9,
            (Some(Kind::DirectJump), ..) => 15,
            (_, true, _) => 8,
            (_, _, true) => 13,
            _ => 14,
        };
        cycles.push(Cycle {
            itype,
            address: one.program_counter,
            retired: u64::from(!one.trap),
            last_size: u8::from(class.length == 4),
            ..Cycle::default()
        });
    }
    let mut events = Vec::new();
    for cycle in &cycles {
        adapter.cycle(cycle, |event, _| keep(&mut events)(event)).unwrap();
    }
    adapter.flush(|event, _| keep(&mut events)(event)).unwrap();
    let (trailing, last) = (adapter.trailing_instructions(), adapter.program_counter());
    Shown { events, trailing, last }
}

/// Where the flow would have gone before an instruction, which is a handler's first.
fn said_next(said: &[Retirement], handler: &Retirement) -> u64 {
    let place = said.iter().position(|one| std::ptr::eq(one, handler)).unwrap();
    place.checked_sub(1).map_or(RESET, |before| said[before].next_program_counter)
}

/// Follows events through the code: what retires is what the core retired, and what it attempted is where an exception
/// is.
fn check_flow(events: &[Event], trailing: u64, said: &[Retirement], is_open: bool) {
    let mut expected = said.iter().peekable();
    let (mut at, mut retired) = (None::<u64>, 0u64);
    let mut retire = |at: &mut Option<u64>, count: u64, attempts: &mut Vec<u64>| {
        for _ in 0..count {
            let one = loop {
                let one = expected.next().expect("an instruction that retired");
                if !one.trap {
                    break one;
                }
                let place = attempts.iter().position(|tried| *tried == one.program_counter & !1);
                assert!(place.is_some(), "{:#x} was attempted", one.program_counter);
                attempts.drain(..=place.unwrap());
            };
            assert_eq!(*at, Some(one.program_counter & !1), "after {retired} instructions");
            let length = Holes.instruction(one.program_counter).expect("code").length;
            *at = Some(one.program_counter + u64::from(length));
            retired += 1;
        }
    };
    let mut attempts = Vec::new();
    for event in events {
        retire(&mut at, event.instructions, &mut attempts);
        if event.kind == Kind::Exception && event.taken {
            attempts.extend(at);
        }
        if event.taken {
            at = Some(event.target);
        }
    }
    retire(&mut at, trailing, &mut attempts);
    let end = said.last().expect("an instruction");
    for one in expected {
        // The trace ingress port does not say where the last jump went.
        if is_open && std::ptr::eq(one, end) {
            break;
        }
        assert!(one.trap, "{:#x} retired", one.program_counter);
        let place = attempts.iter().position(|tried| *tried == one.program_counter & !1);
        // The trace ingress port does not say where the last exception went.
        assert!(place.is_some() || is_open, "{:#x} was attempted", one.program_counter);
    }
}

#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Decode(#[from] DecodeError),
    #[error(transparent)]
    Design(#[from] DesignError),
}

/// Encodes and decodes what an adapter has shown.
pub fn check_design(design: &Design, shown: &Shown, program: &Program) {
    let mut encoder = Encoder::new(design).unwrap();
    let mut trace = BitPacker::new();
    for event in &shown.events {
        encoder.event(event, &mut trace).unwrap();
    }
    if shown.trailing > 0 {
        let run = Event::straight_run(shown.trailing, shown.last);
        encoder.event(&run, &mut trace).unwrap();
    }
    encoder.flush(&mut trace);
    let trace = trace.finish();
    let mut bits = BitUnpacker::new(&trace[..]);
    let mut decoded = Vec::new();
    let trailing = match design.framing() {
        None => {
            let emit = |event| {
                decoded.push(event);
                Ok::<(), Failure>(())
            };
            scheme::decode(design, program, &mut bits, u64::MAX, emit)
                .unwrap_or_else(|error| panic!("{}: {error}", design.name))
                .trailing_instructions
        }
        Some(_) => {
            let emit = |part| {
                match part {
                    Part::Event(event) => decoded.push(event),
                    Part::State(_) | Part::Time(_) => {}
                    part => panic!("{}: {part:?}", design.name),
                }
                Ok::<(), Failure>(())
            };
            let recovered = scheme::decode_packets(design, program, &mut bits, u64::MAX, emit);
            recovered
                .unwrap_or_else(|error| panic!("{}: {error}", design.name))
                .trailing_instructions
        }
    };
    let described = |event: &Event| Event { length: 0, ..*event };
    let differs = decoded
        .iter()
        .zip(&shown.events)
        .position(|(one, other)| described(one) != described(other));
    if let Some(place) = differs {
        panic!("{}: event {place} is {}, not {}", design.name, decoded[place], shown.events[place]);
    }
    assert_eq!(decoded.len(), shown.events.len(), "{}", design.name);
    assert_eq!(trailing, shown.trailing, "{}", design.name);
}

/// The designs of every preset for one core, with and without packets.
fn designs() -> Vec<Design> {
    let mut designs = Vec::new();
    for (preset, _) in Scheme::presets() {
        for packets in [false, true] {
            let mut design = Design::preset(preset.name).unwrap().for_machine(MACHINE).unwrap();
            if design.traces_data() {
                continue;
            }
            // Several cores, and time stamps, have none.
            let settings = [("framing", "packets"), ("sync_interval", "1024")];
            for (name, value) in settings.iter().filter(|_| packets) {
                design.set(name, value).unwrap();
            }
            if Encoder::new(&design).is_ok() {
                designs.push(design);
            }
        }
    }
    designs
}

#[test]
fn crashes_decode_with_every_scheme() {
    let program = Program::of_code(MACHINE, Arc::new(Holes), Some(RESET)).unwrap();
    let edges = [Edge::Retires, Edge::Traps];
    let ends = edges.into_iter().flat_map(|begin| edges.map(|end| (begin, end)));
    for (seed, (begin, end)) in (1..).zip(ends) {
        let said = run(seed, 4_000, begin, end);
        let traps = said.iter().filter(|one| one.trap).count();
        let double = said.windows(2).filter(|two| two[0].trap && two[1].trap).count();
        assert!(traps > 200 && double > 20, "{traps} traps, {double} in a handler's first");
        for (shown, is_open) in [(on_rvfi(&said), false), (on_tip(&said), true)] {
            check_flow(&shown.events, shown.trailing, &said, is_open);
            for design in designs() {
                check_design(&design, &shown, &program);
            }
        }
    }
}
