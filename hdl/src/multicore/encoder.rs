//! Records of several cores into one stream, in their global order.

use tracewright_elaborate::prelude::*;
use tracewright_sim::encode::record::RecordFormat;
use tracewright_sim::multicore::config::Config;
use tracewright_sim::multicore::module::Module;

use crate::encode::fifo::Fifo;

/// A record queue for every core, and the order of their records: clock by clock, in a clock by the
/// index of the core.
#[derive(LogicBlock)]
pub struct Merge {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// Each core's record of this clock.
    pub in_valid: Vec<Wire<In>>,
    /// The record, as it waits.
    pub in_record: Vec<Wire<In>>,
    /// There is room for it; from registers alone.
    pub in_ready: Vec<Wire<Out>>,
    /// There is a record.
    pub record_valid: Wire<Out>,
    /// The record, its core in front of it.
    pub record: Wire<Out>,
    /// It is taken.
    pub record_ready: Wire<In>,
    /// No record waits.
    pub is_empty: Wire<Out>,
    queues: Vec<Fifo>,
    order: Opt<Fifo>,
    done: Opt<Reg>,
    arrived: Wire<Local>,
    pending: Wire<Local>,
    current: Wire<Local>,
    waiting: Wire<Local>,
    thread: Wire<Local>,
    goes_first: Wire<Local>,
    has_rest: Wire<Local>,
    pads: Wire<Local>,
    several: Param,
    last: Param,
    has_first: Param,
    first_flag: Param,
    rest_flags: Vec<Param>,
    module_pads: Param,
    goes_first_place: Param,
    alone_place: Param,
    second_place: Param,
    thread_place: Param,
    record_place: Param,
    _cores: usize,
    _rest: usize,
    _record_bits: usize,
}

impl Merge {
    /// The merge of the cores of `config`.
    pub fn new<M: Module>(config: &Config<M>) -> Self {
        let cores = config.sharing.cores as usize;
        let depth = config.module.port().record_queue_depth as usize;
        let (module, queued, format): (RecordFormat, _, _) =
            (config.encoded_module().format(), config.queued_format(), config.format());
        let (queued_bits, record_bits) = (queued.bits() as usize, format.bits() as usize);
        // Places of the module's flags in the word that waits.
        let flags: Vec<usize> = queued.slots().iter().map(|slot| slot.flag as usize).collect();
        let (first, rest) = flags.split_at(module.first_slots());
        let place = |name: &str| Param::new(format.place(name) as usize);
        Self {
            kind: Kind::new("merge", [("cores", cores), ("record_bits", record_bits)]),
            domain: Domain::new(),
            in_valid: (0..cores).map(|_| Wire::new(1)).collect(),
            in_record: (0..cores).map(|_| Wire::new(queued_bits)).collect(),
            in_ready: (0..cores).map(|_| Wire::new(1)).collect(),
            record_valid: Wire::new(1),
            record: Wire::new(record_bits),
            record_ready: Wire::new(1),
            is_empty: Wire::new(1),
            queues: (0..cores).map(|_| Fifo::new(depth, queued_bits)).collect(),
            order: Opt::new(cores > 1, Fifo::new(config.order_queue_depth() as usize, cores)),
            done: Opt::new(cores > 1, Reg::new(cores, 0)),
            arrived: Wire::new(cores).describe("cores with a record of this clock"),
            pending: Wire::new(cores).describe("cores whose record of the oldest clock waits"),
            current: Wire::new(cores).describe("one hot"),
            waiting: Wire::new(queued_bits),
            thread: Wire::new(config.sharing.thread_bits() as usize),
            goes_first: Wire::new(1),
            has_rest: Wire::new(1),
            pads: Wire::new(1),
            several: Param::new(cores > 1),
            last: Param::new(cores - 1),
            has_first: Param::new(!first.is_empty()),
            first_flag: Param::new(first.first().copied().unwrap_or_default()),
            rest_flags: rest.iter().map(|flag| Param::new(*flag)).collect(),
            module_pads: Param::new(
                (queued_bits - module.bits() as usize) + module.pads() as usize,
            ),
            goes_first_place: place("goes_first"),
            alone_place: place("is_alone"),
            second_place: place("is_second"),
            thread_place: place("thread"),
            record_place: Param::new(record_bits - queued_bits),
            _cores: cores,
            _rest: rest.len(),
            _record_bits: record_bits,
        }
    }
}

impl Logic for Merge {
    #[hdl_gen]
    fn update(&mut self) {
        self.arrived.next = 0.into();
        for core in 0..self._cores {
            self.queues[core].domain.next = self.domain.val();
            self.queues[core].in_valid.next = self.in_valid[core].val();
            self.queues[core].in_word.next = self.in_record[core].val();
            self.in_ready[core].next = self.queues[core].in_ready.val();
            if self.in_valid[core].val().any() {
                self.arrived.next = self.arrived.val().replace_bit(core, true);
            }
        }

        // The order queue has a word for every clock with records, and room whenever a queue has.
        if self.several.val() == 1 {
            dff_setup!(self, domain, done);
            self.order.domain.next = self.domain.val();
            self.order.in_valid.next = bits_to(self.arrived.val().any(), 1);
            self.order.in_word.next = self.arrived.val();
            self.pending.next = self.order.out_word.val() & !self.done.q.val();
            self.current.next = self.pending.val() & (!self.pending.val() + 1);
            self.record_valid.next = self.order.out_valid.val();
            self.order.out_ready.next = 0.into();
            if self.record_valid.val().any() && self.record_ready.val().any() {
                self.done.d.next = self.done.q.val() | self.current.val();
                if self.pending.val() == self.current.val() {
                    self.done.d.next = 0.into();
                    self.order.out_ready.next = 1.into();
                }
            }
            self.is_empty.next = !self.order.out_valid.val();
        } else {
            self.pending.next = 1.into();
            self.current.next = 1.into();
            self.record_valid.next = self.queues[0].out_valid.val();
            self.is_empty.next = !self.queues[0].out_valid.val();
        }

        self.waiting.next = 0.into();
        self.thread.next = 0.into();
        for core in 0..self._cores {
            self.queues[core].out_ready.next = 0.into();
            if self.current.val().get_bit(core) {
                self.waiting.next = self.queues[core].out_word.val();
                self.queues[core].out_ready.next =
                    self.record_valid.val() & self.record_ready.val();
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
        for flag in 0..self._rest {
            if self.waiting.val().get_bit(self.rest_flags[flag].val()) {
                self.has_rest.next = 1.into();
            }
        }
        self.pads.next = bits_to(self.waiting.val().get_bit(self.module_pads.val()), 1)
            & bits_to(self.current.val().get_bit(self.last.val()), 1);
        self.record.next = bits_to(self.pads.val(), self._record_bits)
            | (bits_to(self.goes_first.val(), self._record_bits) << self.goes_first_place.val())
            | (bits_to(self.has_rest.val() & !self.goes_first.val(), self._record_bits)
                << self.alone_place.val())
            | (bits_to(self.has_rest.val() & self.goes_first.val(), self._record_bits)
                << self.second_place.val())
            | (bits_to(self.thread.val(), self._record_bits) << self.thread_place.val())
            | (bits_to(self.waiting.val(), self._record_bits) << self.record_place.val());
    }
}
