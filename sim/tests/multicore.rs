//! Several cores and one trace: order, time stamps, and everything decoded again.

use crate::common;
use std::collections::VecDeque;

use crate::common::{Error, MACHINE, Text, event, learn, of_thread, round_trip, sends, workload};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::decode::summary::TimeStamp;
use tracewright_sim::encode::bit_packer::{BitPacker, BitUnpacker};
use tracewright_sim::event::{Event, Kind, Machine};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::multicore::config::Config;
use tracewright_sim::multicore::encoder::Encoder;
use tracewright_sim::multicore::room::System;
use tracewright_sim::multicore::sharing::{Encoding, Sharing};
use tracewright_sim::program::Program;
use tracewright_sim::room::Room;
use tracewright_sim::scheme::{self, Design, Scheme};
use tracewright_sim::session::{Agreement, Clock, Session};
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_sim::{nexus, traptor};

/// Sharing with small chunks for small clock counts.
fn sharing(cores: u32, time_stamps: bool, time_stamp_bits: u32) -> Sharing {
    Sharing { cores, time_stamps, time_stamp_bits, ..Sharing::default() }
}

/// T-raptor modules that predict not taken for ever.
fn traptors(sharing: Sharing) -> Config<traptor::config::Config> {
    let module = traptor::config::Config {
        gshare_entries: 1,
        return_address_stack_depth: 0,
        indirect_branch_target_buffer_entries: 0,
        outcome_bit_for_jumps: false,
        ..Default::default()
    };
    Config { module, sharing }
}

fn nexuses(sharing: Sharing) -> Config<nexus::config::Config> {
    Config { module: Default::default(), sharing }
}

fn on(thread: u8, event: Event) -> Event {
    Event { thread, ..event }
}

/// A jump through a register that no table predicts, 4 bytes up.
fn jump(thread: u8, instructions: u64) -> Event {
    on(thread, event(Kind::IndirectJump, instructions, 0x100, Some(4)))
}

/// The flush of a core that has nothing, after its prefix.
const FLUSH: &str = "000 1 00 0 00 00 0";

/// Paper E, Figure 7 and Table 3: the thread before the record; three cores take two bits.
#[test]
fn functional_records_bit_for_bit() {
    let encoder = Encoder::new(&traptors(sharing(3, false, 32))).unwrap();
    let events = [jump(0, 3), jump(2, 1), on(1, event(Kind::Exception, 1, 0x10, Some(8)))];
    let records = [
        "00  100 0  100 0 0",
        "01  100 0  100 0 0",
        // No branch count, one instruction, two units up.
        "10  000 0  10 0  010 0 0",
        &format!("00 {FLUSH}"),
        &format!("10 {FLUSH}"),
        &format!("01 {FLUSH}"),
    ];
    sends(
        encoder,
        &[events[0], events[1], events[2]],
        &[records[0], records[1], records[2], records[3], records[4], records[5]],
    );
}

/// The same with the fixed chunks of TR_b.
#[test]
fn the_fixed_encoding_bit_for_bit() {
    let mut config = traptors(Sharing { encoding: Encoding::Fixed, ..sharing(2, true, 32) });
    config.module.instruction_count_first_chunk = 8;
    let encoder = Encoder::new(&config).unwrap();
    let flush = "10000000 0  00000000 1 00000000 0 00 00000000 0";
    sends(
        encoder,
        &[jump(1, 3)],
        &[
            "1  01000000 0  10000000 0  1000000000000000 0 0",
            &format!("0 11000000 0 {}", &flush[12..]),
            &format!("1 {flush}"),
        ],
    );
}

/// Paper E, Figure 7a with a time stamp.
#[test]
fn nexus_with_time_stamps_bit_for_bit() {
    let config = nexuses(Sharing { encoding: Encoding::Fixed, ..sharing(1, true, 32) });
    sends(
        Encoder::new(&config).unwrap(),
        &[jump(0, 300)],
        &[
            // Clock 299, stream length 300, one unit up; a flush in the next clock.
            "11010100 1 10000000 0  00110100 1 10000000 0  1000000000000000 0 0",
            "10000000 0  00000000 0 01 00000000 0",
        ],
    );
}

