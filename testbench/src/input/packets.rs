//! One core whose trace is made of packets: the golden encoder gets every block in the cycle in which it is taken, and is
//! told of each loss and of each synchronisation.

pub(super) mod patience;
mod pauses;
mod show;
pub(crate) mod state;
mod take;

use std::sync::Arc;

use tracewright_sim::config::Protocol;
use tracewright_sim::event::{Event, ExecutionState, Item};
use tracewright_sim::filter::{Filter, Settings};
use tracewright_sim::session::{Agreement, Session, Terms};

use self::patience::{Cycle, Patience, Waiting};
use self::pauses::{Pauses, Sight};
use self::state::State;
use self::take::Outcome;
use super::time_base::TimeBase;
use super::{Bench, Input, NOTHING};
use crate::cosim::{AnyError, Options};
use crate::error::Result;
use crate::library::{Library, OutputPort};
use crate::model::Model;
use crate::pins::{PacketPins, RetirePins, TracePins};
use crate::stimulus::{Addresses, Block, Blocks, Stimulus};

/// One cycle in this many has a request for a synchronisation, if there are any.
const REQUEST_INTERVAL: u64 = 1024;

pub(crate) struct Packets {
    retire: RetirePins,
    pins: PacketPins,
    blocks: Blocks,
    /// What the blocks are of.
    index: u64,
    event: Event,
    /// The state before the event and after it.
    states: [ExecutionState; 2],
    /// The block on the pins, and the state there.
    held: Option<(Block, ExecutionState)>,
    /// It is lost in front of the module, with blocks before it whose instructions it has.
    is_lost: bool,
    /// Blocks that are lost with it and are not in it yet.
    more_lost: u64,
    /// Where synchronisations are due.
    protocol: Protocol,
    /// Words of the trace after which one is due; 0 for never.
    sync_words: u64,
    /// Words that the sink had taken where the count began.
    words_before: u64,
    time: TimeBase,
    /// A synchronisation is requested in this cycle.
    requests: bool,
    filter: Settings,
    state: State,
    /// Tracing is on in this cycle, and no flush begins in it.
    is_on: bool,
    trace_valid: OutputPort,
    patience: Patience,
    pauses: Pauses,
    /// A block was shown since reset.
    has_retired: bool,
    noise: u64,
}

impl Packets {
    pub(crate) fn new(
        library: &Arc<Library>,
        options: &Options,
        golden: &mut impl Session,
    ) -> Result<Self> {
        let stimulus = &options.stimulus;
        golden.agree(Agreement::Synchronisations);
        let Terms { protocol, silent_cycles, .. } = golden.terms();
        let retire = match RetirePins::cores(library) {
            0 => RetirePins::find(library)?,
            _ => RetirePins::find_all(library)?.swap_remove(0),
        };
        let pins = PacketPins::find(library, stimulus.instruction_bytes)?;
        let reset = pins.state.reset_state();
        let filter = pins.filter.are_there();
        let filter = filter.then(|| Filter::new(stimulus.filter.clone(), pins.filter.alignment));
        let trace = TracePins::find(library)?;
        let clearing = patience::clearing(library, &retire)?;
        Ok(Packets {
            patience: Patience::new(clearing, trace.word_bits(), silent_cycles),
            trace_valid: trace.trace_valid,
            pauses: Pauses::new(trace.word_bits()),
            has_retired: false,
            noise: 0,
            blocks: Blocks::new(stimulus, retire.most_retired, retire.address_mask)
                .with_addresses(options.program.clone().map(Addresses::new)),
            retire,
            pins,
            index: 0,
            event: NOTHING,
            states: [reset; 2],
            held: None,
            is_lost: false,
            more_lost: 0,
            time: TimeBase::find(library, &protocol)?,
            sync_words: protocol.sync_words(trace.word_bits() as u32).into(),
            words_before: 0,
            protocol,
            requests: false,
            filter: stimulus.filter.clone(),
            state: State::new(reset, filter),
            is_on: false,
        })
    }

