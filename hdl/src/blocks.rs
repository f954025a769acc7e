//! The adapter between a core that shows several blocks in a cycle and a trace module, which takes one.
//!
//! A sequential block leaves the queue together with the block after it, as one block. So a core may show what is left of
//! a cycle after its last jump or branch as a block, and needs no counter that joins it with the next cycle.
//!
//! In front of a module that loses blocks there is no stall. Before the queue is full, as many blocks leave it in each
//! cycle as may come, until those that waited have left, and are shown as one that is lost, which has the instructions of all.

use tracewright_elaborate::prelude::*;
use tracewright_sim::blocks::Config;
use tracewright_sim::config::{Processor, Protocol, mask};

use crate::parts::lane_queue::LaneQueue;
use crate::parts::ports::Retire;
use crate::parts::shedder::Shedder;

packed! {
    /// A block as it waits in the queue.
    Waiting of (processor: &Processor, protocol: &Protocol) {
        let layout = |name: &str| match name {
            "count" => processor.retire_count_bits,
            "pc" | "target" => processor.instruction_address_bits(),
            "length" => 4,
            "kind" => 3,
            "context" => protocol.context_bits,
            "privilege" => protocol.privilege_bits,
            "cause" => protocol.cause_bits,
            _ => 1,
        };
    }
    count;
    pc;
    length;
    kind;
    call;
    is_return;
    taken;
    target;
    context;
    privilege;
    cause;
}

block! {
    /// The blocks of all lanes one after the other, sequential ones as a part of the next (docs/hardware.md).
    pub Blocks("blocks") of (config: &Config, processor: &Processor, protocol: &Protocol) {
        let lanes = config.lanes as usize;
        let address_bits = processor.instruction_address_bits() as usize;
        let count_bits = processor.retire_count_bits as usize;
        let word_bits = Waiting::<View>::new(processor, protocol).width();
        let sheds = protocol.drops_blocks();
        // One that is joined with the oldest, or as many as can come in a cycle.
        let shown = if sheds { lanes } else { 2 };
        let lost_bits = if sheds { processor.lost_count_bits() as usize } else { 0 };
    }
    parameters {
        lanes,
        queue_depth = config.depth,
        sheds if sheds,
    }

    in lane: Retire(processor) for _ in 0..lanes;
    /// context in which the execution goes on after the block
    in lane_context: protocol.context_bits for _ in 0..lanes;
    /// privilege level in which the execution goes on after the block
    in lane_privilege: protocol.privilege_bits for _ in 0..lanes;
    /// why the exception was taken
    in lane_cause: protocol.cause_bits for _ in 0..lanes;
    /// the blocks of this cycle are not taken
    out stall: usize::from(!sheds);
    /// level: the trace ends here
    in flush: 1;
    /// the trace module is to see flush
    out drained: 1;
    out retire: Retire(processor);
    out retire_context: protocol.context_bits;
    out retire_privilege: protocol.privilege_bits;
    out retire_cause: protocol.cause_bits;
    /// the block is lost, with blocks before it
    out retire_lost: usize::from(sheds);
    /// instructions of these blocks
    out retire_lost_count: lost_bits;
    /// the trace module's stall
    in retire_stall: usize::from(!sheds);
    block queue: LaneQueue(&config.queue(), word_bits, shown);
    /// flush of the cycle before: the blocks of its first cycle are in the trace
    reg ends: 1;
    local arrives: lanes;
    local arriving: Waiting(processor, protocol) for _ in 0..lanes;
    /// the block at the pins is not taken yet, and is shown alone
    reg is_single: usize::from(!sheds);
    block shedder: Shedder(&config.queue(), config.shed_level(), config.depth) if sheds;
    /// instructions of the blocks up to each that leaves
    local lost_count: lost_bits for _ in 0..if sheds { lanes } else { 0 };
    local lost_sum: lost_bits;
    view oldest: Waiting(processor, protocol);
    view second: Waiting(processor, protocol);
    /// the one that ends the block
    view last: Waiting(processor, protocol);
    /// instructions of both
    local sum: count_bits + 1;
    /// the second block is shown with the oldest
    local joins: 1;
    local pc: address_bits;
    local target: address_bits;
    param alignment = processor.alignment as usize;
    param carry = count_bits;
    param sheds = sheds;
    constant count_mask: lost_bits = mask(processor.retire_count_bits);
}

