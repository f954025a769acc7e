//! The pins of a module.

use std::fmt;

/// Which way a port goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Into the module.
    Input,
    /// Out of the module.
    Output,
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Direction::Input => "input",
            Direction::Output => "output",
        })
    }
}

/// A port of a module.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Port {
    /// Its name in the Verilog.
    pub name: String,
    /// Which way it goes.
    pub direction: Direction,
    /// Its width in bits, 1 to 64.
    pub width: u32,
}

impl Port {
    /// The widest port a model can have, in bits.
    pub const MAX_WIDTH: u32 = 64;

    /// An input of `width` bits.
    pub fn input(name: impl Into<String>, width: u32) -> Port {
        Port { name: name.into(), direction: Direction::Input, width }
    }

    /// An output of `width` bits.
    pub fn output(name: impl Into<String>, width: u32) -> Port {
        Port { name: name.into(), direction: Direction::Output, width }
    }

    /// Ones in the bits the port has.
    pub fn mask(&self) -> u64 {
        mask(self.width)
    }
}

impl fmt::Display for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} `{}` of {} bits", self.direction, self.name, self.width)
    }
}

/// `width` ones, `width` at most 64.
pub(crate) fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}
