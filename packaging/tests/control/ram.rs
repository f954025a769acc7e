//! A program is traced into the ring of a RAM sink and read back by registers alone.

use tracewright_packaging::control::{Bus, Control};
use tracewright_sim::packet::part::Reason;
use tracewright_testbench::bus::Clocked;
use tracewright_testbench::debugger::{
    Debugger, EMPTY, LIMIT, RAM, READ_POINTER, SINK_ON, TRACING, WRITE_POINTER,
};
use tracewright_testbench::{BuildOptions, design::source};

use super::designs::{switched, whole};
use super::traced::{Bench, Decoded, Parts, Work};
use crate::common::for_each;

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

/// A ring that is full stops the trace and not the core, and has the beginning of the trace.
fn stopped(parts: Parts<'_>) -> Result<(), String> {
    let (_, design, work) = parts;
    let mut bench = begun(parts, STOP_ON_WRAP)?;
    bench.write(LIMIT, 0xfc, 15)?;
    bench.run(60_000)?;
    let (sink, _) = bench.read(RAM)?;
    let (pointer, _) = bench.read(WRITE_POINTER)?;
    if (sink & 0b1011, pointer) != (0b1001, 1) {
        return Err(format!("the sink is {sink:#x}, its pointer {pointer:#x}"));
    }
    if bench.read(0)?.0 & EMPTY != 0 {
        return Err("the rest of the trace is not in the module".into());
    }
    bench.control(0)?;
    bench.wait(0, EMPTY, EMPTY)?;
    let bytes = bench.ring()?.oldest_first;
    let decoded = Decoded::new(design, &work.program, &bytes);
    decoded.check_parts(work)?;
    let known = |event: &tracewright_sim::event::Event| {
        (event.program_counter, event.instructions, event.taken)
    };
    let count = decoded.gaps.first().map_or(0, |(place, _)| *place);
    bench.write(WRITE_POINTER, 0x10, 15)?;
    let (set, _) = bench.read(WRITE_POINTER)?;
    bench.write(RAM, 0, 15)?;
    bench.write(RAM, 1, 15)?;
    let (reset, _) = bench.read(WRITE_POINTER)?;
    if (set, reset) != (0x10, 0) {
        return Err(format!("the pointer becomes {set:#x}, and {reset:#x} by trRamActive"));
    }
    let begins =
        decoded.events[..count].iter().map(known).eq(work.events[..count].iter().map(known));
    if begins && count > 20 { Ok(()) } else { Err(format!("{count} events, {:?}", decoded.gaps)) }
}

/// All of it.
pub fn all(parts: Parts<'_>) -> Result<(), String> {
    whole_trace(parts).map_err(|what| format!("whole: {what}"))?;
    wrapped(parts).map_err(|what| format!("wrapped: {what}"))?;
    stopped(parts).map_err(|what| format!("stopped: {what}"))
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
    for_each(&cases, |(design, bus)| {
        let control = Control { ram_sink: Some(1 << 16), ..Control::new(*bus) };
        let design = work.design(design);
        let library = source(&whole(&design, &control)).build(&BuildOptions::default());
        let library = library.map_err(|error| error.to_string())?;
        let parts = (&library, &design, &work);
        all(parts).map_err(|what| format!("{}: {what}", design.name))
    });
}
