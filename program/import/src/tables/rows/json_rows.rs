//! Traces as lines of JSON.

use std::io::{self, BufRead, Write};

use serde::{Deserialize, Serialize};
use tracewright_sim::event::{Access, Event, ExecutionState, Item, Machine};
use tracewright_sim::trace_io::Extensions;

use super::{Cells, Rows, isa_of};
use crate::error::Problem;
use crate::lines::Lines;
use crate::tables::machine;

/// A line: the cells that its row has.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<u64>,
    kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    program_counter: Option<Address>,
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<bool>,
    #[serde(rename = "return", skip_serializing_if = "Option::is_none")]
    is_return: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    taken: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<Address>,
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thread: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<Address>,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<Address>,
    #[serde(skip_serializing_if = "Option::is_none")]
    privilege: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<Address>,
    #[serde(skip_serializing_if = "Option::is_none")]
    isa: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    alignment: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address_bits: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extensions: Option<Vec<String>>,
}

/// A number of up to 64 bits: a text in hexadecimal, because many readers of JSON keep 53 bits of a number.
#[derive(Clone, Copy)]
struct Address(u64);

impl Serialize for Address {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:#x}", self.0))
    }
}

impl<'de> Deserialize<'de> for Address {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Address, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Either {
            Number(u64),
            Text(String),
        }
        let expected = "expected a number, or a text such as \"0x1000\"";
        match Either::deserialize(deserializer) {
            Ok(Either::Number(number)) => Ok(Address(number)),
            Ok(Either::Text(text)) => crate::words::number(text.as_bytes())
                .map(Address)
                .ok_or_else(|| serde::de::Error::custom(expected)),
            Err(_) => Err(serde::de::Error::custom(expected)),
        }
    }
}

impl Row {
    fn of(item: &Item, lengths: bool) -> Row {
        match item {
            Item::Event(event) => Row::of_event(event, lengths),
            Item::Access(Access { site, address }) => Row {
                instructions: Some(site.instructions),
                kind: if site.store { "store" } else { "load" }.into(),
                program_counter: Some(Address(site.program_counter)),
                thread: Some(site.thread),
                address: Some(Address(*address)),
                ..Row::default()
            },
            Item::Cycles(cycles) => {
                Row { instructions: Some(*cycles), kind: "cycles".into(), ..Row::default() }
            }
            Item::State(ExecutionState { context, privilege, cause }) => Row {
                kind: "state".into(),
                context: Some(Address(*context)),
                privilege: Some(*privilege),
                cause: cause.map(Address),
                ..Row::default()
            },
        }
    }

    fn of_event(event: &Event, lengths: bool) -> Row {
        Row {
            instructions: Some(event.instructions),
            kind: event.kind.to_string(),
            program_counter: Some(Address(event.program_counter)),
            call: Some(event.call),
            is_return: Some(event.is_return),
            taken: Some(event.taken),
            target: event.taken.then_some(Address(event.target)),
            length: Some(event.length).filter(|length| lengths && *length != 0),
            thread: Some(event.thread),
            ..Row::default()
        }
    }

    /// The machine of a row of kind `machine`.
    fn machine(&self) -> Result<(Machine, Extensions), Problem> {
        let isa = self.isa.as_deref().and_then(isa_of);
        let extensions = self.extensions.as_deref().unwrap_or_default().join(" ");
        let (Some(isa), Some(alignment), Some(address_bits)) =
            (isa, self.alignment, self.address_bits)
        else {
            let expected = "isa, alignment and address_bits of the machine";
            return Err(Problem::Expected { expected, found: "less".into() });
        };
        let line =
            format!("machine {isa} alignment={alignment} address_bits={address_bits} {extensions}");
        machine::parse(&line)
    }

    fn item(&self) -> Result<Item, Problem> {
        let cells = Cells {
            instructions: self.instructions,
            program_counter: self.program_counter.map(|address| address.0),
            call: self.call,
            is_return: self.is_return,
            taken: self.taken,
            target: self.target.map(|address| address.0),
            length: self.length,
            thread: self.thread,
            address: self.address.map(|address| address.0),
            context: self.context.map(|address| address.0),
            privilege: self.privilege,
            cause: self.cause.map(|address| address.0),
        };
        cells.item(self.kind.as_bytes())
    }
}

/// The row of a line.
fn parse(line: &[u8]) -> Result<Row, Problem> {
    serde_json::from_slice(line).map_err(|error| {
        // The number of the line is that of the file, not that in the one line that is parsed.
        let (text, column) = (error.to_string(), error.column());
        let text = text.strip_suffix(&format!(" at line {} column {column}", error.line()));
        match text {
            Some(text) => Problem::Table(format!("{text}, at character {column}")),
            None => Problem::Table(error.to_string()),
        }
    })
}

/// The machine in the first line of a table, if it has one.
pub(crate) fn machine_of(head: &[u8]) -> Option<(Machine, Extensions)> {
    let line = head.split(|byte| *byte == b'\n').find(|line| !line.trim_ascii().is_empty())?;
    let row = parse(line).ok().filter(|row| row.kind == "machine")?;
    row.machine().ok()
}

/// Writes lines of JSON.
pub(super) struct Writer<W: Write> {
    sink: io::BufWriter<W>,
    extensions: Extensions,
}

impl<W: Write> Writer<W> {
    pub(super) fn new(sink: W, machine: Machine, extensions: Extensions) -> io::Result<Self> {
        let mut writer = Writer { sink: io::BufWriter::with_capacity(64 << 10, sink), extensions };
        let words = machine::extension_names(extensions);
        writer.put(&Row {
            kind: "machine".into(),
            isa: Some(machine.isa.to_string()),
            alignment: Some(machine.alignment),
            address_bits: Some(machine.address_bits),
            extensions: Some(words),
            ..Row::default()
        })?;
        Ok(writer)
    }

    pub(super) fn write(&mut self, item: &Item) -> io::Result<()> {
        self.put(&Row::of(item, self.extensions.lengths))
    }

    fn put(&mut self, row: &Row) -> io::Result<()> {
        serde_json::to_writer(&mut self.sink, row)?;
        self.sink.write_all(b"\n")
    }

    pub(super) fn finish(self) -> io::Result<W> {
        self.sink.into_inner().map_err(io::IntoInnerError::into_error)
    }
}

/// Reads lines of JSON.
pub(crate) struct Reader<R> {
    lines: Lines<R>,
    is_begun: bool,
}

impl<R: BufRead> Reader<R> {
    pub(crate) fn new(source: R) -> Self {
        Reader { lines: Lines::new(source), is_begun: false }
    }
}

impl<R: BufRead> Rows for Reader<R> {
    fn line(&self) -> u64 {
        self.lines.number()
    }

    fn next_item(&mut self) -> Result<Option<Item>, Problem> {
        loop {
            let Some(line) = self.lines.next_line()? else { return Ok(None) };
            if line.trim_ascii().is_empty() {
                continue;
            }
            let row = parse(line)?;
            if row.kind == "machine" && !std::mem::replace(&mut self.is_begun, true) {
                row.machine()?;
                continue;
            }
            self.is_begun = true;
            return row.item().map(Some);
        }
    }
}
