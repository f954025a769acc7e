//! A trace that is written in any form, tables among them.

use std::io::{self, Write};

use anyhow::Result;
use tracewright_import::rows;
use tracewright_sim::event::{Item, Machine};
use tracewright_sim::trace_io::{Extensions, Format, Writer, WriterOptions};

use super::format::Form;

/// A trace that is being written.
pub enum TraceOutput<W: Write> {
    /// In a format of traces.
    Trace(Box<Writer<W>>),
    /// As a table, and as a trace to nowhere, which checks and counts it.
    Table(rows::Writer<W>, Box<Writer<io::Sink>>),
}

impl<W: Write> TraceOutput<W> {
    /// Begins a trace of this machine; errors call the output `name`.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn new(
        sink: W,
        form: Form,
        machine: Machine,
        extensions: Extensions,
        name: String,
    ) -> Result<Self> {
        let options = WriterOptions { extensions, name, ..WriterOptions::default() };
        Self::with_options(sink, form, machine, options)
    }

    /// Begins a trace of this machine with the name, extensions and level of these options.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn with_options(
        sink: W,
        form: Form,
        machine: Machine,
        options: WriterOptions,
    ) -> Result<Self> {
        let extensions = options.extensions;
        Ok(match form {
            Form::Trace(format) => {
                let options = WriterOptions { format, ..options };
                TraceOutput::Trace(Box::new(Writer::new(sink, machine, options)?))
            }
            Form::Table(form) => {
                let options = WriterOptions { format: Format::Pet1, ..options };
                let checked = Writer::new(io::sink(), machine, options)?;
                let table = rows::Writer::new(sink, form, machine, extensions)?;
                TraceOutput::Table(table, Box::new(checked))
            }
        })
    }

    /// Adds an item.
    ///
    /// # Errors
    /// When the item breaks a rule, or the output cannot be written.
    pub fn write(&mut self, item: &Item) -> Result<()> {
        match self {
            TraceOutput::Trace(writer) => Ok(writer.write_item(item)?),
            TraceOutput::Table(table, checked) => {
                checked.write_item(item)?;
                Ok(table.write(item)?)
            }
        }
    }

    /// Events, accesses and instructions of the events written so far.
    pub fn counts(&self) -> (u64, u64, u64) {
        match self {
            TraceOutput::Trace(writer) => {
                (writer.events(), writer.accesses(), writer.instructions())
            }
            TraceOutput::Table(_, checked) => {
                (checked.events(), checked.accesses(), checked.instructions())
            }
        }
    }

    /// Ends the trace and gives the output back.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn finish(self) -> Result<W> {
        match self {
            TraceOutput::Trace(writer) => Ok(writer.finish()?),
            TraceOutput::Table(table, _) => Ok(table.finish()?),
        }
    }
}
