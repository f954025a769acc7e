//! What a ring in which a trace ends up asks of the design in front of it.

use std::collections::BTreeSet;

use anyhow::Result;
use tracewright_sim::ram_sink::{sync_bytes, tail_bytes};
use tracewright_sim::scheme::{Design, Scheme};

use super::failure::usage;

/// A ring that was asked for.
#[derive(Clone, Debug)]
pub struct Ring {
    /// What asks for it, with its bytes.
    pub asked: String,
    /// Its bytes.
    pub bytes: u32,
}

impl Ring {
    /// The design with packets, or with starts of E-Trace, that come often enough that the ring has the beginning of one,
    /// unless the interval is `stated`.
    ///
    /// # Errors
    /// When the design cannot have them.
    pub fn fit(&self, mut design: Design, stated: &BTreeSet<String>) -> Result<Design> {
        let is_stated = stated.contains("sync_bytes");
        if design.framing().is_some() && design.protocol().sync_bytes == 0 && !is_stated {
            design.set("sync_bytes", &sync_bytes(self.bytes).to_string())?;
        }
        if let Scheme::ETrace(config) = &design.scheme
            && config.protocol.switches_alone()
            && config.resync_max == 0
            && !stated.contains("resync_max")
        {
            design.set("resync_max", &self.resync_max().to_string())?;
        }
        Ok(design)
    }

    /// The interval of starts of E-Trace, 2 to the power of it jumps and branches, which take a byte or less for the most
    /// part: sixteen starts in the ring.
    fn resync_max(&self) -> u32 {
        self.bytes.ilog2().saturating_sub(4)
    }

    /// Refuses a RAM sink that is less than twice what may come out of the module once tracing is switched off. One
    /// that stops needs that much room at its end; in one that has wrapped, a packet that is due after a quarter of
    /// the ring may begin so much later.
    ///
    /// # Errors
    /// When the ring is too small.
    pub fn check_size(&self, design: &Design, held_blocks: u32) -> Result<()> {
        let Self { asked, bytes } = self;
        let least = 2 * tail_bytes(design, held_blocks);
        if *bytes < least {
            return Err(usage(format!(
                "{asked}: expected at least {least}, twice what may wait in the module when a full ring stops the trace"
            )));
        }
        Ok(())
    }

    /// Sentences about parameters with which a ring that has wrapped may not be decoded.
    pub fn warnings(&self, design: &Design) -> Vec<String> {
        let (asked, bytes) = (&self.asked, self.bytes);
        if design.framing().is_none() {
            return self.without_starts(design).into_iter().collect();
        }
        let protocol = design.protocol();
        let mut warnings = Vec::new();
        if protocol.sync_keeps_tables {
            warnings.push(format!(
                "{asked}: a ring that has wrapped cannot be decoded with sync_keeps_tables = true; expected \
                 sync_keeps_tables=false, or only rings that stop"
            ));
        }
        // Less than a bit for each instruction.
        let by_instructions = Some(protocol.interval() / 8).filter(|bytes| *bytes > 0);
        let interval = match protocol.sync_bytes {
            0 => by_instructions,
            bytes => Some(by_instructions.map_or(bytes, |other| other.min(bytes))),
        };
        if interval.is_none_or(|interval| interval > bytes / 2) {
            warnings.push(format!(
                "{asked}: sync_bytes = {} may leave no beginning of a packet in a ring that has wrapped; expected \
                 sync_bytes={}",
                protocol.sync_bytes,
                sync_bytes(bytes)
            ));
        }
        warnings
    }

    /// The same of a design of a standard without packets: a ring that has wrapped is decoded from the first payload on
    /// that says where the execution is.
    fn without_starts(&self, design: &Design) -> Option<String> {
        let asked = &self.asked;
        let (starts, expected) = match &design.scheme {
            Scheme::ETrace(config) if config.resync_max == 0 => {
                ("resync_max = 0 lets the trace start anew at exceptions alone", "resync_max=8, ")
            }
            Scheme::NTrace(_) => ("N-Trace synchronises on request alone", ""),
            _ => return None,
        };
        Some(format!(
            "{asked}: {starts}, so a ring that has wrapped may have nothing that is decoded; expected {expected}\
             trTeInstSyncMode = 2 in the registers, or only rings that stop"
        ))
    }
}
