//! What comes in a cycle: instructions, of which sequential ones wait as one word with the instruction after them, unless that
//! one traps.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::{Processor, index_bits};
use tracewright_sim::event::Kind as InstructionKind;
use tracewright_sim::rvfi::{Config, Xlen};

use super::classifier::stated;
use super::instruction::{Instruction, Waiting};

packed! {
    /// Instructions of a cycle of which only the last one may change the flow, and only the first one may be diverted to;
    /// that one has none after it. One that traps is alone.
    pub Run of (run_bits: usize, instruction_bits: usize);
    /// instructions that retire, where there may be several
    count: run_bits;
    last: instruction_bits;
}

block! {
    /// The instructions at the pins of all channels, as words for the queue.
    pub Runs("runs") of (config: &Config, processor: &Processor) {
        let byte_bits = processor.address_width as usize;
        let address_bits = processor.instruction_address_bits() as usize;
        let lanes = config.queue.lanes as usize;
        let instruction_bits = Waiting::<View>::new(address_bits).width();
        let run_bits = Self::count_bits(config);
        let many_bits = if lanes > 1 { lanes } else { 0 };
    }
    parameters {
        xlen = if config.xlen == Xlen::Rv32 { 32 } else { 64 },
        address_width = byte_bits,
        lanes,
        ..stated(config.extensions),
    }

    /// an instruction retires in this cycle
    in rvfi_valid: 1 for _ in 0..lanes;
    /// instruction word
    in rvfi_insn: 32 for _ in 0..lanes;
    /// the instruction ended in a trap
    in rvfi_trap: 1 for _ in 0..lanes;
    /// the instruction is the first of a handler
    in rvfi_intr: 1 for _ in 0..lanes;
    /// address of the instruction
    in rvfi_pc_rdata: byte_bits for _ in 0..lanes;
    /// address of the next instruction
    in rvfi_pc_wdata: byte_bits for _ in 0..lanes;
    /// lanes with a word
    out puts: lanes;
    out run: Run(run_bits, instruction_bits) for _ in 0..lanes;
    block instruction: Instruction(config.xlen, config.extensions, processor) for _ in 0..lanes;
    /// address after the last instruction at the pins
    reg expected: address_bits;
    reg expects: 1;
    reg after_trap: 1;
    local expected_now: address_bits;
    local expects_now: 1;
    local after_trap_now: 1;
    /// the last instruction at the pins returns from a trap, or traps
    reg after_return: 1 if lanes > 1;
    /// the same before each instruction of this cycle
    local is_after_return: many_bits.min(1) for _ in 0..lanes;
    local after_return_now: many_bits.min(1);
    local is_trap: many_bits.min(1) for _ in 0..lanes;
    /// the instruction has a word of its own, or begins one
    local is_alone: many_bits.min(1) for _ in 0..lanes;
    /// the instruction is only counted, if there is one after it
    local is_plain: many_bits.min(1) for _ in 0..lanes;
    /// one hot: where the instruction before is that is only counted
    local before: many_bits for _ in 0..lanes;
    local before_now: many_bits;
    /// instructions of the run up to each
    local counted: run_bits for _ in 0..lanes;
    local counted_now: run_bits;
    /// lanes whose word goes into the queue, when so many have been looked at
    local puts_after: many_bits for _ in 0..lanes;
    local puts_now: lanes;
    constant sequential: 3 = 0;
    constant exception: 3 = InstructionKind::Exception.pin_code();
    param several = lanes > 1;
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
        // The instructions at the pins, each with the one before.
        expected_now = expected.q;
        expects_now = expects.q;
        after_trap_now = after_trap.q;
        for lane in 0..instruction.len() {
            instruction[lane] = Instruction {
                insn: rvfi_insn[lane],
                trap: rvfi_trap[lane],
                intr: rvfi_intr[lane],
                pc_rdata: rvfi_pc_rdata[lane],
                pc_wdata: rvfi_pc_wdata[lane],
                expected: expected_now,
                expects: expects_now,
                after_trap: after_trap_now,
            };
            if rvfi_valid[lane] {
                expected_now = instruction[lane].after;
                expects_now = 1;
                after_trap_now = rvfi_trap[lane];
            }
        }
        expected.d = expected_now;
        expects.d = expects_now;
        after_trap.d = after_trap_now;

        // Runs of them.
        puts_now = 0;
        for lane in 0..instruction.len() {
            if rvfi_valid[lane] {
                puts_now = puts_now.replace_bit(lane, true);
            }
            run[lane].last = instruction[lane].waiting;
        }
        if when(several) {
            after_return_now = after_return.q;
            before_now = 0;
            counted_now = 0;
            for lane in 0..instruction.len() {
                is_alone[lane] = instruction[lane].waiting.diverted | after_return_now;
                is_plain[lane] = 0;
                is_trap[lane] = 0;
                if instruction[lane].waiting.branch_kind == exception {
                    // The exception comes after the one before, whose address its own word has.
                    is_trap[lane] = 1;
                    is_alone[lane] = 1;
                }
                if instruction[lane].waiting.branch_kind == sequential {
                    is_plain[lane] = !is_alone[lane];
                }
                is_after_return[lane] = after_return_now;
                puts_after[lane] = puts_now;
                before[lane] = before_now;
                counted[lane] = counted_now;
                if rvfi_valid[lane] {
                    is_after_return[lane] = instruction[lane].waiting.trap_return | is_trap[lane];
                    before[lane] = 0;
                    counted[lane] = 0;
                    if !is_alone[lane] {
                        // The one before is counted here.
                        puts_after[lane] = puts_now & !before_now;
                    }
                    if is_plain[lane] {
                        before[lane] = (1 << lane).into();
                        counted[lane] = counted_now + 1;
                    }
                }
                run[lane].count = 1;
                if is_trap[lane] {
                    run[lane].count = 0;
                }
                if !is_alone[lane] {
                    run[lane].count = counted_now + 1;
                }
                after_return_now = is_after_return[lane];
                before_now = before[lane];
                counted_now = counted[lane];
                puts_now = puts_after[lane];
            }
            after_return.d = after_return_now;
        }
        puts = puts_now;
    }
}
