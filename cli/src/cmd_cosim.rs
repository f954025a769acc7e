//! `tracewright cosim`: co-simulation of Verilated hardware with the golden model and the decoder.

mod nothing;
mod printed;
mod shown;
mod system;
mod units;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, Result, anyhow};
use clap::{Args, ValueEnum};
use rayon::prelude::*;
use serde::Serialize;
use tracewright_sim::config::CallLength;
use tracewright_sim::scheme::Design;
use tracewright_sim::unit::Unit;
use tracewright_testbench::stimulus::{Pace, Ready, Stimulus};
use tracewright_verification::{Cosimulated, Progress, Setup, Source, Workload, cosimulate};

use self::shown::Shown;
use crate::pipeline::count;
use crate::pipeline::design::Changes;
use crate::pipeline::events;
use crate::pipeline::failure::usage;
use crate::pipeline::filter::FilterArguments;
use crate::pipeline::limits;
use crate::pipeline::paths::{Input, OutputFile};
use crate::pipeline::print;
use crate::pipeline::program_files::KnownProgram;
use crate::pipeline::progress;
use crate::pipeline::system::is_system;
use crate::pipeline::unit;

/// Co-simulate generated hardware in Verilator with the golden model
#[derive(Args)]
#[command(after_help = "\
Every bit of the trace port is compared with the model when it is sent. Then the model's bits are
decoded and compared with the input, event by event. Registers and memories start with random
contents. A design for one core runs the threads of a trace one after the other.

Of a unit, a design whose file has sections or that the options put something around, all that
`generate` writes is simulated: the instructions of the trace are shown at the core's port, with
words that are made up where they say what the trace says; registers are driven as software does;
what takes the trace takes it with stalls, and rings are read back. The blocks after the adapter,
the bits of the trace module and what leaves the unit are compared each with its model, and a
failure names the part. With --flush-interval tracing is switched off and on again.

Of a system, a file with [[hart]] sections (docs/system.md), all is simulated in the same way, with a
trace for each hart, or one for all.

Examples:
  tracewright cosim traptor-m4 run.pet.zst --seed 7 --stall random
  tracewright cosim traptor-s1,traptor-m4 --synthetic 1-20,77 --stall bursts --bubbles 30 --json
  tracewright cosim nexs --set address_width=64 run.pet.zst --images run.images
  tracewright cosim my.toml run.pet.zst --limit 100000 --waves failure.vcd
  tracewright cosim my-unit.toml run.pet.zst --stall bursts --flush-interval 5000
  tracewright cosim system.toml run_a.pet.zst run_b.pet.zst
  tracewright cosim etrace-base --synthetic 1 --ingress tip --control apb --ram-sink 4096")]
pub struct Arguments {
    /// Presets or TOML files, separated by commas
    #[arg(value_name = "DESIGN[,DESIGN...]")]
    designs: String,
    /// Traces to run
    #[arg(value_name = "TRACE", required_unless_present = "synthetic")]
    traces: Vec<Input>,
    /// Run the synthetic programs of these seeds, such as 1,7,100-119
    #[arg(long, value_name = "SEEDS")]
    synthetic: Option<Seeds>,
    #[command(flatten)]
    changes: Changes,
    #[command(flatten)]
    around: unit::Arguments,
    #[command(flatten)]
    filter: FilterArguments,
    #[command(flatten)]
    program: KnownProgram,
    /// Set the seed of all random choices: stalls, bubbles, initial memory
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Choose when the sink of the trace is ready
    #[arg(long, default_value = "none")]
    stall: Stall,
    /// Set the share of cycles without a block, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=99))]
    bubbles: u8,
    #[command(flatten)]
    shown: Shown,
    /// Choose how fast instructions retire
    #[arg(long, default_value = "dense")]
    pace: PaceName,
    /// Simulate the Verilog files in DIR/NAME, as `generate` writes them, instead of generating them. A folder that is
    /// named as a design is simulated as it is
    #[arg(long, value_name = "DIR")]
    verilog: Option<Input>,
    /// After a failure, write the cycles before it to this VCD file
    #[arg(long, value_name = "FILE")]
    waves: Option<OutputFile>,
    /// Stop after this many events of each trace
    #[arg(long, value_name = "EVENTS", value_parser = count::parse)]
    limit: Option<u64>,
    /// Print JSON: an array of objects with design, simulated, verilog (the folder, if it was not
    /// generated), trace, events, instructions, bits, mismatches, cycles,
    /// stall_cycles, lost_instructions, filtered_instructions, fifo_high_water_bits, cycles_per_second, decoded_equal (null
    /// without a program), not_decoded (why not, of a unit), failure
    #[arg(long)]
    json: bool,
}

