//! The templates of the package and what they are filled in with.

use std::collections::BTreeMap;

use serde::Serialize;
use tracewright_hdl::{Direction, Generated};
use tracewright_sim::config::TimeSource;
use tracewright_sim::scheme::Design;

use crate::Error;
use crate::pins::Pins;
use crate::render::{range, render};
use crate::vectors::Vectors;

/// File names, in which `NAME` and `TOP` stand for the design and its module, and their templates.
const TEMPLATES: [(&str, &str); 7] = [
    ("NAME.core", include_str!("../templates/NAME.core")),
    ("NAME.xml", include_str!("../templates/NAME.xml")),
    ("TOP.sdc", include_str!("../templates/TOP.sdc")),
    ("TOP_waivers.vlt", include_str!("../templates/TOP_waivers.vlt")),
    ("TOP_axis.v", include_str!("../templates/TOP_axis.v")),
    ("TOP_icestorm.v", include_str!("../templates/TOP_icestorm.v")),
    ("testbench/TOP_testbench.v", include_str!("../templates/TOP_testbench.v")),
];

/// The template of the module that checks the pins, which only a package with assertions has.
const CONTRACT: (&str, &str) = ("TOP_contract.v", include_str!("../templates/TOP_contract.v"));

/// What the AXI4-Stream wrapper has ports of its own for.
const OWN_PORTS: [&str; 7] =
    ["clock", "clock_enable", "reset", "reset_n", "trace_data", "trace_valid", "trace_ready"];

/// What the templates may name.
#[derive(Serialize)]
struct Context<'a> {
    name: &'a str,
    top: &'a str,
    version: &'static str,
    sources: &'a [&'a str],
    ports: Vec<ContextPort<'a>>,
    pins: &'a Pins,
    /// Ports that the AXI4-Stream wrapper does not pass on.
    own: [&'static str; 7],
    axis_width: usize,
    /// The range of `trace_data` in Verilog, followed by a space; empty for one bit.
    trace_range: String,
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
    /// The pin `timestamp` is of another clock domain.
    gray_time: bool,
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
    /// The range in Verilog, followed by a space; empty for one bit.
    range: String,
    /// Where its bits are among those of its direction.
    low: usize,
}

/// Fills every template in.
pub fn fill(
    design: &Design,
    generated: &Generated,
    sources: &[&str],
    pins: &Pins,
    vectors: &Vectors,
    assertions: bool,
) -> Result<BTreeMap<String, String>, Error> {
    let (mut input_bits, mut output_bits) = (0, 0);
    let mut ports = Vec::new();
    for port in &generated.ports {
        let (direction, bits) = match port.direction {
            Direction::Input => ("input", &mut input_bits),
            Direction::Output => ("output", &mut output_bits),
        };
        let is_clock = port.name == "clock" || port.name == pins.reset;
        let range = range(port.width);
        ports.push(ContextPort {
            name: &port.name,
            direction,
            width: port.width,
            range,
            low: *bits,
        });
        *bits += if is_clock { 0 } else { port.width };
    }
    let context = Context {
        name: &design.name,
        top: &generated.top,
        version: env!("CARGO_PKG_VERSION"),
        sources,
        ports,
        pins,
        own: OWN_PORTS,
        axis_width: pins.trace_width.next_multiple_of(8),
        trace_range: range(pins.trace_width),
        input_bits,
        output_bits,
        cores: design.cores() as usize,
        assertions,
        address_width: pins.width("retire_pc"),
        count_bits: pins.width("retire_count"),
        alignment: design.processor().alignment,
        gray_time: design.protocol().time_source == TimeSource::Gray,
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
    files.insert("testbench/vectors.hex".into(), vectors.vectors_text());
    files.insert("testbench/expected.hex".into(), vectors.expected_text());
    Ok(files)
}
