//! What a stand-alone testbench shows and expects: a short synthetic trace as lines of hexadecimal
//! numbers, and the golden encoder's bits for it.

mod bits;
mod clock;
mod core;

use std::collections::VecDeque;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_hdl::unit::Pins;
use tracewright_sim::config::{CallLength, Processor, mask};
use tracewright_sim::encode::bit_packer::{BitPacker, BitUnpacker};
use tracewright_sim::event::{Event, Isa, Item, Machine};
use tracewright_sim::field::{Field, Sink};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::pins::module;
use tracewright_sim::scheme::{Design, Encoder};
use tracewright_sim::session::{Agreement, Detail, Session};
use tracewright_sim::synthetic::states::States;
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_testbench::stimulus::{Blocks, Stimulus};

use bits::Bits;
use core::Core;

use crate::Error;
use crate::shown::{Shown, TESTBENCH_TIME};

/// Lines for one core, and for each more.
const LINES: (usize, usize) = (180, 24);

/// A longer run of instructions is cut, so that it does not fill the file.
const LONGEST_RUN_BLOCKS: u64 = 2;

/// The seed of what the execution goes on in.
const STATES_SEED: u64 = 15;

/// A line is, from its lowest bit, the pins of a core, filled up to whole digits, the core's number,
/// flags, and the cycles to wait before it.
const CORE_BITS: usize = 4;
const FLAG_BITS: usize = 4;
const WAIT_BITS: usize = 12;

/// The core shows something.
const VALID: u64 = 1;
/// The next line is of the same cycle.
const MORE: u64 = 2;
/// A flush begins in this cycle.
const FLUSH: u64 = 4;

/// The lines of `vectors.hex` and the words of `expected.hex`.
#[derive(Clone, Debug)]
pub struct Vectors {
    /// The lines, all of one length.
    pub lines: Vec<String>,
    /// Words of the trace.
    pub words: Vec<u64>,
    /// Bits of a word.
    pub word_bits: usize,
    /// Blocks, or accesses, in the lines.
    pub blocks: usize,
    /// The trace says the cycles of blocks, so no block may be stalled.
    pub timed: bool,
    /// Every line counts for this, so that the testbench notices any change of the file.
    pub checksum: u32,
}

impl Vectors {
    /// The vectors of a design, the same for ever.
    ///
    /// # Errors
    /// When the design has pins that are not known, or cannot be encoded.
    pub fn new(design: &Design, pins: &Pins) -> Result<Vectors, Error> {
        let mut writer = Writer::new(design, pins)?;
        let synthetic = Synthetic::new(options(design)).map_err(Error::refused(design))?;
        if design.traces_data() {
            writer.accesses(synthetic)?;
        } else {
            writer.events(synthetic)?;
        }
        let (word_bits, timed) = (design.port().word_bits(), writer.is_timed());
        let bytes = writer.trace.packer.finish();
        let count = bytes.len() * 8 / word_bits as usize;
        let mut bits = BitUnpacker::new(bytes.as_slice());
        let words = (0..count).map(|_| bits.take(word_bits));
        Ok(Vectors {
            words: words.collect::<Result<_, _>>().map_err(Error::refused(design))?,
            word_bits: word_bits as usize,
            blocks: writer.blocks,
            timed,
            checksum: writer.lines.iter().fold(0, |sum, line| add_line(sum, line)),
            lines: writer.lines,
        })
    }

    /// The text of `vectors.hex`.
    pub fn vectors_text(&self) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).collect()
    }

    /// The text of `expected.hex`.
    pub fn expected_text(&self) -> String {
        let digits = self.word_bits.div_ceil(4);
        let words: Vec<String> =
            self.words.iter().map(|word| format!("{word:0digits$x}")).collect();
        words.chunks(16).map(|line| line.join(" ") + "\n").collect()
    }
}

/// A checksum that changes with any bit of the line.
fn add_line(sum: u32, line: &str) -> u32 {
    // The same as in the testbench: eight digits at a time, the last ones first.
    line.as_bytes().rchunks(8).fold(sum, |sum, digits| {
        let value = digits
            .iter()
            .fold(0, |value, digit| value << 4 | (*digit as char).to_digit(16).unwrap_or_default());
        sum.rotate_left(1) ^ value
    })
}