/// Lost instructions of a hundred above which most of a trace was not tested.
const MANY_LOST: u64 = 80;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Stall {
    /// Ready in every cycle
    None,
    /// Ready in each cycle with a probability of one half
    Random,
    /// Ready and not ready in turns of 1 to 64 cycles
    Bursts,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PaceName {
    /// One block per cycle, with as many instructions as a block can have
    Dense,
    /// One instruction per cycle
    OneInstructionPerCycle,
}

/// A list of seeds, from single seeds and ranges.
#[derive(Clone, Debug)]
struct Seeds(Vec<u64>);

impl FromStr for Seeds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut seeds = Vec::new();
        for part in text.split(',') {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let number = |text: &str| {
                text.trim().parse::<u64>().map_err(|error| format!("`{part}`: {error}"))
            };
            let (first, last) = (number(first)?, number(last)?);
            if first > last || last - first >= 1_000_000 {
                return Err(format!("`{part}` is not a range of at most 1,000,000 seeds"));
            }
            seeds.extend(first..=last);
        }
        Ok(Seeds(seeds))
    }
}

#[derive(Serialize)]
struct Simulated {
    design: String,
    /// What was simulated, from the core to what takes the trace.
    simulated: Vec<String>,
    /// The folder whose Verilog files were simulated; null where they were generated.
    verilog: Option<PathBuf>,
    trace: String,
    events: u64,
    instructions: u64,
    /// The same after each reset.
    #[serde(skip)]
    shown_instructions: u64,
    bits: u64,
    /// 1 if the hardware failed (simulation stops at the first mismatch), else 0.
    mismatches: u32,
    cycles: u64,
    stall_cycles: u64,
    /// Instructions of blocks that did not wait, which the trace counts.
    lost_instructions: u64,
    /// Instructions of blocks that did not pass the filter, which the trace counts.
    filtered_instructions: u64,
    fifo_high_water_bits: u64,
    cycles_per_second: u64,
    /// Null if the code changes and there is no list of the program's files.
    decoded_equal: Option<bool>,
    /// The first difference.
    #[serde(skip)]
    difference: Option<String>,
    /// Why a unit's trace was not decoded.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_decoded: Option<&'static str>,
    failure: Option<String>,
}

