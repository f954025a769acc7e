//! Encoding as a dump that decoders of a standard read: the payloads alone, and the encoder's parameters.

use std::io::Write;

use anyhow::{Context, Result};
use tracewright_sim::encode::bit_packer::BitPacker;
use tracewright_sim::event::{Isa, Item};
use tracewright_sim::golden_encoder::GoldenEncoder;

use super::{Arguments, Done, Source, named};
use crate::pipeline::failure::usage;
use crate::pipeline::output;
use crate::pipeline::print;
use crate::pipeline::standard::{self, Standard};

/// Bytes that wait to be written.
const BYTES: u64 = 1 << 16;

/// Refuses a trace of another instruction set than the standards are for.
fn check_machine(arguments: &Arguments, isa: Isa, standard: Standard) -> Result<()> {
    if isa == Isa::RiscV {
        return Ok(());
    }
    let (trace, title) = (named(arguments), standard.title());
    Err(usage(format!("{trace}: {title} is for RISC-V, found a trace of {isa}")))
}

/// Encodes a trace.
///
/// # Errors
/// When the design does not follow the standard, or the trace or an output is bad.
pub fn run(arguments: &Arguments, source: Source, standard: Standard) -> Result<()> {
    let parameters = standard::of_design(&source.design, standard)?;
    check_machine(arguments, source.machine.isa, standard)?;
    let Source { design, items, .. } = source;
    let mut encoder = super::encoder(&design, arguments)?;
    let mut file = arguments.output.create()?;
    let output = file.name(&arguments.output);
    file.write_all(&parameters.beginning(design.protocol().source_id))?;
    let (mut packer, mut bytes) = (BitPacker::new(), 0);
    let (mut events, mut instructions) = (0, 0u64);
    items.each_block(&arguments.trace, |block| {
        encoder.items(block, &mut packer).with_context(|| named(arguments))?;
        for item in block {
            if let Item::Event(event) = item {
                events += 1;
                instructions = instructions.saturating_add(event.instructions);
            }
        }
        if packer.bits() >= 8 * (bytes + BYTES) {
            let ready = packer.take_bytes();
            bytes += ready.len() as u64;
            file.write_all(&ready)?;
        }
        Ok(())
    })?;
    encoder.flush(&mut packer);
    let bits = packer.bits();
    file.write_all(&packer.finish())?;
    let parameters = match &arguments.encoder {
        None => None,
        Some(path) => {
            let mut file = path.create()?;
            let text = toml::to_string(&parameters).map_err(usage)?;
            let title = standard.title();
            writeln!(
                file,
                "# The encoder of {output}, by the names of the {title} specification."
            )?;
            file.write_all(text.as_bytes())?;
            Some(file)
        }
    };
    output::commit_all(parameters.into_iter().chain([file]))?;
    if arguments.output.is_stdout() {
        return Ok(());
    }
    let bits_per_instruction = print::ratio(bits, instructions);
    let done = Done {
        design: design.name,
        trace: named(arguments),
        output,
        events,
        instructions,
        bits,
        padding_bits: 0,
        bits_per_instruction,
    };
    if arguments.json { print::json(&done) } else { print::sentences(&done.sentence()) }
}
