//! The whole trace module of several cores, pins to pins (docs/hardware.md).

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::multicore::config::Config;
use tracewright_sim::scheme::Configuration;

use super::encoder::Merge;
use super::time_stamps::TimeStamps;
use crate::encode::top::BackEnd;
use crate::top::Sequencer;

/// Declares the trace module of several cores around a compressor for each.
macro_rules! multicore_module {
    ($(#[$doc:meta])* $name:ident, $encoder:ident, $config:ty, $kind:literal) => {
        $(#[$doc])*
        #[derive(LogicBlock)]
        pub struct $name {
            kind: Kind,
            /// Clock and reset.
            pub domain: Domain,
            /// A block of the core retires in this clock.
            pub retire_valid: Vec<Wire<In>>,
            /// Its instructions.
            pub retire_count: Vec<Wire<In>>,
            /// Byte address of its last instruction.
            pub retire_pc: Vec<Wire<In>>,
            /// Length of that instruction in bytes.
            pub retire_length: Vec<Wire<In>>,
            /// What that instruction is.
            pub retire_kind: Vec<Wire<In>>,
            /// It leaves a return address.
            pub retire_call: Vec<Wire<In>>,
            /// It goes back to one.
            pub retire_return: Vec<Wire<In>>,
            /// The flow changed.
            pub retire_taken: Vec<Wire<In>>,
            /// Where to.
            pub retire_target: Vec<Wire<In>>,
            /// The block of this clock is not taken.
            pub stall: Vec<Wire<Out>>,
            /// End the trace here.
            pub flush: Wire<In>,
            /// Everything is out.
            pub flushed: Wire<Out>,
            /// Trace bits.
            pub trace_data: Wire<Out>,
            /// There is a beat.
            pub trace_valid: Wire<Out>,
            /// The sink takes it.
            pub trace_ready: Wire<In>,
            /// Trace words in the output FIFO.
            pub buffered_words: Wire<Out>,
            sequencer: Sequencer,
            encoders: Vec<$encoder>,
            time_stamps: Vec<TimeStamps>,
            merge: Merge,
            back_end: BackEnd,
            untimed: Vec<Wire<Local>>,
            all_ready: Wire<Local>,
            all_empty: Wire<Local>,
            is_timed: Param,
            module_place: Param,
            _cores: usize,
        }

        impl $name {
            /// The module of `config`, which is valid.
            pub fn new(config: &Config<$config>) -> Self {
                let module = config.encoded_module();
                let cores = config.sharing.cores as usize;
                let address_width = module.processor.address_width as usize;
                let clear_bits = index_bits(module.clear_clocks()) as usize;
                let port = config.port();
                let queued_bits = config.queued_format().bits() as usize;
                let inputs = |width: usize, doc: &'static str| -> Vec<Wire<In>> {
                    (0..cores).map(|_| Wire::new(width).describe(doc)).collect()
                };
                let timed = config.sharing.time_stamps;
                Self {
                    kind: Kind::plain($kind),
                    domain: Domain::new(),
                    retire_valid: inputs(1, "a block of this core retires in this clock"),
                    retire_count: inputs(
                        module.processor.retire_count_bits as usize,
                        "its instructions",
                    ),
                    retire_pc: inputs(address_width, "byte address of its last instruction"),
                    retire_length: inputs(4, "length of that in bytes"),
                    retire_kind: inputs(
                        3,
                        "0 sequential, 1 jump, 2 branch, 3 indirect, 4 both, 5 exception",
                    ),
                    retire_call: inputs(1, "it leaves a return address"),
                    retire_return: inputs(1, "it goes back to one"),
                    retire_taken: inputs(1, "the flow changed"),
                    retire_target: inputs(address_width, "where to, if taken"),
                    stall: (0..cores)
                        .map(|_| Wire::new(1).describe("the block of this clock is not taken"))
                        .collect(),
                    flush: Wire::new(1).describe("level: end the trace here"),
                    flushed: Wire::new(1).describe("everything is out"),
                    trace_data: Wire::new(port.trace_port_width as usize)
                        .describe("trace bits, bit 0 first"),
                    trace_valid: Wire::new(1),
                    trace_ready: Wire::new(1),
                    buffered_words: Wire::new(BackEnd::level_bits(port))
                        .describe("trace words in the output FIFO"),
                    sequencer: Sequencer::new(clear_bits),
                    encoders: (0..cores).map(|_| $encoder::new(&module, clear_bits)).collect(),
                    time_stamps: (0..if timed { cores } else { 0 })
                        .map(|_| TimeStamps::new(&config.sharing))
                        .collect(),
                    merge: Merge::new(config),
                    back_end: BackEnd::without_queue(port, &config.format()),
                    untimed: (0..if timed { cores } else { 0 })
                        .map(|_| Wire::new(queued_bits))
                        .collect(),
                    all_ready: Wire::new(1),
                    all_empty: Wire::new(1),
                    is_timed: Param::new(timed),
                    module_place: Param::new(queued_bits - module.format().bits() as usize),
                    _cores: cores,
                }
            }
        }

        impl Logic for $name {
            #[hdl_gen]
            fn update(&mut self) {
                self.sequencer.domain.next = self.domain.val();
                self.merge.domain.next = self.domain.val();
                self.back_end.domain.next = self.domain.val();

                self.all_ready.next = 1.into();
                self.all_empty.next = self.merge.is_empty.val() & self.back_end.is_empty.val();
                for core in 0..self._cores {
                    self.all_ready.next =
                        self.all_ready.val() & self.encoders[core].ready.val();
                    self.all_empty.next =
                        self.all_empty.val() & self.encoders[core].is_empty.val();
                }
                self.sequencer.flush.next = self.flush.val();
                self.sequencer.ready.next = self.all_ready.val();
                self.sequencer.is_empty.next = self.all_empty.val();
                self.flushed.next = self.sequencer.flushed.val();

                for core in 0..self._cores {
                    self.encoders[core].domain.next = self.domain.val();
                    self.stall[core].next =
                        !(self.sequencer.tracing.val() & self.encoders[core].ready.val());
                    self.encoders[core].clear.next = self.sequencer.clear.val();
                    self.encoders[core].clear_index.next = self.sequencer.clear_index.val();
                    self.encoders[core].flush.next =
                        self.sequencer.record_flush.val() & self.all_ready.val();
                    self.encoders[core].retire.next =
                        self.retire_valid[core].val() & !self.stall[core].val();
                    self.encoders[core].count.next = self.retire_count[core].val();
                    self.encoders[core].program_counter.next = self.retire_pc[core].val();
                    self.encoders[core].length.next = self.retire_length[core].val();
                    self.encoders[core].branch_kind.next = self.retire_kind[core].val();
                    self.encoders[core].call.next = self.retire_call[core].val();
                    self.encoders[core].is_return.next = self.retire_return[core].val();
                    self.encoders[core].taken.next = self.retire_taken[core].val();
                    self.encoders[core].target.next = self.retire_target[core].val();
                    self.encoders[core].record_ready.next = self.merge.in_ready[core].val();

                    self.merge.in_valid[core].next = self.encoders[core].record_valid.val();
                    self.merge.in_record[core].next =
                        unsigned_cast_to_fit(self.encoders[core].record.val());
                    if self.is_timed.val() == 1 {
                        self.time_stamps[core].domain.next = self.domain.val();
                        self.time_stamps[core].tracing.next = self.sequencer.tracing.val();
                        self.time_stamps[core].ready.next = self.encoders[core].ready.val();
                        self.time_stamps[core].record.next =
                            self.encoders[core].record_valid.val();
                        self.merge.in_valid[core].next = self.encoders[core].record_valid.val()
                            | self.time_stamps[core].overflow.val();
                        // A time overflow comes without a record, whose flags are all 0 then.
                        self.untimed[core].next =
                            unsigned_cast_to_fit(self.encoders[core].record.val());
                        self.merge.in_record[core].next = (self.untimed[core].val()
                            << self.module_place.val())
                            | (unsigned_cast_to_fit(self.time_stamps[core].clocks.val()) << 1)
                            | unsigned_cast_to_fit(self.time_stamps[core].overflow.val());
                    }
                }
                self.back_end.record_valid.next = self.merge.record_valid.val();
                self.back_end.record.next = self.merge.record.val();
                self.merge.record_ready.next = self.back_end.record_ready.val();
                self.trace_valid.next = self.back_end.trace_valid.val();
                self.trace_data.next = self.back_end.trace_data.val();
                self.back_end.trace_ready.next = self.trace_ready.val();
                self.buffered_words.next = self.back_end.buffered_words.val();
            }
        }
    };
}

use crate::nexus::encoder::Encoder as NexusEncoder;
use crate::traptor::encoder::Encoder as TraptorEncoder;

multicore_module! {
    /// mcfTRaptor (paper E): a T-raptor module for every core.
    Mctraptor, TraptorEncoder, tracewright_sim::traptor::config::Config, "mctraptor"
}

multicore_module! {
    /// Nexus-like modules, one for every core.
    Nexus, NexusEncoder, tracewright_sim::nexus::config::Config, "nexus"
}
