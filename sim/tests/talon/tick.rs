//! The time of events: the symbols of recorded runs against an independent implementation's, and the cycles that come back.

use std::convert::Infallible;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::config::{FramingStyle, MemoryStyle};
use tracewright_sim::decode::error::DecodeError;
use tracewright_sim::decode::record_decoder::PartDecoder;
use tracewright_sim::decode::summary::TimeStamp;
use tracewright_sim::encode::bit_packer::{BitPacker, BitUnpacker};
use tracewright_sim::event::{Event, Isa, Kind, Machine};
use tracewright_sim::field::Account;
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::program::Program;
use tracewright_sim::scheme::Configuration;
use tracewright_sim::session::{Clock, Session};
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_sim::talon::config::Config;
use tracewright_sim::talon::decoder::Decoder;
use tracewright_sim::talon::encoder::Encoder;
use tracewright_sim::talon::range_coder::RangeCoder;
use tracewright_sim::talon::tick::{Tick, Timed};
use tracewright_sim::talon::time_parameters::{Time, TimeMode};
use tracewright_sim::talon::{arbitrary, presets};

use crate::common::{described, learn};

/// A recorded run, and what the reference sends of it.
struct Run {
    name: &'static str,
    alignment: u32,
    time_base: u32,
    /// By entries: symbols, their digest, and bits of the reference's own coder.
    expected: [(u32, u64, u64, u64); 2],
}

const RUNS: [Run; 2] = [
    Run {
        name: "pico.fast.print",
        alignment: 1,
        time_base: 4,
        expected: [
            (64, 159_406, 0xa3a9_1f7b_99ea_ae50, 121_898),
            (32, 217_051, 0xa817_3097_ce90_618d, 183_758),
        ],
    },
    Run {
        name: "vex.dram+steal.ticks",
        alignment: 2,
        time_base: 1,
        expected: [
            (64, 72_392, 0xde0a_495e_d4ad_b715, 33_925),
            (32, 87_604, 0xdc2b_32f4_961f_51c7, 60_742),
        ],
    },
];

/// A block of a recorded run, with the address that it leads to.
#[derive(Clone, Copy)]
struct Block {
    start: u32,
    end: u32,
    instructions: u16,
    kind: u8,
    taken: bool,
    cycles: u32,
    next: u32,
}

fn blocks(name: &str) -> Vec<Block> {
    let path = format!("{}/tests/talon/times/{name}.rec.zst", env!("CARGO_MANIFEST_DIR"));
    let bytes = zstd::decode_all(std::fs::File::open(path).unwrap()).unwrap();
    let (records, _) = bytes.as_chunks::<16>();
    let word = |record: &[u8; 16], at: usize| {
        u32::from_le_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]])
    };
    let block = |pair: &[[u8; 16]]| {
        let [record, next] = [&pair[0], &pair[1]];
        Block {
            start: word(record, 0),
            end: word(record, 4),
            instructions: u16::from_le_bytes([record[8], record[9]]),
            kind: record[10],
            taken: record[11] != 0,
            cycles: word(record, 12),
            next: word(next, 0),
        }
    };
    records.windows(2).map(block).collect()
}

fn timed(run: &Run, entries: u32) -> Config {
    let (_, medium) =
        presets::presets().into_iter().find(|(preset, _)| preset.name == "talon-m").unwrap();
    let mut config = Config { instruction_count_bits: 24, ..medium };
    config.processor.alignment = run.alignment;
    config.time = Time {
        time_mode: TimeMode::Exact,
        time_entries: entries,
        time_base: run.time_base,
        ..Time::default()
    };
    config
}

/// Symbols, and a digest of whether each was wrong and of its confidence.
#[derive(Debug, PartialEq, Eq)]
struct Symbols {
    count: u64,
    digest: u64,
}

