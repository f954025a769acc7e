//! Registers around a module whose trace goes to a bus or to the pins of a chip.

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

/// `flushed` of the sink says when the last bit has left it, so registers that wait for it lose nothing; and packets begin as
/// often as they say.
#[test]
fn registers_alone_trace_a_program_into_a_sink() {
    let work = Work::new(40_000);
    const ATB: Changes = &[("trace_port_width", "2"), ("sync_interval", "0")];
    const WIDE: Changes =
        &[("trace_port_width", "32"), ("sync_interval", "0"), ("reset", "asynchronous")];
    const AXIS: Changes = &[("trace_port_width", "12"), ("sync_interval", "0")];
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
