//! `tracewright generate`: writes designs as Verilog, with a manifest and packaging files.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use clap::{Args, ValueEnum};
use rayon::prelude::*;
use serde::Serialize;
use serde_json::{Map, Value};
use tracewright_hdl::{Direction, Generated};
use tracewright_sim::preset;
use tracewright_sim::rvfi::{self, Xlen};
use tracewright_sim::scheme::Design;

use crate::pipeline::design::{self, Changes};
use crate::pipeline::failure::usage;
use crate::pipeline::folder::{self, Files, MANIFEST};
use crate::pipeline::print;

/// Generate the Verilog of a design
#[derive(Args)]
#[command(after_help = "\
Writes DIR/NAME/ with a file for every module, manifest.json, NAME.core for FuseSoC, NAME.xml for
IP-XACT, wrappers with an AXI4-Stream port and for an iCE40, and in testbench/ a testbench in
Verilog with its vectors (docs/integration.md). With --rvfi the top module is TOP_rvfi, whose
pins are those of the RISC-V formal interface (docs/live_core.md). With --check nothing is
written: the exit status is 1, and a diff is printed, if the folder differs from what would be
generated.

Examples:
  tracewright generate traptor-m4 -o build
  tracewright generate my.toml --set gshare_entries=2048 -o build
  tracewright generate traptor-m4 --set alignment=1 --rvfi 32 -o build
  tracewright generate --all --check")]
pub struct Arguments {
    /// A preset or a TOML file
    #[arg(required_unless_present = "all", conflicts_with = "all")]
    design: Option<String>,
    /// Generate every preset
    #[arg(long)]
    all: bool,
    /// Write the folder of each design into this folder
    #[arg(short, long, value_name = "DIR", default_value = "generated_verilog")]
    output: PathBuf,
    /// Compare with the existing files instead of writing them
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    changes: Changes,
    /// Add an adapter for the RISC-V formal interface of a core with registers of this many bits
    #[arg(long, value_name = "BITS")]
    rvfi: Option<RegisterBits>,
    /// Set the number of instructions that the adapter holds while the trace module stalls
    #[arg(long, value_name = "INSTRUCTIONS", default_value_t = rvfi::Config::new(Xlen::Rv32).queue_depth, requires = "rvfi")]
    rvfi_queue: u32,
    /// Set how many of them may still retire after the adapter raises stall
    #[arg(long, value_name = "INSTRUCTIONS", default_value_t = rvfi::Config::new(Xlen::Rv32).slack, requires = "rvfi")]
    rvfi_slack: u32,
    /// Print JSON: an array of objects with design, folder, top, files
    #[arg(long, conflicts_with = "check")]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RegisterBits {
    #[value(name = "32")]
    Rv32,
    #[value(name = "64")]
    Rv64,
}

#[derive(Serialize)]
struct Manifest<'a> {
    design: &'a str,
    scheme: &'a str,
    top: &'a str,
    files: Vec<&'a str>,
    parameters: Map<String, Value>,
    ports: Vec<ManifestPort<'a>>,
    storage_bits: u32,
    generator: &'a str,
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

const GENERATOR: &str = concat!("tracewright ", env!("CARGO_PKG_VERSION"));

