//! Designs with control registers.

use tracewright_hdl::Generated;
use tracewright_hdl::unit::{sink_wrapper, with_ingress, with_registers};
use tracewright_sim::control::Bus;
use tracewright_sim::control::trigger::Triggers;
use tracewright_sim::scheme::Design;
use tracewright_sim::sinks::Sink;
use tracewright_sim::system_memory_sink;
use tracewright_sim::unit::{Control, Ingress};
use tracewright_testbench::ModelSource;
use tracewright_testbench::design::source;

use crate::common::chosen;

/// A design with packets that can be switched off and on.
pub fn switched(preset: &str, changes: &[(&str, &str)]) -> Design {
    let mut design = Design::preset(preset).expect("a preset");
    for (name, value) in [("framing", "packets"), ("enable_pin", "true")].iter().chain(changes) {
        design.set(name, value).expect("a good value");
    }
    design
}

/// E-Trace or N-Trace that can be switched without packets.
pub fn standard(preset: &str, changes: &[(&str, &str)]) -> Design {
    let mut design = Design::preset(preset).expect("a preset");
    for (name, value) in [("enable_pin", "true")].iter().chain(changes) {
        design.set(name, value).expect("a good value");
    }
    design
}

/// Designs whose registers have everything that there is: times and outputs, filters, a ring and triggers, a ring in the
/// memory of the system, a bridge. All of them with `LONG_TESTS`.
pub fn designs() -> Vec<(Design, Control)> {
    chosen(every_design(), &[4, 5, 6, 10, 12])
}

/// Designs that differ in what their registers have.
pub fn every_design() -> Vec<(Design, Control)> {
    let in_memory = [
        (
            standard("etrace-base", &[]),
            in_system_memory(Bus::Apb, system_memory_sink::Bus::default()),
        ),
        (
            switched("nexs", &[("trace_port_width", "8"), ("reset", "asynchronous")]),
            in_system_memory(Bus::AxiLite, WIDE),
        ),
    ];
    let timed = standard("ntrace-htm", &[("time_bits", "40"), ("time_source", "unit")]);
    let timed = (timed, Control::new(Bus::Apb));
    let on_bus = Control { trace_bus: true, ..Control::new(Bus::AxiLite) };
    let on_bus = (standard("ntrace-btm", &[("trace_port_width", "16")]), on_bus);
    without_system_memory().into_iter().chain(in_memory).chain([timed, on_bus]).collect()
}

fn without_system_memory() -> Vec<(Design, Control)> {
    let control = |bus, ram_sink| Control { ram_sink, ..Control::new(bus) };
    let triggers = |inputs, outputs| Triggers { inputs, outputs };
    vec![
        (switched("nexs", &[]), control(Bus::Apb, None)),
        (switched("nexs", &[("reset", "asynchronous")]), control(Bus::AxiLite, Some(64))),
        (
            switched(
                "traptor-m4",
                &[("when_full", "drop"), ("context_bits", "16"), ("trace_port_width", "8")],
            ),
            control(Bus::Apb, Some(4096)),
        ),
        (
            switched(
                "talon-s",
                &[
                    ("time_bits", "64"),
                    ("checksum_bits", "8"),
                    ("trace_port_width", "32"),
                    ("memories", "wrappers"),
                ],
            ),
            control(Bus::Apb, Some(1 << 20)),
        ),
        (
            switched(
                "stream-rbase-32",
                &[("time_bits", "40"), ("time_source", "gray"), ("privilege_bits", "2")],
            ),
            Control { triggers: triggers(0, 3), ..control(Bus::AxiLite, None) },
        ),
        (
            switched(
                "nexs",
                &[
                    ("address_width", "40"),
                    ("context_bits", "33"),
                    ("privilege_bits", "2"),
                    ("filter_ranges", "3"),
                    ("filter_context", "true"),
                    ("filter_privilege", "true"),
                    ("filter_window", "true"),
                ],
            ),
            control(Bus::Apb, None),
        ),
        (
            standard("etrace-base", &[]),
            Control { triggers: triggers(1, 1), ..control(Bus::Apb, Some(64)) },
        ),
        (switched("nexs", &[]), Control { triggers: triggers(8, 8), ..Control::new(Bus::Apb) }),
        (
            switched(
                "traptor-m4",
                &[("when_full", "drop"), ("reset", "asynchronous"), ("clock_enable", "true")],
            ),
            Control { triggers: triggers(1, 1), ..control(Bus::AxiLite, Some(64)) },
        ),
    ]
}

/// A wide bus to the memory of the system.
pub const WIDE: system_memory_sink::Bus =
    system_memory_sink::Bus { address_bits: 40, data_bits: 64, burst_beats: 8 };

/// Registers with a ring in the memory of the system.
pub fn in_system_memory(bus: Bus, memory: system_memory_sink::Bus) -> Control {
    Control { system_memory: Some(memory), ..Control::new(bus) }
}

/// The trace module of a design, as the source of a trace bus if its registers have the page of a bridge.
pub fn inner(design: &Design, control: &Control) -> Generated {
    let inner = tracewright_hdl::generate(design).expect("a good design");
    match control.trace_bus {
        true => in_sink(design, inner, Sink::Atb),
        false => inner,
    }
}

/// The same with its registers around it.
pub fn whole(design: &Design, control: &Control) -> Generated {
    with_registers(control, design, inner(design, control)).expect("a good design")
}

/// A module in a sink.
fn in_sink(design: &Design, inner: Generated, sink: Sink) -> Generated {
    let mut around = sink_wrapper(design, &inner, sink).expect("a width that fits");
    around.files.splice(0..0, inner.files);
    around.memory_files = inner.memory_files;
    around
}

/// The same with an adapter for a port that cores have.
pub fn with_adapter(design: &Design, control: &Control, ingress: Ingress) -> Generated {
    let inner = tracewright_hdl::generate(design).expect("a good design");
    let inner = with_ingress(design, inner, ingress);
    with_registers(control, design, inner.expect("it traces control flow")).expect("a good design")
}

/// A trace module with an adapter or without, a sink around it, and the registers around all.
pub fn with_sink(
    design: &Design,
    control: &Control,
    ingress: Option<Ingress>,
    sink: Sink,
) -> Generated {
    let inner = tracewright_hdl::generate(design).expect("a good design");
    let inner = match ingress {
        None => inner,
        Some(ingress) => with_ingress(design, inner, ingress).expect("it traces control flow"),
    };
    with_registers(control, design, in_sink(design, inner, sink)).expect("a good design")
}

/// A model's source.
pub fn model(generated: &Generated) -> ModelSource {
    source(generated)
}
