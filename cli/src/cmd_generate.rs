//! `tracewright generate`: writes designs as Verilog, with a manifest and packaging files.

mod system;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Result, anyhow};
use clap::{ArgGroup, Args};
use rayon::prelude::*;
use serde::Serialize;
use serde_json::{Map, Value};
use tracewright_hdl::unit::UnitAssembly;
use tracewright_hdl::{Direction, Generated, Port};
use tracewright_packaging::STARTING_POINTS;
use tracewright_sim::preset;
use tracewright_sim::scheme::Design;
use tracewright_sim::sinks::Sink;
use tracewright_sim::unit::Ingress;
use tracewright_verification::MANIFEST;

use crate::pipeline::design::{self, Changes};
use crate::pipeline::digests;
use crate::pipeline::folder::{self, Files};
use crate::pipeline::paths::OutputFolder;
use crate::pipeline::print;
use crate::pipeline::system::is_system;
use crate::pipeline::unit::{self, Around, Sections, Unit};

/// Generate the Verilog of a design
#[derive(Args)]
#[command(after_help = "\
Writes DIR/NAME/ with the Verilog in one file, every module after those that it instantiates
(with --split, one file per module; with --set memories=wrappers, one file per memory beside it);
manifest.json; NAME.toml, which has every parameter and what is around the design; NAME.core for
FuseSoC; NAME.xml for IP-XACT; TOP.sdc, timing constraints; wrappers with an AXI4-Stream port and
for an iCE40; and in testbench/ a testbench in Verilog with its vectors (docs/integration.md). With
--assertions there is also TOP_contract.v: instantiated on the same wires, it reports every
violation of docs/hardware.md; and with --ingress rvfi or retired TOP_rvfi_contract.v or
TOP_retired_contract.v, which names the conventions of a core's port that the adapter does not
have (docs/port_check.md).

Every command takes NAME.toml, manifest.json or the whole folder as a design. Here an option
prevails over what such a file says. The manifest has a digest of each file: files that were changed
since they were generated are overwritten only with --force.

Modules are put around the design from the inside out, each in a file of its own:
  --ingress   TOP_rvfi has the pins of the RISC-V formal interface (docs/live_core.md), TOP_tip those
              of the trace ingress port of E-Trace and N-Trace; with --blocks-per-cycle above 1 and
              blocks, TOP_blocks has the pins of docs/hardware.md once for each lane
  --sink      TOP_axis, TOP_atb and TOP_pins have another trace port
  --control   TOP_control has a bus with registers of the RISC-V Trace Control Interface
              (docs/control.md); NAME.rdl has them in SystemRDL, NAME.svd in CMSIS-SVD,
              NAME-registers.md as a page, and NAME-control.core and NAME-control.xml are its
              package. driver/ has a driver in C and a script for OpenOCD, and NAME.dtsi is a
              fragment of a device tree (docs/drivers.md)
  --reader    TOP_uart reads the ring of a RAM sink and sends it by a serial line (docs/start_core.md)

A TOML file with [[hart]] sections is a system: several harts, each a design with the port of its
core, a funnel of whole messages and one ring (docs/system.md). Of it DIR/NAME/ has the Verilog, a
page, a device tree and a header, and in folders the registers of each hart and of the ring.

--starting-points writes what generated_verilog/ keeps, a design of each scheme, a unit and a system, and
its README.md; --all writes every preset into a folder of your choice. With --check nothing is
written: where a folder is not what would be generated, the exit status is 1 and a diff is printed.

Examples:
  tracewright generate traptor-m4 -o build
  tracewright generate my.toml --set gshare_entries=2048 -o build
  tracewright generate traptor-m4 --set alignment=1 --ingress rvfi -o build
  tracewright generate traptor-m4 --set alignment=1 --ingress tip --itype-bits 4 -o build
  tracewright generate traptor-m4 --set trace_port_width=4 --sink pins -o build
  tracewright generate traptor-m4 --set alignment=1 --ingress rvfi --nret 2 -o build
  tracewright generate traptor-m4 --blocks-per-cycle 2 -o build
  tracewright generate traptor-m4 --control apb --ram-sink 4096 -o build
  tracewright generate traptor-m4 --control apb --ram-sink 4096 --reader uart -o build
  tracewright generate etrace-base --control apb --system-memory -o build
  tracewright generate my.toml --ingress tip --sink atb --control apb -o build
  tracewright generate build/traptor-m4 --set trace_port_width=4 -o build/narrow
  tracewright generate my.toml --control axi-lite --triggers-in 2 --triggers-out 1 -o build
  tracewright generate system.toml -o build
  tracewright generate --all --split -o build/every-preset
  tracewright generate --starting-points --check")]
