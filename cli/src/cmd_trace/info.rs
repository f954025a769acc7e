//! `tracewright trace info`: prints what traces contain.

use anyhow::{Result, anyhow};
use clap::Args;
use rustc_hash::FxHashSet;
use serde::Serialize;
use serde_json::{Map, Value};
use tracewright_sim::bits_file::BitsReader;
use tracewright_sim::event::{Item, Kind};
use tracewright_sim::trace_io::{self, Problem};

use super::payloads;
use crate::pipeline::encoder_arguments::EncoderArgument;
use crate::pipeline::events;
use crate::pipeline::paths::Input;
use crate::pipeline::print::{self, grouped, ratio};
use crate::pipeline::progress::Progress;
use crate::pipeline::standard::Standard;
use crate::pipeline::table;

/// Print the machine, the counts and the address range of traces
#[derive(Args)]
#[command(after_help = "\
Examples:
  tracewright trace info run.pet.zst
  tracewright trace info workloads/*.pet.zst --json
  tracewright trace info --standard etrace --encoder encoder.toml dump.bin --payloads")]
pub struct Arguments {
    /// Traces; - is standard input
    #[arg(value_name = "TRACE", required = true)]
    pub(super) traces: Vec<Input>,
    /// Take the files as dumps of another encoder that follows this standard (docs/standard_trace.md)
    #[arg(long, value_name = "NAME")]
    standard: Option<Standard>,
    /// Take the parameters of that encoder from this file, from a word for a vendor (sifive, rv-tracer, esp32, siemens), or one of
    /// them as KEY=VALUE; can be repeated
    #[arg(long, value_name = "FILE.toml", requires = "standard")]
    pub(super) encoder: Vec<EncoderArgument>,
    /// Print each payload of a dump: the byte at which it begins, its kind and its fields
    #[arg(long, requires = "standard")]
    pub(super) payloads: bool,
    /// Print JSON: an array of objects with trace, isa, alignment, address_bits, has_lengths, has_data, has_states,
    /// events, instructions, threads, kinds, calls, returns, taken, branch_sites, lowest_address, highest_address,
    /// loads, stores, access_sites, file_bytes; with --standard dump, standard, is_text, bytes, payloads, idle_bytes,
    /// other_payloads, bad_payloads, sources, kinds, damage, and with --payloads list
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Serialize)]
struct Info {
    trace: String,
    isa: String,
    alignment: u8,
    address_bits: u8,
    has_lengths: bool,
    has_data: bool,
    has_states: bool,
    events: u64,
    instructions: u64,
    threads: u32,
    kinds: Map<String, Value>,
    calls: u64,
    returns: u64,
    taken: u64,
    branch_sites: usize,
    /// The lowest address of a control-flow instruction; null for an empty trace.
    lowest_address: Option<u64>,
    highest_address: Option<u64>,
    loads: u64,
    stores: u64,
    /// Number of instructions that access memory.
    access_sites: usize,
    /// Null for standard input.
    file_bytes: Option<u64>,
}

/// Runs the command.
///
/// # Errors
/// When a trace is bad.
pub fn run(arguments: &Arguments) -> Result<()> {
    if let Some(standard) = arguments.standard {
        return payloads::run(arguments, standard);
    }
    let progress = events::progress_of(&arguments.traces, 1);
    let infos: Vec<Info> =
        arguments.traces.iter().map(|trace| read(trace, &progress)).collect::<Result<_>>()?;
    drop(progress);
    if arguments.json {
        return print::json(&infos);
    }
    for (index, info) in infos.iter().enumerate() {
        print::text(format_args!("{}{}", if index > 0 { "\n" } else { "" }, show(info)))?;
    }
    Ok(())
}

fn read(trace: &Input, progress: &Progress) -> Result<Info> {
    let mut reader = events::open(trace, progress).map_err(|error| explain(trace, error))?;
    let machine = reader.machine();
    let mut kinds = [0u64; Kind::ALL.len()];
    let (mut calls, mut returns, mut taken, mut threads) = (0u64, 0u64, 0u64, 0u8);
    let (mut lowest, mut highest) = (u64::MAX, 0);
    let mut sites = FxHashSet::default();
    let (mut stores, mut access_sites) = (0, FxHashSet::default());
    while let Some(item) = reader.next_item()? {
        let event = match item {
            Item::Event(event) => event,
            Item::Access(access) => {
                stores += u64::from(access.site.store);
                access_sites.insert(access.site.program_counter);
                continue;
            }
            Item::State(_) | Item::Cycles(_) => continue,
        };
        kinds[event.kind as usize] += 1;
        calls += u64::from(event.call);
        returns += u64::from(event.is_return);
        taken += u64::from(event.taken);
        threads |= 1 << event.thread;
        // The beginning of a thread is at no instruction.
        let at = (event.instructions > 0).then_some(event.program_counter);
        lowest = at.map_or(lowest, |address| lowest.min(address));
        highest = at.map_or(highest, |address| highest.max(address));
        if event.kind != Kind::Exception {
            sites.insert(event.program_counter);
        }
    }
    Ok(Info {
        trace: trace.display().to_string(),
        isa: machine.isa.to_string(),
        alignment: machine.alignment,
        address_bits: machine.address_bits,
        has_lengths: reader.extensions().lengths,
        has_data: reader.extensions().data,
        has_states: reader.extensions().states,
        events: reader.events(),
        instructions: reader.instructions(),
        threads: threads.count_ones(),
        kinds: Kind::ALL
            .iter()
            .map(|kind| (kind.to_string(), kinds[*kind as usize].into()))
            .collect(),
        calls,
        returns,
        taken,
        branch_sites: sites.len(),
        lowest_address: (lowest <= highest).then_some(lowest),
        highest_address: (lowest <= highest).then_some(highest),
        loads: reader.accesses() - stores,
        stores,
        access_sites: access_sites.len(),
        file_bytes: trace
            .metadata()
            .ok()
            .filter(|metadata| metadata.is_file())
            .map(|metadata| metadata.len()),
    })
}

/// Says which design has encoded a file that is no trace but an encoded one.
fn explain(file: &Input, error: trace_io::Error) -> anyhow::Error {
    if !matches!(error.problem(), Problem::Encoded) {
        return error.into();
    }
    match BitsReader::salvage(file) {
        Ok(reader) => anyhow!(
            "{} is a trace of {}, encoded by {}: `tracewright decode` makes a trace of it, given the program",
            file.display(),
            print::machine(reader.header().machine),
            reader.header().design.name
        ),
        // Of standard input, and of a damaged file, no more is known.
        Err(_) => error.into(),
    }
}

fn show(info: &Info) -> String {
    let lengths = if info.has_lengths { ", with lengths of calls" } else { "" };
    let mut lines = vec![
        (
            "machine",
            format!(
                "{}, alignment {}, {} address bits{lengths}",
                info.isa, info.alignment, info.address_bits
            ),
        ),
        ("events", grouped(info.events)),
        ("instructions", {
            format!(
                "{}, {:.2} per event",
                grouped(info.instructions),
                ratio(info.instructions, info.events)
            )
        }),
        ("threads", info.threads.to_string()),
    ];
    for (kind, count) in &info.kinds {
        let count = count.as_u64().unwrap_or(0);
        lines.push((
            kind,
            format!("{}, {:.2} %", grouped(count), 100.0 * ratio(count, info.events)),
        ));
    }
    lines.push(("calls", grouped(info.calls)));
    lines.push(("returns", grouped(info.returns)));
    lines.push(("taken", grouped(info.taken)));
    lines.push(("branch sites", grouped(info.branch_sites as u64)));
    if let (Some(lowest), Some(highest)) = (info.lowest_address, info.highest_address) {
        lines.push((
            "code",
            format!("{lowest:#x} to {highest:#x}, a span of {} bytes", grouped(highest - lowest)),
        ));
    }
    if info.has_data {
        let accesses = info.loads + info.stores;
        let rate = ratio(accesses, info.instructions);
        lines.push((
            "accesses",
            format!(
                "{}, {rate:.2} per instruction: {} loads, {} stores",
                grouped(accesses),
                grouped(info.loads),
                grouped(info.stores)
            ),
        ));
        lines.push(("access sites", grouped(info.access_sites as u64)));
    }
    if let Some(bytes) = info.file_bytes {
        let bits = ratio(bytes.saturating_mul(8), info.instructions);
        lines.push(("file", format!("{} bytes, {bits:.4} bits per instruction", grouped(bytes))));
    }
    table::pairs(&info.trace, &lines)
}
