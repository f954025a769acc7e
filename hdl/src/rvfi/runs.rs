//! What comes in a cycle: each instruction says where the one before it led, which is a word for the queue. Where several may come,
//! sequential ones wait as one word with the instruction after them, unless that one traps.
//!
//! The flow is diverted from one that traps to the next instruction, which says so in its word. One that traps has a word of
//! its own only if the flow was diverted to it, and another at a flush, which says where its handler is.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::{Processor, index_bits};
use tracewright_sim::event::Kind as InstructionKind;
use tracewright_sim::rvfi::{Config, Xlen};

use super::classifier::stated;
use super::instruction::{Held, Instruction};
use super::order::Shown;
use super::outcome::{Outcome, Waiting};
use super::registered_instruction::RegisteredInstruction;

packed! {
    /// Instructions of a cycle of which only the last one may change the flow, and only the first one may be diverted to;
    /// that one has none after it. One that traps is alone, and stands for the diversion to it or to its handler.
    pub Run of (run_bits: usize, instruction_bits: usize);
    /// instructions, where there may be several
    count: run_bits;
    last: instruction_bits;
    /// the flow was diverted before the first one
    diverted: usize::from(instruction_bits > 0);
}

block! {
    /// The instructions at the pins of all lanes, as words for the queue.
    pub Runs("runs") of (config: &Config, processor: &Processor, registers: bool) {
        let byte_bits = processor.address_width as usize;
        let address_bits = processor.instruction_address_bits() as usize;
        let lanes = config.queue.lanes as usize;
        let instruction_bits = Waiting::<View>::new(address_bits).width();
        let run_bits = Self::count_bits(config);
        let several_bits = usize::from(lanes > 1);
        let held_count_bits = index_bits(lanes as u32) as usize;
        let held_bits = Held::<View>::new(config, address_bits).width();
        let says_next = config.pins.next;
        let traps = usize::from(config.pins.trap);
        let releases_traps = config.pins.trap && says_next;
    }
    parameters {
        xlen = if config.xlen == Xlen::Rv32 { 32 } else { 64 },
        address_width = byte_bits,
        lanes,
        registers if registers,
        ..stated(config.extensions),
    }

    /// an instruction retires in this cycle
    in valid: 1 for _ in 0..lanes;
    in shown: Shown(config, byte_bits) for _ in 0..lanes;
    /// level: the trace ends here
    in flush: 1;
    /// there is room for a word more
    in has_room: 1;
    /// an instruction comes in this cycle
    out arrives: 1;
    /// lanes with a word
    out puts: lanes;
    out run: Run(run_bits, instruction_bits) for _ in 0..lanes;
    block instruction: Instruction(config, processor) for _ in 0..if registers { 0 } else { lanes };
    block registered: RegisteredInstruction(config, processor) for _ in 0..if registers { lanes } else { 0 };
    block outcome: Outcome(config, processor) for _ in 0..lanes;
    /// the last instruction at the pins
    reg held_word: held_bits = undefined;
    view held: Held(config, address_bits);
    /// the flow was diverted before it
    reg held_diverted: 1 = undefined;
    /// there is one
    reg is_held: 1;
    /// a flush has shown it, or there is none
    reg is_shown: 1 = 1;
    /// it was shown as one that jumps
    reg shown_taken: usize::from(says_next);
    /// an instruction comes out of the registers of the lane
    local comes: 1 for _ in 0..lanes;
    view later: Shown(config, byte_bits) for _ in 0..if registers { lanes } else { 0 };
    /// the instruction before that of each lane
    local held_before: held_bits for _ in 0..lanes;
    local before_now: held_bits;
    /// its address
    local next_address: address_bits for _ in 0..lanes;
    local is_before: 1 for _ in 0..lanes;
    local is_before_now: 1;
    /// a flush has shown that one
    local was_shown: 1 for _ in 0..lanes;
    local was_shown_now: 1;
    local diverted_now: 1;
    local was_diverted: 1 for _ in 0..lanes;
    local can_show: 1;
    local can_leave: 1;
    /// what is held leaves for a flush
    local releases: 1;
    /// all of it
    local ends: 1;
    /// the instruction before that of each lane has trapped
    local is_trap: traps for _ in 0..lanes;
    /// instructions that are counted with that one
    reg held_count: held_count_bits;
    local counted: held_count_bits for _ in 0..lanes;
    local counted_now: held_count_bits;
    /// the one before is only counted, with the instruction of the lane
    local defers: several_bits for _ in 0..lanes;
    local next_kind: if lanes > 1 { 3 } else { 0 } for _ in 0..lanes;
    local puts_now: lanes;
    constant sequential: 3 = 0;
    constant direct_jump: 3 = InstructionKind::DirectJump.pin_code();
    constant exception: 3 = InstructionKind::Exception.pin_code();
    param several = lanes > 1;
    param has_registers = usize::from(registers);
    param most_counted = Word::new(held_count_bits, lanes as u64 - 1);
    param one = Word::new(run_bits, 1);
    param alignment = processor.alignment as usize;
    param says_next = says_next;
    param has_interrupt = config.pins.interrupt;
    param traps_are_there = config.pins.trap;
    param releases_traps = releases_traps;
}

