//! The control registers that `generate` puts around a design.

use anyhow::Result;
use clap::{Args, ValueEnum};
use tracewright_packaging::control::trigger::Triggers;
use tracewright_packaging::control::{Bus, Control};
use tracewright_sim::scheme::Design;

use super::failure::usage;

#[derive(Args)]
pub struct Arguments {
    /// Add registers of the RISC-V Trace Control Interface with this bus, which drive the module's pins; designs need
    /// framing=packets and enable_pin=true
    #[arg(long, value_name = "BUS", default_value = "none")]
    control: Choice,
    /// Set the bytes of a memory that takes the trace and is read through the registers: a power of two from 64; with
    /// --control
    #[arg(long, value_name = "BYTES")]
    ram_sink: Option<u32>,
    /// Set the number of external triggers that start and stop tracing or ask for a packet, up to 8; with --control
    #[arg(long, value_name = "N", default_value_t = 0)]
    triggers_in: u32,
    /// Set the number of external triggers that say what tracing does, up to 8; with --control
    #[arg(long, value_name = "N", default_value_t = 0)]
    triggers_out: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Choice {
    None,
    Apb,
    AxiLite,
}

impl Arguments {
    /// The registers that are asked for, which every design must be able to have.
    ///
    /// # Errors
    /// When something is set without a bus, or a design can have no such registers.
    pub fn control(&self, designs: &[Design]) -> Result<Option<Control>> {
        let triggers = Triggers { inputs: self.triggers_in, outputs: self.triggers_out };
        let bus = match self.control {
            Choice::None if self.ram_sink.is_some() => {
                return Err(usage("--ram-sink: expected --control apb or axi-lite"));
            }
            Choice::None if triggers != Triggers::default() => {
                let option = if triggers.inputs > 0 { "--triggers-in" } else { "--triggers-out" };
                return Err(usage(format!("{option}: expected --control apb or axi-lite")));
            }
            Choice::None => return Ok(None),
            Choice::Apb => Bus::Apb,
            Choice::AxiLite => Bus::AxiLite,
        };
        let control = Control { bus, ram_sink: self.ram_sink, triggers };
        for design in designs {
            control.map(design).map_err(usage)?;
        }
        Ok(Some(control))
    }
}
