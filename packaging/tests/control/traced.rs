//! A core that runs a program in front of a module with control registers, and what is decoded of its trace.

use std::sync::Arc;

use rand::Rng;
use tracewright_sim::encode::bit_packer::{BitPacker, BitUnpacker};
use tracewright_sim::event::{Event, Machine};
use tracewright_sim::packet::header::LossCause;
use tracewright_sim::packet::part::{Gap, Part, Reason, Recovered};
use tracewright_sim::program::{Program, ProgramBuilder};
use tracewright_sim::scheme::{self, Design};
use tracewright_sim::sinks::{Handshake, Sink};
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_testbench::bus::{Clocked, Master};
use tracewright_testbench::sinks::memory::{Memory, Pace};
use tracewright_testbench::stimulus::{Block, Blocks, Stimulus};
use tracewright_testbench::{Library, Model};

use super::bus::Pins;
use super::standard::level_after;

/// Cycles within which a core that is stopped has executed its block.
const PATIENCE: usize = 20_000;

/// The control register of the ATB bridge, and the number that its source has on the bus.
pub const BRIDGE: u32 = 0x1000;
pub const SOURCE: u64 = 0x5a;

/// What a register of the ATB bridge has that is on.
pub const BRIDGE_ON: u32 = 3 | (SOURCE as u32) << 8;

/// A model, its design, and what its core executes.
pub type Parts<'a> = (&'a Arc<Library>, &'a Design, &'a Work);

/// What a core executes.
pub struct Work {
    pub events: Vec<Event>,
    pub program: Program,
    pub machine: Machine,
}

impl Work {
    pub fn new(events: u64) -> Work {
        let synthetic =
            Synthetic::new(Options { events, ..Options::from_seed(3) }).expect("a program");
        let machine = synthetic.machine();
        Work::of(synthetic.collect(), machine)
    }

    /// An execution, and the program that it was of.
    pub fn of(events: Vec<Event>, machine: Machine) -> Work {
        let mut builder = ProgramBuilder::new(machine);
        events.iter().for_each(|event| builder.event(event).expect("a good event"));
        Work { events, program: builder.finish().expect("a program"), machine }
    }

    /// A design for this machine.
    pub fn design(&self, design: &Design) -> Design {
        let mut design = design.clone();
        design.set("address_width", &self.machine.address_bits.to_string()).expect("a good value");
        design.for_machine(self.machine).expect("a good design")
    }
}

/// What was decoded of whole packets.
#[derive(Default)]
pub struct Decoded {
    pub events: Vec<Event>,
    /// Gaps, and the number of events before each.
    pub gaps: Vec<(usize, Gap)>,
    pub recovered: Recovered,
}

impl Decoded {
    pub fn new(design: &Design, program: &Program, bytes: &[u8]) -> Decoded {
        let mut decoded = Decoded::default();
        let (events, gaps) = (&mut decoded.events, &mut decoded.gaps);
        let mut is_verified = true;
        decoded.recovered = scheme::decode_packets(
            design,
            program,
            &mut BitUnpacker::new(bytes),
            u64::MAX,
            |part| {
                match part {
                    Part::Event(event) if is_verified => events.push(event),
                    Part::Gap(gap) => {
                        gaps.push((events.len(), gap));
                        is_verified = true;
                    }
                    // What comes up to the next gap is of a packet that is cut off.
                    Part::Unverified => is_verified = false,
                    Part::Event(_) | Part::State(_) | Part::Time(_) => {}
                }
                Ok::<(), Box<dyn std::error::Error>>(())
            },
        )
        .expect("a trace");
        decoded
    }

    /// Instructions that were lost while tracing was off.
    pub fn off(&self) -> Vec<u64> {
        let lost = self.gaps.iter().filter_map(|(_, gap)| match gap.reason {
            Reason::Lost(loss) if loss.cause == LossCause::Off => Some(loss.instructions),
            _ => None,
        });
        lost.collect()
    }

    /// Every part between two gaps is execution: its events, but for the first one, are in a row in the program's.
    pub fn check_parts(&self, work: &Work) -> Result<(), String> {
        let known =
            |event: &Event| (event.instructions, event.program_counter, event.taken, event.target);
        let all: Vec<_> = work.events.iter().map(known).collect();
        let mut ends: Vec<usize> = self.gaps.iter().map(|(place, _)| *place).collect();
        ends.push(self.events.len());
        let mut begin = 0;
        for end in ends {
            let part: Vec<_> = self.events[begin..end].iter().skip(1).map(known).collect();
            let mut places = all.windows(part.len().max(1));
            if !part.is_empty() && !places.any(|some| some == part) {
                return Err(format!("events {begin} to {end} are not in the program"));
            }
            begin = end;
        }
        Ok(())
    }
}

/// How the trace leaves a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Port {
    /// Data, valid and ready, of the trace port or of a bus.
    Handshake { data: &'static str, valid: &'static str, ready: &'static str, bits: u32 },
    /// Pins of a chip, and the level of their clock.
    Pins { clock: u64, bits: u32 },
    /// Through the registers.
    Ram,
}

