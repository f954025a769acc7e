//! What a core retires that executes a random program, and what it says of it on the ports that cores have.

use std::convert::Infallible;
use tracewright_sim::config::Processor;
use tracewright_sim::event::{Event, Isa, Kind, Machine};
use tracewright_sim::ingress::Queue;
use tracewright_sim::rvfi::{self, Compressed, Retirement, Rvfi, Xlen};
use tracewright_sim::scheme::Design;
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_sim::tip::{self, Cycle, EXCEPTION, INTERRUPT, Tip};

use crate::wander::TRAPS;

pub const MACHINE: Machine = Machine { isa: Isa::RiscV, alignment: 1, address_bits: 32 };

const PROCESSOR: Processor = Processor {
    address_width: 32,
    alignment: 1,
    retire_count_bits: 4,
    exact_lengths: false,
    expanded_words: false,
};

/// Pins of an instruction, with the values of [`on_rvfi`].
pub const RVFI_PINS: [&str; 7] = [
    "rvfi_valid",
    "rvfi_insn",
    "rvfi_pc_rdata",
    "rvfi_pc_wdata",
    "rvfi_trap",
    "rvfi_intr",
    "rvfi_compressed",
];

/// The adapter of the port that has these pins, with another queue.
pub const fn of_queue(queue: Queue) -> rvfi::Config {
    rvfi::Config { compressed: Compressed::Pin, ..rvfi::Config::of_queue(Xlen::Rv32, queue) }
}

/// Pins of a block, with the values of [`on_tip`].
pub const TIP_PINS: [&str; 4] = ["tip_itype", "tip_iaddr", "tip_iretire", "tip_ilastsize"];

/// Pins of a block of one of several lanes, with the values of [`blocks`].
pub const BLOCK_PINS: [&str; 9] = [
    "retire_valid",
    "retire_count",
    "retire_pc",
    "retire_length",
    "retire_kind",
    "retire_call",
    "retire_return",
    "retire_taken",
    "retire_target",
];

pub fn on_rvfi(one: &Retirement) -> Vec<u64> {
    let Retirement { instruction, program_counter, next_program_counter, .. } = *one;
    let (trap, interrupt) = (one.trap.into(), one.interrupt.into());
    let compressed = one.compressed.into();
    vec![1, instruction.into(), program_counter, next_program_counter, trap, interrupt, compressed]
}

pub fn on_tip(cycle: &Cycle) -> Vec<u64> {
    vec![cycle.itype.into(), cycle.address, cycle.retired, cycle.last_size.into()]
}

/// What an adapter makes of instructions, if nothing is lost.
pub fn events_of_rvfi(retired: &[Retirement]) -> Vec<Event> {
    let (mut model, mut events) = (Rvfi::new(of_queue(Queue::new(1)), &PROCESSOR, 0), Vec::new());
    for one in retired {
        model.retire(one, |event| keep(&mut events, event)).expect("no error");
    }
    model.flush(|event| keep(&mut events, event)).expect("no error");
    events
}

/// The same of blocks.
pub fn events_of_tip(cycles: &[Cycle], config: tip::Config, design: &Design) -> Vec<Event> {
    let mut model = Tip::new(config, design.processor(), design.protocol(), 0);
    let mut events = Vec::new();
    for cycle in cycles {
        model.cycle(cycle, |event, _| keep(&mut events, event)).expect("no error");
    }
    model.flush(|event, _| keep(&mut events, event)).expect("no error");
    events
}

fn keep(events: &mut Vec<Event>, event: Event) -> Result<(), Infallible> {
    events.push(event);
    Ok(())
}

/// The events of a random program. It ends with a branch that is not taken.
fn random_events(seed: u64, events: u64) -> Vec<Event> {
    let options = Options {
        machine: MACHINE,
        events,
        functions: 24,
        predicated: false,
        exceptions: true,
        branch_every_instruction: seed.is_multiple_of(2),
        predictability: 90,
        code_base: 0x000f_0000,
        code_span: 1 << 12,
        threads: 1,
        ..Options::from_seed(seed)
    };
    let mut events: Vec<Event> = Synthetic::new(options).expect("good options").collect();
    let end =
        events.iter().rposition(|event| event.kind == Kind::DirectConditional && !event.taken);
    events.truncate(end.expect("a branch that is not taken") + 1);
    events
}

/// Where a direct branch goes, also one that is not taken.
fn target_of(event: &Event) -> u64 {
    if event.taken { event.target } else { event.program_counter + 0x40 }
}

