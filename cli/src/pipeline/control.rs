//! The control registers that `generate` puts around a design.

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use tracewright_sim::control::Bus;
use tracewright_sim::control::trigger::Triggers;
use tracewright_sim::scheme::Design;
use tracewright_sim::system_memory_sink;
use tracewright_sim::unit::Control;

use super::count;
use super::failure::usage;

#[derive(Args, Default, PartialEq)]
#[group(skip)]
pub struct Arguments {
    /// Add registers of the RISC-V Trace Control Interface with this bus, which drive the module's pins; sets
    /// enable_pin=true and, unless it is E-Trace or N-Trace, framing=packets where a design says nothing else
    #[arg(long, value_name = "BUS")]
    control: Option<Choice>,
    /// Set the bytes of a memory that takes the trace and is read through the registers: a power of two from 64; with
    /// --control
    #[arg(long, value_name = "BYTES", value_parser = count::at_least::<u32>(0))]
    ram_sink: Option<u32>,
    /// Write the trace into a ring in the memory of the system, as a manager of an AXI4 bus (the RAM sink in SMEM mode);
    /// with --control
    #[arg(long, conflicts_with = "ram_sink")]
    system_memory: bool,
    /// Set the width of an address of that memory: 32 to 64
    #[arg(long, value_name = "N", requires = "system_memory")]
    memory_address_bits: Option<u32>,
    /// Set the width of its data: 32 or 64
    #[arg(long, value_name = "N", requires = "system_memory")]
    memory_data_bits: Option<u32>,
    /// Set the beats of the longest burst that is written: a power of two from 2 to 256
    #[arg(long, value_name = "N", requires = "system_memory")]
    memory_burst_beats: Option<u32>,
    /// Set the number of external triggers that start and stop tracing or ask for a packet, up to 8; with --control
    #[arg(long, value_name = "N")]
    triggers_in: Option<u32>,
    /// Set the number of external triggers that say what tracing does, up to 8; with --control
    #[arg(long, value_name = "N")]
    triggers_out: Option<u32>,
}

/// The bus of registers, or none where a file has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Choice {
    None,
    Apb,
    AxiLite,
}

impl Choice {
    /// The bus.
    pub fn bus(self) -> Option<Bus> {
        match self {
            Choice::None => None,
            Choice::Apb => Some(Bus::Apb),
            Choice::AxiLite => Some(Bus::AxiLite),
        }
    }
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

/// Whose memory a RAM sink writes: the modes of the Trace Control Interface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Mode {
    /// Its own.
    #[default]
    Sram,
    /// The system's.
    Smem,
}

/// The section `[ram_sink]` of a design file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RamSection {
    #[serde(default, skip_serializing_if = "is_own")]
    mode: Mode,
    /// Bytes of the sink's own memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address_bits: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data_bits: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    burst_beats: Option<u32>,
}

/// What takes the trace: bytes of the sink's own memory, or the bus to that of the system.
pub type Sink = (Option<u32>, Option<system_memory_sink::Bus>);

fn is_own(mode: &Mode) -> bool {
    *mode == Mode::Sram
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
        RamSection::of_memory((control.ram_sink, control.system_memory))
    }

    /// The section that stands for a memory.
    pub fn of_memory((bytes, bus): Sink) -> Option<RamSection> {
        if bytes.is_some() {
            return Some(RamSection { bytes, ..RamSection::default() });
        }
        bus.map(|bus| RamSection {
            mode: Mode::Smem,
            bytes: None,
            address_bits: Some(bus.address_bits),
            data_bits: Some(bus.data_bits),
            burst_beats: Some(bus.burst_beats),
        })
    }

    /// What takes the trace.
    ///
    /// # Errors
    /// When a key is there that its mode does not have.
    pub fn sink(&self) -> Result<Sink> {
        let Self { mode, bytes, address_bits, data_bits, burst_beats } = *self;
        let is_of_bus = [address_bits, data_bits, burst_beats].iter().any(Option::is_some);
        match (mode, bytes) {
            (Mode::Sram, None) => Err(usage("[ram_sink]: expected bytes, or mode = \"smem\"")),
            (Mode::Smem, Some(_)) => Err(usage(
                "[ram_sink]: expected no bytes with mode = \"smem\": software says how long the ring is",
            )),
            (Mode::Sram, Some(_)) if is_of_bus => Err(usage(
                "[ram_sink]: expected mode = \"smem\" with address_bits, data_bits and burst_beats",
            )),
            (Mode::Sram, Some(bytes)) => Ok((Some(bytes), None)),
            (Mode::Smem, None) => {
                Ok((None, Some(with(address_bits, data_bits, burst_beats, None))))
            }
        }
    }
}

