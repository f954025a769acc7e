//! What is suspected where bits that name no design decode to nothing, or to little.

use std::path::Path;

use tracewright_sim::scheme::Design;

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
