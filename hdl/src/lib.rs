//! The trace compressors as RustHDL hardware, and their Verilog.
//!
//! Every block is the twin of the file of the same name in `tracewright-sim`; `top.rs` of a scheme
//! wires them up to the pins of docs/hardware.md. [`generate`] turns a design into Verilog:
//!
//! ```
//! let design = tracewright_sim::scheme::Design::preset("traptor-m4")?;
//! let verilog = tracewright_hdl::generate(&design)?;
//! assert_eq!(verilog.top, "traptor_m4");
//! assert!(verilog.files.iter().any(|(name, text)| name == "traptor_m4.v" && text.contains("module traptor_m4")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![allow(
    clippy::too_many_lines,
    reason = "RustHDL translates a kernel from one function, and cannot look into others"
)]

pub mod blocks;
pub mod control;
pub mod encode;
pub mod filter;
pub mod funnel;
mod generated;
mod ingress;
pub mod message_funnel;
pub mod multicore;
pub mod nexus;
pub mod packet;
pub mod parts;
pub mod qualifier;
pub mod ram_sink;
pub mod recency;
pub mod rvfi;
pub mod sinks;
pub mod stream_buffer;
pub mod stream_detector;
pub mod stream_source;
pub mod stream_start;
pub mod system_memory_sink;
pub mod target_difference;
pub mod tip;
pub mod top;
pub mod unit;

tracewright_sim::for_each_scheme!(declare_rooms);

use tracewright_elaborate::{Memories, Reset, Verilog, elaborate};
use tracewright_sim::config::{self, ResetStyle, TracePort};
use tracewright_sim::declare_rooms;
use tracewright_sim::message_funnel::Config as MessageFunnelConfig;
use tracewright_sim::parameter::ParameterError;
use tracewright_sim::ram_sink::Config as RamConfig;
use tracewright_sim::scheme::{Design, DesignError, Scheme};
use tracewright_sim::system_memory_sink::Config as MemoryConfig;
use tracewright_sim::unit::UnitError;

pub use funnel::generate_funnel;
pub use generated::{Generated, Storage};
pub use ingress::{
    generate_blocks_adapter, generate_retire_buffer, generate_rvfi_adapter, generate_switch,
    generate_tip_adapter,
};
pub use message_funnel::generate_message_funnel;
pub use sinks::{
    generate_pin_receiver, generate_ram_sink, generate_shared_sink, generate_sink,
    generate_system_memory_sink, generate_uart_reader,
};
pub use tracewright_elaborate::{
    Assembly, AssemblyError, Connection, Direction, FAULT_SELECT, Fault, FaultKind, Instantiated,
    Net, Options, Port, Value, check_top,
};

