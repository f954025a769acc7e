//! A log that is imported.

use std::io::Read;
use std::sync::Arc;

use tracewright_image::{Image, InstructionSet};
use tracewright_sim::event::{Item, Kind, Machine};
use tracewright_sim::rvfi::Extensions as CodeExtensions;
use tracewright_sim::rvfi::{Compressed, Trapped};
use tracewright_sim::trace_io::Extensions;

use crate::code::LoggedCode;
use crate::error::{Error, Place, Problem};
use crate::flow::{FlowFollower, Sink};
use crate::follow_rows::FollowRows;
use crate::follower::Follower;
use crate::format::{Format, check_kind};
use crate::guess;
use crate::lines::{Lines, Source, read_ahead};
use crate::logs::cva6::Cva6;
use crate::logs::ibex::Ibex;
use crate::logs::pattern::{self, Pattern};
use crate::logs::qemu::Qemu;
use crate::logs::spike::Spike;
use crate::logs::{self, LogReader};
use crate::port::{self, row::TakeRows};
use crate::spans::Spans;
use crate::tables::rows::{self, Rows};
use crate::tables::{Table, machine, ports};
use crate::waveform::{self, Core};

/// How a log is read.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The format; without it, that is recognised by the contents.
    pub format: Option<Format>,
    /// The program that ran.
    pub program: Option<Arc<Image>>,
    /// The instruction set; without it, that of the program, or what the log says.
    pub instruction_set: Option<InstructionSet>,
    /// Extensions of RISC-V code, where there is no program that has its own.
    pub extensions: CodeExtensions,
    /// What a port has in place of a compressed instruction; without it, that is found in the beginning of a table, and a waveform
    /// has the instruction itself, or a pin if all lanes of the core name one.
    pub compressed: Option<Compressed>,
    /// What a port says of traps; without it, that is found in the beginning of a table, and an instruction of a waveform that traps
    /// has not retired.
    pub trap: Option<Trapped>,
    /// The only hart to take, as thread 0; without it, each hart is the thread of its number.
    pub hart: Option<u32>,
    /// The form of the lines of a log, for the format of lines of one form.
    pub pattern: Option<Pattern>,
    /// What a waveform calls the signals of the core.
    pub core: Option<Core>,
    /// The signals of a waveform whose simulation was ended before it could write them into it: FILE.fst.hier beside FILE.fst.
    pub hierarchy: Option<Vec<u8>>,
    /// The most events of the trace; without it, as many as the log has.
    pub events_max: Option<u64>,
}

/// What was imported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Instructions that the log says retired, with those that are left out.
    pub instructions: u64,
    /// Exceptions and interrupts, without the one with which each thread begins.
    pub exceptions: u64,
    /// Instructions after the last event, which are not in the trace.
    pub left_out: u64,
    /// Those of them that are of the last blocks of a log of blocks, which does not say whether they ran.
    pub last_blocks: u64,
    /// Lines that say nothing of the execution.
    pub other_lines: u64,
    /// Instructions after which another one follows than the log itself says, without the first ones of handlers.
    pub other_next: u64,
    /// The first address of an instruction that the log has and no file of the program.
    pub outside: Option<u64>,
    /// The line at whose end a waveform is cut, in the middle of a change: the trace has what is before it.
    pub cut_line: Option<u64>,
    /// A simulation that was ended has left a waveform of which the trace has what was written.
    pub is_unfinished: bool,
    /// The log marks exceptions and interrupts, where its format may also leave them out.
    pub marks_exceptions: bool,
}

impl Summary {
    /// What the log, of this format, does not say of the execution: a sentence, or nothing for what says all.
    pub fn cannot_tell(&self, format: Format) -> Option<&'static str> {
        format.cannot_tell().filter(|_| !self.marks_exceptions)
    }

    /// Where a waveform is cut: a sentence, or nothing for one that is whole.
    pub fn cut(&self) -> Option<String> {
        if self.is_unfinished {
            return Some(
                "the simulation was ended before it had written the whole waveform: the trace ends with what was written"
                    .to_owned(),
            );
        }
        self.cut_line.map(|line| {
            format!(
                "the waveform ends in the middle of a change, in line {line}: the trace ends with the last edge of the \
                 clock before it"
            )
        })
    }
}

/// A log whose beginning has been read.
pub struct Import {
    name: String,
    format: Format,
    set: Option<InstructionSet>,
    machine: Machine,
    extensions: Extensions,
    options: Options,
    source: Source,
}

