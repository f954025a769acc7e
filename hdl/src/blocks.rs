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

#[kernel]
impl Logic for Blocks {
    fn update(&mut self) {
        ends.d = flush;
        queue.flush = ends.q;
        if when(!sheds) {
            stall = queue.stall;
        }

        // Blocks of a cycle are taken together or not at all.
        arrives = 0;
        for lane in 0..arriving.len() {
            if when(sheds) {
                if lane[lane].valid {
                    arrives = arrives.replace_bit(lane, true);
                }
            } else if lane[lane].valid > stall {
                arrives = arrives.replace_bit(lane, true);
            }
            arriving[lane] = Waiting {
                count: lane[lane].count,
                pc: fitted(lane[lane].pc >> alignment),
                length: lane[lane].length,
                kind: lane[lane].kind,
                call: lane[lane].call,
                is_return: lane[lane].is_return,
                taken: lane[lane].taken,
                target: fitted(lane[lane].target >> alignment),
                context: lane_context[lane],
                privilege: lane_privilege[lane],
                cause: lane_cause[lane],
            };
            queue.word[lane] = arriving[lane];
        }
        queue.arrives = arrives;

        // A sequential block with the next one; not one that has been shown alone, which stays as it is.
        oldest = queue.oldest[0];
        second = queue.oldest[1];
        sum = resized(oldest.count) + resized(second.count);
        joins = queue.is_there.get_bit(1);
        if when(!sheds) {
            joins = bit(queue.is_there.get_bit(1)) & !is_single.q;
        }
        if oldest.kind || sum.get_bit(carry) {
            joins = 0;
        }
        last = oldest;
        retire.count = oldest.count;
        if joins {
            last = second;
            retire.count = resized(sum);
        }
        retire.valid = queue.is_there.get_bit(0);
        if when(sheds) {
            // The newest of those that leave says where the execution goes on.
            shedder = Shedder { level: queue.level, flush };
            retire_lost = shedder.loses;
            lost_sum = 0;
            for each in 0..lost_count.len() {
                lost_count[each] = lost_sum;
                if queue.is_there.get_bit(each) {
                    // The count is the lowest field of a word.
                    lost_count[each] = lost_sum + (fitted(queue.oldest[each]) & count_mask);
                    if shedder.loses {
                        last = queue.oldest[each];
                    }
                }
                lost_sum = lost_count[each];
            }
            retire_lost_count = lost_sum;
            queue.takes = 1;
            if joins {
                queue.takes = 3;
            }
            if shedder.loses {
                queue.takes = !resized(0);
            }
        } else {
            is_single.d = retire.valid & retire_stall & !joins;
            queue.takes = 0;
            if !retire_stall {
                queue.takes = 1;
                if joins {
                    queue.takes = 3;
                }
            }
        }

        pc = last.pc;
        target = last.target;
        retire = Retire {
            pc: resized(pc) << alignment,
            length: last.length,
            kind: last.kind,
            call: last.call,
            is_return: last.is_return,
            taken: last.taken,
            target: resized(target) << alignment,
        };
        retire_context = last.context;
        retire_privilege = last.privilege;
        retire_cause = last.cause;
        queue.holds = 0;
        if when(sheds) {
            drained = shedder.drained;
        } else {
            drained = queue.drained;
        }
    }
}