    /// Shows the block of a cycle in which tracing is on; true if a flush must begin in it.
    fn drive_blocks<G, I>(&mut self, bench: &mut Bench<'_, G, I>, noise: u64) -> Result<bool>
    where
        G: Session<Error: Into<AnyError>>,
        I: Iterator<Item = Result<Item>>,
    {
        self.count_words(bench);
        self.time.show(&mut bench.model, bench.report.cycles, noise);
        if bench.report.cycles == 0 {
            self.pins.filter.show(&mut bench.model, &self.filter, noise);
        }
        let stimulus = &bench.options.stimulus;
        self.request(&mut bench.model, stimulus, noise);
        self.noise = noise;
        if self.held.is_none() && (stimulus.is_bubble(noise) || self.pauses(bench, noise)) {
            self.show_none(&mut bench.model, noise);
            return Ok(false);
        }
        if self.held.is_some() {
            return Ok(false);
        }
        if !self.show_next(bench, noise)? {
            return Ok(true);
        }
        if !bench.flush_is_due() || !self.blocks.is_empty() || noise >> 63 == 0 {
            return Ok(false);
        }
        // A flush in the cycle of the last block, if that is taken, or lost, in this cycle.
        bench.model.settle()?;
        Ok(!self.waits(&bench.model))
    }

    /// The core has a pause in this cycle.
    fn pauses<G, I>(&mut self, bench: &Bench<'_, G, I>, noise: u64) -> bool
    where
        I: Iterator,
    {
        let stimulus = &bench.options.stimulus;
        let (waiting, is_open) = (self.state.waiting(), bench.model.get(self.retire.stall) == 0);
        let is_idle = waiting == Waiting::ForTables && !self.has_retired;
        if is_idle && stimulus.idle_start {
            return !is_open && !self.patience.is_over();
        }
        if !stimulus.pauses || self.pins.has_stall {
            return false;
        }
        let is_over = match waiting {
            Waiting::Nothing => self.patience.is_quiet(),
            _ => self.patience.is_over(),
        };
        let owed = bench.comparison.expected.len();
        self.pauses.has(&Sight { waiting, is_open, is_over, owed }, noise)
    }

    /// The core has to wait.
    fn waits(&self, model: &Model) -> bool {
        self.pins.has_stall && model.get(self.retire.stall) != 0
    }

    /// Blocks are lost while the trace ends.
    fn loses_when_off(&self) -> bool {
        self.protocol.enable_pin || self.protocol.drops_blocks()
    }

    /// So many words of the trace have left the module that a synchronisation is due.
    fn words_are_over<G, I: Iterator>(&self, bench: &Bench<'_, G, I>) -> bool {
        self.sync_words > 0 && bench.words - self.words_before >= self.sync_words
    }

    /// Begins the count of words in the cycle after that in which it restarts.
    fn count_words<G, I: Iterator>(&mut self, bench: &Bench<'_, G, I>) {
        if std::mem::take(&mut self.state.restarts_words) {
            self.words_before = bench.words;
        }
    }

    /// Requests a synchronisation, or does not. While one is made a request has no effect that the pins show.
    fn request(&mut self, model: &mut Model, stimulus: &Stimulus, noise: u64) {
        let is_idle = !self.state.is_due && self.state.loss.is_none();
        self.requests =
            stimulus.sync_requests && is_idle && (noise >> 17).is_multiple_of(REQUEST_INTERVAL);
        model.set(self.pins.sync_request, self.requests.into());
    }
}

impl<G, I> Input<G, I> for Packets
where
    G: Session<Error: Into<AnyError>>,
    I: Iterator<Item = Result<Item>>,
{
    const HAS_OWN_ORDER: bool = true;

    fn drive(&mut self, bench: &mut Bench<'_, G, I>, noise: u64) -> Result<bool> {
        let flushes = self.drive_blocks(bench, noise)?;
        self.is_on = !flushes;
        Ok(flushes)
    }

    /// A core that does not stall retires blocks while tracing is off.
    fn rest(&mut self, bench: &mut Bench<'_, G, I>, noise: u64) -> Result<()> {
        self.count_words(bench);
        self.time.show(&mut bench.model, bench.report.cycles, noise);
        bench.model.set(self.pins.sync_request, 0);
        (self.requests, self.is_on) = (false, false);
        let stimulus = &bench.options.stimulus;
        // A core that waits shows its block until that is taken, and without `enable_pin` it waits while the trace ends.
        let may_rest = self.protocol.enable_pin || !self.pins.has_stall;
        let rests = stimulus.pauses && may_rest && Pauses::rests(noise);
        if self.pins.drops.is_some() && bench.model.get(self.pins.flushed) != 0 && !rests {
            self.show_next(bench, noise)?;
        } else {
            self.show_none(&mut bench.model, noise);
        }
        Ok(())
    }

    fn flip(&mut self, model: &mut Model) {
        model.set(self.retire.retire_valid, self.held.is_none().into());
    }

    fn unflip(&mut self, model: &mut Model) {
        model.set(self.retire.retire_valid, self.held.is_some().into());
    }

    /// Bit 0: the block waits; bit 1: it is lost.
    fn stalls(&self, model: &Model) -> u64 {
        let drops = self.pins.drops.map_or(0, |drops| model.get(drops));
        u64::from(self.waits(model)) | drops << 1
    }

    /// A core that does not stall may retire its first block in the first cycle after reset.
    fn is_open(&self, stalls: u64) -> bool {
        stalls & 1 == 0
    }

    fn take(&mut self, bench: &mut Bench<'_, G, I>, stalls: u64, counts: bool) -> Result<bool> {
        let (waits, is_lost) = (stalls & 1 != 0, stalls & 2 != 0);
        let mut outcome = Outcome::default();
        let filtered = self.pins.filter.filtered;
        if filtered.is_some_and(|pin| (bench.model.get(pin) != 0) != self.state.is_filtered()) {
            outcome.broken = Some("`filtered` does not say whether a block passes the filter");
        }
        match self.held {
            Some(_) if waits => {
                bench.report.stall_cycles += u64::from(counts);
                self.state.is_requested |= self.requests;
                if self.state.is_filtered() {
                    outcome.broken = Some("a block waits that does not pass the filter");
                }
            }
            Some(block) if is_lost => self.lose(bench, &block, &mut outcome)?,
            Some(block) => self.accept(bench, &block, &mut outcome)?,
            None => self.state.is_requested |= self.requests,
        }
        if bench.model.get(self.pins.synchronised) != 0 {
            match self.state.begins() {
                Some(what) => bench.synchronise(what),
                None => outcome.broken = Some("`synchronised` is high where no packet may begin"),
            }
        }
        let late = self.patience.pass(&Cycle {
            is_on: self.is_on,
            sends: bench.model.get(self.trace_valid) != 0,
            takes: outcome.takes,
            loses: outcome.loses,
            may_go_on: outcome.may_go_on,
            waiting: self.state.waiting(),
        });
        if let Some(rule) = outcome.broken.or(late) {
            bench.breaks(rule);
        }
        Ok(outcome.takes || outcome.filters)
    }

    fn clearing_cycles(&self) -> u64 {
        self.patience.clearing()
    }

    fn discards(&mut self) {
        self.state.discards();
    }

    fn ends(&mut self) -> bool {
        let is_due = self.state.is_due || self.state.loss.is_some();
        self.state.is_open &= is_due;
        // The header after an end says what holds at the end.
        self.state.told = if is_due { self.state.told } else { self.state.now };
        self.state.is_ending = is_due;
        !is_due
    }
}
