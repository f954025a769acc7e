//! The templates of the package and what they are filled in with.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use minijinja::{Environment, UndefinedBehavior};
use serde::Serialize;
use tracewright_hdl::{Direction, Generated};
use tracewright_sim::scheme::Design;

use crate::Error;
use crate::pins::Pins;
use crate::vectors::Vectors;

/// File names, in which `NAME` and `TOP` stand for the design and its module, and their templates.
const TEMPLATES: [(&str, &str); 1] =
    [("testbench/TOP_testbench.v", include_str!("../templates/testbench.v"))];

/// What the templates may name.
#[derive(Serialize)]
struct Context<'a> {
    name: &'a str,
    top: &'a str,
    version: &'static str,
    sources: Vec<&'a str>,
    ports: Vec<ContextPort<'a>>,
    pins: &'a Pins,
    cores: usize,
    timed: bool,
    /// Clocks without anything happening after which the module counts as hung: more than it takes to
    /// clear its tables.
    idle_limit: u32,
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
}

/// Fills every template in.
pub fn fill(
    design: &Design,
    generated: &Generated,
    pins: &Pins,
    vectors: &Vectors,
) -> Result<BTreeMap<String, String>, Error> {
    let ports = generated.ports.iter().map(|port| ContextPort {
        name: &port.name,
        direction: match port.direction {
            Direction::Input => "input",
            Direction::Output => "output",
        },
        width: port.width,
    });
    let context = Context {
        name: &design.name,
        top: &generated.top,
        version: env!("CARGO_PKG_VERSION"),
        sources: generated.files.iter().map(|(name, _)| name.as_str()).collect(),
        ports: ports.collect(),
        pins,
        cores: design.cores() as usize,
        timed: vectors.timed,
        idle_limit: 10_000 + design.storage_bits(),
        lines: vectors.lines.len(),
        line_bits: vectors.lines.first().map_or(0, |line| 4 * line.len()),
        words: vectors.words.len(),
        word_bits: vectors.word_bits,
        blocks: vectors.blocks,
        checksum: format!("{:08x}", vectors.checksum),
    };
    let mut files = BTreeMap::new();
    for (file, _) in TEMPLATES {
        let text = environment()?.get_template(file)?.render(&context)?;
        files.insert(file.replace("NAME", &design.name).replace("TOP", &generated.top), text);
    }
    files.insert("testbench/vectors.hex".into(), vectors.vectors_text());
    files.insert("testbench/expected.hex".into(), vectors.expected_text());
    Ok(files)
}

/// The templates, read once.
fn environment() -> Result<&'static Environment<'static>, Error> {
    static READ: OnceLock<Environment<'static>> = OnceLock::new();
    if let Some(read) = READ.get() {
        return Ok(read);
    }
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.set_keep_trailing_newline(true);
    for (file, text) in TEMPLATES {
        environment.add_template(file, text)?;
    }
    Ok(READ.get_or_init(|| environment))
}
