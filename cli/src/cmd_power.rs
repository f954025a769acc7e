//! `tracewright power`: what a design takes while it traces, by a simulation of its gates.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use clap::Args;
use tracewright_interrupt::Temporary;
use tracewright_report::plot;
use tracewright_sim::config::CallLength;
use tracewright_sim::scheme::Design;
use tracewright_synthesis::{GateLevel, LibraryOptions, Power, PowerMeter, PowerOptions, Waves};
use tracewright_testbench::cosim::Activity;
use tracewright_testbench::stimulus::{Pace, Stimulus};
use tracewright_verification::{Gates, Progress, Setup, Source, Workload, cosimulate};

use crate::pipeline::count;
use crate::pipeline::design::{self, Changes};
use crate::pipeline::events;
use crate::pipeline::failure::usage;
use crate::pipeline::limits;
use crate::pipeline::paths::{self, Input, OutputFolder};
use crate::pipeline::plots;
use crate::pipeline::print::{self, grouped};
use crate::pipeline::progress;
use crate::pipeline::synthesis;
use crate::pipeline::table::{self, Table};
use crate::pipeline::unit::Sections;

/// Cycles after the end of the trace in which nothing is traced, and whose activity is measured.
const IDLE_CYCLES: u64 = 256;

/// Cycles that may be measured: waves of traptor-m4 take some 10 kB for each.
const MOST_CYCLES: u64 = 100_000;

/// Instances in the table; the others are one row.
const ROWS: usize = 12;

/// Estimate the power of a design by a simulation of its gates
#[derive(Args)]
#[command(after_help = "\
Yosys maps the design to the cells of a Liberty library, with memories made of flip-flops, and
Verilator runs that netlist with a trace, one instruction per cycle; its bits are compared with the
model's. Every change of every net is counted, and takes what the library says (docs/power.md).

Examples:
  tracewright power traptor-m4 run.pet.zst --liberty typical.lib.gz
  tracewright power talon-s run.pet.zst --liberty typical.lib --cycles 10000 --json
  tracewright power traptor-m4 run.pet.zst --liberty typical.lib --clock 500 --svg plots -o netlist")]
pub struct Arguments {
    /// The design: a preset or TOML file, whose sections are left out
    #[arg(value_name = "DESIGN")]
    design: String,
    /// The trace to run
    #[arg(value_name = "TRACE")]
    trace: Input,
    #[command(flatten)]
    changes: Changes,
    /// Map to the cells of this Liberty file. Repeatable: the files of a kit are one library. Files may be
    /// compressed by gzip
    #[arg(long, value_name = "FILE", required = true)]
    liberty: Vec<Input>,
    /// Leave out the cells with such a name; `*` is any text. Those with `dont_use` in the file are left out
    /// anyway. Repeatable
    #[arg(long, value_name = "CELL")]
    dont_use: Vec<String>,
    /// Set the buffer of the clock tree; the default is the smallest
    #[arg(long, value_name = "CELL")]
    clock_buffer: Option<String>,
    /// Set the transition time at every input; the default is that of the clock tree's buffer with four of its
    /// own inputs as load
    #[arg(long, value_name = "NANOSECONDS", value_parser = transition)]
    slew: Option<f64>,
    /// Measure after this many cycles
    #[arg(long, value_name = "CYCLES", default_value_t = 5_000, value_parser = count::parse)]
    warm_up: u64,
    /// Measure this many cycles
    #[arg(long, default_value_t = 3_000, value_parser = measured)]
    cycles: u64,
    /// Print the power at this clock frequency, leakage included
    #[arg(long, value_name = "MHZ", default_value_t = 100.0, value_parser = frequency)]
    clock: f64,
    /// Write a plot into this folder, in SVG
    #[arg(long, value_name = "DIR")]
    svg: Option<OutputFolder>,
    /// Write the netlist, its cells, its waves and the figures into this folder, for other tools
    #[arg(long, short, value_name = "DIR")]
    output: Option<OutputFolder>,
    /// Run this Yosys
    #[arg(long, value_name = "PATH")]
    yosys: Option<Input>,
    /// Print JSON: an object with design, yosys, library, volts, slew_ns, cells, flip_flops, memory_flip_flops,
    /// cycles, instructions, changes_per_cycle, running, gated, idle, idle_gated (each total_pj, clock_tree_pj,
    /// memory_clocks_pj, register_clocks_pj, memories_pj, registers_pj, logic_pj of a cycle), leakage_uw,
    /// gated_leakage_uw, blocks (instance, flip_flops, running, gated), clock_buffers, clock_buffer, clock_gates,
    /// clock_gate, missing
    #[arg(long)]
    json: bool,
}

fn number(text: &str, (least, most): (f64, f64), unit: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().map_err(|error| error.to_string())?;
    match (least..=most).contains(&number) {
        true => Ok(number),
        false => Err(format!("expected a number from {least} to {most} {unit}")),
    }
}

