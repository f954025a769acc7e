//! `tracewright live`: a program on a simulated core with a trace module, decoded and compared with the core.

use std::io::Write;

use anyhow::{Context, Result, anyhow};
use clap::{Args, ValueEnum};
use serde::Serialize;
use tracewright_hdl::unit::{NoUnit, assemble};
use tracewright_sim::scheme::Design;
use tracewright_sim::unit::Control;
use tracewright_sim::unit::{Ingress, Unit as Whole};
use tracewright_testbench::live::{Core, End, Options};
use tracewright_testbench::stimulus::Ready;
use tracewright_verification::live::{self, Disagreement, LiveProgram, Run, Trace};

use crate::pipeline::design::{self, Changes};
use crate::pipeline::failure::usage;
use crate::pipeline::paths::{Input, OutputFile};
use crate::pipeline::print::{self, counted, grouped, ratio};
use crate::pipeline::ram_sink::Ring;
use crate::pipeline::table::{self, Table};
use crate::pipeline::unit::{Sections, Unit};
use crate::pipeline::{control, count, live_core, progress, ring};

/// Trace a program on a simulated RISC-V core, decode the trace and compare it with the core
#[derive(Args)]
#[command(after_help = "\
The core and the generated Verilog run in Verilator, connected by the adapter for the RISC-V
formal interface or the trace ingress port (docs/live_core.md). The trace is decoded against the
ELF file. Every decoded instruction is compared with the core's own report of what it retired,
interrupts and traps included.

With --ring the trace goes into a ring buffer, and the end of the execution that the buffer has is
compared. `decode --ring` and `view --ring` read the buffer that -o writes (docs/packets.md).

With --control tracing is switched on before the first instruction and off after the last one by
registers, and with --ram-sink the trace is read from the memory of the sink, over the bus too.
The file of a design may ask for both, as `generate` writes it; an option prevails.

Examples:
  tracewright live traptor-m4 workloads/rv32imac-crc.elf
  tracewright live traptor-m4,stream-rbase-128,nexs prog.elf --limit 1000000 --stall bursts --json
  tracewright live traptor-m4 workloads/rv64imac-sort.elf --core cva6 --limit 600000
  tracewright live traptor-m4 prog.elf --core minimal --ingress tip --nret 2
  tracewright live my.toml prog.elf --core ibex --ring 4096 --until-trap -o ring.bin
  tracewright live my.toml prog.elf --core cva6 --control apb --ram-sink 4096")]
