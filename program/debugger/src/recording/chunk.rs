//! A part of the log, compressed.

use std::io;

use tracewright_view::blocks::BlockIndex;
use tracewright_view::calls::Calls;

use super::state::Moment;
use crate::error::Error;

/// The level of compression: the log is mostly runs of the same few numbers.
const LEVEL: i32 = 1;

/// A part of the log.
#[derive(Debug)]
pub struct Chunk {
    /// Where it begins, without calls.
    pub(super) begin: Moment,
    /// The calls that are open there, if they are kept.
    pub(super) calls: Option<Calls>,
    bytes: Vec<u8>,
    length: usize,
    /// The blocks that ran in it, in ascending order.
    visited: Box<[BlockIndex]>,
    /// A bit for the number of each thread that ran in it, modulo 64.
    numbers: u64,
}

impl Chunk {
    /// Compresses the log from a moment on.
    ///
    /// # Errors
    /// When it cannot be compressed.
    pub(super) fn new(
        begin: &Moment,
        log: &[u8],
        mut visited: Vec<BlockIndex>,
        numbers: u64,
    ) -> Result<Chunk, Error> {
        visited.sort_unstable();
        Ok(Chunk {
            calls: begin.calls.clone(),
            begin: begin.without_calls(),
            bytes: zstd::bulk::compress(log, LEVEL).map_err(Error::Recording)?,
            length: log.len(),
            visited: visited.into(),
            numbers,
        })
    }

    /// The log.
    ///
    /// # Errors
    /// When it cannot be decompressed.
    pub(super) fn log(&self) -> Result<Vec<u8>, Error> {
        let log = zstd::bulk::decompress(&self.bytes, self.length).map_err(Error::Recording)?;
        match log.len() == self.length {
            true => Ok(log),
            false => Err(Error::Recording(io::ErrorKind::UnexpectedEof.into())),
        }
    }

    /// The blocks that ran in it.
    pub(super) fn visited(&self) -> &[BlockIndex] {
        &self.visited
    }

    /// True if a thread may have run in it.
    pub(super) fn may_have(&self, number: usize) -> bool {
        self.numbers >> (number % 64) & 1 == 1
    }

    /// Bytes that it takes.
    pub(super) fn size(&self) -> usize {
        let calls = self.calls.as_ref().map_or(0, Calls::size);
        let visited = size_of_val::<[BlockIndex]>(&self.visited);
        size_of::<Chunk>() + self.bytes.len() + calls + visited
    }

    /// Bytes of its calls.
    pub(super) fn size_of_calls(&self) -> usize {
        self.calls.as_ref().map_or(0, Calls::size)
    }
}
