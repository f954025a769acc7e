//! The module around a core and its trace module: its ports and the model built from it.

use std::sync::Arc;

use tracewright_hdl::{Direction, Generated};
use tracewright_sim::rvfi::Xlen;

use super::Core;
use crate::bus;
use crate::error::Result;
use crate::library::{InputPort, Library, OutputPort};
use crate::{BuildOptions, ModelSource, Port, VerilogFile};

/// The address of PicoRV32's interrupt handler, which no program chooses.
const INTERRUPT_ADDRESS: u32 = 0x1_0010;

/// Inputs and their widths beside those of the memory.
const INPUTS: [(&str, u32); 5] =
    [("clock", 1), ("reset", 1), ("hold", 1), ("data_error", 1), ("timer_interrupt", 1)];

/// Outputs and their widths beside those of the memory and the retirement port.
const OUTPUTS: [(&str, u32); 3] = [("data_request", 1), ("stall", 1), ("lost", 1)];

/// Width of the memory's words and addresses.
fn word_width(core: Core) -> u32 {
    match core.xlen() {
        Xlen::Rv32 => 32,
        Xlen::Rv64 => 64,
    }
}

/// A core with caches has one port for instructions and data.
fn has_fetch_port(core: Core) -> bool {
    core != Core::Cva6
}

/// Words that a fetch brings to a core that takes bus errors, each with an error pin; `None` for other cores, which
/// fetch one word.
fn fetched_words(core: Core) -> Option<u32> {
    core.has_trace_ingress_port().then_some(2)
}

/// The names of the pins with this name of each channel of the retirement port.
fn of_channels(core: Core, name: &str) -> Vec<String> {
    match core.pins() {
        1 => vec![name.into()],
        channels => (0..channels).map(|channel| format!("{name}_{channel}")).collect(),
    }
}

/// Every port of the module around the core.
fn ports(core: Core, trace: &Generated) -> Vec<Port> {
    let word = word_width(core);
    let mut ports: Vec<Port> = INPUTS.map(|(name, width)| Port::input(name, width)).into();
    ports.push(Port::input("data_read", word));
    ports.extend(OUTPUTS.map(|(name, width)| Port::output(name, width)));
    let memory = [("data_address", word), ("data_strobe", word / 8), ("data_written", word)];
    ports.extend(memory.map(|(name, width)| Port::output(name, width)));
    if has_fetch_port(core) {
        let words = fetched_words(core);
        ports.push(Port::input("fetch_data", 32 * words.unwrap_or(1)));
        ports.extend(words.map(|words| Port::input("fetch_error", words)));
        ports.extend([Port::output("fetch_request", 1), Port::output("fetch_address", 32)]);
    }
    for name in ["rvfi_valid", "rvfi_trap", "rvfi_intr"] {
        ports.push(Port::output(name, core.pins()));
    }
    for (name, width) in [("rvfi_insn", 32), ("rvfi_pc_rdata", word), ("rvfi_pc_wdata", word)] {
        ports.extend(of_channels(core, name).into_iter().map(|name| Port::output(name, width)));
    }
    ports.extend(outside(trace));
    ports
}

/// Pins of the trace module that the module around the core connects; those of RVFI besides.
const CONNECTED: [&str; 3] = ["clock", "reset", "reset_n"];

/// Pins of the trace module by which a core waits for it; a module that counts what is lost before it has none.
const WAITS: [&str; 2] = ["stall", "lost"];

/// Pins of the trace module that are those of the module around the core, too: of its flush, its trace port and its
/// bus.
fn is_outside(name: &str) -> bool {
    ["flush", "flushed"].contains(&name) || name.starts_with("trace_") || bus::is_pin(name)
}

fn outside(trace: &Generated) -> impl Iterator<Item = Port> {
    let ports = trace.ports.iter().filter(|port| is_outside(&port.name));
    ports.map(|port| match port.direction {
        Direction::Input => Port::input(&port.name, port.width as u32),
        Direction::Output => Port::output(&port.name, port.width as u32),
    })
}

