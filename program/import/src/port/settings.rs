//! The settings of an adapter.

use std::fmt::Write;

use super::row::Kind;

/// The alignment, address width and register width of the preset and the adapter where the file says nothing.
const DEFAULT_ALIGNMENT: u8 = 2;
const DEFAULT_BITS: u32 = 32;

/// Instructions that may retire after `stall` where the file says nothing, for each lane.
pub(super) const DEFAULT_SLACK: u32 = 8;

/// How compressed instructions are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compressed {
    /// By the lowest bits of the word.
    #[default]
    Raw,
    /// By the address of the next instruction: words are expanded to 32 bits.
    Expanded,
    /// By a pin: words are expanded to 32 bits.
    Pin,
}

impl Compressed {
    /// The value in a file.
    pub fn name(self) -> &'static str {
        match self {
            Compressed::Raw => "raw",
            Compressed::Expanded => "expanded",
            Compressed::Pin => "pin",
        }
    }
}

/// What an instruction with a trap has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trap {
    /// It has not retired.
    #[default]
    NotRetired,
    /// It has retired if its next pc is where the word leads.
    Checked,
}

impl Trap {
    /// The value in a file.
    pub fn name(self) -> &'static str {
        match self {
            Trap::NotRetired => "not-retired",
            Trap::Checked => "checked",
        }
    }
}

/// The settings of an adapter and its trace module for a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Bits of an address below the first one that changes: 1 with compressed instructions.
    pub alignment: u8,
    /// Bits of an address.
    pub address_width: u32,
    /// The port.
    pub port: Kind,
    /// Instructions that can retire in a cycle.
    pub lanes: u32,
    /// Bits of the core's registers.
    pub xlen: u32,
    /// Instructions that may retire after `stall`, if the default is too few.
    pub slack: Option<u32>,
    /// How compressed instructions are known.
    pub compressed: Compressed,
    /// What an instruction with a trap has done.
    pub trap: Trap,
    /// The optional pins of the port `retired`.
    pub pins: Vec<&'static str>,
}

impl Settings {
    /// The file of a unit with the preset `traptor-m4`, without what is the default.
    pub fn to_toml(&self, name: &str) -> String {
        let mut text = format!("preset = \"traptor-m4\"\nname = {name:?}\n");
        let mut line = |key: &str, value: &dyn std::fmt::Display| {
            let _ = writeln!(text, "{key} = {value}");
        };
        if self.alignment != DEFAULT_ALIGNMENT {
            line("alignment", &self.alignment);
        }
        if self.address_width != DEFAULT_BITS {
            line("address_width", &self.address_width);
        }
        let port = match self.port {
            Kind::Rvfi => "rvfi",
            Kind::Retired => "retired",
        };
        text += &format!("\n[ingress]\nport = \"{port}\"\n");
        let mut line = |key: &str, value: &dyn std::fmt::Display| {
            let _ = writeln!(text, "{key} = {value}");
        };
        if self.lanes != 1 {
            line("lanes", &self.lanes);
        }
        if self.xlen != DEFAULT_BITS {
            line("xlen", &self.xlen);
        }
        if let Some(slack) = &self.slack {
            line("slack", slack);
        }
        if self.compressed != Compressed::default() {
            line("compressed", &format_args!("\"{}\"", self.compressed.name()));
        }
        if self.trap != Trap::default() {
            line("trap", &format_args!("\"{}\"", self.trap.name()));
        }
        if self.port == Kind::Retired {
            line("pins", &format_args!("{:?}", self.pins));
        }
        text
    }
}
