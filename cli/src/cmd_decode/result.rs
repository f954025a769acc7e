//! What `decode` prints.

use serde::Serialize;

use super::packets::Recovery;
use crate::pipeline::print::{self, counted};

/// The result of the command.
#[derive(Serialize)]
pub struct Done {
    /// The design.
    pub design: String,
    /// The encoded file.
    pub file: String,
    /// The program's file.
    pub program: String,
    /// The decoded trace's file.
    pub output: String,
    /// Number of decoded events.
    pub events: u64,
    /// Number of decoded memory accesses.
    pub accesses: u64,
    /// Number of decoded instructions.
    pub instructions: u64,
    /// Number of decoded records.
    pub records: u64,
    /// True if the file has a fingerprint of the events, and it agrees.
    pub verified: bool,
    /// What there is of a trace of packets.
    #[serde(flatten)]
    pub packets: Option<Recovery>,
}

impl Done {
    /// The result in one line.
    pub fn sentence(&self) -> String {
        format!(
            "{}: {} -> {}, {}{}{}\n",
            self.design,
            counted(self.records, "record"),
            counted(self.events, "event"),
            print::accesses(self.accesses),
            counted(self.instructions, "instruction"),
            if self.verified { ", as traced" } else { "" }
        )
    }
}
