//! Following a program by streams: what every decoder of streams does between its records.
//!
//! A stream that ends in an indirect branch or with an exception leads to where the next stream
//! starts, so its last event waits for that stream.

use super::error::DecodeError;
use super::replay::Replay;
use crate::event::{Event, Kind};
use crate::program::Program;
use crate::stream_detector::{End, Stream};
use crate::stream_start::CutStart;

/// What waits for the start of the next stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pending {
    Nothing,
    Branch,
    Exception,
}

/// A place in a program that moves on by streams.
#[derive(Clone, Debug)]
pub struct StreamReplay<'a> {
    /// The place.
    pub replay: Replay<'a>,
    start: u64,
    pending: Pending,
    jumps_end: bool,
    cuts: CutStart,
}

impl<'a> StreamReplay<'a> {
    /// At the start of `thread` in `program`; `jumps_end` is the stream detector's.
    pub fn new(program: &'a Program, thread: u8, jumps_end: bool, cuts: CutStart) -> Self {
        Self {
            cuts,
            replay: Replay::new(program, thread),
            start: 0,
            pending: Pending::Nothing,
            jumps_end,
        }
    }

    /// The start address of the next stream where it can be inferred.
    ///
    /// After a cut or a flush, and at first, it only tells streams apart.
    #[inline]
    pub fn inferred_start(&self) -> Option<u64> {
        (self.pending == Pending::Nothing).then_some(self.start)
    }

    /// Follows the program along a stream that starts at `start`.
    ///
    /// # Errors
    /// Where the program cannot do that, or `emit` fails.
    #[inline]
    pub fn stream<E: From<DecodeError>>(
        &mut self,
        start: u64,
        stream: Stream,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        match self.pending {
            Pending::Nothing if start != self.start => {
                let what =
                    format!("a stream is said to start at {start:#x}, not {:#x}", self.start);
                return Err(self.replay.impossible(what).into());
            }
            Pending::Nothing => {}
            Pending::Branch => {
                self.replay.end_block(true, start, emit)?;
            }
            Pending::Exception => self.replay.exception(start, emit)?,
        }
        self.pending = Pending::Nothing;
        self.start = start;
        let at_end = self.replay.advance(stream.length, emit)?;
        match stream.end {
            End::Cut => {
                self.start = self.cuts.after(start);
                Ok(())
            }
            End::Branch => self.branch(at_end, emit),
            End::Exception => {
                // A system call that traps is the exception itself.
                let traps = self.replay.block().is_some_and(|block| block.kind == Kind::Exception);
                if at_end && !traps {
                    self.replay.pass(emit)?;
                }
                self.pending = Pending::Exception;
                Ok(())
            }
            End::Flush if self.replay.finish_system_call(emit)? => Ok(()),
            End::Flush => self.replay.pass(emit),
        }
    }

    /// The taken branch that ends a stream.
    #[inline]
    fn branch<E: From<DecodeError>>(
        &mut self,
        at_end: bool,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let block = self.replay.known_block()?;
        match block.kind {
            Kind::IndirectJump | Kind::IndirectConditional if at_end => {
                self.pending = Pending::Branch;
                Ok(())
            }
            Kind::DirectConditional if at_end => self.direct(block.target, emit),
            Kind::DirectJump if at_end && self.jumps_end => self.direct(block.target, emit),
            _ => {
                let what = format!("a stream ends in no branch after {}", self.replay.place());
                Err(self.replay.impossible(what).into())
            }
        }
    }

    #[inline]
    fn direct<E: From<DecodeError>>(
        &mut self,
        target: u64,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        self.replay.end_block(true, target, emit)?;
        self.start = target;
        Ok(())
    }
}