/// A program that brings every kind of record within few events.
fn options(design: &Design) -> Options {
    let &Processor { address_width, alignment, .. } = design.processor();
    let isa = [Isa::X86, Isa::RiscV, Isa::Arm][alignment.min(2) as usize];
    let address_bits = if address_width == 64 { 64 } else { 32 };
    let machine = Machine { isa, alignment: alignment as u8, address_bits };
    Options {
        machine,
        events: 300 * u64::from(design.cores()),
        functions: 8,
        exceptions: true,
        predicated: true,
        branch_every_instruction: false,
        predictability: 20,
        recursion_depth: 6,
        code_base: if address_bits == 64 { 0x5555_5555_4000 } else { 0x1_0000 },
        code_span: 1 << 18,
        threads: design.cores() as u8,
        uneven: false,
        data_accesses: if design.traces_data() { 40 } else { 0 },
        ..Options::from_seed(6)
    }
}

/// Collects the golden encoder's bits.
#[derive(Default)]
struct Trace {
    packer: BitPacker,
}

impl Sink for Trace {
    fn put(&mut self, _: &Field, bits: u64, count: u32) {
        self.packer.push(bits, count);
    }

    fn align(&mut self, unit: u32) {
        self.packer.align(unit);
    }
}

/// Writes lines and has the golden encoder follow them.
struct Writer<'a> {
    design: &'a Design,
    pins: &'a Pins,
    golden: Encoder,
    trace: Trace,
    random: ChaCha8Rng,
    lines: Vec<String>,
    most_lines: usize,
    blocks: usize,
    /// Bits of the trace before the last cycle.
    bits_before: u64,
    /// Bits of the trace before the last flush.
    bits_flushed: u64,
    /// The cycle of the next line, where the trace says cycles.
    cycle: u64,
    /// The cycle of the last block.
    shown_at: u64,
}

impl<'a> Writer<'a> {
    fn new(design: &'a Design, pins: &'a Pins) -> Result<Self, Error> {
        // What is due by bytes that have left is never made.
        let mut without_bytes = design.clone();
        if design.protocol().sync_bytes > 0 {
            without_bytes.set("sync_bytes", "0").map_err(Error::refused(design))?;
        }
        let mut golden = Encoder::new(&without_bytes).map_err(Error::refused(design))?;
        golden.agree(Agreement::Cycles);
        let mut trace = Trace::default();
        let time = Detail::Time(TESTBENCH_TIME);
        golden.detail(time, &mut trace).map_err(Error::refused(design))?;
        let (first, more) = LINES;
        Ok(Writer {
            design,
            pins,
            golden,
            trace,
            random: ChaCha8Rng::seed_from_u64(5),
            lines: Vec::new(),
            most_lines: first + more * (design.cores() as usize - 1),
            blocks: 0,
            bits_before: 0,
            bits_flushed: 0,
            cycle: clock::FIRST_CYCLE,
            shown_at: clock::FIRST_CYCLE,
        })
    }

    /// Every core shows its thread's events block by block, each at its own pace.
    fn events(&mut self, events: impl Iterator<Item = Event>) -> Result<(), Error> {
        let stimulus = Stimulus {
            instruction_bytes: 1 << self.design.processor().alignment,
            every_length: self.design.reads_lengths(),
            call_length: CallLength::of(self.design.processor()),
            ..Stimulus::default()
        };
        let most = mask(self.pins.width(&module::RETIRE_COUNT) as u32);
        let blocks = Blocks::new(&stimulus, most, mask(self.pins.width(&module::RETIRE_PC) as u32));
        let cores = self.design.cores() as usize;
        let protocol = self.design.protocol();
        let core = Core { blocks, queue: VecDeque::new(), state: protocol.reset_state() };
        let mut cores = vec![core; cores];
        let mut states = States::new(STATES_SEED, protocol).filter(|_| !self.counts_cycles());
        for event in events {
            let instructions = event.instructions.min(LONGEST_RUN_BLOCKS * most);
            let state = states.as_mut().and_then(|states| states.after(&event));
            let queue = &mut cores[usize::from(event.thread)].queue;
            queue.push_back((Event { instructions, ..event }, state));
        }
        let (interval, mut unsynchronised) = (u64::from(protocol.interval()), 0);
        while !self.is_full() && cores.iter().any(|core| !core.queue.is_empty()) {
            if self.words_may_be_over() {
                if self.counts_cycles() {
                    break;
                }
                self.flush(Vec::new())?;
                continue;
            }
            let mut shown = Vec::new();
            let pauses = cores.len() > 1;
            for (at, core) in cores.iter_mut().enumerate() {
                if pauses && self.random.random() {
                    continue;
                }
                if let Some((part, retired)) = core.next().map_err(Error::refused(self.design))? {
                    let fields = self.fields(&retired)?;
                    shown.push((at, [Item::Event(part), Item::State(retired.1)].into(), fields));
                }
            }
            if self.counts_cycles() {
                let instructions = |(_, items, _): &OnPins| match items.first() {
                    Some(Item::Event(part)) => part.instructions,
                    _ => 0,
                };
                unsynchronised += shown.iter().map(instructions).sum::<u64>();
                if interval > 0 && unsynchronised >= interval {
                    break;
                }
            }
            self.clock(shown)?;
        }
        self.flush(Vec::new())
    }

