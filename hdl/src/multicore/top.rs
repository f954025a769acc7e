//! The whole trace module of several cores, pins to pins (docs/hardware.md).

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::encode::record::RecordFormat;
use tracewright_sim::multicore::config::Config;
use tracewright_sim::packet::framing::Framing;
use tracewright_sim::scheme::Configuration;

use super::encoder::Merge;
use super::time_stamps::TimeStamps;
use crate::encode::top::BackEnd;
use crate::filter::Filter;
use crate::parts::ports::{FilterPins, Retire};
use crate::parts::retire_decoder::RetireDecoder;
use crate::parts::sequencer::Sequencer;
use crate::parts::synchroniser::Synchroniser;

packed! {
    /// A record as it waits in its core's queue, where it has a time stamp.
    pub TimedRecord of (format: &RecordFormat, record_bits: u32) {
        let layout = |name: &str| format.field_width(name);
    }
    time_overflow;
    clocks;
    record: record_bits;
}

/// Declares the trace module of several cores around a compressor for each.
macro_rules! multicore_module {
    ($(#[$doc:meta])* $name:ident, $encoder:ident, $config:ty, $kind:literal $(, counts $counts:ident: $swept:ident)?) => {
        block! {
            $(#[$doc])*
            pub $name($kind) of (config: &Config<$config>) {
                let module = config.encoded_module();
                let cores = config.sharing.cores as usize;
                let clear_bits = index_bits(module.clear_clocks()) as usize;
                let port = config.port();
                let counts = false $(|| module.$counts())?;
                let framing = Framing::of(config);
                let has_packets = usize::from(framing.is_some());
                let (counts_losses, restarts) = (
                    usize::from(module.protocol.counts_losses()),
                    module.protocol.restarts_tables(),
                );
                let stalls = 1 - usize::from(module.protocol.drops_blocks());
                let switches = module.protocol.enable_pin;
                let has_switch = usize::from(switches);
                let in_background = module.protocol.clears_in_background();
                let filters = module.protocol.filters();
                let filter_ranges = module.protocol.filter_ranges;
                // The pipeline that a block goes through before its record.
                let delay = config.blocks_in_flight() as usize;
                let timed_cores = if config.sharing.time_stamps { cores } else { 0 };
            }

            in retire: Retire(&module.processor) for _ in 0..cores;
            /// process or thread in which the execution goes on after the block
            in retire_context: module.protocol.context_bits for _ in 0..cores;
            /// privilege level in which the execution goes on after the block
            in retire_privilege: module.protocol.privilege_bits for _ in 0..cores;
            /// why the exception was taken
            in retire_cause: module.protocol.cause_bits for _ in 0..cores;
            /// the block of this cycle is lost in front of the module, with blocks before it
            in retire_lost: usize::from(module.protocol.loss_pins) for _ in 0..cores;
            /// instructions of these blocks
            in retire_lost_count: if module.protocol.loss_pins { module.processor.lost_count_bits() } else { 0 } for _ in 0..cores;
            /// the block of this cycle is not taken
            out stall: stalls for _ in 0..cores;
            /// a block of this cycle is lost
            out drops: counts_losses for _ in 0..cores;
            in filter: FilterPins(&module.processor, &module.protocol);
            /// first byte address of the range
            in filter_low: module.processor.address_width for _ in 0..filter_ranges;
            /// last byte address of the range
            in filter_high: module.processor.address_width for _ in 0..filter_ranges;
            /// a block of this cycle does not pass the filter
            out filtered: usize::from(filters);
            /// level: trace; the trace ends where it falls
            in enable: has_switch;
            /// a flush, or the end of the trace, does not wait for the sink; what is in the module is lost
            in discard: has_switch;
            /// level: the trace ends here
            in flush: 1;
            /// every bit of the trace has left the module
            out flushed: 1;
            /// a packet begins with the full address after the next block that may change the flow
            in sync_request: has_packets;
            /// the time, which headers of packets say
            in timestamp: module.protocol.timestamp_bits();
            /// a packet begins after a synchronisation or a loss
            out synchronised: has_packets;
            /// trace bits, bit 0 first
            out trace_data: port.trace_port_width;
            out trace_valid: 1;
            in trace_ready: 1;
            /// trace words in the output FIFO
            out buffered_words: BackEnd::level_bits(port);
            block sequencer: Sequencer(clear_bits, counts, restarts, in_background, switches);
            block retire_decoders: RetireDecoder(&module.processor) for _ in 0..cores;
            #[label("synchroniser")]
            block synchroniser: Synchroniser(framing) for framing in &framing;
            block run_filter: Filter(&module.processor, &module.protocol) if filters;
            block encoders: $encoder(&module, clear_bits) for _ in 0..cores;
            block time_stamps: TimeStamps(&config.sharing, delay) for _ in 0..timed_cores;
            block merge: Merge(config);
            block back_end: BackEnd(port, &config.format(), None, framing.as_ref());
            local timed: TimedRecord(&config.queued_format(), module.format().bits()) for _ in 0..timed_cores;
            local all_ready: 1;
            local all_empty: 1;
            local accepts: has_packets;
            /// the core waits
            local waits: has_packets;
            param has_packets = has_packets;
            param counts_words = module.protocol.sync_bytes > 0;
            param counts_losses = counts_losses;
            param has_loss_pins = module.protocol.loss_pins;
            param stalls = stalls;
            param has_switch = has_switch;
            param restarts = restarts;
            param in_background = usize::from(in_background);
            param filters = filters;
            /// blocks are lost while the trace ends
            param loses_when_off = usize::from(switches || stalls == 0);
            param is_timed = config.sharing.time_stamps;
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
                $(self.sequencer.swept.next = self.encoders[0].$swept.val();)?
                self.sequencer.flush.next = self.flush.val();
                if self.has_switch.val() == 1 {
                    self.sequencer.flush.next = self.flush.val() | !self.enable.val();
                    self.sequencer.discard.next = self.discard.val();
                }
                self.sequencer.is_empty.next = self.all_empty.val();
                self.flushed.next = self.sequencer.flushed.val();

                if self.has_packets.val() == 1 {
                    // Packets are for one core.
                    connect::join(
                        &mut self.retire_decoders[0].block,
                        &mut self.synchroniser[0].retire,
                    );
                    self.synchroniser[0].state.context.next = self.retire_context[0].val();
                    self.synchroniser[0].state.privilege.next = self.retire_privilege[0].val();
                    self.synchroniser[0].state.cause.next = self.retire_cause[0].val();
                    self.synchroniser[0].sync_request.next = self.sync_request.val();
                    self.synchroniser[0].timestamp.next = self.timestamp.val();
                    if self.counts_words.val() == 1 {
                        self.synchroniser[0].word_leaves.next = self.back_end.word_leaves.val();
                    }
                    self.synchroniser[0].trace_ends.next = self.sequencer.record_flush.val();
                    self.synchroniser[0].ready.next = self.all_ready.val();
                    self.sequencer.ready.next = self.synchroniser[0].ends.val();
                    self.synchronised.next = self.synchroniser[0].synchronised.val();
                    connect::join(&mut self.synchroniser[0].header, &mut self.back_end.header);
                    if self.filters.val() == 1 {
                        connect::join(&mut self.filter, &mut self.run_filter.pins);
                        for range in 0..self.filter_low.len() {
                            self.run_filter.low[range].next = self.filter_low[range].val();
                            self.run_filter.high[range].next = self.filter_high[range].val();
                        }
                        self.run_filter.last.next =
                            bits_to(self.retire[0].pc.val(), self.run_filter.last.width());
                        self.run_filter.next_context.next = bits_to(
                            self.retire_context[0].val(),
                            self.run_filter.next_context.width(),
                        );
                        self.run_filter.next_privilege.next = bits_to(
                            self.retire_privilege[0].val(),
                            self.run_filter.next_privilege.width(),
                        );
                        self.run_filter.ends_run.next = self.synchroniser[0].ends_run.val();
                        self.run_filter.begins_at.next = self.synchroniser[0].begins_at.val();
                        self.synchroniser[0].passes.next = self.run_filter.passes.val();
                        self.filtered.next = !self.run_filter.passes.val();
                        self.synchroniser[0].next_passes.next = self.run_filter.next_passes.val();
                    }
                    self.accepts.next = self.sequencer.tracing.val()
                        & self.all_ready.val()
                        & self.synchroniser[0].accepts.val();
                    if self.has_loss_pins.val() == 1 {
                        self.synchroniser[0].shown_count.next = unsigned_cast_to_fit(self.retire[0].count.val());
                        if self.retire_lost[0].val().any() {
                            self.accepts.next = 0.into();
                            self.synchroniser[0].shown_count.next = self.retire_lost_count[0].val();
                        }
                    }
                    self.waits.next = 0.into();
                    if self.stalls.val() == 1 {
                        self.waits.next = !self.accepts.val();
                        if self.has_switch.val() == 1 {
                            // A core does not wait for a trace that is off, or has not gone on since then.
                            self.waits.next = !self.accepts.val()
                                & self.sequencer.is_on.val()
                                & !self.synchroniser[0].skips.val();
                        } else if self.filters.val() == 1 {
                            self.waits.next = !self.accepts.val() & !self.synchroniser[0].skips.val();
                        }
                    }
                    if self.counts_losses.val() == 1 {
                        self.synchroniser[0].is_shown.next =
                            self.retire[0].valid.val() & !self.waits.val();
                        if self.loses_when_off.val() == 1 {
                            self.synchroniser[0].is_off.next = !self.sequencer.is_on.val();
                        } else {
                            self.synchroniser[0].is_off.next = 0.into();
                        }
                    }
                    if self.restarts.val() == 1 {
                        if self.in_background.val() == 0 {
                            self.synchroniser[0].is_clearing.next =
                                self.sequencer.clear.valid.val();
                        }
                        self.synchroniser[0].is_empty.next = self.encoders[0].is_empty.val()
                            & self.merge.is_empty.val()
                            & self.back_end.can_restart.val();
                        if self.in_background.val() == 1 {
                            self.synchroniser[0].is_empty.next = self.encoders[0].is_empty.val()
                                & self.merge.is_empty.val()
                                & self.back_end.can_restart.val()
                                & !self.sequencer.is_sweeping.val();
                            self.sequencer.is_idle.next = self.encoders[0].is_empty.val()
                                & !(self.retire_decoders[0].block.valid.val()
                                    & (self.retire_decoders[0].block.direct.val()
                                        | self.retire_decoders[0].block.indirect.val()
                                        | self.retire_decoders[0].block.exception.val()));
                            self.encoders[0].memory_sweep.next = self.sequencer.memory_sweep.val();
                        }
                        if self.has_switch.val() == 1 {
                            self.synchroniser[0].discards.next = self.sequencer.discards.val();
                            self.back_end.restart_registers.next = self.sequencer.discards.val();
                            self.merge.restart_registers.next = self.sequencer.discards.val();
                        }
                        self.back_end.restart.next = self.synchroniser[0].restart.val();
                        self.sequencer.restart.next = self.synchroniser[0].restart.val();
                        self.encoders[0].restart_registers.next =
                            self.synchroniser[0].restart.val();
                        if self.has_switch.val() == 1 {
                            self.encoders[0].restart_registers.next =
                                self.synchroniser[0].restart.val() | self.sequencer.discards.val();
                        }
                    }
                } else {
                    self.sequencer.ready.next = self.all_ready.val();
                }
                for core in 0..self.encoders.len() {
                    connect::join(
                        &mut self.retire[core],
                        &mut self.retire_decoders[core].retire,
                    );
                    if self.has_packets.val() == 1 {
                        self.retire_decoders[core].take.next = self.accepts.val();
                        if self.stalls.val() == 1 {
                            self.stall[core].next = self.waits.val();
                        }
                        if self.counts_losses.val() == 1 {
                            self.drops[core].next = !self.accepts.val() & !self.waits.val();
                        }
                    } else {
                        self.stall[core].next =
                            !(self.sequencer.tracing.val() & self.encoders[core].ready.val());
                        self.retire_decoders[core].take.next = !self.stall[core].val();
                    }
                    connect::join(
                        &mut self.retire_decoders[core].block,
                        &mut self.encoders[core].retire,
                    );
                    connect::join(&mut self.sequencer.clear, &mut self.encoders[core].clear);
                    if self.has_packets.val() == 1 {
                        self.encoders[core].flush.next = self.synchroniser[0].flush.val();
                    } else {
                        self.encoders[core].flush.next =
                            self.sequencer.record_flush.val() & self.all_ready.val();
                    }
                    self.encoders[core].record.ready.next = self.merge.in_[core].ready.val();
                    self.merge.in_[core].valid.next = self.encoders[core].record.valid.val();
                    self.merge.in_[core].word.next =
                        unsigned_cast_to_fit(self.encoders[core].record.word.val());
                    if self.is_timed.val() == 1 {
                        self.time_stamps[core].tracing.next = self.sequencer.tracing.val();
                        self.time_stamps[core].ready.next = self.encoders[core].ready.val();
                        self.time_stamps[core].record.next =
                            self.encoders[core].record.valid.val();
                        self.merge.in_[core].valid.next = self.encoders[core].record.valid.val()
                            | self.time_stamps[core].overflow.val();
                        // A time overflow comes without a record, whose flags are all 0 then.
                        self.timed[core].time_overflow.next =
                            self.time_stamps[core].overflow.val();
                        self.timed[core].clocks.next = self.time_stamps[core].clocks.val();
                        self.timed[core].record.next = self.encoders[core].record.word.val();
                        self.merge.in_[core].word.next = self.timed[core].val();
                    }
                }
                connect::join(&mut self.merge.record, &mut self.back_end.record);
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
    Mctraptor, TraptorEncoder, tracewright_sim::traptor::config::Config, "mctraptor", counts sweeps_by_instruction_count: swept
}

multicore_module! {
    /// Nexus-like modules, one for every core.
    Nexus, NexusEncoder, tracewright_sim::nexus::config::Config, "nexus"
}
