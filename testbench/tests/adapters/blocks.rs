//! A core that shows random blocks in several lanes.

use std::collections::VecDeque;
use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_hdl::{Generated, Part};
use tracewright_sim::blocks::{Config, joined};
use tracewright_sim::config::mask;
use tracewright_sim::scheme::Design;
use tracewright_testbench::{InputPort, Library, Model, OutputPort};

use super::{Adapter, Bench, Flush, Losses, Show};

impl Adapter for Config {
    fn part<'a>(&'a self, design: &'a Design) -> Part<'a> {
        Part::Blocks(design, self)
    }

    fn generate(&self, design: &Design) -> Result<Generated, tracewright_hdl::Error> {
        tracewright_hdl::generate_blocks_adapter(design, self)
    }

    fn bench<'a>(
        &'a self,
        library: &Arc<Library>,
        design: &Design,
        show: Show,
    ) -> tracewright_testbench::Result<Box<dyn Bench + 'a>> {
        Ok(Box::new(Blocks::new(library, design, self, show)?))
    }
}

/// The fields of a block, in the order of [`FIELDS`].
type Block = [u64; FIELDS.len()];

const FIELDS: [&str; 11] = [
    "count",
    "pc",
    "length",
    "kind",
    "call",
    "return",
    "taken",
    "target",
    "context",
    "privilege",
    "cause",
];

/// Places of fields.
const COUNT: usize = 0;
const KIND: usize = 3;

/// The pins of a lane; those that a design does not have are not there.
struct Lane {
    valid: InputPort,
    fields: Vec<(usize, InputPort, u32)>,
}

struct Pins {
    lanes: Vec<Lane>,
    flush: InputPort,
    /// Where the core waits for the queue, and the queue for the trace module.
    stalls: Option<(InputPort, OutputPort)>,
    /// Where blocks are lost: `retire_lost` and `retire_lost_count`.
    losses: Option<(OutputPort, OutputPort)>,
    drained: OutputPort,
    retire_valid: OutputPort,
    fields: Vec<(usize, OutputPort)>,
}

impl Pins {
    fn find(library: &Library, lanes: u32) -> tracewright_testbench::Result<Pins> {
        let lane = |lane: u32| {
            let field = |(at, name): (usize, &&str)| {
                let (port, width) =
                    library.input_of_any_width(&format!("lane_{name}_{lane}")).ok()?;
                Some((at, port, width))
            };
            let valid = library.input(&format!("lane_valid_{lane}"), 1)?;
            Ok(Lane { valid, fields: FIELDS.iter().enumerate().filter_map(field).collect() })
        };
        let field = |(at, name): (usize, &&str)| {
            let (port, _) = library.output_of_any_width(&format!("retire_{name}")).ok()?;
            Some((at, port))
        };
        Ok(Pins {
            lanes: (0..lanes).map(lane).collect::<tracewright_testbench::Result<_>>()?,
            flush: library.input("flush", 1)?,
            stalls: match library.input("retire_stall", 1) {
                Ok(retire_stall) => Some((retire_stall, library.output("stall", 1)?)),
                Err(_) => None,
            },
            losses: match library.output("retire_lost", 1) {
                Ok(lost) => Some((lost, library.output_of_any_width("retire_lost_count")?.0)),
                Err(_) => None,
            },
            drained: library.output("drained", 1)?,
            retire_valid: library.output("retire_valid", 1)?,
            fields: FIELDS.iter().enumerate().filter_map(field).collect(),
        })
    }
}

/// A core, its adapter, and the blocks that are between them and the trace module.
struct Blocks {
    config: Config,
    show: Show,
    pins: Pins,
    model: Model,
    random: ChaCha8Rng,
    /// Bits of an address that are not stored.
    unit_mask: u64,
    /// The blocks of the lanes in this cycle.
    shown: Vec<Option<Block>>,
    waiting: VecDeque<Block>,
    /// The block at the pins was not taken, and was shown alone.
    is_single: bool,
    /// Blocks are lost until none waits.
    is_shedding: bool,
    losses: Losses,
    retire_count_bits: u32,
    flush: Flush,
    /// It is on since the cycle after that in which it began.
    flushes: bool,
}

