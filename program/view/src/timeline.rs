//! Calls over time, in the Trace Event Format that Perfetto and Chrome open.
//!
//! One microsecond on the screen is one instruction. Every thread has its own time, the number of instructions that it
//! has retired; it starts at the time of the thread that was furthest when it began.

use std::io::{self, Write};

use crate::calls::{Entry, Observer};
use crate::names::{FunctionIndex, Names};

/// The calls that a timeline leaves out.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Calls that are deeper than this.
    pub depth: u64,
    /// Calls with fewer instructions than this, including their callees.
    pub shortest: u64,
}

/// A timeline of calls, which are written when they end.
#[derive(Debug)]
pub struct Timeline<W> {
    into: W,
    limits: Limits,
    threads: Vec<Thread>,
    /// The contexts, if they take the places of threads.
    contexts: Vec<u64>,
    /// JSON strings, by function.
    names: Vec<String>,
    /// The first write error, until it is reported.
    failed: Option<io::Error>,
    written: u64,
    left_out: u64,
}

#[derive(Clone, Debug, Default)]
struct Thread {
    frames: Vec<(FunctionIndex, u64)>,
    /// Frames whose beginning is written. A call is written when it is long enough, after its callers.
    begun: usize,
    /// Calls that are too deep to have a frame.
    beyond: u64,
}

impl<W: Write> Timeline<W> {
    /// A timeline of `program`.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn new(mut into: W, program: &str, limits: Limits) -> io::Result<Self> {
        let unit = r#""displayTimeUnit":"ns","otherData":{"unit":"1 us is 1 instruction"}"#;
        writeln!(into, "{{{unit},\"traceEvents\":[")?;
        let name = serde_json::to_string(program)?;
        write!(into, r#"{{"ph":"M","pid":1,"name":"process_name","args":{{"name":{name}}}}}"#)?;
        Ok(Self {
            into,
            limits,
            threads: Vec::new(),
            contexts: Vec::new(),
            names: Vec::new(),
            failed: None,
            written: 0,
            left_out: 0,
        })
    }

    /// Begins the calls of another context, which takes the place of a thread; the first one must come before all calls.
    pub(crate) fn add_context(&mut self, context: u64) {
        self.contexts.push(context);
    }

    /// Calls that were written, and calls that were left out.
    pub fn calls(&self) -> (u64, u64) {
        (self.written, self.left_out)
    }

    /// Ends the file, after the last call has ended.
    ///
    /// # Errors
    /// When a part of the file could not be written.
    pub fn finish(mut self) -> io::Result<W> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        self.into.write_all(b"\n]}\n")?;
        Ok(self.into)
    }

    /// Writes the beginning or the end of a call. The end needs no name, but not every reader knows that.
    fn mark(&mut self, phase: char, thread: usize, clock: u64, function: FunctionIndex) {
        let tid = thread + 1;
        let name = std::mem::take(&mut self.names[function.place()]);
        self.write(format_args!(
            r#"{{"ph":"{phase}","pid":1,"tid":{tid},"ts":{clock},"name":{name}}}"#
        ));
        self.names[function.place()] = name;
    }

    fn write(&mut self, line: std::fmt::Arguments<'_>) {
        if self.failed.is_none()
            && let Err(error) = write!(self.into, ",\n{line}")
        {
            self.failed = Some(error);
        }
    }
}

impl<W: Write> Observer for Timeline<W> {
    fn enter(&mut self, names: &Names, entry: Entry) {
        let Entry { thread, function, clock, .. } = entry;
        while self.names.len() <= function.place() {
            let next = names.get(FunctionIndex::at(self.names.len()));
            self.names.push(serde_json::to_string(&next.name).unwrap_or_default());
        }
        while self.threads.len() <= thread {
            let (number, tid) = (self.threads.len(), self.threads.len() + 1);
            self.threads.push(Thread::default());
            let name = match self.contexts.get(number) {
                Some(context) => format!("context {context:#x}"),
                None => format!("thread {number}"),
            };
            self.write(format_args!(
                r#"{{"ph":"M","pid":1,"tid":{tid},"name":"thread_name","args":{{"name":"{name}"}}}}"#
            ));
        }
        let state = &mut self.threads[thread];
        if state.frames.len() as u64 >= self.limits.depth {
            state.beyond += 1;
            self.left_out += 1;
        } else {
            state.frames.push((function, clock));
        }
    }

    fn leave(&mut self, thread: usize, clock: u64) {
        let Some(state) = self.threads.get_mut(thread) else { return };
        if let Some(less) = state.beyond.checked_sub(1) {
            state.beyond = less;
            return;
        }
        let Some((function, begin)) = state.frames.last().copied() else { return };
        let (depth, begun) = (state.frames.len(), state.begun);
        if begun < depth && clock - begin < self.limits.shortest {
            state.frames.pop();
            self.left_out += 1;
            return;
        }
        for frame in begun..depth {
            let (function, begin) = self.threads[thread].frames[frame];
            self.mark('B', thread, begin, function);
        }
        self.mark('E', thread, clock, function);
        self.written += 1;
        let state = &mut self.threads[thread];
        state.frames.pop();
        state.begun = depth - 1;
    }
}
