//! What comes in a cycle: instructions, of which sequential ones wait as one word with the instruction after them, unless that
//! one traps.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::{Processor, index_bits};
use tracewright_sim::event::Kind as InstructionKind;
use tracewright_sim::rvfi::{Config, Xlen};

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
    block instruction: Instruction(config.xlen, processor) for _ in 0..lanes;
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

impl Logic for Runs {
    #[hdl_gen]
    fn update(&mut self) {
        // The instructions at the pins, each with the one before.
        self.expected_now.next = self.expected.q.val();
        self.expects_now.next = self.expects.q.val();
        self.after_trap_now.next = self.after_trap.q.val();
        for lane in 0..self.instruction.len() {
            self.instruction[lane].insn.next = self.rvfi_insn[lane].val();
            self.instruction[lane].trap.next = self.rvfi_trap[lane].val();
            self.instruction[lane].intr.next = self.rvfi_intr[lane].val();
            self.instruction[lane].pc_rdata.next = self.rvfi_pc_rdata[lane].val();
            self.instruction[lane].pc_wdata.next = self.rvfi_pc_wdata[lane].val();
            self.instruction[lane].expected.next = self.expected_now.val();
            self.instruction[lane].expects.next = self.expects_now.val();
            self.instruction[lane].after_trap.next = self.after_trap_now.val();
            if self.rvfi_valid[lane].val().any() {
                self.expected_now.next = self.instruction[lane].after.val();
                self.expects_now.next = 1.into();
                self.after_trap_now.next = self.rvfi_trap[lane].val();
            }
        }
        self.expected.d.next = self.expected_now.val();
        self.expects.d.next = self.expects_now.val();
        self.after_trap.d.next = self.after_trap_now.val();

        // Runs of them.
        self.puts_now.next = 0.into();
        for lane in 0..self.instruction.len() {
            if self.rvfi_valid[lane].val().any() {
                self.puts_now.next = self.puts_now.val().replace_bit(lane, true);
            }
            self.run[lane].last.next = self.instruction[lane].waiting.val();
        }
        if self.several.val() == 1 {
            self.after_return_now.next = self.after_return.q.val();
            self.before_now.next = 0.into();
            self.counted_now.next = 0.into();
            for lane in 0..self.instruction.len() {
                self.is_alone[lane].next =
                    self.instruction[lane].waiting.diverted.val() | self.after_return_now.val();
                self.is_plain[lane].next = 0.into();
                self.is_trap[lane].next = 0.into();
                if self.instruction[lane].waiting.branch_kind.val() == self.exception.val() {
                    // The exception comes after the one before, whose address its own word has.
                    self.is_trap[lane].next = 1.into();
                    self.is_alone[lane].next = 1.into();
                }
                if self.instruction[lane].waiting.branch_kind.val() == self.sequential.val() {
                    self.is_plain[lane].next = !self.is_alone[lane].val();
                }
                self.is_after_return[lane].next = self.after_return_now.val();
                self.puts_after[lane].next = self.puts_now.val();
                self.before[lane].next = self.before_now.val();
                self.counted[lane].next = self.counted_now.val();
                if self.rvfi_valid[lane].val().any() {
                    self.is_after_return[lane].next =
                        self.instruction[lane].waiting.trap_return.val() | self.is_trap[lane].val();
                    self.before[lane].next = 0.into();
                    self.counted[lane].next = 0.into();
                    if !self.is_alone[lane].val().any() {
                        // The one before is counted here.
                        self.puts_after[lane].next = self.puts_now.val() & !self.before_now.val();
                    }
                    if self.is_plain[lane].val().any() {
                        self.before[lane].next = (1 << lane).into();
                        self.counted[lane].next = self.counted_now.val() + 1;
                    }
                }
                self.run[lane].count.next = 1.into();
                if self.is_trap[lane].val().any() {
                    self.run[lane].count.next = 0.into();
                }
                if !self.is_alone[lane].val().any() {
                    self.run[lane].count.next = self.counted_now.val() + 1;
                }
                self.after_return_now.next = self.is_after_return[lane].val();
                self.before_now.next = self.before[lane].val();
                self.counted_now.next = self.counted[lane].val();
                self.puts_now.next = self.puts_after[lane].val();
            }
            self.after_return.d.next = self.after_return_now.val();
        }
        self.puts.next = self.puts_now.val();
    }
}