    /// True if so many bytes may have left the module that a synchronisation is due. When they leave depends on the
    /// sink, so there is a flush before that.
    fn words_may_be_over(&self) -> bool {
        let bytes = u64::from(self.design.protocol().sync_bytes);
        bytes > 0 && self.trace.packer.bits() - self.bits_flushed >= 8 * bytes
    }

    /// The one core shows the memory accesses.
    fn accesses(&mut self, synthetic: Synthetic) -> Result<(), Error> {
        for item in synthetic.items() {
            if self.is_full() {
                break;
            }
            if let Item::Access(access) = &item {
                let fields = self.fields(access)?;
                self.clock(vec![(0, vec![item], fields)])?;
            }
        }
        self.flush(Vec::new())
    }

    /// True when only the last flush is left to write.
    fn is_full(&self) -> bool {
        self.lines.len() + 1 >= self.most_lines
    }

    /// The values of all pins of a core.
    fn fields(&self, shown: &impl Shown) -> Result<Bits, Error> {
        let mut bits = Bits::default();
        for pin in &self.pins.fields {
            let unknown =
                || Error::UnknownPort { design: self.design.name.clone(), port: pin.name.clone() };
            bits.push(shown.value(&pin.name).ok_or_else(unknown)?, pin.width);
        }
        Ok(bits)
    }

    /// Writes a cycle in which these cores show something; half way through the trace it also begins a flush.
    fn clock(&mut self, shown: Vec<OnPins>) -> Result<(), Error> {
        if shown.is_empty() {
            return Ok(());
        }
        let half = self.most_lines / 2;
        // How long a flush takes is not known.
        let needs_cycles = self.tells_cycles() || self.golden.terms().times_events;
        let flush = !(self.counts_cycles() || needs_cycles)
            && self.lines.len() < half
            && self.lines.len() + shown.len() >= half;
        self.write(shown, flush)
    }

    fn flush(&mut self, shown: Vec<OnPins>) -> Result<(), Error> {
        self.write(shown, true)
    }

    fn write(&mut self, shown: Vec<OnPins>, flush: bool) -> Result<(), Error> {
        let wait = self.wait();
        for _ in 0..wait {
            self.end_of_cycle(0..self.design.cores());
        }
        self.cycle += wait;
        self.bits_before = self.trace.packer.bits();
        let mut core = 0;
        let flush_flag = if flush { FLUSH } else { 0 };
        if shown.is_empty() {
            self.line(wait, flush_flag, 0, &Bits::default());
        }
        let count = shown.len();
        for (index, (at, items, fields)) in shown.into_iter().enumerate() {
            let last = index + 1 == count;
            self.line(wait, VALID | if last { flush_flag } else { MORE }, at, &fields);
            self.blocks += 1;
            self.end_of_cycle(core..at as u32);
            core = at as u32;
            for item in items {
                if matches!(item, Item::Event(_)) {
                    self.cycles();
                }
                let refused = Error::refused(self.design);
                self.golden.item(&item, &mut self.trace).map_err(refused)?;
            }
            self.time().map_err(Error::refused(self.design))?;
        }
        self.cycle += 1;
        self.end_of_cycle(core..self.design.cores());
        if flush {
            self.golden.flush(&mut self.trace);
            self.bits_flushed = self.trace.packer.bits();
        }
        Ok(())
    }

    fn line(&mut self, wait: u64, flags: u64, core: usize, fields: &Bits) {
        let mut bits = fields.clone();
        bits.fill_up_to(self.pins.field_bits.next_multiple_of(4));
        bits.push(core as u64, CORE_BITS);
        bits.push(flags, FLAG_BITS);
        bits.push(wait, WAIT_BITS);
        self.lines.push(bits.hexadecimal());
    }
}

/// A core, an event and state or an access of it as the golden encoder knows them, and what its pins say.
type OnPins = (usize, Vec<Item>, Bits);
