//! `tracewright trace generate`: writes traces of synthetic programs.

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde::Serialize;
use tracewright_sim::event::{Isa, Item, Machine};
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_sim::trace_io::{Extensions, Writer, WriterOptions};
use tracewright_verification::within_addresses;

use crate::pipeline::count;
use crate::pipeline::failure::usage;
use crate::pipeline::format::{self, FormatName};
use crate::pipeline::paths::OutputFile;
use crate::pipeline::print;
use crate::pipeline::progress;

/// Generate a synthetic program and write its trace
#[derive(Args)]
#[command(after_help = "\
The seed decides everything that no option sets, and gives the same trace on every machine. The
program has loops, recursion, calls through tables, switches, predicated branches, system calls
and exceptions. Its data accesses have strides, follow pointers, repeat or stay at one address.

Examples:
  tracewright trace generate --seed 7 --events 1000
  tracewright trace generate --seed 7 --data-accesses 30 -o data.pet.zst
  tracewright trace generate --seed 7 --isa riscv --events 1000000 --no-exceptions -o synthetic.pet.zst
  tracewright trace generate --seed 7 --cores 4 -o four.pet.zst")]
pub struct Arguments {
    /// Write the trace here; - is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: OutputFile,
    /// Choose the format of the trace; the default follows the ending of its name, and is text for standard output
    #[arg(long)]
    format: Option<FormatName>,
    /// Set the seed of all random choices
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Set the number of events
    #[arg(long, default_value_t = 100_000, value_parser = count::parse)]
    events: u64,
    /// Choose the instruction set
    #[arg(long)]
    isa: Option<IsaName>,
    /// Align instructions to multiples of 2^ALIGNMENT bytes
    #[arg(long)]
    alignment: Option<u8>,
    /// Set the width of an address, 32 or 64 bits
    #[arg(long)]
    address_bits: Option<u8>,
    /// Set the number of functions, 1 to 1024
    #[arg(long)]
    functions: Option<u32>,
    /// Leave out system calls and exceptions
    #[arg(long)]
    no_exceptions: bool,
    /// Choose whether calls, returns and indirect jumps can be conditional
    #[arg(long, value_name = "true|false")]
    predicated: Option<bool>,
    /// Make every instruction a branch
    #[arg(long, value_name = "true|false")]
    branch_every_instruction: Option<bool>,
    /// Set how regular branch decisions are, 0 to 100
    #[arg(long)]
    predictability: Option<u8>,
    /// Set the depth of calls at which recursion stops, 1 to 1000
    #[arg(long)]
    recursion_depth: Option<u32>,
    /// Set the lowest address of the code
    #[arg(long, value_parser = number)]
    code_base: Option<u64>,
    /// Set the number of bytes that the code is spread over
    #[arg(long, value_parser = number)]
    code_span: Option<u64>,
    /// Set the number of threads that run the program, 1 to 8
    #[arg(long)]
    threads: Option<u8>,
    /// Set the number of cores that run the program, 1 to 8: threads at uneven rates and in bursts
    #[arg(long, conflicts_with = "threads")]
    cores: Option<u8>,
    /// Set the share of instructions that access memory, 0 to 100 percent; the events stay the same
    #[arg(long, value_name = "PERCENT", default_value_t = 0)]
    data_accesses: u8,
    /// Print JSON: an object with output, seed, events, accesses, instructions
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum IsaName {
    Arm,
    Riscv,
    X86,
}

#[derive(Serialize)]
struct Done {
    output: String,
    seed: u64,
    events: u64,
    accesses: u64,
    instructions: u64,
}

/// Runs the command.
///
/// # Errors
/// When an option is out of range or the output is bad.
pub fn run(arguments: &Arguments) -> Result<()> {
    let format = format::of_output(&arguments.output, arguments.format)?;
    let options = options(arguments);
    let extensions = Extensions {
        data: options.data_accesses > 0,
        threads: options.threads > 4,
        ..Extensions::LENGTHS
    };
    let trace = Synthetic::new(options).map_err(usage)?;
    let progress = progress::bar(arguments.events, "events");
    let output = arguments.output.create()?;
    let options = WriterOptions {
        format,
        extensions,
        name: output.name(&arguments.output),
        ..WriterOptions::default()
    };
    let name = options.name.clone();
    let mut writer = Writer::new(output, trace.machine(), options)?;
    for item in trace.items() {
        writer.write_item(&item)?;
        let is_event = matches!(item, Item::Event(_));
        if is_event && writer.events().is_multiple_of(PROGRESS_EVENTS) {
            progress.add(PROGRESS_EVENTS);
        }
    }
    let done = Done {
        output: name,
        seed: arguments.seed,
        events: writer.events(),
        accesses: writer.accesses(),
        instructions: writer.instructions(),
    };
    writer.finish()?.commit()?;
    if arguments.output.is_stdout() {
        return Ok(());
    }
    if arguments.json {
        return print::json(&done);
    }
    print::written(&done.output, done.events, done.accesses, done.instructions)
}

const PROGRESS_EVENTS: u64 = 1 << 16;

/// The seed's options, changed by the arguments.
fn options(arguments: &Arguments) -> Options {
    let mut options = Options { events: arguments.events, ..Options::from_seed(arguments.seed) };
    if let Some(name) = arguments.isa {
        let (isa, alignment, address_bits) = match name {
            IsaName::Arm => (Isa::Arm, 2, 32),
            IsaName::Riscv => (Isa::RiscV, 1, 64),
            IsaName::X86 => (Isa::X86, 0, 64),
        };
        options.machine = Machine { isa, alignment, address_bits };
        options.predicated = isa == Isa::Arm;
    }
    let machine = &mut options.machine;
    machine.alignment = arguments.alignment.unwrap_or(machine.alignment);
    machine.address_bits = arguments.address_bits.unwrap_or(machine.address_bits);
    options.code_base = arguments.code_base.unwrap_or(options.code_base);
    // The seed's code address may be out of range for the requested machine.
    if arguments.code_base.is_none() {
        options = within_addresses(options);
    }
    options.code_span = arguments.code_span.unwrap_or(options.code_span);
    options.functions = arguments.functions.unwrap_or(options.functions);
    options.exceptions &= !arguments.no_exceptions;
    options.predicated = arguments.predicated.unwrap_or(options.predicated);
    options.branch_every_instruction =
        arguments.branch_every_instruction.unwrap_or(options.branch_every_instruction);
    options.predictability = arguments.predictability.unwrap_or(options.predictability);
    options.recursion_depth = arguments.recursion_depth.unwrap_or(options.recursion_depth);
    options.threads = arguments.threads.or(arguments.cores).unwrap_or(options.threads);
    options.uneven = arguments.cores.is_some();
    options.data_accesses = arguments.data_accesses;
    options
}

/// A number, in hexadecimal after `0x`.
fn number(text: &str) -> Result<u64, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|error| error.to_string())
}