#[test]
fn the_symbols_of_recorded_runs_are_those_of_the_reference() {
    for run in &RUNS {
        for (entries, count, digest, bits) in run.expected {
            let config = timed(run, entries);
            let mut tick = Tick::new(&config).unwrap();
            let mut coder = RangeCoder::new(&Config::default());
            let mut symbols = Symbols { count: 0, digest: 0xcbf2_9ce4_8422_2325 };
            let (mut cycles, mut instructions, mut sent) = (0, 0, 0);
            for block in blocks(run.name) {
                cycles += u64::from(block.cycles);
                instructions += u64::from(block.instructions);
                if matches!(block.kind, 1 | 2) {
                    continue;
                }
                let event = Timed {
                    instructions: std::mem::take(&mut instructions),
                    outcome: block.taken,
                    next: u64::from(block.next >> run.alignment),
                    branch: u64::from(block.end >> run.alignment),
                };
                let mut symbol = |wrong, confidence| {
                    symbols.count += 1;
                    symbols.digest ^= u64::from(confidence) | u64::from(wrong) << 4;
                    symbols.digest = symbols.digest.wrapping_mul(0x100_0000_01b3);
                    let code = coder.symbol(wrong, confidence);
                    sent += u64::from(code.count + code.ones);
                    Ok::<_, Infallible>(wrong)
                };
                let back = tick.event(&event, cycles, &mut symbol).unwrap();
                assert_eq!(back, Some(std::mem::take(&mut cycles)), "{}", run.name);
            }
            assert_eq!(symbols, Symbols { count, digest }, "{} with {entries}", run.name);
            // This coder leaves room for escapes and gives range up where it would carry.
            let more = sent as f64 / bits as f64;
            assert!((1.0..1.02).contains(&more), "{}: {sent} bits instead of {bits}", run.name);
        }
    }
}

/// The events of a recorded run from its first instruction on, each with the cycles that it took.
fn events(run: &Run) -> (Machine, Vec<Event>, Vec<u64>) {
    let machine = Machine { isa: Isa::RiscV, alignment: run.alignment as u8, address_bits: 32 };
    let blocks = blocks(run.name);
    let begin = Event::exception(0, 0, blocks[0].start.into());
    let event = |block: &Block| {
        let kind = match block.kind {
            0 => Kind::DirectConditional,
            1 | 2 => Kind::DirectJump,
            6 => Kind::Exception,
            _ => Kind::IndirectJump,
        };
        Event {
            instructions: block.instructions.into(),
            program_counter: block.end.into(),
            target: if block.taken { block.next.into() } else { 0 },
            kind,
            call: matches!(block.kind, 2 | 5),
            is_return: block.kind == 3,
            taken: block.taken,
            length: 0,
            thread: 0,
        }
    };
    let events = std::iter::once(begin).chain(blocks.iter().map(event)).collect();
    let cycles = std::iter::once(0).chain(blocks.iter().map(|block| block.cycles.into())).collect();
    (machine, events, cycles)
}

/// Encodes events with the cycles that they took.
fn encode(config: &Config, events: &[Event], cycles: &[u64]) -> (Vec<u8>, Account) {
    let mut encoder = Encoder::new(config).unwrap();
    let mut sinks = (BitPacker::new(), Account::default());
    for (event, cycles) in events.iter().zip(cycles) {
        encoder.clock(Clock::Event(*cycles), &mut sinks);
        encoder.event(event, &mut sinks).unwrap();
    }
    encoder.flush(&mut sinks);
    (sinks.0.finish(), sinks.1)
}

fn decode(
    config: &Config,
    program: &Program,
    bytes: &[u8],
) -> Result<(Vec<Event>, Vec<TimeStamp>), DecodeError> {
    let (mut events, mut stamps) = (Vec::new(), Vec::new());
    let take = |event| {
        events.push(event);
        Ok::<(), DecodeError>(())
    };
    let stamp = |time| {
        stamps.push(time);
        Ok(())
    };
    let decoder = Decoder::new(config, program).unwrap();
    decoder.limit(10_000_000).decode(&mut BitUnpacker::new(bytes), take, stamp)?;
    Ok((events, stamps))
}

/// When the events retired that have a time, by adding up what they took.
fn expected(events: &[Event], cycles: &[u64], most: u64) -> Vec<TimeStamp> {
    let (mut clock, mut since, mut at_least, mut stamps) = (0, 0u64, false, Vec::new());
    for (number, (event, cycles)) in events.iter().zip(cycles).enumerate() {
        since = since.saturating_add(*cycles);
        if event.kind.is_counted() || event.kind == Kind::Exception && event.taken {
            clock += since.min(most);
            at_least |= since >= most;
            let events = number as u64 + 1;
            stamps.push(TimeStamp { core: 0, clock, events, at_least });
            since = 0;
        }
    }
    stamps
}

