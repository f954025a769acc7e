//! One core whose trace is made of packets: the golden encoder gets every block in the cycle in which it is taken, and is
//! told of each loss and of each synchronisation.

mod state;

use tracewright_sim::config::Protocol;
use tracewright_sim::event::{Event, ExecutionState, Item};
use tracewright_sim::filter::{Filter, Settings};
use tracewright_sim::golden_encoder::GoldenEncoder;

use self::state::State;
use super::time_base::TimeBase;
use super::{Bench, Input, NOTHING};
use crate::cosim::{AnyError, Options};
use crate::error::{Error, Result};
use crate::library::Library;
use crate::model::Model;
use crate::pins::{PacketPins, RetirePins, TracePins};
use crate::report::Report;
use crate::stimulus::{Addresses, Block, Blocks, Stimulus};

/// The code of an exception on `retire_kind`.
const EXCEPTION: u64 = 5;

/// The most blocks that are lost together in front of the module.
const MOST_LOST_BLOCKS: u64 = 4;

/// Of so many blocks one begins a loss in front of the module, if the module has pins for it.
const LOSS_INTERVAL: u64 = 64;

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
}

impl Packets {
    pub(crate) fn new(
        library: &Library,
        options: &Options,
        golden: &mut impl GoldenEncoder,
    ) -> Result<Self> {
        let stimulus = &options.stimulus;
        let protocol = golden.follow_synchronisations();
        let retire = match RetirePins::cores(library) {
            0 => RetirePins::find(library)?,
            _ => RetirePins::find_all(library)?.swap_remove(0),
        };
        let pins = PacketPins::find(library, stimulus.instruction_bytes)?;
        let reset = pins.state.reset_state();
        let filter = pins.filter.are_there();
        let filter = filter.then(|| Filter::new(stimulus.filter.clone(), pins.filter.alignment));
        Ok(Packets {
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
            time: TimeBase::new(&protocol),
            sync_words: (8 * u64::from(protocol.sync_bytes))
                .div_ceil(TracePins::find(library)?.word_bits()),
            words_before: 0,
            protocol,
            requests: false,
            filter: stimulus.filter.clone(),
            state: State::new(reset, filter),
        })
    }

