//! The decoded trace, which a thread of its own writes.

use std::panic;
use std::sync::mpsc::{self, SyncSender};
use std::thread::{self, JoinHandle};

use anyhow::{Result, anyhow};
use tracewright_sim::event::Item;
use tracewright_sim::trace_io::{self, Writer};

use crate::pipeline::output::Output;

/// Items that are passed on together.
const ITEMS: usize = 1 << 12;

/// The most blocks of items that wait to be written.
const WAITING: usize = 8;

/// Decoded items on their way to the file.
pub struct Writing {
    block: Vec<Item>,
    blocks: SyncSender<Vec<Item>>,
    thread: JoinHandle<Written>,
}

/// What was written.
pub struct Written {
    pub writer: Writer<Output>,
    /// The error that ended it.
    pub result: Result<(), trace_io::Error>,
}

impl Writing {
    /// Begins to write.
    pub fn new(mut writer: Writer<Output>) -> Self {
        writer.follow_fingerprint();
        let (blocks, receiver) = mpsc::sync_channel::<Vec<Item>>(WAITING);
        let thread = thread::spawn(move || {
            let mut written = Written { writer, result: Ok(()) };
            for block in receiver {
                written.result = written.writer.write_items(&block);
                if written.result.is_err() {
                    break;
                }
            }
            written
        });
        Self { block: Vec::with_capacity(ITEMS), blocks, thread }
    }

    /// Adds an item.
    ///
    /// # Errors
    /// When an item before could not be written, which [`finish`](Self::finish) tells more about.
    #[inline]
    pub fn item(&mut self, item: Item) -> Result<()> {
        self.block.push(item);
        if self.block.len() < ITEMS { Ok(()) } else { self.pass_on() }
    }

    #[cold]
    fn pass_on(&mut self) -> Result<()> {
        let block = std::mem::replace(&mut self.block, Vec::with_capacity(ITEMS));
        self.blocks.send(block).map_err(|_| anyhow!("the decoded trace cannot be written"))
    }

    /// Waits until everything is written.
    pub fn finish(self) -> Written {
        let Self { block, blocks, thread } = self;
        // It fails after an error, which is in the result.
        let _ = blocks.send(block);
        drop(blocks);
        thread.join().unwrap_or_else(|panicked| panic::resume_unwind(panicked))
    }
}
