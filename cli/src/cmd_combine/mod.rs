//! `tracewright combine`: instructions and data addresses of one core in one trace.

mod cosim;
mod decode;
mod encode;
mod generate;

use std::path::Path;

use anyhow::Result;
use clap::{Args, Subcommand};
use tracewright_sim::combined::Combined;
use tracewright_sim::event::Machine;
use tracewright_sim::scheme::Design;
use tracewright_verification::trace::Addresses;

use crate::pipeline::design::{self, Changes};
use crate::pipeline::events;
use crate::pipeline::failure::usage;
use crate::pipeline::limits;
use crate::pipeline::paths::Input;
use crate::pipeline::progress::Progress;

/// Trace instructions and data addresses of one core through one port
#[derive(Subcommand)]
pub enum Command {
    Generate(generate::Arguments),
    Encode(encode::Arguments),
    Decode(decode::Arguments),
    Cosim(cosim::Arguments),
}

/// The designs that share the port.
#[derive(Args)]
struct Designs {
    /// The design that traces instructions: a preset or a TOML file
    #[arg(value_name = "FLOW")]
    flow: String,
    /// The design that traces data addresses
    #[arg(value_name = "DATA")]
    data: String,
}

impl Designs {
    /// Both as they are given.
    fn load(&self) -> Result<Combined> {
        let [flow, data] = [module(&self.flow)?, module(&self.data)?];
        Combined::new(flow, data).map_err(usage)
    }

    /// Both as they are for a trace, which has to have accesses.
    fn fitted(&self, trace: &Path) -> Result<(Combined, Machine)> {
        let combined = self.load()?;
        events::rereadable([trace])?;
        let reader = events::open(trace, &Progress::silent())?;
        let machine = reader.machine();
        if !reader.extensions().data {
            return Err(usage(format_args!(
                "{} has no data records: expected a trace with them, as `capture --data` writes it",
                trace.display()
            )));
        }
        let combined = combined.for_machine(machine).map_err(usage)?;
        let designs = combined.designs();
        let addresses = Addresses::of(trace, designs.into_iter(), limits::events())?;
        let [flow, data] = designs.map(|design| addresses.fit(design.clone()));
        Ok((Combined::new(flow, data).map_err(usage)?, machine))
    }
}

/// The design of an argument, around which nothing may stand: both share what is around them.
fn module(argument: &str) -> Result<Design> {
    let unit = design::load_unit(argument, &Changes::default())?;
    match unit.sections.keys().next() {
        None => Ok(unit.design),
        Some(section) => Err(usage(format_args!(
            "{argument}: [{section}]: expected a design without sections; nothing is put around one of two that share a port"
        ))),
    }
}

/// A trace whose program is known.
fn learned(trace: &Input) -> Result<tracewright_verification::trace::Learned> {
    events::learn(trace, &events::progress_of([trace], 1))
}

/// Runs the command.
///
/// # Errors
/// When a design, a trace or the output is bad, or hardware and model differ.
pub fn run(command: &Command) -> Result<()> {
    match command {
        Command::Generate(arguments) => generate::run(arguments),
        Command::Encode(arguments) => encode::run(arguments),
        Command::Decode(arguments) => decode::run(arguments),
        Command::Cosim(arguments) => cosim::run(arguments),
    }
}
