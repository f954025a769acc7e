//! The port of the core: what it shows in a cycle, and what the adapter's model makes of it.

use std::collections::VecDeque;

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use tracewright_sim::config::mask;
use tracewright_sim::event::{Event, ExecutionState, Item, Kind};
use tracewright_sim::pins::ingress;
use tracewright_sim::rvfi::{Compressed, Retirement, Rvfi, Xlen};
use tracewright_sim::scheme::Design;
use tracewright_sim::tip::{self, Cycle, Tip};
use tracewright_sim::unit::Ingress;

use super::execution::{Core, Execution, Known, Traps};
use super::hart::Hart;
use super::lane::{on_blocks, on_instructions, rows};
use super::probe::{self, Named};
use crate::error::{Error, Result};
use crate::library::InputPort;
use crate::model::Model;
use crate::stimulus::{Block, Blocks, Stimulus};

/// Events that have to come out of the adapter, each with the state after it.
pub(super) type Expected = VecDeque<(Event, ExecutionState)>;

/// A pin of a lane, if the port has it.
type Input = Option<InputPort>;

/// What the port shows in a lane.
#[derive(Clone, Copy, Debug)]
enum Entry {
    Instruction(Retirement),
    Cycle(Cycle),
    Block(Block, ExecutionState),
}

/// Whose model is asked what comes out.
enum Adapter {
    Instructions(Rvfi),
    Blocks(Tip),
    /// What the core shows is what comes out, but that runs may be joined.
    None,
}

/// Where entries come from.
enum Source<I: Iterator> {
    Instructions(Box<Execution<I>>),
    Cycles(Box<Hart<I>>),
    Blocks { items: I, blocks: Blocks, event: Option<Event>, events: u64, instructions: u64 },
}

/// The port.
pub(super) struct CorePort<I: Iterator> {
    source: Source<I>,
    adapter: Adapter,
    lanes: Vec<Vec<Input>>,
    /// Pins that all lanes share: cause, privilege level and context.
    shared: [Input; 3],
    state_bits: [u32; 3],
    /// The core holds what it shows until it is taken.
    holds: bool,
    slack: u32,
    /// What came since `stall` rose.
    since: u32,
    /// What each lane shows.
    shown: Vec<Option<Entry>>,
    state: ExecutionState,
    is_over: bool,
    pub(super) expected: Expected,
    /// Instructions of blocks since the last one that is an event.
    run: u64,
    /// Instructions that were shown in cycles before.
    number: u64,
}

/// Where the entries of a port come from, and the model of its adapter.
fn origin<I: Iterator<Item = Result<Item>>>(
    design: &Design,
    ingress: Option<&Ingress>,
    stimulus: &Stimulus,
    (items, known): (I, Known),
) -> (Source<I>, Adapter) {
    let (processor, protocol) = (design.processor(), design.protocol());
    let address_mask = mask(processor.address_width);
    let core = |xlen, has_long_words, traps| Core {
        xlen,
        address_mask,
        is_aligned: processor.alignment >= 2,
        has_long_words,
        traps,
        tells_no_jumps: matches!(ingress, Some(Ingress::Tip(tip::Config { itype_bits: 3, .. }))),
    };
    match ingress {
        Some(Ingress::Rvfi(config)) => {
            let traps = if config.pins.trap { Traps::Sometimes } else { Traps::Never };
            let core = core(config.xlen, config.compressed != Compressed::Raw, traps);
            let execution = Execution::new(core, items, known, stimulus.seed);
            (
                Source::Instructions(Box::new(execution)),
                Adapter::Instructions(Rvfi::new(*config, processor, 0)),
            )
        }
        Some(Ingress::Tip(config)) => {
            let traps = if config.itype_bits == 3 { Traps::Always } else { Traps::AfterBranches };
            let core = core(Xlen::Rv32, true, traps);
            let execution = Execution::new(core, items, known, stimulus.seed);
            let hart = Hart::new(execution, *config, processor);
            let twin = Tip::new(*config, processor, protocol, 0);
            (Source::Cycles(Box::new(hart)), Adapter::Blocks(twin))
        }
        Some(Ingress::Blocks(_)) | None => {
            let most = mask(processor.retire_count_bits);
            let addresses = known.program.map(crate::stimulus::Addresses::new);
            let blocks = Blocks::new(stimulus, most, address_mask).with_addresses(addresses);
            (
                Source::Blocks { items, blocks, event: None, events: 0, instructions: 0 },
                Adapter::None,
            )
        }
    }
}

