//! `tracewright fpga`: FPGA resources and clock frequency of designs.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Result, anyhow};
use clap::{Args, ValueEnum};
use serde::Serialize;
use tracewright_synthesis::{Family, Fpga, FpgaOptions};

use crate::pipeline::design::Changes;
use crate::pipeline::layers::{self, Layer};
use crate::pipeline::paths::Input;
use crate::pipeline::print::{self, grouped};
use crate::pipeline::synthesis;
use crate::pipeline::table::{self, Table};
use crate::pipeline::unit;

/// Place and route designs in FPGAs: look-up tables, flip-flops, RAM, highest clock frequency
#[derive(Args)]
#[command(after_help = "\
Resources are those of the module alone. For the clock frequency it is routed with registers at
all its pins, in an iCE40 HX8K and an ECP5 25k of the slowest speed grade; a design that does not
fit has none, and the reason is printed. Where time runs out, the exit status is 1. Results are
cached, but for those.

With --ingress, --sink, --control or --ram-sink, as in `generate`, or a design file that says so,
there is a row for the trace module alone, and one for each module around it with all that is
inside.

Examples:
  tracewright fpga traptor-m4
  tracewright fpga traptor-s0 traptor-m4 --family ecp5 --seeds 4 --json")]
pub struct Arguments {
    /// Presets or TOML files; `traptor-*` is every preset whose name begins with traptor-
    #[arg(value_name = "DESIGN", required = true)]
    designs: Vec<String>,
    #[command(flatten)]
    changes: Changes,
    #[command(flatten)]
    around: unit::Arguments,
    /// Choose the FPGA family
    #[arg(long, value_name = "FAMILY", default_value = "all")]
    family: FamilyName,
    /// Place and route N times with different seeds, and take the fastest
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    seeds: u32,
    /// Run this Yosys
    #[arg(long, value_name = "PATH")]
    yosys: Option<Input>,
    /// Print JSON: an array of objects with design, around, family, device, yosys, nextpnr, luts, flip_flops,
    /// block_rams, distributed_ram_luts, fmax_mhz, not_placed
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FamilyName {
    /// Lattice iCE40 HX8K
    Ice40,
    /// Lattice ECP5 25k
    Ecp5,
    /// Both
    All,
}

/// Runs the command.
///
/// # Errors
/// When a design does not exist, a tool is missing or fails, or time ran out.
pub fn run(arguments: &Arguments) -> Result<()> {
    let layers = layers::load_all(&arguments.designs, &arguments.changes, &arguments.around)?;
    let families: &[Family] = match arguments.family {
        FamilyName::Ice40 => &[Family::Ice40],
        FamilyName::Ecp5 => &[Family::Ecp5],
        FamilyName::All => &Family::ALL,
    };
    let options = FpgaOptions {
        yosys: arguments.yosys.as_deref().map(Path::to_path_buf),
        seeds: arguments.seeds,
    };
    let measured = synthesis::fpga_of(&layers, families, &options)?;
    let of = layers.iter().flat_map(|layer| families.iter().map(move |_| layer));
    let measured: Vec<Shown<'_>> = measured
        .iter()
        .zip(of)
        .map(|(fpga, layer)| Shown { fpga, around: &layer.around, layer })
        .collect();
    match arguments.json {
        true => print::json(&measured)?,
        false => print::text(table(&measured))?,
    }
    let late = measured.iter().filter(|shown| shown.fpga.timed_out);
    let late: Vec<String> = late
        .map(|Shown { fpga, layer, .. }| format!("{} in {}", layer.title(), fpga.device))
        .collect();
    match late.is_empty() {
        true => Ok(()),
        false => Err(anyhow!("time ran out before a place was found: {}", late.join(", "))),
    }
}

#[derive(Serialize)]
struct Shown<'a> {
    #[serde(flatten)]
    fpga: &'a Fpga,
    around: &'a [String],
    #[serde(skip)]
    layer: &'a Layer,
}

fn table(measured: &[Shown<'_>]) -> String {
    let header =
        ["design", "device", "LUTs", "of them for RAM", "flip-flops", "block RAMs", "fmax MHz"];
    let mut table = Table::new(&header, 2).named_by(2);
    for Shown { fpga, layer, .. } in measured {
        table.add_row([
            layer.title(),
            fpga.device.clone(),
            grouped(fpga.luts),
            grouped(fpga.distributed_ram_luts),
            grouped(fpga.flip_flops),
            grouped(fpga.block_rams),
            fpga.fmax_mhz.map_or("not placed".into(), |fmax| format!("{fmax:.1}")),
        ]);
    }
    let mut reasons = String::new();
    for Shown { fpga, layer, .. } in measured {
        if let Some(reason) = &fpga.not_placed {
            let _ =
                writeln!(reasons, "{} is not placed in {}: {reason}.", layer.title(), fpga.device);
        }
    }
    let tools: Vec<String> = measured.iter().fold(Vec::new(), |mut tools, Shown { fpga, .. }| {
        for tool in [fpga.yosys.clone(), format!("nextpnr {} ({})", fpga.nextpnr, fpga.family)] {
            if !tools.contains(&tool) {
                tools.push(tool);
            }
        }
        tools
    });
    let tools = format!("{reasons}{}. docs/gates.md says what is counted.", tools.join("; "));
    format!("{}\n{}", table.to_text(), table::sentences(&tools))
}
