//! `tracewright advise`: which design to take for some programs.

mod page;
mod programs;
mod sentences;
mod shown;

use std::io::Write;

use anyhow::{Result, anyhow};
use clap::{Args, ValueEnum};
use tracewright_exploration::Setup;
use tracewright_exploration::advice::{
    self, Budget, By, Choice, Finalist, Gates, Memories, Offer, Subject,
};
use tracewright_sim::scheme::Design;
use tracewright_synthesis::GateOptions;
use tracewright_verification::Shard;

use crate::pipeline::design::{self, Changes};
use crate::pipeline::output::{self, Output};
use crate::pipeline::paths::OutputFile;
use crate::pipeline::print;
use crate::pipeline::trace_names::TraceNames;
use crate::pipeline::{addresses, count, events, folder, limits, progress, synthesis};

use programs::{Programs, Traced};
use shown::Shown;

/// Say which design to take for programs or traces
#[derive(Args)]
#[command(after_help = "\
Runs the programs (Linux programs in QEMU as `capture` does, programs for bare-metal RISC-V as
`wset capture` does, with what they print on standard error), measures the presets and designs
beside them on all traces, counts the gates of the few that matter with Yosys, and says which to
take. Designs are compared by the bits per instruction of the worst program. Without a limit the
least product of gates and bits is taken; within --gates-at-most the fewest bits; within
--bits-at-most the fewest gates; within both the least product. docs/advise.md says how a table
is read.

Exit status: 1 if --at-most is exceeded, after everything was printed and written, and if no design
is within a limit.

Examples:
  tracewright advise firmware.elf
  tracewright advise run.pet.zst other.pet.zst -o design.toml
  tracewright advise ./prog --html advice.html -- --option file
  tracewright advise *.pet.zst --gates-at-most 8000 --at-most 0.05")]
pub struct Arguments {
    #[command(flatten)]
    programs: Programs,
    /// Choose from these presets or TOML files; the default is every preset for as many cores as the traces have
    /// threads, and designs that differ from the best of them in one table
    #[arg(long = "design", visible_alias = "preset", value_name = "DESIGN", value_delimiter = ',')]
    designs: Vec<String>,
    #[command(flatten)]
    changes: Changes,
    /// Choose from the presets alone, without designs beside them
    #[arg(long)]
    presets_only: bool,
    /// Take a design of at most so many gate equivalents (GE)
    #[arg(long, value_name = "GE", value_parser = count::above_zero)]
    gates_at_most: Option<f64>,
    /// Take a design of at most so many bits per instruction
    #[arg(long, value_name = "BITS", value_parser = count::above_zero)]
    bits_at_most: Option<f64>,
    /// Compare designs by the bits per instruction of the worst program or of all programs in total
    #[arg(long, value_enum, default_value_t)]
    by: ByName,
    /// Compare gates with memories made of flip-flops, instead of memories at 1.5 GE per bit
    #[arg(long)]
    flip_flops: bool,
    /// Fail with exit status 1 if the design that is taken needs more bits per instruction
    #[arg(long, value_name = "BITS", value_parser = count::above_zero)]
    at_most: Option<f64>,
    /// Write the design that is taken here, as a TOML file that every command takes
    #[arg(short, long, value_name = "FILE")]
    output: Option<OutputFile>,
    /// Write the advice as one HTML page
    #[arg(long, value_name = "FILE")]
    html: Option<OutputFile>,
    /// Print JSON: an object with traces (trace, instructions, is_cut), by, memories, storage_ge_per_bit, gates_at_most,
    /// bits_at_most, chosen, recommendations (purpose, design), left_out (trace, design), sentences, notes, designs
    /// (design, base, parameters, bits_per_instruction, worst_trace, worst_bits_per_instruction, total_ge,
    /// flip_flop_implementation_ge, estimated_gates, trace_port_width, fifo_bits, fifo_needed_bits, stall_cycles,
    /// stall_share, worst_window_cycles, worst_window_bits_per_cycle, by_trace (trace, instructions, bits,
    /// bits_per_instruction)), toml, command, at_most, is_within
    #[arg(long)]
    json: bool,
}

/// What designs are compared by, as values of the option.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum ByName {
    /// The program that takes the most bits per instruction
    #[default]
    Worst,
    /// The bits of all programs divided by their instructions
    Total,
}

impl Arguments {
    fn budget(&self) -> Budget {
        Budget {
            gates: self.gates_at_most,
            bits: self.bits_at_most,
            by: match self.by {
                ByName::Worst => By::Worst,
                ByName::Total => By::Total,
            },
            memories: if self.flip_flops { Memories::FlipFlops } else { Memories::Dense },
        }
    }
}

/// All that is known in the end.
struct Advice<'a> {
    arguments: &'a Arguments,
    subject: Subject,
    traced: Traced,
    names: TraceNames,
    budget: Budget,
    offers: Vec<Offer>,
    choice: Choice,
    /// Yosys, the cell library and GE per bit of memory.
    synthesis: (String, String, f64),
}

