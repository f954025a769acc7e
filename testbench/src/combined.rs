//! Two designs that share a trace port in Verilator: blocks and accesses in, frames out.

use std::collections::VecDeque;
use std::sync::Arc;

use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::combined::Combined;
use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::event::{Access, Item};
use tracewright_sim::funnel::frames::FrameReader;
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::scheme::Encoder;

use crate::error::{Error, Result as SimulationResult};
use crate::library::Library;
use crate::model::Model;
use crate::pins::{DataPins, RetirePins, TracePins};
use crate::sinks::Failure;
use crate::stimulus::{Block, Blocks, ReadyPattern, Stimulus};

/// Cycles in which nothing moves after which the module hangs.
const PATIENCE: u64 = 100_000;

/// What a run has shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Cycles from the end of the reset on.
    pub cycles: u64,
    /// Cycles in which a block or an access was not taken.
    pub stall_cycles: u64,
    /// Blocks taken.
    pub blocks: u64,
    /// Memory accesses taken.
    pub accesses: u64,
    /// The frames that were sent.
    pub frames: Vec<u8>,
}

/// What the core shows, in its order.
#[derive(Clone, Copy)]
enum Shown {
    Block(Block),
    Access(Access),
}

struct Bench<'a> {
    model: Model,
    retire: RetirePins,
    data: DataPins,
    trace: TracePins,
    stimulus: &'a Stimulus,
    random: ChaCha8Rng,
    ready: ReadyPattern,
    blocks: Blocks,
    encoders: [Encoder; 2],
    golden: [BitPacker; 2],
    waiting: VecDeque<Shown>,
    /// Blocks and accesses on the pins, the first ones that wait.
    held: usize,
    /// The byte that was on offer and not taken.
    offered: Option<u64>,
    idle_cycles: u64,
    report: Report,
}

impl<'a> Bench<'a> {
    fn new(
        library: &Arc<Library>,
        combined: &Combined,
        stimulus: &'a Stimulus,
    ) -> SimulationResult<Self> {
        let retire = RetirePins::find(library)?;
        let encoder = |design| Encoder::new(design).map_err(|error| Error::Events(Box::new(error)));
        let [flow, data] = combined.designs();
        let mut model = Model::new(library, stimulus.seed)?;
        let trace = TracePins::find(library)?;
        if let Some(pin) = trace.clock_enable {
            model.set(pin, 1);
        }
        model.reset(stimulus.reset_clocks.max(1))?;
        Ok(Self {
            model,
            data: DataPins::find(library)?,
            trace,
            stimulus,
            random: ChaCha8Rng::seed_from_u64(stimulus.seed),
            ready: ReadyPattern::new(stimulus.ready),
            blocks: Blocks::new(stimulus, retire.most_retired, retire.address_mask),
            retire,
            encoders: [encoder(flow)?, encoder(data)?],
            golden: Default::default(),
            waiting: VecDeque::new(),
            held: 0,
            offered: None,
            idle_cycles: 0,
            report: Report::default(),
        })
    }

    fn fail<T>(&self, what: impl Into<String>) -> Result<T, Failure> {
        Err(Failure::Difference { cycle: self.report.cycles, what: what.into() })
    }

    /// Encodes an item, and cuts it into what the core shows.
    fn load(&mut self, index: u64, item: &Item) -> SimulationResult<()> {
        for (encoder, golden) in self.encoders.iter_mut().zip(&mut self.golden) {
            encoder.item(item, golden).map_err(|error| Error::Events(Box::new(error)))?;
        }
        match item {
            Item::Access(access) => self.waiting.push_back(Shown::Access(*access)),
            Item::State(_) | Item::Cycles(_) => {}
            Item::Event(event) => {
                let unpresentable = |reason| Error::Unpresentable { index, reason };
                self.blocks.load(event).map_err(unpresentable)?;
                while let Some(block) = self.blocks.take() {
                    self.waiting.push_back(Shown::Block(block));
                }
            }
        }
        Ok(())
    }

    /// Shows the next block, the next access, or the next two if they are one of each.
    fn show(&mut self) -> SimulationResult<()> {
        let noise = self.random.next_u64();
        if self.held == 0 && !self.stimulus.is_bubble(noise) {
            let mut next = self.waiting.iter();
            self.held = match (next.next(), next.next()) {
                (None, _) => 0,
                (Some(Shown::Access(_)), Some(Shown::Block(_)))
                | (Some(Shown::Block(_)), Some(Shown::Access(_)))
                    if self.random.random() =>
                {
                    2
                }
                _ => 1,
            };
        }
        self.retire.show_none(&mut self.model, noise);
        self.data.show_none(&mut self.model, noise);
        for shown in self.waiting.iter().take(self.held) {
            match shown {
                Shown::Block(block) => self.retire.show(&mut self.model, block, noise),
                Shown::Access(access) => self
                    .data
                    .show(&mut self.model, access)
                    .map_err(|reason| Error::Unpresentable { index: 0, reason })?,
            }
        }
        Ok(())
    }