#[command(group = ArgGroup::new("designs").required(true).args(["design", "all", "starting_points"]))]
pub struct Arguments {
    /// A preset, a TOML file, or a folder that `generate` wrote
    design: Option<String>,
    /// Generate every preset; needs -o
    #[arg(long, requires = "output")]
    all: bool,
    /// Generate the designs of generated_verilog/
    #[arg(long, conflicts_with_all = ["ingress", "sink", "control", "split", "assertions", "set"])]
    starting_points: bool,
    /// Write the folder of each design into this folder
    #[arg(short, long, value_name = "DIR", default_value = "generated_verilog")]
    output: OutputFolder,
    /// Write one Verilog file per module
    #[arg(long)]
    split: bool,
    /// Add a module that checks that the pins follow the rules of docs/hardware.md
    #[arg(long)]
    assertions: bool,
    /// Overwrite generated files that were changed since
    #[arg(long, conflicts_with = "check")]
    force: bool,
    /// Compare with the existing files instead of writing them
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    changes: Changes,
    #[command(flatten)]
    around: unit::Arguments,
    /// Print JSON: an array of objects with design, folder, top, files
    #[arg(long, conflicts_with = "check")]
    json: bool,
}

#[derive(Serialize)]
struct Manifest<'a> {
    design: &'a str,
    scheme: &'a str,
    /// The value of `twFingerprint`, in hexadecimal.
    fingerprint: String,
    top: &'a str,
    /// The file that every command takes as this design.
    design_file: &'a str,
    files: &'a [String],
    /// The other files of the folder.
    package: &'a [String],
    parameters: Map<String, Value>,
    #[serde(flatten)]
    sections: &'a Sections,
    ports: Vec<ManifestPort<'a>>,
    storage_bits: usize,
    generator: &'a str,
    /// SHA-256 of every file.
    digests: BTreeMap<String, String>,
}

#[derive(Serialize)]
struct ManifestPort<'a> {
    name: &'a str,
    direction: &'static str,
    width: usize,
}

#[derive(Serialize)]
struct Done {
    design: String,
    folder: String,
    top: String,
    files: Vec<String>,
}

/// A folder to be written.
struct Folder {
    name: String,
    top: String,
    files: Files,
}

/// The page that lists the starting points.
const INDEX: &str = "README.md";

/// Runs the command.
///
/// # Errors
/// When a design is bad, the folder cannot be written, or with --check it differs.
pub fn run(arguments: &Arguments) -> Result<()> {
    if let Some(design) = arguments.design.as_deref().filter(|design| is_system(design)) {
        return system::run(design, arguments);
    }
    let names: Vec<String> = match &arguments.design {
        Some(design) => vec![design.clone()],
        None if arguments.all => preset::all().map(|preset| preset.name.into()).collect(),
        None => STARTING_POINTS.iter().map(|point| point.preset.into()).collect(),
    };
    let has_control = arguments.around.asks_registers();
    let mut units = design::asked_units(&names, &arguments.changes, has_control)?;
    if arguments.starting_points {
        units.push(design::whole_unit()?);
    }
    let around = units.iter().map(|unit| arguments.around.around(unit));
    let (around, designs): (Vec<Around>, Vec<Design>) =
        around.collect::<Result<Vec<_>>>()?.into_iter().unzip();
    let mut generated: Vec<Folder> = designs
        .par_iter()
        .zip(&around)
        .map(|(design, around)| files(design, around, arguments))
        .collect::<Result<_>>()?;
    if arguments.starting_points {
        generated.push(system::starting_point()?);
    }
    for ((unit, around), design) in units.iter().zip(&around).zip(&designs) {
        for warning in unit.packets_note(design).into_iter().chain(around.warnings(design)) {
            let _ = writeln!(std::io::stderr(), "warning: {}: {warning}", design.name);
        }
    }
    let index = arguments.starting_points.then(tracewright_packaging::index);
    if arguments.check {
        return check(arguments, &generated, index.as_deref());
    }
    for Folder { name, files, .. } in &generated {
        folder::refuse_loss(&arguments.output.join(name), files, arguments.force)?;
    }
    let mut done = Vec::new();
    for Folder { name, top, files } in generated {
        let folder = arguments.output.folder(&name)?;
        folder::replace(&folder, &files)?;
        let folder = folder.display().to_string();
        done.push(Done { design: name, folder, top, files: files.into_keys().collect() });
    }
    if let Some(index) = index {
        let mut output = arguments.output.file(INDEX)?.create()?;
        output.write_all(index.as_bytes())?;
        output.commit()?;
    }
    if arguments.json {
        return print::json(&done);
    }
    for Done { folder, top, files, .. } in done {
        print::text(format_args!("{folder}: {} files, top module {top}\n", files.len()))?;
    }
    Ok(())
}

