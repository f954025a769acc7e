//! The processor cores.

use std::fmt;

/// A core that can be simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Core {
    /// PicoRV32: RV32IMC, several cycles per instruction, interrupts of its own kind.
    Picorv32,
    /// Ibex: RV32IMC, three pipeline stages, one instruction in most cycles, machine-mode traps.
    Ibex,
}

impl Core {
    /// Every core.
    pub const ALL: [Core; 2] = [Core::Picorv32, Core::Ibex];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Core::Picorv32 => "picorv32",
            Core::Ibex => "ibex",
        }
    }

    /// The package of PyPI with its Verilog.
    pub fn package(self) -> &'static str {
        match self {
            Core::Picorv32 => "pythondata-cpu-picorv32",
            Core::Ibex => "pythondata-cpu-ibex",
        }
    }

    /// The files of the package that are needed, below the folder of its data.
    pub fn files(self) -> impl Iterator<Item = &'static str> {
        let list = match self {
            Core::Picorv32 => "picorv32.v",
            // Packages before their users.
            Core::Ibex => include_str!("../../live/ibex.files"),
        };
        list.lines()
    }

    /// Where it begins to run.
    pub fn boot_address(self) -> u32 {
        // Ibex begins 0x80 after a multiple of 0x100.
        0xff80
    }

    /// The module around core and trace module: its name, the file's, and the text.
    pub(super) fn system(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Core::Picorv32 => {
                ("live_picorv32", "live_picorv32.v", include_str!("../../live/picorv32.v"))
            }
            Core::Ibex => ("live_ibex", "live_ibex.sv", include_str!("../../live/ibex.sv")),
        }
    }
}

impl fmt::Display for Core {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