/// Builds the model of a core with the trace module `trace`, whose top has the RVFI pins, or those of the trace
/// ingress port, of one core.
///
/// `files` are those of [`Core::files`].
///
/// # Errors
/// When a tool is missing or fails.
pub fn build(
    core: Core,
    files: Vec<VerilogFile>,
    trace: &Generated,
    options: &BuildOptions,
) -> Result<Arc<Library>> {
    let defines = defines(core, trace);
    let own = |files: &[(&str, &str)]| -> Vec<VerilogFile> {
        files.iter().map(|(name, text)| VerilogFile::new(*name, *text)).collect()
    };
    let traced = trace.files.iter().map(|(name, text)| VerilogFile::new(name, text));
    let mut all = vec![VerilogFile::new("live_defines.v", defines)];
    all.extend(own(core.settings()));
    all.extend(files);
    all.extend(traced);
    all.extend(own(core.board()));
    let source = ModelSource {
        files: all,
        top: core.top().into(),
        clock: Some("clock".into()),
        ports: ports(core, trace),
    };
    source.build(options)
}

/// The width of a port of the trace module, 0 if it has no such port.
fn width(trace: &Generated, name: &str) -> u32 {
    trace.ports.iter().find(|port| port.name == name).map_or(0, |port| port.width as u32)
}

/// The properties of the trace module that the module around the core needs.
fn defines(core: Core, trace: &Generated) -> String {
    let reset = if width(trace, "reset_n") == 1 { ("reset_n", "!") } else { ("reset", "") };
    let waits = if width(trace, WAITS[0]) == 1 { "`define TRACE_WAITS\n" } else { "" };
    format!(
        "{waits}\
         `define RISCV_FORMAL\n\
         `define RVFI\n\
         `define SYNTHESIS\n\
         `define TRACE_MODULE {}\n\
         `define CHANNELS {}\n\
         `define ADDRESS_WIDTH {}\n\
         `define TRACE_PORTS {}\n\
         `define TRACE_PINS {}\n\
         `define RESET_PORT {}\n\
         `define RESET_LEVEL {}\n\
         `define BOOT_ADDRESS 32'h{:x}\n\
         `define INTERRUPT_ADDRESS 32'h{INTERRUPT_ADDRESS:x}\n",
        trace.top,
        core.channels(),
        width(trace, "rvfi_pc_rdata").max(width(trace, "tip_iaddr")) / core.channels(),
        declared(trace),
        pins(core, trace),
        reset.0,
        reset.1,
        core.boot_address()
    )
}

/// The declarations of the pins that are outside, each after a comma.
fn declared(trace: &Generated) -> String {
    let declared = outside(trace).map(|Port { name, direction, width }| {
        format!(", {direction} wire [{}:0] {name}", width - 1)
    });
    declared.collect()
}

/// Connections of the pins that only some designs have, each with a comma: those that are outside and, where the
/// core's two ports have wires that are wide enough for all designs, those of the port; of the others, tracing and the
/// clock are on, inputs are 0, outputs are open.
fn pins(core: Core, trace: &Generated) -> String {
    let has_wires = core.has_trace_ingress_port();
    let is_port = |name: &str| name.starts_with("rvfi_") || name.starts_with("tip_");
    let is_other = |name: &str| !CONNECTED.contains(&name) && (has_wires || !is_port(name));
    let pins = trace.ports.iter().filter(|port| is_other(&port.name));
    let connected = pins.map(|port| match port.direction {
        _ if is_outside(&port.name) || WAITS.contains(&port.name.as_str()) => {
            format!(".{0}({0}), ", port.name)
        }
        _ if is_port(&port.name) => {
            format!(".{0}({0}[{1}:0]), ", port.name, port.width - 1)
        }
        Direction::Input if ["enable", "clock_enable"].contains(&port.name.as_str()) => {
            format!(".{}(1'd1), ", port.name)
        }
        Direction::Input => format!(".{}({}'d0), ", port.name, port.width),
        Direction::Output => format!(".{}(), ", port.name),
    });
    connected.collect()
}

/// The pins of a channel of the retirement port that are its own.
pub(super) struct Channel {
    pub(super) insn: OutputPort,
    pub(super) pc_rdata: OutputPort,
    pub(super) pc_wdata: OutputPort,
}

