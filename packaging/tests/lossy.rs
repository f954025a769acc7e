//! Whole modules with RVFI or a trace ingress port of several lanes, for a core that does not wait: every instruction is traced
//! or counted in a gap.

use std::collections::VecDeque;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_hdl::Generated;
use tracewright_packaging::{Ingress, with_ingress};
use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::event::{Event, Isa, Kind, Machine};
use tracewright_sim::ingress::Queue;
use tracewright_sim::packet::part::Reason;
use tracewright_sim::rvfi::{self, Retirement, Rvfi, Xlen};
use tracewright_sim::scheme::Design;
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_sim::tip::{self, Cycle, INTERRUPT, Tip};
use tracewright_testbench::{BuildOptions, InputPort, Model, design::source};

use crate::by_lane::by_lane;
use crate::control::traced::{Decoded, Work};

const MACHINE: Machine = Machine { isa: Isa::RiscV, alignment: 1, address_bits: 32 };

/// Cycles in which the core retires as much as it can, and those from one such burst to the next.
const BURST: u32 = 30;
const BURST_INTERVAL: u32 = 2_000;

type Case = (&'static str, &'static [(&'static str, &'static str)], Queue);

const CASES: [Case; 3] = [
    ("traptor-m4", &[("trace_port_width", "16")], queue(2, 6)),
    ("nexs", &[("trace_port_width", "16"), ("sync_keeps_tables", "true")], queue(3, 24)),
    ("talon-s", &[("trace_port_width", "8")], queue(4, 64)),
];

const fn queue(lanes: u32, depth: u32) -> Queue {
    Queue { lanes, depth, slack: 0 }
}

#[test]
fn what_rvfi_loses_is_counted() {
    for (number, case) in (1..).zip(CASES) {
        let retired = retirements(number);
        let config = rvfi::Config { xlen: Xlen::Rv32, queue: case.2 };
        let (mut model, mut events) = (Rvfi::new(Xlen::Rv32, 32, 0), Vec::new());
        for one in &retired {
            model.retire(one, |event| keep(&mut events, event)).expect("no error");
        }
        let shown = retired.iter().map(|one| {
            let Retirement { instruction, program_counter, next_program_counter, .. } = *one;
            let (trap, interrupt) = (one.trap.into(), one.interrupt.into());
            vec![1, instruction.into(), program_counter, next_program_counter, trap, interrupt]
        });
        let names =
            ["rvfi_valid", "rvfi_insn", "rvfi_pc_rdata", "rvfi_pc_wdata", "rvfi_trap", "rvfi_intr"];
        check(case, Ingress::Rvfi(config), &names, shown.collect(), events, number);
    }
}

#[test]
fn what_a_trace_ingress_port_loses_is_counted() {
    for (number, case) in (1..).zip(CASES) {
        let cycles = cycles(&retirements(number));
        let config = tip::Config { queue: case.2, ..tip::Config::default() };
        let design = design(&case, Ingress::Tip(config));
        let mut model = Tip::new(config, design.processor(), design.protocol(), 0);
        let mut events = Vec::new();
        for cycle in &cycles {
            model.cycle(cycle, |event, _| keep(&mut events, event)).expect("no error");
        }
        model.flush(|event, _| keep(&mut events, event)).expect("no error");
        let shown = cycles.iter().map(|cycle| {
            vec![cycle.itype.into(), cycle.address, cycle.retired, cycle.last_size.into()]
        });
        let names = ["tip_itype", "tip_iaddr", "tip_iretire", "tip_ilastsize"];
        check(case, Ingress::Tip(config), &names, shown.collect(), events, number);
    }
}

fn keep(events: &mut Vec<Event>, event: Event) -> Result<(), std::convert::Infallible> {
    events.push(event);
    Ok(())
}

