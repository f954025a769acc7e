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
        block! {
            $(#[$doc])*
            pub $name($kind) of (config: &Config<$config>) {
                let module = config.encoded_module();
                let cores = config.sharing.cores as usize;
                let address_width = module.processor.address_width;
                let clear_bits = index_bits(module.clear_clocks()) as usize;
                let port = config.port();
                let queued_bits = config.queued_format().bits() as usize;
                let timed_cores = if config.sharing.time_stamps { cores } else { 0 };
            }

            /// a block of this core retires in this clock
            in retire_valid: 1 for _ in 0..cores;
            /// its instructions
            in retire_count: module.processor.retire_count_bits for _ in 0..cores;
            /// byte address of its last instruction
            in retire_pc: address_width for _ in 0..cores;
            /// length of that in bytes
            in retire_length: 4 for _ in 0..cores;
            /// 0 sequential, 1 jump, 2 branch, 3 indirect, 4 both, 5 exception
            in retire_kind: 3 for _ in 0..cores;
            /// it leaves a return address
            in retire_call: 1 for _ in 0..cores;
            /// it goes back to one
            in retire_return: 1 for _ in 0..cores;
            /// the flow changed
            in retire_taken: 1 for _ in 0..cores;
            /// where to, if taken
            in retire_target: address_width for _ in 0..cores;
            /// the block of this clock is not taken
            out stall: 1 for _ in 0..cores;
            /// level: end the trace here
            in flush: 1;
            /// everything is out
            out flushed: 1;
            /// trace bits, bit 0 first
            out trace_data: port.trace_port_width;
            out trace_valid: 1;
            in trace_ready: 1;
            /// trace words in the output FIFO
            out buffered_words: BackEnd::level_bits(port);
            block sequencer: Sequencer(clear_bits);
            block encoders: $encoder(&module, clear_bits) for _ in 0..cores;
            block time_stamps: TimeStamps(&config.sharing) for _ in 0..timed_cores;
            block merge: Merge(config);
            block back_end: BackEnd(port, &config.format(), None);
            local untimed: queued_bits for _ in 0..timed_cores;
            local all_ready: 1;
            local all_empty: 1;
            param is_timed = config.sharing.time_stamps;
            param module_place = queued_bits - module.format().bits() as usize;
        }

        impl Logic for $name {
            #[hdl_gen]
            fn update(&mut self) {
                self.all_ready.next = 1.into();
                self.all_empty.next = self.merge.is_empty.val() & self.back_end.is_empty.val();
                for core in 0..self.encoders.len() {
                    self.all_ready.next =
                        self.all_ready.val() & self.encoders[core].ready.val();
                    self.all_empty.next =
                        self.all_empty.val() & self.encoders[core].is_empty.val();
                }
                self.sequencer.flush.next = self.flush.val();
                self.sequencer.ready.next = self.all_ready.val();
                self.sequencer.is_empty.next = self.all_empty.val();
                self.flushed.next = self.sequencer.flushed.val();

                for core in 0..self.encoders.len() {
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
