//! The adapter between a hart's trace ingress port (TIP, of the RISC-V trace specifications) and a trace module.
//!
//! What the hart says waits in a queue. A block that leaves the queue is held in registers until the next one says
//! where the flow has gone on, and is shown in that cycle. So a block per cycle is kept up with, and several in a cycle
//! as long as the queue has room. Only a branch that is not taken, and is not followed by the next instruction, takes a
//! cycle more.
//!
//! In front of a module that counts what is lost before it (`loss_pins`) there is no stall. Before the queue is full, as many
//! blocks leave it in each cycle as may come. They are held as one that is lost, which ends as the newest of them, until the
//! next one says where the flow has gone on.

#![allow(
    clippy::collapsible_if,
    reason = "a condition of the configuration guards signals that are not there without it"
)]

pub mod run;
pub mod termination;

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::{Processor, Protocol};
use tracewright_sim::event::Kind as InstructionKind;
use tracewright_sim::tip::{Config, EXCEPTION, INTERRUPT, Retirement};

use crate::parts::lane_queue::LaneQueue;
use crate::parts::ports::{Retire, lane_pin};
use crate::parts::shedder::Shedder;
use run::LostRun;
use termination::Termination;

packed! {
    /// What a hart says of a block, as it waits in the queue.
    pub Waiting of (config: &Config, processor: &Processor, protocol: &Protocol) {
        let layout = |name: &str| match name {
            "itype" => config.itype_bits as usize,
            "cause" => protocol.cause_bits.saturating_sub(1) as usize,
            "privilege" => protocol.privilege_bits as usize,
            "context" => protocol.context_bits as usize,
            "address" => processor.instruction_address_bits() as usize,
            "iretire" => config.iretire_bits(processor) as usize,
            "icount" => config.icount_bits(processor) as usize,
            _ => 1,
        };
    }
    itype;
    cause;
    privilege;
    context;
    address;
    iretire;
    last_size;
    icount;
}

