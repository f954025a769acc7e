//! A program is traced into a ring in the memory of the system, by registers alone, and read there.

use tracewright_sim::control::Bus;
use tracewright_sim::event::Event;
use tracewright_sim::packet::part::{Gap, Reason};
use tracewright_sim::system_memory_sink::{self, Config};
use tracewright_sim::unit::Control;
use tracewright_testbench::bus::Clocked;
use tracewright_testbench::debugger::{Debugger, LIMIT, RAM, SINK_ON, TRACING, WRITE_POINTER};
use tracewright_testbench::sinks::memory::{Memory, Pace};
use tracewright_testbench::{BuildOptions, design::source};

use super::designs::{WIDE, in_system_memory, switched, whole};
use super::traced::{Bench, Decoded, Parts, Work};
use crate::common::{chosen, for_each};

const START: u32 = RAM + 0x10;
const STATUS: u32 = RAM + 0xe00;
const MODE: u32 = 1 << 4;
const STOP_ON_WRAP: u32 = 1 << 8;

/// A memory that takes something in two of three cycles.
const PACE: Pace = Pace { ready: 66, errors: 0 };

/// A unit, and the ring that it is given.
#[derive(Clone, Copy)]
struct Unit<'a> {
    parts: Parts<'a>,
    config: Config,
    start: u64,
    bytes: u64,
}

impl Unit<'_> {
    fn limit(&self) -> u64 {
        self.start + self.bytes - u64::from(self.config.bus.word_bytes())
    }

    /// Writes an address into its registers.
    fn set(&self, bench: &mut Bench, register: u32, address: u64) -> Result<(), String> {
        if self.config.bus.address_bits > 32 {
            bench.write(register + 4, (address >> 32) as u32, 15)?;
        }
        bench.write(register, address as u32, 15).map(drop)
    }

    /// The value of an address in its registers, with the bits below it.
    fn get(&self, bench: &mut Bench, register: u32) -> Result<u64, String> {
        let low = bench.read(register)?.0.into();
        if self.config.bus.address_bits == 32 {
            return Ok(low);
        }
        Ok(low | u64::from(bench.read(register + 4)?.0) << 32)
    }

    /// Does what the driver of Linux does first: it asks for the mode, and for the addresses that a ring can have.
    fn discover(&self, bench: &mut Bench) -> Result<(), String> {
        bench.write(RAM, 1 | MODE, 15)?;
        let (mode, _) = bench.read(RAM)?;
        self.set(bench, START, 0)?;
        self.set(bench, LIMIT, u64::MAX)?;
        let (least, most) = (self.get(bench, START)?, self.get(bench, LIMIT)?);
        let all = u64::MAX >> (64 - self.config.bus.address_bits);
        let word = u64::from(self.config.bus.word_bytes());
        if (mode & (1 | MODE), least, most) == (1 | MODE, 0, all & !(word - 1)) {
            return Ok(());
        }
        Err(format!("the mode is {mode:#x}, and rings go from {least:#x} to {most:#x}"))
    }

    /// A bench whose sink is on and whose core is traced.
    fn begun(&self, settings: u32) -> Result<Bench, String> {
        let (library, design, work) = self.parts;
        let mut bench = Bench::new(library, design, work);
        let memory = Memory::new(library, &self.config).map_err(|error| error.to_string())?;
        bench.memory = Some((memory, PACE, (self.start, self.limit())));
        bench.write(RAM, 1, 15)?;
        if self.get(&mut bench, START)? <= self.get(&mut bench, LIMIT)? {
            return Err("there is a ring after reset".into());
        }
        self.discover(&mut bench)?;
        self.set(&mut bench, START, self.start)?;
        self.set(&mut bench, LIMIT, self.limit())?;
        self.set(&mut bench, WRITE_POINTER, self.start)?;
        bench.sink_on(settings)?;
        bench.begin(0)?;
        Ok(bench)
    }

    /// Switches all off, and reads the ring: its bytes, the oldest first, and whether it has wrapped.
    fn ring(&self, bench: &mut Bench) -> Result<(Vec<u8>, bool), String> {
        bench.end()?;
        bench.sink_off()?;
        let pointer = self.get(bench, WRITE_POINTER)?;
        let (end, has_wrapped) = (pointer & !3, pointer & 1 == 1);
        let memory = &bench.memory.as_ref().expect("a memory").0;
        let bytes = self.config.bus.word_bytes() as usize;
        let words = |from: u64, to: u64| (from..to).step_by(bytes);
        let older = if has_wrapped { words(end, self.start + self.bytes) } else { words(0, 0) };
        let word = |place| memory.words.get(&place).copied().unwrap_or(0).to_le_bytes();
        let places = older.chain(words(self.start, end));
        Ok((places.flat_map(|place| word(place).into_iter().take(bytes)).collect(), has_wrapped))
    }
}

