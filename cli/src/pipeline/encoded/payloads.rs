//! Bare payloads of a standard: of a RAM sink's memory, or of a capture in which parts of the execution may be missing.

use anyhow::Result;
use tracewright_sim::scheme::Design;

use super::EncodedArguments;
use crate::pipeline::design;
use crate::pipeline::paths::Input;
use crate::pipeline::ring::RamSink;
use crate::pipeline::{standard, uart};

impl EncodedArguments {
    /// True for the memory of a RAM sink, read through its registers or by its serial line.
    pub fn is_ring(&self) -> bool {
        self.ram_sink.is_some() || self.uart
    }

    /// The bytes of a file of bare payloads, the oldest first, and the ring that they are from. The line of a ring says of
    /// which `design` it is.
    ///
    /// # Errors
    /// When the file cannot be read, or has no such ring.
    pub fn payloads(
        &self,
        file: &Input,
        design: Option<&Design>,
    ) -> Result<(Option<RamSink>, Vec<u8>)> {
        match (self.ram_sink, design) {
            (Some(sink), _) => Ok((Some(sink), sink.bytes(file)?)),
            (None, Some(design)) if self.uart => {
                let (sink, bytes) = uart::ring(file, design)?;
                Ok((Some(sink), bytes))
            }
            _ => Ok((None, file.bytes()?)),
        }
    }

    /// The design of bare payloads of a standard without packets around them: of a RAM sink's memory, or of a capture
    /// in which parts of the execution may be missing.
    ///
    /// # Errors
    /// When the design is bad, or has another fingerprint than the hardware.
    pub fn design_of_payloads(&self) -> Result<Option<Design>> {
        let may_be_bare = self.is_ring() || self.raw;
        let Some(argument) = self.design.as_ref().filter(|_| may_be_bare) else {
            return Ok(None);
        };
        let design = design::load(argument, &self.changes)?;
        let has_gaps = self.is_ring() || design.protocol().has_gaps_alone();
        if standard::of_scheme(&design).is_none() || design.framing().is_some() || !has_gaps {
            return Ok(None);
        }
        if let Some(fingerprint) = self.fingerprint {
            design::check_fingerprint(&design, fingerprint)?;
        }
        Ok(Some(design))
    }
}