impl Logic for Blocks {
    #[hdl_gen]
    fn update(&mut self) {
        self.ends.d.next = self.flush.val();
        self.queue.flush.next = self.ends.q.val();
        if self.sheds.val() == 0 {
            self.stall.next = self.queue.stall.val();
        }

        // Blocks of a cycle are taken together or not at all.
        self.arrives.next = 0.into();
        for lane in 0..self.arriving.len() {
            if self.sheds.val() == 1 {
                if self.lane[lane].valid.val().any() {
                    self.arrives.next = self.arrives.val().replace_bit(lane, true);
                }
            } else if self.lane[lane].valid.val() > self.stall.val() {
                self.arrives.next = self.arrives.val().replace_bit(lane, true);
            }
            self.arriving[lane].count.next = self.lane[lane].count.val();
            self.arriving[lane].pc.next =
                unsigned_cast_to_fit(self.lane[lane].pc.val() >> self.alignment.val());
            self.arriving[lane].length.next = self.lane[lane].length.val();
            self.arriving[lane].kind.next = self.lane[lane].kind.val();
            self.arriving[lane].call.next = self.lane[lane].call.val();
            self.arriving[lane].is_return.next = self.lane[lane].is_return.val();
            self.arriving[lane].taken.next = self.lane[lane].taken.val();
            self.arriving[lane].target.next =
                unsigned_cast_to_fit(self.lane[lane].target.val() >> self.alignment.val());
            self.arriving[lane].context.next = self.lane_context[lane].val();
            self.arriving[lane].privilege.next = self.lane_privilege[lane].val();
            self.arriving[lane].cause.next = self.lane_cause[lane].val();
            self.queue.word[lane].next = self.arriving[lane].val();
        }
        self.queue.arrives.next = self.arrives.val();

        // A sequential block with the next one; not one that has been shown alone, which stays as it is.
        self.oldest.next = self.queue.oldest[0].val();
        self.second.next = self.queue.oldest[1].val();
        self.sum.next = bits_to(self.oldest.count.val(), self.sum.width())
            + bits_to(self.second.count.val(), self.sum.width());
        self.joins.next = bits_to(self.queue.is_there.val().get_bit(1), 1);
        if self.sheds.val() == 0 {
            self.joins.next =
                bits_to(self.queue.is_there.val().get_bit(1), 1) & !self.is_single.q.val();
        }
        if self.oldest.kind.val().any() || self.sum.val().get_bit(self.carry.val()) {
            self.joins.next = 0.into();
        }
        self.last.next = self.oldest.val();
        self.retire.count.next = self.oldest.count.val();
        if self.joins.val().any() {
            self.last.next = self.second.val();
            self.retire.count.next = bits_to(self.sum.val(), self.retire.count.width());
        }
        self.retire.valid.next = bits_to(self.queue.is_there.val().get_bit(0), 1);
        if self.sheds.val() == 1 {
            // The newest of those that leave says where the execution goes on.
            self.shedder.level.next = self.queue.level.val();
            self.shedder.flush.next = self.flush.val();
            self.retire_lost.next = self.shedder.loses.val();
            self.lost_sum.next = 0.into();
            for each in 0..self.lost_count.len() {
                self.lost_count[each].next = self.lost_sum.val();
                if self.queue.is_there.val().get_bit(each) {
                    // The count is the lowest field of a word.
                    self.lost_count[each].next = self.lost_sum.val()
                        + (unsigned_cast_to_fit(self.queue.oldest[each].val())
                            & self.count_mask.val());
                    if self.shedder.loses.val().any() {
                        self.last.next = self.queue.oldest[each].val();
                    }
                }
                self.lost_sum.next = self.lost_count[each].val();
            }
            self.retire_lost_count.next = self.lost_sum.val();
            self.queue.takes.next = 1.into();
            if self.joins.val().any() {
                self.queue.takes.next = 3.into();
            }
            if self.shedder.loses.val().any() {
                self.queue.takes.next = !bits_to(0, self.queue.takes.width());
            }
        } else {
            self.is_single.d.next =
                self.retire.valid.val() & self.retire_stall.val() & !self.joins.val();
            self.queue.takes.next = 0.into();
            if !self.retire_stall.val().any() {
                self.queue.takes.next = 1.into();
                if self.joins.val().any() {
                    self.queue.takes.next = 3.into();
                }
            }
        }

        self.pc.next = self.last.pc.val();
        self.target.next = self.last.target.val();
        self.retire.pc.next =
            bits_to(self.pc.val(), self.retire.pc.width()) << self.alignment.val();
        self.retire.length.next = self.last.length.val();
        self.retire.kind.next = self.last.kind.val();
        self.retire.call.next = self.last.call.val();
        self.retire.is_return.next = self.last.is_return.val();
        self.retire.taken.next = self.last.taken.val();
        self.retire.target.next =
            bits_to(self.target.val(), self.retire.pc.width()) << self.alignment.val();
        self.retire_context.next = self.last.context.val();
        self.retire_privilege.next = self.last.privilege.val();
        self.retire_cause.next = self.last.cause.val();
        self.queue.holds.next = 0.into();
        if self.sheds.val() == 1 {
            self.drained.next = self.shedder.drained.val();
        } else {
            self.drained.next = self.queue.drained.val();
        }
    }
}