/// One core without time stamps is a module and nothing else.
#[test]
fn one_core_is_a_module() {
    let (machine, mut events) = workload("arm-stringsearch", 50_000);
    learn(machine, &mut events);
    let config = Config { sharing: sharing(1, false, 32), ..Config::default() };
    let module: traptor::config::Config = config.encoded_module();
    let mut texts = (Text::default(), Text::default());
    let mut alone = traptor::encoder::Encoder::new(&module).unwrap();
    let mut shared = Encoder::new(&config).unwrap();
    for event in &events {
        alone.event(event, &mut texts.0).unwrap();
        shared.event(event, &mut texts.1).unwrap();
    }
    alone.flush(&mut texts.0);
    shared.flush(&mut texts.1);
    assert!(texts.0.0 == texts.1.0 && texts.0.0.len() > 10_000);
}

/// Records of a clock are in the order of the cores, whatever the file's order; each has its own clock.
#[test]
fn all_cores_in_one_clock() {
    let mut encoder = Encoder::new(&traptors(sharing(8, true, 32))).unwrap();
    encoder.agree(Agreement::Cycles);
    let mut text = Text::default();
    for round in 0..2 {
        for core in 0..8 {
            let again = Event { target: 8 - 4 * round, ..jump(core, 1) };
            encoder.event(&again, &mut text).unwrap();
            encoder.clock(Clock::Cycle { core, stalled: false }, &mut text);
        }
    }
    let threads = ["000", "100", "010", "110", "001", "101", "011", "111"];
    let round = |clocks: &str, target: &str| -> Vec<String> {
        threads.map(|thread| format!("{thread} {clocks} 100 0 {target}").replace(' ', "")).into()
    };
    let records = [round("0000 0", "010 0 0"), round("1000 0", "100 0 1")].concat();
    assert_eq!(text.0.trim_end(), records.join(" "));
}

/// A counter of 4 bits makes a record in every fifteenth clock without one.
#[test]
fn time_stamps_that_overflow_their_field() {
    let config = traptors(sharing(2, true, 4));
    let encoder = Encoder::new(&config).unwrap();
    let (overflow, record) = ("0000 1 00 0", "100 0");
    // Core 0 retires in clocks 15, which its counter can just say, and 31; core 1 in 40.
    let events = [jump(0, 16), jump(0, 16), jump(1, 41)];
    let target = ["100 0 0", "000 0 0", "100 0 0"];
    sends(
        encoder,
        &events,
        &[
            &format!("0 1111 0 {record} {}", target[0]),
            &format!("1 {overflow}"),
            &format!("0 {overflow}"),
            &format!("1 {overflow}"),
            &format!("0 1000 0 {record} {}", target[1]),
            &format!("1 0101 0 {record} {}", target[2]),
            &format!("0 0101 0 {FLUSH}"),
            &format!("1 1000 0 {FLUSH}"),
        ],
    );
}

/// A full counter of a stalled core waits; an overflow comes after the records of lower cores.
#[test]
fn an_overflow_in_the_clock_of_another_record() {
    let mut encoder = Encoder::new(&traptors(sharing(2, true, 4))).unwrap();
    encoder.agree(Agreement::Cycles);
    let mut text = Text::default();
    for clock in 0..=17 {
        if clock == 15 {
            encoder.event(&jump(0, 1), &mut text).unwrap();
        }
        encoder.clock(Clock::Cycle { core: 0, stalled: false }, &mut text);
        encoder.clock(Clock::Cycle { core: 1, stalled: clock < 17 }, &mut text);
    }
    encoder.flush(&mut text);
    let records = [
        "0 1111 0 100 0 100 0 0",
        "1 0000 1 00 0",
        &format!("0 1100 0 {FLUSH}"),
        &format!("1 1000 0 {FLUSH}"),
    ];
    let expected: Vec<String> = records.iter().map(|record| record.replace(' ', "")).collect();
    assert_eq!(text.0.trim_end(), expected.join(" "));
}

