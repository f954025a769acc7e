//! The golden encoder and decoder of E-Trace against each other, and both against bits written down by hand.

use crate::common::{MACHINE, event, learn, round_trip, sends};
use crate::streams::{
    cut_traces_are_errors, damaged_traces_end, hard_places_come_back, preset,
    presets_give_workloads_back, random_configurations_give_programs_back,
};
use tracewright_sim::e_trace::arbitrary;
use tracewright_sim::e_trace::config::Config;
use tracewright_sim::e_trace::encoder::Encoder;
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::scheme::{Design, Scheme};

const PRESETS: [&str; 3] = ["etrace-base", "etrace-returns", "etrace-full"];

#[test]
fn every_preset_gives_every_workload_back() {
    presets_give_workloads_back("etrace-");
}

#[test]
fn random_configurations_give_synthetic_programs_back_with_flushes_anywhere() {
    random_configurations_give_programs_back(|random, alignment, bits| {
        Scheme::ETrace(arbitrary::config(random, alignment, bits))
    });
}

#[test]
fn exceptions_and_flushes_where_they_are_hardest_to_place() {
    hard_places_come_back(PRESETS.map(preset));
}

#[test]
fn a_small_program_goes_round_many_times_between_two_addresses() {
    let round = [
        event(Kind::DirectConditional, 1, 0x1000, Some(0x1100)),
        event(Kind::DirectJump, 1, 0x1100, Some(0x1200)),
        event(Kind::DirectJump, 1, 0x1200, Some(0x1300)),
        event(Kind::DirectJump, 1, 0x1300, Some(0x1000)),
    ];
    let mut events = round.repeat(20);
    events.push(event(Kind::DirectConditional, 1, 0x1000, None));
    events.push(event(Kind::IndirectJump, 1, 0x1004, Some(0x1000)));
    events.push(event(Kind::DirectConditional, 1, 0x1000, None));
    let program = learn(MACHINE, &mut events);
    for preset in PRESETS {
        let design = Design::preset(preset).unwrap().for_machine(MACHINE).unwrap();
        round_trip(&design, &program, &events, events.len(), preset);
    }
}

#[test]
fn a_cut_trace_is_an_error() {
    PRESETS.into_iter().for_each(cut_traces_are_errors);
}

#[test]
fn a_damaged_trace_comes_to_an_end() {
    PRESETS.into_iter().for_each(damaged_traces_end);
}

/// The trace of these events after a reset to 0x1000, and a flush, with addresses of 30 bits.
#[track_caller]
fn sends_after_reset(events: &[Event], records: &[&str]) {
    let reset = event(Kind::Exception, 0, 0, Some(0x1000));
    let events: Vec<Event> = [&[reset], events].concat();
    sends(Encoder::new(&Config::default()).unwrap(), &events, records);
}

pub const START: &str = "11000 000 11 00 1 00 00000000001000000";
/// The end of the trace after another payload.
pub const END: &str = "01000 000 11 11 101 0 00000000";
/// The end of the trace alone.
pub const END_ALONE: &str = "01000 000 11 11 101 1 00000000";

#[test]
fn a_taken_branch_at_the_start_bit_for_bit() {
    let start = START.replace(" 1 00 0", " 0 00 0");
    sends_after_reset(
        &[event(Kind::DirectConditional, 1, 0x1000, Some(0x1010))],
        &[&start, END_ALONE],
    );
}

#[test]
fn branches_and_a_jump_bit_for_bit() {
    let events = [
        event(Kind::DirectConditional, 2, 0x1004, None),
        event(Kind::DirectConditional, 1, 0x1008, Some(0x1000)),
        event(Kind::IndirectJump, 4, 0x100c, Some(0x1020)),
        event(Kind::DirectConditional, 1, 0x1020, None),
    ];
    // A difference of 8 instructions; the branch at the target is in the map.
    let report = "01000 000 10 11000 101 000100";
    sends_after_reset(&events, &[START, report, END_ALONE]);
    // A flush before an instruction retires at the target: `updiscon`, after all 30 bits.
    let report = "01100 000 10 01000 100 000100000000000000000000000000 0 1111111";
    sends_after_reset(&events[..3], &[START, &format!("{report}{END}")]);
}

#[test]
fn a_loop_of_direct_jumps_and_an_exception_bit_for_bit() {
    let mut events = vec![event(Kind::DirectJump, 2, 0x1004, Some(0x1000)); 5];
    events.push(event(Kind::Exception, 1, 0x1000, Some(0x2000)));
    // The fourth jump, one instruction on, with `notify`; one jump, and the last instruction, one back; the handler.
    let fourth = "10100 000 01 100000000000000000000000000000 11111111";
    let last = "00000 100 10000 000 01 111111";
    let trap = "00100 000 11 10 1 00 000000 0 0 00000000000100000";
    sends_after_reset(&events, &[START, fourth, last, &format!("{trap}{END}")]);
}

#[test]
fn an_exception_or_the_end_right_after_a_jump_that_is_reported_bit_for_bit() {
    let mut events = vec![event(Kind::DirectJump, 2, 0x1004, Some(0x1000)); 4];
    let fourth = "10100 000 01 100000000000000000000000000000 11111111";
    sends_after_reset(&events, &[START, fourth, END_ALONE]);
    events.push(event(Kind::Exception, 0, 0x1004, Some(0x2000)));
    // An idle byte says that nothing has retired since the address.
    let trap = "00000 100 00100 000 11 10 1 00 000000 0 0 00000000000100000";
    sends_after_reset(&events, &[START, fourth, &format!("{trap}{END}")]);
}

#[test]
fn an_exception_after_an_inferred_return_bit_for_bit() {
    let call = event(Kind::DirectJump, 2, 0x1004, Some(0x2000));
    let back = event(Kind::IndirectJump, 2, 0x2004, Some(0x1008));
    let events = [
        event(Kind::Exception, 0, 0, Some(0x1000)),
        Event { call: true, length: 4, ..call },
        Event { is_return: true, ..back },
        event(Kind::Exception, 1, 0x1008, Some(0x3000)),
    ];
    // The call and the return; the instruction after them; `irreport`, and one address on the stack at the return.
    let last = "00000 010 10100 000 01 010000000000000000000000000000 001 1000 0";
    let trap = "00100 000 11 10 1 00 000000 0 0 00000000001100000";
    // The end says that returns are inferred.
    let end = "01000 000 11 11 101 0 10000000";
    let config = Config { return_stack_entries: 8, ..Config::default() };
    let encoder = Encoder::new(&config).unwrap();
    sends(encoder, &events, &[START, last, &format!("{trap}{end}")]);
}
