//! A design with the RISC-V formal interface of its cores: the adapter, and a module around both.

use minijinja::{Environment, UndefinedBehavior, context};
use tracewright_hdl::{Direction, Generated, Port, Storage};
use tracewright_sim::rvfi::Config;
use tracewright_sim::scheme::Design;

use crate::Error;
use crate::pins::Pins;

const TEMPLATE: &str = include_str!("../templates/TOP_rvfi.v");

/// `generated`, which is the Verilog of `design`, with an adapter in front of every core's pins. The top is
/// `TOP_rvfi`; the pins of the only core have no number.
///
/// # Errors
/// When there can be no such adapter, or the hardware has other pins than docs/hardware.md.
pub fn with_rvfi(
    design: &Design,
    generated: Generated,
    config: &Config,
) -> Result<Generated, Error> {
    let adapter = rvfi_adapter(design, &generated, config)?;
    let mut files = generated.files;
    files.extend(adapter.files);
    Ok(Generated { files, ..adapter })
}

/// What [`with_rvfi`] adds to `generated`: the module `TOP_rvfi`, and the adapter that it instantiates beside the
/// trace module. Ports and storage are those of the whole.
///
/// # Errors
/// Those of [`with_rvfi`].
pub fn rvfi_adapter(
    design: &Design,
    generated: &Generated,
    config: &Config,
) -> Result<Generated, Error> {
    let adapter = tracewright_hdl::generate_rvfi_adapter(design, config)?;
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
    let address_width = pins.width("retire_pc");
    let text = environment.render_str(
        TEMPLATE,
        context! { name => design.name, top => generated.top, pins, suffixes, address_width },
    )?;
    let top = format!("{}_rvfi", generated.top);
    let ports = ports(generated, &adapter, pins.reset, &suffixes);
    let mut files = adapter.files;
    files.push((format!("{top}.v"), text));
    let cores = suffixes.len();
    let of_module = generated.storage.iter().cloned();
    let of_adapters = adapter.storage.iter().map(|Storage { instance, bits }| Storage {
        instance: format!("rvfi_adapter.{instance}"),
        bits: cores * bits,
    });
    Ok(Generated {
        top,
        header: adapter.header,
        top_header: adapter.top_header,
        files,
        ports,
        storage_bits: generated.storage_bits + cores * adapter.storage_bits,
        storage: of_module.chain(of_adapters).collect(),
        memory_bits: generated.memory_bits + cores * adapter.memory_bits,
    })
}

/// The ports of the whole: clock and reset, those of each core, and those that the cores share.
fn ports(
    generated: &Generated,
    adapter: &Generated,
    reset: &str,
    suffixes: &[String],
) -> Vec<Port> {
    const OF_CORE: [&str; 3] = ["rvfi_", "stall", "lost"];
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
    let clock = ["clock", reset].map(|name| Port {
        name: name.into(),
        direction: Direction::Input,
        width: 1,
    });
    let of_core = |port: &&Port| OF_CORE.iter().any(|start| port.name.starts_with(start));
    let cores = suffixes.iter().flat_map(|suffix| {
        let drops = generated.ports.iter().find(|port| port.name.starts_with("drops"));
        let drops = drops.map(|port| Port { name: "drops".into(), ..port.clone() });
        let ports = adapter.ports.iter().filter(of_core).cloned().chain(drops);
        ports.map(move |port| Port { name: format!("{}{suffix}", port.name), ..port })
    });
    let shared = generated.ports.iter().filter(|port| SHARED.contains(&port.name.as_str()));
    clock.into_iter().chain(cores).chain(shared.cloned()).collect()
}
