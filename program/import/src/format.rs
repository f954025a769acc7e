//! The formats of logs, and how they are recognised.

use std::fmt;

use tracewright_sim::pins::ingress;

use crate::error::{Problem, quoted};
use crate::logs::pattern::Pattern;
use crate::logs::{cva6, ibex, spike};
use crate::tables;
use crate::waveform::{is_fst, is_vcd};
use crate::words::Words;

/// A format that can be imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Spike, `-l` and `--log-commits`.
    Spike,
    /// The tracer of Ibex.
    Ibex,
    /// The tracers of CVA6.
    Cva6,
    /// A table of the RISC-V formal interface.
    Rvfi,
    /// A table of the port `retired`.
    Retired,
    /// QEMU, `-d exec,nochain`.
    Qemu,
    /// A table of program counters.
    ProgramCounters,
    /// A waveform as a value change dump.
    Vcd,
    /// A waveform as a fast signal trace.
    Fst,
    /// A trace as comma-separated values.
    Csv,
    /// A trace as lines of JSON.
    JsonLines,
    /// QEMU's plugin execlog.
    Execlog,
    /// VeeR: exec.log.
    Veer,
    /// Rocket and Chipyard: lines C0:.
    Rocket,
    /// NEORV32: its tracer.
    Neorv32,
    /// The Sail model of RISC-V.
    Sail,
    /// Renode: PCAndOpcode.
    Renode,
    /// gem5: --debug-flags=Exec.
    Gem5,
    /// Older Ariane: .dis files.
    Ariane,
    /// CV32E40P's tracer and RI5CY's, with --program.
    Cv32e40p,
    /// Lines of one form: --pattern.
    Lines,
}

impl Format {
    /// Every format, in the order of the documentation.
    pub const ALL: [Format; 21] = [
        Format::Spike,
        Format::Ibex,
        Format::Cva6,
        Format::Rvfi,
        Format::Retired,
        Format::Qemu,
        Format::ProgramCounters,
        Format::Vcd,
        Format::Fst,
        Format::Csv,
        Format::JsonLines,
        Format::Execlog,
        Format::Veer,
        Format::Rocket,
        Format::Neorv32,
        Format::Sail,
        Format::Renode,
        Format::Gem5,
        Format::Ariane,
        Format::Cv32e40p,
        Format::Lines,
    ];

    /// The name, as an option takes it.
    pub fn name(self) -> &'static str {
        match self {
            Format::Spike => "spike",
            Format::Ibex => "ibex",
            Format::Cva6 => "cva6",
            Format::Rvfi => "rvfi",
            Format::Retired => "retired",
            Format::Qemu => "qemu",
            Format::ProgramCounters => "pc",
            Format::Vcd => "vcd",
            Format::Fst => "fst",
            Format::Csv => "csv",
            Format::JsonLines => "jsonl",
            Format::Execlog => "execlog",
            Format::Veer => "veer",
            Format::Rocket => "rocket",
            Format::Neorv32 => "neorv32",
            Format::Sail => "sail",
            Format::Renode => "renode",
            Format::Gem5 => "gem5",
            Format::Ariane => "ariane",
            Format::Cv32e40p => "cv32e40p",
            Format::Lines => "lines",
        }
    }

    /// What the format is, in a few words.
    pub fn description(self) -> &'static str {
        match self {
            Format::Spike => "a log of Spike (-l, --log-commits)",
            Format::Ibex => "a log of Ibex' tracer",
            Format::Cva6 => "a log of CVA6's tracers",
            Format::Rvfi => "a table of the RISC-V formal interface",
            Format::Retired => "a table of the port retired",
            Format::Qemu => "a log of QEMU (-d exec,nochain)",
            Format::ProgramCounters => "a table of program counters",
            Format::Vcd => "a waveform (VCD)",
            Format::Fst => "a waveform (FST)",
            Format::Csv => "a trace as comma-separated values",
            Format::JsonLines => "a trace as lines of JSON",
            Format::Execlog => "a log of QEMU's plugin execlog",
            Format::Veer => "a log of VeeR (exec.log)",
            Format::Rocket => "a log of Rocket",
            Format::Neorv32 => "a log of NEORV32's tracer",
            Format::Sail => "a log of the Sail model",
            Format::Renode => "a log of Renode",
            Format::Gem5 => "a log of gem5",
            Format::Ariane => "a log of older Ariane",
            Format::Cv32e40p => "a log of CV32E40P's tracer",
            Format::Lines => "a log of lines of one form (--pattern)",
        }
    }

    /// What a log of this format may not say of an execution: a sentence, or nothing for what says all.
    pub(crate) fn cannot_tell(self) -> Option<&'static str> {
        match self {
            Format::Spike => Some(
                "--log-commits without -l has no lines of exceptions: a jump that no instruction explains is one, and \
                 what was attempted there is not known",
            ),
            Format::Ibex => Some(
                "the log does not mark exceptions: a jump that no instruction explains is one; the instruction before \
                 trapped if it can and the handler is at a multiple of 256, else it is an interrupt, and a branch right \
                 before it counts as not taken",
            ),
            Format::Cva6 => Some(
                "trace_rvfi_hart_*.dasm has no lines of interrupts and system calls: a jump that no instruction \
                 explains is one",
            ),
            Format::Rvfi => None,
            Format::Retired => Some(
                "retired_trap, retired_interrupt and retired_next_pc are not all there: a jump that no instruction \
                 explains is a taken exception, and a branch right before it counts as not taken",
            ),
            Format::Qemu => Some(
                "the log has no exceptions and interrupts: a jump that no instruction explains is one, after the block \
                 before or where that was left, and a branch right before it counts as not taken",
            ),
            Format::ProgramCounters => Some(
                "program counters do not tell an exception from an interrupt: a jump that no instruction explains is \
                 one, after the instruction before, and a branch right before it counts as not taken",
            ),
            Format::Vcd | Format::Fst => Some(
                "trap, interrupt and next_program_counter are not all named: a jump that no instruction explains is a \
                 taken exception, and a branch right before it counts as not taken",
            ),
            Format::Csv | Format::JsonLines => None,
            Format::Execlog
            | Format::Veer
            | Format::Rocket
            | Format::Neorv32
            | Format::Sail
            | Format::Renode
            | Format::Gem5
            | Format::Ariane
            | Format::Cv32e40p
            | Format::Lines => Some(
                "the log does not mark exceptions: a jump that no instruction explains is one, after the instruction \
                 before, and a branch right before it counts as not taken",
            ),
        }
    }

    /// True for formats of RISC-V alone.
    pub(crate) fn is_risc_v(self) -> bool {
        self.is_waveform()
            || matches!(self, Format::Spike | Format::Ibex | Format::Cva6 | Format::Rvfi)
            || matches!(self, Format::Veer | Format::Rocket | Format::Neorv32 | Format::Sail)
            || matches!(self, Format::Ariane | Format::Cv32e40p | Format::Retired)
    }

    /// True for what says the pins of a core's retirement port.
    pub(crate) fn is_port(self) -> bool {
        self.is_waveform()
            || matches!(self, Format::Rvfi | Format::Retired | Format::ProgramCounters)
    }

    /// True for waveforms, which need the names of a core's signals.
    pub(crate) fn is_waveform(self) -> bool {
        matches!(self, Format::Vcd | Format::Fst)
    }

    /// The format of a file that begins with these bytes.
    pub(crate) fn detect(head: &[u8]) -> Result<Format, Problem> {
        check_kind(head)?;
        if is_vcd(head) {
            return Ok(Format::Vcd);
        }
        if is_fst(head) {
            return Ok(Format::Fst);
        }
        let mut lines = head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end);
        if let Some(format) = lines.clone().find_map(of_line) {
            return Ok(format);
        }
        let first = lines.find(|line| !line.is_empty()).unwrap_or_default();
        Err(Problem::UnknownFormat(quoted(first)))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.description())
    }
}