/// The events of a random program. It ends with a branch that is not taken.
fn random_events(seed: u64) -> Vec<Event> {
    let options = Options {
        machine: MACHINE,
        events: 12_000,
        functions: 24,
        predicated: false,
        exceptions: true,
        branch_every_instruction: seed.is_multiple_of(2),
        predictability: 90,
        code_base: 0x000f_0000,
        code_span: 1 << 21,
        threads: 1,
        ..Options::from_seed(seed)
    };
    let mut events: Vec<Event> = Synthetic::new(options).expect("good options").collect();
    let end =
        events.iter().rposition(|event| event.kind == Kind::DirectConditional && !event.taken);
    events.truncate(end.expect("a branch that is not taken") + 1);
    events
}

/// What a core retires that executes a random program.
fn retirements(seed: u64) -> Vec<Retirement> {
    let events = random_events(seed);
    let first = events.first().expect("an event");
    let begin = first.program_counter - 2 * first.instructions.saturating_sub(1);
    let (mut retired, mut address, mut interrupt) = (Vec::new(), begin, false);
    for event in &events {
        let Event { program_counter, target, .. } = *event;
        let is_exception = event.kind == Kind::Exception;
        if event.instructions > 0 {
            // As many of the sequential instructions have four bytes as the addresses say.
            let before = event.instructions - 1;
            let long = (program_counter - address) / 2 - before;
            for at in 0..event.instructions {
                let is_last = at == before;
                assert!(!is_last || address == program_counter, "{event} at {address:#x}");
                let length = match event.length {
                    _ if !is_last => {
                        if at < long {
                            4
                        } else {
                            2
                        }
                    }
                    0 => 2,
                    length => u64::from(length),
                };
                let jumps = is_last && !is_exception;
                let next = if jumps && event.taken { target } else { address + length };
                retired.push(Retirement {
                    instruction: if jumps {
                        word(event)
                    } else if length == 4 {
                        0x13
                    } else {
                        1
                    },
                    program_counter: address,
                    next_program_counter: next,
                    trap: false,
                    interrupt: std::mem::take(&mut interrupt),
                });
                address = next;
            }
        }
        // A run that ends without an exception is an event, too.
        if is_exception && event.taken {
            (address, interrupt) = (target, true);
        }
    }
    retired
}

/// A jump or branch of RV32 that does to the flow what an event does.
fn word(event: &Event) -> u32 {
    let is_long = event.length == 4;
    let source = if !event.is_return {
        6
    } else if event.call {
        5
    } else {
        1
    };
    let call = u32::from(event.call);
    match (event.kind, is_long) {
        (Kind::DirectJump, true) => call << 7 | 0x6f,
        (Kind::DirectJump, false) => (if event.call { 1 } else { 5 }) << 13 | 1,
        (Kind::DirectConditional, true) => 0x63,
        (Kind::DirectConditional, false) => 6 << 13 | 1,
        (_, true) => source << 15 | call << 7 | 0x67,
        (_, false) => 4 << 13 | call << 12 | source << 7 | 2,
    }
}

/// What a trace ingress port says of each instruction. An interrupt comes with the instruction before it.
fn cycles(retired: &[Retirement]) -> Vec<Cycle> {
    let (mut cycles, mut next): (Vec<Cycle>, u64) = (Vec::new(), 0);
    for one in retired {
        let class = rvfi::classify(one.instruction, Xlen::Rv32);
        let behind = one.program_counter + u64::from(class.length);
        let itype = match (class.kind, class.call, class.is_return) {
            (None, ..) => 0,
            (Some(Kind::DirectConditional), ..) => 4 + u8::from(one.next_program_counter != behind),
            (Some(Kind::DirectJump), call, _) => {
                if call {
                    9
                } else {
                    15
                }
            }
            (_, true, true) => 12,
            (_, true, false) => 8,
            (_, false, true) => 13,
            (_, false, false) => 14,
        };
        if one.interrupt {
            match cycles.last_mut() {
                Some(last) if last.itype == 0 => last.itype = INTERRUPT,
                // After a jump it has no instruction, and says where the jump has gone.
                Some(_) => {
                    cycles.push(Cycle { itype: INTERRUPT, address: next, ..Cycle::default() })
                }
                None => {}
            }
        }
        cycles.push(Cycle {
            itype,
            address: one.program_counter,
            retired: 1,
            last_size: u8::from(class.length == 4),
            ..Cycle::default()
        });
        next = one.next_program_counter;
    }
    cycles
}

