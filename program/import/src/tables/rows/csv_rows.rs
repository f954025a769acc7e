//! Traces as comma-separated values.

use std::io::{self, BufRead, Write};

use tracewright_sim::event::{Access, Event, ExecutionState, Item, Machine};
use tracewright_sim::trace_io::Extensions;

use super::{COLUMNS, Cells, EVENT_COLUMNS, Rows};
use crate::error::Problem;
use crate::tables::{Table, truth};
use crate::words::number;

/// Bytes that are collected before they are written.
const CHUNK: usize = 64 << 10;

/// Writes comma-separated values.
pub(super) struct Writer<W: Write> {
    sink: W,
    pending: Vec<u8>,
    extensions: Extensions,
}

impl<W: Write> Writer<W> {
    pub(super) fn new(sink: W, machine: Machine, extensions: Extensions) -> io::Result<Self> {
        let mut writer = Writer { sink, pending: Vec::with_capacity(2 * CHUNK), extensions };
        write!(writer.pending, "# {}", super::super::machine::line(machine, extensions)?)?;
        let columns: Vec<&str> = COLUMNS
            .iter()
            .enumerate()
            .filter(|(place, _)| writer.has(*place))
            .map(|(_, name)| *name)
            .collect();
        writeln!(writer.pending, "{}", columns.join(","))?;
        Ok(writer)
    }

    /// True for a column of the table.
    fn has(&self, place: usize) -> bool {
        match place {
            0..EVENT_COLUMNS => true,
            EVENT_COLUMNS => self.extensions.data,
            _ => self.extensions.states,
        }
    }

    pub(super) fn write(&mut self, item: &Item) -> io::Result<()> {
        let into = &mut self.pending;
        match item {
            Item::Event(event) => put_event(event, self.extensions.lengths, into)?,
            Item::Access(Access { site, address }) => {
                let kind = if site.store { "store" } else { "load" };
                let (instructions, at) = (site.instructions, site.program_counter);
                write!(into, "{instructions},{kind},{at:#x},,,,,,{},{address:#x}", site.thread)?;
            }
            Item::Cycles(cycles) => {
                write!(into, "{cycles},cycles,,,,,,,")?;
                into.extend_from_slice(if self.extensions.data { b"," } else { b"" });
            }
            Item::State(state) => {
                into.extend_from_slice(b",state,,,,,,,");
                into.extend_from_slice(if self.extensions.data { b"," } else { b"" });
                let ExecutionState { context, privilege, cause } = state;
                write!(into, ",{context:#x},{privilege},")?;
                if let Some(cause) = cause {
                    write!(into, "{cause:#x}")?;
                }
            }
        }
        match item {
            Item::Event(_) if self.extensions.data => into.push(b','),
            _ => {}
        }
        if self.extensions.states && !matches!(item, Item::State(_)) {
            into.extend_from_slice(b",,,");
        }
        into.push(b'\n');
        if into.len() >= CHUNK { self.pass_on() } else { Ok(()) }
    }

    fn pass_on(&mut self) -> io::Result<()> {
        self.sink.write_all(&self.pending)?;
        self.pending.clear();
        Ok(())
    }

    pub(super) fn finish(mut self) -> io::Result<W> {
        self.pass_on()?;
        Ok(self.sink)
    }
}

fn put_event(event: &Event, lengths: bool, into: &mut Vec<u8>) -> io::Result<()> {
    let Event { instructions, program_counter, target, kind, .. } = event;
    let flags = [event.call, event.is_return, event.taken].map(u8::from);
    let [call, is_return, taken] = flags;
    write!(into, "{instructions},{kind},{program_counter:#x},{call},{is_return},{taken},")?;
    if event.taken {
        write!(into, "{target:#x}")?;
    }
    into.push(b',');
    if lengths && event.length != 0 {
        write!(into, "{}", event.length)?;
    }
    write!(into, ",{}", event.thread)
}

/// Reads comma-separated values.
pub(crate) struct Reader<R> {
    table: Table<R>,
    /// The places of the columns, in the order of [`COLUMNS`].
    places: [Option<usize>; COLUMNS.len()],
}

impl<R: BufRead> Reader<R> {
    pub(crate) fn new(source: R) -> Result<Self, Problem> {
        let table = Table::new(source)?;
        for name in ["instructions", "kind", "program_counter"] {
            table.required(name)?;
        }
        let places = COLUMNS.map(|name| table.column(name));
        Ok(Reader { table, places })
    }
}

impl<R: BufRead> Rows for Reader<R> {
    fn line(&self) -> u64 {
        self.table.line()
    }

    fn next_item(&mut self) -> Result<Option<Item>, Problem> {
        if !self.table.next_row()? {
            return Ok(None);
        }
        let [
            instructions,
            kind,
            program_counter,
            call,
            is_return,
            taken,
            target,
            length,
            thread,
            address,
            context,
            privilege,
            cause,
        ] = self.places;
        let any = |column| self.table.optional(column, "a number, such as 0x1000", number);
        let small = |column| {
            let parse = |cell: &[u8]| number(cell).and_then(|value| value.try_into().ok());
            self.table.optional(column, "a number from 0 to 255", parse)
        };
        let flag = |column| self.table.optional(column, "0 or 1", truth);
        let cells = Cells {
            instructions: any(instructions)?,
            program_counter: any(program_counter)?,
            call: flag(call)?,
            is_return: flag(is_return)?,
            taken: flag(taken)?,
            target: any(target)?,
            length: small(length)?,
            thread: small(thread)?,
            address: any(address)?,
            context: any(context)?,
            privilege: small(privilege)?,
            cause: any(cause)?,
        };
        cells.item(self.table.cell(kind)).map(Some)
    }
}
