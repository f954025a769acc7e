//! `tracewright measure`: bits per instruction, field by field.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use rayon::prelude::*;
use serde::Serialize;
use serde_json::{Map, Value};
use tracewright_sim::encode::fifo::Fifo;
use tracewright_sim::event::Item;
use tracewright_sim::field::{Account, Field, Sink};
use tracewright_sim::multicore::schedule::Schedule;
use tracewright_sim::scheme::{Design, Encoder};

use crate::pipeline::design::{self, Changes};
use crate::pipeline::events::{self, Learned, changed};
use crate::pipeline::print::{self, grouped, ratio};
use crate::pipeline::progress::Progress;

/// Events and accesses that every design encodes in its turn.
const BATCH_ITEMS: usize = 1 << 15;

/// Threads that a trace can have, a core each.
const TRACE_THREADS: u32 = 8;

/// Measure bits per instruction of designs on traces
#[derive(Args)]
#[command(after_help = "\
Padding is not counted. The output FIFO is the design's, drained by its port at one instruction a
clock and core, in the order of the trace; needed are the bits it would hold if it had no limit and nothing stalled. Co-simulation tells
what the hardware really does.

Examples:
  tracewright measure --design traptor-m4 run.pet.zst
  tracewright measure --design traptor-s1,traptor-m4,traptor-b4 workloads/*.pet.zst --json")]
pub struct Arguments {
    /// Presets or TOML files
    #[arg(long = "design", value_name = "DESIGN", value_delimiter = ',', required = true)]
    designs: Vec<String>,
    /// Traces
    #[arg(value_name = "TRACE", required = true)]
    traces: Vec<PathBuf>,
    #[command(flatten)]
    changes: Changes,
    /// Print JSON: an array of objects with design, trace, events, accesses, instructions, bits,
    /// bits_per_instruction, records, fields, fifo_high_water_bits, fifo_needed_bits, stall_cycles
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Measured {
    design: String,
    trace: String,
    events: u64,
    accesses: u64,
    instructions: u64,
    bits: u64,
    bits_per_instruction: f64,
    records: u64,
    fields: Map<String, Value>,
    fifo_high_water_bits: u64,
    fifo_needed_bits: u64,
    stall_cycles: u64,
}

/// Runs the command.
///
/// # Errors
/// When a design or a trace is bad, or they do not fit.
pub fn run(arguments: &Arguments) -> Result<()> {
    let designs = design::load_all(&arguments.designs, &arguments.changes)?;
    let progress = events::progress_of(arguments.traces.iter().map(PathBuf::as_path), 2);
    let by_trace: Vec<Vec<Measured>> = arguments
        .traces
        .par_iter()
        .map(|trace| measure(&designs, trace, &progress))
        .collect::<Result<_>>()?;
    drop(progress);
    let mut measured: Vec<Measured> = Vec::new();
    let mut columns: Vec<_> = by_trace.into_iter().map(Vec::into_iter).collect();
    for _ in &designs {
        measured.extend(columns.iter_mut().filter_map(Iterator::next));
    }
    if arguments.json {
        return print::json(&measured);
    }
    print::text(table(&measured, arguments.traces.len()))
}

/// The account of one design on one trace, and its output FIFO.
struct Meter {
    encoder: Encoder,
    schedule: Schedule,
    sink: Metered,
}

struct Metered {
    account: Account,
    fifo: Fifo,
    /// Bits counted up to the last record.
    recorded: u64,
    clock: u64,
}

impl Sink for Metered {
    fn put(&mut self, field: &Field, bits: u64, count: u32) {
        self.account.put(field, bits, count);
    }

    fn end_record(&mut self) {
        self.account.end_record();
        self.fifo.push(self.clock, self.account.bits - self.recorded);
        self.recorded = self.account.bits;
    }

    fn align(&mut self, _: u32) {}
}

impl Meter {
    fn new(design: &Design) -> Result<Self> {
        let port = design.port();
        let fifo = Fifo::new(port.fifo_bits.into(), port.trace_port_width);
        let sink = Metered { account: Account::default(), fifo, recorded: 0, clock: 0 };
        let schedule = Schedule::new(TRACE_THREADS);
        Ok(Self { encoder: Encoder::new(design)?, schedule, sink })
    }

    fn encode(&mut self, batch: &[Item]) -> Result<()> {
        for item in batch {
            // An access leaves before the event of its run, and so at the clock of the one before.
            if let Item::Event(event) = item {
                self.sink.clock = self.schedule.event(event.thread, event.instructions);
            }
            self.encoder.item(item, &mut self.sink)?;
        }
        Ok(())
    }

    fn finish(mut self, design: &Design, trace: &Path, learned: &Learned) -> Measured {
        self.encoder.flush(&mut self.sink);
        let Metered { account, fifo, .. } = self.sink;
        Measured {
            design: design.name.clone(),
            trace: trace.display().to_string(),
            events: learned.events,
            accesses: learned.accesses,
            instructions: learned.instructions,
            bits: account.bits,
            bits_per_instruction: ratio(account.bits, learned.instructions),
            records: account.records,
            fields: account
                .fields
                .iter()
                .map(|(name, bits)| ((*name).into(), (*bits).into()))
                .collect(),
            fifo_high_water_bits: fifo.high_water_bits,
            fifo_needed_bits: fifo.needed_bits,
            stall_cycles: fifo.stall_cycles,
        }
    }
}

/// Every design on one trace, which is read once to learn it and once for all designs together.
fn measure(designs: &[Design], trace: &Path, progress: &Progress) -> Result<Vec<Measured>> {
    let learned = events::learn(trace, u64::MAX, progress)?;
    let mut meters = Vec::with_capacity(designs.len());
    for design in designs {
        let design = design::for_machine(design, learned.machine())?;
        meters.push((Meter::new(&design)?, design));
    }
    let mut reader = events::open(trace, progress)?;
    let mut batch = Vec::with_capacity(BATCH_ITEMS);
    loop {
        batch.clear();
        while batch.len() < BATCH_ITEMS {
            let Some(item) = reader.next_item()? else { break };
            batch.push(learned.complete_item(item));
        }
        if batch.is_empty() {
            break;
        }
        meters.par_iter_mut().try_for_each(|(meter, design)| {
            meter.encode(&batch).with_context(|| format!("{}, {}", design.name, trace.display()))
        })?;
    }
    if !learned.is_all_of(&reader) {
        return Err(changed(trace));
    }
    Ok(meters.into_iter().map(|(meter, design)| meter.finish(&design, trace, &learned)).collect())
}

/// The measurements and, for several traces, the sum of every design, weighted by instructions.
fn table(measured: &[Measured], traces: usize) -> String {
    let mut fields: Vec<&str> = Vec::new();
    for name in measured.iter().flat_map(|one| one.fields.keys()) {
        if !fields.contains(&name.as_str()) {
            fields.push(name);
        }
    }
    let mut header = vec!["design", "trace", "instructions", "bits", "bits/instruction", "records"];
    header.extend(&fields);
    header.extend(["FIFO high water", "FIFO needed", "stall cycles"]);
    let mut table = print::table(&header, 2);
    for of_design in measured.chunks(traces.max(1)) {
        for one in of_design {
            table.add_row(row(&one.trace, &[one], &fields));
        }
        if of_design.len() > 1 {
            table.add_row(row("total", &of_design.iter().collect::<Vec<_>>(), &fields));
        }
    }
    print::trimmed(&table)
}

fn row(label: &str, measured: &[&Measured], fields: &[&str]) -> Vec<String> {
    let sum =
        |of: fn(&Measured) -> u64| measured.iter().map(|one| of(one)).fold(0, u64::saturating_add);
    let (instructions, bits) = (sum(|one| one.instructions), sum(|one| one.bits));
    let mut row = vec![
        measured.first().map_or(String::new(), |one| one.design.clone()),
        label.into(),
        grouped(instructions),
        grouped(bits),
        format!("{:.4}", ratio(bits, instructions)),
        grouped(sum(|one| one.records)),
    ];
    for field in fields {
        let of_field = measured.iter().filter_map(|one| one.fields.get(*field)?.as_u64());
        row.push(grouped(of_field.sum()));
    }
    let most = |of: fn(&Measured) -> u64| measured.iter().map(|one| of(one)).max().unwrap_or(0);
    row.push(grouped(most(|one| one.fifo_high_water_bits)));
    row.push(grouped(most(|one| one.fifo_needed_bits)));
    row.push(grouped(sum(|one| one.stall_cycles)));
    row
}
