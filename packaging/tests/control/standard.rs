//! E-Trace and N-Trace without packets are switched by registers as a driver of the standard does it: what leaves the module
//! is what the golden encoder makes of the blocks that it took.

use tracewright_sim::control::Bus;
use tracewright_sim::encode::bit_packer::{BitPacker, BitUnpacker};
use tracewright_sim::event::{Event, ExecutionState, Kind};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::scheme::{self, Design, Encoder};
use tracewright_sim::session::{Detail, Session, Turn};
use tracewright_sim::unit::Control;
use tracewright_testbench::bus::Clocked;
use tracewright_testbench::debugger::{ACTIVE, Debugger, EMPTY, TRACING};
use tracewright_testbench::stimulus::Block;

use super::designs::standard;
use super::trace::built;
use super::traced::{Bench, Parts, Work};
use crate::common::{chosen, for_each};

/// What a driver of the standard finds: the format, the mode, what is on for good, and the versions.
struct Found {
    preset: &'static str,
    format: u32,
    mode: u32,
    features: u32,
    implementation: u32,
}

/// Component 1.0, an encoder, protocol 0.0.
const E_TRACE: Found =
    Found { preset: "etrace-base", format: 0, mode: 6, features: 0, implementation: 0x101 };

/// Component 1.0, an encoder, protocol 1.0; implicit return in mode 3, and repeated histories.
const HISTORIES: Found = Found {
    preset: "ntrace-htm",
    format: 1,
    mode: 6,
    features: 1 << 3 | 3 << 6 | 1 << 8,
    implementation: 0x1_0101,
};

const BRANCHES: Found = Found { preset: "ntrace-btm", mode: 3, features: 0, ..HISTORIES };

/// The privilege level in which the execution goes on after a block that may change the flow.
pub fn level_after(block: &Block) -> u64 {
    block.target >> 4 & 3
}

/// What should leave the module.
struct Golden {
    encoder: Encoder,
    bits: BitPacker,
    /// Blocks that were taken, and those that were lost.
    taken: usize,
    lost: usize,
}

impl Golden {
    fn new(design: &Design) -> Golden {
        let encoder = Encoder::new(design).expect("a good design");
        Golden { encoder, bits: BitPacker::new(), taken: 0, lost: 0 }
    }

    /// Encodes what the module has taken since the last time.
    fn take(&mut self, bench: &mut Bench) {
        self.blocks(bench.executed.drain(..));
    }

    fn blocks(&mut self, blocks: impl Iterator<Item = (Block, bool)>) {
        for (block, is_lost) in blocks {
            let is_branch = block.kind != 0;
            let privilege = level_after(&block) as u8;
            let state = ExecutionState { context: 0, privilege, cause: None };
            if is_lost {
                self.lost += 1;
                if is_branch {
                    self.encoder.detail(Detail::State(state), &mut self.bits).expect("it fits");
                }
                continue;
            }
            self.taken += 1;
            let known = Event::straight_run(block.count, block.program_counter);
            let event = match Kind::ALL.into_iter().find(|kind| kind.pin_code() == block.kind) {
                None => known,
                Some(kind) => Event {
                    kind,
                    length: block.length as u8,
                    call: block.call,
                    is_return: block.is_return,
                    taken: block.taken,
                    target: block.target,
                    ..known
                },
            };
            self.encoder.event(&event, &mut self.bits).expect("it fits");
            if is_branch {
                self.encoder.detail(Detail::State(state), &mut self.bits).expect("it fits");
            }
            self.encoder.detail(Detail::Complete, &mut self.bits).unwrap();
        }
    }

    /// Tracing has been switched off.
    fn end(&mut self, bench: &mut Bench) {
        // What retires after the last block that was taken is after the end, too.
        let is_taken = |(_, is_lost): &(Block, bool)| !is_lost;
        let taken = bench.executed.iter().rposition(is_taken).map_or(0, |last| last + 1);
        self.blocks(bench.executed.drain(..taken));
        self.encoder.flush(&mut self.bits);
        self.take(bench);
    }

    fn compare(&self, found: &[u8]) -> Result<(), String> {
        let expected = self.bits.clone().finish();
        let same = expected.iter().zip(found).take_while(|(one, other)| one == other).count();
        // A ring is filled up to whole words.
        let rest = found.get(expected.len()..).unwrap_or(&[]);
        let is_padding = rest.len() < 4 && rest.iter().all(|byte| *byte == 0);
        if same == expected.len() && is_padding {
            return Ok(());
        }
        Err(format!("byte {same} of {} and {}", expected.len(), found.len()))
    }
}

