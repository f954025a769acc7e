//! The Verilog and the documents of a system of several harts.

use anyhow::{Result, anyhow};
use tracewright_hdl::unit::assemble_system;
use tracewright_packaging::{WHOLE_SYSTEM, package_of_system};
use tracewright_sim::scheme::Design;
use tracewright_sim::unit::System;

use super::{Arguments, Folder};
use crate::pipeline::failure::usage;
use crate::pipeline::folder::{self, Files};
use crate::pipeline::module;
use crate::pipeline::print;
use crate::pipeline::standard;
use crate::pipeline::system;
use crate::pipeline::unit::{self, Sections, Unit};

/// The name of the file that `decode --encoder` takes.
const ENCODER: &str = "encoder.toml";

/// Writes the folder of a system, or compares it with what would be written.
///
/// # Errors
/// When the file is bad, or an option is given that is for one design.
pub(super) fn run(argument: &str, arguments: &Arguments) -> Result<()> {
    let is_other = !arguments.changes.set.is_empty()
        || arguments.split
        || arguments.assertions
        || arguments.around != unit::Arguments::default();
    if is_other {
        return Err(usage(format_args!(
            "{argument} is the file of a system: its harts say their designs and ports, expected no option but --output, \
             --force, --check and --json"
        )));
    }
    let system = system::load(argument)?;
    let name = system.name.clone();
    let files = files(&system).map_err(|error| usage(format_args!("{argument}: {error}")))?;
    if !arguments.check {
        let how = (arguments.force, arguments.json);
        return module::write_into(&arguments.output, how, &name, (&name, files));
    }
    let folder = arguments.output.join(&name);
    let report = folder::differences(&folder, &module::with_manifest(&name, files)?)?;
    if report.is_empty() {
        return Ok(());
    }
    print::text(report)?;
    Err(anyhow!("{} differs from what `tracewright generate` writes", folder.display()))
}

/// The folder of the system that `generated_verilog/` keeps.
pub(super) fn starting_point() -> Result<Folder> {
    let system = system::of_text(WHOLE_SYSTEM.file, WHOLE_SYSTEM.name)?;
    let files = module::with_manifest(&system.name, files(&system)?)?;
    Ok(Folder { name: system.name.clone(), top: system.name, files })
}

/// The files of a system.
fn files(system: &System) -> Result<Files> {
    let assembly = assemble_system(system)?;
    let mut files: Files = package_of_system(system, &assembly)?;
    files.extend(assembly.whole.sources());
    for hart in &system.harts {
        let unit = Unit {
            sections: Sections {
                ingress: hart.ingress.map(crate::pipeline::ingress::Section::of),
                ..Sections::default()
            },
            ..Unit::bare(hart.design.clone())
        };
        let of = "What `tracewright generate` made the unit of this hart from.";
        files.insert(format!("{0}/{0}.toml", hart.name), unit.toml(of)?);
    }
    files.insert(format!("{}.toml", system.name), system::toml(system)?);
    let encoders = system.harts.iter().map(|hart| encoder(&hart.design));
    let encoders: Vec<String> = encoders.collect::<Result<_>>()?;
    for (hart, text) in system.harts.iter().zip(&encoders) {
        files.insert(format!("{}/{ENCODER}", hart.name), text.clone());
    }
    if let [first, others @ ..] = encoders.as_slice()
        && others.iter().all(|other| other == first)
    {
        files.insert(ENCODER.into(), first.clone());
    }
    Ok(files)
}

/// What a decoder of the standard needs to know of a hart's encoder.
fn encoder(design: &Design) -> Result<String> {
    let Some(of) = standard::of_scheme(design) else { return Ok(String::new()) };
    let text = toml::to_string(&standard::of_design(design, of)?).map_err(usage)?;
    Ok(format!("# The encoder, by the names of the {} specification.\n{text}", of.title()))
}
