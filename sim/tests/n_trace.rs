//! The golden encoder and decoder of N-Trace against each other, and both against messages written down by hand.

use crate::common::{MACHINE, event, learn, round_trip, sends};
use crate::streams::{
    cut_traces_are_errors, damaged_traces_end, hard_places_come_back, preset,
    presets_give_workloads_back, random_configurations_give_programs_back,
};
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::n_trace::arbitrary;
use tracewright_sim::n_trace::config::Config;
use tracewright_sim::n_trace::encoder::Encoder;
use tracewright_sim::scheme::{Design, Scheme};

const PRESETS: [&str; 2] = ["ntrace-htm", "ntrace-btm"];

#[test]
fn every_preset_gives_every_workload_back() {
    presets_give_workloads_back("ntrace-");
}

#[test]
fn random_configurations_give_synthetic_programs_back_with_flushes_anywhere() {
    random_configurations_give_programs_back(|random, alignment, bits| {
        Scheme::NTrace(arbitrary::config(random, alignment, bits))
    });
}

#[test]
fn exceptions_and_flushes_where_they_are_hardest_to_place() {
    hard_places_come_back(PRESETS.map(preset));
}

#[test]
fn a_run_longer_than_the_counter_comes_back() {
    let mut events = vec![
        event(Kind::Exception, 0, 0, Some(0x1000)),
        event(Kind::DirectJump, 0x10_0000, 0x40_0ffc, Some(0x1000)),
        event(Kind::DirectJump, 0x10_0000, 0x40_0ffc, Some(0x1000)),
        event(Kind::Exception, 3, 0x1008, Some(0x2000)),
    ];
    let program = learn(MACHINE, &mut events);
    for preset in PRESETS {
        for count_bits in ["8", "14", "20"] {
            let mut design = Design::preset(preset).unwrap().for_machine(MACHINE).unwrap();
            design.set("count_bits", count_bits).unwrap();
            round_trip(&design, &program, &events, events.len(), preset);
        }
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

/// Bytes as the bits of a trace, each of six bits of data and then two control bits, highest first as in the standard.
pub fn bytes(text: &str) -> String {
    let bits = |byte: &str| byte.chars().filter(|c| *c != '_').rev().collect::<String>();
    text.split_whitespace().map(bits).collect()
}

/// The trace of these events after a reset to 0x1000, and a flush, with addresses of 32 bits and instructions of four bytes.
#[track_caller]
fn sends_after_reset(config: &Config, events: &[Event], records: &[&str]) {
    let reset = event(Kind::Exception, 0, 0, Some(0x1000));
    let events: Vec<Event> = [&[reset], events].concat();
    let records: Vec<String> = records.iter().map(|record| bytes(record)).collect();
    let records: Vec<&str> = records.iter().map(String::as_str).collect();
    sends(Encoder::new(config).unwrap(), &events, &records);
}

/// Exit from reset, no code, and 0x800 units of two bytes.
pub const START: &str = "111111_11 001001_00 000001_01 000000_00 100000_11";
/// The trace ends after no code and no branch.
const END: &str = "100001_00 010100_00 000000_01 000001_11";

#[test]
fn branches_and_a_jump_bit_for_bit() {
    let events = [
        event(Kind::DirectConditional, 2, 0x1004, None),
        event(Kind::DirectConditional, 1, 0x1008, Some(0x1000)),
        event(Kind::IndirectJump, 4, 0x100c, Some(0x1020)),
        event(Kind::DirectConditional, 1, 0x1020, None),
    ];
    // Seven instructions are 14 units; 0x1000 and 0x1020 differ by 16; two branches, of which the second is taken.
    let jump = "011100_00 111000_01 010000_01 000101_11";
    let end = "100001_00 010100_00 000010_01 000010_11";
    sends_after_reset(&Config::default(), &events, &[START, jump, end]);
    let branches = Config { branch_history: false, ..Config::default() };
    let taken = "000011_00 000110_11";
    let jump = "000100_00 100000_01 010000_11";
    let end = "100001_00 000100_00 000010_11";
    sends_after_reset(&branches, &events, &[START, taken, jump, end]);
}

#[test]
fn exceptions_bit_for_bit() {
    let events = [
        event(Kind::Exception, 1, 0x1000, Some(0x2000)),
        event(Kind::Exception, 0, 0x1000, Some(0x1000)),
    ];
    // An instruction of two units, and 0x1800 units of exclusive or; then no code.
    let first = "011100_00 001001_01 000000_00 100000_00 000001_01 000001_11";
    let second = "011100_00 000001_01 000000_00 100000_00 000001_01 000001_11";
    sends_after_reset(&Config::default(), &events, &[START, first, second, END]);
}

#[test]
fn full_resources_bit_for_bit() {
    let config = Config { history_bits: 2, count_bits: 8, ..Config::default() };
    let events = [
        event(Kind::DirectConditional, 0x7f, 0x11f8, Some(0x1000)),
        event(Kind::DirectConditional, 2, 0x1004, None),
    ];
    // Once the range of 256 units, 254 and 4; then a taken branch, and one that is not.
    let count = "011011_00 000000_00 000000_00 000001_11";
    let history = "011011_00 100001_00 000001_11";
    let end = "100001_00 010100_00 000010_01 000001_11";
    sends_after_reset(&config, &events, &[START, count, history, end]);
}

#[test]
fn a_return_is_not_sent_bit_for_bit() {
    let call = event(Kind::DirectJump, 1, 0x1000, Some(0x2000));
    let back = event(Kind::IndirectJump, 1, 0x2000, Some(0x1004));
    let events = [Event { call: true, length: 4, ..call }, Event { is_return: true, ..back }];
    let config = Config { return_stack_entries: 2, ..Config::default() };
    let end = "100001_00 010100_00 000100_01 000001_11";
    sends_after_reset(&config, &events, &[START, end]);
}

#[test]
fn what_comes_again_is_counted_bit_for_bit() {
    let config = Config { history_bits: 2, repeat_bits: 4, ..Config::default() };
    let taken = event(Kind::DirectConditional, 1, 0x1000, Some(0x1000));
    let left = event(Kind::DirectConditional, 1, 0x1000, None);
    let back = event(Kind::IndirectJump, 1, 0x1004, Some(0x1000));
    let events = [&[taken; 4][..], &[left, back].repeat(4)].concat();
    // Two histories of two branches; 12 units, no other address, one branch; then four units three times.
    let histories = "011011_00 110010_00 000001_01 000010_11";
    let first = "011100_00 110000_01 000000_01 000010_11";
    let second = "011100_00 010000_01 000000_01 000010_11";
    let again = "011110_00 000010_11";
    sends_after_reset(&config, &events, &[START, histories, first, second, again, END]);

    let branches = Config { branch_history: false, repeat_bits: 4, ..Config::default() };
    let direct = "000011_00 000010_11";
    let end = "100001_00 000100_00 000000_11";
    sends_after_reset(&branches, &[taken; 3], &[START, direct, again, end]);
}

/// A counter of two bits is full, and a history that came once is sent as one that does not come again.
#[test]
fn a_full_counter_of_what_comes_again_bit_for_bit() {
    let config = Config { history_bits: 2, repeat_bits: 2, ..Config::default() };
    let taken = event(Kind::DirectConditional, 1, 0x1000, Some(0x1000));
    let three = "011011_00 110010_00 000001_01 000011_11";
    let once = "011011_00 110001_00 000001_11";
    let end = "100001_00 010100_00 010000_01 000001_11";
    sends_after_reset(&config, &[taken; 8], &[START, three, once, end]);

    let branches = Config { branch_history: false, repeat_bits: 2, ..Config::default() };
    let direct = "000011_00 000010_11";
    let again = |times: &str| format!("011110_00 {times}_11");
    let end = "100001_00 000100_00 000000_11";
    let (most, one) = (again("000011"), again("000001"));
    sends_after_reset(&branches, &[taken; 6], &[START, direct, &most, direct, &one, end]);
}
