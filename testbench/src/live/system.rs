//! The module around a core and its trace module: its ports and the model built from it.

use std::sync::Arc;

use tracewright_hdl::{Direction, Generated};

use super::Core;
use crate::error::Result;
use crate::library::{InputPort, Library, OutputPort};
use crate::{BuildOptions, ModelSource, Port, VerilogFile};

/// The address of PicoRV32's interrupt handler, which no program chooses.
const INTERRUPT_ADDRESS: u32 = 0x1_0010;

/// Inputs and their widths.
const INPUTS: [(&str, u32); 9] = [
    ("clock", 1),
    ("reset", 1),
    ("hold", 1),
    ("fetch_data", 32),
    ("data_read", 32),
    ("data_error", 1),
    ("timer_interrupt", 1),
    ("flush", 1),
    ("trace_ready", 1),
];

/// Outputs and their widths, but for `trace_data`, whose width is the design's.
const OUTPUTS: [(&str, u32); 16] = [
    ("fetch_request", 1),
    ("fetch_address", 32),
    ("data_request", 1),
    ("data_address", 32),
    ("data_strobe", 4),
    ("data_written", 32),
    ("rvfi_valid", 1),
    ("rvfi_insn", 32),
    ("rvfi_trap", 1),
    ("rvfi_intr", 1),
    ("rvfi_pc_rdata", 32),
    ("rvfi_pc_wdata", 32),
    ("stall", 1),
    ("lost", 1),
    ("flushed", 1),
    ("trace_valid", 1),
];

/// Pins of the trace module that the module around the core connects; those of RVFI and of the trace port besides.
const CONNECTED: [&str; 8] =
    ["clock", "reset", "reset_n", "stall", "lost", "flush", "flushed", "buffered_words"];

/// Builds the model of a core with the trace module `trace`, whose top has the RVFI pins of one core.
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
    let trace_width = width(trace, "trace_data");
    let defines = defines(core, trace, trace_width);
    let (top, file, system) = core.system();
    let traced = trace.files.iter().map(|(name, text)| VerilogFile::new(name, text));
    let mut all = vec![VerilogFile::new("live_defines.v", defines)];
    all.extend(files);
    all.extend(traced);
    all.push(VerilogFile::new(file, system));
    let ports = INPUTS.map(|(name, width)| Port::input(name, width)).into_iter();
    let ports = ports.chain(OUTPUTS.map(|(name, width)| Port::output(name, width)));
    let ports = ports.chain([Port::output("trace_data", trace_width)]);
    let source = ModelSource {
        files: all,
        top: top.into(),
        clock: Some("clock".into()),
        ports: ports.collect(),
    };
    source.build(options)
}

/// The width of a port of the trace module, 0 if it has no such port.
fn width(trace: &Generated, name: &str) -> u32 {
    trace.ports.iter().find(|port| port.name == name).map_or(0, |port| port.width as u32)
}

/// The properties of the trace module that the module around the core needs.
fn defines(core: Core, trace: &Generated, trace_width: u32) -> String {
    let reset = if width(trace, "reset_n") == 1 { ("reset_n", "!") } else { ("reset", "") };
    format!(
        "`define RISCV_FORMAL\n\
         `define RVFI\n\
         `define SYNTHESIS\n\
         `define TRACE_MODULE {}\n\
         `define TRACE_WIDTH {trace_width}\n\
         `define TRACE_OTHER_PINS {}\n\
         `define RESET_PORT {}\n\
         `define RESET_LEVEL {}\n\
         `define BOOT_ADDRESS 32'h{:x}\n\
         `define INTERRUPT_ADDRESS 32'h{INTERRUPT_ADDRESS:x}\n",
        trace.top,
        other_pins(trace),
        reset.0,
        reset.1,
        core.boot_address()
    )
}

/// Connections of the pins that only some designs have, each with a comma: tracing and the clock are on, other inputs are 0, outputs are
/// open.
fn other_pins(trace: &Generated) -> String {
    let is_other = |name: &str| {
        !CONNECTED.contains(&name) && !name.starts_with("rvfi_") && !name.starts_with("trace_")
    };
    let pins = trace.ports.iter().filter(|port| is_other(&port.name));
    let connected = pins.map(|port| match port.direction {
        Direction::Input if ["enable", "clock_enable"].contains(&port.name.as_str()) => {
            format!(".{}(1'd1), ", port.name)
        }
        Direction::Input => format!(".{}({}'d0), ", port.name, port.width),
        Direction::Output => format!(".{}(), ", port.name),
    });
    connected.collect()
}

/// The ports, found in the model.
pub(super) struct Pins {
    pub(super) hold: InputPort,
    pub(super) fetch_data: InputPort,
    pub(super) data_read: InputPort,
    pub(super) data_error: InputPort,
    pub(super) timer_interrupt: InputPort,
    pub(super) flush: InputPort,
    pub(super) trace_ready: InputPort,
    pub(super) fetch_request: OutputPort,
    pub(super) fetch_address: OutputPort,
    pub(super) data_request: OutputPort,
    pub(super) data_address: OutputPort,
    pub(super) data_strobe: OutputPort,
    pub(super) data_written: OutputPort,
    pub(super) valid: OutputPort,
    pub(super) insn: OutputPort,
    pub(super) trap: OutputPort,
    pub(super) intr: OutputPort,
    pub(super) pc_rdata: OutputPort,
    pub(super) pc_wdata: OutputPort,
    pub(super) stall: OutputPort,
    pub(super) lost: OutputPort,
    pub(super) flushed: OutputPort,
    pub(super) trace_data: OutputPort,
    pub(super) trace_valid: OutputPort,
    pub(super) trace_width: u32,
}

impl Pins {
    pub(super) fn find(library: &Library) -> Result<Pins> {
        let (trace_data, trace_width) = library.output_of_any_width("trace_data")?;
        Ok(Pins {
            hold: library.input("hold", 1)?,
            fetch_data: library.input("fetch_data", 32)?,
            data_read: library.input("data_read", 32)?,
            data_error: library.input("data_error", 1)?,
            timer_interrupt: library.input("timer_interrupt", 1)?,
            flush: library.input("flush", 1)?,
            trace_ready: library.input("trace_ready", 1)?,
            fetch_request: library.output("fetch_request", 1)?,
            fetch_address: library.output("fetch_address", 32)?,
            data_request: library.output("data_request", 1)?,
            data_address: library.output("data_address", 32)?,
            data_strobe: library.output("data_strobe", 4)?,
            data_written: library.output("data_written", 32)?,
            valid: library.output("rvfi_valid", 1)?,
            insn: library.output("rvfi_insn", 32)?,
            trap: library.output("rvfi_trap", 1)?,
            intr: library.output("rvfi_intr", 1)?,
            pc_rdata: library.output("rvfi_pc_rdata", 32)?,
            pc_wdata: library.output("rvfi_pc_wdata", 32)?,
            stall: library.output("stall", 1)?,
            lost: library.output("lost", 1)?,
            flushed: library.output("flushed", 1)?,
            trace_data,
            trace_valid: library.output("trace_valid", 1)?,
            trace_width,
        })
    }
}
