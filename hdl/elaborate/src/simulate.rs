//! A cycle simulator for unit tests of single blocks.

use crate::error::Error;
use crate::word::Word;
use crate::{Options, elaborate};
use rust_hdl::core::prelude::Block;
use std::cell::Cell;

/// What the clock tree tells every register at once.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Edge {
    /// The number of clock edges so far.
    pub cycle: u64,
    /// Whether the reset is active at this edge.
    pub reset: bool,
    // The state of the generator that fills memories at power-up.
    pattern: u64,
}

thread_local! {
    // RustHDL hands blocks no context when it updates them, so the simulator that is at work leaves its own here.
    static EDGE: Cell<Edge> = const { Cell::new(Edge { cycle: 0, reset: false, pattern: 0 }) };
}

pub(crate) fn edge() -> Edge {
    EDGE.get()
}

/// The words a memory wakes up with.
pub(crate) fn power_up(depth: usize, width: usize) -> Vec<Word> {
    let mut edge = EDGE.get();
    let mut limb = || {
        edge.pattern = edge.pattern.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (edge.pattern ^ (edge.pattern >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    };
    let words = (0..depth)
        .map(|_| {
            Word::from_limbs(width, &(0..width.div_ceil(64)).map(|_| limb()).collect::<Vec<_>>())
        })
        .collect();
    EDGE.set(edge);
    words
}

/// Simulates one block, cycle by cycle, in this thread.
///
/// ```
/// # use tracewright_elaborate::prelude::*;
/// # block! {
/// #     Counter("counter") of (width: usize);
/// #     in enable: 1;
/// #     out value: width;
/// #     reg count: width;
/// # }
/// # impl Logic for Counter {
/// #     #[hdl_gen]
/// #     fn update(&mut self) {
/// #         if self.enable.val().any() { self.count.d.next = self.count.q.val() + 1; }
/// #         self.value.next = self.count.q.val();
/// #     }
/// # }
/// let mut simulator = Simulator::new(Counter::new(4))?;
/// simulator.poke(|counter| counter.enable.next = true.into());
/// simulator.clock();
/// simulator.clock();
/// assert_eq!(simulator.peek(|counter| counter.value.val()), 2);
/// # Ok::<(), tracewright_elaborate::Error>(())
/// ```
pub struct Simulator<B> {
    block: B,
    edge: Edge,
}

impl<B: Block> Simulator<B> {
    /// Checks the design as [`elaborate`] does, powers it up and resets it.
    pub fn new(block: B) -> Result<Self, Error> {
        Self::with_seed(block, 0)
    }

    /// The same, with memories filled from `seed`.
    pub fn with_seed(mut block: B, seed: u64) -> Result<Self, Error> {
        elaborate(&block, &Options::new("simulated"))?;
        block.connect_all();
        let mut simulator = Self { block, edge: Edge { cycle: 0, reset: false, pattern: seed } };
        simulator.settle();
        simulator.reset();
        Ok(simulator)
    }

    /// Changes inputs. Outputs follow in the same cycle.
    pub fn poke(&mut self, change: impl FnOnce(&mut B)) {
        change(&mut self.block);
        self.settle();
    }

    /// Looks at the block.
    pub fn peek<T>(&self, look: impl FnOnce(&B) -> T) -> T {
        look(&self.block)
    }

    /// One clock edge.
    pub fn clock(&mut self) {
        self.step(false);
    }

    /// One clock edge with the reset active.
    pub fn reset(&mut self) {
        self.step(true);
    }

    /// The number of clock edges so far, resets included.
    pub fn cycle(&self) -> u64 {
        self.edge.cycle
    }

    // The block is settled between calls, so the first update after the edge shows every register the values
    // of before it: no kernel runs between a register's change and another register's look at its input.
    fn step(&mut self, reset: bool) {
        self.edge.cycle += 1;
        self.edge.reset = reset;
        self.settle();
    }

    // Ends, because the check refused combinational loops.
    fn settle(&mut self) {
        EDGE.set(self.edge);
        loop {
            self.block.update_all();
            if !self.block.has_changed() {
                break;
            }
        }
        self.edge = EDGE.get();
    }
}
