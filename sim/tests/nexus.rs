//! The Nexus-like module's golden encoder and decoder: literal records, and everything decoded again.

use crate::common::{MACHINE, event, learn, round_trip, sends, workload};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use tracewright_sim::config::Processor;
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::multicore::config::Config as Multicore;
use tracewright_sim::multicore::sharing::Sharing;
use tracewright_sim::nexus::arbitrary;
use tracewright_sim::nexus::config::{Config, StreamLengthCoding, TargetCoding};
use tracewright_sim::nexus::encoder::Encoder;
use tracewright_sim::scheme::{Design, Scheme};
use tracewright_sim::synthetic::{Options, Synthetic};

/// NEXS with streams of up to 7 instructions.
fn nexs() -> Config {
    Config {
        processor: Processor { retire_count_bits: 2, ..Processor::default() },
        stream_length_bits: 3,
        stream_length_coding: StreamLengthCoding::Fixed,
        target_coding: TargetCoding::Xor,
        target_first_chunk: Some(6),
        target_next_chunk: Some(6),
        target_continuation_bits: 2,
        ..Config::default()
    }
}

/// NX_b with chunks of 2 bits for stream lengths of up to 15, and of 3 for targets.
fn nxb() -> Config {
    Config {
        stream_length_bits: 4,
        stream_length_first_chunk: Some(2),
        stream_length_next_chunk: Some(2),
        target_first_chunk: Some(3),
        target_next_chunk: Some(3),
        ..Config::default()
    }
}

fn encoder(config: &Config) -> Encoder {
    Encoder::new(config).unwrap()
}

/// One module as a design.
fn design(module: Config) -> Design {
    let sharing = Sharing { cores: 1, ..Sharing::default() };
    Design::new("one", Scheme::Nexus(Multicore { module, sharing })).unwrap()
}

/// Paper C, section 6: "if diffTA[31:6] consists of zeros, then only diffTA[5:0] is sent to the trace
/// port, together with a 2-bit header".
#[test]
fn nexs_bit_for_bit() {
    let events = [
        event(Kind::DirectConditional, 2, 0x104, None),
        event(Kind::DirectJump, 2, 0x10c, Some(0x200)),
        event(Kind::DirectConditional, 1, 0x200, Some(0x300)),
        event(Kind::IndirectJump, 2, 0x304, Some(0x24)),
        event(Kind::IndirectJump, 1, 0x24, Some(0x1064)),
        event(Kind::IndirectConditional, 1, 0x1064, None),
        event(Kind::IndirectConditional, 1, 0x1068, Some(0x1064)),
    ];
    let records = [
        "101",
        "010  001001 00",
        // 0x1040: groups 0, 1, 1.
        "100  000000 11  100000 11  100000 00",
        // The same target again is one group of zeros.
        "010  000000 00",
        "000 01 000",
    ];
    sends(encoder(&nexs()), &events, &records);
}

/// Paper E, Figure 7a.
#[test]
fn nxb_bit_for_bit() {
    let events = [
        event(Kind::DirectConditional, 5, 0x110, Some(0x100)),
        event(Kind::IndirectJump, 3, 0x108, Some(0x24)),
        event(Kind::IndirectJump, 1, 0x24, Some(0x4)),
    ];
    let records = [
        "10 1 10 0",
        // 9 instruction units up.
        "11 0  100 1 100 0  0",
        // 8 down.
        "10 0  000 1 100 0  1",
        "00 0 01  00 0",
    ];
    sends(encoder(&nxb()), &events, &records);
}

#[test]
fn streams_of_exactly_the_longest_length() {
    let taken = event(Kind::DirectConditional, 7, 0x118, Some(0x100));
    let not_taken = event(Kind::DirectConditional, 7, 0x118, None);
    let (exact, cut, flush) = ("000 00", "111", "000 01 000");
    sends(encoder(&nexs()), &[taken, taken], &[exact, exact, flush]);
    sends(encoder(&nexs()), &[not_taken, taken], &[cut, exact, flush]);
    let longer = event(Kind::DirectConditional, 15, 0x138, Some(0x100));
    sends(encoder(&nexs()), &[longer], &[cut, cut, "100", flush]);
}

