//! Several cores, each at its own pace. The golden encoder gets every block in the cycle in which
//! it is taken, core by core, so that it has the order and the cycles of the hardware.

use std::collections::VecDeque;

use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::event::{Event, Item};
use tracewright_sim::session::{Agreement, Clock, Session};

use super::{Bench, Input, NOTHING};
use crate::cosim::AnyError;
use crate::error::{Error, Result};
use crate::library::Library;
use crate::model::Model;
use crate::pins::RetirePins;
use crate::stimulus::{Block, Blocks, Stimulus};

/// Events that wait at most for their cores, all cores together.
const LOOK_AHEAD: usize = 4096;

/// A core with bubbles has one longer pause in this many cycles.
const PAUSE_INTERVAL: u64 = 512;

/// The longest such pause.
const PAUSE_CLOCKS_MAX: u64 = 64;

pub(crate) struct SeveralCores {
    cores: Vec<Core>,
    waiting: usize,
    random: ChaCha8Rng,
    timed: bool,
}

/// One core's input.
struct Core {
    pins: RetirePins,
    blocks: Blocks,
    /// What has been fetched for it and not begun.
    queue: VecDeque<(u64, Event)>,
    /// What its blocks are of.
    index: u64,
    event: Event,
    /// The block on the pins that is not taken yet.
    held: Option<Block>,
    /// Clocks it does nothing.
    pause: u64,
}

impl SeveralCores {
    pub(crate) fn new(
        library: &Library,
        stimulus: &Stimulus,
        golden: &mut impl Session,
    ) -> Result<Self> {
        golden.agree(Agreement::Cycles);
        let cores = RetirePins::find_all(library)?.into_iter().map(|pins| Core {
            blocks: Blocks::new(stimulus, pins.most_retired, pins.address_mask),
            pins,
            queue: VecDeque::new(),
            index: 0,
            event: NOTHING,
            held: None,
            pause: 0,
        });
        Ok(SeveralCores {
            cores: cores.collect(),
            waiting: 0,
            random: ChaCha8Rng::seed_from_u64(!stimulus.seed),
            timed: golden.terms().has_time_stamps,
        })
    }

    /// Begins the core's next event, fetched with those before it of other cores; false if there is
    /// none yet.
    fn next_event<G, I>(&mut self, core: usize, bench: &mut Bench<'_, G, I>) -> Result<bool>
    where
        G: Session<Error: Into<AnyError>>,
        I: Iterator<Item = Result<Item>>,
    {
        while self.cores[core].queue.is_empty() && self.waiting < LOOK_AHEAD {
            let Some((index, event)) = bench.next_event()? else { break };
            let of = usize::from(event.thread);
            if of >= self.cores.len() {
                let reason = format!("the model has no core {of}");
                return Err(Error::Unpresentable { index, reason });
            }
            self.cores[of].queue.push_back((index, event));
            self.waiting += 1;
        }
        let core = &mut self.cores[core];
        let Some((index, event)) = core.queue.pop_front() else { return Ok(false) };
        self.waiting -= 1;
        (core.index, core.event) = (index, event);
        core.blocks.load(&event).map_err(|reason| Error::Unpresentable { index, reason })?;
        Ok(true)
    }

    /// True if nothing that was fetched is left but what is on the pins.
    fn shows_the_last(&self) -> bool {
        self.waiting == 0 && self.cores.iter().all(|core| core.blocks.is_empty())
    }

    /// A bit for every core that holds a block.
    fn held(&self) -> u64 {
        let held = self.cores.iter().enumerate();
        held.fold(0, |held, (at, core)| held | u64::from(core.held.is_some()) << at)
    }

    fn read_stalls(&self, model: &Model) -> u64 {
        let stalls = self.cores.iter().enumerate();
        stalls.fold(0, |stalls, (at, core)| stalls | model.get(core.pins.stall) << at)
    }
}

impl<G, I> Input<G, I> for SeveralCores
where
    G: Session<Error: Into<AnyError>>,
    I: Iterator<Item = Result<Item>>,
{
    const HAS_OWN_ORDER: bool = true;

    fn drive(&mut self, bench: &mut Bench<'_, G, I>, noise: u64) -> Result<bool> {
        for at in 0..self.cores.len() {
            if self.cores[at].held.is_some() {
                continue;
            }
            let noise = self.random.next_u64();
            let bubble = self.cores[at].is_bubble(&bench.options.stimulus, noise);
            if !bubble {
                // An event that retires nothing has no block.
                while self.cores[at].blocks.is_empty() && self.next_event(at, bench)? {}
                let core = &mut self.cores[at];
                core.held = core.blocks.take();
            }
            let core = &self.cores[at];
            match &core.held {
                Some(block) => core.pins.show(&mut bench.model, block, noise),
                None => core.pins.show_none(&mut bench.model, noise),
            }
        }
        if !(bench.items_ended || bench.flush_is_due()) || !self.shows_the_last() {
            return Ok(false);
        }
        let held = self.held();
        if held == 0 {
            return Ok(true);
        }
        // A flush in the cycle of the last blocks, if they are taken in this cycle.
        if bench.items_ended || noise >> 63 == 0 {
            return Ok(false);
        }
        bench.model.settle()?;
        Ok(self.read_stalls(&bench.model) & held == 0)
    }

    fn rest(&mut self, bench: &mut Bench<'_, G, I>, noise: u64) -> Result<()> {
        for (core, turn) in self.cores.iter().zip((0..).step_by(7)) {
            core.pins.show_none(&mut bench.model, noise.rotate_left(turn));
        }
        Ok(())
    }

    fn flip(&mut self, model: &mut Model) {
        for core in &self.cores {
            model.set(core.pins.retire_valid, core.held.is_none().into());
        }
    }

    fn unflip(&mut self, model: &mut Model) {
        for core in &self.cores {
            model.set(core.pins.retire_valid, core.held.is_some().into());
        }
    }

    fn stalls(&self, model: &Model) -> u64 {
        self.read_stalls(model)
    }

    fn is_open(&self, stalls: u64) -> bool {
        stalls.count_ones() < self.cores.len() as u32
    }

    fn take(&mut self, bench: &mut Bench<'_, G, I>, stalls: u64, counts: bool) -> Result<bool> {
        let mut any = false;
        for (at, core) in self.cores.iter_mut().enumerate() {
            let stalled = stalls >> at & 1 != 0;
            if stalled {
                bench.report.stall_cycles += u64::from(counts & core.held.is_some());
            } else if let Some(block) = core.held.take() {
                bench.report.blocks += 1;
                any = true;
                bench.encode(core.index, &block.part_of(&core.event))?;
            }
            if self.timed && counts {
                let expected = &mut bench.comparison.expected;
                bench.golden.clock(Clock::Cycle { core: at as u8, stalled }, expected);
                bench.comparison.end_event(Some(core.index));
            }
        }
        Ok(any)
    }
}

impl Core {
    /// True if the core shows nothing in a cycle.
    fn is_bubble(&mut self, stimulus: &Stimulus, noise: u64) -> bool {
        if self.pause > 0 {
            self.pause -= 1;
            return true;
        }
        if stimulus.bubble_percent > 0 && noise.is_multiple_of(PAUSE_INTERVAL) {
            self.pause = (noise >> 16) % PAUSE_CLOCKS_MAX;
        }
        stimulus.is_bubble(noise)
    }
}