/// Runs the command.
///
/// # Errors
/// When a design or a trace is bad, a tool is missing, or anything differs.
pub fn run(arguments: &Arguments) -> Result<()> {
    if is_system(&arguments.designs) {
        return system::run(&arguments.designs, arguments);
    }
    let names: Vec<String> = arguments.designs.split(',').map(String::from).collect();
    let units = units::load(&names, arguments)?;
    let folders = units::folders(&names, arguments)?;
    let designs: Vec<Design> = units.iter().map(|unit| unit.design.clone()).collect();
    events::rereadable(&arguments.traces)?;
    let trace = |path: &Input| Source::trace(path.to_path_buf(), arguments.limit, limits::events());
    let mut sources: Vec<Source> = arguments.traces.iter().map(trace).collect();
    let cores: BTreeSet<u32> = designs.iter().map(Design::cores).collect();
    for seed in arguments.synthetic.iter().flat_map(|seeds| &seeds.0) {
        let program = Source::synthetic(*seed, arguments.limit, &designs);
        let program = if units::has_words(&units) { program.for_risc_v() } else { program };
        sources.extend(cores.iter().map(|cores| program.for_cores(*cores)));
    }

    let learning = events::progress_of(&arguments.traces, 1);
    let learn = |source: Source| Ok(source.learn(&learning)?);
    let workloads: Vec<Workload> = sources.into_par_iter().map(learn).collect::<Result<_>>()?;
    drop(learning);
    let workloads = with_program(arguments, workloads)?;
    let pairs: Vec<(&Unit, Workload)> = units
        .iter()
        .flat_map(|unit| workloads.iter().map(move |workload| (unit, workload)))
        .filter(|(unit, workload)| workload.fits(&unit.design))
        .flat_map(|(unit, workload)| {
            workload.for_design(&unit.design).into_iter().map(move |workload| (unit, workload))
        })
        .collect();
    let events = pairs.iter().map(|(_, workload)| workload.learned().events);
    let progress = progress::bar(events.fold(0, u64::saturating_add), "events");
    let one = |(unit, workload): &(&Unit, Workload)| {
        let named = || format!("{}, {}", unit.design.name, workload.name());
        let design = workload.design(&unit.design)?;
        let place = units.iter().position(|one| std::ptr::eq(one, *unit));
        let folder = place.and_then(|place| folders.get(place)?.as_deref());
        let of_folder = (*unit, arguments.verilog.as_deref().or(folder));
        let simulated = match units::is_bare(unit) {
            true => simulate(arguments, of_folder.1, &design, workload, &progress),
            false => units::simulate(arguments, of_folder, &design, workload, &progress),
        };
        simulated.with_context(named)
    };
    let simulated: Vec<Simulated> = match arguments.waves {
        // There is one file of waves, that of the first failure.
        Some(_) => until_failure(pairs.iter().map(one))?,
        None => pairs.par_iter().map(one).collect::<Result<_>>()?,
    };
    drop(progress);
    if arguments.json {
        print::json(&simulated)?;
    } else {
        print::text(printed::table(&simulated))?;
    }
    remarks(&simulated, &pairs);
    failed(&simulated)?;
    nothing::refuse(&pairs)
}

/// Refuses runs that failed.
fn failed(simulated: &[Simulated]) -> Result<()> {
    let is_failed = |one: &&Simulated| one.failure.is_some() || one.decoded_equal == Some(false);
    let mut failed = simulated.iter().filter(is_failed);
    let Some(first) = failed.next() else { return Ok(()) };
    let differs = match &first.difference {
        None => "the decoded trace differs from the input".to_owned(),
        Some(what) => format!("the decoded trace differs from the input: {what}"),
    };
    let what = first.failure.as_deref().unwrap_or(&differs);
    let others = failed.count();
    let others = if others > 0 { format!(" ({others} more failed)") } else { String::new() };
    Err(anyhow!("{}, {}: {what}{others}", first.design, first.trace))
}

/// Says what was not tested.
fn remarks(simulated: &[Simulated], pairs: &[(&Unit, Workload)]) {
    nothing::remark(pairs);
    let changes = |one: &&Simulated| one.decoded_equal.is_none() && one.simulated.len() == 1;
    if let Some(one) = simulated.iter().find(changes) {
        print::remark(format_args!(
            "{}: its code changes while it runs, so what was sent was not decoded; --images FILE decodes it\n",
            one.trace
        ));
    }
    let loses_most =
        |one: &&Simulated| one.lost_instructions * 100 > one.shown_instructions * MANY_LOST;
    let waits = |name: &str| {
        let mut named = pairs.iter().filter(|(unit, _)| unit.design.name == name);
        named.any(|(unit, _)| !unit.design.protocol().drops_blocks())
    };
    for one in simulated.iter().filter(loses_most) {
        // A core that waits loses what it retires while tracing is off.
        let remedy = match waits(&one.design) {
            true => "--flush-interval 0",
            false if one.simulated.len() > 1 => "--bubbles",
            false => "--pauses or --bubbles",
        };
        print::remark(format_args!(
            "{}, {}: more than {MANY_LOST} % of the instructions were lost, so little of the design was tested; {remedy} loses \
             fewer\n",
            one.design, one.trace
        ));
    }
}

