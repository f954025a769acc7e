//! The hardware of control registers in Verilator against its models: every output in every cycle, and every branch of its
//! Verilog taken.

use tracewright_hdl::control::{ControlPart, Owner, generate_control_part};
use tracewright_sim::config::TracePort;
use tracewright_sim::control::table::Map;
use tracewright_sim::control::trace_switch::Config;
use tracewright_sim::control::trigger::Triggers;
use tracewright_sim::control::{Bus, encoder, funnel, ram, system_memory};
use tracewright_sim::scheme::Design;
use tracewright_sim::{ram_sink, system_memory_sink};
use tracewright_testbench::control::run_at_random;

use crate::funnel::designs;
use crate::sinks::{check, design};

/// What a filter can decide by.
const FILTERS: &[(&str, &str)] = &[
    ("address_width", "40"),
    ("context_bits", "33"),
    ("privilege_bits", "2"),
    ("filter_ranges", "2"),
    ("filter_context", "true"),
    ("filter_privilege", "true"),
    ("filter_window", "true"),
];

/// Where a trace goes.
#[derive(Clone, Copy)]
pub enum Ring {
    Nowhere,
    /// A memory of so many bytes.
    Own(u32),
    /// The memory of the system, with addresses of so many bits.
    System(u32),
}

/// The registers of a design.
pub fn map(design: &Design, (inputs, outputs): (u32, u32), ring: Ring) -> Map {
    let encoder = encoder::component(design, Triggers { inputs, outputs });
    let sink = match ring {
        Ring::Nowhere => None,
        Ring::Own(bytes) => Some(ram::component(&ram_sink::Config::after(design, bytes, 0))),
        Ring::System(address_bits) => {
            let bus =
                system_memory_sink::Bus { address_bits, ..system_memory_sink::Bus::default() };
            Some(system_memory::component(&bus))
        }
    };
    Map { components: [encoder].into_iter().chain(sink).collect() }
}

fn check_part<'a>(owner: impl Into<Owner<'a>>, part: ControlPart<'_>) {
    check(&generate_control_part(owner, part).unwrap(), |library, seed| {
        run_at_random(library, part, seed)
    });
}

#[test]
fn front_ends_do_what_their_models_do() {
    check_part(&design(8, true, &[]), ControlPart::FrontEnd(Bus::Apb));
    let registered = design(8, true, &[("encoder_registers", "true")]);
    assert!(matches!(
        ControlPart::front_end(Bus::Apb, registered.port()),
        ControlPart::RegisteredApb
    ));
    check_part(&registered, ControlPart::RegisteredApb);
    for reset in ["synchronous", "asynchronous"] {
        let design = design(8, true, &[("reset", reset), ("clock_enable", "true")]);
        check_part(&design, ControlPart::FrontEnd(Bus::AxiLite));
    }
}

#[test]
fn registers_do_what_their_model_does() {
    let cases = [
        (&[("reset", "asynchronous")][..], (0, 0), Ring::Nowhere),
        (
            &[("time_bits", "40"), ("time_source", "unit"), ("clock_enable", "true")],
            (2, 3),
            Ring::Own(1024),
        ),
        (FILTERS, (8, 0), Ring::System(64)),
    ];
    for (changes, triggers, ring) in cases {
        let design = design(8, true, changes);
        check_part(&design, ControlPart::Registers(&map(&design, triggers, ring)));
    }
}

/// Everything that a switch can have around it.
pub const FULL: Config = Config {
    answers: 2,
    has_sink: true,
    has_adapter: true,
    filter_ranges: 3,
    filters: true,
    is_gated: true,
};

/// A switch with nothing around it but the module.
const PLAIN: Config = Config {
    answers: 1,
    has_sink: false,
    has_adapter: false,
    filter_ranges: 0,
    filters: false,
    is_gated: false,
};

#[test]
fn the_switch_does_what_its_model_does() {
    let gated = [("clock_enable", "true")];
    let cases = [
        (&gated[..], FULL),
        (&[], PLAIN),
        (&[("reset", "asynchronous")], Config { has_adapter: true, filters: true, ..PLAIN }),
    ];
    for (changes, config) in cases {
        check_part(&design(8, true, changes), ControlPart::Switch(&config));
    }
}

#[test]
fn the_gate_of_a_bridge_does_what_its_model_does() {
    for changes in [&[("clock_enable", "true")][..], &[("reset", "asynchronous")]] {
        check_part(&design(8, true, changes), ControlPart::BridgeGate);
    }
}

#[test]
fn the_split_of_a_bus_does_what_its_model_does() {
    for units in [2, 3, 17] {
        check_part(&design(8, true, &[]), ControlPart::ApbSplit(units));
    }
}

#[test]
fn an_axi_lite_before_an_apb_does_what_its_model_does() {
    for (bits, reset) in [(17, "synchronous"), (21, "asynchronous")] {
        let design = design(8, true, &[("reset", reset)]);
        check_part(&design, ControlPart::AxiLiteToApb(bits));
    }
}

#[test]
fn the_timestamp_unit_does_what_its_model_does() {
    for (bits, reset) in [("5", "synchronous"), ("64", "asynchronous")] {
        let design = design(8, true, &[("reset", reset)]);
        check_part(&design, ControlPart::TimestampUnit(bits.parse().unwrap()));
    }
}

#[test]
fn triggers_do_what_their_models_do() {
    for (triggers, is_gated, reset) in [(1, false, "synchronous"), (8, true, "asynchronous")] {
        let design = design(8, true, &[("reset", reset)]);
        check_part(&design, ControlPart::TriggerInputs(triggers, is_gated));
        check_part(&design, ControlPart::TriggerOutputs(triggers, is_gated));
    }
}

/// Everything of a funnel: its registers, and what switches it.
#[test]
fn the_switch_of_a_funnel_does_what_its_model_does() {
    for (config, style) in designs() {
        let style = TracePort { clock_enable: config.sources == 8, ..style };
        let owner = Owner::Funnel { name: "trace_funnel", style: &style };
        check_part(owner, ControlPart::FunnelSwitch(config.sources));
        let map = Map { components: vec![funnel::component(&config)] };
        check_part(owner, ControlPart::Registers(&map));
    }
}
