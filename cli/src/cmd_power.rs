//! `tracewright power`: what a design takes while it traces, by a simulation of its gates.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use clap::Args;
use tracewright_interrupt::Temporary;
use tracewright_sim::event::Item;
use tracewright_sim::scheme::Design;
use tracewright_synthesis::{
    Energy, GateLevel, LibraryOptions, Power, PowerMeter, PowerOptions, Waves,
};
use tracewright_testbench::cosim::Activity;
use tracewright_testbench::stimulus::{Pace, Stimulus};
use tracewright_verification::{Gates, Progress, Setup, Source, Workload, cosimulate};

use crate::pipeline::count;
use crate::pipeline::design::{self, Changes};
use crate::pipeline::events;
use crate::pipeline::limits;
use crate::pipeline::paths::{self, Input};
use crate::pipeline::print::{self, grouped};
use crate::pipeline::progress;
use crate::pipeline::synthesis;
use crate::pipeline::table::{self, Table};

/// Estimate the power of a design by a simulation of its gates
#[derive(Args)]
#[command(after_help = "\
The design is mapped to the cells of a Liberty library by Yosys, with memories made of flip-flops, and
that netlist is simulated in Verilator with a trace, an instruction in each cycle; its bits are
compared with the model's. Every change of every net is counted, and costs what the library says.

Examples:
  tracewright power traptor-m4 run.pet.zst --liberty typical.lib.gz
  tracewright power talon-s run.pet.zst --liberty typical.lib --cycles 10000 --json")]
pub struct Arguments {
    /// The design: a preset or TOML file
    #[arg(value_name = "DESIGN")]
    design: String,
    /// The trace
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
    /// Set the transition time at each input; the default is that of the clock tree's buffer before four of its
    /// inputs
    #[arg(long, value_name = "NANOSECONDS", value_parser = transition)]
    slew: Option<f64>,
    /// Begin to measure after this many cycles
    #[arg(long, value_name = "CYCLES", default_value_t = 5_000, value_parser = count::parse)]
    warm_up: u64,
    /// Measure this many cycles
    #[arg(long, default_value_t = 3_000, value_parser = count::parse)]
    cycles: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn transition(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().map_err(|error| error.to_string())?;
    match (0.0..=1000.0).contains(&number) {
        true => Ok(number),
        false => Err("expected a transition time from 0 to 1000 ns".into()),
    }
}

/// Runs the command.
///
/// # Errors
/// When the design or the trace is bad, a tool is missing, or the netlist does not what the model does.
pub fn run(arguments: &Arguments) -> Result<()> {
    let asked = design::load(&arguments.design, &arguments.changes)?;
    events::rereadable([&arguments.trace])?;
    let limit = events_for(&arguments.trace, arguments.warm_up + arguments.cycles)?;
    let source = Source::trace(arguments.trace.to_path_buf(), Some(limit), limits::events());
    let workload = source.learn(&Progress::silent())?;
    let design = workload.design(&asked)?;
    let options = PowerOptions {
        yosys: None,
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
    let folder = Temporary::folder()?;
    let power = measure(arguments, (&design, &netlist), &workload, folder.path())?;
    if arguments.json {
        return print::json(&power);
    }
    print::text(tables(&power))
}

/// Events of a trace with so many instructions, or all.
fn events_for(trace: &Path, instructions: u64) -> Result<u64> {
    let (mut events, mut sum) = (0, 0u64);
    for item in events::open(trace, &Progress::silent())? {
        if let Item::Event(event) = item? {
            events += 1;
            sum += event.instructions;
            if sum > instructions {
                break;
            }
        }
    }
    Ok(events)
}

/// Simulates the netlist and adds up.
fn measure(
    arguments: &Arguments,
    (design, netlist): (&Design, &GateLevel),
    workload: &Workload,
    folder: &Path,
) -> Result<Power> {
    let waves = |name: &str| -> PathBuf { folder.join(name) };
    let (running, idle) = (waves("running.vcd"), waves("idle.vcd"));
    let activity = Activity {
        running: running.clone(),
        warm_up: arguments.warm_up,
        cycles: arguments.cycles,
        idle: idle.clone(),
        idle_cycles: 256,
    };
    let gates = Gates { files: netlist.simulated(), activity };
    let stimulus = Stimulus {
        pace: Pace::OneInstructionPerCycle,
        quiet: true,
        instruction_bytes: 1 << design.processor().alignment,
        every_length: design.reads_lengths(),
        call_length: tracewright_sim::config::CallLength::of(design.processor()),
        ..Stimulus::default()
    };
    let setup = Setup { stimulus, gates: Some(&gates), ..Setup::default() };
    let bar = progress::bar(workload.learned().events, "events");
    let simulated = cosimulate(&setup, design, workload, &bar)?;
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

fn tables(power: &Power) -> String {
    let per_instruction = power.cycles as f64 / power.instructions.max(1) as f64;
    let mut table = Table::new(&["pJ per cycle", "running", "gated", "idle", "idle gated"], 1);
    type Part = fn(&Energy) -> f64;
    let parts: [(&str, Part); 7] = [
        ("clock tree", |it| it.clock_tree_pj),
        ("clock pins of memories", |it| it.memory_clocks_pj),
        ("clock pins of registers", |it| it.register_clocks_pj),
        ("memories", |it| it.memories_pj),
        ("registers", |it| it.registers_pj),
        ("logic", |it| it.logic_pj),
        ("all", |it| it.total_pj),
    ];
    for (name, part) in parts {
        let all = [&power.running, &power.gated, &power.idle, &power.idle_gated];
        let cells = all.map(|energy| format!("{:.3}", part(energy)));
        table.add_row(std::iter::once(name.to_owned()).chain(cells));
    }
    let mut blocks = Table::new(&["instance", "flip-flops", "pJ", "share", "gated pJ", "share"], 1);
    for block in &power.blocks {
        blocks.add_row([
            block.instance.clone(),
            grouped(block.flip_flops),
            format!("{:.3}", block.running.total_pj),
            format!("{:.1} %", 100.0 * block.running.total_pj / power.running.total_pj),
            format!("{:.3}", block.gated.total_pj),
            format!("{:.1} %", 100.0 * block.gated.total_pj / power.gated.total_pj),
        ]);
    }
    let sentence = format!(
        "\n{:.2} pJ per instruction, {:.2} gated; {:.1} uW leak; {:?}\n",
        power.running.total_pj * per_instruction,
        power.gated.total_pj * per_instruction,
        power.leakage_uw,
        power.missing
    );
    format!("{}\n{}{}", table.to_text(), blocks.to_text(), table::sentences(&sentence))
}
