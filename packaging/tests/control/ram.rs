//! A program is traced into the ring of a RAM sink and read back by registers alone.

use tracewright_sim::control::Bus;
use tracewright_sim::event::Event;
use tracewright_sim::packet::part::{Gap, Reason};
use tracewright_sim::ram_sink::tail_bytes;
use tracewright_sim::unit::Control;
use tracewright_testbench::bus::Clocked;
use tracewright_testbench::debugger::{
    Debugger, EMPTY, LIMIT, RAM, READ_POINTER, SINK_ON, TRACING, WRITE_POINTER,
};
use tracewright_testbench::{BuildOptions, design::source};

use super::designs::{switched, whole};
use super::traced::{Bench, Decoded, Parts, Work};
use crate::common::{chosen, for_each, is_long};

const STOP_ON_WRAP: u32 = 1 << 8;

/// A bench whose sink is on and whose core is traced for some cycles.
fn begun((library, design, work): Parts<'_>, settings: u32) -> Result<Bench, String> {
    let mut bench = Bench::new(library, design, work);
    bench.sink_on(settings)?;
    bench.begin(0)?;
    Ok(bench)
}

/// A ring that has room for all: every instruction is in it or counted, also over a switch of the sink.
fn whole_trace(parts: Parts<'_>) -> Result<(), String> {
    let (_, design, work) = parts;
    let mut bench = begun(parts, 0)?;
    bench.run(2_500)?;
    // The encoder first, as the specification has it; then the sink, which fills its word up.
    bench.end()?;
    bench.sink_off()?;
    bench.write(RAM, SINK_ON, 15)?;
    bench.control(TRACING)?;
    bench.run(2_500)?;
    // The sink alone, which ends the trace too.
    bench.sink_off()?;
    if bench.read(0)?.0 & EMPTY == 0 {
        return Err("the sink is empty before the encoder".into());
    }
    let bytes = bench.ring()?.oldest_first;
    let decoded = Decoded::new(design, &work.program, &bytes);
    decoded.check_parts(work)?;
    let others = |reason: &Reason| !matches!(reason, Reason::Lost(_));
    if let Some((_, gap)) = decoded.gaps.iter().find(|(_, gap)| others(&gap.reason)) {
        return Err(format!("a gap: {}", gap.reason));
    }
    let account = decoded.recovered.instructions + decoded.recovered.lost_instructions;
    let is_all = account == bench.instructions && decoded.events.len() > 100;
    if is_all { Ok(()) } else { Err(format!("{account} of {} instructions", bench.instructions)) }
}

/// A ring that wraps: the last packets are in it, from the first marker after the oldest byte on.
fn wrapped(parts: Parts<'_>) -> Result<(), String> {
    let (_, design, work) = parts;
    let mut bench = begun(parts, 0)?;
    bench.write(LIMIT, 0xfc, 15)?;
    bench.run(60_000)?;
    bench.end()?;
    bench.sink_off()?;
    let (pointer, _) = bench.read(WRITE_POINTER)?;
    if pointer & 1 == 0 {
        return Err("the ring has not wrapped".into());
    }
    let bytes = bench.ring()?.oldest_first;
    // The whole ring was read, from the oldest word to the newest.
    let (read, _) = bench.read(READ_POINTER)?;
    if (read | 1) != pointer {
        return Err(format!("what is read goes on at {read:#x}"));
    }
    let decoded = Decoded::new(design, &work.program, &bytes);
    decoded.check_parts(work)?;
    let is_cut = matches!(decoded.gaps.first(), Some((0, gap)) if gap.reason.name() == "beginning");
    let is_end = decoded.events.last().is_some_and(|last| {
        work.events.iter().any(|event| event.program_counter == last.program_counter)
    });
    let fits = bytes.len() == 256 && is_cut && is_end && decoded.events.len() > 20;
    if fits { Ok(()) } else { Err(format!("{} events, {:?}", decoded.events.len(), decoded.gaps)) }
}

/// The last words of rings that stop.
const LIMITS: [u32; 8] = [0x1fc, 0x204, 0x24c, 0x2a0, 0x2fc, 0x374, 0x3fc, 0x7fc];