impl<I: Iterator<Item = Result<Item>>> CorePort<I> {
    pub(super) fn new(
        pins: &Named<'_>,
        design: &Design,
        ingress: Option<&Ingress>,
        stimulus: &Stimulus,
        (items, known): (I, Known),
    ) -> Result<Self> {
        let protocol = design.protocol();
        let (source, adapter) = origin(design, ingress, stimulus, (items, known));
        let lanes = ingress.map_or(1, |ingress| ingress.lanes());
        let find = |name: &str, lane: u32| {
            let numbered = format!("{name}_0");
            let names = [&probe::of_lane(name, lane), name, &numbered];
            let places = if lanes > 1 { &names[..1] } else { &names[..] };
            places.iter().find_map(|name| pins.input(name).ok())
        };
        let rows = rows(ingress);
        let of_lane = |lane| rows.iter().map(|name| find(name, lane)).collect();
        let shared = [&ingress::TIP_CONTEXT, &ingress::TIP_PRIV, &ingress::TIP_CAUSE];
        Ok(CorePort {
            source,
            adapter,
            lanes: (0..lanes).map(of_lane).collect(),
            shared: shared.map(|row| pins.input(row.name).ok()),
            state_bits: [protocol.context_bits, protocol.privilege_bits, protocol.cause_bits],
            holds: matches!(ingress, Some(Ingress::Blocks(_)) | None),
            slack: ingress.map_or(0, |ingress| ingress.slack()),
            since: 0,
            shown: vec![None; lanes as usize],
            state: ExecutionState { context: 0, privilege: 0, cause: None },
            is_over: false,
            expected: VecDeque::new(),
            run: 0,
            number: 0,
        })
    }

    fn shows_nothing(&self) -> bool {
        self.shown.iter().all(Option::is_none)
    }

    /// True if everything was shown and taken.
    pub(super) fn is_over(&self) -> bool {
        self.is_over && self.shows_nothing()
    }

    /// Nothing is held that the core has to show until it is taken.
    pub(super) fn is_at_rest(&self) -> bool {
        (!self.holds || self.shows_nothing()) && !self.owes()
    }

    /// The core has to show something before it rests.
    fn owes(&self) -> bool {
        matches!(&self.source, Source::Cycles(hart) if hart.owes())
    }

    /// Events and instructions so far.
    pub(super) fn counts(&self) -> (u64, u64) {
        match &self.source {
            Source::Instructions(execution) => (execution.events, execution.instructions),
            Source::Cycles(hart) => (hart.execution.events, hart.execution.instructions),
            Source::Blocks { events, instructions, .. } => (*events, *instructions),
        }
    }

    /// The code that was shown, if a decoder needs it and it is of one program.
    pub(super) fn into_code(self) -> Option<super::ShownCode> {
        match self.source {
            Source::Instructions(execution) => execution.code.map(super::ShownCode),
            Source::Cycles(hart) => hart.execution.code.map(super::ShownCode),
            Source::Blocks { .. } => None,
        }
    }

    /// Shows what retires in a cycle, unless the core rests, or has to wait, as `stall` says.
    pub(super) fn show(
        &mut self,
        model: &mut Model,
        random: &mut ChaCha8Rng,
        stimulus: &Stimulus,
        (rests, stall): (bool, bool),
    ) -> Result<()> {
        self.since = if stall { self.since } else { 0 };
        if !self.holds {
            self.number += self.shown.iter().flatten().count() as u64;
            self.shown.fill(None);
        }
        let has_all = self.holds && !self.shows_nothing();
        self.change_state(random);
        for lane in 0..self.lanes.len() {
            let is_bubble = random.random_range(0..100) < u32::from(stimulus.bubble_percent);
            let may = self.holds || !stall || self.since < self.slack;
            let is_asleep = rests && !self.owes();
            if !has_all && !is_asleep && may && !is_bubble && !self.is_over {
                self.show_next(random, stall, lane)?;
            }
            let noise = random.random();
            self.set_lane(model, lane, noise);
        }
        Ok(())
    }

    fn change_state(&mut self, random: &mut ChaCha8Rng) {
        let [context_bits, privilege_bits, cause_bits] = self.state_bits;
        // The highest bit of a cause says whether it is an interrupt.
        let cause = random.random::<u64>() & mask(cause_bits.saturating_sub(1));
        self.state.cause = Some(cause);
        if random.random_range(0..50) == 0 {
            self.state.context = random.random::<u64>() & mask(context_bits);
            self.state.privilege = (random.random::<u64>() & mask(privilege_bits)) as u8;
        }
    }

