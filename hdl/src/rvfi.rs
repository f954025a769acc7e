//! The adapter between a core's RISC-V formal interface and a trace module.
//!
//! An instruction is classified as it comes and waits in a queue. Sequential ones are only counted; a
//! jump or branch is a block, and a diversion of the flow one in the cycle of the sequential instruction
//! behind it. So an instruction every cycle is kept up with. Only a diversion right to a jump takes a
//! cycle more, which a core has in that place: the queue holds what comes nevertheless.
//!
//! Of a core that retires several instructions in a cycle, sequential ones wait as one word with the instruction behind
//! them, and a word that only counts leaves the queue with the word behind it. So every cycle may bring as many
//! instructions as there are channels, as long as one of them is a jump or branch.
//!
//! In front of a module that counts what is lost before it (`loss_pins`) there is no stall. Before the queue is full, as many
//! words leave it in each cycle as may come, and are shown as one block that is lost. It ends in the last instruction of them,
//! and has the instructions that were only counted, too.

#![allow(
    clippy::collapsible_if,
    reason = "a condition of the configuration guards signals that are not there without it"
)]

pub mod classifier;
pub mod instruction;
pub mod runs;

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::{Processor, mask};
use tracewright_sim::event::Kind as InstructionKind;
use tracewright_sim::rvfi::{Config, Xlen};

use crate::parts::lane_queue::LaneQueue;
use crate::parts::ports::{Retire, lane_pin};
use crate::parts::shedder::Shedder;
use instruction::Waiting;
use runs::{Run, Runs};

