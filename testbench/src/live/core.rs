//! The processor cores.

use std::fmt;

use tracewright_sim::rvfi::Xlen;

/// A core that can be simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Core {
    /// PicoRV32: RV32IMC, several cycles per instruction, interrupts of its own kind.
    Picorv32,
    /// Ibex: RV32IMC, three pipeline stages, one instruction in most cycles, machine-mode traps.
    Ibex,
    /// CVA6: RV64IMAC, six stages, two instructions in a cycle, caches, machine-mode traps.
    Cva6,
    /// The small core of this crate: RV32I, two stages, machine and user mode, RVFI and the trace ingress port.
    Minimal,
    /// The same with up to two instructions in a cycle.
    MinimalWide,
}

impl Core {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Core::Picorv32 => "picorv32",
            Core::Ibex => "ibex",
            Core::Cva6 => "cva6",
            Core::Minimal | Core::MinimalWide => "minimal",
        }
    }

    /// The package of PyPI with its Verilog; `None` if this crate has it.
    pub fn package(self) -> Option<&'static str> {
        match self {
            Core::Picorv32 => Some("pythondata-cpu-picorv32"),
            Core::Ibex => Some("pythondata-cpu-ibex"),
            Core::Cva6 => Some("pythondata-cpu-cva6"),
            Core::Minimal | Core::MinimalWide => None,
        }
    }

    /// The files of the package that are needed, below the folder of its data.
    pub fn files(self) -> impl Iterator<Item = &'static str> {
        let list = match self {
            Core::Picorv32 => "picorv32.v",
            // Packages before their users.
            Core::Ibex => include_str!("../../live/ibex.files"),
            Core::Cva6 => include_str!("../../live/cva6.files"),
            Core::Minimal | Core::MinimalWide => "",
        };
        list.lines()
    }

    /// Width of its registers.
    pub fn xlen(self) -> Xlen {
        match self {
            Core::Picorv32 | Core::Ibex | Core::Minimal | Core::MinimalWide => Xlen::Rv32,
            Core::Cva6 => Xlen::Rv64,
        }
    }

    /// Instructions that it can retire in a cycle.
    pub fn channels(self) -> u32 {
        match self {
            Core::Picorv32 | Core::Ibex | Core::Minimal => 1,
            Core::Cva6 | Core::MinimalWide => 2,
        }
    }

    /// Instructions of a cycle that the module around the core has pins for.
    pub(super) fn pins(self) -> u32 {
        match self {
            Core::Minimal => 2,
            _ => self.channels(),
        }
    }

    /// It has a trace ingress port, too.
    pub fn has_trace_ingress_port(self) -> bool {
        matches!(self, Core::Minimal | Core::MinimalWide)
    }

    /// It stops for good at a trap.
    pub(super) fn stops_at_traps(self) -> bool {
        self == Core::Picorv32
    }

    /// Where it begins to run.
    pub fn boot_address(self) -> u32 {
        // Ibex begins 0x80 after a multiple of 0x100.
        0xff80
    }

    /// The module around core and trace module.
    pub(super) fn top(self) -> &'static str {
        match self {
            Core::Picorv32 => "live_picorv32",
            Core::Ibex => "live_ibex",
            Core::Cva6 => "live_cva6",
            Core::Minimal | Core::MinimalWide => "live_minimal",
        }
    }

    /// Files of this crate that those of the package need: their names and texts.
    pub(super) fn settings(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Core::Picorv32 | Core::Ibex | Core::Minimal | Core::MinimalWide => &[],
            Core::Cva6 => &[("cva6_config.sv", include_str!("../../live/cva6_config.sv"))],
        }
    }

    /// The files of this crate around core and trace module: their names and texts.
    pub(super) fn board(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Core::Picorv32 => &[("live_picorv32.v", include_str!("../../live/picorv32.v"))],
            Core::Ibex => &[("live_ibex.sv", include_str!("../../live/ibex.sv"))],
            Core::Cva6 => &[
                ("cva6_board.sv", include_str!("../../live/cva6_board.sv")),
                ("cva6_rvfi.sv", include_str!("../../live/cva6_rvfi.sv")),
                ("cva6_memory.sv", include_str!("../../live/cva6_memory.sv")),
                ("live_cva6.sv", include_str!("../../live/cva6.sv")),
            ],
            Core::Minimal | Core::MinimalWide => &[
                ("minimal_instruction.v", include_str!("../../live/minimal_instruction.v")),
                ("minimal_core.v", include_str!("../../live/minimal_core.v")),
                ("live_minimal.v", include_str!("../../live/minimal.v")),
            ],
        }
    }
}

impl fmt::Display for Core {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