impl Import {
    /// Reads the beginning of a log, and calls it `name` in errors.
    ///
    /// # Errors
    /// The log cannot be read, is of no known format, or does not say which processor it is of.
    pub fn new(log: Box<dyn Read + Send>, name: &str, options: Options) -> Result<Import, Error> {
        let fail = |problem| Error::new(name, Place::File, problem);
        let (head, source) = read_ahead(log).map_err(fail)?;
        let format = match options.format {
            _ if options.pattern.is_some() => check_kind(&head).map(|()| Format::Lines),
            Some(Format::Lines) => Err(Problem::Pattern("expected a regular expression".into())),
            Some(format) => check_kind(&head).map(|()| format),
            None => Format::detect(&head),
        };
        let format = format.map_err(fail)?;
        if format.is_waveform() && options.core.is_none() {
            return Err(fail(Problem::NoCore));
        }
        if !format.is_waveform() && options.core.is_some() {
            return Err(fail(Problem::NoWaveform(format)));
        }
        let options = with_conventions(format, options, &head);
        let said = match format {
            Format::Csv => machine::of_comment(&head),
            Format::JsonLines => rows::machine_of(&head),
            _ => None,
        };
        let set = guess::instruction_set(format, &options, &head).map_err(fail)?;
        let (machine, extensions) = match (said, set) {
            (Some(said), _) => said,
            (None, None) => return Err(fail(no_machine(format, &options, &head))),
            (None, Some(set)) => (
                guess::machine(set, options.program.as_deref(), &head),
                guess::extensions(format, &options, &head),
            ),
        };
        let name = name.to_owned();
        Ok(Import { name, format, set, machine, extensions, options, source })
    }

    /// The format.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The processor that the log is of.
    pub fn machine(&self) -> Machine {
        self.machine
    }

    /// What the trace has beyond the events of four threads.
    pub fn extensions(&self) -> Extensions {
        self.extensions
    }

    /// Reads the log to its end, and gives `sink` the items of the trace.
    ///
    /// # Errors
    /// The log cannot be read, a line is not what the format has, or the sink fails. What `sink` has got before is
    /// then a part of the trace.
    pub fn run(self, sink: &mut Sink<'_>) -> Result<Summary, Error> {
        let Import { name, format, set, machine, extensions, options, source } = self;
        let events_max = options.events_max.unwrap_or(u64::MAX);
        let fail = |line, problem| match line {
            0 => Error::new(&name, Place::File, problem),
            line => Error::new(&name, Place::Line(line), problem),
        };
        match (format, set) {
            (Format::Csv, _) => {
                let rows = rows::CsvReader::new(source).map_err(|problem| fail(0, problem))?;
                copy(rows, (machine, events_max), sink)
                    .map_err(|(line, problem)| fail(line, problem))
            }
            (Format::JsonLines, _) => {
                let rows = rows::JsonReader::new(source);
                copy(rows, (machine, events_max), sink)
                    .map_err(|(line, problem)| fail(line, problem))
            }
            (_, None) => Err(fail(0, Problem::NoMachine)),
            (_, Some(set)) => {
                let code = LoggedCode::new(set, options.program);
                let flow = FlowFollower::new(machine.address_bits, sink);
                let most = extensions.thread_max();
                let mut follower = Follower::new(code, flow, options.hart, most, events_max);
                let done = match format.is_port() {
                    true => {
                        let trap = options.trap.unwrap_or(Trapped::NotRetired);
                        let conventions = (options.compressed, trap);
                        let mut rows = FollowRows::new(&mut follower, format, conventions);
                        let names = (options.core.as_ref(), options.hierarchy.as_ref());
                        read_rows(format, source, names, &mut rows)
                            .and_then(|is_ended| {
                                rows.finish().map_err(|problem| (0, problem))?;
                                Ok(is_ended)
                            })
                            .map(|is_ended| follower.is_unfinished = !is_ended)
                    }
                    false => follow(format, options.pattern.as_ref(), source, &mut follower),
                };
                done.and_then(|()| follower.finish(format).map_err(|problem| (0, problem)))
                    .map_err(|(line, problem)| fail(line, problem))
            }
        }
    }
}

