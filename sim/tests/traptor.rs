//! T-raptor's golden encoder and decoder against each other, on real and synthetic programs, for
//! presets and random configurations, and at the ends of every counter.

use crate::common;
use crate::common::{MACHINE, described, event, learn, workload};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use tracewright_sim::decode::error::DecodeError;
use tracewright_sim::decode::record_decoder::PartDecoder;
use tracewright_sim::decode::summary::Summary;
use tracewright_sim::encode::bit_packer::{BitPacker, BitUnpacker};
use tracewright_sim::event::{Event, Kind, Machine};
use tracewright_sim::field::Account;
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::preset;
use tracewright_sim::program::Program;
use tracewright_sim::scheme::{Design, Scheme};
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_sim::traptor::arbitrary;
use tracewright_sim::traptor::config::Config;
use tracewright_sim::traptor::decoder::Decoder;
use tracewright_sim::traptor::encoder::Encoder;

fn encode(config: &Config, events: &[Event]) -> (Vec<u8>, Account) {
    let mut encoder = Encoder::new(config).unwrap();
    let mut sinks = (BitPacker::new(), Account::default());
    for event in events {
        encoder.event(event, &mut sinks).unwrap();
    }
    encoder.flush(&mut sinks);
    (sinks.0.finish(), sinks.1)
}

fn decode(
    config: &Config,
    program: &Program,
    bytes: &[u8],
) -> Result<(Vec<Event>, Summary), DecodeError> {
    let mut events = Vec::new();
    let mut bits = BitUnpacker::new(bytes);
    let take = |event| {
        events.push(event);
        Ok::<(), DecodeError>(())
    };
    let summary = Decoder::new(config, program, 0).unwrap().decode(&mut bits, take, |_| Ok(()))?;
    Ok((events, summary))
}

#[track_caller]
fn round_trip(config: &Config, program: &Program, events: &[Event], what: &str) -> Account {
    let (bytes, account) = encode(config, events);
    let (back, summary) =
        decode(config, program, &bytes).unwrap_or_else(|error| panic!("{what}: {error}"));
    if let Some(at) =
        (0..events.len()).find(|at| back.get(*at).map(described) != Some(described(&events[*at])))
    {
        panic!(
            "{what}: event {at} is {:?}, not {}",
            back.get(at).map(ToString::to_string),
            events[at]
        );
    }
    assert_eq!(back.len(), events.len(), "{what}");
    assert_eq!(summary.records, account.records, "{what}");
    assert_eq!(
        summary.instructions,
        events.iter().map(|event| event.instructions).sum::<u64>(),
        "{what}"
    );
    account
}

fn preset(name: &str, machine: Machine) -> Config {
    match Design::preset(name).unwrap().for_machine(machine).unwrap().scheme {
        Scheme::Traptor(config) => config,
        other => panic!("{} is of {}", name, other.name()),
    }
}

#[test]
fn every_preset_gives_every_workload_back() {
    for name in [
        "arm-adpcm_c",
        "arm-stringsearch",
        "rv64-djpeg",
        "rv64-stringsearch",
        "arm-tiff2bw",
        "arm-fft-head",
    ] {
        let (machine, mut events) = workload(name, 300_000);
        let program = learn(machine, &mut events);
        for preset in preset::all() {
            let design = Design::preset(preset.name).unwrap().for_machine(machine).unwrap();
            let Scheme::Traptor(config) = &design.scheme else { continue };
            round_trip(config, &program, &events, &format!("{} on {name}", preset.name));
        }
    }
}

#[test]
fn random_configurations_give_synthetic_programs_back() {
    for seed in 0..120 {
        let mut synthetic =
            Synthetic::new(Options { events: 5_000, ..Options::from_seed(seed) }).unwrap();
        let machine = synthetic.machine();
        let mut events: Vec<Event> = synthetic.by_ref().filter(|event| event.thread == 0).collect();
        let program = learn(machine, &mut events);
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        for _ in 0..3 {
            let config = arbitrary::config(
                &mut random,
                machine.alignment.into(),
                machine.address_bits.into(),
            );
            round_trip(&config, &program, &events, &format!("seed {seed}, {config:?}"));
        }
    }
}

/// Chunks of 3 bits for branch counts and targets, 2 for instruction counts, as in the paper's examples.
fn example() -> Config {
    Config {
        branch_count_first_chunk: Some(3),
        branch_count_next_chunk: Some(3),
        target_first_chunk: Some(3),
        target_next_chunk: Some(3),
        elided_upper_bits: Some(12),
        ..Config::default()
    }
}

/// The flush record after a record that cleared the counters.
const FLUSH: &str = "000 1 000 0  00  00 0";

#[track_caller]
fn sends(config: &Config, events: &[Event], records: &[&str]) {
    common::sends(Encoder::new(config).unwrap(), events, records);
}

