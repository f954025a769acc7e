//! Loss before the queue of an adapter is full, in front of a trace module that loses blocks and counts them.

use tracewright_elaborate::prelude::*;
use tracewright_sim::ingress::Queue;

use crate::encode::fifo::Fifo;

block! {
    /// When what leaves a queue is lost, and when everything that came before a flush has left it.
    ///
    /// From `shed_level` words on, as many words leave the queue in each cycle as may come, until those that waited have left.
    /// So there is always room for the words of a cycle, and a core that does not wait may go on during a flush.
    pub Shedder("shedder") of (queue: &Queue, shed_level: u32, flush_cycles: u32) {
        let level_bits = Fifo::level_bits(queue.depth as usize);
        let cycle_bits = Fifo::level_bits(flush_cycles as usize);
    }
    parameters {
        lanes = queue.lanes,
        shed_level,
        flush_cycles,
    }

    /// words in the queue
    in level: level_bits;
    /// level: the trace ends here
    in flush: 1;
    /// what leaves the queue in this cycle is lost
    out loses: 1;
    /// level: a flush, and everything that came before it has left the queue
    out drained: 1;
    reg is_shedding: 1;
    /// cycles since the flush began
    reg cycles: cycle_bits;
    param lanes = queue.lanes as usize;
    param shed_level = shed_level as usize;
    param flush_cycles = flush_cycles as usize;
}

#[kernel]
impl Logic for Shedder {
    fn update(&mut self) {
        loses = is_shedding.q | bit(level >= shed_level);
        is_shedding.d = loses & bit(level > lanes);
        drained = 0;
        cycles.d = 0;
        if flush {
            cycles.d = cycles.q + 1;
            if cycles.q == flush_cycles {
                cycles.d = cycles.q;
                drained = 1;
            }
        }
    }
}
