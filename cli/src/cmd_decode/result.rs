//! What `decode` prints.

use serde::Serialize;

use super::packets::Recovery;
use crate::pipeline::print::{self, grouped};

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
            "{}: {} records -> {} events, {}{} instructions{}\n",
            self.design,
            grouped(self.records),
            grouped(self.events),
            print::accesses(self.accesses),
            grouped(self.instructions),
            if self.verified { ", as traced" } else { "" }
        )
    }
}