impl Port {
    fn find(library: &Library, bits: u32) -> Port {
        let is_there = |name| library.output_of_any_width(name).is_ok();
        let of_sinks = Sink::ALL.into_iter().filter_map(|sink| {
            let Handshake { data, valid, ready } = sink.handshake()?;
            Some((data.name, valid.name, ready.name, sink.beat_bits(bits)))
        });
        let mut all =
            [("trace_data", "trace_valid", "trace_ready", bits)].into_iter().chain(of_sinks);
        if let Some((data, valid, ready, bits)) = all.find(|(_, valid, ..)| is_there(valid)) {
            Port::Handshake { data, valid, ready, bits }
        } else if is_there("pin_clock") {
            Port::Pins { clock: 0, bits }
        } else {
            Port::Ram
        }
    }
}

/// A core, a module and a sink.
pub struct Bench {
    pub pins: Pins,
    /// Pins of the core have this after their names.
    suffix: &'static str,
    /// The pins of each block of a cycle have this.
    lanes: Vec<String>,
    blocks: Vec<Block>,
    next: usize,
    /// The blocks of this cycle, one in each of the first lanes.
    shown: Vec<Block>,
    /// The core runs.
    pub runs: bool,
    /// The sink, where it is not a RAM: it takes beats.
    pub takes: bool,
    port: Port,
    /// The pin of the clock enable.
    gate: Option<&'static str>,
    trace: BitPacker,
    /// The memory of the system, its pace, and the addresses of the first and the last word of the ring that is there.
    pub memory: Option<(Memory, Pace, (u64, u64))>,
    /// Instructions that the core has executed.
    pub instructions: u64,
    /// The blocks that the core has executed, and whether each was lost.
    pub executed: Vec<(Block, bool)>,
    /// Cycles in which the core had to wait.
    pub waits: u64,
    /// Cycles in which each of the trigger outputs was high.
    pub fired: [u64; 8],
    /// Packets that began after a synchronisation or a loss.
    pub synchronised: u64,
    /// Cycles in which the core would have to wait, or would lose a block, after one in which not.
    pub begins_to_wait: u64,
    is_short: bool,
    /// There is a pin for the privilege level.
    tells_level: bool,
    /// The beat that a trace bus was offered and did not take.
    pub pending: Option<u64>,
}

impl Bench {
    pub fn new(library: &Arc<Library>, design: &Design, work: &Work) -> Bench {
        let pins = Pins::new(library, 1);
        let is_there =
            |suffix: &str| library.input_of_any_width(&format!("retire_valid{suffix}")).is_ok();
        let suffix = if is_there("_0") { "_0" } else { "" };
        let numbered = (0..).map(|lane| format!("_lane{lane}")).take_while(|lane| is_there(lane));
        let mut lanes: Vec<String> = numbered.collect();
        if lanes.is_empty() {
            lanes.push(suffix.into());
        }
        let count =
            library.input_of_any_width(&format!("retire_count{}", lanes[0])).expect("a pin").1;
        let mask = u64::MAX >> (64 - work.machine.address_bits);
        let mut cutter = Blocks::new(&Stimulus::default(), (1 << count) - 1, mask);
        let mut blocks = Vec::new();
        for event in &work.events {
            cutter.load(event).expect("a good event");
            blocks.extend(std::iter::from_fn(|| cutter.take()));
        }
        let mut bench = Bench {
            pins,
            suffix,
            lanes,
            blocks,
            next: 0,
            shown: Vec::new(),
            runs: false,
            takes: true,
            port: Port::find(library, design.port().trace_port_width),
            gate: ["clock_enable", "aclken", "atclken"]
                .into_iter()
                .find(|name| library.input_of_any_width(name).is_ok()),
            trace: BitPacker::new(),
            memory: None,
            instructions: 0,
            executed: Vec::new(),
            waits: 0,
            fired: [0; 8],
            synchronised: 0,
            begins_to_wait: 0,
            is_short: false,
            tells_level: design.protocol().privilege_bits > 0,
            pending: None,
        };
        if bench.has_bridge() {
            // A bridge that is held in reset takes nothing else.
            for value in [1, BRIDGE_ON] {
                bench.write(BRIDGE, value, 15).expect("a write");
            }
        }
        bench
    }

    /// True if registers say whose the trace is on a trace bus.
    pub fn has_bridge(&self) -> bool {
        let library = self.pins.model.library();
        let is_bus = library.output_of_any_width("atid").is_ok();
        is_bus && library.input_of_any_width("trace_id").is_err()
    }

    fn output(&self, pin: &str) -> u64 {
        let pin = self.pins.model.library().output_of_any_width(&format!("{pin}{}", self.suffix));
        pin.map_or(0, |(pin, _)| self.pins.model.get(pin))
    }

