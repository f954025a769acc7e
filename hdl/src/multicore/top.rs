//! The whole trace module of several cores, pins to pins (docs/hardware.md).

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::encode::record::RecordFormat;
use tracewright_sim::multicore::config::Config;
use tracewright_sim::packet::framing::Framing;
use tracewright_sim::pins::Interface;
use tracewright_sim::scheme::Configuration;

use super::encoder::Merge;
use super::time_stamps::TimeStamps;
use crate::encode::top::BackEnd;
use crate::filter::Filter;
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
        $crate::block_with_pins! { cores pins {
            $(#[$doc])*
            pub $name($kind) of (config: &Config<$config>) {
                let pins = Interface::of(config);
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
                // The pipeline that a block goes through before its record.
                let delay = config.blocks_in_flight() as usize;
                let timed_cores = if config.sharing.time_stamps { cores } else { 0 };
            }
        } {
            block sequencer: Sequencer(clear_bits, counts, restarts, in_background, switches);
            block retire_decoders: RetireDecoder(&module.processor) for _ in 0..cores;
            #[label("synchroniser")]
            block synchroniser: Synchroniser(framing) for framing in &framing;
            block run_filter: Filter(&module.processor, &module.protocol) if filters;
            block encoders: $encoder(&module, clear_bits) for _ in 0..cores;
            block time_stamps: TimeStamps(&config.sharing, delay) for _ in 0..timed_cores;
            block merge: Merge(config);
            block back_end: BackEnd(port, &config.format(), None, framing.as_ref(), switches);
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
        } }

        #[kernel]
        impl Logic for $name {
            fn update(&mut self) {
                all_ready = 1;
                all_empty = merge.is_empty & back_end.is_empty;
                for core in 0..encoders.len() {
                    all_ready = all_ready & encoders[core].ready;
                    all_empty = all_empty & encoders[core].is_empty;
                }
                $(sequencer.swept = encoders[0].$swept;)?
                sequencer.flush = flush;
                if when(has_switch) {
                    sequencer = Sequencer { flush: flush | !enable, discard };
                }
                sequencer.is_empty = all_empty;
                flushed = sequencer.flushed;

                if when(has_packets) {
                    // Packets are for one core.
                    join(retire_decoders[0].block, synchroniser[0].retire);
                    synchroniser[0].state.context = retire_context[0];
                    synchroniser[0].state.privilege = retire_privilege[0];
                    synchroniser[0].state.cause = retire_cause[0];
                    synchroniser[0] = Synchroniser { sync_request, timestamp };
                    if when(counts_words) {
                        synchroniser[0].word_leaves = back_end.word_leaves;
                    }
                    synchroniser[0] = Synchroniser { trace_ends: sequencer.record_flush, ready: all_ready };
                    sequencer.ready = synchroniser[0].ends;
                    synchronised = synchroniser[0].synchronised;
                    join(synchroniser[0].header, back_end.header);
                    if when(filters) {
                        join(filter, run_filter.pins);
                        for range in 0..filter_low.len() {
                            run_filter.low[range] = filter_low[range];
                            run_filter.high[range] = filter_high[range];
                        }
                        run_filter = Filter { last: resized(retire[0].pc), next_context: resized(retire_context[0]), next_privilege: resized(retire_privilege[0]), ends_run: synchroniser[0].ends_run, begins_at: synchroniser[0].begins_at };
                        synchroniser[0].passes = run_filter.passes;
                        filtered = !run_filter.passes;
                        synchroniser[0].next_passes = run_filter.next_passes;
                    }
                    accepts = sequencer.tracing
                        & all_ready
                        & synchroniser[0].accepts;
                    if when(has_loss_pins) {
                        synchroniser[0].shown_count = fitted(retire[0].count);
                        if retire_lost[0] {
                            accepts = 0;
                            synchroniser[0].shown_count = retire_lost_count[0];
                        }
                    }
                    waits = 0;
                    if when(stalls) {
                        waits = !accepts;
                        if when(has_switch) {
                            // A core does not wait for a trace that is off, or has not gone on since then.
                            waits = !accepts
                                & sequencer.is_on
                                & !synchroniser[0].skips;
                        } else if when(filters) {
                            waits = !accepts & !synchroniser[0].skips;
                        }
                    }
                    if when(counts_losses) {
                        synchroniser[0].is_shown = retire[0].valid & !waits;
                        if when(loses_when_off) {
                            synchroniser[0].is_off = !sequencer.is_on;
                        } else {
                            synchroniser[0].is_off = 0;
                        }
                    }
                    if when(restarts) {
                        if when(!in_background) {
                            synchroniser[0].is_clearing = sequencer.clear.valid;
                        }
                        synchroniser[0].is_empty = encoders[0].is_empty
                            & merge.is_empty
                            & back_end.can_restart;
                        if when(in_background) {
                            synchroniser[0].is_empty = encoders[0].is_empty
                                & merge.is_empty
                                & back_end.can_restart
                                & !sequencer.is_sweeping;
                            sequencer.is_idle = encoders[0].is_empty
                                & !(retire_decoders[0].block.valid
                                    & (retire_decoders[0].block.direct
                                        | retire_decoders[0].block.indirect
                                        | retire_decoders[0].block.exception));
                            encoders[0].memory_sweep = sequencer.memory_sweep;
                        }
                        if when(has_switch) {
                            synchroniser[0].discards = sequencer.discards;
                            back_end.restart_registers = sequencer.discards;
                            merge.restart_registers = sequencer.discards;
                        }
                        back_end.restart = synchroniser[0].restart;
                        sequencer.restart = synchroniser[0].restart;
                        encoders[0].restart_registers = synchroniser[0].restart;
                        if when(has_switch) {
                            encoders[0].restart_registers = synchroniser[0].restart | sequencer.discards;
                        }
                    }
                } else {
                    sequencer.ready = all_ready;
                }
                for core in 0..encoders.len() {
                    join(retire[core], retire_decoders[core].retire);
                    if when(has_packets) {
                        retire_decoders[core].take = accepts;
                        if when(stalls) {
                            stall[core] = waits;
                        }
                        if when(counts_losses) {
                            drops[core] = !accepts & !waits;
                        }
                    } else {
                        stall[core] = !(sequencer.tracing & encoders[core].ready);
                        retire_decoders[core].take = !stall[core];
                    }
                    join(retire_decoders[core].block, encoders[core].retire);
                    join(sequencer.clear, encoders[core].clear);
                    if when(has_packets) {
                        encoders[core].flush = synchroniser[0].flush;
                    } else {
                        encoders[core].flush = sequencer.record_flush & all_ready;
                    }
                    encoders[core].record.ready = merge.in_[core].ready;
                    merge.in_[core].valid = encoders[core].record.valid;
                    merge.in_[core].word = fitted(encoders[core].record.word);
                    if when(is_timed) {
                        time_stamps[core] = TimeStamps { tracing: sequencer.tracing, ready: encoders[core].ready, record: encoders[core].record.valid };
                        merge.in_[core].valid = encoders[core].record.valid
                            | time_stamps[core].overflow;
                        // A time overflow comes without a record, whose flags are all 0 then.
                        timed[core] = TimedRecord { time_overflow: time_stamps[core].overflow, clocks: time_stamps[core].clocks, record: encoders[core].record.word };
                        merge.in_[core].word = timed[core];
                    }
                }
                join(merge.record, back_end.record);
                trace_valid = back_end.trace_valid;
                trace_data = back_end.trace_data;
                back_end.trace_ready = trace_ready;
                buffered_words = back_end.buffered_words;
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