/// A bus with these settings, where they are set, and otherwise those of another one.
fn with(
    address_bits: Option<u32>,
    data_bits: Option<u32>,
    burst_beats: Option<u32>,
    other: Option<system_memory_sink::Bus>,
) -> system_memory_sink::Bus {
    let other = other.unwrap_or_default();
    system_memory_sink::Bus {
        address_bits: address_bits.unwrap_or(other.address_bits),
        data_bits: data_bits.unwrap_or(other.data_bits),
        burst_beats: burst_beats.unwrap_or(other.burst_beats),
    }
}

impl Arguments {
    /// True if the options, or else the file, ask for registers.
    pub fn is_asked(&self, file: Option<&Section>) -> bool {
        self.control.map_or(file.is_some(), |choice| choice != Choice::None)
    }

    /// True if the options, or else the file, ask for a memory that takes the trace.
    pub fn asks_ram_sink(&self, file: Option<&RamSection>) -> bool {
        self.ram_sink.is_some() || self.system_memory || file.is_some()
    }

    /// What takes the trace. An option prevails over the file.
    fn sink(&self, file: Option<&RamSection>) -> Result<Sink> {
        if self.ram_sink.is_some() {
            return Ok((self.ram_sink, None));
        }
        let (bytes, bus) = file.map_or(Ok((None, None)), RamSection::sink)?;
        if !self.system_memory {
            return Ok((bytes, bus));
        }
        let (address_bits, data_bits) = (self.memory_address_bits, self.memory_data_bits);
        Ok((None, Some(with(address_bits, data_bits, self.memory_burst_beats, bus))))
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
        let (ram_sink, system_memory) = self.sink(ram)?;
        let has_sink = ram_sink.is_some() || system_memory.is_some();
        let is_asked = self.ram_sink.is_some() || self.system_memory;
        let triggers = Triggers {
            inputs: self.triggers_in.or(section.map(|one| one.triggers_in)).unwrap_or(0),
            outputs: self.triggers_out.or(section.map(|one| one.triggers_out)).unwrap_or(0),
        };
        let bus = match (self.control, section) {
            (Some(Choice::Apb), _) => Bus::Apb,
            (Some(Choice::AxiLite), _) => Bus::AxiLite,
            (None, Some(section)) => section.bus,
            (None, None) if !is_asked && has_sink => {
                return Err(usage("[ram_sink]: expected [control] with a bus"));
            }
            (None | Some(Choice::None), _) if has_sink => {
                let option = if ram_sink.is_some() { "--ram-sink" } else { "--system-memory" };
                return Err(usage(format!("{option}: expected --control apb or axi-lite")));
            }
            (None | Some(Choice::None), _) if triggers != Triggers::default() => {
                let option = if triggers.inputs > 0 { "--triggers-in" } else { "--triggers-out" };
                return Err(usage(format!("{option}: expected --control apb or axi-lite")));
            }
            (None | Some(Choice::None), _) => return Ok(None),
        };
        let control =
            Control { ram_sink, system_memory, held_blocks, triggers, ..Control::new(bus) };
        for design in designs {
            control.map(design).map_err(usage)?;
        }
        Ok(Some(control))
    }
}