/// What a core retires that executes a random program.
pub fn retirements(seed: u64, events: u64) -> Vec<Retirement> {
    let events = random_events(seed, events);
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
                        let bytes = target_of(event).wrapping_sub(address);
                        word(event.kind, event.call, event.is_return, bytes)
                    } else {
                        0x13
                    },
                    program_counter: address,
                    next_program_counter: next,
                    trap: false,
                    interrupt: std::mem::take(&mut interrupt),
                    compressed: length == 2,
                });
                address = next;
            }
        }
        // A run that ends without an exception is an event, too.
        if is_exception && event.taken {
            if !retired.len().is_multiple_of(3) {
                retired.push(Retirement {
                    instruction: TRAPS[retired.len() % TRAPS.len()],
                    program_counter: address,
                    next_program_counter: target,
                    trap: true,
                    interrupt: std::mem::take(&mut interrupt),
                    compressed: false,
                });
            }
            (address, interrupt) = (target, true);
        }
    }
    retired
}

/// A jump or branch of RV32 in 32 bits, also where the instruction has two bytes; a direct one goes so many bytes.
pub fn word(kind: Kind, call: bool, is_return: bool, bytes: u64) -> u32 {
    let source = if !is_return {
        6
    } else if call {
        5
    } else {
        1
    };
    let link = u32::from(call) << 7;
    let bits =
        |low: u32, count: u32, place: u32| ((bytes >> low) as u32 & ((1 << count) - 1)) << place;
    match kind {
        Kind::DirectJump => {
            bits(20, 1, 31) | bits(1, 10, 21) | bits(11, 1, 20) | bits(12, 8, 12) | link | 0x6f
        }
        Kind::DirectConditional => {
            let is_near = (-4096..4096).contains(&(bytes as u32 as i32));
            assert!(is_near, "a branch over {} bytes", bytes as u32 as i32);
            bits(12, 1, 31) | bits(5, 6, 25) | bits(1, 4, 8) | bits(11, 1, 7) | 0x63
        }
        _ => source << 15 | link | 0x67,
    }
}

/// The bytes of an instruction.
fn length_of(one: &Retirement) -> u64 {
    if one.compressed { 2 } else { 4 }
}

/// What a trace ingress port says of each instruction. An interrupt comes with the instruction before it; what traps
/// has no instruction.
pub fn cycles(retired: &[Retirement]) -> Vec<Cycle> {
    let (mut cycles, mut next): (Vec<Cycle>, u64) = (Vec::new(), 0);
    let mut after_trap = false;
    for one in retired {
        let class = rvfi::classify(one.instruction, Xlen::Rv32, rvfi::Extensions::NONE);
        let behind = one.program_counter + length_of(one);
        let itype = match (class.kind, class.call, class.is_return) {
            _ if one.trap => EXCEPTION,
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
        if one.interrupt && !after_trap {
            match cycles.last_mut() {
                Some(last) if last.itype == 0 => last.itype = INTERRUPT,
                // After a jump it has no instruction, and says where the jump has gone.
                Some(_) => {
                    cycles.push(Cycle { itype: INTERRUPT, address: next, ..Cycle::default() })
                }
                None => {}
            }
        }
        after_trap = one.trap;
        cycles.push(Cycle {
            itype,
            address: one.program_counter,
            retired: u64::from(!one.trap),
            last_size: u8::from(!one.compressed),
            ..Cycle::default()
        });
        next = one.next_program_counter;
    }
    cycles
}

/// The same instructions as blocks: sequential ones two by two.
pub fn blocks(retired: &[Retirement]) -> Vec<Vec<u64>> {
    let mut blocks: Vec<Vec<u64>> = Vec::new();
    let mut after_trap = false;
    for one in retired {
        let class = rvfi::classify(one.instruction, Xlen::Rv32, rvfi::Extensions::NONE);
        let (length, next) = (length_of(one), one.next_program_counter);
        if one.interrupt || after_trap {
            let pc = blocks.last().map_or(0, |last| last[2]);
            let exception = Kind::Exception.pin_code();
            blocks.push(vec![1, 0, pc, 4, exception, 0, 0, 1, one.program_counter]);
        }
        after_trap = one.trap;
        if one.trap {
            continue;
        }
        let kind = class.kind.map_or(0, Kind::pin_code);
        let taken = u64::from(next != one.program_counter + length);
        let block = [length, kind, class.call.into(), class.is_return.into(), taken, next];
        let joins = blocks.last().is_some_and(|last| last[1] == 1 && last[4] == 0);
        if joins {
            blocks.pop();
        }
        let head = [1, 1 + u64::from(joins), one.program_counter];
        blocks.push([&head[..], &block].concat());
    }
    blocks
}
