//! The templates of the package and what they are filled in with.

use std::collections::BTreeMap;

use minijinja::context;
use serde::Serialize;
use tracewright_hdl::unit::{Pins, is_clock_or_reset, sink_wrapper};
use tracewright_hdl::{Direction, Generated};
use tracewright_sim::config::TimeSource;
use tracewright_sim::packet::time::TimeCode;
use tracewright_sim::pins::{is_clock, module};
use tracewright_sim::scheme::Design;
use tracewright_sim::sinks::Sink;

use crate::render::render;
use crate::shown::TESTBENCH_TIME;
use crate::vectors::Vectors;
use crate::{Error, Layers};

/// File names, in which `NAME` and `TOP` stand for the design and its module, and their templates.
const TEMPLATES: [(&str, &str); 5] = [
    ("NAME.core", include_str!("../templates/NAME.core")),
    ("NAME.xml", include_str!("../templates/NAME.xml")),
    ("TOP_waivers.vlt", include_str!("../templates/TOP_waivers.vlt")),
    ("TOP_icestorm.v", include_str!("../templates/TOP_icestorm.v")),
    ("testbench/TOP_testbench.v", include_str!("../templates/TOP_testbench.v")),
];

/// The template of the module that checks the pins, which only a package with assertions has.
const CONTRACT: (&str, &str) = ("TOP_contract.v", include_str!("../templates/TOP_contract.v"));

/// The templates of the timing constraints by the ending of their files: all of them, and those that nextpnr reads.
const CONSTRAINTS: [(&str, &str); 2] = [
    (".sdc", include_str!("../templates/TOP.sdc")),
    ("_nextpnr.sdc", include_str!("../templates/TOP_nextpnr.sdc")),
];

/// What the templates may name.
#[derive(Serialize)]
struct Context<'a> {
    name: &'a str,
    top: &'a str,
    version: &'static str,
    sources: &'a [&'a str],
    ports: Vec<ContextPort<'a>>,
    pins: &'a Pins,
    /// What the testbench shows at the pin `timestamp`, in hexadecimal digits.
    timestamp: String,
    /// The AXI4-Stream wrapper.
    axis_top: &'a str,
    axis_sources: Vec<&'a str>,
    axis_ports: Vec<ContextPort<'a>>,
    /// Bits of all inputs, and of all outputs, but clock and reset.
    input_bits: usize,
    output_bits: usize,
    cores: usize,
    /// True for a package with `TOP_contract.v`.
    assertions: bool,
    /// Width of `retire_pc`, and of `retire_count`; 0 for a data address module.
    address_width: usize,
    count_bits: usize,
    alignment: u32,
    timed: bool,
    /// Cycles without activity after which the testbench fails, which are more than the module needs to
    /// clear its tables.
    idle_limit: usize,
    lines: usize,
    line_bits: usize,
    words: usize,
    word_bits: usize,
    blocks: usize,
    checksum: String,
}

#[derive(Serialize)]
struct ContextPort<'a> {
    name: &'a str,
    direction: &'static str,
    width: usize,
    /// Where its bits are among those of its direction.
    low: usize,
}

/// The ports of a module, and the bits of all its inputs and of all its outputs but for clock and reset.
fn ports<'a>(module: &'a Generated, reset: &str) -> (Vec<ContextPort<'a>>, [usize; 2]) {
    let mut bits = [0, 0];
    let ports = module.ports.iter().map(|port| {
        let (direction, bits) = match port.direction {
            Direction::Input => ("input", &mut bits[0]),
            Direction::Output => ("output", &mut bits[1]),
        };
        let (name, low) = (port.name.as_str(), *bits);
        *bits += if is_clock_or_reset(name, reset) { 0 } else { port.width };
        ContextPort { name, direction, width: port.width, low }
    });
    (ports.collect(), bits)
}

/// The timing constraints of a module: each file's name and text.
fn constraints(
    design: &Design,
    whole: &Generated,
    pins: &Pins,
) -> Result<Vec<(String, String)>, Error> {
    let (ports, _) = ports(whole, pins.reset);
    let clock = ports.iter().find(|port| is_clock(port.name));
    let clock = clock.map_or(module::CLOCK.name, |port| port.name);
    let context = context! {
        name => design.name, top => whole.top, clock, ports, pins,
        gray_time => design.protocol().time_source == TimeSource::Gray,
    };
    let file = |(ending, template): (&str, &str)| {
        let text = render("constraints", template, &context)?;
        Ok((format!("{}{ending}", whole.top), text))
    };
    CONSTRAINTS.into_iter().map(file).collect()
}

/// Fills every template in.
pub fn fill(
    design: &Design,
    layers: Layers<'_>,
    sources: &[&str],
    pins: &Pins,
    vectors: &Vectors,
    assertions: bool,
) -> Result<BTreeMap<String, String>, Error> {
    let generated = layers.trace_module;
    let (ports, [input_bits, output_bits]) = self::ports(generated, pins.reset);
    let axis = sink_wrapper(design, layers.with_adapters, Sink::AxiStream)?;
    let (axis_ports, _) = self::ports(&axis, pins.reset);
    // Where every module has its own file, so has each of the wrapper.
    let has = |name: &str| sources.contains(&name);
    let is_split = layers.trace_module.files.iter().all(|(name, _)| has(name));
    let axis_files = if is_split { axis.files.clone() } else { axis.sources() };
    let axis_sources = axis_files.iter().map(|(name, _)| name.as_str()).filter(|name| !has(name));
    let context = Context {
        name: &design.name,
        top: &generated.top,
        version: env!("CARGO_PKG_VERSION"),
        sources,
        ports,
        pins,
        timestamp: format!("{:x}", TimeCode::new(design.protocol()).encode(TESTBENCH_TIME)),
        axis_top: &axis.top,
        axis_sources: axis_sources.collect(),
        axis_ports,
        input_bits,
        output_bits,
        cores: design.cores() as usize,
        assertions,
        address_width: pins.width(&module::RETIRE_PC),
        count_bits: pins.width(&module::RETIRE_COUNT),
        alignment: design.processor().alignment,
        timed: vectors.timed,
        idle_limit: 10_000 + generated.storage_bits,
        lines: vectors.lines.len(),
        line_bits: vectors.lines.first().map_or(0, |line| 4 * line.len()),
        words: vectors.words.len(),
        word_bits: vectors.word_bits,
        blocks: vectors.blocks,
        checksum: format!("{:08x}", vectors.checksum),
    };
    let mut files = BTreeMap::new();
    for (file, template) in TEMPLATES.into_iter().chain(assertions.then_some(CONTRACT)) {
        let text = render(file, template, &context)?;
        files.insert(file.replace("NAME", &design.name).replace("TOP", &generated.top), text);
    }
    files.extend(axis_files);
    files.extend(constraints(design, layers.whole, pins)?);
    files.insert("testbench/vectors.hex".into(), vectors.vectors_text());
    files.insert("testbench/expected.hex".into(), vectors.expected_text());
    Ok(files)
}
