//! The settings of an adapter.

use std::fmt::Write;

use tracewright_sim::ingress::Queue;
use tracewright_sim::rvfi::{Compressed, Trapped};

use super::row::Kind;

/// The alignment, address width and register width of the preset and the adapter where the file says nothing.
const DEFAULT_ALIGNMENT: u8 = 2;
const DEFAULT_BITS: u32 = 32;

/// Instructions that may retire after `stall` where the file says nothing, for each lane.
pub(super) const DEFAULT_SLACK: u32 = Queue::SLACK_CYCLES;

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
    /// What the port has in place of a compressed instruction.
    pub compressed: Compressed,
    /// What the pin for traps says.
    pub trap: Trapped,
    /// The optional pins of the port `retired`.
    pub pins: Vec<&'static str>,
}

impl Settings {
    /// Entries of a queue for so much slack: as much room in front of it as the default has.
    fn queue(&self, slack: u32) -> u32 {
        let default = Queue::new(self.lanes);
        (slack + default.depth - default.slack).next_multiple_of(self.lanes).min(64)
    }

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
            line("queue", &self.queue(*slack));
            line("slack", slack);
        }
        if self.compressed != Compressed::Raw {
            line("compressed", &format_args!("\"{}\"", self.compressed));
        }
        if self.trap != Trapped::NotRetired {
            line("trap", &format_args!("\"{}\"", self.trap));
        }
        if self.port == Kind::Retired {
            line("pins", &format_args!("{:?}", self.pins));
        }
        text
    }
}