/// Traces into a ring that stops, and does the steps of docs/control.md as if it had not. What has stopped is known
/// from `trRamEnable`.
fn stop(bench: &mut Bench, limit: u32) -> Result<Vec<u8>, String> {
    bench.run(30_000)?;
    let (sink, _) = bench.read(RAM)?;
    if sink & 0b1011 != 0b1001 {
        return Err(format!("the sink is {sink:#x}"));
    }
    bench.end()?;
    bench.sink_off()?;
    let (pointer, _) = bench.read(WRITE_POINTER)?;
    let ring = bench.ring()?.oldest_first;
    let is_full = pointer == 1 && ring.len() as u32 == limit + 4;
    if is_full || pointer & 3 == 0 && (4..=limit).contains(&pointer) {
        return Ok(ring);
    }
    Err(format!("the pointer is {pointer:#x}, {} bytes", ring.len()))
}

/// A ring that is full stops the trace and not the core, and has the beginning of the trace, up to the end of its last
/// packet. It can be used again.
fn stopped(parts: Parts<'_>, limit: u32) -> Result<(), String> {
    let (_, design, work) = parts;
    let mut bench = begun(parts, STOP_ON_WRAP)?;
    bench.write(LIMIT, limit, 15)?;
    let bytes = stop(&mut bench, limit)?;
    let decoded = Decoded::new(design, &work.program, &bytes);
    let known = |event: &Event| (event.program_counter, event.instructions, event.taken);
    let count = decoded.events.len();
    let begins = decoded.events.iter().map(known).eq(work.events[..count].iter().map(known));
    // A synchronisation may be due where tracing is switched off.
    let is_lost = |gap: &Gap| matches!(gap.reason, Reason::Lost(_));
    let ends = decoded.gaps.iter().all(|(place, gap)| *place == count && is_lost(gap));
    if !begins || !ends || count <= 20 {
        return Err(format!("{count} events, {:?}", decoded.gaps));
    }
    // The tail is for what waits in the module, which is not all that the ring has.
    let tail = tail_bytes(design, 0);
    if (bytes.len() as u32) < limit - tail {
        return Err(format!("{} of {limit:#x} bytes", bytes.len()));
    }
    bench.write(WRITE_POINTER, 0, 15)?;
    bench.write(RAM, SINK_ON | STOP_ON_WRAP, 15)?;
    bench.control(TRACING)?;
    let decoded = Decoded::new(design, &work.program, &stop(&mut bench, limit)?);
    decoded.check_parts(work)?;
    let is_known = |gap: &Gap| is_lost(gap) || gap.reason.name() == "beginning";
    if decoded.events.len() <= 20 || !decoded.gaps.iter().all(|(_, gap)| is_known(gap)) {
        return Err(format!("again: {} events, {:?}", decoded.events.len(), decoded.gaps));
    }
    bench.write(WRITE_POINTER, 0x10, 15)?;
    let (set, _) = bench.read(WRITE_POINTER)?;
    bench.write(RAM, 0, 15)?;
    bench.write(RAM, 1, 15)?;
    let (reset, _) = bench.read(WRITE_POINTER)?;
    if (set, reset) == (0x10, 0) {
        return Ok(());
    }
    Err(format!("the pointer becomes {set:#x}, and {reset:#x} by trRamActive"))
}

/// A ring that is too small for what waits in the module takes what fits; the module becomes empty in any case.
fn too_small(parts: Parts<'_>) -> Result<(), String> {
    let (_, design, work) = parts;
    let mut bench = begun(parts, STOP_ON_WRAP)?;
    bench.write(LIMIT, 0xc, 15)?;
    let bytes = stop(&mut bench, 0xc)?;
    Decoded::new(design, &work.program, &bytes).check_parts(work)
}

/// All of it, with a ring that stops at some places.
pub fn all(parts: Parts<'_>) -> Result<(), String> {
    all_with(parts, &LIMITS[..2])
}

fn all_with(parts: Parts<'_>, limits: &[u32]) -> Result<(), String> {
    whole_trace(parts).map_err(|what| format!("whole: {what}"))?;
    wrapped(parts).map_err(|what| format!("wrapped: {what}"))?;
    too_small(parts).map_err(|what| format!("too small: {what}"))?;
    limits.iter().try_for_each(|limit| {
        stopped(parts, *limit).map_err(|what| format!("stopped at {limit:#x}: {what}"))
    })
}

