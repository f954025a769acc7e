//! The records of T-raptor, for docs/formats.md.

use std::fmt::Write;

use super::config::Config;
use super::layout::{Body, Extended, Head, Layout};
use crate::event::Kind;
use crate::record_table::record;

/// Appends the chapter of this scheme.
pub fn describe(config: &Config, preset: &str, text: &mut String) {
    let layout = Layout::new(config);
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
