//! What every trace module has around its compressor: clearing, flushing, pins.

pub(crate) mod beginnings;
pub(crate) mod cores;
pub(crate) mod filters;
pub(crate) mod packets;
pub(crate) mod taking;

/// `block!` with the pins of a trace module (`sim/src/pins/module.rs`) between what stands before them and after them.
///
/// `pins` is a variable, an `Interface`. The pins of control flow are lists of those of all cores, `cores`; `data` are those of a
/// module for data addresses.
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
        @cores $pins:ident { $($before:tt)* } { $($after:tt)* }
        { $($(#[doc = $doc:tt])* $row:ident: $direction:tt $name:ident { $($details:tt)* })* }
        $range:tt $access:tt $shared:tt $of_data:tt
    ) => {
        $crate::block_with_pins! {
            @shared $pins {
                $($before)*
                #[label($pins.of_core("retire", core))]
                in retire: $crate::parts::ports::Retire(&$pins.processor) for core in 0..$pins.cores();
                $(
                    #[label($pins.of_core(stringify!($name), core))]
                    #[remark($pins.remark(&tracewright_sim::pins::module::$row))]
                    $direction $name: $pins.bits(&tracewright_sim::pins::module::$row) for core in 0..$pins.cores();
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

/// Declares the trace module of one core, or of several, around a compressor for each, pins to pins (docs/hardware.md).
///
/// The compressor, a block `Encoder`, has the ports `clear`, `retire`, `flush`, `ready`, `is_empty` and
/// `record`: it takes the block of `retire`, or makes a flush record, in a cycle in which it is ready, and
/// `is_empty` says that no record waits inside. What only some compressors have follows:
///
/// * `several`: it is for a core of several. The function gives the configuration of one.
/// * `counts`: it has a counter that may number the entries of the clear sweep. The function says whether it does, and the
///   output is the entry.
/// * `begins`: it begins anew on request without packets. The input is the request, the output says that it has.
/// * `leaves`: it can end a part of the trace. The input asks for that, beside `has_entry` and `entry`.
/// * `cycles`: it may send the time of blocks. The function says whether it does, and the input is that the core waits.
/// * `values`: its payloads have what exceptions say beside their cause, which is the input.
/// * `times`: its payloads say the time without packets. The input is when the last block retired, with the one at hand.
#[macro_export]
macro_rules! trace_module {
    (
        $(#[$doc:meta])* $name:ident, $config:ty, $kind:literal
        $(, several $module:ident)? $(, counts $counts:ident: $swept:ident)?
        $(, begins $request:ident: $begins:ident)? $(, leaves $leaves:ident)? $(, times $time:ident)?
        $(, values $value:ident)? $(, cycles $times:ident: $held:ident)?
    ) => {
        $crate::block_with_pins! { cores pins {
            $(#[$doc])*
            pub $name($kind) of (config: &$config) {
                use tracewright_sim::scheme::Configuration;
                let pins = tracewright_sim::pins::Interface::of(config);
                let module = config$(.$module())?.clone();
                let merging: Vec<$crate::multicore::encoder::Merging> =
                    vec![$($crate::multicore::encoder::Merging::of(config, &config.$module()))?];
                let cores = config.cores() as usize;
                let timed = merging.iter().flat_map(|merging| std::iter::repeat_n(merging, merging.timed_cores()));
                let (processor, protocol, port) = (config.processor(), config.protocol(), config.port());
                let clear_bits = tracewright_sim::config::index_bits(module.clear_clocks()) as usize;
                let queues_records = merging.is_empty() && config.queues_records();
                let in_flight = queues_records.then(|| config.blocks_in_flight());
                let counts = false $(|| module.$counts())?;
                let times = false $(|| module.$times())?;
                let framing = tracewright_sim::packet::framing::Framing::of(config);
                let has_packets = framing.is_some();
                // Between the steps of what makes packets are registers, too.
                let has_steps = port.encoder_registers && has_packets;
                let has_stage = has_steps && merging.is_empty();
                let restarts = protocol.restarts_tables();
                let switches = protocol.enable_pin;
                let in_background = protocol.clears_in_background();
                let state_bits = protocol.told_state_bits() as usize;
                // The end of a trace in which a start is due is that start, in E-Trace.
                let ends_with_starts = !concat!("" $(, stringify!($leaves))?).is_empty();
                let ends_tell_state = ends_with_starts && protocol.switches_alone() && state_bits > 0;
                let named = |block: &str, core| match pins.numbered_cores {
                    Some(_) => format!("{block}s_{core}"),
                    None => block.to_owned(),
                };
            }
        } {
            block sequencer: $crate::parts::sequencer::Sequencer(clear_bits, counts, restarts, in_background, switches);
            #[label(named("retire_decoder", core))]
            block retire_decoders: $crate::parts::retire_decoder::RetireDecoder(processor) for core in 0..cores;
            #[label("synchroniser")]
            block synchroniser: $crate::parts::synchroniser::Synchroniser(framing, has_steps) for framing in &framing;
            block run_filter: $crate::filter::Filter(processor, protocol) if protocol.filters();
            block time_keeper: $crate::parts::time_keeper::TimeKeeper(protocol) if protocol.told_time_bits() > 0;
            block qualifier: $crate::qualifier::Qualifier(processor) if protocol.filters_alone();
            block block_stage: $crate::parts::block_stage::BlockStage(processor, switches) if has_stage;
            #[label(named("encoder", core))]
            block encoders: Encoder(&module, clear_bits) for core in 0..cores;
            block time_stamps: $crate::multicore::time_stamps::TimeStamps(&merging.sharing, merging.delay) for merging in timed.clone();
            #[label("merge")]
            block merge: $crate::multicore::encoder::Merge(merging) for merging in &merging;
            block back_end: $crate::encode::top::BackEnd(port, &config.format(), in_flight, framing.as_ref(), switches, config.sends_in_steps());
            /// the compressor was empty in the cycle before, and nothing came into it
            reg has_emptied: usize::from(has_steps && restarts);
            /// privilege level and context after the last block that may change the flow, taken or lost
            reg state: state_bits = protocol.reset_level();
            /// the same after the last block that was taken
            reg taken_state: if ends_tell_state { state_bits } else { 0 } = protocol.reset_level();
            /// the trace, or a part of it, has to end
            local ends: ends_tell_state;
            local next_state: state_bits;
            /// blocks are lost, which the trace does not say yet
            reg is_losing: protocol.drops_alone();
            /// the trace says it, and has taken no block since then
            reg is_told: protocol.drops_alone();
            local tells_loss: protocol.drops_alone();
            local timed: $crate::multicore::encoder::TimedRecord(&merging.queued, merging.module.bits()) for merging in timed;
            local all_ready: 1;
            local all_empty: !merging.is_empty();
            local drained: restarts;
            local accepts: has_packets || switches;
            /// the core waits
            local waits: has_packets || switches;
            param has_packets = has_packets;
            param times_blocks = times;
            param has_steps = has_steps;
            param has_stage = has_stage;
            param takes_always = !has_packets && !switches;
            param counts_words = protocol.sync_bytes > 0;
            param counts_losses = protocol.counts_losses();
            param has_loss_pins = protocol.loss_pins;
            param stalls = !protocol.drops_blocks();
            param has_switch = switches;
            param drops_alone = protocol.drops_alone();
            param restarts = restarts;
            param in_background = in_background;
            param filters = protocol.filters();
            param filters_alone = protocol.filters_alone();
            param ends_tell_state = ends_tell_state;
            param tells_state = state_bits > 0;
            param tells_time = protocol.told_time_bits() > 0;
            param tells_trap_values = protocol.trap_values;
            param has_context = protocol.context_bits > 0;
            param privilege_bits = protocol.privilege_bits as usize;
            /// blocks are lost while the trace ends
            param loses_when_off = switches || protocol.drops_blocks();
            param merges = !merging.is_empty();
            param is_timed = merging.iter().any(|merging| merging.timed_cores() > 0);
        } }

        #[kernel]
        impl Logic for $name {
            fn update(&mut self) {
                $(sequencer.swept = encoders[0].$swept;)?
                $crate::top::cores::traces_until_a_flush!();
                $crate::top::taking::takes!();
                $crate::top::cores::compresses!();
                $(
                    if when(times_blocks) {
                        encoders[0].$held = retire[0].valid & stall[0];
                    }
                )?
                if when(has_packets) {
                    $crate::top::packets::makes_packets!();
                    if when(restarts) {
                        $crate::top::packets::restarts_between_packets!();
                    }
                } else if when(has_switch) {
                    if when(drops_alone) {
                        $crate::top::beginnings::tells_losses!();
                    }
                    if when(filters_alone) {
                        $crate::top::beginnings::traces_in_parts!();
                        $(
                            encoders[0].$leaves = qualifier.ends;
                            encoders[0] = Encoder { has_entry: qualifier.has_entry, entry: qualifier.entry };
                        )?
                    }
                    encoders[0].restart_registers = sequencer.discards;
                    back_end.restart_registers = sequencer.discards;
                    $(
                        encoders[0].$request = sync_request & sequencer.is_on;
                        synchronised = encoders[0].$begins;
                        $crate::top::beginnings::tells_state!();
                    )?
                    $(
                        if when(tells_time) {
                            time_keeper = TimeKeeper { timestamp, retires: retire_decoders[0].block.valid };
                            encoders[0].$time = time_keeper.next_last;
                        }
                    )?
                    $(
                        if when(tells_trap_values) {
                            encoders[0].$value = retire_trap_value[0];
                        }
                    )?
                }
                $crate::top::cores::sends!();
            }
        }
    };
}