/// Why a design could not become Verilog.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The design breaks a constraint.
    #[error(transparent)]
    Design(#[from] DesignError),
    /// The adapter's parameters break a constraint.
    #[error(transparent)]
    Adapter(#[from] ParameterError),
    /// An adapter for a design that does not trace control flow.
    #[error("{design} traces data addresses: the {port} adapter shows control flow")]
    NoControlFlow {
        /// The design.
        design: String,
        /// The core's port.
        port: &'static str,
    },
    /// An adapter for a design whose trace has the time of events.
    #[error(
        "{design} traces the time of events (time_mode): the {port} adapter may show them later than they retire, and by \
         different times"
    )]
    EventTimes {
        /// The design.
        design: String,
        /// The core's port.
        port: &'static str,
    },
    /// An adapter for a design that traces what RVFI does not say.
    #[error(
        "{design} traces context, privilege level or causes, which RVFI does not have: set context_bits, privilege_bits and \
         cause_bits to 0"
    )]
    NoState {
        /// The design.
        design: String,
    },
    /// An adapter for a design that traces what exceptions say beside their cause.
    #[error(
        "{design} traces the values of exceptions, for which the {port} adapter has no input: set trap_values to false, or \
         show blocks to the module without an adapter"
    )]
    NoTrapValues {
        /// The design.
        design: String,
        /// The core's port.
        port: &'static str,
    },
    /// An adapter for a port that says less of jumps than the design must know.
    #[error(
        "{design} predicts return addresses, and an itype of 3 bits does not say which jumps are calls and returns: take an \
         itype of 4 bits, or a design without a return address stack"
    )]
    NoCalls {
        /// The design.
        design: String,
    },
    /// A port that every trace module has is missing: a fault of the hardware's source.
    #[error("{design} has no port `{port}`")]
    MissingPort {
        /// The design.
        design: String,
        /// The port.
        port: &'static str,
    },
    /// Two of the modules that are put together have one name.
    #[error(
        "{name}: two modules would be called `{module}`: expected designs and a module around them with different names, \
         where - counts as _"
    )]
    SameModule {
        /// The module around them.
        name: String,
        /// The name of both.
        module: String,
    },
    /// The unit or the system cannot be as it is described.
    #[error(transparent)]
    Unit(#[from] UnitError),
    /// Modules cannot be joined: a fault of the hardware's source.
    #[error(transparent)]
    Assembly(#[from] AssemblyError),
    /// A kernel could not be elaborated: a fault of the hardware's source.
    #[error("{design} cannot be elaborated: {source}")]
    Elaborate {
        /// The design.
        design: String,
        /// What is wrong.
        source: Box<tracewright_elaborate::Error>,
    },
}

/// The Verilog module name of a design.
pub fn module_name(design: &Design) -> String {
    design.name.replace('-', "_").to_lowercase()
}

/// Elaborates a design and writes its Verilog.
///
/// # Errors
/// When the design breaks a constraint, or its hardware cannot be elaborated.
pub fn generate(design: &Design) -> Result<Generated, Error> {
    design_module(design, false)
}

/// What Verilog can be made of, as the function that makes it takes it.
#[derive(Clone, Copy, Debug)]
pub enum Part<'a> {
    /// A trace module.
    Design(&'a Design),
    /// The adapter for the RISC-V formal interface before the module of a design.
    Rvfi(&'a Design, &'a tracewright_sim::rvfi::Config),
    /// The adapter for the trace ingress port before the module of a design.
    Tip(&'a Design, &'a tracewright_sim::tip::Config),
    /// The adapter for several blocks in a cycle before the module of a design.
    Blocks(&'a Design, &'a tracewright_sim::blocks::Config),
    /// The sink with a memory of its own after the module of a design.
    RamSink(&'a Design, &'a RamConfig),
    /// The sink that writes to the memory of the system, after the module of a design.
    SystemMemorySink(&'a Design, &'a MemoryConfig),
    /// A sink after the module of a design.
    Sink(&'a Design, tracewright_sim::sinks::Sink),
    /// A reader of a ring of so many bytes, which the RAM sink of a design has.
    UartReader(&'a Design, u32),
    /// What switches the module of a design after its adapters.
    Switch(&'a Design),
    /// The registers between an adapter and the module of a design, for so many bits.
    RetireBuffer(&'a Design, usize),
    /// A module of the control registers of a design or a funnel.
    Control(control::Owner<'a>, control::ControlPart<'a>),
    /// A funnel with this name.
    Funnel(&'a str, &'a tracewright_sim::funnel::Config, &'a TracePort),
    /// A funnel of whole messages with this name.
    MessageFunnel(&'a str, &'a MessageFunnelConfig, &'a TracePort),
}

/// The Verilog of a part with an input `fault_select`, whose value N puts the fault of that number into it, to see
/// whether a test finds it. With 0 the hardware is right.
///
/// # Errors
/// As the function that makes the part without faults.
pub fn generate_with_faults(part: Part<'_>) -> Result<Generated, Error> {
    match part {
        Part::Design(design) => design_module(design, true),
        Part::Rvfi(design, config) => ingress::rvfi_adapter(design, config, true),
        Part::Tip(design, config) => ingress::tip_adapter(design, config, true),
        Part::Blocks(design, config) => ingress::blocks_adapter(design, config, true),
        Part::RamSink(design, config) => sinks::ram_sink_module(design, config, true),
        Part::SystemMemorySink(design, config) => sinks::memory_sink(design, config, true),
        Part::Sink(design, sink) => sinks::sink_module(design, sink, true),
        Part::UartReader(design, bytes) => sinks::reader_module(design, bytes, true),
        Part::Switch(design) => ingress::switch_module(design, true),
        Part::RetireBuffer(design, width) => ingress::retire_buffer(design, width, true),
        Part::Control(owner, part) => control::part_module(owner, part, true),
        Part::Funnel(name, config, style) => funnel::funnel_module(name, config, style, true),
        Part::MessageFunnel(name, config, style) => {
            message_funnel::module(name, config, style, true)
        }
    }
}

fn design_module(design: &Design, faults: bool) -> Result<Generated, Error> {
    design.validate()?;
    let made = format!("{} of Tracewright, made by `tracewright generate`.", design.name);
    let parameters = parameters(design);
    let options =
        Options { parameters, faults, ..options(module_name(design), made, design.port()) };
    let elaborated = elaborated(&design.scheme, &options);
    Ok(collected(elaborated.map_err(refused(&design.name))?, &options))
}

/// Elaborates the hardware of any scheme: in its room, the top of the scheme's name.
macro_rules! elaborate_schemes {
    ($($scheme:ident: $room:ident $(<$module:ident>)? = $doc:literal,)+) => {
        fn elaborated(
            scheme: &Scheme,
            options: &Options,
        ) -> Result<Verilog, tracewright_elaborate::Error> {
            match scheme {
                $(Scheme::$scheme(config) => elaborated_block(|| $room::top::$scheme::new(config), options),)+
            }
        }
    };
}

tracewright_sim::for_each_scheme!(elaborate_schemes);

/// Makes a block and elaborates it in a frame of its own. The block of a scheme takes tens of kilobytes: a function that
/// makes that of any scheme would need room on the stack for all of them.
#[inline(never)]
fn elaborated_block<B: rust_hdl::core::prelude::Block>(
    make: impl FnOnce() -> B,
    options: &Options,
) -> Result<Verilog, tracewright_elaborate::Error> {
    elaborate(&make(), options)
}

/// The options of a module that stands beside that of `design`, with what it is.
fn beside(design: &Design, suffix: &str, title: &str) -> Options {
    let made =
        format!("{title} for {} of Tracewright, made by `tracewright generate`.", design.name);
    options(format!("{}_{suffix}", module_name(design)), made, design.port())
}

/// The options of a top module with this line at the head of each file, in the style of a design.
fn options(top: String, made: String, style: &TracePort) -> Options {
    Options {
        reset: reset(style),
        clock_enable: style.clock_enable,
        memories: memories(style),
        header: vec![made],
        ..Options::new(top)
    }
}

fn refused(name: &str) -> impl FnOnce(tracewright_elaborate::Error) -> Error {
    let design = name.to_owned();
    |source| Error::Elaborate { design, source: Box::new(source) }
}

fn collected(verilog: Verilog, options: &Options) -> Generated {
    let storage_bits = verilog.storage_bits();
    let mut storage = Vec::new();
    add_storage(&verilog, &verilog.top, "", &mut storage);
    let memory_bits = memory_bits(&verilog, &verilog.top);
    let memories = verilog.modules.iter().filter(|module| module.is_memory);
    let memory_files = memories.map(|module| module.file_name.clone()).collect();
    let files = verilog.modules.into_iter().map(|module| (module.file_name, module.text)).collect();
    Generated {
        top: verilog.top,
        header: options.header_text(),
        top_header: options.top_header_text(),
        files,
        memory_files,
        ports: verilog.ports,
        storage_bits,
        storage,
        memory_bits,
        faults: verilog.faults,
    }
}

/// Adds the storage of a module at `path` and of everything below it to the list.
fn add_storage(verilog: &Verilog, module: &str, path: &str, storage: &mut Vec<Storage>) {
    let Some(module) = verilog.module(module) else { return };
    let registers: usize = module.registers.iter().map(|register| register.width).sum();
    let memories: usize = module.memories.iter().map(|memory| memory.depth * memory.width).sum();
    let bits = registers + memories;
    let instance = if path.is_empty() { "top" } else { path };
    match storage.iter_mut().find(|known| known.instance == instance) {
        _ if bits == 0 => {}
        Some(known) => known.bits += bits,
        None => storage.push(Storage { instance: instance.into(), bits }),
    }
    for instance in &module.instances {
        let name = instance.name.trim_end_matches(|digit: char| digit.is_ascii_digit());
        let name = name.strip_suffix('_').unwrap_or(&instance.name);
        let below = if path.is_empty() { name.into() } else { format!("{path}.{name}") };
        add_storage(verilog, &instance.module, &below, storage);
    }
}

/// Memory bits of a module and everything below it.
fn memory_bits(verilog: &Verilog, module: &str) -> usize {
    let Some(module) = verilog.module(module) else { return 0 };
    let own: usize = module.memories.iter().map(|memory| memory.depth * memory.width).sum();
    let below = module.instances.iter().map(|instance| memory_bits(verilog, &instance.module));
    own + below.sum::<usize>()
}

fn reset(port: &TracePort) -> Reset {
    match port.reset {
        ResetStyle::Synchronous => Reset::Synchronous,
        ResetStyle::Asynchronous => Reset::AsynchronousActiveLow,
    }
}

fn memories(port: &TracePort) -> Memories {
    match port.memories {
        config::Memories::Inferred => Memories::Inferred,
        config::Memories::Wrappers => Memories::Wrappers,
    }
}

/// A design's parameters, for the file of the top module.
fn parameters(design: &Design) -> Vec<String> {
    let values = design.resolved().stated_values_in_files().into_iter();
    values.map(|(name, value)| format!("  {name} = {value}")).collect()
}
