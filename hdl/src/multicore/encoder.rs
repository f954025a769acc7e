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

impl Logic for Merge {
    #[hdl_gen]
    fn update(&mut self) {
        self.arrived.next = 0.into();
        for core in 0..self.arrived.width() {
            connect::join(&mut self.in_[core], &mut self.queues[core].in_);
            if self.in_[core].valid.val().any() {
                self.arrived.next = self.arrived.val().replace_bit(core, true);
            }
        }

        // The order queue has a word for every cycle with records, and room whenever a queue has.
        if self.several.val() == 1 {
            self.order.in_.valid.next = bits_to(self.arrived.val().any(), 1);
            self.order.in_.word.next = self.arrived.val();
            self.pending.next = self.order.out_.word.val() & !self.done.q.val();
            self.current.next = self.pending.val() & (!self.pending.val() + 1);
            self.record.valid.next = self.order.out_.valid.val();
            self.order.out_.ready.next = 0.into();
            if self.record.valid.val().any() && self.record.ready.val().any() {
                self.done.d.next = self.done.q.val() | self.current.val();
                if self.pending.val() == self.current.val() {
                    self.done.d.next = 0.into();
                    self.order.out_.ready.next = 1.into();
                }
            }
            self.is_empty.next = !self.order.out_.valid.val();
        } else {
            self.pending.next = 1.into();
            self.current.next = 1.into();
            self.record.valid.next = self.queues[0].out_.valid.val();
            self.is_empty.next = !self.queues[0].out_.valid.val();
        }

        self.waiting.next = 0.into();
        self.thread.next = 0.into();
        for core in 0..self.arrived.width() {
            self.queues[core].out_.ready.next = 0.into();
            if self.current.val().get_bit(core) {
                self.waiting.next = self.queues[core].out_.word.val();
                self.queues[core].out_.ready.next =
                    self.record.valid.val() & self.record.ready.val();
                if self.several.val() == 1 {
                    self.thread.next = core.into();
                }
            }
        }

        // Which records are in the word: one that goes first, another, or both.
        self.goes_first.next = 0.into();
        if self.has_first.val() == 1 {
            self.goes_first.next = bits_to(self.waiting.val().get_bit(self.first_flag.val()), 1);
        }
        self.has_rest.next = 0.into();
        for flag in 0..self.rest_flags.len() {
            if self.waiting.val().get_bit(self.rest_flags[flag].val()) {
                self.has_rest.next = 1.into();
            }
        }
        self.pads.next = bits_to(self.waiting.val().get_bit(self.module_pads.val()), 1)
            & bits_to(self.current.val().get_bit(self.last.val()), 1);
        self.formed.pads.next = self.pads.val();
        self.formed.goes_first.next = self.goes_first.val();
        self.formed.is_alone.next = self.has_rest.val() & !self.goes_first.val();
        self.formed.is_second.next = self.has_rest.val() & self.goes_first.val();
        self.formed.thread.next = self.thread.val();
        self.formed.waiting.next = self.waiting.val();
        self.record.word.next = self.formed.val();
    }
}
