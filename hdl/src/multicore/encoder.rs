//! Records of several cores into one stream, in their global order.

use tracewright_elaborate::prelude::*;
use tracewright_sim::configuration::Configuration;
use tracewright_sim::encode::record::RecordFormat;
use tracewright_sim::multicore::config::Config;
use tracewright_sim::multicore::module::Module;
use tracewright_sim::multicore::sharing::Sharing;

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

packed! {
    /// A record as it waits in its core's queue, where it has a time stamp.
    pub TimedRecord of (format: &RecordFormat, record_bits: u32) {
        let layout = |name: &str| format.field_width(name);
    }
    time_overflow;
    clocks;
    record: record_bits;
}

/// How records of several cores become one stream.
#[derive(Clone, Debug)]
pub struct Merging {
    /// What the cores share.
    pub sharing: Sharing,
    /// Clocks from a block to its record.
    pub delay: usize,
    /// Records as a compressor makes them.
    pub module: RecordFormat,
    /// Records as they wait in their core's queue.
    pub queued: RecordFormat,
    format: RecordFormat,
    record_queue_depth: u32,
    order_queue_depth: u32,
    switches: bool,
}

impl Merging {
    /// That of a configuration, with the module of one core.
    pub fn of<M: Module>(config: &Config<M>, module: &M) -> Self {
        Self {
            sharing: config.sharing.clone(),
            delay: config.blocks_in_flight() as usize,
            module: module.format(),
            queued: config.queued_format(),
            format: config.format(),
            record_queue_depth: config.port().record_queue_depth,
            order_queue_depth: config.order_queue_depth(),
            switches: config.protocol().enable_pin,
        }
    }

    /// Cores whose records have time stamps.
    pub fn timed_cores(&self) -> usize {
        if self.sharing.time_stamps { self.sharing.cores as usize } else { 0 }
    }
}

block! {
    /// A record queue for every core, and the order of their records: by cycle, and within a cycle by the
    /// number of the core.
    ///
    /// Records may come some cycles after their blocks, as many for every core, so that the order is that of the blocks.
    /// Each queue has room for the records of the blocks that are on their way.
    pub Merge("merge") of (merging: &Merging) {
        let Merging { module, queued, .. } = merging;
        let cores = merging.sharing.cores as usize;
        let (queued_bits, record_bits) = (queued.bits() as usize, merging.format.bits() as usize);
        // Places of the module's flags in the word that waits.
        let flags: Vec<usize> = queued.slots().iter().map(|slot| slot.flag as usize).collect();
        let (first, rest) = flags.split_at(module.first_slots());
    }
    parameters {
        cores,
        record_bits,
    }

    /// every register takes the value that it has after a reset
    in restart_registers: usize::from(merging.switches);
    /// each core's record of this cycle
    in in_: Stream(queued_bits) for _ in 0..cores;
    out record: Stream(record_bits);
    local formed: Record(&merging.format, queued_bits);
    /// no record waits
    out is_empty: 1;
    block queues: Fifo(merging.record_queue_depth as usize, merging.delay, queued_bits, false) for _ in 0..cores;
    block order: Fifo(merging.order_queue_depth as usize, 0, cores, false) if cores > 1;
    reg done: cores if cores > 1;
    /// cores with a record in this cycle
    local arrived: cores;
    /// cores whose record of the oldest cycle waits
    local pending: cores;
    /// one hot
    local current: cores;
    local waiting: queued_bits;
    local thread: merging.sharing.thread_bits() as usize;
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