/// On, off by each bit that there is, and on again, while the core runs.
fn on_and_off((library, design, work): Parts<'_>) -> Result<(), String> {
    let mut bench = Bench::new(library, design, work);
    (0..1_000).try_for_each(|_| bench.cycle())?;
    let mut golden = Golden::new(design);
    golden.end(&mut bench);
    bench.begin(0)?;
    for switch in [0b10, 0b100, 7 << 4].repeat(60) {
        bench.run(150)?;
        // What the core retires while the end of the trace waits for room is not in it.
        bench.runs = true;
        bench.control(TRACING & !switch)?;
        bench.run(20)?;
        bench.wait(0, EMPTY, EMPTY)?;
        golden.end(&mut bench);
        bench.run(200)?;
        bench.control(TRACING)?;
        bench.run(100)?;
    }
    bench.run(3_000)?;
    bench.end()?;
    golden.end(&mut bench);
    if golden.taken < 300 || golden.lost < 1_000 {
        return Err(format!("{} blocks were taken, {} lost", golden.taken, golden.lost));
    }
    golden.compare(&bench.bytes())
}

/// A sink that is dead: what is in the module is discarded, and the trace goes on later with a start.
fn discarded((library, design, work): Parts<'_>) -> Result<(), String> {
    let mut bench = Bench::new(library, design, work);
    (0..1_000).try_for_each(|_| bench.cycle())?;
    bench.begin(0)?;
    bench.run(3_000)?;
    bench.takes = false;
    bench.control(ACTIVE)?;
    (0..2_000).try_for_each(|_| bench.cycle())?;
    if bench.read(0)?.0 & EMPTY != 0 {
        return Err("trTeEmpty is 1 although the sink is dead".into());
    }
    bench.control(0)?;
    bench.wait(0, EMPTY, EMPTY)?;
    bench.takes = true;
    (0..2_000).try_for_each(|_| bench.cycle())?;
    let before = bench.bytes().len();
    // The level goes on from what was discarded.
    let mut golden = Golden::new(design);
    golden.take(&mut bench);
    golden.encoder.turn(Turn::Discard, &mut golden.bits);
    golden.bits = BitPacker::new();
    bench.control(ACTIVE)?;
    bench.control(TRACING)?;
    bench.run(3_000)?;
    bench.end()?;
    golden.end(&mut bench);
    golden.compare(&bench.bytes()[before..])
}

/// Starts come as often as the registers say, and our decoder goes on over them. Messages of N-Trace are longer in their place.
fn synchronised((library, design, work): Parts<'_>, adds_records: bool) -> Result<(), String> {
    let records = |fields: u32| {
        let mut bench = Bench::new(library, design, work);
        bench.begin(fields)?;
        bench.run(20_000)?;
        bench.control(ACTIVE | fields)?;
        bench.wait(0, EMPTY, EMPTY)?;
        let mut events = Vec::new();
        let summary = scheme::decode(
            design,
            &work.program,
            &mut BitUnpacker::new(bench.bytes().as_slice()),
            u64::MAX,
            |event| {
                events.push(event);
                Ok::<(), Box<dyn std::error::Error>>(())
            },
        )
        .map_err(|error| error.to_string())?;
        let known =
            |event: &Event| (event.instructions, event.program_counter, event.taken, event.target);
        let both = events.iter().map(known).zip(work.events.iter().map(known));
        if let Some((place, both)) = (0..).zip(both).find(|(_, (one, other))| one != other) {
            return Err(format!("{fields:#x}: event {place} of {}: {both:x?}", events.len()));
        }
        if events.len() < 1_000 {
            return Err(format!("{} events", events.len()));
        }
        Ok::<u64, String>(if adds_records { summary.records } else { bench.bytes().len() as u64 })
    };
    let (never, often) = (records(6 << 20)?, records(2 << 16 | 4 << 20)?);
    // A start and the last instruction before it, or a message of at most 12 bytes with a whole address at a branch or jump that
    // would have needed none, once in 256 cycles.
    let (more, most) = (often.saturating_sub(never), if adds_records { 160 } else { 12 * 160 });
    if (60..=most).contains(&more) {
        Ok(())
    } else {
        Err(format!("{never} and {more} more records or bytes"))
    }
}