block! {
    /// What RVFI says of each instruction, as the blocks of a trace module (docs/hardware.md).
    pub Rvfi("rvfi") of (config: &Config, processor: &Processor, sheds: bool) {
        let byte_bits = processor.address_width as usize;
        let address_bits = processor.instruction_address_bits() as usize;
        let count_bits = processor.retire_count_bits as usize;
        let lanes = config.queue.lanes as usize;
        let slack = config.queue.slack as usize;
        // One that only counts and the one behind it, or as many as can come in a cycle.
        let shown = if sheds { lanes } else { lanes.min(2) };
        let lost_bits = if sheds { processor.lost_count_bits() as usize } else { 0 };
        let instruction_bits = Waiting::<View>::new(address_bits).width();
        let run_bits = Runs::count_bits(config);
        let second_bits = if lanes > 1 { run_bits + instruction_bits } else { 0 };
        // What is counted and not shown leaves room for what one cycle adds.
        let most_waiting = mask(processor.retire_count_bits) - u64::from(config.most_in_a_cycle());
    }
    parameters {
        xlen = if config.xlen == Xlen::Rv32 { 32 } else { 64 },
        address_width = byte_bits,
        lanes if lanes > 1,
        queue_depth = config.queue.depth,
        slack if !sheds,
        sheds if sheds,
    }

    #[label(lane_pin("rvfi_valid", lane, lanes))]
    /// an instruction retires in this cycle
    in rvfi_valid: 1 for lane in 0..lanes;
    #[label(lane_pin("rvfi_insn", lane, lanes))]
    /// instruction word
    in rvfi_insn: 32 for lane in 0..lanes;
    #[label(lane_pin("rvfi_trap", lane, lanes))]
    /// the instruction ended in a trap
    in rvfi_trap: 1 for lane in 0..lanes;
    #[label(lane_pin("rvfi_intr", lane, lanes))]
    /// the instruction is the first of a handler
    in rvfi_intr: 1 for lane in 0..lanes;
    #[label(lane_pin("rvfi_pc_rdata", lane, lanes))]
    /// address of the instruction
    in rvfi_pc_rdata: byte_bits for lane in 0..lanes;
    #[label(lane_pin("rvfi_pc_wdata", lane, lanes))]
    /// address of the next instruction
    in rvfi_pc_wdata: byte_bits for lane in 0..lanes;
    #[remark(format!("stop retiring: room for {slack} more"))]
    out stall: usize::from(!sheds);
    /// sticky: an instruction was lost because the queue was full
    out lost: usize::from(!sheds);
    /// level: the trace ends here
    in flush: 1;
    /// the trace module is to see flush
    out drained: 1;
    out retire: Retire(processor);
    /// the block is lost, with instructions before it
    out retire_lost: usize::from(sheds);
    /// instructions that are lost with it
    out retire_lost_count: lost_bits;
    /// the trace module's stall
    in retire_stall: usize::from(!sheds);
    block runs: Runs(config, processor);
    block queue: LaneQueue(&config.queue, run_bits + instruction_bits, shown);
    /// sequential instructions that left the queue and are not shown yet
    reg instructions: count_bits;
    reg last_program_counter: address_bits;
    reg diversion_shown: 1;
    reg returned: 1;
    reg return_target: address_bits;
    /// the block at the pins is shown for a flush, and is not taken yet
    reg ends: 1;
    /// the block at the pins is not taken yet, and has no second word
    reg is_single: 1 if lanes > 1 && !sheds;
    block shedder: Shedder(&config.queue, config.queue.shed_level(), 2 * config.queue.depth) if sheds;
    /// what came before a flush has been shown
    reg has_ended: usize::from(sheds);
    /// instructions that are lost up to each word that leaves
    local lost_count: lost_bits for _ in 0..if sheds { lanes } else { 0 };
    local lost_sum: lost_bits;
    local word_instructions: lost_bits for _ in 0..if sheds { lanes } else { 0 };
    view oldest_run: Run(run_bits, instruction_bits);
    view second_run: Run(run_bits, second_bits - run_bits);
    view oldest: Waiting(address_bits);
    view second: Waiting(address_bits);
    /// the instruction that ends the block
    view last: Waiting(address_bits);
    /// there is an instruction
    local follows: 1;
    /// the second word is counted with the oldest one
    local merges: 1;
    /// the flow was diverted before it, which is not shown yet
    local out_diverted: 1;
    /// those that are counted and those of the words that leave
    local total: count_bits;
    local shown_program_counter: address_bits;
    local shown_target: address_bits;
    /// the instruction leaves the queue
    local takes: 1;
    /// there is a block
    local shows: 1;
    local is_sequential: 1;
    /// the last instruction's call, return, length and outcome are the block's
    local describes: 1;
    constant sequential: 3 = 0;
    constant indirect_jump: 3 = InstructionKind::IndirectJump.pin_code();
    constant exception: 3 = InstructionKind::Exception.pin_code();
    param alignment = processor.alignment as usize;
    param several = lanes > 1;
    param sheds = sheds;
    param count_bits = run_bits;
    constant count_mask: lost_bits = mask(run_bits as u32);
    param most_waiting = Word::new(count_bits, most_waiting);
    param counts = usize::from(most_waiting > 0);
}

