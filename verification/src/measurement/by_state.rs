//! What a trace costs by execution state: each privilege level, or each context, with tables that all of them share and
//! with tables of its own.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use serde::Serialize;
use tracewright_sim::event::{ExecutionState, Item};
use tracewright_sim::event_limit::EventLimit;
use tracewright_sim::field::Account;
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::scheme::{Design, Encoder};
use tracewright_sim::session::{Detail, Session};

use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::trace::{self, Addresses, Blocks};

/// By what a trace is parted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// By privilege level.
    Privilege,
    /// By context: an address space.
    Context,
}

impl By {
    fn of(self, state: ExecutionState) -> u64 {
        match self {
            By::Privilege => state.privilege.into(),
            By::Context => state.context,
        }
    }
}

/// One design in one state. Its fields are those of `tracewright measure --by ... --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OfState {
    /// The design.
    pub design: String,
    /// The trace's file.
    pub trace: String,
    /// The privilege level or the context; null for what ran before the trace says one.
    pub state: Option<u64>,
    /// Events in this state.
    pub events: u64,
    /// Instructions in this state.
    pub instructions: u64,
    /// Bits that left the encoder in this state, all states with the same tables.
    pub bits: u64,
    /// Bits of an encoder that has seen nothing but this state.
    pub bits_apart: u64,
}

/// Measures every design on a trace by state, design by design, and the states in the order in which they came first;
/// and what the designs took from the trace's addresses. The trace may have as many records as `limit` allows.
/// `progress` is in bytes, twice those of the trace.
///
/// # Errors
/// When the trace is bad, has several threads or no states, or a design cannot trace it.
pub fn by_state(
    designs: &[Design],
    path: &Path,
    by: By,
    limit: EventLimit,
    progress: &Progress,
) -> Result<(Vec<OfState>, Addresses)> {
    let (calls, reader) =
        trace::open_for_encoding(path, progress, || trace::open(path, limit, progress))?;
    if !reader.extensions().states {
        return Err(Error::NoStates(PathBuf::from(path)));
    }
    let of_machine = designs.iter().map(|design| trace::design_for(design, reader.machine()));
    let designs: Vec<Design> = of_machine.collect::<Result<_>>()?;
    let addresses = match calls.code(&designs) {
        Some(code) => code,
        None => Addresses::of(path, designs.iter(), limit)?,
    };
    let parted = designs.into_iter().map(|design| Parted::new(addresses.fit(design), by));
    let mut parted: Vec<Parted> = parted.collect::<Result<_>>()?;
    let mut blocks = Blocks::prepared(reader, calls);
    while let Some(block) = blocks.next_block()? {
        parted.par_iter_mut().try_for_each(|one| {
            let of_run = Error::of_run(&one.design.name, path.display().to_string());
            one.encode(block).map_err(of_run)
        })?;
    }
    let (reader, calls) = blocks.finish();
    calls.check(path, &reader)?;
    Ok((parted.into_iter().flat_map(|one| one.finish(path)).collect(), addresses))
}

/// One state: its own encoder, and what was counted in it.
struct State {
    state: Option<u64>,
    apart: Encoder,
    account: Account,
    events: u64,
    instructions: u64,
    bits: u64,
}

impl State {
    fn new(design: &Design, state: Option<u64>) -> Result<Self> {
        let (apart, account) = (Encoder::new(design)?, Account::default());
        Ok(Self { state, apart, account, events: 0, instructions: 0, bits: 0 })
    }
}

/// One design on a trace.
struct Parted {
    design: Design,
    by: By,
    shared: Encoder,
    account: Account,
    states: Vec<State>,
    places: HashMap<u64, usize>,
    /// The place of the state in which the execution is.
    current: usize,
}

impl Parted {
    fn new(design: Design, by: By) -> Result<Self> {
        let shared = Encoder::new(&design)?;
        let states = vec![State::new(&design, None)?];
        let (account, places) = (Account::default(), HashMap::new());
        Ok(Self { design, by, shared, account, states, places, current: 0 })
    }

    fn encode(&mut self, block: &[Item]) -> Result<()> {
        for run in block.split_inclusive(|item| matches!(item, Item::State(_))) {
            let state = &mut self.states[self.current];
            let before = self.account.bits;
            self.shared.items(run, &mut self.account)?;
            state.bits += self.account.bits - before;
            // The state in which it goes on is told to the encoder of that state.
            let (next, items) = match run.split_last() {
                Some((Item::State(next), items)) => (Some(*next), items),
                _ => (None, run),
            };
            state.apart.items(items, &mut state.account)?;
            for item in items {
                if let Item::Event(event) = item {
                    state.events += 1;
                    state.instructions += event.instructions;
                }
            }
            next.map_or(Ok(()), |next| self.enter(next))?;
        }
        Ok(())
    }

    fn enter(&mut self, next: ExecutionState) -> Result<()> {
        let state = self.by.of(next);
        self.current = match self.places.get(&state) {
            Some(place) => *place,
            None => {
                self.states.push(State::new(&self.design, Some(state))?);
                self.places.insert(state, self.states.len() - 1);
                self.states.len() - 1
            }
        };
        let State { apart, account, .. } = &mut self.states[self.current];
        Ok(apart.detail(Detail::State(next), account)?)
    }

    /// The end of the trace is of the state in which it ends.
    fn finish(mut self, path: &Path) -> Vec<OfState> {
        let before = self.account.bits;
        self.shared.flush(&mut self.account);
        self.states[self.current].bits += self.account.bits - before;
        let trace = path.display().to_string();
        let of_state = |mut one: State| {
            one.apart.flush(&mut one.account);
            OfState {
                design: self.design.name.clone(),
                trace: trace.clone(),
                state: one.state,
                events: one.events,
                instructions: one.instructions,
                bits: one.bits,
                bits_apart: one.account.bits,
            }
        };
        self.states.into_iter().filter(|one| one.events > 0).map(of_state).collect()
    }
}