    /// Counts what the module says in this cycle.
    fn listen(&mut self) {
        let any = |pin| self.pins.model.library().output_of_any_width(pin);
        let fired = any("trigger_out").map_or(0, |(pin, _)| self.pins.model.get(pin));
        for (place, count) in self.fired.iter_mut().enumerate() {
            *count += fired >> place & 1;
        }
        let is_short = self.output("stall") + self.output("drops") > 0;
        self.begins_to_wait += u64::from(is_short && !self.is_short);
        self.is_short = is_short;
        self.synchronised += any("synchronised").map_or(0, |(pin, _)| self.pins.model.get(pin));
    }

    /// Takes what leaves the module in this cycle.
    fn receive(&mut self, is_ready: bool) -> Result<(), String> {
        if self.has_bridge() {
            let beat = (self.pins.get("atvalid") == 1).then(|| self.pins.get("atdata"));
            if self.pending.is_some() && beat != self.pending {
                return Err(format!("{:x?} was on offer, and then {beat:x?}", self.pending));
            }
            self.pending = beat.filter(|_| !is_ready);
        }
        if self.has_bridge() && self.pins.get("atvalid") == 1 {
            let source = self.pins.get("atid");
            if source != SOURCE {
                return Err(format!("a beat of source {source:#x}, expected {SOURCE:#x}"));
            }
        }
        match &mut self.port {
            Port::Handshake { data, valid, bits, .. } => {
                if is_ready && self.pins.get(valid) == 1 {
                    self.trace.push(self.pins.get(data) & (u64::MAX >> (64 - *bits)), *bits);
                }
            }
            Port::Pins { clock, bits } => {
                let before = std::mem::replace(clock, self.pins.get("pin_clock"));
                if *clock != before && self.pins.get("pin_idle") == 0 {
                    self.trace.push(self.pins.get("pin_data"), *bits);
                }
            }
            Port::Ram => {}
        }
        Ok(())
    }

    /// The core runs for some cycles, in which nothing is accessed.
    pub fn run(&mut self, cycles: usize) -> Result<(), String> {
        self.runs = true;
        (0..cycles).try_for_each(|_| self.cycle())?;
        self.runs = false;
        // A block that waits is executed before the core stops.
        (0..PATIENCE).find(|_| self.shown.is_empty() || self.cycle().is_err());
        if !self.shown.is_empty() {
            return Err("the core hangs".into());
        }
        Ok(())
    }

    /// What the sink has taken.
    pub fn bytes(&self) -> Vec<u8> {
        self.trace.clone().finish()
    }
}

impl Clocked for Bench {
    type Error = String;

    fn model(&mut self) -> &mut Model {
        &mut self.pins.model
    }

    fn master(&mut self) -> &mut Master {
        &mut self.pins.master
    }

    fn cycle(&mut self) -> Result<(), String> {
        if self.shown.is_empty() && self.runs && self.pins.master.random.random_range(0..4) > 0 {
            let count = self.pins.master.random.random_range(1..=self.lanes.len());
            let end = self.blocks.len().min(self.next + count);
            self.shown = self.blocks[self.next..end].to_vec();
            self.next = end;
        }
        for (lane, suffix) in self.lanes.iter().enumerate() {
            let block = self.shown.get(lane);
            self.pins.set(&format!("retire_valid{suffix}"), block.is_some().into());
            let Some(block) = block else { continue };
            for (pin, value) in [
                ("count", block.count),
                ("pc", block.program_counter),
                ("length", block.length),
                ("kind", block.kind),
                ("call", block.call.into()),
                ("return", block.is_return.into()),
                ("taken", block.taken.into()),
                ("target", block.target),
            ] {
                self.pins.set(&format!("retire_{pin}{suffix}"), value);
            }
            if self.tells_level {
                self.pins.set("retire_privilege", level_after(block));
            }
        }
        // The module stands still in one of four cycles, if it can.
        let runs = self.gate.is_none() || self.pins.master.random.random_range(0..4) > 0;
        if let Some(gate) = self.gate {
            self.pins.set(gate, runs.into());
        }
        let ready = self.takes && self.pins.master.random.random();
        if let Port::Handshake { ready: pin, .. } = self.port {
            self.pins.set(pin, ready.into());
        }
        if let Some((memory, pace, _)) = &mut self.memory {
            memory.drive(&mut self.pins.model, *pace, &mut self.pins.master.random);
        }
        self.pins.model.cycle().map_err(|error| error.to_string())?;
        if let Some((memory, _, ring)) = &mut self.memory {
            memory.clock(&self.pins.model, *ring)?;
        }
        if !runs {
            return Ok(());
        }
        self.listen();
        if !self.shown.is_empty() {
            if self.output("stall") == 0 {
                let is_lost = self.output("drops") == 1;
                self.instructions += self.shown.iter().map(|block| block.count).sum::<u64>();
                self.executed.extend(self.shown.drain(..).map(|block| (block, is_lost)));
            } else {
                self.waits += 1;
            }
        }
        self.receive(ready)
    }
}