    /// One cycle; gives `flushed`.
    fn cycle(&mut self) -> Result<bool, Failure> {
        self.show()?;
        let ready = self.ready.next(self.random.next_u64());
        self.model.set(self.trace.trace_ready, ready.into());
        self.model.cycle()?;
        self.report.cycles += 1;
        self.idle_cycles += 1;
        if self.held > 0 && self.model.get(self.retire.stall) == 0 {
            for shown in self.waiting.drain(..self.held) {
                match shown {
                    Shown::Block(_) => self.report.blocks += 1,
                    Shown::Access(_) => self.report.accesses += 1,
                }
            }
            (self.held, self.idle_cycles) = (0, 0);
        } else {
            self.report.stall_cycles += u64::from(self.held > 0);
        }
        let is_valid = self.model.get(self.trace.trace_valid) == 1;
        let byte = is_valid.then(|| self.model.get(self.trace.trace_data));
        if self.offered.is_some() && self.offered != byte {
            return self.fail("a byte changes before it is taken");
        }
        self.offered = byte.filter(|_| !ready);
        if let Some(byte) = byte.filter(|_| ready) {
            self.report.frames.push(byte as u8);
            self.idle_cycles = 0;
        }
        let flushed = self.model.get(self.trace.flushed) == 1;
        if flushed && is_valid {
            return self.fail("`trace_valid` is high together with `flushed`");
        }
        match self.idle_cycles {
            PATIENCE => self.fail("nothing moves any more"),
            _ => Ok(flushed),
        }
    }

    /// Ends the trace, which goes on after that.
    fn flush(&mut self) -> Result<(), Failure> {
        while !self.waiting.is_empty() {
            self.cycle()?;
        }
        for (encoder, golden) in self.encoders.iter_mut().zip(&mut self.golden) {
            encoder.flush(golden);
        }
        self.model.set(self.trace.flush, 1);
        while !self.cycle()? {}
        self.model.set(self.trace.flush, 0);
        while self.cycle()? {}
        Ok(())
    }

    /// Each source's bytes are those of its golden encoder.
    fn check(mut self, combined: &Combined) -> Result<Report, Failure> {
        let first = combined.funnel().first_id as u8;
        let mut sent = [Vec::new(), Vec::new()];
        for byte in FrameReader::new(self.report.frames.as_slice()) {
            match byte {
                Err(error) => return self.fail(error.to_string()),
                Ok((source, byte)) => match sent.get_mut(usize::from(source.wrapping_sub(first))) {
                    None => return self.fail(format!("bytes of a source {source}")),
                    Some(sent) => sent.push(byte),
                },
            }
        }
        let expected = std::mem::take(&mut self.golden).map(BitPacker::finish);
        for ((sent, expected), design) in sent.iter().zip(&expected).zip(combined.designs()) {
            let same = sent.iter().zip(expected).take_while(|(one, other)| one == other).count();
            if sent != expected {
                return self.fail(format!(
                    "{}: byte {same} differs; {} bytes are sent, {} expected",
                    design.name,
                    sent.len(),
                    expected.len()
                ));
            }
        }
        Ok(self.report)
    }
}

/// Shows every event and every memory access to a module made of both designs, and compares the bytes of each design in
/// its frames with those of the golden encoder. The run ends with a flush.
///
/// Of the stimulus count the seed, pauses, the sink, and flushes.
///
/// # Errors
/// What differs, or trouble with the tools or the trace.
pub fn run<E: Into<crate::cosim::AnyError>>(
    library: &Arc<Library>,
    combined: &Combined,
    items: impl IntoIterator<Item = Result<Item, E>>,
    stimulus: &Stimulus,
) -> Result<Report, Failure> {
    let mut bench = Bench::new(library, combined, stimulus)?;
    for (index, item) in (0..).zip(items) {
        let item = item.map_err(|error| Error::Events(error.into()))?;
        bench.load(index, &item)?;
        // Some of what waits may be shown together.
        while bench.waiting.len() > 4 {
            bench.cycle()?;
        }
        let interval = stimulus.flush_interval.unwrap_or(0);
        if interval > 0 && (index + 1) % interval == 0 {
            bench.flush()?;
        }
    }
    bench.flush()?;
    bench.check(combined)
}
