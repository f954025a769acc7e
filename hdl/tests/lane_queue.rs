//! The queue of several lanes, in RustHDL's simulation, against a list of words.

use std::collections::VecDeque;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_elaborate::prelude::*;
use tracewright_hdl::parts::lane_queue::LaneQueue;
use tracewright_sim::ingress::Queue;

use crate::is_long;

const WIDTH: usize = 9;

/// The hardware and what it has to hold.
struct Bench {
    hardware: Simulator<LaneQueue>,
    queue: Queue,
    shown: usize,
    held: VecDeque<u64>,
    lost: bool,
    next: u64,
}

impl Bench {
    fn new(queue: Queue, shown: usize) -> Bench {
        queue.validate().unwrap();
        let hardware = Simulator::new(LaneQueue::new(&queue, WIDTH, shown)).unwrap();
        Bench { hardware, queue, shown, held: VecDeque::new(), lost: false, next: 0 }
    }

    /// Runs a cycle: words in these lanes, so many of the shown ones leave.
    fn clock(&mut self, arrives: u64, takes: usize) {
        let lanes = self.queue.lanes as usize;
        let word = |value: u64| Word::new(WIDTH, value % (1 << WIDTH));
        let (next, shown) = (self.next, self.shown);
        self.hardware.poke(|block| {
            block.arrives.next = Word::new(lanes, arrives);
            for (lane, port) in block.word.iter_mut().enumerate() {
                // Noise where nothing comes.
                port.next = word(next + lane as u64);
            }
            block.takes.next = Word::new(shown, (1 << takes) - 1);
        });
        let (there, level, stall, lost) = self.hardware.peek(|block| {
            (block.is_there.val(), block.level.val(), block.stall.val(), block.lost.val())
        });
        assert_eq!(level.to_u64(), self.held.len() as u64);
        let must_stall =
            self.held.len() + self.queue.slack as usize + lanes > self.queue.depth as usize;
        assert_eq!(stall.any(), must_stall, "{:?}", self.queue);
        assert_eq!(lost.any(), self.lost, "{:?}", self.queue);
        let seen = shown.min(self.held.len());
        assert_eq!(there.to_u64(), (1 << seen) - 1);
        for at in 0..seen {
            let oldest = self.hardware.peek(|block| block.oldest[at].val());
            assert_eq!(oldest, word(self.held[at]), "{:?}", self.queue);
        }
        // Room is what there was before the words of this cycle left.
        let mut room = self.queue.depth as usize - self.held.len();
        self.held.drain(..takes.min(seen));
        for lane in (0..lanes).filter(|lane| arrives >> lane & 1 == 1) {
            if room == 0 {
                self.lost = true;
                continue;
            }
            room -= 1;
            self.held.push_back(next + lane as u64);
        }
        self.next += lanes as u64;
        self.hardware.clock();
    }
}

/// Every number of lanes with the least, the usual and the largest queues; a third of them without `LONG_TESTS`.
fn queues() -> Vec<(Queue, usize)> {
    let mut queues = Vec::new();
    for lanes in Queue::LANES {
        let least = lanes.max(2);
        for depth in [least, 2 * lanes.max(2), 8 * lanes, 64 / lanes * lanes] {
            for slack in [0, (depth - lanes) / 2, depth - lanes] {
                for shown in 1..=lanes.min(2) {
                    queues.push((Queue { lanes, depth, slack }, shown as usize));
                }
            }
        }
    }
    queues.into_iter().step_by(if is_long() { 1 } else { 3 }).collect()
}

#[test]
fn words_keep_their_order() {
    for (number, (queue, shown)) in (0..).zip(queues()) {
        let mut random = ChaCha8Rng::seed_from_u64(number);
        let mut bench = Bench::new(queue, shown);
        let most = u64::pow(2, queue.lanes);
        for step in 0..1_200_u32 {
            // Nothing leaves, then more and more.
            let leaves = random.random_range(0..4) < step / 300;
            // As a core does that obeys: the slack is used up each time.
            let room = queue.depth as usize - bench.held.len();
            let mut arrives = random.random_range(0..most);
            while arrives.count_ones() as usize > room {
                arrives &= arrives - 1;
            }
            bench.clock(arrives, if leaves { random.random_range(0..=shown) } else { 0 });
        }
        assert!(!bench.lost);
    }
}

#[test]
fn every_lane_in_every_cycle_and_then_a_pause() {
    for (queue, shown) in queues() {
        let mut bench = Bench::new(queue, shown);
        let all = u64::pow(2, queue.lanes) - 1;
        for _ in 0..6 {
            while bench.held.len() + queue.lanes as usize <= queue.depth as usize {
                bench.clock(all, 0);
            }
            // With one word leaving in each cycle as many come.
            for _ in 0..10 {
                bench.clock(0, 1);
                bench.clock(1, 0);
            }
            for _ in 0..=queue.depth {
                bench.clock(0, shown);
            }
            assert!(bench.held.is_empty() && !bench.lost);
        }
    }
}

/// Words that come when it is full are lost, and the others are not.
#[test]
fn losses_are_told_and_change_nothing_else() {
    for (number, (queue, shown)) in (0..).zip(queues()) {
        let mut random = ChaCha8Rng::seed_from_u64(!number);
        let mut bench = Bench::new(queue, shown);
        let most = u64::pow(2, queue.lanes);
        for _ in 0..600 {
            let takes = random.random_range(0..=shown);
            bench.clock(random.random_range(0..most), takes * usize::from(random.random::<bool>()));
        }
        assert!(bench.lost, "{queue:?}");
    }
}