/// Paper C, section 4: `110 0` is a misprediction at the third branch, `110 1 010 0` at the nineteenth.
#[test]
fn the_papers_examples_bit_for_bit() {
    for (before, record) in [(2, "110 0"), (18, "110 1 010 0")] {
        let mut events: Vec<Event> = (0..before)
            .map(|at| event(Kind::DirectConditional, 4, 0x4000 + 16 * at, None))
            .collect();
        events.push(event(Kind::DirectConditional, 4, 0x1000, Some(0x2000)));
        sends(&example(), &events, &[record, FLUSH]);
    }
}

/// Table 2 of paper C: what a record says of each kind of misprediction.
#[test]
fn every_record_of_table_2_bit_for_bit() {
    let jump = |target| event(Kind::IndirectJump, 1, 0x100, Some(target));
    let conditional = |target| event(Kind::IndirectConditional, 1, 0x100, target);
    let one_counter = Config { gshare_entries: 1, ..example() };
    // An unpredicted target 0x10 up: first branch, taken, 4 instruction units, not below.
    sends(&one_counter, &[jump(0x10)], &["100 0  1  001 0  0", FLUSH]);
    // The same target again, now predicted; then one 12 bytes below.
    let below = [jump(0x10), Event { program_counter: 0x4100, ..jump(0x4) }];
    sends(&one_counter, &below, &["100 0  1  001 0  0", "100 0  1  110 0  1", FLUSH]);
    // Predicted not taken, but taken; then predicted taken, but not taken.
    let turns = [conditional(Some(0x10)), conditional(None)];
    sends(&one_counter, &turns, &["100 0  1  001 0  0", "100 0  0", FLUSH]);
    // An exception after 5 instructions to 0x20: no branch count, 5 in chunks of 2, 8 units.
    let exception = [event(Kind::Exception, 5, 0x10, Some(0x20))];
    sends(&one_counter, &exception, &["000 0  10 1 10 0  000 1 100 0  0", FLUSH]);
    // Paper E leaves the outcome bit of unconditional branches out.
    let bare = Config { outcome_bit_for_jumps: false, ..one_counter };
    sends(&bare, &[jump(0x10)], &["100 0  001 0  0", FLUSH]);
    sends(&bare, &turns, &["100 0  1  001 0  0", "100 0  0", FLUSH]);
}

/// A branch counter of 2 bits is full at the third predicted branch.
#[test]
fn a_full_branch_counter_makes_a_record() {
    let config = Config { branch_count_bits: 2, ..example() };
    let not_taken: Vec<Event> =
        (0..4).map(|at| event(Kind::DirectConditional, 1, 0x4000 + 16 * at, None)).collect();
    sends(&config, &not_taken, &["000 1 000 0  10", "000 1 000 0  00  10 0"]);
    // Mispredicted at the limit, it is a common record.
    let mut mispredicted = not_taken[..2].to_vec();
    mispredicted.push(event(Kind::DirectConditional, 1, 0x1000, Some(0x2000)));
    sends(&config, &mispredicted, &["110 0", FLUSH]);
}

/// An instruction counter of 8 bits loses 128 at a branch that finds it at 128 or more, and at a
/// sequential instruction that would bring it to 256, be it before a record or not.
#[test]
fn an_instruction_counter_in_its_upper_half_makes_a_record() {
    let config = Config { instruction_count_bits: 8, ..example() };
    let jumps = [event(Kind::DirectJump, 100, 0x100, Some(0x100)); 2];
    let overflow = "000 1 000 0  01";
    sends(&config, &jumps, &[overflow, "000 1 000 0  00  00 1 01 1 00 1 10 0"]);
    let system_call = event(Kind::Exception, 255, 0x100, None);
    sends(&config, &[system_call], &["000 1 000 0  00  11 1 11 1 11 1 11 0"]);
    let one_more = Event { instructions: 256, ..system_call };
    sends(&config, &[one_more], &[overflow, "000 1 000 0  00  00 1 00 1 00 1 01 0"]);
    // 299 sequential instructions cross the range at the 256th; a misprediction then clears the counts.
    let long = event(Kind::DirectConditional, 300, 0x1000, Some(0x2000));
    sends(&config, &[long], &[overflow, "100 0", FLUSH]);
    // A jump clears nothing: it finds 172, in the upper half, and takes another half off.
    let jump = event(Kind::DirectJump, 300, 0x1000, Some(0x2000));
    sends(&config, &[jump], &[overflow, overflow, "000 1 000 0  00  00 1 11 1 01 0"]);
    // An exception after 300 comes after the overflow, with the 172 that are left.
    let exception = event(Kind::Exception, 300, 0x1000, Some(0x20));
    let record = "000 0  00 1 11 1 01 1 01 0  000 1 100 0  0";
    sends(&config, &[exception], &[overflow, record, FLUSH]);
}

