//! `docs/formats.md`, printed from the layouts.

mod data_stride;
mod multicore;
mod streams;

use std::convert::Infallible;
use std::fmt::Write;

use crate::event::Kind;
use crate::field::Describer;
use crate::scheme::{Design, Scheme};
use crate::traptor::layout::{Body, Extended, Head, Layout};

const INTRODUCTION: &str = "\
# Formats

Printed by `tracewright designs --formats` from the layouts that the encoders and decoders walk.

A trace is a string of bits; bit 0 of byte 0 is the first. A field's least significant bit goes first.
A *number in chunks* is cut into chunks, least significant first, each followed by a connect bit that
is 1 when another chunk follows; only the shortest form is ever sent. With chunks of 3 bits `110 0`
is 3 and `110 1 010 0` is 19 (paper C, section 4).
";

/// The whole document.
pub fn markdown() -> String {
    let mut text = String::from(INTRODUCTION);
    for scheme in Scheme::all() {
        // Every scheme is shown with the parameters of its best known preset.
        let preset = match scheme {
            Scheme::Traptor(_) => "traptor-m4",
            Scheme::Mctraptor(_) => "mctraptor-large-n4-timed",
            Scheme::Nexus(_) => "nexus-n1",
            Scheme::StreamCache(_) => "stream-ebase-128",
            Scheme::Ntuple(_) => "ntuple-32x4",
            Scheme::DataStride(_) => "stride-1024",
        };
        let Ok(design) = Design::preset(preset) else { continue };
        match &design.scheme {
            Scheme::Traptor(config) => traptor(&mut text, preset, &Layout::new(config)),
            Scheme::Mctraptor(config) => multicore::several(&mut text, preset, &config.sharing),
            Scheme::Nexus(config) => multicore::nexus(&mut text, preset, config),
            Scheme::StreamCache(config) => streams::stream_cache(&mut text, preset, config),
            Scheme::Ntuple(config) => streams::ntuple(&mut text, preset, config),
            Scheme::DataStride(config) => data_stride::packets(&mut text, preset, config),
        }
    }
    text
}

fn traptor(text: &mut String, preset: &str, layout: &Layout) {
    let _ = write!(
        text,
        "\n## T-raptor\n\n\
         The numbers are those of `{preset}`; chunk sizes and widths follow the parameters. Which fields\n\
         follow a branch count depends on the instruction it leads to, which the decoder knows.\n\n\
         After a flush record the trace is filled up with zeros to a whole trace word: the smallest multiple\n\
         of the port's width that has at least 8 bits. Both counters start again at 0, the predictors go on.\n"
    );
    let extended = |code| Head::Extended(Ok(code));
    // Counts and differences are shown as numbers, not as the zero that begins an exception record.
    let some = Body { instruction_count: 1, difference: 1, ..Body::default() };
    let taken = Body { taken: true, ..some };
    let records = [
        (
            "A direct conditional branch went the other way",
            Head::Branch(1),
            Kind::DirectConditional,
            some,
        ),
        (
            "An indirect branch was predicted taken, and was not",
            Head::Branch(1),
            Kind::IndirectConditional,
            some,
        ),
        (
            "An indirect branch went to another target, or was taken after all",
            Head::Branch(1),
            Kind::IndirectJump,
            taken,
        ),
        ("An exception", Head::Exception, Kind::Exception, some),
        (
            "Flush: the end of the trace, or of a part of it",
            extended(Extended::Flush),
            Kind::Exception,
            some,
        ),
        (
            "Branch count overflow: as many branches as the counter can count were predicted; clears both counters",
            extended(Extended::BranchCountOverflow),
            Kind::Exception,
            some,
        ),
        (
            "Instruction count overflow: half the counter's range was taken off it",
            extended(Extended::InstructionCountOverflow),
            Kind::Exception,
            some,
        ),
    ];
    for (what, mut head, kind, mut body) in records {
        record(text, what, |describer| {
            layout
                .head(&mut head, describer)
                .and_then(|()| layout.body(head, kind, &mut body, describer))
        });
    }
    let _ = write!(
        text,
        "\nCode 3 behind the escape is kept for records lost by a core that cannot stall; a decoder of this version\n\
         refuses it.\n"
    );
}

/// A record's title and the table of its fields.
fn record(
    text: &mut String,
    what: &str,
    walk: impl FnOnce(&mut Describer) -> Result<(), Infallible>,
) {
    let mut describer = Describer::default();
    let Ok(()) = walk(&mut describer);
    let _ = write!(text, "\n### {what}\n\n| field | bits | says |\n|---|---|---|\n");
    for (name, coding, doc) in describer.fields {
        let _ = writeln!(text, "| `{name}` | {coding} | {doc} |");
    }
}
