//! What the beginning of a log says of the processor.

use tracewright_image::{Image, InstructionSet};
use tracewright_sim::event::{Isa, Machine};
use tracewright_sim::pins::ingress;
use tracewright_sim::rvfi::Compressed;
use tracewright_sim::trace_io::Extensions;

use crate::error::Problem;
use crate::format::Format;
use crate::import::Options;
use crate::logs::pattern::Pattern;
use crate::logs::{cva6, qemu, spike};
use crate::tables;
use crate::waveform::Core;
use crate::words::{Words, decimal, hexadecimal, without_prefix};

/// Digits of an address of 32 bits.
const DIGITS_OF_32_BITS: usize = 8;

/// The lines of the beginning of a log.
fn lines(head: &[u8]) -> impl Iterator<Item = &[u8]> {
    head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end)
}

/// The instruction set of a log: that of the program, the one that was asked for, or what the log says; `None` if nothing
/// of these says it.
pub(crate) fn instruction_set(
    format: Format,
    options: &Options,
    head: &[u8],
) -> Result<Option<InstructionSet>, Problem> {
    let of_program = options.program.as_ref().map(|image| image.instruction_set());
    if let (Some(found), Some(expected)) = (of_program, options.instruction_set)
        && !found.is_of_one_program(expected)
    {
        return Err(Problem::OtherSet { expected, found });
    }
    let of_core = options.core.as_ref().and_then(Core::instruction_set);
    let said = options.instruction_set.or(of_core).or_else(|| guess(format, head));
    let set = of_program.or(said.map(|set| set.with(options.extensions)));
    let Some(set) = set else { return Ok(None) };
    match format.is_risc_v() && set.isa() != Isa::RiscV {
        true => Err(Problem::OtherProcessor { format, found: set }),
        false => Ok(Some(set)),
    }
}

fn guess(format: Format, head: &[u8]) -> Option<InstructionSet> {
    let digits = match format {
        // All addresses have as many digits.
        Format::Veer | Format::Rocket | Format::Neorv32 | Format::Sail => {
            lines(head).find_map(|line| Pattern::of(format)?.digits_of_address(line))
        }
        Format::Ariane => {
            let digits =
                lines(head).filter_map(|line| Pattern::of(format)?.digits_of_address(line));
            digits.max().filter(|digits| *digits > DIGITS_OF_32_BITS)
        }
        Format::Lines | Format::Execlog | Format::Renode | Format::Gem5 | Format::Cv32e40p => None,
        Format::Ibex => Some(DIGITS_OF_32_BITS),
        Format::Spike | Format::Cva6 => lines(head).find_map(digits_of_address),
        Format::Rvfi => {
            Some(widest(head, &[ingress::RVFI_PC_RDATA.name, ingress::RVFI_PC_WDATA.name]))
        }
        Format::Retired => {
            Some(widest(head, &[ingress::RETIRED_PC.name, ingress::RETIRED_NEXT_PC.name]))
        }
        Format::ProgramCounters => {
            column(head, "insn").or(column(head, "binary"))?;
            Some(widest(head, &["pc"]))
        }
        Format::Qemu | Format::Vcd | Format::Fst | Format::Csv | Format::JsonLines => None,
    };
    digits.map(|digits| match digits > DIGITS_OF_32_BITS {
        true => InstructionSet::RV64,
        false => InstructionSet::RV32,
    })
}

/// The digits of the address in a line of Spike or of CVA6.
fn digits_of_address(line: &[u8]) -> Option<usize> {
    if cva6::is_instruction(line) {
        let mut words = Words(line);
        let (_time, _cycle, _privilege) = (words.word(), words.word(), words.word());
        return Some(words.word().len());
    }
    if !line.starts_with(b"core") && !spike::is_bare_commit(line) {
        return None;
    }
    let place = line.windows(2).position(|part| part == b"0x")?;
    Words(&line[place..]).prefixed().map(|(_, digits)| digits)
}

/// The place of a column in a table.
fn column(head: &[u8], name: &str) -> Option<usize> {
    let names = tables::row_of_names(head);
    let mut names = tables::cells(names, tables::separator(names));
    names.position(|other| other.eq_ignore_ascii_case(name.as_bytes()))
}

/// The most digits of the addresses in these columns of a table, 0 without rows.
fn widest(head: &[u8], names: &[&str]) -> usize {
    let columns: Vec<usize> = names.iter().filter_map(|name| column(head, name)).collect();
    let separator = tables::separator(tables::row_of_names(head));
    let digits = lines(head).flat_map(|line| {
        let cells: Vec<&[u8]> = tables::cells(line, separator).collect();
        let cells = columns.iter().filter_map(|column| cells.get(*column).copied());
        let addresses = cells.filter(|cell| hexadecimal(cell).is_some());
        addresses.map(|cell| without_prefix(cell).len()).collect::<Vec<_>>()
    });
    digits.max().unwrap_or(0)
}

/// The processor of a log of this instruction set.
pub(crate) fn machine(set: InstructionSet, program: Option<&Image>, head: &[u8]) -> Machine {
    let mut machine = program.map_or(
        Machine {
            isa: set.isa(),
            alignment: match set {
                InstructionSet::AArch64 => 2,
                _ if set.isa() == Isa::RiscV => 1,
                _ => 0,
            },
            address_bits: set.address_bits(),
        },
        Image::machine,
    );
    if set == InstructionSet::Arm && has_thumb(program, head) {
        machine.alignment = 0;
    }
    machine
}

/// True if the program, or a block at the beginning of the log, has Thumb code.
fn has_thumb(program: Option<&Image>, head: &[u8]) -> bool {
    let is_thumb = |image: &Image| {
        image.entry() & 1 == 1 || image.functions().any(|function| function.address & 1 == 1)
    };
    program.is_some_and(is_thumb) || lines(head).any(qemu::is_thumb)
}

/// What a trace of a log has.
pub(crate) fn extensions(format: Format, options: &Options, head: &[u8]) -> Extensions {
    let data = match format {
        Format::Ibex | Format::Cva6 => true,
        Format::Vcd | Format::Fst => options.core.as_ref().is_some_and(Core::has_accesses),
        Format::Spike => lines(head).any(spike::is_commit),
        Format::Rvfi => column(head, "rvfi_mem_addr").is_some(),
        _ => false,
    };
    let hart_column = column(head, "hart");
    let separator = tables::separator(tables::row_of_names(head));
    let pattern = options.pattern.as_ref().or(Pattern::of(format));
    let harts = lines(head).filter_map(|line| match format {
        _ if let Some(pattern) = pattern => pattern.hart_of(line),
        Format::Spike => spike::hart_of(line),
        Format::Qemu => qemu::hart_of(line),
        Format::Rvfi | Format::Retired | Format::ProgramCounters => {
            decimal(tables::cells(line, separator).nth(hart_column?)?)
        }
        _ => None,
    });
    let threads = options.hart.is_none() && harts.max() > Some(3);
    // Words that are expanded do not say how long calls are.
    let lengths = options.compressed != Some(Compressed::Expanded);
    Extensions { lengths, data, threads, ..Extensions::NONE }
}
