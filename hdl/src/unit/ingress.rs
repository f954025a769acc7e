//! A design with a port that its cores have themselves: the adapter, and a module around both.

mod joints;

use tracewright_sim::pins::{Group, ingress, module};
use tracewright_sim::rvfi;
use tracewright_sim::scheme::Design;
use tracewright_sim::unit::Ingress;

use self::joints::Joints;
use crate::unit::pins::{Pins, in_groups, is_of};
use crate::unit::wires::{around, made};
use crate::{Direction, Error, Generated, Part, Port, Storage, generate_retire_buffer};

/// What names and comments say of a port.
#[derive(Clone, Copy, Debug)]
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
    /// It holds what is not taken, so that nothing is lost.
    holds: bool,
    /// It can make the core wait.
    stalls: bool,
    /// It says on a pin that something was lost.
    may_lose: bool,
}

/// A pin of a core, and the ports of its adapter that are connected to it.
#[derive(Clone, Debug)]
struct Pin {
    name: String,
    width: usize,
    /// Names of ports of the adapter, each with the lowest bit of the pin that it has.
    ports: Vec<(String, usize)>,
}

/// What is said of a port.
fn words(ingress: Ingress) -> Words {
    match ingress {
        Ingress::Blocks(_) => Words {
            short: "blocks",
            title: "port for several blocks per cycle",
            page: "docs/integration.md",
            unit: "core",
            entry: "a block",
            holds: true,
            stalls: true,
            may_lose: false,
        },
        Ingress::Rvfi(rvfi::Config { port, .. }) => Words {
            short: match port {
                rvfi::Port::Rvfi => "rvfi",
                rvfi::Port::Retired => "retired",
            },
            title: match port {
                rvfi::Port::Rvfi => "RISC-V formal interface (RVFI)",
                rvfi::Port::Retired => "port of retired instructions",
            },
            page: "docs/live_core.md",
            unit: "core",
            entry: "an instruction",
            holds: false,
            stalls: true,
            may_lose: true,
        },
        Ingress::Tip(_) => Words {
            short: "tip",
            title: "trace ingress port (TIP)",
            page: "docs/integration.md",
            unit: "hart",
            entry: "a block",
            holds: false,
            stalls: true,
            may_lose: true,
        },
    }
}

/// The adapter alone.
fn adapter(ingress: Ingress, design: &Design) -> Result<Generated, crate::Error> {
    match ingress {
        Ingress::Blocks(config) => crate::generate_blocks_adapter(design, &config),
        Ingress::Rvfi(config) => crate::generate_rvfi_adapter(design, &config),
        Ingress::Tip(config) => crate::generate_tip_adapter(design, &config),
    }
}

/// The pins of a core: several blocks have pins of their own in each lane, as those of a trace module; RVFI and TIP
/// have the values of all lanes beside each other, the first one lowest.
fn core_pins(ingress: Ingress, adapter: &Generated) -> Vec<Pin> {
    let lanes = match ingress {
        Ingress::Blocks(config) => return numbered_pins(adapter, config.lanes as usize),
        Ingress::Rvfi(config) => config.queue.lanes as usize,
        Ingress::Tip(config) => config.queue.lanes as usize,
    };
    let prefix = format!("{}_", words(ingress).short);
    let mut pins: Vec<Pin> = Vec::new();
    for Port { name, width, direction } in &adapter.ports {
        if *direction != Direction::Input || !name.starts_with(&prefix) {
            continue;
        }
        let Some((of_all, lane)) = name.split_once("_lane") else {
            let ports = vec![(name.clone(), 0)];
            pins.push(Pin { name: name.clone(), width: *width, ports });
            continue;
        };
        if lane == "0" {
            pins.push(Pin { name: of_all.into(), width: lanes * width, ports: Vec::new() });
        }
        let Some(pin) = pins.iter_mut().find(|pin| pin.name == of_all) else { continue };
        let low = pin.ports.len() * width;
        pin.ports.push((name.clone(), low));
    }
    pins
}

/// The pins of several blocks: port `lane_pc_1` of the adapter is pin `retire_pc_lane1`.
fn numbered_pins(adapter: &Generated, lanes: usize) -> Vec<Pin> {
    let of_lane = |lane: usize| {
        module::of_a_block().filter_map(move |pin| {
            let port = format!("{}_{lane}", pin.name.replacen("retire", "lane", 1));
            let width = adapter.ports.iter().find(|other| other.name == port)?.width;
            let name = format!("{}_lane{lane}", pin.name);
            Some(Pin { name, width, ports: vec![(port, 0)] })
        })
    };
    (0..lanes).flat_map(of_lane).collect()
}

/// `generated`, which is the Verilog of `design`, with an adapter in front of every core's pins. The top is
/// `TOP_blocks`, `TOP_rvfi`, `TOP_retired` or `TOP_tip`; the pins of the only core have no number.
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
    adapter_module(design, generated, ingress, false)
}

