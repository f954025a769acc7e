//! Records of several cores into one stream, in their global order.

use tracewright_elaborate::prelude::*;
use tracewright_sim::encode::record::RecordFormat;
use tracewright_sim::multicore::config::Config;
use tracewright_sim::multicore::module::Module;

use crate::encode::fifo::Fifo;
use crate::parts::ports::Stream;

packed! {
    /// A record of one of several cores on its way to the encoder (`tracewright_sim::multicore::layout`).
    pub Record of (format: &RecordFormat, waiting_bits: usize) {
        let layout = |name: &str| format.field_width(name);
    }
    pads;
    goes_first;
    is_alone;
    is_second;
    thread;
    /// The record as it waited in its core's queue.
    waiting: waiting_bits;
}

block! {
    /// A record queue for every core, and the order of their records: by cycle, and within a cycle by the
    /// number of the core.
    ///
    /// Records may come some cycles after their blocks, as many for every core, so that the order is that of the blocks.
    /// Each queue has room for the records of the blocks that are on their way.
    pub Merge("merge") of <M: Module>(config: &Config<M>) {
        let cores = config.sharing.cores as usize;
        let depth = config.module.port().record_queue_depth as usize;
        let reserve = config.module.blocks_in_flight() as usize;
        let (module, queued, format): (RecordFormat, _, _) =
            (config.encoded_module().format(), config.queued_format(), config.format());
        let (queued_bits, record_bits) = (queued.bits() as usize, format.bits() as usize);
        // Places of the module's flags in the word that waits.
        let flags: Vec<usize> = queued.slots().iter().map(|slot| slot.flag as usize).collect();
        let (first, rest) = flags.split_at(module.first_slots());
    }
    parameters {
        cores,
        record_bits,
    }

    /// every register takes the value that it has after a reset
    in restart_registers: usize::from(config.module.protocol().enable_pin);
    /// each core's record of this cycle
    in in_: Stream(queued_bits) for _ in 0..cores;
    out record: Stream(record_bits);
    local formed: Record(&format, queued_bits);
    /// no record waits
    out is_empty: 1;
    block queues: Fifo(depth, reserve, queued_bits, false) for _ in 0..cores;
    block order: Fifo(config.order_queue_depth() as usize, 0, cores, false) if cores > 1;
    reg done: cores if cores > 1;
    /// cores with a record in this cycle
    local arrived: cores;
    /// cores whose record of the oldest cycle waits
    local pending: cores;
    /// one hot
    local current: cores;
    local waiting: queued_bits;
    local thread: config.sharing.thread_bits() as usize;
    local goes_first: 1;
    local has_rest: 1;
    local pads: 1;
    param several = cores > 1;
    param last = cores - 1;
    param has_first = !first.is_empty();
    param first_flag = first.first().copied().unwrap_or_default();
    param rest_flags = *flag for flag in rest;
    param module_pads = (queued_bits - module.bits() as usize) + module.pads() as usize;
}

#[kernel]
impl Logic for Merge {
    fn update(&mut self) {
        arrived = 0;
        for core in 0..arrived.width() {
            join(in_[core], queues[core].in_);
            if in_[core].valid {
                arrived = arrived.replace_bit(core, true);
            }
        }

        // The order queue has a word for every cycle with records, and room whenever a queue has.
        if when(several) {
            order.in_.valid = arrived.any();
            order.in_.word = arrived;
            pending = order.out_.word & !done.q;
            current = pending & (!pending + 1);
            record.valid = order.out_.valid;
            order.out_.ready = 0;
            if record.valid && record.ready {
                done.d = done.q | current;
                if pending == current {
                    done.d = 0;
                    order.out_.ready = 1;
                }
            }
            is_empty = !order.out_.valid;
        } else {
            pending = 1;
            current = 1;
            record.valid = queues[0].out_.valid;
            is_empty = !queues[0].out_.valid;
        }

        waiting = 0;
        thread = 0;
        for core in 0..arrived.width() {
            queues[core].out_.ready = 0;
            if current.get_bit(core) {
                waiting = queues[core].out_.word;
                queues[core].out_.ready = record.valid & record.ready;
                if when(several) {
                    thread = core;
                }
            }
        }

        // Which records are in the word: one that goes first, another, or both.
        goes_first = 0;
        if when(has_first) {
            goes_first = waiting.get_bit(first_flag);
        }
        has_rest = 0;
        for flag in 0..rest_flags.len() {
            if waiting.get_bit(rest_flags[flag]) {
                has_rest = 1;
            }
        }
        pads = bit(waiting.get_bit(module_pads)) & bit(current.get_bit(last));
        formed = Record {
            pads,
            goes_first,
            is_alone: has_rest & !goes_first,
            is_second: has_rest & goes_first,
            thread,
            waiting,
        };
        record.word = formed;
    }
}