impl Advice<'_> {
    /// The design that is taken.
    fn chosen(&self) -> &Offer {
        &self.offers[self.choice.chosen()]
    }

    /// The file of a trace, as the command was given it.
    fn file(&self, trace: usize) -> &str {
        &self.traced.names[trace]
    }

    /// The name of a trace beside the others.
    fn name(&self, trace: usize) -> &str {
        self.names.name(self.file(trace))
    }

    fn bits(&self, offer: &Offer) -> f64 {
        self.budget.by.bits(&offer.by_trace, None)
    }
}

/// Runs the command.
///
/// # Errors
/// When a program cannot be run, a trace or a design is bad, no design is within the budget, a file cannot be written,
/// or the design that is taken needs too many bits.
pub fn run(arguments: &Arguments) -> Result<()> {
    let budget = arguments.budget();
    let named = design::load_all(&arguments.designs, &arguments.changes)?;
    let files = Files::open(arguments)?;
    synthesis::check()?;
    let traced = arguments.programs.traced()?;
    let progress = events::progress_of(&traced.paths, 1);
    let subject = Subject::of(&traced.paths, limits::events(), &progress)?;
    drop(progress);
    let finalists = finalists(arguments, named, &subject, &traced, budget.by)?;
    let designs: Vec<Design> = finalists.iter().map(|one| one.design.clone()).collect();
    let counted = synthesis::gates(&designs, GateOptions::default())?;
    let gates: Vec<Gates> = counted
        .iter()
        .map(|one| Gates { dense: one.total_ge, flip_flops: one.flip_flop_implementation_ge })
        .collect();
    let progress = events::progress_of(&traced.paths, 2);
    let offers = advice::offers(finalists, &gates, &traced.paths, limits::events(), &progress)?;
    drop(progress);
    let offers = advice::worthwhile(offers, &budget);
    let choice = advice::choose(&offers, &budget)?;
    let synthesis = counted.first().map_or_else(Default::default, |one| {
        (one.yosys.clone(), one.library.clone(), one.storage_ge_per_bit)
    });
    let names = TraceNames::of(traced.names.iter().map(String::as_str));
    let advice = Advice { arguments, subject, traced, names, budget, offers, choice, synthesis };
    let shown = Shown::new(&advice)?;
    let is_on_stdout = files.write(&advice, &shown)?;
    match (arguments.json, is_on_stdout) {
        (_, true) => {}
        (true, false) => print::json(&shown)?,
        (false, false) => print::text(shown.text(&advice))?,
    }
    checked(&advice)
}

/// The designs that are worth a synthesis, each of them as one piece of hardware for all traces.
fn finalists(
    arguments: &Arguments,
    named: Vec<Design>,
    subject: &Subject,
    traced: &Traced,
    by: By,
) -> Result<Vec<Finalist>> {
    let are_named = !named.is_empty();
    let designs = match are_named {
        true => named,
        false => {
            let usual = subject.designs().into_iter().map(|design| design.name);
            design::load_all(&usual.collect::<Vec<_>>(), &arguments.changes)?
        }
    };
    designs.iter().try_for_each(|design| subject.check(design))?;
    let designs = addresses::fitted_named(designs, &traced.paths, &traced.names)?;
    let designs: Vec<Design> =
        designs.iter().map(|design| subject.pinned(design)).collect::<Result<_, _>>()?;
    let kept = folder::temporary()?;
    let progress = progress::bar(0, "measurements");
    let setup = Setup { shard: Shard::WHOLE, limit: limits::events(), progress };
    let with_neighbours = !are_named && !arguments.presets_only;
    let (paths, which) = (&traced.paths, (are_named, with_neighbours));
    Ok(advice::survey(&designs, paths, by, which, kept.path(), &setup)?)
}

/// Fails if the design that is taken needs more bits than it may.
fn checked(advice: &Advice<'_>) -> Result<()> {
    let (chosen, most) = (advice.chosen(), advice.arguments.at_most);
    let bits = advice.bits(chosen);
    match most.filter(|most| bits > *most) {
        None => Ok(()),
        Some(most) => Err(anyhow!(
            "{} takes {}, expected at most {most}",
            chosen.design.name,
            sentences::bits(advice, chosen)
        )),
    }
}

/// The files that are written, all of which are opened before the work begins.
struct Files {
    design: Option<Output>,
    page: Option<Output>,
}

impl Files {
    fn open(arguments: &Arguments) -> Result<Files> {
        let open =
            |path: &Option<OutputFile>| path.as_ref().map(OutputFile::create_held).transpose();
        Ok(Files { design: open(&arguments.output)?, page: open(&arguments.html)? })
    }

    /// Writes the files; true if one of them is standard output.
    fn write(self, advice: &Advice<'_>, shown: &Shown) -> Result<bool> {
        let mut done = Vec::new();
        if let Some(mut output) = self.design {
            output.write_all(shown.file().as_bytes())?;
            done.push(output);
        }
        if let Some(mut output) = self.page {
            output.write_all(page::page(advice, shown)?.as_bytes())?;
            done.push(output);
        }
        output::commit_all(done)?;
        let Arguments { output, html, .. } = advice.arguments;
        Ok([output, html].into_iter().flatten().any(OutputFile::is_stdout))
    }
}