impl Logic for Rvfi {
    #[hdl_gen]
    fn update(&mut self) {
        for lane in 0..self.queue.word.len() {
            self.runs.rvfi_valid[lane].next = self.rvfi_valid[lane].val();
            self.runs.rvfi_insn[lane].next = self.rvfi_insn[lane].val();
            self.runs.rvfi_trap[lane].next = self.rvfi_trap[lane].val();
            self.runs.rvfi_intr[lane].next = self.rvfi_intr[lane].val();
            self.runs.rvfi_pc_rdata[lane].next = self.rvfi_pc_rdata[lane].val();
            self.runs.rvfi_pc_wdata[lane].next = self.rvfi_pc_wdata[lane].val();
            self.queue.word[lane].next = self.runs.run[lane].val();
        }
        self.queue.arrives.next = self.runs.puts.val();
        self.queue.flush.next = self.flush.val();
        self.queue.holds.next = bits_to(self.instructions.q.val().any(), 1);
        if self.sheds.val() == 1 {
            // Of a core that goes on during a flush, the words that came before it have left after some cycles. What they
            // have left is shown in a cycle of its own.
            self.queue.flush.next = 0.into();
            self.shedder.level.next = self.queue.level.val();
            self.shedder.flush.next = self.flush.val();
            self.has_ended.d.next =
                self.shedder.drained.val() & (self.ends.q.val() | self.has_ended.q.val());
            self.drained.next = self.shedder.drained.val() & self.has_ended.q.val();
        } else {
            self.lost.next = self.queue.lost.val();
            self.stall.next = self.queue.stall.val();
            self.drained.next = self.queue.drained.val();
        }

        // The oldest words. What a flush has shown stays as it is, even if the core goes on.
        self.oldest_run.next = self.queue.oldest[0].val();
        self.oldest.next = self.oldest_run.last.val();
        self.follows.next = bits_to(self.queue.is_there.val().get_bit(0), 1) & !self.ends.q.val();
        self.out_diverted.next = self.oldest.diverted.val() & !self.diversion_shown.q.val();
        self.is_sequential.next =
            bits_to(self.oldest.branch_kind.val() == self.sequential.val(), 1);
        self.merges.next = 0.into();
        self.last.next = self.oldest.val();
        self.total.next = self.instructions.q.val() + 1;
        if self.several.val() == 1 {
            self.second_run.next = self.queue.oldest[1].val();
            self.second.next = self.second_run.last.val();
            self.total.next = self.instructions.q.val()
                + bits_to(self.oldest_run.count.val(), self.instructions.width());
            if self.queue.is_there.val().get_bit(1) && !self.second.diverted.val().any() {
                if self.sheds.val() == 1 {
                    self.merges.next = self.is_sequential.val()
                        & self.follows.val()
                        & !self.out_diverted.val()
                        & !self.returned.q.val();
                } else {
                    self.merges.next = self.is_sequential.val()
                        & self.follows.val()
                        & !self.out_diverted.val()
                        & !self.returned.q.val()
                        & !self.is_single.q.val();
                }
            }
            if self.merges.val().any() {
                self.last.next = self.second.val();
                self.total.next = self.instructions.q.val()
                    + bits_to(self.oldest_run.count.val(), self.instructions.width())
                    + bits_to(self.second_run.count.val(), self.instructions.width());
            }
        }
        if self.sheds.val() == 1 {
            self.lost_sum.next = unsigned_cast_to_fit(self.instructions.q.val());
            for each in 0..self.lost_count.len() {
                self.word_instructions[each].next = 1.into();
                if self.several.val() == 1 {
                    // The count is the lowest field of a word.
                    self.word_instructions[each].next =
                        unsigned_cast_to_fit(self.queue.oldest[each].val()) & self.count_mask.val();
                }
                self.lost_count[each].next = self.lost_sum.val();
                if self.queue.is_there.val().get_bit(each) {
                    self.lost_count[each].next =
                        self.lost_sum.val() + self.word_instructions[each].val();
                    if self.shedder.loses.val().any() {
                        self.last.next = unsigned_cast_to_fit(
                            self.queue.oldest[each].val() >> self.count_bits.val(),
                        );
                    }
                }
                self.lost_sum.next = self.lost_count[each].val();
            }
            self.retire_lost.next = self.shedder.loses.val();
            self.retire_lost_count.next = self.lost_sum.val();
        }

        // The block.
        self.shows.next = 0.into();
        self.takes.next = self.follows.val();
        self.retire.kind.next = self.sequential.val();
        self.retire.count.next = self.instructions.q.val();
        self.shown_program_counter.next = self.last_program_counter.q.val();
        // What is shown without an instruction does not change when one comes.
        self.shown_target.next = self.return_target.q.val();
        if self.follows.val() > self.returned.q.val() {
            self.shown_target.next = self.last.target.val();
        }
        if self.returned.q.val().any() {
            // Where a return from a trap went the instruction behind it says, if there is one.
            self.shows.next = self.follows.val() | self.queue.ends.val() | self.ends.q.val();
            self.takes.next = 0.into();
            self.retire.kind.next = self.indirect_jump.val();
            if self.follows.val() > self.oldest.interrupt.val() {
                self.shown_target.next = self.oldest.program_counter.val();
                self.takes.next = self.is_sequential.val() & self.counts.val();
            }
        } else if !self.follows.val().any() {
            // Those that are only counted, at the end.
            self.shows.next = (self.queue.ends.val() | self.ends.q.val())
                & bits_to(self.instructions.q.val().any(), 1);
        } else if self.out_diverted.val().any() {
            self.shows.next = 1.into();
            self.retire.kind.next = self.exception.val();
            self.shown_target.next = self.oldest.program_counter.val();
            // A sequential instruction behind it is only counted, where that is possible.
            self.takes.next = self.is_sequential.val() & self.counts.val();
        } else {
            self.retire.kind.next = self.last.branch_kind.val();
            self.retire.count.next = self.total.val();
            self.shown_program_counter.next = self.last.program_counter.val();
            self.shows.next = bits_to(self.last.branch_kind.val() != self.sequential.val(), 1);
            // As many as a block can have.
            if self.total.val() > self.most_waiting.val() {
                self.shows.next = 1.into();
            }
            if self.last.trap_return.val().any() {
                self.shows.next = 0.into();
            }
        }
        if self.sheds.val() == 1 {
            if self.shedder.loses.val().any() {
                self.shows.next = 1.into();
                self.takes.next = 0.into();
                self.retire.kind.next = self.last.branch_kind.val();
                self.shown_program_counter.next = self.last.program_counter.val();
                self.shown_target.next = self.last.target.val();
            }
        }
        self.retire.valid.next = self.shows.val();
        self.retire.pc.next = bits_to(self.shown_program_counter.val(), self.retire.pc.width())
            << self.alignment.val();
        self.retire.target.next =
            bits_to(self.shown_target.val(), self.retire.pc.width()) << self.alignment.val();
        self.describes.next = self.follows.val() & !self.returned.q.val();
        self.retire.call.next = self.last.call.val() & self.describes.val();
        self.retire.is_return.next = self.last.is_return.val() & self.describes.val();
        self.retire.taken.next =
            (self.last.taken.val() & self.describes.val()) | self.returned.q.val();
        self.retire.length.next = 2.into();
        if (self.last.is_long.val() & self.describes.val()).any() {
            self.retire.length.next = 4.into();
        }

        if self.sheds.val() == 1 {
            if self.shedder.loses.val().any() {
                self.retire.taken.next = self.last.taken.val();
            }
        }

        // What is shown waits for the trace module; what is only counted does not.
        self.ends.d.next = 0.into();
        if self.several.val() == 1 && self.sheds.val() == 0 {
            self.is_single.d.next = 0.into();
        }
        if self.sheds.val() == 0 && self.shows.val().any() && self.retire_stall.val().any() {
            self.takes.next = 0.into();
            self.ends.d.next = !self.follows.val();
            if self.several.val() == 1 {
                self.is_single.d.next = !self.merges.val();
            }
        } else {
            if self.shows.val().any() {
                self.instructions.d.next = 0.into();
            }
            if self.returned.q.val().any() {
                // Behind the return is where the flow has gone on, unless that is a handler.
                self.diversion_shown.d.next = self.follows.val() & !self.oldest.interrupt.val();
            } else if self.out_diverted.val().any() {
                self.diversion_shown.d.next = self.follows.val();
            }
            if self.shows.val().any() {
                self.returned.d.next = 0.into();
            }
        }
        if self.takes.val().any() {
            self.diversion_shown.d.next = 0.into();
            self.last_program_counter.d.next = self.last.program_counter.val();
            self.returned.d.next = self.last.trap_return.val();
            self.return_target.d.next = self.last.target.val();
            if !self.shows.val().any() {
                self.instructions.d.next = self.total.val();
            } else if self.out_diverted.val().any() || self.returned.q.val().any() {
                self.instructions.d.next = 1.into();
            }
        }
        self.queue.takes.next = 0.into();
        if self.takes.val().any() {
            self.queue.takes.next = 1.into();
            if self.merges.val().any() {
                self.queue.takes.next = 3.into();
            }
        }
        if self.sheds.val() == 1 {
            self.ends.d.next =
                self.shedder.drained.val() & !self.ends.q.val() & !self.has_ended.q.val();
            if self.shedder.loses.val().any() {
                self.queue.takes.next = !bits_to(0, self.queue.takes.width());
                self.diversion_shown.d.next = 0.into();
                self.last_program_counter.d.next = self.last.program_counter.val();
            }
        }
    }
}
