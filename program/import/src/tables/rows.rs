//! Traces as tables: one row for each event, access and state, as comma-separated values or as lines of JSON.
//!
//! The columns are those of [`COLUMNS`], of which a table has what its trace needs. `kind` says what a row is:
//!
//! | `kind` | row | columns |
//! |---|---|---|
//! | `direct-jump`, `direct-conditional`, `indirect-jump`, `indirect-conditional`, `exception` | an event | `instructions`, `program_counter`, `call`, `return`, `taken`, `target` if taken, `length` if known, `thread` |
//! | `load`, `store` | an access | `instructions`, `program_counter`, `address`, `thread` |
//! | `state` | a state | `context`, `privilege`, `cause` if there is one |
//! | `machine` | what the trace is of: the first row of JSON | `isa`, `alignment`, `address_bits`, `extensions` |
//!
//! Comma-separated values have the machine in a comment before the names of the columns, as in the text form:
//! `# machine riscv alignment=1 address_bits=32 lengths`. Addresses are in hexadecimal after `0x`, and may be decimal
//! when a table is read.

mod csv_rows;
mod json_rows;

use std::io::{self, Write};

use tracewright_sim::event::{Access, AccessSite, Event, ExecutionState, Isa, Item, Kind, Machine};
use tracewright_sim::trace_io::Extensions;

use crate::error::Problem;

pub(crate) use csv_rows::Reader as CsvReader;
pub(crate) use json_rows::{Reader as JsonReader, machine_of};

/// Every column that a table can have, in their order.
pub const COLUMNS: [&str; 13] = [
    "instructions",
    "kind",
    "program_counter",
    "call",
    "return",
    "taken",
    "target",
    "length",
    "thread",
    "address",
    "context",
    "privilege",
    "cause",
];

/// The columns of events.
const EVENT_COLUMNS: usize = 9;

/// The form of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Comma-separated values.
    Csv,
    /// An object of JSON in each line.
    JsonLines,
}

/// Writes a trace as a table.
pub struct Writer<W: Write>(Inner<W>);

enum Inner<W: Write> {
    Csv(csv_rows::Writer<W>),
    JsonLines(json_rows::Writer<W>),
}

impl<W: Write> Writer<W> {
    /// Begins a table of a trace of this machine.
    ///
    /// # Errors
    /// The sink fails.
    pub fn new(
        sink: W,
        form: Form,
        machine: Machine,
        extensions: Extensions,
    ) -> io::Result<Writer<W>> {
        Ok(Writer(match form {
            Form::Csv => Inner::Csv(csv_rows::Writer::new(sink, machine, extensions)?),
            Form::JsonLines => Inner::JsonLines(json_rows::Writer::new(sink, machine, extensions)?),
        }))
    }

    /// Adds a row.
    ///
    /// # Errors
    /// The sink fails.
    pub fn write(&mut self, item: &Item) -> io::Result<()> {
        match &mut self.0 {
            Inner::Csv(writer) => writer.write(item),
            Inner::JsonLines(writer) => writer.write(item),
        }
    }

    /// Ends the table and gives the sink back, flushed.
    ///
    /// # Errors
    /// The sink fails.
    pub fn finish(self) -> io::Result<W> {
        let mut sink = match self.0 {
            Inner::Csv(writer) => writer.finish()?,
            Inner::JsonLines(writer) => writer.finish()?,
        };
        sink.flush()?;
        Ok(sink)
    }
}

/// The rows of a table, as they are read.
pub(crate) trait Rows {
    /// The next row; `None` at the end.
    fn next_item(&mut self) -> Result<Option<Item>, Problem>;

    /// The number of the line of the last row, from 1.
    fn line(&self) -> u64;
}

/// The cells of a row that were read; `None` for an empty one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cells {
    pub instructions: Option<u64>,
    pub program_counter: Option<u64>,
    pub call: Option<bool>,
    pub is_return: Option<bool>,
    pub taken: Option<bool>,
    pub target: Option<u64>,
    pub length: Option<u8>,
    pub thread: Option<u8>,
    pub address: Option<u64>,
    pub context: Option<u64>,
    pub privilege: Option<u8>,
    pub cause: Option<u64>,
}

impl Cells {
    /// The item of the row with this kind.
    pub(crate) fn item(&self, kind: &[u8]) -> Result<Item, Problem> {
        fn required<T>(cell: Option<T>, name: &'static str) -> Result<T, Problem> {
            cell.ok_or(Problem::Expected { expected: name, found: "nothing".into() })
        }
        let store = match kind {
            b"load" => false,
            b"store" => true,
            b"state" => {
                let context = required(self.context, "a context")?;
                let privilege = required(self.privilege, "a privilege level")?;
                return Ok(Item::State(ExecutionState { context, privilege, cause: self.cause }));
            }
            b"cycles" => {
                let cycles = required(self.instructions, "a number of cycles")?;
                return Ok(Item::Cycles(cycles));
            }
            _ => return self.event(kind).map(Item::Event),
        };
        let site = AccessSite {
            instructions: required(self.instructions, "a number of instructions")?,
            program_counter: required(self.program_counter, "a program counter")?,
            store,
            thread: self.thread.unwrap_or(0),
        };
        let address = required(self.address, "an address of data")?;
        Ok(Item::Access(Access { site, address }))
    }

    fn event(&self, kind: &[u8]) -> Result<Event, Problem> {
        let expected = "a kind, such as direct-conditional";
        let kind = Kind::ALL
            .into_iter()
            .find(|known| known.to_string().as_bytes() == kind)
            .ok_or_else(|| Problem::expected(expected, kind))?;
        let taken = self.taken.unwrap_or(self.target.is_some());
        let nothing = |expected| Problem::Expected { expected, found: "nothing".into() };
        let target = match (taken, self.target) {
            (true, target) => target.ok_or_else(|| nothing("a target where taken"))?,
            (false, target) => target.unwrap_or(0),
        };
        Ok(Event {
            instructions: self.instructions.ok_or_else(|| nothing("a number of instructions"))?,
            program_counter: self.program_counter.ok_or_else(|| nothing("a program counter"))?,
            target,
            kind,
            call: self.call.unwrap_or(false),
            is_return: self.is_return.unwrap_or(false),
            taken,
            length: self.length.unwrap_or(0),
            thread: self.thread.unwrap_or(0),
        })
    }
}

/// The instruction set with this name.
pub(crate) fn isa_of(name: &str) -> Option<Isa> {
    [Isa::Arm, Isa::RiscV, Isa::X86].into_iter().find(|isa| isa.to_string() == name)
}
