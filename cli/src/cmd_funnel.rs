//! `tracewright funnel`: writes the Verilog of a funnel for several traces.

use anyhow::Result;
use clap::Args;
use tracewright_sim::config::{Memories, ResetStyle, TracePort};
use tracewright_sim::funnel::Config;
use tracewright_sim::parameter::ParameterType;

use crate::pipeline::control::Choice;
use crate::pipeline::failure::usage;
use crate::pipeline::module::{self, Destination};

/// Generate a funnel: several traces in one stream of bytes
#[derive(Args)]
#[command(after_help = "\
Writes DIR/NAME/ with the Verilog of the funnel, in one file, NAME.core for FuseSoC, and manifest.json
with a digest of each file: files that were changed since they were generated are overwritten only with
--force. Each source is a design with a trace port of 8 bits: connect its trace_data, trace_valid and
trace_ready. The frames are those of the trace formatter of Arm's CoreSight (docs/integration.md).
`decode --source ID` reads the trace of one source from them.

With --control there is also NAME_control, the module with the registers of a Trace Funnel of the RISC-V
Trace Control Interface, by which software switches the funnel and each source (docs/control.md). Beside
it are the registers in SystemRDL, as a page and in CMSIS-SVD, a driver in C, a fragment of a device
tree, and a core for FuseSoC and an IP-XACT component of the whole.

Examples:
  tracewright funnel -o build
  tracewright funnel --sources 4 --first-id 16 --name core_traces -o build
  tracewright funnel --sources 3 --control apb -o build")]
pub struct Arguments {
    /// Set the number of sources, 2 to 8
    #[arg(long, value_name = "N", default_value_t = Config::default().sources)]
    sources: u32,
    /// Set the number of the first source; the others follow, up to 111
    #[arg(long, value_name = "ID", default_value_t = Config::default().first_id)]
    first_id: u32,
    /// Set how many bytes of a source are sent before another source that has some is next, 1 to 255
    #[arg(long, value_name = "BYTES", default_value_t = Config::default().turn_bytes)]
    turn_bytes: u32,
    /// Set how many frames are between two synchronisation words, 2 to 4096
    #[arg(long, value_name = "N", default_value_t = Config::default().sync_frames)]
    sync_frames: u32,
    /// Choose how every register is reset: synchronous (pin reset) or asynchronous (pin reset_n)
    #[arg(long, value_name = "STYLE", default_value = "synchronous", value_parser = word::<ResetStyle>)]
    reset: ResetStyle,
    /// Add a pin clock_enable: registers and memories change only in cycles in which it is high
    #[arg(long)]
    clock_enable: bool,
    /// Choose where the cells of memories are: inferred (in the module) or wrappers (in modules of their own)
    #[arg(long, value_name = "WHERE", default_value = "inferred", value_parser = word::<Memories>)]
    memories: Memories,
    /// Add registers of the RISC-V Trace Control Interface with this bus, which switch the funnel
    #[arg(long, value_name = "BUS")]
    control: Option<Choice>,
    /// Name the folder, and the module and its files, in whose names - becomes _
    #[arg(long, default_value = "trace_funnel")]
    name: String,
    #[command(flatten)]
    destination: Destination,
}

/// A value of a parameter that is one of some words.
fn word<T: ParameterType>(text: &str) -> Result<T, String> {
    T::parse(text, None).ok_or_else(|| format!("must be one of {}", T::allowed(None)))
}

/// Runs the command.
///
/// # Errors
/// When a parameter is bad, or the folder cannot be written.
pub fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { sources, first_id, turn_bytes, sync_frames, .. } = *arguments;
    let config = Config { sources, first_id, turn_bytes, sync_frames };
    let style = TracePort {
        reset: arguments.reset,
        clock_enable: arguments.clock_enable,
        memories: arguments.memories,
        ..TracePort::default()
    };
    let name = module::verilog_name(&arguments.name);
    let bus = arguments.control.and_then(Choice::bus);
    let files = tracewright_packaging::funnel(&name, &config, &style, bus).map_err(usage)?;
    let top = if bus.is_some() { format!("{name}_control") } else { name };
    module::write(&arguments.destination, &arguments.name, &top, files)
}