/// The design of a case, with the pins that its adapter needs.
fn design(case: &Case, ingress: Ingress) -> Design {
    let mut design = Design::preset(case.0).expect("a preset");
    design = design.for_machine(MACHINE).expect("a machine");
    let packets = [("framing", "packets"), ("when_full", "drop"), ("record_queue_depth", "8")];
    for (name, value) in packets.iter().chain(case.1) {
        design.set(name, value).expect("a good value");
    }
    ingress.fit(design).expect("it can have the pins")
}

/// Shows what a core says of its instructions on the pins of these names, and checks the trace.
fn check(
    case: Case,
    ingress: Ingress,
    names: &[&str],
    shown: VecDeque<Vec<u64>>,
    events: Vec<Event>,
    seed: u64,
) {
    let design = design(&case, ingress);
    let generated = tracewright_hdl::generate(&design).expect("a good design");
    let whole = with_ingress(&design, generated, ingress).expect("an adapter");
    assert!(whole.ports.iter().all(|port| port.name != "stall" && port.name != "lost"));
    let all: u64 = events.iter().map(|event| event.instructions).sum();
    let work = Work::of(events, MACHINE);
    let trace = run(by_lane(whole, case.2.lanes as usize, names), &case, names, shown, seed);
    let decoded = Decoded::new(&design, &work.program, &trace);
    assert_eq!(decoded.check_parts(&work), Ok(()), "{case:?}");
    let other = decoded.gaps.iter().find(|(_, gap)| !matches!(gap.reason, Reason::Lost(_)));
    assert_eq!(other, None, "{case:?}");
    let (traced, lost) = (decoded.recovered.instructions, decoded.recovered.lost_instructions);
    assert_eq!(traced + lost, all, "{case:?}");
    assert!(lost > 0 && traced > all / 20, "{case:?}: {lost} of {all} are lost");
}

/// Runs a core that retires little, and much now and then; the trace.
fn run(
    whole: Generated,
    case: &Case,
    names: &[&str],
    mut shown: VecDeque<Vec<u64>>,
    seed: u64,
) -> Vec<u8> {
    let library = source(&whole).build(&BuildOptions::default()).expect("a model");
    let lanes = case.2.lanes;
    let pin = |name: &str, lane| {
        library.input_of_any_width(&format!("{name}_lane{lane}")).expect("a pin").0
    };
    let pins: Vec<Vec<InputPort>> =
        (0..lanes).map(|lane| names.iter().map(|name| pin(name, lane)).collect()).collect();
    let output = |name| library.output_of_any_width(name).expect("an output");
    let ((valid, _), (data, width), (flushed, _)) =
        (output("trace_valid"), output("trace_data"), output("flushed"));
    let flush = library.input("flush", 1).expect("an input");
    let mut model = Model::new(&library, seed).expect("a model");
    model.reset(2).expect("a reset");
    model.set(library.input("trace_ready", 1).expect("an input"), 1);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut received = BitPacker::new();
    for cycle in 0..2_000_000 {
        let is_burst = cycle % BURST_INTERVAL < BURST;
        model.set(flush, shown.is_empty().into());
        for pins in &pins {
            let retires = is_burst || random.random_range(0..4 * lanes) == 0;
            let values = retires.then(|| shown.pop_front()).flatten();
            let values = values.unwrap_or_else(|| vec![0; names.len()]);
            pins.iter().zip(values).for_each(|(pin, value)| model.set(*pin, value));
        }
        model.cycle().expect("no failure");
        if model.get(valid) != 0 {
            received.push(model.get(data), width);
        }
        if shown.is_empty() && model.get(flushed) != 0 {
            return received.finish();
        }
    }
    panic!("the flush does not end");
}