/// Overflow records, open counts and exceptions in one program, decoded.
#[test]
fn open_counts_and_limits_come_back() {
    let mut address = 0x1000;
    let mut events = Vec::new();
    for round in 0..400u64 {
        let next = 0x1000 + (round * 7 % 64) * 0x100;
        events.push(event(Kind::DirectConditional, 1, address, None));
        events.push(event(Kind::DirectJump, 30, address + 4 + 29 * 4, Some(address + 0x80)));
        if round % 5 == 0 {
            events.push(event(Kind::Exception, 2, address + 0x84, Some(address + 0x88)));
            events.push(event(Kind::Exception, 1, address + 0x88, None));
            events.push(event(Kind::IndirectJump, 1, address + 0x8c, Some(next)));
        } else {
            events.push(event(Kind::IndirectJump, 4, address + 0x8c, Some(next)));
        }
        if round % 11 == 0 {
            events.push(event(Kind::Exception, 0, address + 0x8c, Some(next)));
        }
        address = next;
    }
    let program = learn(MACHINE, &mut events);
    for (branch_count_bits, instruction_count_bits) in [(2, 8), (3, 8), (16, 8), (2, 24), (16, 24)]
    {
        let config = Config { branch_count_bits, instruction_count_bits, ..example() };
        let account = round_trip(&config, &program, &events, &format!("{config:?}"));
        let extended =
            account.fields.iter().find(|field| field.0 == "extended").map_or(0, |field| field.1);
        let overflows = extended / 2 - 1;
        assert_eq!(
            overflows > 0,
            branch_count_bits == 2 || instruction_count_bits == 8,
            "{config:?}: {overflows}"
        );
    }
}

/// A trace may be flushed at any instruction and go on.
#[test]
fn flushes_in_the_middle_lose_nothing() {
    let (machine, mut events) = workload("arm-stringsearch", 20_000);
    let program = learn(machine, &mut events);
    let config = preset("traptor-m4", machine);
    let mut encoder = Encoder::new(&config).unwrap();
    let mut packer = BitPacker::new();
    for (at, event) in events.iter().enumerate() {
        encoder.event(event, &mut packer).unwrap();
        if at % 97 == 0 {
            encoder.flush(&mut packer);
        }
    }
    encoder.flush(&mut packer);
    let (back, _) = decode(&config, &program, &packer.finish()).unwrap();
    assert!(back.iter().map(described).eq(events.iter().map(described)));
}

/// A trace cut anywhere is an error, never a shorter execution.
#[test]
fn a_cut_trace_is_an_error() {
    let (machine, mut events) = workload("rv64-stringsearch", 3_000);
    let program = learn(machine, &mut events);
    let config = preset("traptor-b4", machine);
    let (bytes, _) = encode(&config, &events);
    for length in 0..bytes.len() {
        let cut = decode(&config, &program, &bytes[..length]);
        assert!(matches!(cut, Err(DecodeError::Field { .. })), "{length} of {} bytes", bytes.len());
    }
}

/// Calls deeper than the return address stack overwrite its oldest entries; returns beyond them, and
/// beyond the first call, find what was there before. Each costs a record, and all comes back.
#[test]
fn return_address_stack_overflow_and_underflow() {
    let depth = 10;
    let function = |level: u64| 0x1000 * (level + 1);
    let back = |instructions, from: u64, to: u64| Event {
        is_return: true,
        ..event(Kind::IndirectJump, instructions, function(from) + 0xc, Some(function(to) + 8))
    };
    let mut events = Vec::new();
    for round in 0..3 {
        for level in 0..depth {
            let call = event(Kind::DirectJump, 2, function(level) + 4, Some(function(level + 1)));
            events.push(Event { call: true, ..call });
        }
        events.push(back(4, depth, depth - 1));
        events.extend((1..depth).rev().map(|level| back(2, level, level - 1)));
        let again = (round < 2).then_some(function(0));
        events.push(event(Kind::DirectConditional, 1, function(0) + 8, again));
    }
    // Six returns more than there were calls.
    events.push(back(1, 0, 5));
    events.extend((1..=5).rev().map(|level| back(2, level, level - 1)));
    let program = learn(MACHINE, &mut events);
    for (entries, forgotten) in [(1, 9), (4, 6), (8, 2), (16, 0), (32, 0)] {
        let config = Config {
            gshare_entries: 1,
            return_address_stack_depth: entries,
            indirect_branch_target_buffer_entries: 0,
            ..example()
        };
        let account = round_trip(&config, &program, &events, &format!("{entries} entries"));
        // What the stack forgot in each round, the six, two outcomes and the flush.
        assert_eq!(account.records, 3 * forgotten + 6 + 2 + 1, "{entries} entries");
    }
}