#[test]
fn exceptions_and_system_calls() {
    let exception = |instructions, taken| event(Kind::Exception, instructions, 0x100, taken);
    let at = Some(0x20);
    // Of no instruction; in the middle of a stream; right at the longest length.
    sends(
        encoder(&nexs()),
        &[exception(0, at), exception(3, at), exception(7, at)],
        &[
            "000 10 000 000001 00",
            "000 10 110 000000 00",
            "111",
            "000 10 000 000000 00",
            "000 01 000",
        ],
    );
    // A system call that comes back is an instruction like others.
    let calls = [exception(3, None), event(Kind::DirectConditional, 2, 0x10c, Some(0x100))];
    sends(encoder(&nexs()), &calls, &["101", "000 01 000"]);
    sends(encoder(&nexs()), &calls[..1], &["000 01 110"]);
}

/// Cuts, exceptions and flushes at every kind of instruction.
#[test]
fn cuts_and_exceptions_anywhere_come_back() {
    let mut events = Vec::new();
    let mut address = 0x1000;
    for round in 0..300u64 {
        let next = 0x1000 + (round * 7 % 64) * 0x100;
        events.push(event(Kind::DirectConditional, 1, address, None));
        events.push(event(
            Kind::DirectJump,
            1 + address / 0x100 % 9,
            address + 0x60,
            Some(address + 0x80),
        ));
        if round % 5 == 0 {
            events.push(event(Kind::Exception, 2, address + 0x84, Some(address + 0x88)));
            events.push(event(Kind::Exception, 1, address + 0x88, None));
            events.push(event(Kind::IndirectConditional, 1, address + 0x8c, None));
            events.push(event(Kind::IndirectJump, 6, address + 0xa4, Some(next)));
        } else {
            events.push(event(Kind::IndirectConditional, 4, address + 0x8c, Some(next)));
        }
        if round % 11 == 0 {
            let last = events.last().unwrap().program_counter;
            events.push(event(Kind::Exception, 0, last, Some(next)));
        }
        address = next;
    }
    let program = learn(MACHINE, &mut events);
    for stream_length_bits in 2..6 {
        let module = Config { stream_length_bits, ..nexs() };
        for interval in [1, 2, 7, usize::MAX] {
            let what = format!("{stream_length_bits} bits, flushed every {interval}");
            round_trip(&design(module.clone()), &program, &events, interval, &what);
        }
    }
}

#[test]
fn presets_give_workloads_back() {
    for name in
        ["arm-adpcm_c", "arm-stringsearch", "rv64-djpeg", "rv64-stringsearch", "arm-fft-head"]
    {
        let (machine, mut events) = workload(name, 200_000);
        let program = learn(machine, &mut events);
        for preset in ["nexs", "nexus-n1", "nexus-n1-timed", "nexus-n4-timed"] {
            let design = Design::preset(preset).unwrap().for_machine(machine).unwrap();
            round_trip(&design, &program, &events, usize::MAX, &format!("{preset} on {name}"));
        }
    }
}

#[test]
fn random_configurations_give_synthetic_programs_back() {
    for seed in 0..80 {
        let synthetic =
            Synthetic::new(Options { events: 4_000, ..Options::from_seed(seed) }).unwrap();
        let machine = synthetic.machine();
        let mut events: Vec<Event> = synthetic.collect();
        let program = learn(machine, &mut events);
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        for interval in [usize::MAX, 97, 3] {
            let (alignment, bits) = (machine.alignment.into(), machine.address_bits.into());
            let module = arbitrary::config(&mut random, alignment, bits);
            let what = format!("seed {seed}, flushed every {interval}, {module:?}");
            round_trip(&design(module), &program, &events, interval, &what);
        }
    }
}
