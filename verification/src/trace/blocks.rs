//! Blocks of a trace, which one thread reads while another one works on those before.

use std::panic;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use tracewright_sim::event::{Item, Machine};
use tracewright_sim::trace_io::{self, Reader};

/// Items of a block: it stays in the second-level cache.
const ITEMS: usize = 1 << 12;

/// The most blocks that wait to be worked on.
const WAITING: usize = 8;

/// What the thread that reads does with the items besides.
pub trait Prepare: Send + 'static {
    /// Asks the reader for what it can do itself.
    fn begin(&mut self, _reader: &mut Reader) {}

    /// Prepares the next items.
    fn prepare(&mut self, items: &mut [Item]);
}

impl Prepare for () {
    fn prepare(&mut self, _: &mut [Item]) {}
}

/// A block, and the error after it.
type Block = (Vec<Item>, Result<(), trace_io::Error>);

/// A trace being read by a thread of its own, which ends when this is dropped. Items and errors come in their order.
#[derive(Debug)]
pub struct Blocks<P = ()> {
    machine: Machine,
    blocks: Receiver<Block>,
    /// Blocks whose memory is used again.
    used: Sender<Vec<Item>>,
    thread: JoinHandle<(Reader, P)>,
    block: Vec<Item>,
    failure: Option<trace_io::Error>,
}

impl Blocks {
    /// Reads on in a trace.
    pub fn new(reader: Reader) -> Self {
        Blocks::prepared(reader, ())
    }
}

impl<P: Prepare> Blocks<P> {
    /// Reads on in a trace, whose items are prepared.
    pub fn prepared(mut reader: Reader, mut prepare: P) -> Self {
        prepare.begin(&mut reader);
        let machine = reader.machine();
        let (sender, blocks) = mpsc::sync_channel(WAITING);
        let (used, free) = mpsc::channel::<Vec<Item>>();
        let thread = thread::spawn(move || {
            loop {
                let mut items = free.try_recv().unwrap_or_default();
                let read = reader.read(&mut items, ITEMS);
                prepare.prepare(&mut items);
                let is_last = items.len() < ITEMS;
                // It fails where nobody wants more.
                if sender.send((items, read)).is_err() || is_last {
                    return (reader, prepare);
                }
            }
        });
        Self { machine, blocks, used, thread, block: Vec::new(), failure: None }
    }

    /// The processor the trace was taken from.
    pub fn machine(&self) -> Machine {
        self.machine
    }

    /// The next items; `None` at the end.
    ///
    /// # Errors
    /// When the trace cannot be read. All items before were given.
    pub fn next_block(&mut self) -> Result<Option<&[Item]>, trace_io::Error> {
        if let Some(error) = self.failure.take() {
            return Err(error);
        }
        let Ok((block, read)) = self.blocks.recv() else { return Ok(None) };
        // Nobody takes it after the last block.
        let _ = self.used.send(std::mem::replace(&mut self.block, block));
        if self.block.is_empty() {
            return read.map(|()| None);
        }
        self.failure = read.err();
        Ok(Some(&self.block))
    }

    /// Ends the thread; what it has read may be more than was given.
    pub fn finish(self) -> (Reader, P) {
        let Self { blocks, thread, .. } = self;
        drop(blocks);
        thread.join().unwrap_or_else(|panicked| panic::resume_unwind(panicked))
    }
}