impl Runs {
    /// Width of the number of instructions in a word; the only instruction needs none.
    pub fn count_bits(config: &Config) -> usize {
        match config.queue.lanes {
            1 => 0,
            lanes => index_bits(lanes + 1) as usize,
        }
    }
}

#[kernel]
impl Logic for Runs {
    fn update(&mut self) {
        held = held_word.q;
        arrives = 0;
        for lane in 0..valid.len() {
            comes[lane] = valid[lane];
            if when(has_registers) {
                registered[lane].valid = valid[lane];
                registered[lane].pins = shown[lane];
                comes[lane] = registered[lane].later_valid;
                later[lane] = registered[lane].later;
                if registered[lane].arrives {
                    arrives = 1;
                }
            } else if comes[lane] {
                arrives = 1;
            }
        }
        // Of an instruction that only the next one can tell of, a flush shows nothing.
        can_show = 1;
        if when(!says_next) {
            can_show = bit(held.branch_kind == sequential) | bit(held.branch_kind == direct_jump);
        }
        can_leave = !is_shown.q & can_show;
        releases = can_leave & flush & has_room & !arrives;
        ends = releases;
        if when(releases_traps) {
            // Of one that traps and was diverted to, that diversion leaves first.
            ends = releases & !(bit(held.branch_kind == exception) & held_diverted.q);
        }

        // Each instruction with the one before.
        before_now = held_word.q;
        is_before_now = is_held.q;
        was_shown_now = is_shown.q;
        diverted_now = held_diverted.q;
        if when(several) {
            counted_now = held_count.q;
        }
        puts_now = 0;
        for lane in 0..valid.len() {
            held_before[lane] = before_now;
            is_before[lane] = is_before_now;
            was_shown[lane] = was_shown_now;
            if when(has_registers) {
                next_address[lane] = fitted(later[lane].pc >> alignment);
            } else {
                next_address[lane] = fitted(shown[lane].pc >> alignment);
            }
            outcome[lane] =
                Outcome { held: held_before[lane], next_address: next_address[lane], alone: ends };
            if when(says_next) {
                outcome[lane].was_shown = was_shown[lane];
                outcome[lane].shown_taken = shown_taken.q;
            }
            if when(has_interrupt) {
                if when(has_registers) {
                    outcome[lane].interrupt = later[lane].interrupt;
                } else {
                    outcome[lane].interrupt = shown[lane].interrupt;
                }
            }
            if when(!has_registers) {
                instruction[lane].shown = shown[lane];
            }
            was_diverted[lane] = diverted_now;
            run[lane].diverted = was_diverted[lane];
            if when(traps_are_there) {
                is_trap[lane] = 0;
                if outcome[lane].waiting.branch_kind == exception {
                    is_trap[lane] = 1;
                }
            }
            if when(releases_traps) {
                run[lane].diverted = was_diverted[lane] | is_trap[lane];
            }
            if when(several) {
                // A sequential one is counted with the next, unless that one is diverted to, or traps after it.
                counted[lane] = counted_now;
                if when(has_registers) {
                    next_kind[lane] = registered[lane].held.branch_kind;
                } else {
                    next_kind[lane] = instruction[lane].held.branch_kind;
                }
                defers[lane] = 0;
                if outcome[lane].waiting.branch_kind == sequential
                    && !outcome[lane].diverted
                    && !was_diverted[lane]
                    && counted[lane] != most_counted
                {
                    if when(says_next) {
                        if next_kind[lane] != exception {
                            defers[lane] = 1;
                        }
                    } else if next_kind[lane] == sequential || next_kind[lane] == direct_jump {
                        // Any other one a flush may have to leave.
                        defers[lane] = 1;
                    }
                }
                run[lane].count = one + fitted(counted[lane]);
            }
            if comes[lane] {
                if when(several) {
                    counted_now = 0;
                }
                if !was_shown[lane] {
                    puts_now = puts_now.replace_bit(lane, true);
                    if when(traps_are_there) {
                        if is_trap[lane] & !was_diverted[lane] {
                            puts_now = puts_now.replace_bit(lane, false);
                        }
                    }
                    if when(several) {
                        if defers[lane] {
                            puts_now = puts_now.replace_bit(lane, false);
                            counted_now = counted[lane] + 1;
                        }
                    }
                }
                if when(has_registers) {
                    before_now = registered[lane].held;
                } else {
                    before_now = instruction[lane].held;
                }
                diverted_now = outcome[lane].diverted | !is_before[lane];
                is_before_now = 1;
                was_shown_now = 0;
            }
            run[lane].last = outcome[lane].waiting;
        }
        held_word.d = before_now;
        held_diverted.d = diverted_now;
        if when(several) {
            held_count.d = counted_now;
        }
        is_held.d = is_before_now;
        is_shown.d = was_shown_now;
        if releases {
            puts_now = 1;
            is_shown.d = ends;
            if when(says_next) {
                shown_taken.d = outcome[0].waiting.taken;
            }
            if when(releases_traps) {
                held_diverted.d = 0;
            }
        }

        puts = puts_now;
    }
}
