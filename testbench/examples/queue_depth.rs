//! Prints how deep the queue for several blocks in a cycle must be, so that a core never stalls on these traces, and how
//! often it stalls with the default depth.
//!
//! The core is assumed to retire up to 2N instructions in a cycle, with at most N blocks. A jump or branch that is taken, or an
//! exception, ends the cycle, and the next one brings nothing: the core fetches from another place. Sequential instructions
//! at the end of a cycle are a block of their own. The trace port is always ready.
//!
//! `cargo run --release -p tracewright-testbench --example queue_depth -- DESIGN workloads/*.pet.zst`

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a measurement that fails says where"
)]

use std::collections::VecDeque;
use std::sync::Arc;

use tracewright_sim::blocks::joined;
use tracewright_sim::config::mask;
use tracewright_sim::ingress::Queue;
use tracewright_sim::scheme::Design;
use tracewright_sim::trace_io::{self, Reader};
use tracewright_testbench::stimulus::{Block, Blocks, Stimulus};
use tracewright_testbench::{BuildOptions, InputPort, Library, Model, OutputPort, design};

type Error = Box<dyn std::error::Error>;

/// Trace ports and encoders.
const SETTINGS: [(&str, &str); 5] =
    [("1", "serial"), ("4", "serial"), ("8", "serial"), ("8", "parallel"), ("16", "parallel")];

/// The first events of a trace.
const EVENTS: u64 = 200_000;

/// Deeper queues are of no use.
const DEEPEST: usize = 999;

fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let preset = arguments.next().ok_or("expected a design and traces")?;
    let traces: Vec<String> = arguments.collect();
    println!("| `trace_port_width` | `encoder` | N = 1 | N = 2 | N = 3 | N = 4 |");
    println!("|---|---|---|---|---|---|");
    for (width, encoder) in SETTINGS {
        let mut cells = Vec::new();
        for lanes in Queue::LANES {
            let mut all = Measured::default();
            for path in &traces {
                let reader = trace_io::open(path)?;
                let machine = reader.machine();
                let mut design = Design::preset(&preset)?.for_machine(machine)?;
                design.set("address_width", &machine.address_bits.to_string())?;
                design.set("trace_port_width", width)?;
                design.set("encoder", encoder)?;
                all.add(&measure(&design, path, Queue::new(lanes))?);
            }
            cells.push(all.cell(lanes as usize));
        }
        println!("| {width} | {encoder} | {} |", cells.join(" | "));
    }
    Ok(())
}

/// What traces need.
#[derive(Clone, Copy, Debug, Default)]
struct Measured {
    /// The highest level of a queue without a limit, with the blocks that a cycle can bring.
    level: usize,
    /// Cycles in which the core stalls with the default queue.
    stalls: u64,
    /// Cycles with the default queue.
    cycles: u64,
}

impl Measured {
    fn add(&mut self, other: &Measured) {
        self.level = self.level.max(other.level);
        self.stalls += other.stalls;
        self.cycles += other.cycles;
    }

    fn cell(&self, lanes: usize) -> String {
        let depth = self.level.max(2).next_multiple_of(lanes);
        let depth = if depth > DEEPEST { "-".into() } else { depth.to_string() };
        let percent = 100.0 * self.stalls as f64 / self.cycles as f64;
        format!("{depth}, {percent:.2} %")
    }
}

fn measure(design: &Design, path: &str, default: Queue) -> Result<Measured, Error> {
    let library = design::library(design, &BuildOptions::default())?;
    let lanes = default.lanes as usize;
    let mut measured = Measured::default();
    for limit in [usize::MAX, default.depth as usize] {
        let reader = trace_io::open(path)?;
        let mut module = Module::new(&library)?;
        let mut core = Core::new(design, reader, lanes);
        let mut queue = VecDeque::<Block>::new();
        let (mut cycles, mut stalls, mut is_single) = (0, 0, false);
        let bits = design.processor().retire_count_bits;
        let join = |oldest: &Block, next: &Block| {
            let count = joined(oldest.count, oldest.kind, next.count, bits)?;
            Some(Block { count, ..*next })
        };
        while !core.is_done {
            let is_stalled = queue.len() + lanes > limit;
            let arriving = if is_stalled { Vec::new() } else { core.cycle()? };
            if limit == usize::MAX && !arriving.is_empty() {
                measured.level = measured.level.max(queue.len() + lanes);
            }
            let next = queue.get(1).filter(|_| lanes > 1 && !is_single);
            let both = queue.front().zip(next).and_then(|(oldest, next)| join(oldest, next));
            let takes = module.cycle(both.as_ref().or(queue.front()))?;
            is_single = !takes && both.is_none() && !queue.is_empty();
            if takes {
                queue.drain(..queue.len().min(1 + usize::from(both.is_some())));
            }
            queue.extend(arriving);
            cycles += 1;
            stalls += u64::from(is_stalled);
        }
        (measured.cycles, measured.stalls) = (cycles, stalls);
    }
    Ok(measured)
}

