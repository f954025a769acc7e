//! The control registers that `generate` puts around a design.

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use tracewright_packaging::control::trigger::Triggers;
use tracewright_packaging::control::{Bus, Control};
use tracewright_sim::scheme::Design;

use super::count;
use super::failure::usage;

#[derive(Args, Default)]
#[group(skip)]
pub struct Arguments {
    /// Add registers of the RISC-V Trace Control Interface with this bus, which drive the module's pins; sets
    /// enable_pin=true and, unless it is E-Trace or N-Trace, framing=packets where a design says nothing else
    #[arg(long, value_name = "BUS")]
    control: Option<Choice>,
    /// Set the bytes of a memory that takes the trace and is read through the registers: a power of two from 256; with
    /// --control
    #[arg(long, value_name = "BYTES", value_parser = count::at_least::<u32>(0))]
    ram_sink: Option<u32>,
    /// Set the number of external triggers that start and stop tracing or ask for a packet, up to 8; with --control
    #[arg(long, value_name = "N")]
    triggers_in: Option<u32>,
    /// Set the number of external triggers that say what tracing does, up to 8; with --control
    #[arg(long, value_name = "N")]
    triggers_out: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Choice {
    None,
    Apb,
    AxiLite,
}

/// The section `[control]` of a design file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    bus: Bus,
    #[serde(default, skip_serializing_if = "is_zero")]
    triggers_in: u32,
    #[serde(default, skip_serializing_if = "is_zero")]
    triggers_out: u32,
}

/// The section `[ram_sink]` of a design file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RamSection {
    bytes: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Section {
    /// The section that stands for these registers.
    pub fn of(control: &Control) -> Section {
        let Triggers { inputs, outputs } = control.triggers;
        Section { bus: control.bus, triggers_in: inputs, triggers_out: outputs }
    }
}

impl RamSection {
    /// The section that stands for the memory of these registers, if they have one.
    pub fn of(control: &Control) -> Option<RamSection> {
        control.ram_sink.map(|bytes| RamSection { bytes })
    }
}

impl Arguments {
    /// True if the options, or else the file, ask for registers.
    pub fn is_asked(&self, file: Option<&Section>) -> bool {
        self.control.map_or(file.is_some(), |choice| choice != Choice::None)
    }

    /// True if the options, or else the file, ask for a memory that takes the trace.
    pub fn asks_ram_sink(&self, file: Option<&RamSection>) -> bool {
        self.ram_sink.is_some() || file.is_some()
    }

    /// The registers that the options and the file ask for, which every design must be able to have, after an adapter
    /// that holds so many blocks. An option prevails over the file.
    ///
    /// # Errors
    /// When something is set without a bus, or a design can have no such registers.
    pub fn control(
        &self,
        designs: &[Design],
        file: (Option<&Section>, Option<&RamSection>),
        held_blocks: u32,
    ) -> Result<Option<Control>> {
        let (section, ram) = match self.control {
            Some(Choice::None) => (None, None),
            _ => file,
        };
        let ram_sink = self.ram_sink.or(ram.map(|section| section.bytes));
        let triggers = Triggers {
            inputs: self.triggers_in.or(section.map(|one| one.triggers_in)).unwrap_or(0),
            outputs: self.triggers_out.or(section.map(|one| one.triggers_out)).unwrap_or(0),
        };
        let bus = match (self.control, section) {
            (Some(Choice::Apb), _) => Bus::Apb,
            (Some(Choice::AxiLite), _) => Bus::AxiLite,
            (None, Some(section)) => section.bus,
            (None, None) if self.ram_sink.is_none() && ram_sink.is_some() => {
                return Err(usage("[ram_sink]: expected [control] with a bus"));
            }
            (None | Some(Choice::None), _) if ram_sink.is_some() => {
                return Err(usage("--ram-sink: expected --control apb or axi-lite"));
            }
            (None | Some(Choice::None), _) if triggers != Triggers::default() => {
                let option = if triggers.inputs > 0 { "--triggers-in" } else { "--triggers-out" };
                return Err(usage(format!("{option}: expected --control apb or axi-lite")));
            }
            (None | Some(Choice::None), _) => return Ok(None),
        };
        let control = Control { bus, ram_sink, held_blocks, triggers };
        for design in designs {
            control.map(design).map_err(usage)?;
        }
        Ok(Some(control))
    }
}