fn transition(text: &str) -> Result<f64, String> {
    number(text, (0.0, 1000.0), "ns")
}

fn frequency(text: &str) -> Result<f64, String> {
    number(text, (1e-3, 1e6), "MHz")
}

fn measured(text: &str) -> Result<u64, String> {
    match count::parse(text)? {
        cycles @ 1..=MOST_CYCLES => Ok(cycles),
        _ => Err(format!("expected 1 to {MOST_CYCLES} cycles, whose waves fill the disk")),
    }
}

/// Runs the command.
///
/// # Errors
/// When the design, the trace or the library is bad, a tool is missing, or the netlist does not do what the model does.
pub fn run(arguments: &Arguments) -> Result<()> {
    let unit = design::load_unit(&arguments.design, &arguments.changes)?;
    events::rereadable([&arguments.trace])?;
    let instructions = arguments.warm_up.saturating_add(arguments.cycles);
    let limit = events_for(&arguments.trace, instructions)?;
    let source = Source::trace(arguments.trace.to_path_buf(), Some(limit), limits::events());
    let workload = source.learn(&Progress::silent())?;
    let design = workload.design(&unit.design)?;
    let options = PowerOptions {
        yosys: arguments.yosys.as_deref().map(Path::to_path_buf),
        liberty: paths::paths(&arguments.liberty),
        library: LibraryOptions {
            dont_use: arguments.dont_use.clone(),
            driving_cell: arguments.clock_buffer.clone(),
            load_ff: None,
        },
        slew_ns: arguments.slew,
    };
    let meter = PowerMeter::new(options, &synthesis::cache()?)?;
    let netlist = meter.netlist(&design.name, &tracewright_hdl::generate(&design)?)?;
    let folder = Temporary::folder().context("a folder for waves")?;
    let power = measure(arguments, (&design, &netlist), &workload, folder.path())?;
    if unit.sections != Sections::default() {
        print::remark(format_args!(
            "{}: what its file puts around the trace module is not in the figures\n",
            design.name
        ));
    }
    if let Some(output) = &arguments.output {
        write(output, (&power, &netlist), folder.path())?;
    }
    if let Some(output) = &arguments.svg {
        let plot = plot::power::plot(&power);
        plots::write(output, &[(plot.id.to_owned(), plot.standalone())])?;
    }
    match arguments.json {
        true => print::json(&power),
        false => print::text(tables(&power, arguments.clock)),
    }
}

/// Events of a trace with so many instructions.
///
/// # Errors
/// When the trace cannot be read, or has fewer.
fn events_for(trace: &Path, instructions: u64) -> Result<u64> {
    let (mut events, mut sum) = (0, 0u64);
    for event in events::open(trace, &Progress::silent())? {
        events += 1;
        sum = sum.saturating_add(event?.instructions);
        if sum > instructions {
            break;
        }
    }
    match sum < instructions {
        true => Err(usage(format_args!(
            "{} has {sum} instructions: expected at least {instructions}, one for each cycle of --warm-up and --cycles",
            trace.display()
        ))),
        false => Ok(events),
    }
}

/// The files of waves.
const WAVES: [&str; 2] = ["running.vcd", "idle.vcd"];

/// Simulates the netlist and adds up.
fn measure(
    arguments: &Arguments,
    (design, netlist): (&Design, &GateLevel),
    workload: &Workload,
    folder: &Path,
) -> Result<Power> {
    let [running, idle] = WAVES.map(|name| -> PathBuf { folder.join(name) });
    let activity = Activity {
        running: running.clone(),
        warm_up: arguments.warm_up,
        cycles: arguments.cycles,
        idle: idle.clone(),
        idle_cycles: IDLE_CYCLES,
    };
    let gates = Gates { files: netlist.simulated(), activity };
    let stimulus = Stimulus {
        pace: Pace::OneInstructionPerCycle,
        quiet: true,
        instruction_bytes: 1 << design.processor().alignment,
        every_length: design.reads_lengths(),
        call_length: CallLength::of(design.processor()),
        ..Stimulus::default()
    };
    let setup = Setup { stimulus, gates: Some(&gates), ..Setup::default() };
    let bar = progress::bar(workload.learned().events, "events");
    let simulated = cosimulate(&setup, design, workload, &bar)?;
    drop(bar);
    if let Some(failure) = simulated.failure {
        return Err(anyhow!("{}: the netlist differs from the model: {failure}", design.name));
    }
    let (cycles, instructions) = simulated.report.activity;
    if cycles < arguments.cycles {
        return Err(anyhow!(
            "{}: expected {} cycles after {}, found {cycles}: the trace is too short",
            arguments.trace.display(),
            arguments.cycles,
            arguments.warm_up
        ));
    }
    let top = tracewright_hdl::module_name(design);
    let scopes = ["TOP", top.as_str()];
    Ok(netlist.measure(&Waves { scopes: &scopes, running: &running, idle: &idle, instructions })?)
}

