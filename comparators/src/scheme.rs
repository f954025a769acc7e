//! Formats of standards that are schemes of this project: the bits are those of the scheme's model.

use std::io::Read;

use tracewright_sim::decode::summary::Summary;
use tracewright_sim::encode::bit_packer::BitUnpacker;
use tracewright_sim::event::{Event, Isa, Kind};
use tracewright_sim::field::{Field, Sink};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::program::Program;
use tracewright_sim::scheme::{Design, DesignError, Encoder, decode as decode_design};

use crate::{Core, DecodeError, Encode, EncodeError};

/// A preset, and the parameters that are others. The trace is one of bytes.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The name of the preset.
    pub preset: &'static str,
    /// Names and values of parameters.
    pub changes: &'static [(&'static str, &'static str)],
}

impl Format {
    fn design(&self, core: &Core) -> Result<Design, DesignError> {
        let mut design = Design::preset(self.preset)?;
        design.set("address_width", &core.address_width.to_string())?;
        design.set("trace_port_width", "8")?;
        for (name, value) in self.changes {
            design.set(name, value)?;
        }
        design.for_machine(core.machine)
    }

    /// An encoder at the start of a trace.
    ///
    /// # Errors
    /// When the core is not RISC-V.
    pub fn encoder(&self, core: &Core) -> Result<Box<dyn Encode>, EncodeError> {
        if core.machine.isa != Isa::RiscV {
            return Err(EncodeError::Machine { isa: core.machine.isa });
        }
        Ok(Box::new(OfScheme { encoder: Encoder::new(&self.design(core)?)?, events: 0 }))
    }

    /// Decodes what the encoder made.
    ///
    /// # Errors
    /// When the bytes or the program are not what was traced.
    pub fn decode(
        &self,
        core: &Core,
        program: &Program,
        bytes: &mut dyn Read,
        most_instructions: u64,
        take: &mut dyn FnMut(Event),
    ) -> Result<Summary, DecodeError> {
        let mut bits = BitUnpacker::new(bytes);
        let emit = |event| {
            take(event);
            Ok::<(), DecodeError>(())
        };
        decode_design(&self.design(core)?, program, &mut bits, most_instructions, emit)
    }
}

struct OfScheme {
    encoder: Encoder,
    events: u64,
}

/// Passes everything on.
struct Passed<'a>(&'a mut dyn Sink);

impl Sink for Passed<'_> {
    fn put(&mut self, field: &Field, bits: u64, count: u32) {
        self.0.put(field, bits, count);
    }

    fn end_record(&mut self) {
        self.0.end_record();
    }

    fn align(&mut self, unit: u32) {
        self.0.align(unit);
    }
}

impl Encode for OfScheme {
    fn event(&mut self, event: &Event, sink: &mut dyn Sink) -> Result<(), EncodeError> {
        if event.kind == Kind::IndirectConditional {
            return Err(EncodeError::IndirectConditional { event: self.events });
        }
        self.events += 1;
        Ok(self.encoder.event(event, &mut Passed(sink))?)
    }

    fn finish(&mut self, sink: &mut dyn Sink) -> Result<(), EncodeError> {
        self.encoder.flush(&mut Passed(sink));
        Ok(())
    }
}