    /// Puts the next block, if there is one before the next flush, on the pins.
    fn show_next<G, I>(&mut self, bench: &mut Bench<'_, G, I>, noise: u64) -> Result<bool>
    where
        G: GoldenEncoder<Error: Into<AnyError>>,
        I: Iterator<Item = Result<Item>>,
    {
        while self.held.is_none() || self.more_lost > 0 {
            if let Some(block) = self.blocks.take() {
                self.hold(block, self.state_at(&block, noise), noise);
                continue;
            }
            let Some((index, event)) = bench.next_event()? else {
                self.more_lost = 0;
                if self.held.is_some() {
                    break;
                }
                self.show_none(&mut bench.model, noise);
                return Ok(false);
            };
            (self.index, self.event) = (index, event);
            self.blocks.load(&event).map_err(|reason| Error::Unpresentable { index, reason })?;
            self.states[0] = self.states[1];
            if let Some(state) = bench.next_state()? {
                self.states[1] = self.pins.state.traced(state);
            } else {
                self.states[1].cause = None;
            }
        }
        if let Some((block, state)) = &self.held {
            let shown = if self.is_lost { Block { count: noise >> 13, ..*block } } else { *block };
            self.retire.show(&mut bench.model, &shown, noise);
            self.pins.state.show(&mut bench.model, state, noise);
            if let Some((lost, count)) = self.pins.loss {
                bench.model.set(lost, self.is_lost.into());
                bench.model.set(count, if self.is_lost { block.count } else { noise >> 21 });
            }
        }
        Ok(true)
    }

    /// The block after the one that is held, and with it if both are lost; otherwise the block alone. Some blocks begin a
    /// loss in front of the module, if it has pins for that.
    fn hold(&mut self, block: Block, state: ExecutionState, noise: u64) {
        let count = match &self.held {
            Some((before, _)) => {
                self.more_lost -= 1;
                before.count + block.count
            }
            None => {
                let begins =
                    self.pins.loss.is_some() && (noise >> 41).is_multiple_of(LOSS_INTERVAL);
                self.is_lost = begins;
                self.more_lost = if begins { (noise >> 50) % MOST_LOST_BLOCKS } else { 0 };
                block.count
            }
        };
        self.held = Some((Block { count, ..block }, state));
    }

    /// The state after a block. It may change before the last block of an event, which the trace does not show.
    fn state_at(&self, block: &Block, noise: u64) -> ExecutionState {
        let is_last = self.blocks.is_empty();
        let [before, after] = self.states;
        let state = if is_last || (noise >> 20).is_multiple_of(4) { after } else { before };
        let has_cause = block.kind == EXCEPTION && self.protocol.cause_bits > 0;
        ExecutionState { cause: has_cause.then(|| state.cause.unwrap_or(0)), ..state }
    }

    fn show_none(&self, model: &mut Model, noise: u64) {
        self.retire.show_none(model, noise);
        self.pins.state.show_none(model, noise);
        if let Some((lost, count)) = self.pins.loss {
            model.set(lost, noise >> 9);
            model.set(count, noise >> 21);
        }
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
    G: GoldenEncoder<Error: Into<AnyError>>,
    I: Iterator<Item = Result<Item>>,
{
    const HAS_OWN_ORDER: bool = true;

    fn drive(&mut self, bench: &mut Bench<'_, G, I>, noise: u64) -> Result<bool> {
        self.count_words(bench);
        self.time.show(&mut bench.model, &self.pins, bench.report.cycles, noise);
        if bench.report.cycles == 0 {
            self.pins.filter.show(&mut bench.model, &self.filter, noise);
        }
        let stimulus = &bench.options.stimulus;
        self.request(&mut bench.model, stimulus, noise);
        if self.held.is_none() && stimulus.is_bubble(noise) {
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

    /// A core that does not stall retires blocks while tracing is off.
    fn rest(&mut self, bench: &mut Bench<'_, G, I>, noise: u64) -> Result<()> {
        self.count_words(bench);
        self.time.show(&mut bench.model, &self.pins, bench.report.cycles, noise);
        bench.model.set(self.pins.sync_request, 0);
        self.requests = false;
        if self.pins.drops.is_some() && bench.model.get(self.pins.flushed) != 0 {
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
        let (mut taken, mut broken) = (false, None);
        let filtered = self.pins.filter.filtered;
        if filtered.is_some_and(|pin| (bench.model.get(pin) != 0) != self.state.is_filtered()) {
            broken = Some("`filtered` does not say whether a block passes the filter");
        }
        match self.held {
            Some(_) if waits => {
                bench.report.stall_cycles += u64::from(counts);
                self.state.is_requested |= self.requests;
                if self.state.is_filtered() {
                    broken = Some("a block waits that does not pass the filter");
                }
            }
            Some(block) if is_lost => {
                self.held = None;
                self.state.is_requested |= self.requests;
                let is_off = bench.model.get(self.pins.flushed) != 0 && self.loses_when_off();
                let is_filtered = self.state.is_filtered() && !is_off;
                let Report { filtered_instructions, lost_instructions, .. } = &mut bench.report;
                *(if is_filtered { filtered_instructions } else { lost_instructions }) +=
                    block.0.count;
                if self.pins.has_stall && !is_off && self.state.must_wait() {
                    broken = Some("a block is lost that passes the filter, and the core can wait");
                }
                if self.state.loses(&block, is_off) {
                    bench.end_packet();
                }
                bench.time(self.time.now());
            }
            Some(block) => {
                self.held = None;
                taken = true;
                bench.report.blocks += 1;
                let words_are_over = self.words_are_over(bench);
                let rule = self.state.takes(&block, self.requests, words_are_over, &self.protocol);
                broken = rule.or(broken);
                bench.encode(self.index, &block.0.part_of(&self.event))?;
                if self.pins.state.are_there() {
                    bench.state(&block.1)?;
                }
                if self.state.is_due {
                    bench.end_packet();
                }
                bench.time(self.time.now());
            }
            None => self.state.is_requested |= self.requests,
        }
        if bench.model.get(self.pins.synchronised) != 0 {
            match self.state.begins() {
                Some(what) => bench.synchronise(what),
                None => broken = Some("`synchronised` is high where no packet may begin"),
            }
        }
        if let Some(rule) = broken {
            bench.breaks(rule);
        }
        Ok(taken)
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
