//! A search for the programs that are worst for a design: synthetic programs change at random, and the worst stay.
//!
//! Programs are [scripts](tracewright_sim::synthetic::script). Those that have conditional branches alone, returns, other
//! indirect branches, exceptions, and each combination of these compete among themselves only, so that one weakness does
//! not hide the others.

mod mutation;
mod state;
mod trial;

use std::path::Path;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use tracewright_sim::scheme::Design;
use tracewright_sim::synthetic::script::Script;
use tracewright_verification::{Progress, Shard};

use crate::error::Result;
use state::State;
pub use trial::{Kind, OutputLoad, Worst};

/// The file of a search that goes on where it was.
pub const STATE: &str = "adversary.json";
/// Programs that are tried in one generation.
const GENERATION: u64 = 64;
/// Worst programs of each kind that have children.
const KEPT: usize = 12;
/// Generations from one saved state to the next.
const SAVED: u64 = 32;

/// What a bad program is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Many bits, divided by those of the baseline.
    Ratio,
    /// Many bits per instruction.
    BitsPerInstruction,
    /// Many cycles in which the core waits for the output buffer.
    Stalls,
    /// A deep output buffer, if it had no limit.
    Buffer,
}

/// A search.
#[derive(Clone, Debug)]
pub struct Adversary {
    /// The design for which bad programs are searched.
    pub design: Design,
    /// With which it is compared.
    pub baseline: Design,
    /// What a bad program is.
    pub goal: Goal,
    /// Events of the run of each program.
    pub events: u64,
    /// Decides all changes.
    pub seed: u64,
    /// A shard has random changes of its own.
    pub shard: Shard,
}

impl Adversary {
    /// Tries `programs` programs in all, those of an earlier search in `folder` included, and gives the worst of each
    /// kind, made small. The search begins with `first` and with small programs of its own.
    ///
    /// # Errors
    /// When the folder has another search or cannot be used, or a design cannot trace a program.
    pub fn search(
        &self,
        first: &[Script],
        programs: u64,
        folder: &Path,
        progress: &Progress,
    ) -> Result<Vec<Worst>> {
        let mut state = State::open(folder, &self.identity())?;
        if state.tried == 0 {
            let mut scripts = first.to_vec();
            scripts.extend(beginnings());
            self.try_all(&mut state, scripts)?;
        }
        progress.add(state.tried.min(programs));
        let mut unsaved = 0;
        while state.tried < programs {
            let before = state.tried;
            let scripts = self.children(&state);
            self.try_all(&mut state, scripts)?;
            progress.add(state.tried - before);
            unsaved += 1;
            if unsaved == SAVED {
                state.save(folder)?;
                unsaved = 0;
            }
        }
        state.save(folder)?;
        let kinds: Vec<&Worst> =
            Kind::all().filter_map(|kind| state.of_kind(kind).next()).collect();
        let mut worst: Vec<Worst> =
            kinds.into_par_iter().map(|one| self.smallest(one)).collect::<Result<_>>()?;
        worst.sort_by(|one, other| self.score(other).total_cmp(&self.score(one)));
        Ok(worst)
    }

    /// What a search follows from, beside its length.
    fn identity(&self) -> String {
        let Self { design, baseline, goal, events, seed, shard } = self;
        format!("{:?} {:?} {goal:?} {events} {seed} {shard}", design.values(), baseline.values())
    }

    fn score(&self, worst: &Worst) -> f64 {
        match self.goal {
            Goal::Ratio => worst.ratio(),
            Goal::BitsPerInstruction => worst.bits_per_instruction(),
            Goal::Stalls => worst.load.stall_cycles as f64,
            Goal::Buffer => worst.load.fifo_needed_bits as f64,
        }
    }

    /// The next generation, which follows from the kept programs, the seed and how many were tried.
    fn children(&self, state: &State) -> Vec<Script> {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(state.tried << 16 | u64::from(self.shard.index()));
        let kinds: Vec<Vec<&Worst>> = Kind::all()
            .map(|kind| state.of_kind(kind).collect())
            .filter(|kept: &Vec<_>| !kept.is_empty())
            .collect();
        let child = |_| {
            let kept = &kinds[random.random_range(0..kinds.len())];
            mutation::child(&kept[random.random_range(0..kept.len())].script, &mut random)
        };
        (0..GENERATION).map(child).collect()
    }

    /// Tries programs and keeps the worst of each kind.
    fn try_all(&self, state: &mut State, scripts: Vec<Script>) -> Result<()> {
        state.tried += scripts.len() as u64;
        let tried: Vec<Worst> =
            scripts.into_par_iter().map(|script| self.trial(script)).collect::<Result<_>>()?;
        for worst in tried {
            let same = |one: &Worst| one.kind == worst.kind && one.bits == worst.bits;
            if !state.kept.iter().any(same) {
                state.kept.push(worst);
            }
        }
        // A line less is worth 0.02 %.
        let fitness = |one: &Worst| self.score(one) * (1.0 - 0.0002 * one.lines as f64);
        state.kept.sort_by(|one, other| fitness(other).total_cmp(&fitness(one)));
        let mut kept = [0; Kind::COUNT];
        state.kept.retain(|one| {
            let of_kind = &mut kept[one.kind.number()];
            *of_kind += 1;
            *of_kind <= KEPT
        });
        Ok(())
    }

    /// The program without all that can go and leave it nearly as bad, or worse.
    fn smallest(&self, worst: &Worst) -> Result<Worst> {
        const ENOUGH: f64 = 0.995;
        let mut best = worst.clone();
        loop {
            let mut found = None;
            for script in mutation::smaller(&best.script) {
                let trial = self.trial(script)?;
                if trial.lines < best.lines
                    && trial.kind == best.kind
                    && self.score(&trial) >= ENOUGH * self.score(worst)
                {
                    found = Some(trial);
                    break;
                }
            }
            let Some(smaller) = found else { return Ok(best) };
            best = smaller;
        }
    }

    fn trial(&self, script: Script) -> Result<Worst> {
        trial::trial(script, &self.design, &self.baseline, self.events)
    }
}

/// Small programs to begin with: branches, calls, targets in turn, recursion, coroutines, exceptions.
fn beginnings() -> Vec<Script> {
    let texts = [
        "function 0x80000000\n straight 5\n loop 7\n straight 3\n end\n end",
        "function 0x80000000\n if 011\n straight 9\n end\n call 1\n end
         function 0x80010000\n straight 4\n end",
        "function 0x80000000\n loop 9\n call 012 1 2 3\n end\n end
         function 0x80001000\n straight 2\n end\n function 0x80002000\n straight 2\n end
         function 0x90000000\n straight 2\n end",
        "function 0x80000000\n switch 0123\n case\n straight 1\n case\n straight 2\n case\n case\n end\n end",
        "function 0x80000000\n call 1\n end\n function 0x80001000\n straight 3\n recurse 12\n straight 1\n end",
        "function 0x80000000\n resume 1\n resume 2\n end\n function 0x80001000\n loop 40\n yield\n end\n end
         function 0x80002000\n loop 70\n yield\n end\n end",
        "function 0x80000000\n call 2\n straight 100\n trap 1\n end\n handler 0x80001000\n straight 9\n end
         function 0x80002000\n straight 1\n unwind 1\n end\n interrupt 77,130 1",
    ];
    texts.iter().filter_map(|text| text.parse().ok()).collect()
}