/// Fields as a driver of the standard finds them.
fn discovered((library, design, work): Parts<'_>, found: &Found) -> Result<(), String> {
    let mut bench = Bench::new(library, design, work);
    let expect = |bench: &mut Bench, address: u32, mask: u32, value: u32| {
        let (found, _) = bench.read(address)?;
        match found & mask == value {
            true => Ok(()),
            false => {
                Err(format!("{address:#x} reads as {found:#x}, and not {value:#x} in {mask:#x}"))
            }
        }
    };
    bench.control(ACTIVE)?;
    for mode in 0..8 {
        // Every format but its own is refused.
        for format in [0, 1, 7] {
            bench.control(ACTIVE | mode << 4 | format << 24)?;
            let legal = if mode == 0 { 0 } else { found.mode };
            expect(&mut bench, 0, 7 << 24 | 7 << 4, found.format << 24 | legal << 4)?;
        }
    }
    // Sources are inhibited, whatever is written.
    bench.control(ACTIVE)?;
    expect(&mut bench, 0, 1 << 15, 1 << 15)?;
    bench.write(8, u32::MAX, 15)?;
    expect(&mut bench, 8, u32::MAX, found.features)?;
    expect(&mut bench, 4, u32::MAX, found.implementation)
}

/// The ring of a RAM sink has what the module sent while it was on.
fn in_a_ring((library, design, work): Parts<'_>) -> Result<(), String> {
    let mut bench = Bench::new(library, design, work);
    bench.sink_on(0)?;
    bench.begin(0)?;
    let mut golden = Golden::new(design);
    // What the module sent after its reset has waited for the sink.
    golden.end(&mut bench);
    bench.run(2_000)?;
    bench.end()?;
    golden.end(&mut bench);
    bench.run(200)?;
    golden.take(&mut bench);
    bench.control(TRACING)?;
    bench.run(1_000)?;
    // The sink alone, which ends the trace too.
    bench.sink_off()?;
    golden.end(&mut bench);
    golden.compare(&bench.ring()?.oldest_first)
}

#[test]
fn the_standards_formats_without_packets_are_switched_by_registers() {
    let work = Work::new(40_000);
    let cases = [
        (E_TRACE, Bus::Apb, vec![("trace_port_width", "8")], None),
        (E_TRACE, Bus::AxiLite, vec![("trace_port_width", "8"), ("clock_enable", "true")], None),
        (
            E_TRACE,
            Bus::Apb,
            vec![("trace_port_width", "32"), ("reset", "asynchronous")],
            Some(16_384),
        ),
        (
            HISTORIES,
            Bus::Apb,
            vec![("trace_port_width", "8"), ("return_stack_entries", "8"), ("repeat_bits", "4")],
            None,
        ),
        (BRANCHES, Bus::AxiLite, vec![("trace_port_width", "32")], Some(16_384)),
    ];
    // Each format once, with every style and a ring.
    for_each(&chosen(cases, &[1, 3, 4]), |(found, bus, changes, ram_sink)| {
        let control = Control { ram_sink: *ram_sink, ..Control::new(*bus) };
        let (design, library) = built(&standard(found.preset, changes), &work, &control, 1);
        let parts = (&library, &design, &work);
        discovered(parts, found).map_err(|what| format!("{changes:?}, registers: {what}"))?;
        if ram_sink.is_some() {
            return in_a_ring(parts).map_err(|what| format!("{changes:?}, ring: {what}"));
        }
        on_and_off(parts).map_err(|what| format!("{changes:?}, switched: {what}"))?;
        discarded(parts).map_err(|what| format!("{changes:?}, discarded: {what}"))?;
        synchronised(parts, found.format == E_TRACE.format)
            .map_err(|what| format!("{changes:?}, synchronised: {what}"))
    });
}

/// A jump to another level owes a start, which is the end of the trace if tracing is switched off there. It says the level of that
/// jump, whatever retires before it can be sent.
#[test]
fn the_end_of_a_trace_says_its_own_level() {
    let work = Work::new(40_000);
    let styles = [&[][..], &[("reset", "asynchronous"), ("clock_enable", "true")]];
    for changes in chosen(styles, &[1]) {
        let changes = [&[("trace_port_width", "8"), ("privilege_bits", "2")], changes].concat();
        let design = standard("etrace-base", &changes);
        let (design, library) = built(&design, &work, &Control::new(Bus::Apb), 1);
        let parts = (&library, &design, &work);
        on_and_off(parts).unwrap_or_else(|what| panic!("{changes:?}, switched: {what}"));
        discarded(parts).unwrap_or_else(|what| panic!("{changes:?}, discarded: {what}"));
    }
}
