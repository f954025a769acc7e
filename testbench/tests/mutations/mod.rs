//! Do the tests notice? Every fault that the elaborator makes is put into the hardware, one at a time; what it is shown
//! has to find each, or the list has a reason. `make mutations` tries them all and prints the table; `make test` tries a few of
//! one bench of each kind.
//!
//! Every scheme and every part around it has a file with the hardware and what it is shown.

mod background;
mod bench;
mod blocks;
mod clock_enable;
mod control;
mod data_stride;
mod data_stride_registers;
mod e_trace;
mod e_trace_full;
mod e_trace_registers;
mod e_trace_returns;
mod e_trace_switched;
mod filters;
mod funnel;
mod last_value;
mod message_funnel;
mod modules;
mod multicore;
mod multicore_registers;
mod n_trace;
mod n_trace_switched;
mod nexus;
mod packets;
mod ram_sink;
mod rvfi;
mod sinks;
mod states;
mod stream_registers;
mod streams;
mod stuffer;
mod subject;
mod survivors;
mod system_memory_sink;
mod talon;
mod talon_additive;
mod talon_data;
mod talon_programs;
mod talon_registers;
mod tip;
mod traptor;
mod traptor_registers;
mod traptor_smaller;
mod tuple_search;

use crate::control::Ring;
use modules::{
    ADDITIVE, BACKGROUND, DEPTHS, E_TRACE, FORMAT_0, HELD, PACKETS, PREDICTIONS,
    READ_THROUGH_REGISTERS, RETURNS, STATES, STEPS, STREAMS, TALON, TALON_THROUGH_REGISTERS,
};
use tracewright_sim::control::Bus;
use tracewright_sim::sinks::Sink;