/// Runs the command.
///
/// # Errors
/// When a design is bad, the folder cannot be written, or with --check it differs.
pub fn run(arguments: &Arguments) -> Result<()> {
    let names: Vec<String> = match &arguments.design {
        Some(design) => vec![design.clone()],
        None => preset::all().map(|preset| preset.name.into()).collect(),
    };
    let designs = design::load_all(&names, &arguments.changes)?;
    let adapter = arguments.rvfi.map(|bits| rvfi::Config {
        xlen: match bits {
            RegisterBits::Rv32 => Xlen::Rv32,
            RegisterBits::Rv64 => Xlen::Rv64,
        },
        queue_depth: arguments.rvfi_queue,
        slack: arguments.rvfi_slack,
    });
    if let Some(config) = &adapter {
        config.validate().map_err(usage)?;
        if let Some(design) = designs.iter().find(|design| design.traces_data()) {
            let design = design.name.clone();
            return Err(usage(tracewright_hdl::Error::NoControlFlow { design }));
        }
    }
    let files = |design: &Design| files(design, adapter.as_ref());
    let generated: Vec<(Generated, Files)> =
        designs.par_iter().map(files).collect::<Result<_>>()?;
    let folder_of = |design: &Design| arguments.output.join(&design.name);
    if arguments.check {
        let mut report = String::new();
        for (design, (_, files)) in designs.iter().zip(&generated) {
            report += &folder::differences(&folder_of(design), files)?;
        }
        if arguments.all {
            let known = |name: &String| designs.iter().any(|design| design.name == *name);
            for name in folder::names(&arguments.output)?.iter().filter(|name| !known(name)) {
                let _ = writeln!(report, "extra: {}", arguments.output.join(name).display());
            }
        }
        if report.is_empty() {
            return Ok(());
        }
        print::text(report)?;
        return Err(anyhow!(
            "{} differs from what `tracewright generate` writes",
            checked(arguments, &designs).display()
        ));
    }
    let mut done = Vec::new();
    for (design, (generated, files)) in designs.iter().zip(&generated) {
        let folder = folder_of(design);
        folder::replace(&folder, files)?;
        done.push(Done {
            design: design.name.clone(),
            folder: folder.display().to_string(),
            top: generated.top.clone(),
            files: files.keys().cloned().collect(),
        });
    }
    if arguments.json {
        return print::json(&done);
    }
    for Done { folder, top, files, .. } in done {
        print::text(format_args!("{folder}: {} files, top module {top}\n", files.len()))?;
    }
    Ok(())
}

fn checked(arguments: &Arguments, designs: &[Design]) -> PathBuf {
    match designs {
        [design] if !arguments.all => arguments.output.join(&design.name),
        _ => arguments.output.clone(),
    }
}

/// The files of a design's folder.
fn files(design: &Design, adapter: Option<&rvfi::Config>) -> Result<(Generated, Files)> {
    let named = || design.name.clone();
    let mut generated = tracewright_hdl::generate(design).with_context(named)?;
    let mut packaged = generated.clone();
    if let Some(config) = adapter {
        generated =
            tracewright_packaging::with_rvfi(design, generated, config).with_context(named)?;
        packaged.files.clone_from(&generated.files);
    }
    let mut files = tracewright_packaging::package(design, &packaged)?;
    for (name, text) in &generated.files {
        if Path::new(name).file_name().is_none_or(|file| file != name.as_str()) {
            return Err(anyhow!("{}: {name} is not a file name", design.name));
        }
        files.insert(name.clone(), text.clone());
    }
    let sources: Vec<&str> = generated.files.iter().map(|(name, _)| name.as_str()).collect();
    files.insert(MANIFEST.into(), manifest(design, &generated, sources)?);
    Ok((generated, files))
}

fn manifest(design: &Design, generated: &Generated, sources: Vec<&str>) -> Result<String> {
    let ports = generated.ports.iter();
    let ports = ports.map(|port| ManifestPort {
        name: &port.name,
        direction: direction(port.direction),
        width: port.width,
    });
    let manifest = Manifest {
        design: &design.name,
        scheme: design.scheme.name(),
        top: &generated.top,
        files: sources,
        parameters: design::parameters(&design.resolved())?,
        ports: ports.collect(),
        storage_bits: design.storage_bits(),
        generator: GENERATOR,
    };
    Ok(serde_json::to_string_pretty(&manifest)? + "\n")
}

fn direction(direction: Direction) -> &'static str {
    match direction {
        Direction::Input => "input",
        Direction::Output => "output",
    }
}
