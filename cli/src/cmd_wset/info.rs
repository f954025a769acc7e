//! `tracewright wset info`: prints what working sets contain.

use anyhow::{Context, Result};
use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value};
use std::io::{self, Write};
use tracewright_sim::event::{Access, Event};
use tracewright_sim::trace_io::WriterOptions;
use tracewright_working_set::{Sink, WorkingSet, replay};

use super::{check_length, open};
use crate::pipeline::paths::Input;
use crate::pipeline::print::{self, grouped, ratio};
use crate::pipeline::progress;
use crate::pipeline::table;
use crate::pipeline::trace_sink::TraceSink;

/// Print the registers, memory and inputs of working sets
#[derive(Args)]
#[command(after_help = "\
--compare replays the runs and prints the sizes of their traces, as PET1 in zstd.

Examples:
  tracewright wset info run.wset
  tracewright wset info workloads/*.wset --compare --json")]
pub struct Arguments {
    /// Working sets
    #[arg(value_name = "WSET", required = true)]
    working_sets: Vec<Input>,
    /// Compare the sizes with those of traces of the runs
    #[arg(long)]
    compare: bool,
    /// Print JSON: an array of objects with working_set, instruction_set, address_bits, registers, instructions, loads,
    /// stores, line_bytes, lines, memory (objects with begin and bytes), inputs (by kind), file_bytes,
    /// plain_trace_bytes, and with --compare trace_bytes, data_trace_bytes
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Info {
    working_set: String,
    instruction_set: String,
    address_bits: u8,
    registers: Map<String, Value>,
    instructions: u64,
    loads: u64,
    stores: u64,
    line_bytes: u32,
    lines: usize,
    memory: Vec<Stretch>,
    inputs: Map<String, Value>,
    file_bytes: u64,
    /// Size of an uncompressed trace of the addresses of all instructions, loads and stores.
    plain_trace_bytes: u64,
    #[serde(flatten)]
    traces: Option<Traces>,
}

#[derive(Serialize)]
struct Stretch {
    begin: u64,
    bytes: u64,
}

/// Bytes of the traces of the run.
#[derive(Serialize)]
struct Traces {
    trace_bytes: u64,
    data_trace_bytes: u64,
}

/// Runs the command.
///
/// # Errors
/// When a working set is bad.
pub fn run(arguments: &Arguments) -> Result<()> {
    let infos: Vec<Info> = arguments
        .working_sets
        .iter()
        .map(|path| info(path, arguments.compare))
        .collect::<Result<_>>()?;
    if arguments.json {
        return print::json(&infos);
    }
    for (index, info) in infos.iter().enumerate() {
        print::text(format_args!("{}{}", if index > 0 { "\n" } else { "" }, show(info)))?;
    }
    Ok(())
}

fn info(path: &Input, compare: bool) -> Result<Info> {
    let (working_set, file_bytes) = open(path)?;
    let name = || path.display().to_string();
    if compare {
        check_length(path, &working_set, file_bytes)?;
    }
    let traces = compare.then(|| traces(&working_set)).transpose().with_context(name)?;
    let mut inputs = Map::new();
    for input in &working_set.inputs {
        let count = inputs.entry(input.what.name()).or_insert(0.into());
        *count = (count.as_u64().unwrap_or(0) + 1).into();
    }
    let stretches = working_set.stretches().into_iter();
    Ok(Info {
        working_set: name(),
        instruction_set: working_set.layout.instruction_set(working_set.machine.address_bits),
        address_bits: working_set.machine.address_bits,
        registers: working_set
            .registers
            .named()
            .map(|(name, value)| (name.into(), value.into()))
            .collect(),
        instructions: working_set.totals.instructions,
        loads: working_set.totals.loads,
        stores: working_set.totals.stores,
        line_bytes: working_set.line_bytes,
        lines: working_set.lines.len(),
        memory: stretches.map(|(begin, bytes)| Stretch { begin, bytes }).collect(),
        inputs,
        file_bytes,
        plain_trace_bytes: working_set.plain_trace_bytes(),
        traces,
    })
}

/// Counts the bytes written to it.
struct Counter(u64);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A trace without accesses and one with them.
struct Both(TraceSink<Counter, false>, TraceSink<Counter, true>);

impl Sink for Both {
    type Error = anyhow::Error;

    const DATA: bool = true;

    fn event(&mut self, event: &Event) -> Result<()> {
        self.0.event(event)?;
        self.1.event(event)
    }

    fn access(&mut self, access: &Access) -> Result<()> {
        self.1.access(access)
    }
}

fn traces(working_set: &WorkingSet) -> Result<Traces> {
    let machine = working_set.machine;
    let options = WriterOptions::default;
    let mut both = Both(
        TraceSink::new(Counter(0), machine, options())?,
        TraceSink::new(Counter(0), machine, options())?,
    );
    let progress = progress::bar(working_set.totals.instructions, "instructions");
    replay(working_set, &mut both, |done| progress.add(done))?;
    let Counter(trace_bytes) = both.0.finish()?;
    let Counter(data_trace_bytes) = both.1.finish()?;
    Ok(Traces { trace_bytes, data_trace_bytes })
}

fn show(info: &Info) -> String {
    let mut lines = vec![
        ("machine", info.instruction_set.clone()),
        ("instructions", grouped(info.instructions)),
        ("accesses", format!("{} loads, {} stores", grouped(info.loads), grouped(info.stores))),
    ];
    let registers = info.registers.iter().filter(|(_, value)| value.as_u64() != Some(0));
    let registers: Vec<String> = registers
        .map(|(name, value)| format!("{name} {:#x}", value.as_u64().unwrap_or(0)))
        .collect();
    lines.push(("registers", format!("{}, the others 0", registers.join(", "))));
    lines.push(("lines", format!("{} of {} bytes", grouped(info.lines as u64), info.line_bytes)));
    for Stretch { begin, bytes } in &info.memory {
        lines.push(("memory", format!("{begin:#x}, {} bytes", grouped(*bytes))));
    }
    for (kind, count) in &info.inputs {
        lines.push(("inputs", format!("{} {kind}s", grouped(count.as_u64().unwrap_or(0)))));
    }
    let times = |bytes: u64| {
        let times = ratio(bytes, info.file_bytes);
        format!("{} bytes, {times:.1} times the file", grouped(bytes))
    };
    lines.push(("file", format!("{} bytes", grouped(info.file_bytes))));
    if let Some(traces) = &info.traces {
        lines.push(("trace", times(traces.trace_bytes)));
        lines.push(("trace with data", times(traces.data_trace_bytes)));
    }
    lines.push(("uncompressed trace", times(info.plain_trace_bytes)));
    table::pairs(&info.working_set, &lines)
}
