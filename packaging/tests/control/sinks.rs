//! Registers around a module whose trace goes to a bus or to the pins of a chip.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_packaging::control::{Bus, Control};
use tracewright_packaging::{Ingress, Sink};
use tracewright_sim::blocks;
use tracewright_sim::rvfi::{self, Xlen};
use tracewright_sim::tip;
use tracewright_testbench::lint::lint;
use tracewright_testbench::{BuildOptions, design::source};

use super::designs::{switched, with_sink};
use super::trace::{on_and_off, synchronised};
use super::traced::{Parts, Work};
use crate::common::for_each;

type Changes = &'static [(&'static str, &'static str)];

/// Tracing is switched off and on; packets by the counter of cycles where there is no other interval.
pub fn all(parts: Parts<'_>) -> Result<(), String> {
    on_and_off(parts)?;
    if parts.1.protocol().interval() == 0 { synchronised(parts) } else { Ok(()) }
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
    for_each(&cases, |(preset, changes, bus, sink, lanes)| {
        let (design, control) = (work.design(&switched(preset, changes)), Control::new(*bus));
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
    let count = std::env::var("DRAWS").map_or(2, |text| text.parse().expect("a number"));
    let work = Work::new(40_000);
    let seeds: Vec<u64> = (0..count).collect();
    for_each(&seeds, |seed| {
        let mut random = ChaCha8Rng::seed_from_u64(*seed);
        let preset = ["traptor-m4", "nexs", "stream-rbase-32"][random.random_range(0..3)];
        let sink = [Sink::AxiStream, Sink::Atb, Sink::Pins][random.random_range(0..3)];
        let bus = [Bus::Apb, Bus::AxiLite][random.random_range(0..2)];
        let width = ["8", "16"][random.random_range(0..2)];
        let reset = ["synchronous", "asynchronous"][random.random_range(0..2)];
        let enable = ["false", "true"][random.random_range(0..2)];
        let changes = [("trace_port_width", width), ("reset", reset), ("clock_enable", enable)];
        let lanes = random.random_range(1..=3);
        let (design, control) = (work.design(&switched(preset, &changes)), Control::new(bus));
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
    let cases = [Sink::AxiStream, Sink::Atb, Sink::Pins]
        .into_iter()
        .flat_map(|sink| [(sink, ALL, rvfi, Bus::Apb), (sink, ASYNCHRONOUS, tip, Bus::AxiLite)]);
    for_each(&cases.collect::<Vec<_>>(), |(sink, changes, ingress, bus)| {
        let design = ingress.fit(switched("nexs", changes)).map_err(|error| error.to_string())?;
        let source = source(&with_sink(&design, &Control::new(*bus), Some(*ingress), *sink));
        let findings = lint(&source.files, &source.top).expect("the tools are installed");
        let all: Vec<String> = findings.iter().map(ToString::to_string).collect();
        if all.is_empty() { Ok(()) } else { Err(format!("{}: {}", source.top, all.join("\n"))) }
    });
}