/// Fails for files that are known to be something else.
pub(crate) fn check_kind(head: &[u8]) -> Result<(), Problem> {
    let kinds: [(&[u8], &'static str); 3] = [
        (b"\x7fELF", "an ELF file, which is the program of a log: --program FILE"),
        (b"PET", "a trace already"),
        (b"machine ", "a trace already, in the text form"),
    ];
    match kinds.into_iter().find(|(magic, _)| head.starts_with(magic)) {
        Some((_, what)) => Err(Problem::OtherFile(what)),
        None if head.is_empty() => Err(Problem::Empty),
        None => Ok(()),
    }
}

/// The format that has such a line, if it is one that no other text has.
fn of_line(line: &[u8]) -> Option<Format> {
    let mut words = Words(line);
    if words.take(b"core") {
        words.skip_blanks();
        let is_hart = words.decimal().is_some() && words.take(b": ");
        let is_tracer = line.ends_with(b")") && line.windows(5).any(|part| part == b"DASM(");
        return is_hart.then_some(if is_tracer { Format::Cva6 } else { Format::Spike });
    }
    if spike::is_bare_commit(line) {
        return Some(Format::Spike);
    }
    if line.starts_with(ibex::HEADER) {
        return Some(Format::Ibex);
    }
    if cva6::is_instruction(line) || line.starts_with(b"Exception @") {
        return Some(Format::Cva6);
    }
    let is_block = line.strip_prefix(b"Trace ").is_some_and(|rest| {
        let mut words = Words(rest);
        words.decimal().is_some() && words.take(b":")
    });
    if is_block || line.starts_with(b"IN: ") || line == b"IN:" {
        return Some(Format::Qemu);
    }
    if line.starts_with(b"{") {
        return Some(Format::JsonLines);
    }
    if line.starts_with(b"Time\tCycle\tPC\tInstr\t") {
        return Some(Format::Cv32e40p);
    }
    if let Some(format) = Pattern::format_of(line) {
        return Some(format);
    }
    of_names(line)
}

/// The format of a table with these names of columns.
fn of_names(line: &[u8]) -> Option<Format> {
    let has = |name: &[u8]| {
        let mut names = tables::cells(line, tables::separator(line));
        names.any(|other| other.eq_ignore_ascii_case(name))
    };
    if has(ingress::RVFI_INSN.name.as_bytes()) && has(ingress::RVFI_PC_RDATA.name.as_bytes()) {
        return Some(Format::Rvfi);
    }
    if has(b"retired_pc") && has(b"retired_word") {
        return Some(Format::Retired);
    }
    if has(b"kind") && has(b"instructions") {
        return Some(Format::Csv);
    }
    has(b"pc").then_some(Format::ProgramCounters)
}
