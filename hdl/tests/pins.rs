//! The ports of trace modules and adapters are those of the table of pins.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use tracewright_hdl::{Direction, Generated, generate, generate_funnel, generate_message_funnel};
use tracewright_sim::message_funnel::Messages;
use tracewright_sim::pins::{self, Interface, Pin};
use tracewright_sim::scheme::{Design, Scheme};
use tracewright_sim::sinks::Sink;
use tracewright_sim::{
    blocks, funnel, message_funnel, preset, ram_sink, rvfi, system_memory_sink, tip,
};

use crate::{is_long, steps};

type Ports = Vec<(String, Direction, u32)>;

fn direction(direction: pins::Direction) -> Direction {
    match direction {
        pins::Direction::Input => Direction::Input,
        pins::Direction::Output => Direction::Output,
    }
}

fn found(generated: &Generated) -> Ports {
    let ports = generated.ports.iter();
    ports.map(|port| (port.name.clone(), port.direction, port.width as u32)).collect()
}

fn expected(interface: &Interface) -> Ports {
    let pins = interface.pins().into_iter();
    pins.map(|placed| (placed.name, direction(placed.pin.direction), placed.width)).collect()
}

/// All pins that go with each other.
const MOST_PINS: [(&str, &str); 13] = [
    ("clock_enable", "true"),
    ("reset", "asynchronous"),
    ("framing", "packets"),
    ("enable_pin", "true"),
    ("cause_bits", "5"),
    ("privilege_bits", "2"),
    ("context_bits", "8"),
    ("filter_ranges", "2"),
    ("filter_privilege", "true"),
    ("filter_context", "true"),
    ("filter_window", "true"),
    ("time_bits", "20"),
    ("time_source", "gray"),
];

/// The pins of a module that is told what was lost in front of it.
const LOSSES: [(&str, &str); 3] =
    [("framing", "packets"), ("when_full", "drop"), ("loss_pins", "true")];

fn changed(preset: &str, changes: &[(&str, &str)]) -> Design {
    let mut design = Design::preset(preset).unwrap();
    for (name, value) in changes {
        design.set(name, value).unwrap();
    }
    design
}

/// Ports, their order, directions and widths, of every preset and of random designs with any of the pins. Without
/// `LONG_TESTS`, of the designs of a scheme that have ports of the same names the first one.
#[test]
fn a_module_has_the_pins_of_the_table() {
    let mut designs: Vec<Design> =
        preset::all().map(|preset| Design::preset(preset.name).unwrap()).collect();
    for scheme in Scheme::all() {
        for seed in 0..steps(6, 6) as u64 {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let arbitrary = scheme.arbitrary(&mut random, 1, 32);
            designs.push(Design::new("random", arbitrary).unwrap());
        }
    }
    for preset in ["traptor-m4", "talon-s", "mctraptor-small-n1"] {
        designs.push(changed(preset, &MOST_PINS));
        designs.push(changed(preset, &LOSSES));
    }
    let values = [("enable_pin", "true"), ("cause_bits", "7"), ("trap_values", "true")];
    designs.push(changed("etrace-base", &values));
    let (mut met, mut compared) = (Vec::new(), Vec::new());
    for design in designs {
        let interface = design.interface();
        let expected = expected(&interface);
        let names: Vec<String> = expected.iter().map(|(name, _, _)| name.clone()).collect();
        let is_new = !compared.contains(&(design.scheme.name(), names.clone()));
        if !is_new && !is_long() {
            continue;
        }
        compared.push((design.scheme.name(), names));
        assert_eq!(found(&generate(&design).unwrap()), expected, "{design:?}");
        met.extend(interface.pins().into_iter().map(|placed| placed.pin.name));
    }
    for pin in pins::module::all() {
        assert!(met.contains(&pin.name), "no design has {}", pin.name);
    }
}

/// The names and widths of the pins of an adapter for so many lanes that a core drives.
fn of_lanes<C>(pins: &[Pin<C>], of: &C, lanes: usize) -> Ports {
    let mut ports = Vec::new();
    for pin in pins.iter().filter(|pin| pin.bits(of) > 0) {
        let lanes = if pin.each == pins::Each::Lane { lanes } else { 1 };
        ports.extend(
            (0..lanes)
                .map(|lane| (pin.in_lane(lane, lanes), direction(pin.direction), pin.bits(of))),
        );
    }
    ports
}