/// Writes what other tools need to look at the same.
fn write(
    output: &OutputFolder,
    (power, netlist): (&Power, &GateLevel),
    waves: &Path,
) -> Result<()> {
    output.make()?;
    let (library, cells) = netlist.cells();
    let figures = serde_json::to_string_pretty(power)?;
    for (name, text) in
        [("cells.lib", library), ("netlist.v", cells.as_str()), ("power.json", figures.as_str())]
    {
        let mut file = output.file(name)?.create()?;
        file.write_all(text.as_bytes())?;
        file.commit()?;
    }
    for name in WAVES {
        let mut file = output.file(name)?.create()?;
        let mut from = Input::found(waves.join(name))?.open()?;
        std::io::copy(&mut from, &mut file)?;
        file.commit()?;
    }
    Ok(())
}

fn tables(power: &Power, clock_mhz: f64) -> String {
    let columns = [&power.running, &power.gated, &power.idle, &power.idle_gated];
    let mut table = Table::new(&["pJ per cycle", "running", "gated", "idle", "idle, gated"], 1);
    let parts = columns.map(|energy| energy.parts());
    for (row, (name, _)) in parts[0].iter().enumerate() {
        let cells = parts.map(|parts| format!("{:.3}", parts[row].1));
        table.add_row(std::iter::once((*name).to_owned()).chain(cells));
    }
    let mut add = |name: &str, cells: [String; 4]| {
        table.add_row(std::iter::once(name.to_owned()).chain(cells));
    };
    let totals = columns.map(|energy| energy.total_pj);
    add("all", totals.map(|total| format!("{total:.3}")));
    let cycles = power.cycles as f64 / power.instructions.max(1) as f64;
    let [running, gated, ..] = totals.map(|total| format!("{:.3}", total * cycles));
    add("pJ per instruction", [running, gated, "-".into(), "-".into()]);
    let leakage = [power.leakage_uw, power.gated_leakage_uw];
    let leaks = |column: usize| leakage[column % 2];
    add("leakage, uW", [0, 1, 2, 3].map(|column| format!("{:.1}", leaks(column))));
    // A picojoule at a megahertz is a microwatt.
    let all = [0, 1, 2, 3].map(|column| totals[column] * clock_mhz + leaks(column));
    add(&format!("uW at {clock_mhz} MHz"), all.map(|power| format!("{power:.1}")));
    format!("{}\n{}{}", table.to_text(), blocks(power), note(power))
}

/// The instances with the most energy.
fn blocks(power: &Power) -> String {
    let header = ["instance", "flip-flops", "pJ running", "share", "pJ gated", "share"];
    let mut table = Table::new(&header, 1);
    let (shown, others) = power.blocks.split_at(power.blocks.len().min(ROWS));
    let mut add = |name: &str, flip_flops: u64, running: f64, gated: f64| {
        table.add_row([
            name.to_owned(),
            grouped(flip_flops),
            format!("{running:.3}"),
            format!("{:.1} %", 100.0 * running / power.running.total_pj),
            format!("{gated:.3}"),
            format!("{:.1} %", 100.0 * gated / power.gated.total_pj),
        ]);
    };
    for block in shown {
        let name = if block.instance.is_empty() { "top level" } else { &block.instance };
        add(name, block.flip_flops, block.running.total_pj, block.gated.total_pj);
    }
    if !others.is_empty() {
        let flip_flops = others.iter().map(|block| block.flip_flops).sum();
        let running = others.iter().map(|block| block.running.total_pj).sum();
        add("all others", flip_flops, running, others.iter().map(|it| it.gated.total_pj).sum());
    }
    let [whole, gated] = [&power.running, &power.gated].map(|energy| energy.clock_tree_pj);
    add("clock tree and gates", 0, whole, gated);
    table.to_text()
}

fn note(power: &Power) -> String {
    let Power { cells, flip_flops, memory_flip_flops, clock_gates, .. } = power;
    let cell = |name: &Option<String>| name.as_deref().unwrap_or("no cell").to_owned();
    let mut text = format!(
        "\n{}; cells of {} at {} V, transitions of {:.4} ns; {} cells, {} flip-flops, {} of them of memories; {} cycles, {} \
         instructions, {:.0} changes of nets in a cycle. Clock tree: {} buffers, {} with {} clock gates at memories ({}, {}).",
        power.yosys,
        power.library,
        power.volts,
        power.slew_ns,
        grouped(*cells),
        grouped(*flip_flops),
        grouped(*memory_flip_flops),
        grouped(power.cycles),
        grouped(power.instructions),
        power.changes_per_cycle,
        grouped(power.clock_buffers[0]),
        grouped(power.clock_buffers[1]),
        grouped(*clock_gates),
        cell(&power.clock_buffer),
        cell(&power.clock_gate),
    );
    for missing in &power.missing {
        text += &format!(" The library does not say, and so it is not in the figures: {missing}.");
    }
    table::sentences(&(text + " docs/power.md says what is counted."))
}