block! {
    /// What a hart's trace ingress port says, as the blocks of a trace module (docs/hardware.md).
    pub Tip("tip") of (config: &Config, processor: &Processor, protocol: &Protocol, sheds: bool) {
        let byte_bits = processor.address_width as usize;
        let address_bits = processor.instruction_address_bits() as usize;
        let count_bits = processor.retire_count_bits as usize;
        let itype_bits = config.itype_bits as usize;
        let iretire_bits = config.iretire_bits(processor) as usize;
        let icount_bits = config.icount_bits(processor) as usize;
        let context_bits = protocol.context_bits as usize;
        let privilege_bits = protocol.privilege_bits as usize;
        let cause_bits = protocol.cause_bits as usize;
        let code_bits = cause_bits.saturating_sub(1);
        let lanes = config.queue.lanes as usize;
        let depth = config.queue.depth as usize;
        let slack = config.queue.slack as usize;
        let is_block = config.retirement == Retirement::Block;
        let word_bits = Waiting::<View>::new(config, processor, protocol).width();
        let shown = if sheds { lanes } else { 1 };
        let lost_bits = if sheds { processor.lost_count_bits() as usize } else { 0 };
        // Of a block that is lost with others, the instructions of all.
        let held_bits = count_bits.max(lost_bits);
    }
    parameters {
        itype_width = itype_bits,
        iretire_width = iretire_bits,
        address_width = byte_bits,
        lanes if lanes > 1,
        queue_depth = depth,
        slack if !sheds,
        sheds if sheds,
    }

    #[label(lane_pin("tip_itype", lane, lanes))]
    /// how the block of this cycle ends
    in tip_itype: itype_bits for lane in 0..lanes;
    /// code of an exception or interrupt
    in tip_cause: code_bits;
    /// privilege level of the block
    in tip_priv: privilege_bits;
    /// context of the block
    in tip_context: context_bits;
    #[label(lane_pin("tip_iaddr", lane, lanes))]
    /// address of the first instruction of the block
    in tip_iaddr: byte_bits for lane in 0..lanes;
    #[label(lane_pin("tip_iretire", lane, lanes))]
    #[remark(if is_block { "half-words of the block" } else { "an instruction retires" }.to_owned())]
    in tip_iretire: iretire_bits for lane in 0..lanes;
    #[label(lane_pin("tip_ilastsize", lane, lanes))]
    /// the last instruction has four bytes, not two
    in tip_ilastsize: 1 for lane in 0..lanes;
    #[label(lane_pin("tip_icount", lane, lanes))]
    /// instructions of the block
    in tip_icount: icount_bits for lane in 0..lanes;
    #[remark(format!("stop retiring: room for {slack} more"))]
    out stall: usize::from(!sheds);
    /// sticky: a block was lost because the queue was full
    out lost: usize::from(!sheds);
    /// level: the trace ends here
    in flush: 1;
    /// the trace module is to see flush
    out drained: 1;
    out retire: Retire(processor);
    /// context in which the execution goes on after the block
    out retire_context: context_bits;
    /// privilege level in which the execution goes on after the block
    out retire_privilege: privilege_bits;
    /// why the exception was taken, below a bit that marks interrupts
    out retire_cause: cause_bits;
    /// the block is lost, with blocks before it
    out retire_lost: usize::from(sheds);
    /// instructions of these blocks
    out retire_lost_count: lost_bits;
    /// the trace module's stall
    in retire_stall: usize::from(!sheds);
    block queue: LaneQueue(&config.queue, word_bits, shown);
    block shedder: Shedder(&config.queue, config.queue.shed_level(), 2 * config.queue.depth) if sheds;
    block lost_run: LostRun(config, processor, protocol) if sheds;
    /// the block that is held is lost
    reg held_lost: usize::from(sheds);
    /// what came before a flush has been shown
    reg has_ended: usize::from(sheds);
    /// the block that is held is lost, or leaves while others are
    local is_lost: usize::from(sheds);
    block termination: Termination(config.itype_bits);
    /// lanes whose pins say something
    local arrives: lanes;
    /// `itype` of the lane in 4 bits
    local code: 4 for _ in 0..lanes;
    local arriving: Waiting(config, processor, protocol) for _ in 0..lanes;
    view oldest: Waiting(config, processor, protocol);
    /// instructions of the block that is held
    reg held_count: held_bits;
    /// 0 none, or an exception, 1 jump, 2 branch, 3 indirect jump
    reg held_kind: 3;
    reg held_call: 1;
    reg held_return: 1;
    /// it goes on at the next instruction, not where the next block begins
    reg held_goes_on: 1;
    reg held_is_long: 1;
    /// in alignment units, as all below
    reg held_program_counter: address_bits;
    /// address after it
    reg held_fall_through: address_bits;
    reg held_context: context_bits;
    reg held_privilege: privilege_bits;
    reg held_cause: cause_bits;
    /// the block at the pins is shown for a flush, and is not taken yet
    reg ends: 1;
    /// the oldest block in the queue says where the one that is held has led
    local follows: 1;
    /// the oldest block in the queue has an instruction
    local retires: 1;
    /// the oldest block in the queue says where the flow has gone on
    local has_address: 1;
    /// the flow goes on elsewhere than after the block that is held
    local diverted: 1;
    local branch_kind: 3;
    /// bytes of the last instruction
    local length: 3;
    /// length of the block
    local step: address_bits;
    local fall_through: address_bits;
    /// there is a block
    local shows: 1;
    /// the oldest block leaves the queue, and is held
    local takes: 1;
    local cause: cause_bits;
    constant sequential: 3 = 0;
    constant direct_jump: 3 = InstructionKind::DirectJump.pin_code();
    constant exception_kind: 3 = InstructionKind::Exception.pin_code();
    constant exception: 4 = u64::from(EXCEPTION);
    constant interrupt: 4 = u64::from(INTERRUPT);
    param alignment = processor.alignment as usize;
    param is_block = usize::from(is_block);
    param sheds = sheds;
    param has_icount = usize::from(icount_bits > 0);
    param is_short = usize::from(itype_bits == 3);
    param has_cause = usize::from(cause_bits > 0);
    param code_bits = code_bits;
}

