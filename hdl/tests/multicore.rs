//! What Nexus-like modules and several cores are made of, against the twins.

use std::collections::VecDeque;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_elaborate::prelude::{Simulator, Word};
use tracewright_hdl::multicore::time_stamps::TimeStamps;
use tracewright_hdl::nexus::target_coder::TargetCoder;
use tracewright_sim::arbitrary::pick;
use tracewright_sim::config::{Processor, mask};
use tracewright_sim::multicore::sharing::Sharing;
use tracewright_sim::multicore::time_stamps;
use tracewright_sim::nexus::config::{Config, TargetCoding};
use tracewright_sim::nexus::target_coder::{self, CodedTarget};

/// Both codings of targets, the difference by the block that T-raptor has too.
#[test]
fn targets() {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    for (target_coding, alignment, address_width) in [
        (TargetCoding::Xor, 2, 32),
        (TargetCoding::Difference, 0, 64),
        (TargetCoding::Difference, 1, 32),
        (TargetCoding::Difference, 2, 39),
    ] {
        let processor = Processor { alignment, address_width, ..Processor::default() };
        let config = Config { processor, target_coding, ..Config::default() };
        let mut twin = target_coder::TargetCoder::new(&config);
        let mut hardware = Simulator::new(TargetCoder::new(&config)).unwrap();
        let top = mask(address_width) & !mask(alignment);
        for _ in 0..2000 {
            let near = random.random_range(0..0x100);
            let target = pick(&mut random, &[0, top, top >> 1, 0x8000_0000, near, !near]) & top;
            let send = random.random();
            hardware.poke(|block| {
                block.target.next = Word::new(address_width as usize, target);
                block.send.next = bool::into(send);
            });
            if send {
                let found = hardware.peek(|block| CodedTarget {
                    value: block.value.val().to_u64(),
                    below: block.below.val().any(),
                });
                assert_eq!(found, twin.send(target), "{config:?}, {target:#x}");
            }
            hardware.clock();
        }
    }
}

/// A core's clocks: records, full counters, stalls, and flushes, while which time stands still.
#[test]
fn time_stamps() {
    for delay in [0, 1, 4] {
        stamp_records(delay);
    }
}

/// What a core does in a cycle.
#[derive(Clone, Copy)]
struct Cycle {
    tracing: bool,
    ready: bool,
    record: bool,
}

/// Records come so many cycles after their blocks.
fn stamp_records(delay: usize) {
    let mut random = ChaCha8Rng::seed_from_u64(6);
    let sharing = Sharing { time_stamps: true, time_stamp_bits: 4, ..Sharing::default() };
    let mut twin = time_stamps::TimeStamps::new(1, sharing.most_clocks());
    let mut hardware = Simulator::new(TimeStamps::new(&sharing, delay)).unwrap();
    let mut on_their_way = VecDeque::from(vec![None; delay]);
    let mut clock = 0;
    for step in 0..20_000 {
        let tracing = step % 500 < 480;
        let ready = random.random_range(0..4) != 0;
        // A flush record is made once time stands still.
        let record =
            if tracing { ready && random.random_range(0..12) == 0 } else { step % 500 == 485 };
        on_their_way.push_back(Some(Cycle { tracing, ready, record }));
        let past = on_their_way.pop_front().flatten();
        hardware.poke(|block| {
            block.tracing.next = tracing.into();
            block.ready.next = ready.into();
            block.record.next = past.is_some_and(|past| past.record).into();
        });
        let clocks = hardware.peek(|block| block.clocks.val().to_u64());
        let overflow = hardware.peek(|block| block.overflow.val().any());
        let Some(Cycle { tracing, ready, record }) = past else {
            assert!(!overflow, "step {step}");
            hardware.clock();
            continue;
        };
        if record {
            assert_eq!(clocks, twin.record(0, clock), "step {step}, {delay} cycles later");
        }
        if tracing {
            let full = twin.end_of_clock(0, clock, !ready);
            assert_eq!(overflow, full, "step {step}, {delay} cycles later");
            clock += 1;
        } else {
            assert!(!overflow, "step {step}, {delay} cycles later");
        }
        hardware.clock();
    }
}
