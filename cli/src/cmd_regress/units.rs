//! Random units: designs with what options put around them, drawn as a command line has them.

use std::collections::BTreeSet;

use anyhow::Result;
use clap::Parser;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_hdl::unit::assemble;
use tracewright_sim::unit::Unit;

use crate::pipeline::design::{self, Changes};
use crate::pipeline::unit::{self, Around, Sections};

/// Units in the quick regression.
const QUICK_UNITS: u64 = 3;

/// Designs that units are made of.
const PRESETS: [&str; 11] = [
    "traptor-s0",
    "traptor-m4",
    "talon-s",
    "talon-m",
    "stream-rbase-32",
    "ntuple-32x4",
    "nexs",
    "stride-32",
    "etrace-base",
    "ntrace-htm",
    "ntrace-btm",
];

/// Parameters that change what stands around a design.
const SETTINGS: [&[&str]; 12] = [
    &["alignment=1", "alignment=2"],
    &["address_width=32", "address_width=48", "address_width=64"],
    &[
        "trace_port_width=1",
        "trace_port_width=2",
        "trace_port_width=4",
        "trace_port_width=8",
        "trace_port_width=16",
        "trace_port_width=32",
    ],
    &["when_full=drop"],
    &["reset=asynchronous"],
    &["clock_enable=true"],
    &["filter_ranges=1", "filter_ranges=2"],
    &["time_bits=16", "time_bits=40"],
    &["privilege_bits=2"],
    &["context_bits=8"],
    &["cause_bits=5"],
    &["record_queue_depth=8", "record_queue_depth=16"],
];

/// Ports of cores.
const INGRESSES: [&str; 9] = [
    "",
    "",
    "--ingress rvfi",
    "--ingress rvfi --xlen 64 --compressed pin",
    "--ingress retired",
    "--ingress retired --ingress-pins trap,interrupt,next",
    "--ingress tip",
    "--ingress tip --retirement block",
    "--ingress tip --retirement block --itype-bits 3",
];

/// What takes the trace, without registers and with them.
const OUTLETS: [&str; 4] = ["", "--sink axi-stream", "--sink atb", "--sink pins"];
const MEMORIES: [&str; 4] = [
    "--ram-sink 1024",
    "--ram-sink 16384",
    "--system-memory --memory-data-bits 32",
    "--system-memory --memory-data-bits 64",
];

/// The options of a unit.
#[derive(Parser)]
#[command(no_binary_name = true)]
struct Options {
    #[command(flatten)]
    changes: Changes,
    #[command(flatten)]
    around: unit::Arguments,
}

fn one(random: &mut ChaCha8Rng, of: &[&'static str]) -> &'static str {
    of.choose(random).copied().unwrap_or_default()
}

/// The options that a generator draws.
fn drawn(name: &str, random: &mut ChaCha8Rng) -> String {
    let mut line = format!("--set name={name}");
    for settings in SETTINGS {
        if random.random_range(0..4) == 0 {
            line += &format!(" --set {}", one(random, settings));
        }
    }
    let ingress = one(random, &INGRESSES);
    line += &format!("{} {ingress}", one(random, &["", " --set framing=packets"]));
    if let lanes @ 2.. = random.random_range(0..=4) {
        let is_of_instructions = ingress.contains("rvfi") || ingress.contains("retired");
        let option = if is_of_instructions { "nret" } else { "blocks-per-cycle" };
        line += &format!(" --{option} {lanes}");
    }
    let control = one(random, &["", " --control apb", " --control axi-lite"]);
    let outlet = match random.random_range(0..2) {
        0 if !control.is_empty() => one(random, &MEMORIES),
        _ => one(random, &OUTLETS),
    };
    let triggers = match random.random_range(0..4) {
        0 if !control.is_empty() => "--triggers-in 2 --triggers-out 1",
        _ => "",
    };
    format!("{line}{control} {outlet} {triggers}")
}

/// A unit as a file has it.
pub(super) fn as_file(unit: &Unit) -> unit::Unit {
    let around = Around {
        adapter: unit.ingress,
        sinks: unit.sinks.clone(),
        control: unit.control,
        reader: None,
    };
    unit::Unit::of(unit.design.clone(), Sections::of(&around), BTreeSet::new())
}

/// So many random units, fewer in the quick regression. What cannot be generated is drawn anew.
///
/// # Errors
/// When none of many can be.
pub(super) fn random(count: u64, quick: bool) -> Result<Vec<Unit>> {
    let count = if quick { count.min(QUICK_UNITS) } else { count };
    let random = &mut ChaCha8Rng::seed_from_u64(count);
    let mut units = Vec::new();
    while (units.len() as u64) < count {
        let name = format!("random-unit-{}", units.len());
        let preset = one(random, &PRESETS);
        let options = drawn(&name, random);
        let Ok(options) = Options::try_parse_from(options.split_whitespace()) else { continue };
        let has_control = options.around.asks_registers();
        let asked = design::asked_units(&[preset.into()], &options.changes, has_control);
        let made = asked.ok().and_then(|asked| {
            let (around, design) = options.around.around(asked.first()?).ok()?;
            let unit = around.unit(&design);
            assemble(&unit).ok().map(|_| unit)
        });
        let is_whole = |unit: &Unit| {
            let has_around = unit.ingress.is_some() || !unit.sinks.is_empty();
            let design = &unit.design;
            // Of made-up programs nothing knows the length of each instruction.
            let knows = !(design.reads_lengths() && design.framing().is_some());
            let knows = knows || !design.protocol().drops_blocks();
            (has_around || unit.control.is_some()) && !design.traces_data() && knows
        };
        units.extend(made.filter(is_whole));
    }
    Ok(units)
}
