//! What every trace module has around its compressor: clearing, flushing, pins.

/// `block!` with the pins of a trace module (`sim/src/pins/module.rs`) between what stands before them and after them.
///
/// `pins` is a variable, an `Interface`. The pins of control flow are those of one core, `one_core`, or lists of those of all
/// cores, `cores`; `data` are those of a module for data addresses.
#[macro_export]
macro_rules! block_with_pins {
    ($kind:ident $pins:ident $before:tt $after:tt) => {
        tracewright_sim::for_each_module_pin!([$crate::block_with_pins] { $kind $pins $before $after });
    };
    (
        { $kind:ident $pins:ident $before:tt $after:tt }
        clock $clock:tt
        retire $retire:tt
        core $core:tt
        filter $filter:tt
        range $range:tt
        access $access:tt
        packets { $($packets:tt)* }
        flush { $($flush:tt)* }
        synchronisation { $($synchronisation:tt)* }
        trace { $($trace:tt)* }
    ) => {
        $crate::block_with_pins! {
            @$kind $pins $before $after $core $range $access
            { $($packets)* $($flush)* $($synchronisation)* $($trace)* } { $($flush)* $($trace)* }
        }
    };
    (
        @one_core $pins:ident { $($before:tt)* } { $($after:tt)* }
        { $($(#[doc = $doc:tt])* $row:ident: $direction:tt $name:ident { $($details:tt)* })* }
        $range:tt $access:tt $shared:tt $of_data:tt
    ) => {
        $crate::block_with_pins! {
            @shared $pins {
                $($before)*
                in retire: $crate::parts::ports::Retire(&$pins.processor);
                $(
                    #[remark($pins.remark(&tracewright_sim::pins::module::$row))]
                    $direction $name: $pins.bits(&tracewright_sim::pins::module::$row);
                )*
            } { $($after)* } $range $shared
        }
    };
    (
        @cores $pins:ident { $($before:tt)* } { $($after:tt)* }
        { $($(#[doc = $doc:tt])* $row:ident: $direction:tt $name:ident { $($details:tt)* })* }
        $range:tt $access:tt $shared:tt $of_data:tt
    ) => {
        $crate::block_with_pins! {
            @shared $pins {
                $($before)*
                in retire: $crate::parts::ports::Retire(&$pins.processor) for _ in 0..$pins.cores();
                $(
                    #[remark($pins.remark(&tracewright_sim::pins::module::$row))]
                    $direction $name: $pins.bits(&tracewright_sim::pins::module::$row) for _ in 0..$pins.cores();
                )*
            } { $($after)* } $range $shared
        }
    };
    (
        @shared $pins:ident { $($before:tt)* } { $($after:tt)* }
        { $($(#[doc = $doc:tt])* $row:ident: $direction:tt $name:ident { $($details:tt)* })* } $shared:tt
    ) => {
        $crate::block_with_pins! {
            @once $pins {
                $($before)*
                in filter: $crate::parts::ports::FilterPins(&$pins.processor, &$pins.protocol);
                $(
                    #[remark($pins.remark(&tracewright_sim::pins::module::$row))]
                    $direction $name: $pins.bits(&tracewright_sim::pins::module::$row) for _ in 0..$pins.protocol.filter_ranges;
                )*
            } { $($after)* } $shared
        }
    };
    (
        @data $pins:ident $before:tt $after:tt $core:tt $range:tt { $($access:tt)* } $shared:tt { $($of_data:tt)* }
    ) => {
        $crate::block_with_pins! { @once $pins $before $after { $($access)* $($of_data)* } }
    };
    (
        @once $pins:ident { $($before:tt)* } { $($after:tt)* }
        { $($(#[doc = $doc:tt])* $row:ident: $direction:tt $name:ident { $($details:tt)* })* }
    ) => {
        block! {
            $($before)*
            $(
                #[remark($pins.remark(&tracewright_sim::pins::module::$row))]
                $direction $name: $pins.bits(&tracewright_sim::pins::module::$row);
            )*
            $($after)*
        }
    };
}

/// Declares the trace module of a single core around a compressor, pins to pins (docs/hardware.md).
///
/// The compressor, a block `Encoder`, has the ports `clear`, `retire`, `flush`, `ready`, `is_empty` and
/// `record`: it takes the block of `retire`, or makes a flush record, in a cycle in which it is ready, and
/// `is_empty` says that no record waits inside. `counts` is for a compressor with a counter that may number the
/// entries of the clear sweep: it says whether it does, and which output of the compressor is the entry. `begins` is for a
/// compressor that begins anew on request without packets: its input for the request, and its output that says that it has;
/// `leaves` for one that can end a part of the trace: its input for that, beside `has_entry` and `entry`.
#[macro_export]
macro_rules! trace_module {
    (
        $(#[$doc:meta])* $name:ident, $config:ty, $kind:literal
        $(, counts $counts:ident: $swept:ident)? $(, begins $request:ident: $begins:ident)? $(, leaves $leaves:ident)?
    ) => {
        $crate::block_with_pins! { one_core pins {
            $(#[$doc])*
            pub $name($kind) of (config: &$config) {
                let pins = tracewright_sim::pins::Interface::of(config);
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
                let filters_alone = config.protocol.filters_alone();
                let drops_alone = config.protocol.drops_alone();
                let state_bits = config.protocol.told_state_bits() as usize;
            }
        } {
            block sequencer: $crate::parts::sequencer::Sequencer(clear_bits, counts, restarts, in_background, switches);
            block retire_decoder: $crate::parts::retire_decoder::RetireDecoder(&config.processor);
            #[label("synchroniser")]
            block synchroniser: $crate::parts::synchroniser::Synchroniser(framing) for framing in &framing;
            block run_filter: $crate::filter::Filter(&config.processor, &config.protocol) if filters;
            block qualifier: $crate::qualifier::Qualifier(&config.processor) if filters_alone;
            block encoder: Encoder(config, clear_bits);
            block back_end: $crate::encode::top::BackEnd(port, &config.format(), in_flight, framing.as_ref(), switches);
            /// privilege level and context after the last block that may change the flow, taken or lost
            reg state: state_bits = config.protocol.reset_level();
            local next_state: state_bits;
            /// blocks are lost, which the trace does not say yet
            reg is_losing: usize::from(drops_alone);
            /// the trace says it, and has taken no block since then
            reg is_told: usize::from(drops_alone);
            local tells_loss: usize::from(drops_alone);
            local accepts: has_packets | has_switch;
            /// the core waits
            local waits: has_packets | has_switch;
            param has_packets = has_packets;
            param counts_words = config.protocol.sync_bytes > 0;
            param counts_losses = counts_losses;
            param has_loss_pins = config.protocol.loss_pins;
            param stalls = stalls;
            param has_switch = has_switch;
            param drops_alone = drops_alone;
            param restarts = restarts;
            param in_background = usize::from(in_background);
            param filters = filters;
            param filters_alone = filters_alone;
            param tells_state = usize::from(state_bits > 0);
            param has_context = usize::from(config.protocol.context_bits > 0);
            param privilege_bits = config.protocol.privilege_bits as usize;
            /// blocks are lost while the trace ends
            param loses_when_off = usize::from(switches || stalls == 0);
        } }

        #[kernel]
        impl Logic for $name {
            fn update(&mut self) {
                $(sequencer.swept = encoder.$swept;)?
                sequencer.flush = flush;
                if when(has_switch) {
                    sequencer.flush = flush | !enable;
                    sequencer.discard = discard;
                }
                sequencer.is_empty = encoder.is_empty & back_end.is_empty;
                flushed = sequencer.flushed;
                if when(has_packets) {
                    accepts = sequencer.tracing
                        & encoder.ready
                        & synchroniser[0].accepts;
                    if when(has_loss_pins) {
                        synchroniser[0].shown_count = fitted(retire.count);
                        if retire_lost {
                            accepts = 0;
                            synchroniser[0].shown_count = retire_lost_count;
                        }
                    }
                    retire_decoder.take = accepts;
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
                        stall = waits;
                    }
                    if when(counts_losses) {
                        drops = !accepts & !waits;
                        synchroniser[0].is_shown = retire.valid & !waits;
                        if when(loses_when_off) {
                            synchroniser[0].is_off = !sequencer.is_on;
                        } else {
                            synchroniser[0].is_off = 0;
                        }
                    }
                } else if when(drops_alone) {
                    // A loss is told, and the trace goes on, once what was sent before has left.
                    tells_loss = is_losing.q & encoder.ready & !back_end.buffered_words.any();
                    accepts = sequencer.tracing & encoder.ready & !is_losing.q;
                    if when(filters_alone) {
                        tells_loss = is_losing.q & encoder.ready & !back_end.buffered_words.any() & !qualifier.must_end;
                        accepts = sequencer.tracing & encoder.ready & !is_losing.q & qualifier.accepts;
                    }
                    retire_decoder.take = accepts;
                    waits = 0;
                    drops = !accepts;
                    if retire.valid & accepts {
                        is_told.d = 0;
                    }
                    if (retire.valid & sequencer.is_on) && !(accepts | is_told.q) {
                        is_losing.d = 1;
                        if when(filters_alone) {
                            is_losing.d = is_losing.q | run_filter.passes;
                        }
                    }
                    if tells_loss {
                        is_losing.d = 0;
                        is_told.d = 1;
                    }
                    if sequencer.discards {
                        is_losing.d = 0;
                        is_told.d = 0;
                    }
                } else if when(has_switch) {
                    accepts = sequencer.tracing & encoder.ready;
                    if when(filters_alone) { accepts = sequencer.tracing & encoder.ready & qualifier.accepts; }
                    retire_decoder.take = accepts;
                    // A core does not wait for a trace that is off.
                    waits = !accepts & sequencer.is_on;
                    if when(filters_alone) {
                        waits = !accepts & sequencer.is_on & run_filter.passes;
                    }
                    stall = waits;
                    drops = !accepts & !waits;
                } else {
                    stall = !(sequencer.tracing & encoder.ready);
                    retire_decoder.take = !stall;
                }

                join(retire, retire_decoder.retire);
                join(retire_decoder.block, encoder.retire);
                join(sequencer.clear, encoder.clear);
                if when(has_packets) {
                    join(retire_decoder.block, synchroniser[0].retire);
                    synchroniser[0].state.context = retire_context;
                    synchroniser[0].state.privilege = retire_privilege;
                    synchroniser[0].state.cause = retire_cause;
                    synchroniser[0].sync_request = sync_request;
                    synchroniser[0].timestamp = timestamp;
                    if when(counts_words) {
                        synchroniser[0].word_leaves = back_end.word_leaves;
                    }
                    synchroniser[0].trace_ends = sequencer.record_flush;
                    synchroniser[0].ready = encoder.ready;
                    encoder.flush = synchroniser[0].flush;
                    sequencer.ready = synchroniser[0].ends;
                    synchronised = synchroniser[0].synchronised;
                    join(synchroniser[0].header, back_end.header);
                    if when(filters) {
                        join(filter, run_filter.pins);
                        for range in 0..filter_low.len() {
                            run_filter.low[range] = filter_low[range];
                            run_filter.high[range] = filter_high[range];
                        }
                        run_filter.last = resized(retire.pc);
                        run_filter.next_context = resized(retire_context);
                        run_filter.next_privilege = resized(retire_privilege);
                        run_filter.ends_run = synchroniser[0].ends_run;
                        run_filter.begins_at = synchroniser[0].begins_at;
                        synchroniser[0].passes = run_filter.passes;
                        filtered = !run_filter.passes;
                        synchroniser[0].next_passes = run_filter.next_passes;
                    }
                    if when(restarts) {
                        if when(!in_background) {
                            synchroniser[0].is_clearing = sequencer.clear.valid;
                        }
                        synchroniser[0].is_empty = encoder.is_empty & back_end.can_restart;
                        if when(in_background) {
                            synchroniser[0].is_empty = encoder.is_empty
                                & back_end.can_restart
                                & !sequencer.is_sweeping;
                            // Straight runs write no table, and what waits inside is not idle.
                            sequencer.is_idle = encoder.is_empty
                                & !(retire_decoder.block.valid
                                    & (retire_decoder.block.direct
                                        | retire_decoder.block.indirect
                                        | retire_decoder.block.exception));
                            encoder.memory_sweep = sequencer.memory_sweep;
                        }
                        if when(has_switch) {
                            synchroniser[0].discards = sequencer.discards;
                            back_end.restart_registers = sequencer.discards;
                        }
                        back_end.restart = synchroniser[0].restart;
                        sequencer.restart = synchroniser[0].restart;
                        encoder.restart_registers = synchroniser[0].restart;
                        if when(has_switch) {
                            encoder.restart_registers = synchroniser[0].restart | sequencer.discards;
                        }
                        if (synchroniser[0].hides_address
                            & retire_decoder.block.exception)
                            && !retire_decoder.block.count {
                            encoder.retire.pc = 0;
                        }
                    }
                } else {
                    encoder.flush = sequencer.record_flush & encoder.ready;
                    sequencer.ready = encoder.ready;
                    if when(drops_alone) {
                        encoder.flush = tells_loss
                            | (sequencer.record_flush & encoder.ready & !is_losing.q);
                        sequencer.ready = encoder.ready & !is_losing.q;
                    }
                    if when(filters_alone) {
                        if qualifier.must_end {
                            encoder.flush = qualifier.ends;
                            sequencer.ready = 0;
                        }
                        join(filter, run_filter.pins);
                        for range in 0..filter_low.len() {
                            run_filter.low[range] = filter_low[range];
                            run_filter.high[range] = filter_high[range];
                        }
                        run_filter.last = resized(retire.pc);
                        run_filter.next_context = resized(retire_context);
                        run_filter.next_privilege = resized(retire_privilege);
                        run_filter.ends_run = qualifier.ends_run;
                        run_filter.begins_at = qualifier.begins_at;
                        filtered = !run_filter.passes;
                        join(retire_decoder.block, qualifier.retire);
                        qualifier = Qualifier { retires: retire.valid & !waits, is_on: sequencer.is_on };
                        qualifier = Qualifier { passes: run_filter.passes, next_passes: run_filter.next_passes };
                        qualifier = Qualifier { ready: encoder.ready, discards: sequencer.discards };
                        $(
                            encoder.$leaves = qualifier.ends;
                            encoder = Encoder { has_entry: qualifier.has_entry, entry: qualifier.entry };
                        )?
                    }
                    if when(has_switch) {
                        encoder.restart_registers = sequencer.discards;
                        back_end.restart_registers = sequencer.discards;
                        $(
                            encoder.$request = sync_request & sequencer.is_on;
                            synchronised = encoder.$begins;
                            encoder.cause = retire_cause;
                            if when(drops_alone) {
                                encoder.loses = tells_loss;
                            }
                            if when(tells_state) {
                                if when(has_context) {
                                    next_state = resized(retire_privilege)
                                        | (resized(retire_context) << privilege_bits);
                                } else {
                                    next_state = resized(retire_privilege);
                                }
                                encoder.state = state.q;
                                encoder.next_state = next_state;
                                if retire.valid & !waits & retire.kind.any() {
                                    state.d = next_state;
                                }
                            }
                        )?
                    }
                }

                join(encoder.record, back_end.record);
                trace_valid = back_end.trace_valid;
                trace_data = back_end.trace_data;
                back_end.trace_ready = trace_ready;
                buffered_words = back_end.buffered_words;
            }
        }
    };
}