/// The options, with the conventions of a port where they are found in the beginning of its table.
fn with_conventions(format: Format, options: Options, head: &[u8]) -> Options {
    if format.is_waveform() {
        let has_pin = options.core.as_ref().is_some_and(Core::tells_compressed);
        let compressed = options.compressed.or(has_pin.then_some(Compressed::Pin));
        return Options { compressed, ..options };
    }
    if !format.is_port() {
        return options;
    }
    // The last line may be cut.
    let whole = head.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let beginning = std::io::Cursor::new(head[..whole].to_vec());
    // A program that is another one is told where its first word is.
    let without = Options { program: None, ..options.clone() };
    let Ok(checked) = port::check_log(Box::new(beginning), "", &without) else { return options };
    let found = checked.report.settings;
    Options {
        // What words say of themselves is checked row by row.
        compressed: options
            .compressed
            .or(Some(found.compressed).filter(|one| *one != Compressed::Raw)),
        trap: options.trap.or(Some(found.trap)),
        ..options
    }
}

/// Why nothing says which processor a log is of: it may be none of the format that was asked for.
#[cold]
fn no_machine(format: Format, options: &Options, head: &[u8]) -> Problem {
    match Format::detect(head) {
        _ if options.format.is_none() => Problem::NoMachine,
        Ok(found) if found == format => Problem::NoMachine,
        Ok(found) => Problem::OtherFormat { expected: format, found },
        Err(_) => Problem::NothingOfFormat(format),
    }
}

/// A problem, and the line where it is; 0 for the file as a whole.
pub(crate) type AtLine = (u64, Problem);

/// Reads the rows of a port to the end of their log; a waveform needs the names of the core's signals, and one that was not
/// ended those that stand beside it. False for a waveform that was not ended.
pub(crate) fn read_rows(
    format: Format,
    source: Source,
    (core, hierarchy): (Option<&Core>, Option<&Vec<u8>>),
    sink: &mut dyn TakeRows,
) -> Result<bool, AtLine> {
    match (format, core) {
        (Format::Vcd, Some(core)) => waveform::vcd::read(source, core, sink).map(|()| true),
        (Format::Fst, Some(core)) => {
            let read = waveform::fst::read(source, hierarchy.cloned(), core, sink);
            read.map_err(|problem| (0, problem))
        }
        (Format::Vcd | Format::Fst, None) => Err((0, Problem::NoCore)),
        _ => {
            let mut table = Table::new(source).map_err(|problem| (0, problem))?;
            let read = ports::read(&mut table, format, sink).map(|()| true);
            read.map_err(|problem| match problem {
                Problem::NoColumn(_) => (0, problem),
                problem => (table.line(), problem),
            })
        }
    }
}

/// Reads a log of instructions to its end.
fn follow(
    format: Format,
    pattern: Option<&Pattern>,
    source: Source,
    follower: &mut Follower<'_>,
) -> Result<(), AtLine> {
    let mut lines = Lines::new(source);
    let mut reader: Box<dyn LogReader + '_> = match format {
        _ if let Some(pattern) = pattern.or(Pattern::of(format)) => {
            Box::new(pattern::Lines(pattern))
        }
        Format::Ibex => Box::new(Ibex::default()),
        Format::Cva6 => Box::new(Cva6::default()),
        Format::Qemu => Box::new(Qemu::default()),
        _ => Box::new(Spike::new()),
    };
    let read = logs::read(&mut *reader, &mut lines, follower);
    read.map_err(|problem| match problem {
        Problem::NoExecution | Problem::SingleSteps => (0, problem),
        problem => (lines.number(), problem),
    })
}

/// Copies the rows of a table.
fn copy(
    mut rows: impl Rows,
    (machine, events_max): (Machine, u64),
    sink: &mut Sink<'_>,
) -> Result<Summary, AtLine> {
    let mut spans = Spans::new(machine);
    let mut summary = Summary::default();
    let mut events = 0;
    let mut threads = 0u8;
    loop {
        let item = match rows.next_item() {
            Ok(None) => return Ok(summary),
            Ok(Some(item)) => item,
            Err(problem) => return Err((rows.line(), problem)),
        };
        sink(&item).map_err(|error| (rows.line(), error.into()))?;
        if let Item::Event(event) = item {
            spans.check(&event).map_err(|misfit| (rows.line(), Problem::Misfit(misfit)))?;
            events += 1;
            if events > events_max {
                return Err((rows.line(), Problem::ManyEvents(events_max)));
            }
            summary.instructions += event.instructions;
            let is_begun = threads & 1 << (event.thread & 7) != 0;
            threads |= 1 << (event.thread & 7);
            let is_exception = event.kind == Kind::Exception && event.taken;
            summary.exceptions += u64::from(is_exception && is_begun);
        }
    }
}
