//! A design with a port that its cores have themselves: the adapter, and a module around both.

use minijinja::{Environment, UndefinedBehavior, context};
use serde::Serialize;
use tracewright_hdl::{Direction, Generated, Port, Storage};
use tracewright_sim::scheme::Design;
use tracewright_sim::{rvfi, tip};

use crate::Error;
use crate::pins::Pins;

const TEMPLATE: &str = include_str!("../templates/TOP_ingress.v");

/// A port that cores have themselves, with the parameters of its adapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ingress {
    /// The RISC-V formal interface.
    Rvfi(rvfi::Config),
    /// The trace ingress port of the RISC-V trace specifications.
    Tip(tip::Config),
}

/// What names and comments say of a port.
#[derive(Clone, Copy, Debug, Serialize)]
struct Words {
    /// In names of modules and of pins.
    short: &'static str,
    title: &'static str,
    /// Where the adapter is described.
    page: &'static str,
    /// What has the port.
    unit: &'static str,
    /// What it shows in a cycle.
    entry: &'static str,
}

impl Ingress {
    fn words(self) -> Words {
        match self {
            Ingress::Rvfi(_) => Words {
                short: "rvfi",
                title: "RISC-V formal interface (RVFI)",
                page: "docs/live_core.md",
                unit: "core",
                entry: "an instruction",
            },
            Ingress::Tip(_) => Words {
                short: "tip",
                title: "trace ingress port (TIP)",
                page: "docs/integration.md",
                unit: "hart",
                entry: "a block",
            },
        }
    }

    fn adapter(self, design: &Design) -> Result<Generated, tracewright_hdl::Error> {
        match self {
            Ingress::Rvfi(config) => tracewright_hdl::generate_rvfi_adapter(design, &config),
            Ingress::Tip(config) => tracewright_hdl::generate_tip_adapter(design, &config),
        }
    }
}

/// `generated`, which is the Verilog of `design`, with an adapter in front of every core's pins. The top is
/// `TOP_rvfi` or `TOP_tip`; the pins of the only core have no number.
///
/// # Errors
/// When there can be no such adapter, or the hardware has other pins than docs/hardware.md.
pub fn with_ingress(
    design: &Design,
    generated: Generated,
    ingress: Ingress,
) -> Result<Generated, Error> {
    let adapter = ingress_adapter(design, &generated, ingress)?;
    let (mut files, mut memory_files) = (generated.files, generated.memory_files);
    files.extend(adapter.files);
    memory_files.extend(adapter.memory_files);
    Ok(Generated { files, memory_files, ..adapter })
}

/// What [`with_ingress`] adds to `generated`: the module around both, and the adapter that it instantiates beside the
/// trace module. Ports and storage are those of the whole.
///
/// # Errors
/// Those of [`with_ingress`].
pub fn ingress_adapter(
    design: &Design,
    generated: &Generated,
    ingress: Ingress,
) -> Result<Generated, Error> {
    let adapter = ingress.adapter(design)?;
    let words = ingress.words();
    let pins = Pins::find(design, generated)?;
    let suffixes = match pins.suffixes.as_slice() {
        [_] => vec![String::new()],
        all => all.to_vec(),
    };
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.set_keep_trailing_newline(true);
    environment.add_function("range", |width: usize| {
        if width > 1 { format!("[{}:0] ", width - 1) } else { String::new() }
    });
    let inputs = adapter.ports.iter().filter(|port| is_of_core(port, words));
    let inputs: Vec<_> = inputs
        .filter(|port| port.direction == Direction::Input)
        .map(|port| context! { name => port.name, width => port.width })
        .collect();
    let text = environment.render_str(
        TEMPLATE,
        context! { name => design.name, top => generated.top, pins, suffixes, inputs, words },
    )?;
    let top = format!("{}_{}", generated.top, words.short);
    let ports = ports(generated, &adapter, words, pins.reset, &suffixes);
    let mut files = adapter.files;
    files.push((format!("{top}.v"), text));
    let cores = suffixes.len();
    let of_module = generated.storage.iter().cloned();
    let of_adapters = adapter.storage.iter().map(|Storage { instance, bits }| Storage {
        instance: format!("{}_adapter.{instance}", words.short),
        bits: cores * bits,
    });
    Ok(Generated {
        top,
        header: adapter.header,
        top_header: adapter.top_header,
        files,
        memory_files: adapter.memory_files,
        ports,
        storage_bits: generated.storage_bits + cores * adapter.storage_bits,
        storage: of_module.chain(of_adapters).collect(),
        memory_bits: generated.memory_bits + cores * adapter.memory_bits,
    })
}

/// True for a port of the adapter that the core has too, or that goes to it.
fn is_of_core(port: &Port, words: Words) -> bool {
    let of_port = port.name.strip_prefix(words.short).is_some_and(|rest| rest.starts_with('_'));
    of_port || matches!(port.name.as_str(), "stall" | "lost")
}

/// The ports of the whole: clock and reset, those of each core, and those that the cores share.
fn ports(
    generated: &Generated,
    adapter: &Generated,
    words: Words,
    reset: &str,
    suffixes: &[String],
) -> Vec<Port> {
    const SHARED: [&str; 11] = [
        "flush",
        "flushed",
        "enable",
        "discard",
        "sync_request",
        "synchronised",
        "timestamp",
        "trace_data",
        "trace_valid",
        "trace_ready",
        "buffered_words",
    ];
    let is_clock = |name: &str| ["clock", "clock_enable", reset].contains(&name);
    let clock = generated.ports.iter().filter(|port| is_clock(&port.name)).cloned();
    let cores = suffixes.iter().flat_map(|suffix| {
        let drops = generated.ports.iter().find(|port| port.name.starts_with("drops"));
        let drops = drops.map(|port| Port { name: "drops".into(), ..port.clone() });
        let ports =
            adapter.ports.iter().filter(|port| is_of_core(port, words)).cloned().chain(drops);
        ports.map(move |port| Port { name: format!("{}{suffix}", port.name), ..port })
    });
    let shared = generated.ports.iter().filter(|port| SHARED.contains(&port.name.as_str()));
    clock.chain(cores).chain(shared.cloned()).collect()
}