fn is_lost(gap: &Gap) -> bool {
    matches!(gap.reason, Reason::Lost(_))
}

/// A ring that has room for all: every instruction is in it or counted.
fn whole_trace(unit: Unit<'_>) -> Result<(), String> {
    let (_, design, work) = unit.parts;
    let mut bench = unit.begun(0)?;
    bench.run(2_500)?;
    bench.end()?;
    bench.sink_off()?;
    bench.write(RAM, SINK_ON, 15)?;
    bench.control(TRACING)?;
    bench.run(2_500)?;
    let (bytes, _) = unit.ring(&mut bench)?;
    let decoded = Decoded::new(design, &work.program, &bytes);
    decoded.check_parts(work)?;
    let account = decoded.recovered.instructions + decoded.recovered.lost_instructions;
    let is_all = account == bench.instructions && decoded.events.len() > 100;
    if is_all && decoded.gaps.iter().all(|(_, gap)| is_lost(gap)) {
        return Ok(());
    }
    Err(format!("{account} of {} instructions, {:?}", bench.instructions, decoded.gaps))
}

/// A ring that wraps has the last packets; the sink is cleared in the middle of a burst after it, and all is as before.
fn wrapped(unit: Unit<'_>) -> Result<(), String> {
    let (_, design, work) = unit.parts;
    let mut bench = unit.begun(0)?;
    bench.run(60_000)?;
    let (bytes, has_wrapped) = unit.ring(&mut bench)?;
    if !has_wrapped {
        return Err("the ring has not wrapped".into());
    }
    let decoded = Decoded::new(design, &work.program, &bytes);
    decoded.check_parts(work)?;
    let is_cut = matches!(decoded.gaps.first(), Some((0, gap)) if gap.reason.name() == "beginning");
    if !is_cut || bytes.len() as u64 != unit.bytes || decoded.events.len() <= 20 {
        return Err(format!("{} events, {:?}", decoded.events.len(), decoded.gaps));
    }
    bench.write(RAM, SINK_ON, 15)?;
    bench.control(TRACING)?;
    bench.run(3_000)?;
    bench.write(RAM, 0, 15)?;
    bench.control(0)?;
    bench.write(RAM, 1, 15)?;
    bench.wait(RAM, 8, 8)?;
    match unit.get(&mut bench, WRITE_POINTER)? {
        0 => Ok(()),
        pointer => Err(format!("the pointer is {pointer:#x} after trRamActive")),
    }
}

/// What a ring has that has ended the trace itself: the beginning of the program.
fn check_beginning(unit: &Unit<'_>, bytes: &[u8]) -> Result<(), String> {
    let (_, design, work) = unit.parts;
    let decoded = Decoded::new(design, &work.program, bytes);
    let known = |event: &Event| (event.program_counter, event.instructions, event.taken);
    let count = decoded.events.len();
    let begins = decoded.events.iter().map(known).eq(work.events[..count].iter().map(known));
    if begins && count > 20 {
        return Ok(());
    }
    Err(format!("{count} events, {:?}", decoded.gaps))
}

