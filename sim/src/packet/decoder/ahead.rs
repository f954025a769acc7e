//! Packets that begin with cleared tables, decoded by other threads before it is their turn: nothing before them changes what
//! is in them.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::thread::{self, Scope};

use super::Found;
use super::attempt::{Stop, attempt};
use crate::decode::record_decoder::PartDecoder;
use crate::event::Event;
use crate::packet::framing::Framing;
use crate::packet::header::Header;
use crate::packet::reader::{Content, Ending, Packet};

/// The most packets that wait for each thread.
const WAITING: usize = 4;

/// The most events of such a packet; a longer one waits for its turn.
const EVENTS_MAX: usize = 1 << 16;

/// The most packets that are not given to other threads after one that was too long, whose work was for nothing.
const LEFT_OUT_MAX: u32 = 1 << 6;

/// What became of a packet that was decoded early.
pub(super) struct Early<D> {
    pub(super) start: D,
    pub(super) decoder: D,
    pub(super) held: Vec<Event>,
    pub(super) found: Result<Found, String>,
}

impl<D> Early<D> {
    /// The same, if it is the same with at most so many instructions.
    pub(super) fn within<'a>(mut self, most_instructions: u64) -> Option<Self>
    where
        D: PartDecoder<'a>,
    {
        (self.decoder.summary().instructions <= most_instructions).then_some(self)
    }
}

/// A packet's content, and what became of it if it is not too long.
type Done<D> = (Content, Option<Early<D>>);

/// A thread that decodes.
struct Worker<D> {
    jobs: SyncSender<Content>,
    done: Receiver<Done<D>>,
}

/// A packet that was read.
enum Waiting {
    /// It is decoded when it is its turn.
    Here(Box<Packet>),
    /// A worker has its content.
    There(Range<u64>, usize),
}

/// Packets in the order in which they were read.
pub(super) struct Ahead<D> {
    workers: Vec<Worker<D>>,
    next_worker: usize,
    /// Packets that are not given away, and how many they were after the last one that was too long.
    left_out: u32,
    last_left_out: u32,
    waiting: VecDeque<Waiting>,
}

impl<D: Send> Ahead<D> {
    /// Without other threads.
    pub(super) fn nothing() -> Self {
        let (workers, waiting) = (Vec::new(), VecDeque::new());
        Ahead { workers, next_worker: 0, left_out: 0, last_left_out: 0, waiting }
    }

    /// With a thread for each core; they end with this.
    pub(super) fn new<'s, 'a>(
        scope: &'s Scope<'s, '_>,
        framing: &'s Framing,
        initial: &D,
        most_instructions: u64,
    ) -> Self
    where
        D: PartDecoder<'a> + 's,
    {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let mut ahead = Ahead::nothing();
        for _ in 0..if cores > 1 { cores } else { 0 } {
            let (jobs, contents) = mpsc::sync_channel::<Content>(WAITING);
            let (sender, done) = mpsc::channel();
            let initial = initial.clone();
            scope.spawn(move || work(framing, &initial, most_instructions, contents, sender));
            ahead.workers.push(Worker { jobs, done });
        }
        ahead
    }

    /// True if another packet can be taken.
    pub(super) fn has_room(&self) -> bool {
        self.waiting.len() < (WAITING * self.workers.len()).max(1)
    }

    /// Takes a packet that was read.
    pub(super) fn push(&mut self, packet: Packet) {
        let Packet { begin, end, content } = packet;
        let here = |content| Waiting::Here(Box::new(Packet { begin, end, content }));
        let is_here = self.workers.is_empty() || self.left_out > 0;
        self.left_out = self.left_out.saturating_sub(1);
        let waiting = match content {
            Ok(content) if !is_here && is_alone(&content) => {
                let worker = self.next_worker;
                self.next_worker = (worker + 1) % self.workers.len();
                match self.workers[worker].jobs.send(content) {
                    Ok(()) => Waiting::There(begin..end, worker),
                    // The thread has panicked, which the end of the scope tells.
                    Err(returned) => here(Ok(returned.0)),
                }
            }
            content => here(content),
        };
        self.waiting.push_back(waiting);
    }

    /// The first packet that waits, and what became of it.
    pub(super) fn pop(&mut self) -> Option<(Packet, Option<Early<D>>)> {
        match self.waiting.pop_front()? {
            Waiting::Here(packet) => Some((*packet, None)),
            Waiting::There(bits, worker) => {
                let (content, early) = self.workers[worker].done.recv().ok()?;
                self.learn(early.is_none());
                let Range { start: begin, end } = bits;
                Some((Packet { begin, end, content: Ok(content) }, early))
            }
        }
    }
}

impl<D> Ahead<D> {
    /// Packets of a trace are alike: after one that is too long, the next ones are not tried, twice as many each time.
    fn learn(&mut self, is_too_long: bool) {
        self.last_left_out = match is_too_long {
            true => (2 * self.last_left_out + 1).min(LEFT_OUT_MAX),
            false => 0,
        };
        self.left_out = self.last_left_out;
    }
}

/// True for a packet that needs nothing of those before.
fn is_alone(content: &Content) -> bool {
    let clears = match content.header {
        Header::End => false,
        Header::Start => true,
        Header::Synchronisation(beginning) | Header::AfterLoss(_, beginning) => {
            !beginning.keeps_tables
        }
    };
    clears && content.ending != Ending::Open
}

/// Decodes packets until there are no more.
fn work<'a, D: PartDecoder<'a>>(
    framing: &Framing,
    initial: &D,
    most_instructions: u64,
    contents: Receiver<Content>,
    done: Sender<Done<D>>,
) {
    for content in contents {
        let early = early(framing, initial, most_instructions, &content);
        if done.send((content, early)).is_err() {
            return;
        }
    }
}

/// Decodes a packet; `None` if it is too long.
fn early<'a, D: PartDecoder<'a>>(
    framing: &Framing,
    initial: &D,
    most_instructions: u64,
    content: &Content,
) -> Option<Early<D>> {
    let mut start = initial.clone();
    if let Some(beginning) = content.header.beginning() {
        start.first_replay().start_at(beginning.next.place(), 0);
    }
    let mut decoder = start.clone();
    let mut held = Vec::new();
    let hold = &mut |event| {
        if held.len() == EVENTS_MAX {
            return Err(Stop::TooLong);
        }
        held.push(event);
        Ok(())
    };
    let found = match attempt(framing, &mut decoder, content, most_instructions, hold) {
        Ok(is_flushed) => Ok(Found { is_held: true, is_flushed }),
        Err(Stop::Because(what)) => Err(what),
        Err(Stop::TooLong) => return None,
    };
    Some(Early { start, decoder, held, found })
}
