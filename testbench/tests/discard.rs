//! A sink that is dead for ever: `discard` ends the trace, and the decoder says that something is missing.

use tracewright_sim::encode::bit_packer::BitUnpacker;
use tracewright_sim::event::{Event, Machine};
use tracewright_sim::packet::header::{Loss, LossCause, MOST_LOST};
use tracewright_sim::packet::part::{Gap, Part, Reason};
use tracewright_sim::program::{Program, ProgramBuilder};
use tracewright_sim::scheme::{self, Design};
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_testbench::design::library;
use tracewright_testbench::stimulus::{Block, Blocks, Stimulus};
use tracewright_testbench::{BuildOptions, Model};

/// Cycles in which a flush would have ended if the sink took its beats.
const LONG: usize = 5_000;

/// Packets that begin often, and the pins to switch tracing off and to discard.
const PACKETS: [(&str, &str); 4] = [
    ("framing", "packets"),
    ("sync_interval", "1024"),
    ("enable_pin", "true"),
    ("trace_port_width", "8"),
];

/// A module, what it is shown, and what its sink has taken.
struct Bench {
    model: Model,
    blocks: std::vec::IntoIter<Block>,
    shown: Option<Block>,
    /// Beats of eight bits.
    bytes: Vec<u8>,
}

impl Bench {
    fn set(&mut self, pin: &str, value: u64) {
        let pin = self.model.library().input_of_any_width(pin).unwrap().0;
        self.model.set(pin, value);
    }

    /// The value of a pin; 0 where there is none.
    fn get(&self, pin: &str) -> u64 {
        let pin = self.model.library().output_of_any_width(pin);
        pin.map_or(0, |(pin, _)| self.model.get(pin))
    }

    /// One cycle, with a block if there is one and the core retires.
    fn cycle(&mut self, retires: bool, ready: bool) {
        if self.shown.is_none() && retires {
            self.shown = self.blocks.next();
        }
        let shown = self.shown;
        self.set("retire_valid", shown.is_some().into());
        if let Some(block) = shown {
            for (pin, value) in [
                ("retire_count", block.count),
                ("retire_pc", block.program_counter),
                ("retire_length", block.length),
                ("retire_kind", block.kind),
                ("retire_call", block.call.into()),
                ("retire_return", block.is_return.into()),
                ("retire_taken", block.taken.into()),
                ("retire_target", block.target),
            ] {
                self.set(pin, value);
            }
        }
        self.set("trace_ready", ready.into());
        self.model.cycle().unwrap();
        if self.get("stall") == 0 && shown.is_some() {
            self.shown = None;
        }
        if ready && self.get("trace_valid") != 0 {
            self.bytes.push(self.get("trace_data").to_le_bytes()[0]);
        }
    }

    /// True if `flushed` comes within so many cycles.
    fn is_flushed_within(&mut self, cycles: usize, ready: bool) -> bool {
        (0..cycles).any(|_| {
            self.cycle(false, ready);
            self.get("flushed") != 0
        })
    }
}

/// A program whose blocks the module is shown.
fn program() -> (Machine, Vec<Event>, Program) {
    let options = Options { events: 60_000, ..Options::from_seed(3) };
    let synthetic = Synthetic::new(options).unwrap();
    let machine = synthetic.machine();
    let events: Vec<Event> = synthetic.collect();
    let mut builder = ProgramBuilder::new(machine);
    events.iter().for_each(|event| builder.event(event).unwrap());
    (machine, events, builder.finish().unwrap())
}

/// The blocks of events.
fn blocks_of(events: &[Event], most: u64, mask: u64) -> Vec<Block> {
    let mut blocks = Blocks::new(&Stimulus::default(), most, mask);
    let mut all = Vec::new();
    for event in events {
        blocks.load(event).unwrap();
        all.extend(std::iter::from_fn(|| blocks.take()));
    }
    all
}

