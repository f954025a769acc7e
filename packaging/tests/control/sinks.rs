//! Registers around a module whose trace goes to a bus or to the pins of a chip.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::control::Bus;
use tracewright_sim::rvfi::{self, Xlen};
use tracewright_sim::sinks::Sink;
use tracewright_sim::unit::{Control, Ingress};
use tracewright_sim::{blocks, tip};
use tracewright_testbench::bus::Clocked;
use tracewright_testbench::debugger::{Debugger, EMPTY};
use tracewright_testbench::lint::lint;
use tracewright_testbench::{BuildOptions, design::source};

use super::designs::{switched, with_sink};
use super::trace::{discarded, on_and_off, synchronised};
use super::traced::{BRIDGE, BRIDGE_ON, Bench, Decoded, Parts, Work};
use crate::common::{chosen, for_each, is_long};

type Changes = &'static [(&'static str, &'static str)];

/// Registers around a sink, with its page if they can have one.
pub fn around(bus: Bus, sink: Sink) -> Control {
    Control { trace_bus: sink == Sink::Atb, ..Control::new(bus) }
}

/// Tracing is switched off and on; packets by the counter of cycles where there is no other interval.
pub fn all(parts: Parts<'_>) -> Result<(), String> {
    on_and_off(parts)?;
    bridge_off_and_on(parts)?;
    if parts.1.protocol().interval() == 0 { synchronised(parts) } else { Ok(()) }
}

/// The register of the ATB bridge, if there is one, ends a trace and begins another: all of the first one has left when the
/// bridge is empty, and nothing is traced before the bridge is on again.
fn bridge_off_and_on((library, design, work): Parts<'_>) -> Result<(), String> {
    let mut bench = Bench::new(library, design, work);
    if !bench.has_bridge() {
        return Ok(());
    }
    discarded((library, design, work))?;
    bench.begin(0)?;
    bench.run(3_000)?;
    bench.write(BRIDGE, BRIDGE_ON & !2, 15)?;
    bench.wait(BRIDGE, EMPTY, EMPTY)?;
    if bench.read(0)?.0 & EMPTY == 0 {
        return Err("trTeEmpty is 0 although the bridge is empty".into());
    }
    let first = bench.bytes();
    bench.run(1_500)?;
    if bench.bytes() != first {
        return Err("the bridge is off and sends a trace".into());
    }
    bench.write(BRIDGE, BRIDGE_ON, 15)?;
    bench.wait(BRIDGE, EMPTY, 0)?;
    bench.run(3_000)?;
    bench.end()?;
    let decoded = Decoded::new(design, &work.program, &bench.bytes());
    decoded.check_parts(work)?;
    let is_short =
        Decoded::new(design, &work.program, &first).events.len() + 100 > decoded.events.len();
    match decoded.off().is_empty() || is_short {
        true => Err("the trace does not go on after the bridge was off".into()),
        false => Ok(()),
    }
}

/// `flushed` of the sink says when the last bit has left it, so registers that wait for it lose nothing; and packets
/// begin as often as they say.
#[test]
fn registers_alone_trace_a_program_into_a_sink() {
    let work = Work::new(40_000);
    const ATB: Changes = &[("trace_port_width", "2"), ("sync_interval", "0")];
    const WIDE: Changes = &[
        ("trace_port_width", "32"),
        ("sync_interval", "0"),
        ("reset", "asynchronous"),
        ("clock_enable", "true"),
    ];
    const AXIS: Changes =
        &[("trace_port_width", "12"), ("sync_interval", "0"), ("clock_enable", "true")];
    const PINS: Changes = &[
        ("trace_port_width", "16"),
        ("when_full", "drop"),
        ("checksum_bits", "8"),
        ("record_queue_depth", "8"),
    ];
    let cases = [
        ("nexs", ATB, Bus::Apb, Sink::Atb, 1),
        ("traptor-m4", WIDE, Bus::AxiLite, Sink::Atb, 2),
        ("stream-rbase-32", AXIS, Bus::Apb, Sink::AxiStream, 1),
        ("talon-s", PINS, Bus::AxiLite, Sink::Pins, 1),
    ];
    for_each(&chosen(cases, &[1, 2, 3]), |(preset, changes, bus, sink, lanes)| {
        let (design, control) = (work.design(&switched(preset, changes)), around(*bus, *sink));
        let ingress = (*lanes > 1).then(|| Ingress::Blocks(blocks::Config::new(*lanes)));
        let library = source(&with_sink(&design, &control, ingress, *sink))
            .build(&BuildOptions::default())
            .map_err(|error| error.to_string())?;
        all((&library, &design, &work)).map_err(|what| format!("{preset} {sink:?}: {what}"))
    });
}