/// A full ring stops the trace and not the core, and keeps the beginning.
fn stopped(unit: Unit<'_>) -> Result<(), String> {
    let mut bench = unit.begun(STOP_ON_WRAP)?;
    bench.run(60_000)?;
    let (sink, _) = bench.read(RAM)?;
    if sink & 0b1_0011 != 0b1_0001 {
        return Err(format!("the sink is {sink:#x}"));
    }
    let (bytes, has_wrapped) = unit.ring(&mut bench)?;
    if has_wrapped || (bytes.len() as u64) < unit.bytes / 8 {
        return Err(format!("{} of {} bytes", bytes.len(), unit.bytes));
    }
    check_beginning(&unit, &bytes)
}

/// An error of the memory ends the trace, is told, and leaves what was written before; the sink can be used again.
fn refused(unit: Unit<'_>) -> Result<(), String> {
    let mut bench = unit.begun(0)?;
    bench.run(8_000)?;
    bench.memory.as_mut().expect("a memory").1.errors = 100;
    bench.run(8_000)?;
    let (sink, _) = bench.read(RAM)?;
    let (response, _) = bench.read(STATUS)?;
    if sink & 0b11 != 1 || !(2..4).contains(&response) {
        return Err(format!("the sink is {sink:#x}, the response {response}"));
    }
    let (bytes, _) = unit.ring(&mut bench)?;
    check_beginning(&unit, &bytes)?;
    bench.memory.as_mut().expect("a memory").1.errors = 0;
    unit.set(&mut bench, WRITE_POINTER, unit.start)?;
    bench.write(RAM, SINK_ON, 15)?;
    bench.control(TRACING)?;
    bench.run(2_000)?;
    let (bytes, _) = unit.ring(&mut bench)?;
    let (response, _) = bench.read(STATUS)?;
    let (_, design, work) = unit.parts;
    let decoded = Decoded::new(design, &work.program, &bytes);
    decoded.check_parts(work)?;
    if response == 0 && decoded.events.len() > 20 { Ok(()) } else { Err("not again".into()) }
}

#[test]
fn the_ring_is_read_in_the_memory_of_the_system() {
    let work = Work::new(60_000);
    let often = ("sync_bytes", "256");
    let narrow = system_memory_sink::Bus { burst_beats: 4, ..system_memory_sink::Bus::default() };
    let cases = [
        (
            switched("traptor-m4", &[("trace_port_width", "8"), often]),
            Bus::Apb,
            narrow,
            0x1234_0008,
        ),
        (
            switched("nexs", &[("trace_port_width", "1"), often, ("reset", "asynchronous")]),
            Bus::AxiLite,
            WIDE,
            0x12_ffff_ff00,
        ),
        (
            switched("talon-s", &[("trace_port_width", "32"), often, ("clock_enable", "true")]),
            Bus::Apb,
            narrow,
            0xffff_0000,
        ),
    ];
    // A wide memory with an asynchronous reset, and a narrow one with a clock enable.
    for_each(&chosen(cases, &[1, 2]), |(design, bus, memory, start)| {
        let control: Control = in_system_memory(*bus, *memory);
        let design = work.design(design);
        let library = source(&whole(&design, &control)).build(&BuildOptions::default());
        let library = library.map_err(|error| error.to_string())?;
        let config = control.system_memory_sink(&design).expect("it has one");
        let parts = (&library, &design, &work);
        let all = Unit { parts, config, start: *start, bytes: 0x1_0000 };
        let said = |name| move |what| format!("{}, {name}: {what}", parts.1.name);
        whole_trace(all).map_err(said("whole"))?;
        wrapped(Unit { bytes: 1024, ..all }).map_err(said("wrapped"))?;
        stopped(Unit { bytes: 2048, ..all }).map_err(said("stopped"))?;
        refused(all).map_err(said("refused"))
    });
}