impl Logic for Tip {
    #[hdl_gen]
    fn update(&mut self) {
        // The queue.
        self.arrives.next = 0.into();
        for lane in 0..self.arriving.len() {
            self.code[lane].next = unsigned_cast_to_fit(self.tip_itype[lane].val());
            if self.tip_iretire[lane].val().any()
                || self.code[lane].val() == self.exception.val()
                || self.code[lane].val() == self.interrupt.val()
            {
                self.arrives.next = self.arrives.val().replace_bit(lane, true);
            }
            self.arriving[lane].itype.next = self.tip_itype[lane].val();
            self.arriving[lane].cause.next = self.tip_cause.val();
            self.arriving[lane].privilege.next = self.tip_priv.val();
            self.arriving[lane].context.next = self.tip_context.val();
            self.arriving[lane].address.next =
                unsigned_cast_to_fit(self.tip_iaddr[lane].val() >> self.alignment.val());
            self.arriving[lane].iretire.next = self.tip_iretire[lane].val();
            self.arriving[lane].last_size.next = self.tip_ilastsize[lane].val();
            self.arriving[lane].icount.next = self.tip_icount[lane].val();
            self.queue.word[lane].next = self.arriving[lane].val();
        }
        self.queue.arrives.next = self.arrives.val();
        self.queue.flush.next = self.flush.val();
        if self.sheds.val() == 1 {
            // Of a hart that goes on during a flush, the blocks that came before it have left after some cycles. What is
            // held then is shown in a cycle of its own.
            self.queue.flush.next = 0.into();
            self.shedder.level.next = self.queue.level.val();
            self.shedder.flush.next = self.flush.val();
            self.has_ended.d.next =
                self.shedder.drained.val() & (self.ends.q.val() | self.has_ended.q.val());
            self.lost_run.is_there.next = self.queue.is_there.val();
            for each in 0..self.lost_run.word.len() {
                self.lost_run.word[each].next = self.queue.oldest[each].val();
            }
        } else {
            self.lost.next = self.queue.lost.val();
            self.stall.next = self.queue.stall.val();
        }

        // The oldest block in the queue.
        self.oldest.next = self.queue.oldest[0].val();
        if self.sheds.val() == 1 {
            if self.shedder.loses.val().any() {
                self.oldest.next = self.lost_run.run.val();
            }
        }
        self.termination.itype.next = self.oldest.itype.val();
        self.retires.next = bits_to(self.oldest.iretire.val().any(), 1);
        // The address of an interrupt without an instruction is read only where nothing else has a target.
        self.has_address.next = self.retires.val()
            | bits_to(bits_to(self.oldest.itype.val(), 4) == self.exception.val(), 1);
        if self.sheds.val() == 1 {
            self.has_address.next = self.lost_run.has_address.val();
        }
        self.length.next = 2.into();
        if self.oldest.last_size.val().any() {
            self.length.next = 4.into();
        }
        self.step.next =
            bits_to(self.length.val() >> self.alignment.val(), self.held_program_counter.width());
        if self.is_block.val() == 1 {
            self.step.next =
                (bits_to(self.oldest.iretire.val(), self.held_program_counter.width()) << 1)
                    >> self.alignment.val();
        }
        self.fall_through.next = self.oldest.address.val() + self.step.val();

        // The block that is held, as the oldest one in the queue ends it.
        // What a flush has shown stays as it is, even if the hart goes on.
        if self.sheds.val() == 1 {
            self.follows.next = bits_to(self.queue.is_there.val().get_bit(0), 1)
                & (!self.ends.q.val() | self.shedder.loses.val());
        } else {
            self.follows.next = self.queue.is_there.val() & !self.ends.q.val();
        }
        self.diverted.next = 0.into();
        if self.sheds.val() == 1 {
            if self.lost_run.address.val() != self.held_fall_through.q.val() {
                self.diverted.next =
                    self.held_goes_on.q.val() & self.has_address.val() & self.follows.val();
            }
        } else if self.oldest.address.val() != self.held_fall_through.q.val() {
            self.diverted.next =
                self.held_goes_on.q.val() & self.has_address.val() & self.follows.val();
        }
        self.takes.next = self.follows.val();
        self.branch_kind.next = self.held_kind.q.val();
        self.cause.next = self.held_cause.q.val();
        if self.held_kind.q.val() == self.sequential.val() {
            if !self.held_goes_on.q.val().any() {
                self.branch_kind.next = self.exception_kind.val();
            } else if self.diverted.val().any() {
                // Only three bits leave inferable jumps out.
                self.branch_kind.next = self.exception_kind.val();
                if self.is_short.val() == 1 && self.held_count.q.val().any() {
                    self.branch_kind.next = self.direct_jump.val();
                }
                self.cause.next = 0.into();
            }
        } else if self.diverted.val().any() {
            // The branch first; after it an exception of no instructions is shown.
            self.takes.next = 0.into();
        }
        if self.sheds.val() == 1 {
            self.is_lost.next = self.held_lost.q.val() | self.shedder.loses.val();
            if self.is_lost.val().any() {
                // What is lost needs no block for its branch.
                self.takes.next = self.follows.val();
                if self.diverted.val().any() {
                    self.branch_kind.next = self.exception_kind.val();
                }
            }
            self.retire_lost.next = self.is_lost.val();
            self.retire_lost_count.next =
                bits_to(self.held_count.q.val(), self.retire_lost_count.width());
        }
        self.shows.next =
            bits_to(self.branch_kind.val().any(), 1) | bits_to(self.held_count.q.val().any(), 1);
        self.ends.d.next = 0.into();
        if !self.follows.val().any() {
            // At the end; where a jump has gone is not known then.
            self.shows.next = (self.queue.ends.val() | self.ends.q.val())
                & self.held_goes_on.q.val()
                & bits_to(self.held_count.q.val().any(), 1);
            if self.sheds.val() == 0 {
                self.ends.d.next = self.shows.val() & self.retire_stall.val();
            }
        }
        if self.sheds.val() == 1 {
            self.ends.d.next =
                self.shedder.drained.val() & !self.ends.q.val() & !self.has_ended.q.val();
        }
        self.retire.valid.next = self.shows.val();
        self.retire.kind.next = self.branch_kind.val();
        self.retire.count.next = bits_to(self.held_count.q.val(), self.retire.count.width());
        self.retire.pc.next = bits_to(self.held_program_counter.q.val(), self.retire.pc.width())
            << self.alignment.val();
        self.retire.call.next = self.held_call.q.val();
        self.retire.is_return.next = self.held_return.q.val();
        self.retire.taken.next = !self.held_goes_on.q.val();
        if self.held_kind.q.val() == self.sequential.val() {
            self.retire.taken.next = !self.held_goes_on.q.val() | self.diverted.val();
        }
        if self.sheds.val() == 1 {
            if (self.is_lost.val() & self.diverted.val()).any() {
                self.retire.taken.next = 1.into();
            }
        }
        self.retire.length.next = 2.into();
        if self.held_is_long.q.val().any() {
            self.retire.length.next = 4.into();
        }
        self.retire.target.next = 0.into();
        self.retire_context.next = self.held_context.q.val();
        self.retire_privilege.next = self.held_privilege.q.val();
        if self.sheds.val() == 1 {
            if self.follows.val().any() {
                self.retire.target.next =
                    bits_to(self.lost_run.address.val(), self.retire.pc.width())
                        << self.alignment.val();
                self.retire_context.next = self.lost_run.next_context.val();
                self.retire_privilege.next = self.lost_run.next_privilege.val();
            }
        } else if self.follows.val().any() {
            self.retire.target.next =
                bits_to(self.oldest.address.val(), self.retire.pc.width()) << self.alignment.val();
            self.retire_context.next = self.oldest.context.val();
            self.retire_privilege.next = self.oldest.privilege.val();
        }
        self.retire_cause.next = self.cause.val();

        // What is shown waits for the trace module.
        if self.sheds.val() == 0 && self.shows.val().any() && self.retire_stall.val().any() {
            self.takes.next = 0.into();
        } else if self.shows.val().any() {
            self.held_count.d.next = 0.into();
            self.held_kind.d.next = self.sequential.val();
        }
        if self.takes.val().any() {
            self.held_kind.d.next = self.termination.branch_kind.val();
            self.held_call.d.next = self.termination.call.val();
            self.held_return.d.next = self.termination.is_return.val();
            self.held_goes_on.d.next = !self.termination.taken.val();
            self.held_context.d.next = self.oldest.context.val();
            self.held_privilege.d.next = self.oldest.privilege.val();
            if self.has_cause.val() == 1 {
                self.held_cause.d.next = bits_to(self.oldest.cause.val(), self.cause.width());
                if bits_to(self.oldest.itype.val(), 4) == self.interrupt.val() {
                    self.held_cause.d.next = bits_to(self.oldest.cause.val(), self.cause.width())
                        | (bits_to(self.termination.traps.val(), self.cause.width())
                            << self.code_bits.val());
                }
            }
            self.held_count.d.next = 0.into();
            if self.retires.val().any() {
                self.held_count.d.next = 1.into();
                if self.has_icount.val() == 1 {
                    self.held_count.d.next =
                        bits_to(self.oldest.icount.val(), self.held_count.width());
                } else if self.is_block.val() == 1 {
                    // All instructions have two half-words.
                    self.held_count.d.next =
                        bits_to(self.oldest.iretire.val() >> 1, self.held_count.width());
                }
                self.held_is_long.d.next = self.oldest.last_size.val();
                self.held_fall_through.d.next = self.fall_through.val();
                self.held_program_counter.d.next = self.oldest.address.val();
                if self.is_block.val() == 1 {
                    self.held_program_counter.d.next = self.fall_through.val()
                        - bits_to(
                            self.length.val() >> self.alignment.val(),
                            self.held_program_counter.width(),
                        );
                }
            }
        }
        self.queue.holds.next = self.shows.val();
        if self.sheds.val() == 1 {
            self.queue.takes.next = bits_to(self.takes.val(), self.queue.takes.width());
            if self.takes.val().any() {
                self.held_lost.d.next = self.shedder.loses.val();
                if self.shedder.loses.val().any() {
                    self.held_count.d.next =
                        bits_to(self.lost_run.instructions.val(), self.held_count.width());
                    self.queue.takes.next = !bits_to(0, self.queue.takes.width());
                }
            }
            self.drained.next = self.shedder.drained.val() & self.has_ended.q.val();
        } else {
            self.queue.takes.next = self.takes.val();
            self.drained.next = self.queue.drained.val();
        }
    }
}