/// The same, with or without faults in how it is joined.
pub(crate) fn adapter_module(
    design: &Design,
    generated: &Generated,
    ingress: Ingress,
    faults: bool,
) -> Result<Generated, Error> {
    let adapter = adapter(ingress, design)?;
    let words = words(ingress);
    let pins = Pins::find(design, generated)?;
    // A queue in front of a module that counts what is lost before it loses some itself.
    let counts = design.protocol().loss_pins;
    let words = Words { stalls: !counts, may_lose: !counts && !words.holds, ..words };
    let suffixes = match pins.suffixes.as_slice() {
        [_] => vec![String::new()],
        all => all.to_vec(),
    };
    let inputs = core_pins(ingress, &adapter);
    let switch = pins.switches.then(|| match faults {
        true => crate::generate_with_faults(Part::Switch(design)),
        false => crate::generate_switch(design),
    });
    let switch = switch.transpose()?;
    let has_buffer = design.port().encoder_registers;
    let buffer = has_buffer.then(|| generate_retire_buffer(design, pins.field_bits)).transpose()?;
    let top = format!("{}_{}", generated.top, words.short);
    let mut assembly = around(&top, &ports(generated, &inputs, words, &suffixes), faults);
    let joints = Joints {
        pins: &pins,
        inputs: &inputs,
        words,
        holds: switch.as_ref().is_some_and(holds_blocks),
        buffer: buffer.as_ref(),
    };
    joints.join(&mut assembly, (&adapter, switch.as_ref(), generated), &suffixes);
    let made = made(assembly, &adapter.header, &title(design, ingress, words, suffixes.len()))?;
    let cores = suffixes.len();
    let beside =
        [switch.map(|made| ("switch", 1, made)), buffer.map(|made| ("buffer", cores, made))];
    let whole = whole(generated, (adapter, cores), beside, words.short);
    let mut files = whole.files;
    files.push(made.file);
    Ok(Generated { ports: made.ports, faults: made.faults, files, ..whole })
}

/// What the module is.
fn title(design: &Design, ingress: Ingress, words: Words, cores: usize) -> String {
    let Words { title, unit, page, entry, .. } = words;
    let plural = if cores > 1 { "s" } else { "" };
    let of = format!(
        "{} with the {title} of its {unit}{plural}. {page} describes the\nadapter. ",
        design.name
    );
    let of_waiting = if !words.stalls {
        format!(
            "A {unit} that shows more than the queue and the trace module take loses some, and the trace says how much.\n"
        )
    } else if words.holds {
        "The blocks of a cycle are taken together in a cycle in which stall is low; a core holds them until then.\n".into()
    } else {
        format!(
            "A {unit} stops retiring while its stall is high, and may retire {} more after stall has risen; lost rises\n\
             when {entry} comes while the queue is full, and stays high.\n",
            ingress.slack()
        )
    };
    of + &of_waiting
}

/// The adapters of all cores as a whole, with what is beside them so many times: its files without that of the top.
fn whole(
    generated: &Generated,
    (adapter, cores): (Generated, usize),
    beside: [Option<(&str, usize, Generated)>; 2],
    short: &str,
) -> Generated {
    let of_adapters = adapter.storage.iter().map(|Storage { instance, bits }| Storage {
        instance: format!("{short}_adapter.{instance}"),
        bits: cores * bits,
    });
    let mut storage: Vec<_> = generated.storage.iter().cloned().chain(of_adapters).collect();
    let mut storage_bits = generated.storage_bits + cores * adapter.storage_bits;
    let mut files = adapter.files;
    for (part, times, made) in beside.into_iter().flatten() {
        let bits = times * made.storage_bits;
        if bits > 0 {
            storage.push(Storage { instance: format!("{short}_{part}"), bits });
        }
        storage_bits += bits;
        files.extend(made.files);
    }
    Generated {
        top: format!("{}_{short}", generated.top),
        header: adapter.header,
        top_header: adapter.top_header,
        files,
        memory_files: adapter.memory_files,
        ports: Vec::new(),
        storage_bits,
        storage,
        memory_bits: generated.memory_bits + cores * adapter.memory_bits,
        faults: Vec::new(),
    }
}

/// True if the switch lets an adapter hold a block for a cycle.
fn holds_blocks(switch: &Generated) -> bool {
    switch.ports.iter().any(|port| port.name == ingress::ADAPTER_HOLDS.name)
}

/// The groups of pins that all cores share, in the order of the whole's ports.
const SHARED: [Group; 8] = [
    Group::Flush,
    Group::Switch,
    Group::Sync,
    Group::Filtered,
    Group::Filter,
    Group::Time,
    Group::Trace,
    Group::Level,
];

/// The ports of the whole: clock and reset, those of each core, and those that the cores share.
fn ports(generated: &Generated, inputs: &[Pin], words: Words, suffixes: &[String]) -> Vec<Port> {
    let clock = in_groups(generated, &[Group::Clock]).map(|(port, _)| port.clone());
    let cores = suffixes.iter().flat_map(|suffix| {
        let port = |name: &str, direction, width| {
            let name = format!("{name}{suffix}");
            Port { name, direction, width }
        };
        let inputs = inputs.iter().map(|pin| port(&pin.name, Direction::Input, pin.width));
        let drops = generated.ports.iter().any(|port| module::DROPS.is_named(&port.name));
        let outputs = [
            (module::STALL.name, words.stalls),
            (ingress::LOST.name, words.may_lose),
            (module::DROPS.name, drops),
        ];
        let outputs = outputs.into_iter().filter(|(_, is_there)| *is_there);
        let outputs = outputs.map(|(name, _)| port(name, Direction::Output, 1));
        inputs.chain(outputs).collect::<Vec<_>>()
    });
    let is_shared = |port: &&Port| SHARED.iter().any(|group| is_of(&port.name, *group));
    clock.chain(cores).chain(generated.ports.iter().filter(is_shared).cloned()).collect()
}