/// Bus, sink, blocks of a cycle and loss mode at random; `DRAWS` in the environment says how many, and `make regress`
/// tries 60.
#[test]
fn what_is_drawn_is_traced() {
    let count = std::env::var("DRAWS")
        .map_or(if is_long() { 2 } else { 1 }, |text| text.parse().expect("a number"));
    let work = Work::new(40_000);
    let seeds: Vec<u64> = (0..count).collect();
    for_each(&seeds, |seed| {
        let mut random = ChaCha8Rng::seed_from_u64(*seed);
        let preset = ["traptor-m4", "nexs", "stream-rbase-32"][random.random_range(0..3)];
        let sink = Sink::ALL[random.random_range(0..Sink::ALL.len())];
        let bus = [Bus::Apb, Bus::AxiLite][random.random_range(0..2)];
        let width = ["8", "16"][random.random_range(0..2)];
        let reset = ["synchronous", "asynchronous"][random.random_range(0..2)];
        let enable = ["false", "true"][random.random_range(0..2)];
        let changes = [("trace_port_width", width), ("reset", reset), ("clock_enable", enable)];
        let lanes = random.random_range(1..=3);
        let (design, control) = (work.design(&switched(preset, &changes)), around(bus, sink));
        let ingress = (lanes > 1).then(|| Ingress::Blocks(blocks::Config::new(lanes)));
        let library = source(&with_sink(&design, &control, ingress, sink))
            .build(&BuildOptions::default())
            .map_err(|error| error.to_string())?;
        let what = (preset, sink, bus, changes, lanes);
        all((&library, &design, &work)).map_err(|error| format!("{seed}: {what:?}: {error}"))
    });
}

#[test]
fn three_tools_are_silent_about_all_of_it() {
    const ALL: Changes = &[
        ("alignment", "1"),
        ("trace_port_width", "16"),
        ("filter_ranges", "1"),
        ("time_bits", "16"),
        ("when_full", "drop"),
    ];
    const ASYNCHRONOUS: Changes = &[("alignment", "1"), ("reset", "asynchronous")];
    let rvfi = Ingress::Rvfi(rvfi::Config::new(Xlen::Rv32, 2));
    let tip = Ingress::Tip(tip::Config::default());
    let cases = Sink::ALL
        .into_iter()
        .flat_map(|sink| [(sink, ALL, rvfi, Bus::Apb), (sink, ASYNCHRONOUS, tip, Bus::AxiLite)]);
    for_each(&chosen(cases, &[0, 3, 4]), |(sink, changes, ingress, bus)| {
        let design = ingress.fit(switched("nexs", changes)).map_err(|error| error.to_string())?;
        let source = source(&with_sink(&design, &around(*bus, *sink), Some(*ingress), *sink));
        let findings = lint(&source.files, &source.top).expect("the tools are installed");
        let all: Vec<String> = findings.iter().map(ToString::to_string).collect();
        if all.is_empty() { Ok(()) } else { Err(format!("{}: {}", source.top, all.join("\n"))) }
    });
}