/// The workloads; with `--images` or `--program` the only one has that program.
fn with_program(arguments: &Arguments, workloads: Vec<Workload>) -> Result<Vec<Workload>> {
    let Some((path, followed)) = arguments.program.followed()? else { return Ok(workloads) };
    let (Ok([workload]), [trace]) =
        (<[Workload; 1]>::try_from(workloads), arguments.traces.as_slice())
    else {
        return Err(usage("--images or --program: expected one trace, found several"));
    };
    let program = followed.program(workload.machine(), trace, &path)?.into_owned();
    Ok(vec![workload.of_program(program)])
}

fn until_failure(simulations: impl Iterator<Item = Result<Simulated>>) -> Result<Vec<Simulated>> {
    let mut done = Vec::new();
    for one in simulations {
        let one = one?;
        let failed = one.failure.is_some();
        done.push(one);
        if failed {
            break;
        }
    }
    Ok(done)
}

fn simulate(
    arguments: &Arguments,
    verilog: Option<&Path>,
    design: &Design,
    workload: &Workload,
    progress: &Progress,
) -> Result<Simulated> {
    let stimulus = stimulus(arguments, design, workload);
    let (protocol, address_width) = (design.protocol(), design.processor().address_width);
    stimulus.filter.validate(protocol, address_width)?;
    let setup = Setup { stimulus, waves: arguments.waves.as_deref(), verilog, ..Setup::default() };
    let Cosimulated { report, failure, bits, decoded_equal } =
        cosimulate(&setup, design, workload, progress)?;
    let learned = workload.learned();
    Ok(Simulated {
        design: design.name.clone(),
        simulated: vec!["trace module".into()],
        verilog: verilog.map(Path::to_path_buf),
        trace: workload.name(),
        events: learned.events,
        instructions: learned.instructions,
        shown_instructions: report.instructions,
        bits,
        mismatches: failure.is_some().into(),
        cycles: report.cycles,
        stall_cycles: report.stall_cycles,
        lost_instructions: report.lost_instructions,
        filtered_instructions: report.filtered_instructions,
        fifo_high_water_bits: report.fifo_high_water_bits,
        cycles_per_second: report.cycles_per_second() as u64,
        decoded_equal,
        difference: None,
        not_decoded: None,
        failure,
    })
}

/// What the run is shown: what the command line says, or what the seed of a synthetic program draws.
fn stimulus(arguments: &Arguments, design: &Design, workload: &Workload) -> Stimulus {
    let has_packets = design.framing().is_some();
    let open = Stimulus {
        seed: arguments.seed,
        pace: match arguments.pace {
            PaceName::Dense => Pace::Dense,
            PaceName::OneInstructionPerCycle => Pace::OneInstructionPerCycle,
        },
        bubble_percent: arguments.bubbles,
        ready: match arguments.stall {
            Stall::None => Ready::Always,
            Stall::Random => Ready::Random,
            Stall::Bursts => Ready::Bursts,
        },
        pauses: true,
        filter: arguments.filter.settings(),
        instruction_bytes: 1 << design.processor().alignment,
        every_length: design.reads_lengths(),
        call_length: CallLength::of(design.processor()),
        ..Stimulus::default()
    };
    arguments.shown.apply(open, workload.seed().map(|seed| seed ^ arguments.seed), has_packets)
}