/// The module's trace decodes up to what was discarded and from some place after it.
fn check(preset: &str, changes: &[(&str, &str)], end: (&str, u64)) {
    let (machine, events, program) = program();
    let mut design = Design::preset(preset).unwrap();
    design.set("address_width", &machine.address_bits.to_string()).unwrap();
    for (name, value) in PACKETS.iter().chain(changes) {
        design.set(name, value).unwrap();
    }
    let design = design.for_machine(machine).unwrap();
    let library = library(&design, &BuildOptions::default()).unwrap();
    let most = (1 << library.input_of_any_width("retire_count").unwrap().1) - 1;
    let mask = u64::MAX >> (64 - machine.address_bits);
    let blocks = blocks_of(&events, most, mask).into_iter();
    let model = Model::new(&library, 1).unwrap();
    let mut bench = Bench { model, blocks, shown: None, bytes: Vec::new() };
    bench.model.reset(2).unwrap();
    bench.set("enable", 1);

    // A block in every eighth cycle.
    (0..24_000).for_each(|cycle| bench.cycle(cycle % 8 == 0, true));
    (0..LONG).for_each(|cycle| bench.cycle(cycle % 8 == 0, false));
    let (pin, value) = end;
    bench.set(pin, value);
    assert!(!bench.is_flushed_within(LONG, false), "{preset}: the sink is dead");
    bench.set("discard", 1);
    assert!(bench.is_flushed_within(2, false), "{preset}");
    assert_eq!(bench.get("trace_valid"), 0, "{preset}");
    bench.set("discard", 0);
    bench.set(pin, 1 - value);
    (0..24_000).for_each(|cycle| bench.cycle(cycle % 8 == 0, true));
    bench.set(pin, value);
    assert!(bench.is_flushed_within(LONG, true), "{preset}");

    let mut bits = BitUnpacker::new(&bench.bytes[..]);
    let (mut decoded, mut gaps) = (Vec::new(), Vec::new());
    scheme::decode_packets(&design, &program, &mut bits, u64::MAX, |part| {
        match part {
            Part::State(_) | Part::Time(_) | Part::Unverified => {}
            Part::Event(event) => decoded.push(event),
            Part::Gap(Gap { reason, .. }) => gaps.push((decoded.len(), reason)),
        }
        Ok::<(), Box<dyn std::error::Error>>(())
    })
    .unwrap();
    let is_discarded = |(_, reason): &&(usize, Reason)| {
        let loss = Loss { instructions: MOST_LOST, cause: LossCause::Discarded };
        *reason == Reason::Lost(loss)
    };
    let discarded: Vec<_> = gaps.iter().filter(is_discarded).collect();
    assert_eq!(discarded.len(), 1, "{preset}: {gaps:?}");
    let after = discarded[0].0;
    let next_gap = gaps.iter().map(|(place, _)| *place).find(|place| *place > after);
    let known = |event: &Event| (event.instructions, event.program_counter, event.taken);
    let went_on: Vec<_> =
        decoded[after..next_gap.unwrap_or(decoded.len())].iter().map(known).collect();
    let all: Vec<_> = events.iter().map(known).collect();
    assert!(after > 100 && went_on.len() > 100, "{preset}: {after}, then {}", went_on.len());
    assert!(all.windows(went_on.len()).any(|some| some == went_on), "{preset}");
}

#[test]
fn a_core_that_waits() {
    check("traptor-m4", &[("checksum_bits", "16")], ("flush", 1));
    check("stream-rbase-128", &[("sync_keeps_tables", "true")], ("enable", 0));
}

#[test]
fn a_core_that_cannot_wait() {
    let (drop, background) = (("when_full", "drop"), ("background_clearing", "true"));
    check("talon-s", &[drop, background], ("enable", 0));
    check("traptor-b4", &[drop, background, ("checksum_bits", "8")], ("flush", 1));
}

#[test]
fn what_is_in_registers_between_steps() {
    let registers = ("encoder_registers", "true");
    check("traptor-m4", &[registers, ("checksum_bits", "16")], ("flush", 1));
    check("traptor-m4-fpga", &[("when_full", "drop"), ("checksum_bits", "8")], ("enable", 0));
    check("talon-m", &[registers, ("when_full", "drop")], ("enable", 0));
    check("etrace-full", &[registers, ("checksum_bits", "8")], ("flush", 1));
    check("etrace-base", &[registers, ("when_full", "drop")], ("enable", 0));
}