/// Shows the events to an encoder as cores of random speed would, and gives the clock of each.
fn run_clocks<G: Session<Error: std::fmt::Debug>>(
    encoder: &mut G,
    events: &[Event],
    cores: usize,
    random: &mut impl Rng,
    packer: &mut BitPacker,
) -> Vec<Vec<u64>> {
    encoder.agree(Agreement::Cycles);
    let mut queues = vec![VecDeque::new(); cores];
    events.iter().for_each(|event| queues[usize::from(event.thread)].push_back(*event));
    let mut clocks = vec![Vec::new(); cores];
    let speeds: Vec<f64> = (0..cores).map(|_| random.random_range(0.05..1.0)).collect();
    for clock in 0.. {
        if queues.iter().all(VecDeque::is_empty) {
            break;
        }
        for core in 0..cores {
            if random.random_bool(speeds[core])
                && let Some(event) = queues[core].pop_front()
            {
                encoder.event(&event, packer).unwrap();
                clocks[core].push(clock);
            }
            encoder.clock(Clock::Cycle { core: core as u8, stalled: false }, packer);
        }
    }
    encoder.flush(packer);
    clocks
}

fn decode(design: &Design, program: &Program, bytes: &[u8]) -> (Vec<Event>, Vec<TimeStamp>) {
    let (mut events, mut stamps) = (Vec::new(), Vec::new());
    scheme::decode_timed(
        design,
        program,
        &mut BitUnpacker::new(bytes),
        u64::MAX,
        |event| {
            events.push(event);
            Ok::<(), Error>(())
        },
        |stamp| {
            stamps.push(stamp);
            Ok(())
        },
    )
    .unwrap();
    (events, stamps)
}

/// The clocks that come out are those in which the events went in.
#[test]
fn time_stamps_are_the_clocks_of_the_events() {
    for seed in 0..20 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let cores = random.random_range(1..=8);
        let options =
            Options { events: 5_000, threads: cores, uneven: true, ..Options::from_seed(seed) };
        let synthetic = Synthetic::new(options).unwrap();
        let machine = synthetic.machine();
        let mut events: Vec<Event> = synthetic.collect();
        let program = learn(machine, &mut events);
        let mut config = Config::<traptor::config::Config> {
            sharing: sharing(cores.into(), true, 4 + 7 * (seed % 4) as u32),
            ..Config::default()
        };
        config.module.processor.address_width = machine.address_bits.into();
        let design = Design::new("timed", Scheme::Mctraptor(config)).unwrap();
        let design = design.for_machine(machine).unwrap();
        let Scheme::Mctraptor(config) = &design.scheme else { unreachable!() };
        let mut packer = BitPacker::new();
        let mut encoder = Encoder::new(config).unwrap();
        let cores = usize::from(cores);
        let clocks = run_clocks(&mut encoder, &events, cores, &mut random, &mut packer);
        let (back, stamps) = decode(&design, &program, &packer.finish());
        for thread in 0..cores as u8 {
            assert_eq!(of_thread(&back, thread), of_thread(&events, thread), "seed {seed}");
        }
        let mut told = vec![0; cores];
        // The last records are the flush's.
        for stamp in &stamps[..stamps.len() - cores] {
            let core = usize::from(stamp.core);
            if stamp.events > told[core] {
                assert_eq!(stamp.clock, clocks[core][stamp.events as usize - 1], "seed {seed}");
                told[core] = stamp.events;
            }
        }
        assert!(stamps.windows(2).all(|pair| pair[0].clock <= pair[1].clock), "global order");
    }
}