    /// The next entry, which the model of the adapter is told.
    fn show_next(&mut self, random: &mut ChaCha8Rng, stall: bool, lane: usize) -> Result<()> {
        let Some(entry) = self.next_entry(random)? else {
            self.is_over = true;
            return Ok(());
        };
        self.since += u32::from(stall);
        self.shown[lane] = Some(entry);
        let expected = &mut self.expected;
        match (&mut self.adapter, entry) {
            (Adapter::Instructions(twin), Entry::Instruction(retired)) => {
                let keep = |event| {
                    expected.push_back((event, ExecutionState::default()));
                    Ok::<(), Error>(())
                };
                twin.retire(&retired, keep)
            }
            (Adapter::Blocks(twin), Entry::Cycle(cycle)) => twin.cycle(&cycle, |event, state| {
                expected.push_back((event, state));
                Ok(())
            }),
            (Adapter::None, Entry::Block(block, state)) => {
                self.run += block.count;
                if block.kind != 0 {
                    let event = self.event_of(&block);
                    self.expected.push_back((event, state));
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The event of a block that ends one.
    fn event_of(&mut self, block: &Block) -> Event {
        let instructions = std::mem::take(&mut self.run);
        let Source::Blocks { event: Some(event), .. } = &self.source else {
            return Event::straight_run(instructions, block.program_counter);
        };
        Event { instructions, length: block.length as u8, ..*event }
    }

    fn next_entry(&mut self, random: &mut ChaCha8Rng) -> Result<Option<Entry>> {
        let Self { source, state, state_bits, .. } = self;
        match source {
            Source::Instructions(execution) => Ok(execution.next()?.map(Entry::Instruction)),
            Source::Cycles(hart) => Ok(hart.next(random, state)?.map(Entry::Cycle)),
            Source::Blocks { items, blocks, event, events, instructions } => loop {
                if let Some(block) = blocks.take() {
                    *instructions += block.count;
                    let is_exception =
                        block.kind == Kind::Exception.pin_code() && state_bits[2] > 0;
                    let cause = random.random::<u64>() & mask(state_bits[2]);
                    let state = ExecutionState { cause: is_exception.then_some(cause), ..*state };
                    return Ok(Some(Entry::Block(block, state)));
                }
                match items.next().transpose()? {
                    None => return Ok(None),
                    Some(Item::Event(next)) => {
                        let index = *events;
                        *events += 1;
                        blocks
                            .load(&next)
                            .map_err(|reason| Error::Unpresentable { index, reason })?;
                        *event = Some(next);
                    }
                    Some(_) => {}
                }
            },
        }
    }

    /// Sets the pins of a lane: an entry, or noise.
    fn set_lane(&self, model: &mut Model, lane: usize, noise: u64) {
        let before = self.shown[..lane].iter().flatten().count() as u64;
        let values = match &self.shown[lane] {
            None => (0..12).map(|at| if at == 0 { 0 } else { noise.rotate_left(7 * at) }).collect(),
            Some(Entry::Instruction(retired)) => on_instructions(retired, self.number + before),
            Some(Entry::Cycle(cycle)) => {
                vec![
                    cycle.itype.into(),
                    cycle.address,
                    cycle.retired,
                    cycle.last_size.into(),
                    cycle.instructions,
                ]
            }
            Some(Entry::Block(block, state)) => on_blocks(block, state),
        };
        let is_quiet_port =
            matches!(self.adapter, Adapter::Blocks(_)) && self.shown[lane].is_none();
        for (at, (pin, value)) in self.lanes[lane].iter().zip(values).enumerate() {
            let Some(pin) = pin else { continue };
            // `itype` and `iretire` say together that there is nothing.
            model.set(*pin, if is_quiet_port && at == 2 { 0 } else { value });
        }
        let ExecutionState { context, privilege, cause } = self.state;
        for (pin, value) in self.shared.iter().zip([context, privilege.into(), cause.unwrap_or(0)])
        {
            if let Some(pin) = pin {
                model.set(*pin, value);
            }
        }
    }

    /// Ends the cycle: what the core holds is taken unless it has to wait.
    pub(super) fn end_cycle(&mut self, stall: bool) {
        if self.holds && !stall {
            self.shown.fill(None);
        }
    }

    /// The adapter is flushed and nothing comes: what is held is shown as far as it is known.
    pub(super) fn flush(&mut self) {
        let expected = &mut self.expected;
        let _ = match &mut self.adapter {
            Adapter::Instructions(twin) => twin.flush(|event| {
                expected.push_back((event, ExecutionState::default()));
                Ok::<(), Error>(())
            }),
            Adapter::Blocks(twin) => twin.flush(|event, state| {
                expected.push_back((event, state));
                Ok::<(), Error>(())
            }),
            Adapter::None => Ok(()),
        };
    }

    /// Instructions after the last event that the adapter has shown once it is flushed.
    pub(super) fn trailing_instructions(&self) -> u64 {
        match &self.adapter {
            Adapter::Instructions(twin) => twin.trailing_instructions(),
            Adapter::Blocks(twin) => twin.trailing_instructions(),
            Adapter::None => self.run,
        }
    }
}
