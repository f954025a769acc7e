//! Do the tests notice? Every fault that the elaborator makes is put into the hardware, one at a time; what it is shown
//! has to find each, or the list has a reason. `make mutations` tries them all and prints the table.
//!
//! Every scheme and every part around it has a file with the hardware and what it is shown.

mod background;
mod bench;
mod blocks;
mod clock_enable;
mod data_stride;
mod data_stride_registers;
mod e_trace;
mod e_trace_full;
mod e_trace_returns;
mod e_trace_switched;
mod filters;
mod funnel;
mod last_value;
mod multicore;
mod multicore_registers;
mod nexus;
mod packets;
mod ram_sink;
mod rvfi;
mod states;
mod stream_registers;
mod streams;
mod stuffer;
mod subject;
mod survivors;
mod talon;
mod talon_additive;
mod talon_data;
mod talon_faults;
mod talon_registers;
mod talon_targets;
mod texts;
mod tip;
mod traptor;
mod traptor_registers;
mod traptor_smaller;
mod tuple_search;

use texts::find_every_fault;
pub use texts::{Fault, break_it, fault};

/// A test for each bench, with the least number of its faults.
macro_rules! benches {
    ($($test:ident: $bench:expr, $least:literal;)+) => {
        $(
            #[test]
            fn $test() {
                $bench.find_every_fault($least);
            }
        )+
    };
}

/// The modules of T-raptor that are others where tables are read through registers.
const READ_THROUGH_REGISTERS: &[&str] = &[
    "predictor_table_entries512",
    "way",
    "stage",
    "encoder",
    "fifo_depth2",
    "word_register",
    "back_end",
    "parallel_encoder",
    "target_difference",
];

/// The modules that only an additive predictor, regions and a history of targets need.
const ADDITIVE: &[&str] = &[
    "additive_predictor",
    "wide_random_bits",
    "weighted",
    "paired_confidence",
    "regions",
    "target_predictor",
    "single_target_buffer",
];

benches! {
    traptor_faults: traptor::subject().bench("traptor"), 1_400;
    traptor_registers_faults:
        traptor_registers::subject().bench("traptor-registers").only(READ_THROUGH_REGISTERS), 400;
    traptor_serial_faults:
        traptor_registers::serial_subject()
            .bench("traptor-serial")
            .only(&["serial_encoder", "serial_difference", "back_end"]), 400;
    traptor_smaller_faults:
        traptor_smaller::subject()
            .bench("traptor-smaller")
            .only(&["record_former", "sequencer", "indirect_branch_target_buffer"]), 150;
    talon_additive_faults:
        talon_additive::subject().bench("talon-additive").only(ADDITIVE), 900;
    talon_data_faults: talon_data::bench(), 250;
    data_stride_inline_faults:
        data_stride::inline_subject().bench("stride-inline").only(&["data_", "encoder"]), 80;
    e_trace_switched_faults: e_trace_switched::bench(), 60;
    nexus_faults:
        nexus::subject()
            .bench("nexus")
            .only(&["encoder", "stream_detector", "target_difference"]), 120;
    stuffer_faults: stuffer::bench(), 70;
    funnel_faults: funnel::bench(), 400;
    ram_sink_faults: ram_sink::bench(), 200;
    rvfi_faults: rvfi::bench(), 600;
    rvfi_channels_faults: rvfi::bench_of_channels().only(&["runs", "top"]), 400;
    blocks_faults: blocks::bench(), 400;
    blocks_losses_faults: blocks::bench_of_losses().only(&["shedder", "top"]), 140;
}

#[test]
fn every_fault_of_talon_is_found() {
    find_every_fault(&talon::subject(), talon_faults::FAULTS, 60);
    find_every_fault(&talon_registers::subject(), talon_registers::FAULTS, 20);
    find_every_fault(&talon_targets::subject(), talon_targets::FAULTS, 14);
}

#[test]
fn every_fault_of_packets_in_the_background_is_found() {
    find_every_fault(&background::subject(), background::FAULTS, 11);
}

#[test]
fn every_fault_of_the_clock_enable_is_found() {
    find_every_fault(&clock_enable::subject(), clock_enable::FAULTS, 17);
}

#[test]
fn every_fault_of_packets_is_found() {
    find_every_fault(&packets::subject(), packets::FAULTS, 30);
}

#[test]
fn every_fault_of_states_is_found() {
    find_every_fault(&states::subject(), states::FAULTS, 15);
}

#[test]
fn every_fault_of_data_stride_is_found() {
    find_every_fault(&data_stride::subject(), data_stride::FAULTS, 24);
    find_every_fault(&data_stride_registers::subject(), data_stride_registers::FAULTS, 20);
}

#[test]
fn every_fault_of_several_cores_is_found() {
    find_every_fault(&multicore::subject(), multicore::FAULTS, 20);
    find_every_fault(&multicore_registers::subject(), multicore_registers::FAULTS, 14);
}

#[test]
fn every_fault_of_e_trace_is_found() {
    find_every_fault(&e_trace::subject(), e_trace::FAULTS, 20);
    find_every_fault(&e_trace_returns::subject(), e_trace_returns::FAULTS, 15);
}

#[test]
fn every_fault_of_e_trace_with_extensions_is_found() {
    find_every_fault(&e_trace_full::subject(), e_trace_full::FAULTS, 25);
}

#[test]
fn every_fault_of_the_stream_cache_is_found() {
    find_every_fault(&streams::stream_cache(), streams::STREAM_CACHE, 30);
    find_every_fault(&last_value::last_value_of_misses(), last_value::LAST_VALUE_OF_MISSES, 4);
    find_every_fault(&stream_registers::stream_cache(), stream_registers::STREAM_CACHE, 20);
}

#[test]
fn every_fault_of_ntuple_is_found() {
    find_every_fault(&streams::ntuple(), streams::NTUPLE, 18);
    find_every_fault(&tuple_search::subject(), tuple_search::FAULTS, 20);
    find_every_fault(&stream_registers::ntuple(), stream_registers::NTUPLE, 6);
}

#[test]
fn every_fault_of_filters_is_found() {
    filters::find_every_fault();
}

#[test]
fn every_fault_of_the_tip_adapter_is_found() {
    tip::find_every_fault();
}

#[test]
fn every_fault_of_the_rvfi_adapter_with_losses_is_found() {
    rvfi::find_losses();
}
