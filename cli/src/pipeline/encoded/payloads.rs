//! Bytes of payloads of a standard without packets around them: of a ring, or of a trace in which parts of the execution may
//! be missing.

use std::io::Read;
use std::path::Path;

use anyhow::Result;
use tracewright_sim::scheme::Design;

use super::{Encoded, EncodedArguments};
use crate::pipeline::ring::RamSink;
use crate::pipeline::standard::{self, Standard};
use crate::pipeline::uart;

impl EncodedArguments {
    /// The ring that the file has, if it has one, and the bytes of the trace in it, the oldest first: the memory of a RAM
    /// sink, read through its registers or by its serial line, which says of which `design` it is.
    ///
    /// # Errors
    /// When the file cannot be read, or has no such ring.
    pub fn read_ring(
        &self,
        file: &Path,
        design: Option<&Design>,
    ) -> Result<Option<(RamSink, Vec<u8>)>> {
        match (self.ram_sink, design) {
            (Some(sink), _) => Ok(Some((sink, sink.bytes(file)?))),
            (None, Some(design)) if self.uart => uart::ring(file, design).map(Some),
            _ => Ok(None),
        }
    }
}

impl Encoded<'_> {
    /// The standard of a trace that is read as its decoders read it, because parts of the execution may be missing: a
    /// ring, or a trace that leaves something out. The latter only where the program is known to its last instruction;
    /// else it is read up to the first gap.
    pub fn standard(&self, follows_image: bool) -> Option<Standard> {
        let protocol = self.design.protocol();
        let is_ring = self.arguments.ram_sink.is_some() || self.arguments.uart;
        let may_have_gaps = match self.reader {
            _ if is_ring => true,
            Some(_) => follows_image && protocol.filters_alone(),
            None => follows_image && protocol.has_gaps_alone(),
        };
        let is_alone = self.design.framing().is_none() && may_have_gaps;
        standard::of_scheme(&self.design).filter(|_| is_alone)
    }

    /// The bytes of the trace, the oldest first, and the ring that they are from.
    ///
    /// # Errors
    /// When the file cannot be read, or has no ring where one is expected.
    pub fn payloads(&mut self) -> Result<(Option<RamSink>, Vec<u8>)> {
        if let Some((sink, bytes)) = self.arguments.read_ring(self.file, Some(&self.design))? {
            return Ok((Some(sink), bytes));
        }
        let mut bytes = Vec::new();
        match &mut self.reader {
            Some(reader) => reader.read_to_end(&mut bytes)?,
            None => self.bare()?.read_to_end(&mut bytes)?,
        };
        Ok((None, bytes))
    }
}