/// A test for each bench, with the least number of its faults.
macro_rules! benches {
    ($($(#[$attribute:meta])* $test:ident: $bench:expr, $least:literal;)+) => {
        $(
            #[test]
            $(#[$attribute])*
            fn $test() {
                $bench.find_every_fault($least);
            }
        )+
    };
}

benches! {
    traptor_faults: traptor::subject().bench("traptor"), 1_400;
    #[ignore = "another form of modules that other benches have: make mutations"]
    traptor_registers_faults:
        traptor_registers::subject().bench("traptor-registers").only(READ_THROUGH_REGISTERS), 400;
    #[ignore = "another form of modules that other benches have: make mutations"]
    traptor_serial_faults:
        traptor_registers::serial_subject()
            .bench("traptor-serial")
            .only(&["serial_encoder", "serial_difference", "back_end"]), 400;
    #[ignore = "another form of modules that other benches have: make mutations"]
    traptor_smaller_faults:
        traptor_smaller::subject()
            .bench("traptor-smaller")
            .only(&["record_former", "sequencer", "indirect_branch_target_buffer"]), 150;
    talon_faults: talon::subject().bench("talon").only(TALON), 1_500;
    #[ignore = "another form of modules that other benches have: make mutations"]
    talon_coder_faults:
        talon::small_coder().bench("talon-coder").only(&["coding", "range_coder"]), 350;
    #[ignore = "another form of modules that other benches have: make mutations"]
    talon_registers_faults:
        talon_registers::subject()
            .bench("talon-registers")
            .only(TALON_THROUGH_REGISTERS)
            .only_signals(HELD), 100;
    #[ignore = "many seconds of compiling: make mutations"]
    talon_additive_faults:
        talon_additive::subject().bench("talon-additive").only(ADDITIVE), 900;
    #[ignore = "many seconds of compiling: make mutations"]
    talon_data_faults: talon_data::bench(), 250;
    multicore_faults: multicore::subject().bench("multicore").only(&["merge", "time_stamps", "top"]), 200;
    #[ignore = "another form of modules that other benches have: make mutations"]
    multicore_registers_faults:
        multicore_registers::subject()
            .bench("multicore-registers")
            .only(&["merge", "time_stamps", "fifo_depth15"]), 200;
    data_stride_faults: data_stride::subject().bench("stride").only(&["data_", "encoder"]), 260;
    #[ignore = "another form of modules that other benches have: make mutations"]
    data_stride_registers_faults:
        data_stride_registers::subject()
            .bench("stride-registers")
            .only(&["data_address_stride_cache", "encoder"]), 200;
    #[ignore = "another form of modules that other benches have: make mutations"]
    data_stride_inline_faults:
        data_stride::inline_subject().bench("stride-inline").only(&["data_", "encoder"]), 80;
    #[ignore = "many seconds of compiling: make mutations"]
    clock_enable_faults: clock_enable::bench(), 40;
    e_trace_faults: e_trace::bench("etrace", e_trace::subject()).only(E_TRACE), 900;
    #[ignore = "another form of modules that other benches have: make mutations"]
    e_trace_returns_faults: e_trace::bench("etrace-returns", e_trace_returns::subject()).only(RETURNS), 150;
    #[ignore = "another form of modules that other benches have: make mutations"]
    e_trace_depths_faults:
        e_trace::bench("etrace-depths", e_trace_returns::subject()).only(E_TRACE).only_signals(DEPTHS), 50;
    #[ignore = "many seconds of compiling: make mutations"]
    e_trace_full_faults: e_trace::bench("etrace-full", e_trace_full::subject()).only(PREDICTIONS), 200;
    #[ignore = "another form of modules that other benches have: make mutations"]
    e_trace_format_0_faults:
        e_trace::bench("etrace-format-0", e_trace_full::subject())
            .only(E_TRACE)
            .only_signals(FORMAT_0), 50;
    e_trace_steps_faults: e_trace_registers::bench(), 300;
    #[ignore = "many seconds of compiling: make mutations"]
    e_trace_full_steps_faults: e_trace_registers::bench_of_extensions(), 50;
    #[ignore = "many seconds of compiling: make mutations"]
    e_trace_depth_steps_faults: e_trace_registers::bench_of_depths(), 10;
    #[ignore = "many seconds of compiling: make mutations"]
    e_trace_choice_faults: e_trace_registers::bench_of_choice(), 20;
    #[ignore = "many seconds of compiling: make mutations"]
    e_trace_switched_faults: e_trace_switched::bench(), 60;
    #[ignore = "another form of modules that other benches have: make mutations"]
    e_trace_values_faults: e_trace_switched::values(), 100;
    stream_cache_faults: streams::stream_cache().bench("stream-cache").only(STREAMS), 700;
    #[ignore = "another form of modules that other benches have: make mutations"]
    stream_cache_last_value_faults:
        last_value::last_value_of_misses()
            .bench("stream-last-value")
            .only(&["start_address", "record_former"]), 90;
    #[ignore = "another form of modules that other benches have: make mutations"]
    stream_cache_registers_faults:
        stream_registers::stream_cache()
            .bench("stream-registers")
            .only(&["stream_stage", "stream_cache", "last_stream_predictor", "encoder"]), 250;
    #[ignore = "another form of modules that other benches have: make mutations"]
    ntuple_faults:
        streams::ntuple().bench("ntuple").only(&["trace_output", "tuple_history"]), 150;
    #[ignore = "many seconds of compiling: make mutations"]
    ntuple_search_faults:
        tuple_search::subject().bench("tuple-search").only(&["trace_output", "tuple_search"]), 200;
    #[ignore = "another form of modules that other benches have: make mutations"]
    ntuple_registers_faults:
        stream_registers::ntuple().bench("ntuple-registers").only(&["stream_stage", "encoder"]), 50;
    nexus_faults:
        nexus::subject()
            .bench("nexus")
            .only(&["encoder", "stream_detector", "target_difference"]), 120;
    n_trace_history_faults:
        n_trace::history().bench("ntrace-history").only(&["record_former", "return_stack"]), 200;
    #[ignore = "another form of modules that other benches have: make mutations"]
    n_trace_branches_faults:
        n_trace::branches().bench("ntrace-branches").only(&["record_former"]), 120;
    #[ignore = "another form of modules that other benches have: make mutations"]
    n_trace_repeats_faults: n_trace::repeats().bench("ntrace-repeats").only(&["repeats"]), 90;
    #[ignore = "another form of modules that other benches have: make mutations"]
    n_trace_branch_repeats_faults:
        n_trace::branch_repeats().bench("ntrace-branch-repeats").only(&["repeats"]), 50;
    #[ignore = "many seconds of compiling: make mutations"]
    n_trace_switched_faults: n_trace_switched::bench(), 400;
    #[ignore = "many seconds of compiling: make mutations"]
    n_trace_switched_branches_faults: n_trace_switched::branch_bench(), 300;
    stuffer_faults: stuffer::bench(), 70;
    stuffing_steps_faults: stuffer::bench_in_steps(), 100;
    funnel_faults: funnel::bench(), 400;
    message_funnel_n_trace_faults: message_funnel::of_n_trace(), 30;
    message_funnel_e_trace_faults: message_funnel::of_e_trace(), 30;
    ram_sink_faults: ram_sink::bench(), 200;
    system_memory_sink_faults: system_memory_sink::bench(), 250;
    axi_stream_faults: sinks::bench("axi-stream", Sink::AxiStream, 8), 40;
    trace_bus_faults: sinks::bench("trace-bus", Sink::Atb, 2), 40;
    #[ignore = "another form of modules that other benches have: make mutations"]
    trace_bus_wide_faults: sinks::bench("trace-bus-wide", Sink::Atb, 16), 40;
    uart_reader_faults: sinks::reader(), 100;
    switch_faults: sinks::switch("switch", "stall"), 40;
    switch_of_drops_faults: sinks::switch("switch-drops", "drop"), 40;
    switch_that_holds_faults: sinks::switch_that_holds("switch-holds"), 40;
    apb_faults: control::front_end("apb", Bus::Apb), 14;
    axi_lite_faults: control::front_end("axi-lite", Bus::AxiLite), 110;
    apb_split_faults: control::apb_split(), 10;
    axi_lite_to_apb_faults: control::axi_lite_to_apb(), 60;
    trace_switch_faults: control::switch(), 80;
    bridge_gate_faults: control::bridge_gate(), 10;
    timestamp_unit_faults: control::timestamp_unit(), 30;
    trigger_inputs_faults: control::trigger_inputs(), 70;
    trigger_outputs_faults: control::trigger_outputs(), 20;
    funnel_switch_faults: control::funnel_switch(), 40;
    chip_pins_faults: sinks::bench("chip-pins", Sink::Pins, 4), 20;
    rvfi_faults: rvfi::bench(), 600;
    #[ignore = "another form of modules that other benches have: make mutations"]
    rvfi_channels_faults: rvfi::bench_of_channels().only(&["runs", "top"]), 400;
    rvfi_expanded_faults: rvfi::bench_of_expanded().only(&["instruction", "outcome"]), 200;
    retired_faults: rvfi::bench_of_retired().only(&["order", "instruction", "outcome", "runs"]), 400;
    tip_faults: tip::bench(), 300;
    #[ignore = "another form of modules that other benches have: make mutations"]
    tip_lanes_faults: tip::bench_of_lanes().only(&["lane_queue", "top"]), 300;
    #[ignore = "another form of modules that other benches have: make mutations"]
    tip_blocks_faults: tip::bench_of_blocks().only(&["termination", "top"]), 200;
    blocks_faults: blocks::bench(), 400;
    packets_faults: packets::bench().only(PACKETS), 700;
    #[ignore = "another form of modules that other benches have: make mutations"]
    packets_registers_faults: packets::bench_of_registers().only(STEPS), 500;
    #[ignore = "another form of modules that other benches have: make mutations"]
    background_faults: background::bench().only(BACKGROUND), 700;
    #[ignore = "another form of modules that other benches have: make mutations"]
    states_faults: states::bench().only(STATES), 400;
    #[ignore = "another form of modules that other benches have: make mutations"]
    filters_faults: filters::bench().only(&["filter", "synchroniser"]), 500;
    rvfi_losses_faults: rvfi::bench_of_losses().only(&["top"]), 350;
    tip_losses_faults: tip::bench_of_losses().only(&["shedder", "lost_run", "top"]), 400;
    #[ignore = "another form of modules that other benches have: make mutations"]
    blocks_losses_faults: blocks::bench_of_losses().only(&["shedder", "top"]), 140;
}

#[test]
fn register_file_faults() {
    control::find_in_registers("register-file", Ring::Own(256), 350);
    control::find_in_registers("register-file-system", Ring::System(40), 380);
}
