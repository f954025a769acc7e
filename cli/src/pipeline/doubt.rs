//! What is suspected where bits that name no design decode to nothing, or to little.

use std::io;
use std::path::Path;

use anyhow::{Result, anyhow};
use tracewright_sim::decode::error::DecodeError;
use tracewright_sim::packet::part::{Gap, Reason};
use tracewright_sim::scheme::Design;

use super::encoded::explain;
use super::failure::incomplete;
use super::print::grouped;

/// The design and the program that were given.
#[derive(Clone, Debug)]
pub struct Doubt {
    design: String,
    program: String,
    /// True if the hardware's fingerprint is that of the design, so that the program is another one.
    is_of_design: bool,
}

impl Doubt {
    /// Of bits that were decoded with this design, whose fingerprint may be known to be that of the hardware.
    pub fn new(design: &Design, program_file: &Path, is_of_design: bool) -> Doubt {
        let program = program_file.display().to_string();
        Doubt { design: design.name.clone(), program, is_of_design }
    }

    /// Says what may be wrong where `nothing` of a file decodes.
    pub fn of_all(&self, file: &str, nothing: &str) -> String {
        let Doubt { design, program, is_of_design } = self;
        if *is_of_design {
            return format!(
                "{file}: {nothing} decodes with {program}, and the hardware has the fingerprint of {design}; expected the \
                 program that ran, with --image for code that is not in its file"
            );
        }
        format!(
            "{file}: {nothing} decodes with {design} and this program; expected the design that was generated, such as its \
             folder, with the address_width and alignment of the hardware (--fingerprint checks it), and the program that \
             ran, with --image for code that is not in its file"
        )
    }

    /// Says what may be wrong where much does not decode.
    pub fn of_some(&self) -> String {
        let Doubt { design, program, is_of_design } = self;
        match is_of_design {
            true => format!("; perhaps {program} is not the program that ran"),
            false => format!(
                "; perhaps {design} is not the design that was generated (--fingerprint checks it)"
            ),
        }
    }
}

/// What a trace without packets is of which only the beginning decodes, so many events and instructions: an error with
/// exit status 3, and where the trace is not known. `given` is what was given for bits that name no design.
///
/// # Errors
/// Those of another kind, and where no instruction was decoded.
pub fn broken_off(
    file: &Path,
    program_file: &Path,
    error: anyhow::Error,
    (events, instructions): (u64, u64),
    given: Option<Doubt>,
) -> Result<(anyhow::Error, Gap)> {
    let what = error.downcast_ref::<DecodeError>();
    let is_read_error = error.chain().any(|cause| cause.is::<io::Error>());
    let Some(what) = what.filter(|_| instructions > 0) else {
        return Err(match (what, given) {
            (Some(what), Some(doubt)) if events == 0 && !is_read_error => {
                let file = file.display().to_string();
                anyhow!("{}: {what}", doubt.of_all(&file, "nothing"))
            }
            _ => explain(file, program_file, error),
        });
    };
    let (begin, reason) = (what.position(), Reason::Undecoded(what.to_string()));
    let gap = Gap {
        bits: begin..begin,
        reason,
        trailing_instructions: 0,
        unverified_events: 0,
        missing_packets: 0,
        goes_on: None,
        context: 0,
    };
    // With another program the decoder may read numbers at places that have none.
    let is_of_program = matches!(what, DecodeError::Field { .. }) && given.is_none();
    let doubt = match is_of_program && !is_read_error {
        true => "; is this the program that was traced?",
        false => "",
    };
    let failure = incomplete(format_args!(
        "{}: {} events were decoded, then {what}{doubt}",
        file.display(),
        grouped(events)
    ));
    Ok((failure, gap))
}
