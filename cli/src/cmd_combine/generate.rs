//! `tracewright combine generate`: the Verilog of two designs before one port.

use std::collections::BTreeMap;

use anyhow::Result;
use clap::Args;

use super::Designs;
use crate::pipeline::failure::usage;
use crate::pipeline::module::{self, Destination};

/// Generate the Verilog of a module that traces both
#[derive(Args)]
#[command(after_help = "\
The module has the pins of both designs, one `stall` and one trace port of 8 bits, which sends the
frames of a funnel (docs/combined.md).

Examples:
  tracewright combine generate talon-m talon-d -o build")]
pub struct Arguments {
    #[command(flatten)]
    designs: Designs,
    /// Name the folder, and the module and its files, in whose names - becomes _
    #[arg(long, default_value = "combined_trace")]
    name: String,
    #[command(flatten)]
    destination: Destination,
}

/// Runs the command.
///
/// # Errors
/// When a design or the name is bad, or the folder cannot be written.
pub fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { designs, name, destination } = arguments;
    let top = module::verilog_name(name);
    let generated = tracewright_hdl::unit::combined(&top, &designs.load()?).map_err(usage)?;
    let files: BTreeMap<String, String> = generated.sources().into_iter().collect();
    module::write(destination, name, &top, files)
}