/// Compares the folders with what would be written.
fn check(arguments: &Arguments, generated: &[Folder], index: Option<&str>) -> Result<()> {
    let mut report = String::new();
    for Folder { name, files, .. } in generated {
        report += &folder::differences(&arguments.output.join(name), files)?;
    }
    if let Some(index) = index {
        report += &folder::difference(&arguments.output.join(INDEX), index)?;
    }
    if arguments.design.is_none() {
        let known = |name: &String| {
            generated.iter().any(|of| of.name == *name) || index.is_some() && name == INDEX
        };
        for name in folder::names(&arguments.output)?.iter().filter(|name| !known(name)) {
            let _ = writeln!(report, "extra: {}", arguments.output.join(name).display());
        }
    }
    if report.is_empty() {
        return Ok(());
    }
    print::text(report)?;
    let checked = match generated {
        [of] if arguments.design.is_some() => arguments.output.join(&of.name),
        _ => arguments.output.to_path_buf(),
    };
    Err(anyhow!("{} differs from what `tracewright generate` writes", checked.display()))
}

/// The folder of a design.
fn files(design: &Design, around: &Around, arguments: &Arguments) -> Result<Folder> {
    let assembly = around.assemble(design)?;
    let UnitAssembly { trace_module: generated, adapter, sinks, registers, reader } = &assembly;
    let files_of = |part: &Generated| match arguments.split {
        true => part.files.clone(),
        false => part.sources(),
    };
    let parts = [Some(generated), adapter.as_ref()].into_iter().flatten();
    let mut sources: Vec<_> = parts.flat_map(files_of).collect();
    let of_adapters = sources.len();
    sources.extend(sinks.iter().flat_map(files_of));
    let of_sinks = sources.len();
    sources.extend(registers.iter().flat_map(files_of));
    let of_controlled = sources.len();
    sources.extend(reader.iter().flat_map(files_of));
    let names: Vec<&str> = sources.iter().map(|(name, _)| name.as_str()).collect();
    if let Some(name) =
        names.iter().find(|name| Path::new(name).file_name().is_none_or(|file| file != **name))
    {
        return Err(anyhow!("{}: {name} is not a file name", design.name));
    }
    let of_sinks = &names[of_adapters..of_sinks];
    let (of_adapters, of_control) = names[..of_controlled].split_at(of_adapters);
    let mut of_core = of_adapters.to_vec();
    if around.control.is_none() {
        // The package has the AXI4-Stream wrapper anyway.
        let axis = format!("{}_{}.v", assembly.with_adapters().top, Sink::AxiStream.short());
        of_core.extend(of_sinks.iter().copied().filter(|name| *name != axis));
    }
    let layers = tracewright_packaging::Layers::of(&assembly);
    let mut files = tracewright_packaging::package(design, layers, &of_core, arguments.assertions)?;
    files.extend(contract_of_port(design, generated, around.adapter, arguments)?);
    if let Some(control) = around.control {
        files.extend(tracewright_packaging::control::package(
            &control,
            design,
            assembly.controlled(),
            (of_adapters, of_control),
        )?);
    }
    let unit = Unit { sections: Sections::of(around), ..Unit::bare(design.clone()) };
    let of = "What `tracewright generate` made the hardware in this folder from.";
    files.insert(design_file(design), unit.toml(of)?);
    let others = files.keys().map(String::as_str).filter(|name| !names.contains(name));
    let others: Vec<String> = others.map(str::to_owned).collect();
    let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
    files.extend(sources);
    let whole = assembly.whole();
    let manifest = manifest(&unit, whole, (&names, &others), &files)?;
    files.insert(MANIFEST.into(), manifest);
    Ok(Folder { name: design.name.clone(), top: whole.top.clone(), files })
}

/// The module that names conventions of a core's port, with its name, if it is asked for and there is one.
fn contract_of_port(
    design: &Design,
    trace_module: &Generated,
    adapter: Option<Ingress>,
    arguments: &Arguments,
) -> Result<Option<(String, String)>> {
    match adapter {
        Some(adapter) if arguments.assertions => {
            Ok(tracewright_packaging::port_contract(design, trace_module, adapter)?)
        }
        _ => Ok(None),
    }
}

/// The name of a design's file.
fn design_file(design: &Design) -> String {
    format!("{}.toml", design.name)
}

fn manifest(
    unit: &Unit,
    generated: &Generated,
    (sources, others): (&[String], &[String]),
    files: &Files,
) -> Result<String> {
    let Unit { design, sections, .. } = unit;
    let manifest = Manifest {
        design: &design.name,
        scheme: design.scheme.name(),
        fingerprint: design::fingerprint(design),
        top: &generated.top,
        design_file: &design_file(design),
        files: sources,
        package: others,
        parameters: design::parameters(&design.resolved())?,
        sections,
        ports: ports(generated),
        storage_bits: generated.storage_bits,
        generator: digests::GENERATOR,
        digests: digests::of_all(files.iter()),
    };
    digests::sealed(&manifest)
}

fn port(port: &Port) -> ManifestPort<'_> {
    ManifestPort { name: &port.name, direction: direction(port.direction), width: port.width }
}

fn ports(generated: &Generated) -> Vec<ManifestPort<'_>> {
    generated.ports.iter().map(port).collect()
}

fn direction(direction: Direction) -> &'static str {
    match direction {
        Direction::Input => "input",
        Direction::Output => "output",
    }
}