impl Blocks {
    fn new(
        library: &Arc<Library>,
        design: &Design,
        config: &Config,
        show: Show,
    ) -> tracewright_testbench::Result<Self> {
        let mut model = Model::new(library, show.seed)?;
        model.reset(2)?;
        Ok(Blocks {
            config: *config,
            show,
            pins: Pins::find(library, config.lanes)?,
            model,
            random: ChaCha8Rng::seed_from_u64(show.seed),
            unit_mask: mask(design.processor().alignment),
            shown: Vec::new(),
            waiting: VecDeque::new(),
            is_single: false,
            is_shedding: false,
            losses: Losses::default(),
            retire_count_bits: design.processor().retire_count_bits,
            flush: Flush::default(),
            flushes: false,
        })
    }

    /// A cycle in front of a module that loses blocks. The core does not wait.
    fn check_losses(&mut self) -> Result<(), String> {
        let (is_empty, before) = (self.waiting.is_empty(), self.waiting.len());
        if (self.model.get(self.pins.retire_valid) != 0) == is_empty {
            return Err(format!("`retire_valid` with {} blocks inside", self.waiting.len()));
        }
        let loses = self.is_shedding || self.waiting.len() >= self.config.shed_level() as usize;
        if let Some((lost, count)) = self.pins.losses.filter(|_| !is_empty) {
            let leave = self.waiting.len().min(self.config.lanes as usize);
            if (self.model.get(lost) != 0) != loses {
                return Err(format!("`retire_lost` with {} blocks inside", self.waiting.len()));
            }
            if loses {
                let lost = self.waiting.iter().take(leave).map(|block| block[COUNT]);
                let instructions = lost.sum::<u64>();
                let (found, last) = (self.model.get(count), self.waiting[leave - 1]);
                if found != instructions {
                    return Err(format!("`retire_lost_count` is {found}, not {instructions}"));
                }
                self.check_fields(&last, |field| field != COUNT)?;
                self.waiting.drain(..leave);
                self.losses.lost += instructions;
            } else {
                let joins = self.check_oldest()?;
                self.waiting.drain(..self.waiting.len().min(1 + usize::from(joins)));
            }
        }
        self.is_shedding = loses && before > self.config.lanes as usize;
        self.flush.ends_after(self.config.depth, self.model.get(self.pins.drained) != 0)?;
        self.losses.of += self.shown.iter().flatten().map(|block| block[COUNT]).sum::<u64>();
        self.waiting.extend(self.shown.drain(..).flatten());
        if self.waiting.len() > self.config.depth as usize {
            return Err("the model of the queue has no room".into());
        }
        Ok(())
    }

    /// What a lane shows next.
    fn block(&mut self, ending: bool) -> Option<Block> {
        if ending || self.random.random_range(0..100) < self.show.bubbles {
            return None;
        }
        let random = &mut self.random;
        let unit_mask = self.unit_mask;
        let field = |name: &str| match name {
            "pc" | "target" => random.random::<u64>() & !unit_mask,
            // Half of them are sequential.
            "kind" => random.random_range(0..6) * random.random_range(0..2),
            "count" => random.random_range(0..20),
            _ => random.random(),
        };
        let mut block = FIELDS.map(field);
        // As many bits as the pin has.
        for (at, value) in block.iter_mut().enumerate() {
            let pins = &self.pins.lanes[0].fields;
            let width = pins.iter().find(|(field, ..)| *field == at).map_or(0, |pin| pin.2);
            *value &= mask(width);
        }
        Some(block)
    }

    /// Shows the lanes, with noise on those without a block.
    fn set_lanes(&mut self) {
        let noise: u64 = self.random.random();
        for (lane, block) in self.pins.lanes.iter().zip(&self.shown) {
            self.model.set(lane.valid, block.is_some().into());
            for (at, port, width) in &lane.fields {
                let value = block.map_or(noise.rotate_left(*at as u32), |block| block[*at]);
                self.model.set(*port, value & mask(*width));
            }
        }
    }