/// A core that retires what a trace says.
struct Core {
    reader: Reader,
    /// Events that are left.
    events: u64,
    cut: Blocks,
    lanes: usize,
    /// The block whose instructions retire now, and how many of them are left.
    next: Option<(Block, u64)>,
    /// The core fetches from another place.
    fetches: bool,
    is_done: bool,
}

impl Core {
    fn new(design: &Design, reader: Reader, lanes: usize) -> Core {
        let processor = design.processor();
        let most = mask(processor.retire_count_bits);
        let cut = Blocks::new(&Stimulus::default(), most, mask(processor.address_width));
        Core { reader, events: EVENTS, cut, lanes, next: None, fetches: false, is_done: false }
    }

    /// The blocks of a cycle.
    fn cycle(&mut self) -> Result<Vec<Block>, Error> {
        let mut blocks = Vec::new();
        if std::mem::take(&mut self.fetches) {
            return Ok(blocks);
        }
        let mut instructions = 2 * self.lanes as u64;
        while blocks.len() < self.lanes {
            let Some((block, left)) = self.block()? else {
                self.is_done = true;
                break;
            };
            let retired = left.min(instructions);
            instructions -= retired;
            if retired < left {
                self.next = Some((Block { count: left - retired, ..block }, left - retired));
                if retired > 0 {
                    blocks.push(Block { count: retired, kind: 0, taken: false, ..block });
                }
                break;
            }
            self.next = None;
            blocks.push(block);
            let is_exception = block.kind == 5;
            if is_exception || block.kind != 0 && block.taken {
                self.fetches = true;
                break;
            }
        }
        Ok(blocks)
    }

    /// The block that retires now.
    fn block(&mut self) -> Result<Option<(Block, u64)>, Error> {
        while self.next.is_none() {
            if let Some(block) = self.cut.take() {
                self.next = Some((block, block.count));
                break;
            }
            let event = if self.events > 0 { self.reader.next_event()? } else { None };
            let Some(event) = event else { return Ok(None) };
            self.events -= 1;
            self.cut.load(&event)?;
        }
        Ok(self.next)
    }
}

/// A trace module whose port is always ready.
struct Module {
    model: Model,
    valid: InputPort,
    fields: Vec<InputPort>,
    stall: OutputPort,
}

impl Module {
    fn new(library: &Arc<Library>) -> Result<Module, Error> {
        let mut model = Model::new(library, 1)?;
        model.reset(2)?;
        let field = |name| Ok::<_, Error>(library.input_of_any_width(name)?.0);
        let fields = Block::PINS.iter().map(|pin| field(pin.name)).collect::<Result<_, _>>()?;
        model.set(library.input("trace_ready", 1)?, 1);
        let (valid, stall) = (library.input("retire_valid", 1)?, library.output("stall", 1)?);
        let mut module = Module { model, valid, fields, stall };
        // The core begins when the tables are clear.
        while !module.cycle(None)? {}
        Ok(module)
    }

    /// Shows the oldest block, if there is one. True if the module takes a block in this cycle.
    fn cycle(&mut self, block: Option<&Block>) -> Result<bool, Error> {
        self.model.set(self.valid, block.is_some().into());
        if let Some(block) = block {
            self.fields
                .iter()
                .zip(block.values())
                .for_each(|(pin, value)| self.model.set(*pin, value));
        }
        self.model.cycle()?;
        Ok(self.model.get(self.stall) == 0)
    }
}