pub struct Arguments {
    /// Presets or TOML files, separated by commas
    #[arg(value_name = "DESIGN[,DESIGN...]")]
    designs: String,
    /// An ELF file for the board of workloads/programs/board.h
    program: Input,
    #[command(flatten)]
    core: live_core::Arguments,
    #[command(flatten)]
    changes: Changes,
    /// Set the seed of all random choices: stalls, initial registers and memories
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Choose when the sink of the trace is ready
    #[arg(long, default_value = "none")]
    stall: Stall,
    /// Stop after this many instructions; without this option, a program that does not end within 50 million is an error
    #[arg(long, value_name = "INSTRUCTIONS", value_parser = count::parse)]
    limit: Option<u64>,
    /// Stop the core at its first trap, which is then no error
    #[arg(long)]
    until_trap: bool,
    /// Trace into a ring buffer of this many bytes; needs designs with framing = packets
    #[arg(long, value_name = "BYTES", value_parser = count::at_least::<u32>(16))]
    ring: Option<u32>,
    #[command(flatten)]
    control: control::Arguments,
    /// Write the bytes of the trace, or of the ring buffer, of the only design here
    #[arg(short, long, value_name = "FILE")]
    output: Option<OutputFile>,
    /// Write the two instructions here that a core begins with, at 0xff80: `decode` takes them as --image FILE.bin@0xff80
    #[arg(long, value_name = "FILE.bin")]
    boot_code: Option<OutputFile>,
    /// Print JSON: an array of objects with design, core, program, end, status, instructions, handlers, traps,
    /// exceptions, bits, bits_per_instruction, cycles, stall_cycles, decoded_instructions, lost_instructions, gaps,
    /// write_pointer, decoded_equal, failure, console
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Stall {
    /// Ready in every cycle
    None,
    /// Ready in each cycle with a probability of one half
    Random,
    /// Ready and not ready in turns of 1 to 64 cycles
    Bursts,
}

#[derive(Serialize)]
struct Lived {
    design: String,
    core: &'static str,
    program: String,
    /// `exit`, `limit` or `trap`.
    end: &'static str,
    /// The exit status, or the address of the trap.
    status: Option<u64>,
    instructions: u64,
    handlers: u64,
    traps: u64,
    exceptions: u64,
    bits: u64,
    bits_per_instruction: f64,
    cycles: u64,
    stall_cycles: u64,
    /// Instructions in the trace; all of them unless it has gaps.
    decoded_instructions: u64,
    lost_instructions: u64,
    gaps: u64,
    write_pointer: Option<usize>,
    decoded_equal: bool,
    failure: Option<String>,
    console: String,
    #[serde(skip)]
    trace_bytes: u64,
}

/// Instructions within which a program ends, if there is no limit: enough for a minute, and a log that fits into memory.
const INSTRUCTIONS: u64 = 50_000_000;

/// Traps of one instruction after which the program will not go on, if there is no limit.
const TRAPS_IN_A_ROW: u64 = 1000;

/// Runs the command.
///
/// # Errors
/// When a design or the program is bad, a tool is missing, or the trace differs from the core's report.
pub fn run(arguments: &Arguments) -> Result<()> {
    let (core, ingress) = arguments.core.core()?;
    let program = LiveProgram::open(&arguments.program, core)?;
    let (units, sections) = units(arguments, (core, ingress), &program)?;
    let designs: Vec<Design> = units.iter().map(|unit| unit.design.clone()).collect();
    let registers = (sections.control.as_ref(), sections.ram_sink.as_ref());
    let held_blocks = ingress.held_blocks();
    let control = arguments.control.control(&designs, registers, held_blocks)?;
    if control.is_some_and(|control| control.system_memory.is_some()) {
        return Err(usage("--system-memory: expected --ram-sink, whose ring `live` can read"));
    }
    let sink = control.and_then(|control| control.ram_sink);
    if arguments.ring.is_some() && sink.is_some() {
        return Err(usage("--ring: expected no --ram-sink, which has a ring of its own"));
    }
    let sink = sink.map(|bytes| Ring { option: "--ram-sink", bytes });
    if let Some(sink) = sink {
        designs.iter().try_for_each(|design| sink.check_size(design, held_blocks))?;
    }
    let ring = sink.or(arguments.ring.map(|bytes| Ring { option: "--ring", bytes }));
    let designs = match ring {
        None => designs,
        Some(ring) => {
            let fitted = units.into_iter().map(|unit| ring.fit(unit.design, &unit.stated));
            fitted.collect::<Result<_>>()?
        }
    };
    let output = arguments.output.as_ref().map(OutputFile::create).transpose()?;
    let boot_code = arguments.boot_code.as_ref().map(OutputFile::create).transpose()?;
    let (mut lived, mut trace) = (Vec::new(), None);
    for design in &designs {
        let one = live_once(arguments, (core, ingress, control), design, &program);
        let (one, recorded) = one.with_context(|| design.name.clone())?;
        lived.push(one);
        trace = Some(recorded);
    }
    let is_printed = !arguments.output.as_ref().is_some_and(OutputFile::is_stdout);
    if let (Some(mut output), Some(trace)) = (output, trace) {
        output.write_all(&trace.bytes)?;
        output.commit()?;
    }
    if let Some(mut output) = boot_code {
        output.write_all(program.code.boot_code())?;
        output.commit()?;
    }
    if arguments.json && is_printed {
        print::json(&lived)?;
    } else if is_printed {
        print::text(table(&lived) + &table::sentences(&remarks(&lived, sink.is_some())))?;
    }
    match lived.iter().find_map(|one| Some((one, one.failure.as_ref()?))) {
        None => Ok(()),
        Some((one, failure)) => Err(anyhow!("{}, {}: {failure}", one.design, one.program)),
    }
}

/// The designs with their files, as they are for the program, and the control registers that their files ask for.
fn units(
    arguments: &Arguments,
    (core, ingress): (Core, Ingress),
    program: &LiveProgram,
) -> Result<(Vec<Unit>, Sections)> {
    let names: Vec<String> = arguments.designs.split(',').map(String::from).collect();
    let mut units = design::load_units(&names, &arguments.changes)?;
    let sections = units.first().map(|unit| unit.sections.clone()).unwrap_or_default();
    let registers = |sections: &Sections| (sections.control, sections.ram_sink);
    if units.iter().any(|unit| registers(&unit.sections) != registers(&sections)) {
        return Err(usage(
            "expected designs with the same control registers; run one after the other",
        ));
    }
    for unit in &mut units {
        let is_asked = arguments.control.is_asked(unit.sections.control.as_ref());
        if let Some(note) = unit.ingress_note(ingress, core) {
            print::remark(note);
        }
        unit.design = unit.on_core(ingress, is_asked)?;
        let design = &mut unit.design;
        let name = &design.name;
        if design.cores() > 1 {
            return Err(usage(format!(
                "{name} traces {} cores, expected a design for one core: {core} is one",
                design.cores()
            )));
        }
        if design.traces_data() {
            return Err(usage(format!(
                "{name} does not trace control flow, expected a design that does"
            )));
        }
        let has_sink = is_asked && arguments.control.asks_ram_sink(sections.ram_sink.as_ref());
        let ring = arguments.ring.map(|_| "--ring").or(has_sink.then_some("--ram-sink"));
        if let Some(option) = ring.filter(|_| design.framing().is_none()) {
            return Err(usage(format!(
                "{option}: traces of {name} are read from their beginning, expected framing = packets"
            )));
        }
        // What -o writes is decoded with the design as it was given, wherever that can trace the program.
        if design::check_hardware(design, program.machine()).is_err() {
            *design = design::for_machine(design, program.machine())?;
        }
    }
    if arguments.output.is_some() && units.len() > 1 {
        return Err(usage(format!("-o: expected one design, found {}", units.len())));
    }
    Ok((units, sections))
}

fn live_once(
    arguments: &Arguments,
    (core, ingress, control): (Core, Ingress, Option<Control>),
    design: &Design,
    program: &LiveProgram,
) -> Result<(Lived, Trace)> {
    let design = &ingress.fit(design.clone())?;
    let unit = Whole { ingress: Some(ingress), control, ..Whole::bare(design.clone()) };
    let traced = assemble(&unit).map_err(NoUnit::into_error)?.into_whole();
    let options = Options {
        seed: arguments.seed,
        ready: match arguments.stall {
            Stall::None => Ready::Always,
            Stall::Random => Ready::Random,
            Stall::Bursts => Ready::Bursts,
        },
        limit: arguments.limit.unwrap_or(INSTRUCTIONS),
        until_trap: arguments.until_trap,
        traps_in_a_row: if arguments.limit.is_some() { u64::MAX } else { TRAPS_IN_A_ROW },
        ring: arguments.ring.map(|bytes| bytes as usize),
    };
    let progress = progress::bar(options.limit, "instructions");
    let live::Lived { run, log, agreement } =
        live::run((core, &ingress), design, &traced, program, &options, &progress)?;
    drop(progress);
    let Run { end, instructions, cycles, stall_cycles, trace, console, .. } = run;
    let (end_word, status) = match end {
        End::Exit(status) => ("exit", Some(status.into())),
        End::Limit => ("limit", None),
        End::Trap(address) => ("trap", Some(address)),
        End::TrapLoop(address) => ("trap-loop", Some(address)),
    };
    let different = agreement.as_ref().err().map(Disagreement::to_string);
    let decoded_equal = different.is_none();
    let failure =
        different.or_else(|| unfinished(arguments, core, &end, instructions, log.traps()));
    let found = agreement.unwrap_or_default();
    let lived = Lived {
        design: design.name.clone(),
        core: core.name(),
        program: arguments.program.display().to_string(),
        end: end_word,
        status,
        instructions,
        handlers: log.handlers(),
        traps: log.traps(),
        exceptions: found.exceptions,
        bits: trace.bits,
        bits_per_instruction: ratio(trace.bits, instructions),
        cycles,
        stall_cycles,
        decoded_instructions: found.instructions,
        lost_instructions: found.lost_instructions,
        gaps: found.gaps,
        write_pointer: trace.write_pointer,
        decoded_equal,
        failure,
        console: String::from_utf8_lossy(&console).into_owned(),
        trace_bytes: trace.bytes.len() as u64,
    };
    Ok((lived, trace))
}

/// Why a program did not come to its end, unless it was told to stop.
fn unfinished(
    arguments: &Arguments,
    core: Core,
    end: &End,
    instructions: u64,
    traps: u64,
) -> Option<String> {
    match end {
        End::Exit(_) => None,
        End::Limit if arguments.limit.is_some() => None,
        End::Trap(_) if arguments.until_trap => None,
        End::Limit => Some(format!(
            "the program did not end within {} and {}; expected a program that ends, or --limit",
            counted(instructions, "instruction"),
            counted(traps, "trap"),
        )),
        End::TrapLoop(address) => Some(format!(
            "the instruction at {address:#x} trapped {TRAPS_IN_A_ROW} times after {}, and none retired in between: the \
             handler is missing or traps itself; --until-trap stops at the first trap, and a ring then has what led to it",
            counted(instructions, "instruction"),
        )),
        End::Trap(address) => Some(format!(
            "{core} stopped for good at {address:#x}, after {}: there it found ebreak, an instruction that it does not \
             know or a misaligned address, and no handler was enabled",
            counted(instructions, "instruction"),
        )),
    }
}

/// What a trace with gaps has: sentences for each design, whose ring is that of a RAM sink or not.
fn remarks(lived: &[Lived], has_sink: bool) -> String {
    let remark = |one: &Lived| {
        let gaps = counted(one.gaps, "gap");
        let (name, lost) = (&one.design, grouped(one.lost_instructions));
        let decoded = grouped(one.decoded_instructions);
        match one.write_pointer {
            Some(pointer) => format!(
                "{name}: the ring buffer of {} bytes has {decoded} of the last {} instructions, with {gaps}; {}\n",
                grouped(one.trace_bytes),
                grouped(one.decoded_instructions + one.lost_instructions),
                ring::option(pointer, has_sink),
            ),
            None if one.gaps > 0 => {
                format!(
                    "{name}: {decoded} instructions are in the trace; {lost} were lost in {gaps}\n"
                )
            }
            None => String::new(),
        }
    };
    lived.iter().map(remark).collect()
}

fn table(lived: &[Lived]) -> String {
    let header = [
        "design",
        "core",
        "end",
        "decoded = core",
        "instructions",
        "handlers",
        "bits",
        "bits/instruction",
        "cycles",
        "stall cycles",
    ];
    let mut table = Table::new(&header, 4).named_by(2);
    for one in lived {
        let end = match (one.end, one.status) {
            ("trap", Some(address)) => format!("trap at {address:#x}"),
            (end, Some(status)) => format!("{end} {status}"),
            (end, None) => end.into(),
        };
        table.add_row([
            one.design.clone(),
            one.core.into(),
            end,
            String::from(if one.decoded_equal { "equal" } else { "DIFFERENT" }),
            grouped(one.instructions),
            grouped(one.handlers),
            grouped(one.bits),
            format!("{:.4}", one.bits_per_instruction),
            grouped(one.cycles),
            grouped(one.stall_cycles),
        ]);
    }
    table.to_text()
}