#[test]
fn an_adapter_has_the_pins_of_the_table() {
    let state = [
        ("framing", "packets"),
        ("cause_bits", "5"),
        ("privilege_bits", "2"),
        ("context_bits", "8"),
    ];
    let design = changed("traptor-m4", &[&[("alignment", "1")], &state[..]].concat());
    let (processor, protocol) = (design.processor().clone(), design.protocol().clone());
    for lanes in [1, 2] {
        let config = tip::Config {
            retirement: tip::Retirement::Block,
            queue: tracewright_sim::ingress::Queue::new(lanes),
            ..tip::Config::default()
        };
        let generated = tracewright_hdl::generate_tip_adapter(&design, &config).unwrap();
        let (processor, protocol) = (processor.clone(), protocol.clone());
        let of = pins::ingress::Tip { config, processor, protocol };
        let expected = of_lanes(pins::ingress::TIP, &of, lanes as usize);
        let found: Ports =
            found(&generated).into_iter().filter(|port| port.0.starts_with("tip_")).collect();
        assert_eq!(found, expected);
    }
    let plain = Design::preset("traptor-m4").unwrap();
    for lanes in [1, 3] {
        let config = rvfi::Config::new(rvfi::Xlen::Rv32, lanes);
        let generated = tracewright_hdl::generate_rvfi_adapter(&plain, &config).unwrap();
        let of = pins::ingress::Rvfi { config, processor: plain.processor().clone() };
        let expected = of_lanes(pins::ingress::RVFI, &of, lanes as usize);
        let found: Ports =
            found(&generated).into_iter().filter(|port| port.0.starts_with("rvfi_")).collect();
        assert_eq!(found, expected);
    }
    // Several blocks: the pins of a block and of the state, once for each lane.
    let generated =
        tracewright_hdl::generate_blocks_adapter(&design, &blocks::Config::new(2)).unwrap();
    let found = found(&generated);
    let interface = design.interface();
    for pin in pins::module::of_a_block().filter(|pin| interface.bits(pin) > 0) {
        let port = pin.name.replace("retire_", "lane_") + "_1";
        assert!(found.contains(&(port, Direction::Input, interface.bits(pin))), "{}", pin.name);
    }
}

/// The ports of a module without clock, reset and those of the trace port and its flush.
fn own_ports(generated: &Generated) -> Ports {
    let is_shared = |name: &str| pins::module::find(name).is_some_and(|pin| pin.name != "enable");
    found(generated).into_iter().filter(|port| !is_shared(&port.0)).collect()
}

#[test]
fn the_sinks_and_the_funnel_have_the_pins_of_the_table() {
    let design = Design::preset("traptor-m4").unwrap();
    let config = ram_sink::Config::after(&design, 1024, 0);
    let found = own_ports(&tracewright_hdl::generate_ram_sink(&design, &config).unwrap());
    assert_eq!(found, of_lanes(pins::sinks::RAM_SINK, &config, 1));
    for data_bits in [32, 64] {
        let bus = system_memory_sink::Bus { data_bits, ..system_memory_sink::Bus::default() };
        let config = system_memory_sink::Config::after(&design, bus, 0);
        let generated = tracewright_hdl::generate_system_memory_sink(&design, &config).unwrap();
        let control = of_lanes(pins::sinks::SYSTEM_MEMORY_SINK, &config, 1);
        let bus = of_lanes(pins::sinks::SYSTEM_MEMORY, &config, 1);
        assert_eq!(own_ports(&generated), [control, bus].concat());
    }
    let config = funnel::Config { sources: 3, ..funnel::Config::default() };
    let found = own_ports(&generate_funnel("funnel", &config, design.port()).unwrap());
    let expected = pins::sinks::SOURCE.iter().flat_map(|pin| {
        (0..3).map(|source| (pin.numbered(source), direction(pin.direction), pin.bits(&config)))
    });
    assert_eq!(found, expected.collect::<Ports>());
    let config = message_funnel::Config { sources: 3, messages: Messages::NTrace };
    let generated = generate_message_funnel("funnel", &config, design.port()).unwrap();
    let (of_sources, own): (Ports, Ports) =
        own_ports(&generated).into_iter().partition(|port| found.iter().any(|of| of.0 == port.0));
    assert_eq!(of_sources, found);
    assert_eq!(own, of_lanes(pins::sinks::MESSAGE_FUNNEL, &config, 1));
}

/// The ports of a sink that are not those of a trace module, and the rows that say so, in any order.
#[test]
fn the_sinks_have_the_pins_of_the_table() {
    use pins::sinks::{CHIP_PERIOD, Outlet, SINK_SOURCE, TRACE_FLUSH};
    let design = changed("traptor-m4", &[("framing", "packets"), ("trace_port_width", "16")]);
    let outlet = Outlet::of(&design.interface());
    for sink in Sink::ALL {
        let period: &[_] = if sink == Sink::Pins { CHIP_PERIOD } else { &[] };
        let mut found = own_ports(&tracewright_hdl::generate_sink(&design, sink).unwrap());
        let has_flush = sink == Sink::Atb;
        let source = SINK_SOURCE.iter().filter(|pin| pin.name != TRACE_FLUSH.name || has_flush);
        // A request for a packet goes past the sink.
        let rows = sink.pins().iter().filter(|pin| pin.name != pins::sinks::SYNCREQ.name);
        let expected = source
            .chain(rows)
            .chain(period)
            .map(|pin| (pin.name.to_owned(), direction(pin.direction), pin.bits(&outlet)));
        let mut expected: Ports = expected.collect();
        found.sort_by(|one, other| one.0.cmp(&other.0));
        expected.sort_by(|one, other| one.0.cmp(&other.0));
        assert_eq!(found, expected, "{sink:?}");
    }
}