/// The port that instructions are fetched from.
pub(super) struct Fetch {
    pub(super) request: OutputPort,
    pub(super) address: OutputPort,
    pub(super) data: InputPort,
    /// Words that come with a request, from the address on.
    pub(super) words: u32,
    /// A bit for each of them: there is no memory.
    pub(super) error: Option<InputPort>,
}

/// The port that the trace leaves by.
#[derive(Clone, Copy)]
pub(super) struct Beats {
    pub(super) data: OutputPort,
    pub(super) width: u32,
    pub(super) valid: OutputPort,
    pub(super) ready: InputPort,
}

/// The ports, found in the model.
pub(super) struct Pins {
    pub(super) hold: InputPort,
    pub(super) fetch: Option<Fetch>,
    pub(super) data_read: InputPort,
    pub(super) data_error: InputPort,
    pub(super) timer_interrupt: InputPort,
    pub(super) data_request: OutputPort,
    pub(super) data_address: OutputPort,
    pub(super) data_strobe: OutputPort,
    pub(super) data_written: OutputPort,
    /// A bit for each channel.
    pub(super) valid: OutputPort,
    pub(super) trap: OutputPort,
    pub(super) intr: OutputPort,
    pub(super) channels: Vec<Channel>,
    pub(super) stall: OutputPort,
    pub(super) lost: OutputPort,
    /// `flush` and `flushed`, which registers drive where there are some.
    pub(super) flush: Option<(InputPort, OutputPort)>,
    /// `None` where a RAM sink takes the trace.
    pub(super) beats: Option<Beats>,
}

impl Pins {
    pub(super) fn find(core: Core, library: &Library) -> Result<Pins> {
        let word = word_width(core);
        let fetch = || -> Result<Fetch> {
            let words = fetched_words(core);
            Ok(Fetch {
                request: library.output("fetch_request", 1)?,
                address: library.output("fetch_address", 32)?,
                data: library.input("fetch_data", 32 * words.unwrap_or(1))?,
                words: words.unwrap_or(1),
                error: words.map(|words| library.input("fetch_error", words)).transpose()?,
            })
        };
        Ok(Pins {
            hold: library.input("hold", 1)?,
            fetch: has_fetch_port(core).then(fetch).transpose()?,
            data_read: library.input("data_read", word)?,
            data_error: library.input("data_error", 1)?,
            timer_interrupt: library.input("timer_interrupt", 1)?,
            data_request: library.output("data_request", 1)?,
            data_address: library.output("data_address", word)?,
            data_strobe: library.output("data_strobe", word / 8)?,
            data_written: library.output("data_written", word)?,
            valid: library.output("rvfi_valid", core.pins())?,
            trap: library.output("rvfi_trap", core.pins())?,
            intr: library.output("rvfi_intr", core.pins())?,
            channels: Pins::channels(core, library)?,
            stall: library.output("stall", 1)?,
            lost: library.output("lost", 1)?,
            flush: library.input("flush", 1).ok().zip(library.output("flushed", 1).ok()),
            beats: Pins::beats(library)?,
        })
    }

    fn beats(library: &Library) -> Result<Option<Beats>> {
        let Ok((data, width)) = library.output_of_any_width("trace_data") else {
            return Ok(None);
        };
        let valid = library.output("trace_valid", 1)?;
        Ok(Some(Beats { data, width, valid, ready: library.input("trace_ready", 1)? }))
    }

    fn channels(core: Core, library: &Library) -> Result<Vec<Channel>> {
        let pins = |name: &str, width: u32| -> Result<Vec<OutputPort>> {
            of_channels(core, name).iter().map(|name| library.output(name, width)).collect()
        };
        let word = word_width(core);
        let (insn, read) = (pins("rvfi_insn", 32)?, pins("rvfi_pc_rdata", word)?);
        let pins = insn.into_iter().zip(read).zip(pins("rvfi_pc_wdata", word)?);
        Ok(pins.map(|((insn, pc_rdata), pc_wdata)| Channel { insn, pc_rdata, pc_wdata }).collect())
    }
}