#[test]
fn the_ring_is_read_back_and_decoded() {
    let work = Work::new(120_000);
    let often = ("sync_interval", "1024");
    let cases = [
        (switched("traptor-m4", &[("trace_port_width", "8"), often]), Bus::Apb),
        (
            switched("nexs", &[("trace_port_width", "1"), often, ("checksum_bits", "16")]),
            Bus::AxiLite,
        ),
        (
            switched(
                "talon-s",
                &[
                    ("trace_port_width", "32"),
                    ("background_clearing", "true"),
                    ("checksum_bits", "8"),
                    often,
                ],
            ),
            Bus::Apb,
        ),
    ];
    for_each(&chosen(cases, &[1, 2]), |(design, bus)| {
        let control = Control { ram_sink: Some(1 << 16), ..Control::new(*bus) };
        let design = work.design(design);
        let library = source(&whole(&design, &control)).build(&BuildOptions::default());
        let library = library.map_err(|error| error.to_string())?;
        let parts = (&library, &design, &work);
        all_with(parts, &chosen(LIMITS, &[0, 3, 7]))
            .map_err(|what| format!("{}: {what}", design.name))
    });
}

/// What is decoded of a ring after so many cycles, by the steps of docs/control.md, and the instructions of the
/// program up to then.
fn traced(parts: Parts<'_>, settings: u32, cycles: usize) -> Result<(Decoded, u64), String> {
    let (_, design, work) = parts;
    let mut bench = begun(parts, settings)?;
    bench.run(cycles)?;
    bench.end()?;
    bench.sink_off()?;
    let ring = bench.ring()?;
    let decoded = Decoded::new(design, &work.program, &ring.oldest_first);
    decoded.check_parts(work)?;
    let is_known = |gap: &Gap| match gap.reason.name() {
        "beginning" => ring.write_pointer.is_some(),
        _ => matches!(gap.reason, Reason::Lost(_)),
    };
    if decoded.gaps.iter().all(|(_, gap)| is_known(gap)) {
        Ok((decoded, bench.instructions))
    } else {
        Err(format!("{settings:#x}, {cycles} cycles: {:?}", decoded.gaps))
    }
}

/// The ring of the README: 2 KiB after a module whose interval of instructions is never over. A program that runs much
/// longer is read back, whether the ring has wrapped or stopped.
#[test]
fn a_small_ring_of_a_long_program_is_read_back() {
    let work = Work::new(60_000);
    let control = Control { ram_sink: Some(2048), ..Control::new(Bus::Apb) };
    let design = switched("traptor-m4", &[("trace_port_width", "8"), ("sync_bytes", "512")]);
    let design = work.design(&design);
    let library = source(&whole(&design, &control)).build(&BuildOptions::default());
    let library = library.expect("a model");
    for settings in [0, STOP_ON_WRAP] {
        let parts = (&library, &design, &work);
        let (decoded, executed) = traced(parts, settings, 130_000).expect("a ring");
        assert!(executed > 120_000, "{executed} instructions");
        assert_eq!(decoded.gaps.len(), usize::from(settings == 0), "{:?}", decoded.gaps);
        let instructions = decoded.recovered.instructions;
        assert!(instructions > 1_000, "{settings:#x}: {instructions} instructions");
    }
}

/// The smallest rings that `generate` takes, with its interval, are read back wherever the program ends.
#[test]
fn the_smallest_ring_is_read_back() {
    let work = Work::new(20_000);
    let cases = [
        switched("traptor-m4", &[("trace_port_width", "8")]),
        switched("nexs", &[("trace_port_width", "1"), ("checksum_bits", "16")]),
        switched("talon-s", &[("trace_port_width", "32"), ("record_queue_depth", "16")]),
        switched("stream-rbase-32", &[("trace_port_width", "8"), ("fifo_bits", "1000")]),
        switched("traptor-m4", &[("trace_port_width", "1"), ("when_full", "drop")]),
    ];
    for_each(&chosen(cases, &[2, 4]), |design| {
        let mut design = work.design(design);
        let bytes = 2 * tail_bytes(&design, 0);
        design.set("sync_bytes", &(bytes / 4).to_string()).expect("a good value");
        let control = Control { ram_sink: Some(bytes), ..Control::new(Bus::Apb) };
        let library = source(&whole(&design, &control)).build(&BuildOptions::default());
        let library = library.map_err(|error| error.to_string())?;
        let parts = (&library, &design, &work);
        for settings in [0, STOP_ON_WRAP] {
            for cycles in (8_000..16_000).step_by(if is_long() { 911 } else { 2_733 }) {
                let (decoded, _) = traced(parts, settings, cycles)
                    .map_err(|what| format!("{}, {bytes} bytes: {what}", design.name))?;
                if decoded.events.is_empty() {
                    return Err(format!("{}: no event, {:?}", design.name, decoded.gaps));
                }
            }
        }
        Ok(())
    });
}