/// `talon-m` with times: what the flow and the times of a recorded run take in one code.
#[test]
fn a_recorded_run_comes_back_with_every_cycle() {
    // The other one has interrupts right after branches, whose order it does not say.
    let (run, [flow, time]) = (&RUNS[0], MEASURED);
    let (machine, mut events, cycles) = events(run);
    let program = learn(machine, &mut events);
    let config = Config { instruction_count_bits: 10, ..timed(run, 64) };
    let (bytes, account) = encode(&config, &events, &cycles);
    let (back, stamps) = decode(&config, &program, &bytes).unwrap();
    assert!(back.iter().map(described).eq(events.iter().map(described)), "{}", run.name);
    assert!(stamps == expected(&events, &cycles, (1 << 20) - 1), "{}", run.name);
    let bits = |name: &str| {
        let of_name = account.fields.iter().filter(|(field, _)| *field == name);
        of_name.map(|(_, bits)| bits).sum::<u64>()
    };
    assert_eq!([account.bits - bits("time"), bits("time")], [flow, time], "{}", run.name);
}

/// Bits of all but the times, and of the times, of `talon-m` with `time_mode=exact`.
const MEASURED: [u64; 2] = [22_319, 124_832];

/// Cycles of all sizes, and often the same ones.
fn any_cycles(random: &mut impl Rng, events: &[Event], most: u64) -> Vec<u64> {
    let usual = random.random_range(0..4);
    let drawn = |event: &Event| match random.random_range(0..16) {
        0 => random.random_range(0..300),
        1 => random.random_range(0..=most),
        2 => most - random.random_range(0..2).min(most),
        3 => u64::MAX >> random.random_range(0..64),
        4 => 0,
        _ => usual * event.instructions,
    };
    events.iter().map(drawn).collect()
}

#[test]
fn any_cycles_come_back_from_any_design() {
    for seed in 0..60 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let options = Options { events: 3_000, threads: 1, ..Options::from_seed(seed) };
        let mut trace = Synthetic::new(options).unwrap();
        let machine = trace.machine();
        let mut events: Vec<Event> = trace.by_ref().collect();
        let program = learn(machine, &mut events);
        let (alignment, address_bits) = (machine.alignment.into(), machine.address_bits.into());
        let config = arbitrary::timed(&mut random, alignment, address_bits);
        let most = (1u64 << config.time.cycle_bits) - 1;
        let cycles = any_cycles(&mut random, &events, most);
        let (bytes, _) = encode(&config, &events, &cycles);
        let (back, stamps) = decode(&config, &program, &bytes).unwrap();
        assert!(back.iter().map(described).eq(events.iter().map(described)), "seed {seed}");
        assert!(stamps == expected(&events, &cycles, most), "seed {seed}");
        damage(&mut random, &config, &program, bytes);
    }
}

/// A damaged trace is an error or another trace, and ends.
fn damage(random: &mut impl Rng, config: &Config, program: &Program, mut bytes: Vec<u8>) {
    for _ in 0..20 {
        let at = random.random_range(0..bytes.len());
        bytes[at] ^= 1 << random.random_range(0..8);
        let _ = decode(config, program, &bytes);
    }
}

#[test]
fn what_does_not_go_with_times_is_refused() {
    let mut timed = Config::default();
    timed.time.time_mode = TimeMode::Exact;
    timed.validate().unwrap();
    let refused = |change: fn(&mut Config)| {
        let mut config = timed.clone();
        change(&mut config);
        config.validate().unwrap_err().to_string()
    };
    for (change, expected) in [
        ((|config| config.most_confidence = 7) as fn(&mut Config), "most_confidence"),
        (|config| config.memory_style = MemoryStyle::Synchronous, "memory_style is asynchronous"),
        (|config| config.port.encoder_registers = true, "encoder_registers is false"),
        (|config| config.protocol.framing = FramingStyle::Packets, "framing = none"),
        (|config| config.time.time_entries = 48, "a power of two"),
    ] {
        let error = refused(change);
        assert!(error.contains(expected), "{error}");
    }
}
