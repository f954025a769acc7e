//! What every trace module has around its compressor: clearing, flushing, pins.

/// Declares the trace module of a single core around a compressor, pins to pins (docs/hardware.md).
///
/// The compressor, a block `Encoder`, has the ports `clear`, `retire`, `flush`, `ready`, `is_empty` and
/// `record`: it takes the block of `retire`, or makes a flush record, in a cycle in which it is ready, and
/// `is_empty` says that no record waits inside. `counts` is for a compressor with a counter that may number the
/// entries of the clear sweep: it says whether it does, and which output of the compressor is the entry.
#[macro_export]
macro_rules! trace_module {
    ($(#[$doc:meta])* $name:ident, $config:ty, $kind:literal $(, counts $counts:ident: $swept:ident)?) => {
        block! {
            $(#[$doc])*
            pub $name($kind) of (config: &$config) {
                let clear_bits =
                    tracewright_sim::config::index_bits(config.clear_clocks()) as usize;
                let port = &config.port;
                let in_flight = {
                    use tracewright_sim::scheme::Configuration;
                    config.queues_records().then(|| config.blocks_in_flight())
                };
                let counts = false $(|| config.$counts())?;
                let framing = tracewright_sim::packet::framing::Framing::of(config);
                let has_packets = usize::from(framing.is_some());
                let (counts_losses, restarts) = (
                    usize::from(config.protocol.counts_losses()),
                    config.protocol.restarts_tables(),
                );
                let stalls = 1 - usize::from(config.protocol.drops_blocks());
                let switches = config.protocol.enable_pin;
                let has_switch = usize::from(switches);
                let in_background = config.protocol.clears_in_background();
                let filters = config.protocol.filters();
                let filter_ranges = config.protocol.filter_ranges;
            }

            in retire: $crate::parts::ports::Retire(&config.processor);
            /// process or thread in which the execution goes on after the block
            in retire_context: config.protocol.context_bits;
            /// privilege level in which the execution goes on after the block
            in retire_privilege: config.protocol.privilege_bits;
            /// why the exception was taken
            in retire_cause: config.protocol.cause_bits;
            /// the block of this cycle is lost in front of the module, with blocks before it
            in retire_lost: usize::from(config.protocol.loss_pins);
            /// instructions of these blocks
            in retire_lost_count: if config.protocol.loss_pins { config.processor.lost_count_bits() } else { 0 };
            /// the block of this cycle is not taken
            out stall: stalls;
            /// a block of this cycle is lost
            out drops: counts_losses;
            in filter: $crate::parts::ports::FilterPins(&config.processor, &config.protocol);
            /// first byte address of the range
            in filter_low: config.processor.address_width for _ in 0..filter_ranges;
            /// last byte address of the range
            in filter_high: config.processor.address_width for _ in 0..filter_ranges;
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
            in timestamp: config.protocol.timestamp_bits();
            /// a packet begins after a synchronisation or a loss
            out synchronised: has_packets;
            /// trace bits, bit 0 first
            out trace_data: port.trace_port_width;
            out trace_valid: 1;
            in trace_ready: 1;
            /// trace words in the output FIFO
            out buffered_words: $crate::encode::top::BackEnd::level_bits(port);
            block sequencer: $crate::parts::sequencer::Sequencer(clear_bits, counts, restarts, in_background, switches);
            block retire_decoder: $crate::parts::retire_decoder::RetireDecoder(&config.processor);
            #[label("synchroniser")]
            block synchroniser: $crate::parts::synchroniser::Synchroniser(framing) for framing in &framing;
            block run_filter: $crate::filter::Filter(&config.processor, &config.protocol) if filters;
            block encoder: Encoder(config, clear_bits);
            block back_end: $crate::encode::top::BackEnd(port, &config.format(), in_flight, framing.as_ref());
            local accepts: has_packets;
            /// the core waits
            local waits: has_packets;
            param has_packets = has_packets;
            param counts_words = config.protocol.sync_bytes > 0;
            param counts_losses = counts_losses;
            param has_loss_pins = config.protocol.loss_pins;
            param stalls = stalls;
            param has_switch = has_switch;
            param restarts = restarts;
            param in_background = usize::from(in_background);
            param filters = filters;
            /// blocks are lost while the trace ends
            param loses_when_off = usize::from(switches || stalls == 0);
        }

        impl Logic for $name {
            #[hdl_gen]
            fn update(&mut self) {
                $(self.sequencer.swept.next = self.encoder.$swept.val();)?
                self.sequencer.flush.next = self.flush.val();
                if self.has_switch.val() == 1 {
                    self.sequencer.flush.next = self.flush.val() | !self.enable.val();
                    self.sequencer.discard.next = self.discard.val();
                }
                self.sequencer.is_empty.next =
                    self.encoder.is_empty.val() & self.back_end.is_empty.val();
                self.flushed.next = self.sequencer.flushed.val();
                if self.has_packets.val() == 1 {
                    self.accepts.next = self.sequencer.tracing.val()
                        & self.encoder.ready.val()
                        & self.synchroniser[0].accepts.val();
                    if self.has_loss_pins.val() == 1 {
                        self.synchroniser[0].shown_count.next = unsigned_cast_to_fit(self.retire.count.val());
                        if self.retire_lost.val().any() {
                            self.accepts.next = 0.into();
                            self.synchroniser[0].shown_count.next = self.retire_lost_count.val();
                        }
                    }
                    self.retire_decoder.take.next = self.accepts.val();
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
                        self.stall.next = self.waits.val();
                    }
                    if self.counts_losses.val() == 1 {
                        self.drops.next = !self.accepts.val() & !self.waits.val();
                        self.synchroniser[0].is_shown.next =
                            self.retire.valid.val() & !self.waits.val();
                        if self.loses_when_off.val() == 1 {
                            self.synchroniser[0].is_off.next = !self.sequencer.is_on.val();
                        } else {
                            self.synchroniser[0].is_off.next = 0.into();
                        }
                    }
                } else {
                    self.stall.next = !(self.sequencer.tracing.val() & self.encoder.ready.val());
                    self.retire_decoder.take.next = !self.stall.val();
                }

                connect::join(&mut self.retire, &mut self.retire_decoder.retire);
                connect::join(&mut self.retire_decoder.block, &mut self.encoder.retire);
                connect::join(&mut self.sequencer.clear, &mut self.encoder.clear);
                if self.has_packets.val() == 1 {
                    connect::join(
                        &mut self.retire_decoder.block,
                        &mut self.synchroniser[0].retire,
                    );
                    self.synchroniser[0].state.context.next = self.retire_context.val();
                    self.synchroniser[0].state.privilege.next = self.retire_privilege.val();
                    self.synchroniser[0].state.cause.next = self.retire_cause.val();
                    self.synchroniser[0].sync_request.next = self.sync_request.val();
                    self.synchroniser[0].timestamp.next = self.timestamp.val();
                    if self.counts_words.val() == 1 {
                        self.synchroniser[0].word_leaves.next = self.back_end.word_leaves.val();
                    }
                    self.synchroniser[0].trace_ends.next = self.sequencer.record_flush.val();
                    self.synchroniser[0].ready.next = self.encoder.ready.val();
                    self.encoder.flush.next = self.synchroniser[0].flush.val();
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
                            bits_to(self.retire.pc.val(), self.run_filter.last.width());
                        self.run_filter.next_context.next = bits_to(
                            self.retire_context.val(),
                            self.run_filter.next_context.width(),
                        );
                        self.run_filter.next_privilege.next = bits_to(
                            self.retire_privilege.val(),
                            self.run_filter.next_privilege.width(),
                        );
                        self.run_filter.ends_run.next = self.synchroniser[0].ends_run.val();
                        self.run_filter.begins_at.next = self.synchroniser[0].begins_at.val();
                        self.synchroniser[0].passes.next = self.run_filter.passes.val();
                        self.filtered.next = !self.run_filter.passes.val();
                        self.synchroniser[0].next_passes.next = self.run_filter.next_passes.val();
                    }
                    if self.restarts.val() == 1 {
                        if self.in_background.val() == 0 {
                            self.synchroniser[0].is_clearing.next =
                                self.sequencer.clear.valid.val();
                        }
                        self.synchroniser[0].is_empty.next =
                            self.encoder.is_empty.val() & self.back_end.can_restart.val();
                        if self.in_background.val() == 1 {
                            self.synchroniser[0].is_empty.next = self.encoder.is_empty.val()
                                & self.back_end.can_restart.val()
                                & !self.sequencer.is_sweeping.val();
                            // Straight runs write no table, and what waits inside is not idle.
                            self.sequencer.is_idle.next = self.encoder.is_empty.val()
                                & !(self.retire_decoder.block.valid.val()
                                    & (self.retire_decoder.block.direct.val()
                                        | self.retire_decoder.block.indirect.val()
                                        | self.retire_decoder.block.exception.val()));
                            self.encoder.memory_sweep.next = self.sequencer.memory_sweep.val();
                        }
                        if self.has_switch.val() == 1 {
                            self.synchroniser[0].discards.next = self.sequencer.discards.val();
                            self.back_end.restart_registers.next = self.sequencer.discards.val();
                        }
                        self.back_end.restart.next = self.synchroniser[0].restart.val();
                        self.sequencer.restart.next = self.synchroniser[0].restart.val();
                        self.encoder.restart_registers.next = self.synchroniser[0].restart.val();
                        if self.has_switch.val() == 1 {
                            self.encoder.restart_registers.next =
                                self.synchroniser[0].restart.val() | self.sequencer.discards.val();
                        }
                        if (self.synchroniser[0].hides_address.val()
                            & self.retire_decoder.block.exception.val())
                        .any()
                            && !self.retire_decoder.block.count.val().any()
                        {
                            self.encoder.retire.pc.next = 0.into();
                        }
                    }
                } else {
                    self.encoder.flush.next =
                        self.sequencer.record_flush.val() & self.encoder.ready.val();
                    self.sequencer.ready.next = self.encoder.ready.val();
                }

                connect::join(&mut self.encoder.record, &mut self.back_end.record);
                self.trace_valid.next = self.back_end.trace_valid.val();
                self.trace_data.next = self.back_end.trace_data.val();
                self.back_end.trace_ready.next = self.trace_ready.val();
                self.buffered_words.next = self.back_end.buffered_words.val();
            }
        }
    };
}
