//! `tracewright combine cosim`: the module of both in Verilator.

use anyhow::{Context, Result, anyhow};
use clap::Args;
use serde::Serialize;
use tracewright_sim::combined;
use tracewright_sim::combined::access_sites::AccessSites;
use tracewright_sim::event::{Event, Item};
use tracewright_testbench::BuildOptions;
use tracewright_testbench::design::source;
use tracewright_testbench::stimulus::{Ready, Stimulus};

use super::{Designs, learned};
use crate::pipeline::count;
use crate::pipeline::events;
use crate::pipeline::paths::Input;
use crate::pipeline::print::{self, grouped};
use crate::pipeline::progress::{self, Progress};

/// Co-simulate the module of both, and decode what it sends
#[derive(Args)]
#[command(after_help = "\
The bytes of each design in the frames are compared with those of its model. Then the frames are
decoded and compared with the trace, item by item.

Examples:
  tracewright combine cosim talon-m talon-d run.pet.zst --seed 7")]
pub struct Arguments {
    #[command(flatten)]
    designs: Designs,
    /// The trace to run, with data records
    trace: Input,
    /// Set the seed of pauses and of the sink; 0 has none of them
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Stop after this many events
    #[arg(long, value_name = "EVENTS", default_value_t = u64::MAX, hide_default_value = true, value_parser = count::parse)]
    limit: u64,
    /// Print JSON: an object with trace, cycles, stall_cycles, blocks, accesses, frame_bytes
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Done {
    trace: String,
    cycles: u64,
    stall_cycles: u64,
    blocks: u64,
    accesses: u64,
    frame_bytes: usize,
}

/// An item as a trace has it: only calls have lengths.
fn comparable(item: Item) -> Item {
    match item {
        Item::Event(event) if !event.call => Item::Event(Event { length: 0, ..event }),
        item => item,
    }
}

/// The items up to an event, calls with their lengths.
fn items(
    arguments: &Arguments,
    learned: &tracewright_verification::trace::Learned,
) -> Result<Vec<Item>> {
    let mut reader = events::open(&arguments.trace, &Progress::silent())?;
    let mut items = Vec::new();
    while reader.events() < arguments.limit {
        let Some(item) = reader.next_item()? else { break };
        items.push(comparable(learned.complete_item(item)));
    }
    Ok(items)
}

/// Runs the command.
///
/// # Errors
/// When a design or the trace is bad, or hardware and model differ.
pub fn run(arguments: &Arguments) -> Result<()> {
    let (combined, _) = arguments.designs.fitted(&arguments.trace)?;
    let named = || arguments.trace.display().to_string();
    let learned = learned(&arguments.trace)?;
    let items = items(arguments, &learned)?;
    let shown = || items.iter().copied().map(Ok::<Item, anyhow::Error>);
    let sites = AccessSites::learn(shown()).with_context(named)?;
    let generated = tracewright_hdl::unit::combined("combined_trace", &combined)?;
    let library = source(&generated).build(&BuildOptions::default())?;
    let (ready, bubble_percent) =
        if arguments.seed == 0 { (Ready::Always, 0) } else { (Ready::Bursts, 30) };
    let stimulus = Stimulus { seed: arguments.seed, ready, bubble_percent, ..Stimulus::default() };
    let progress = progress::bar(items.len() as u64, "events and accesses");
    let simulated = shown().inspect(|_| progress.add(1));
    let report = tracewright_testbench::combined::run(&library, &combined, simulated, &stimulus)
        .with_context(named)?;
    drop(progress);
    let mut expected = items.iter();
    let emit = |item| match expected.next() == Some(&comparable(item)) {
        true => Ok(()),
        false => Err(anyhow!("{}: the decoded trace differs from the input", named())),
    };
    combined::decode(
        &combined,
        &learned.program,
        &sites,
        report.frames.as_slice(),
        u64::MAX,
        emit,
    )?;
    if expected.next().is_some() {
        return Err(anyhow!("{}: the decoded trace ends too early", named()));
    }
    let done = Done {
        trace: named(),
        cycles: report.cycles,
        stall_cycles: report.stall_cycles,
        blocks: report.blocks,
        accesses: report.accesses,
        frame_bytes: report.frames.len(),
    };
    match arguments.json {
        true => print::json(&done),
        false => print::sentences(&format!(
            "{}: {} blocks and {} accesses in {} cycles, {} of them stalled -> {} bytes, decoded and equal\n",
            done.trace,
            grouped(done.blocks),
            grouped(done.accesses),
            grouped(done.cycles),
            grouped(done.stall_cycles),
            grouped(done.frame_bytes as u64)
        )),
    }
}
