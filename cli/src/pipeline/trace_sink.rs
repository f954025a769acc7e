//! The writer for the events of a replay.

use std::io::Write;

use anyhow::Result;
use tracewright_sim::event::{Access, Event, Machine};
use tracewright_sim::trace_io::{Extensions, Writer, WriterOptions};
use tracewright_working_set::Sink;

/// A trace being written, with accesses if `DATA` is true.
pub struct TraceSink<W: Write, const DATA: bool>(Writer<W>);

impl<W: Write, const DATA: bool> TraceSink<W, DATA> {
    /// Begins a trace of this machine.
    pub fn new(sink: W, machine: Machine, options: WriterOptions) -> Result<Self> {
        let extensions = Extensions { data: DATA, ..Extensions::LENGTHS };
        let writer = Writer::new(sink, machine, WriterOptions { extensions, ..options })?;
        Ok(TraceSink(writer))
    }

    /// Events and accesses written so far.
    pub fn counts(&self) -> (u64, u64) {
        (self.0.events(), self.0.accesses())
    }

    /// Ends the trace.
    pub fn finish(self) -> Result<W> {
        Ok(self.0.finish()?)
    }
}

impl<W: Write, const DATA: bool> Sink for TraceSink<W, DATA> {
    type Error = anyhow::Error;

    const DATA: bool = DATA;

    #[inline]
    fn event(&mut self, event: &Event) -> Result<()> {
        Ok(self.0.write(event)?)
    }

    #[inline]
    fn access(&mut self, access: &Access) -> Result<()> {
        Ok(self.0.write_access(access)?)
    }
}
