//! The module around a core and its trace module: its ports and the model built from it.

use std::sync::Arc;

use tracewright_hdl::{Direction, Generated};
use tracewright_sim::pins::{Group, Pin, ingress, module};
use tracewright_sim::rvfi::Xlen;

use super::Core;
use crate::bus;
use crate::error::Result;
use crate::library::{InputPort, Library, OutputPort};
use crate::pins::{optional_input, optional_output};
use crate::{BuildOptions, ModelSource, Port, VerilogFile};

/// The address of PicoRV32's interrupt handler, which no program chooses.
const INTERRUPT_ADDRESS: u32 = 0x1_0010;

const CLOCK: &str = module::CLOCK.name;
const RESET: &str = module::RESET.name;
const RESET_N: &str = module::RESET_N.name;

/// Inputs and their widths beside those of the memory.
const INPUTS: [(&str, u32); 5] =
    [(CLOCK, 1), (RESET, 1), ("hold", 1), ("data_error", 1), ("timer_interrupt", 1)];

/// Outputs and their widths beside those of the memory and the retirement port.
const OUTPUTS: [(&str, u32); 3] = [("data_request", 1), (WAITS[0], 1), (WAITS[1], 1)];

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
    for pin in [ingress::RVFI_VALID, ingress::RVFI_TRAP, ingress::RVFI_INTR] {
        ports.push(Port::output(pin.name, core.pins()));
    }
    let of_channel =
        [(ingress::RVFI_INSN, 32), (ingress::RVFI_PC_RDATA, word), (ingress::RVFI_PC_WDATA, word)];
    for (pin, width) in of_channel {
        let names = of_channels(core, pin.name).into_iter();
        ports.extend(names.map(|name| Port::output(name, width)));
    }
    ports.extend(outside(trace));
    ports
}

/// Pins of the trace module that the module around the core connects; those of RVFI besides.
const CONNECTED: [&str; 3] = [CLOCK, RESET, RESET_N];

/// Pins of the trace module by which a core waits for it; a module that counts what is lost before it has none.
const WAITS: [&str; 2] = [module::STALL.name, ingress::LOST.name];

/// Pins of the trace module that are those of the module around the core, too: of its flush, its trace port and its
/// bus.
fn is_outside(name: &str) -> bool {
    let is_of_trace = |pin: &Pin| matches!(pin.group, Group::Flush | Group::Trace);
    module::find(name).is_some_and(is_of_trace) || bus::is_pin(name)
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
        clock: Some(CLOCK.into()),
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
    let reset = if width(trace, RESET_N) == 1 { (RESET_N, "!") } else { (RESET, "") };
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
        width(trace, ingress::RVFI_PC_RDATA.name).max(width(trace, ingress::TIP_IADDR.name))
            / core.channels(),
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
    let is_other =
        |name: &str| !CONNECTED.contains(&name) && (has_wires || !ingress::is_of_a_port(name));
    let pins = trace.ports.iter().filter(|port| is_other(&port.name));
    let connected = pins.map(|port| match port.direction {
        _ if is_outside(&port.name) || WAITS.contains(&port.name.as_str()) => {
            format!(".{0}({0}), ", port.name)
        }
        _ if ingress::is_of_a_port(&port.name) => {
            format!(".{0}({0}[{1}:0]), ", port.name, port.width - 1)
        }
        Direction::Input => {
            let idle = module::find(&port.name).map_or(0, |pin| pin.idle);
            format!(".{}({}'d{idle}), ", port.name, port.width)
        }
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
            valid: library.output(ingress::RVFI_VALID.name, core.pins())?,
            trap: library.output(ingress::RVFI_TRAP.name, core.pins())?,
            intr: library.output(ingress::RVFI_INTR.name, core.pins())?,
            channels: Pins::channels(core, library)?,
            stall: library.output(WAITS[0], 1)?,
            lost: library.output(WAITS[1], 1)?,
            flush: optional_input(library, &module::FLUSH)?
                .zip(optional_output(library, &module::FLUSHED)?),
            beats: Pins::beats(library)?,
        })
    }

    fn beats(library: &Library) -> Result<Option<Beats>> {
        let Ok((data, width)) = library.output_of_any_width(module::TRACE_DATA.name) else {
            return Ok(None);
        };
        let valid = library.output(module::TRACE_VALID.name, 1)?;
        Ok(Some(Beats { data, width, valid, ready: library.input(module::TRACE_READY.name, 1)? }))
    }

    fn channels(core: Core, library: &Library) -> Result<Vec<Channel>> {
        let pins = |name: &str, width: u32| -> Result<Vec<OutputPort>> {
            of_channels(core, name).iter().map(|name| library.output(name, width)).collect()
        };
        let word = word_width(core);
        let (insn, read) =
            (pins(ingress::RVFI_INSN.name, 32)?, pins(ingress::RVFI_PC_RDATA.name, word)?);
        let pins = insn.into_iter().zip(read).zip(pins(ingress::RVFI_PC_WDATA.name, word)?);
        Ok(pins.map(|((insn, pc_rdata), pc_wdata)| Channel { insn, pc_rdata, pc_wdata }).collect())
    }
}