#[test]
fn random_configurations_give_synthetic_programs_back() {
    for seed in 0..80 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let threads = random.random_range(1..=8);
        let options =
            Options { events: 4_000, threads, uneven: seed % 2 == 0, ..Options::from_seed(seed) };
        let synthetic = Synthetic::new(options).unwrap();
        let machine = synthetic.machine();
        let mut events: Vec<Event> = synthetic.collect();
        let program = learn(machine, &mut events);
        for interval in [usize::MAX, 97, 3] {
            let design = random_design(&mut random, machine, threads);
            let what = format!("seed {seed}, flushed every {interval}, {:?}", design.scheme);
            round_trip(&design, &program, &events, interval, &what);
        }
    }
}

/// A design of either scheme with at least as many cores as a trace has threads.
fn random_design(random: &mut impl Rng, machine: Machine, threads: u8) -> Design {
    fn draw<M: System>(random: &mut impl Rng, machine: Machine, threads: u8) -> Config<M> {
        let (alignment, bits) = (machine.alignment.into(), machine.address_bits.into());
        let mut config = Config::<M>::arbitrary(random, alignment, bits);
        config.sharing.cores = config.sharing.cores.max(threads.into());
        config
    }
    let scheme = if random.random() {
        Scheme::Mctraptor(draw(random, machine, threads))
    } else {
        Scheme::Nexus(draw(random, machine, threads))
    };
    Design::new("random", scheme).unwrap()
}

/// A trace cut anywhere is an error, never a shorter execution.
#[test]
fn a_cut_trace_is_an_error() {
    let mut events = Vec::new();
    for core in [0, 1, 2, 1, 0, 2] {
        events.push(jump(core, 3));
        events.push(on(core, event(Kind::DirectConditional, 20, 0x50, Some(0xf8))));
    }
    let program = learn(MACHINE, &mut events);
    for config in [
        Scheme::Mctraptor(traptors(sharing(3, true, 4))),
        Scheme::Nexus(nexuses(sharing(3, true, 4))),
    ] {
        let design = Design::new("cut", config).unwrap();
        let (bytes, _) = common::encode(&design, &events, usize::MAX);
        for length in 0..bytes.len() {
            let mut bits = BitUnpacker::new(&bytes[..length]);
            let cut =
                scheme::decode(&design, &program, &mut bits, u64::MAX, |_| Ok::<(), Error>(()));
            assert!(matches!(cut, Err(Error::Decode(_))), "{length} of {} bytes", bytes.len());
        }
    }
}

/// Flipped bits and foreign pieces are refused or decode to something, and never more than was asked for.
#[test]
fn damaged_traces_end() {
    for seed in 0..60 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let threads = random.random_range(1..=4);
        let options = Options { events: 600, threads, uneven: true, ..Options::from_seed(seed) };
        let synthetic = Synthetic::new(options).unwrap();
        let machine = synthetic.machine();
        let mut events: Vec<Event> = synthetic.collect();
        let program = learn(machine, &mut events);
        let design = random_design(&mut random, machine, threads);
        let (bytes, _) = common::encode(&design, &events, 100);
        let most: u64 = 2 * events.iter().map(|event| event.instructions).sum::<u64>();
        for _ in 0..200 {
            let mut bytes = bytes.clone();
            for _ in 0..random.random_range(1..4) {
                let at = random.random_range(0..bytes.len());
                match random.random_range(0..3) {
                    0 => bytes[at] ^= 1 << random.random_range(0..8),
                    1 => bytes.truncate(at.max(1)),
                    _ => bytes.rotate_left(at),
                }
            }
            let mut instructions = 0;
            let mut bits = BitUnpacker::new(bytes.as_slice());
            let decoded = scheme::decode(&design, &program, &mut bits, most, |event| {
                instructions += event.instructions;
                Ok::<(), Error>(())
            });
            assert!(instructions <= most * u64::from(design.cores()), "seed {seed}, {decoded:?}");
        }
    }
}