    /// Checks that the oldest block is at the pins of the trace module, together with the next one if they are joined.
    /// True if they are.
    fn check_oldest(&self) -> Result<bool, String> {
        let Some(oldest) = self.waiting.front() else { return Ok(false) };
        let next = self.waiting.get(1).filter(|_| !self.is_single);
        let join = |next: &Block| {
            let count = joined(oldest[COUNT], oldest[KIND], next[COUNT], self.retire_count_bits)?;
            let mut block = *next;
            block[COUNT] = count;
            Some(block)
        };
        let both = next.and_then(join);
        let block = both.unwrap_or(*oldest);
        self.check_fields(&block, |_| true)?;
        Ok(both.is_some())
    }

    /// Checks some fields of the block at the pins of the trace module.
    fn check_fields(
        &self,
        block: &Block,
        is_checked: impl Fn(usize) -> bool,
    ) -> Result<(), String> {
        for (at, port) in self.pins.fields.iter().filter(|(at, _)| is_checked(*at)) {
            let (shown, value) = (self.model.get(*port), block[*at]);
            if shown != value {
                return Err(format!("`retire_{}` is {shown:#x}, not {value:#x}", FIELDS[*at]));
            }
        }
        Ok(())
    }

    /// Checks that `drained` is high exactly from the first cycle of a flush without a block on.
    fn check_drained(&mut self, stall: bool) -> Result<(), String> {
        let drained = self.model.get(self.pins.drained) != 0;
        let wanted = self.flushes && (self.flush.was_drained || self.waiting.is_empty() && stall);
        if drained != wanted {
            return Err(format!(
                "`drained` is {drained} with {} blocks inside",
                self.waiting.len()
            ));
        }
        self.flush.was_drained = drained;
        Ok(())
    }
}

impl Bench for Blocks {
    fn clock(&mut self, ending: bool, last: bool) -> Result<(), String> {
        let show = self.show;
        self.flush.step(&mut self.random, &show, ending, last);
        self.model.set(self.pins.flush, self.flush.is_on.into());
        if self.shown.is_empty() {
            self.shown = (0..self.config.lanes).map(|_| self.block(ending)).collect();
        }
        self.set_lanes();
        let Some((retire_stall_pin, stall_pin)) = self.pins.stalls else {
            self.model.cycle().map_err(|error| error.to_string())?;
            return self.check_losses();
        };
        let retire_stall = !ending && self.random.random_range(0..100) < show.stalls;
        self.model.set(retire_stall_pin, retire_stall.into());
        self.model.cycle().map_err(|error| error.to_string())?;

        let full = self.waiting.len() + self.config.lanes as usize > self.config.depth as usize;
        let stall = self.model.get(stall_pin) != 0;
        if stall != (full || self.flushes) {
            return Err(format!("`stall` is {stall} with {} blocks inside", self.waiting.len()));
        }
        if (self.model.get(self.pins.retire_valid) != 0) == self.waiting.is_empty() {
            return Err(format!("`retire_valid` with {} blocks inside", self.waiting.len()));
        }
        self.check_drained(stall)?;
        let joins = self.check_oldest()?;
        self.is_single = retire_stall && !self.waiting.is_empty() && !joins;
        if !retire_stall {
            self.waiting.drain(..self.waiting.len().min(1 + usize::from(joins)));
        }
        if !stall {
            self.waiting.extend(self.shown.drain(..).flatten());
        }
        self.flushes = self.flush.is_on;
        Ok(())
    }

    fn finish(&self) -> Result<Losses, String> {
        let loses = self.pins.losses.is_some();
        if loses && self.losses.lost == 0 && self.show.bubbles < 50 {
            return Err("no block was lost".into());
        }
        self.flush.has_ended()?;
        Ok(self.losses)
    }
}
