//! A funnel: bytes of several traces in one stream, in frames that say whose they are.
//!
//! The frames are those of the trace formatter that Arm's CoreSight has (Arm IHI 0029, chapter D4, "Formatter"), so that tools
//! for it separate the sources too. A frame has 16 bytes. The bytes at even places but for the last byte have data in their upper
//! 7 bits, or with bit 0 set the number of the source that follows; the other places have data. The last byte has a bit for
//! each even place, the first one lowest: bit 0 of the data there, or for a number, whether it holds only from the second byte after
//! it on. Number 0 is nobody's: its data fill a frame up. A word of 0x7fffffff, lowest byte first, comes before the
//! first frame and after every `sync_frames` frames; no frame can have it at the place of a frame's beginning.
//!
//! After a synchronisation word the number of the source is said again, so that a stream can be read from any of them on.
//! A source keeps its turn while it has bytes, up to `turn_bytes` if another one has some. [`Funnel`] is the specification cycle by
//! cycle, `hdl/src/funnel.rs` the hardware, and [`frames`] reads what they send.

pub mod frames;

use std::collections::VecDeque;

use crate::config::require;
use crate::parameter::ParameterError;

/// Bytes of a frame.
pub const FRAME_BYTES: usize = 16;

/// What comes before a frame now and then.
pub const SYNC: [u8; 4] = [0xff, 0xff, 0xff, 0x7f];

/// Bytes that wait for each source. Two are looked at, and a byte in every cycle needs room for one more.
pub const WAITING_BYTES: usize = 3;

/// The highest number of a source; those above are reserved.
const HIGHEST_ID: u32 = 0x6f;

/// A funnel's size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Config {
    /// Sources, 2 to 8.
    pub sources: u32,
    /// The number of the first source; the others follow. 1 to 111 for all of them.
    pub first_id: u32,
    /// Bytes of a source after which another one that has some is next, 1 to 255.
    pub turn_bytes: u32,
    /// Frames between two synchronisation words, 2 to 4096.
    pub sync_frames: u32,
}

impl Default for Config {
    fn default() -> Self {
        Self { sources: 2, first_id: 1, turn_bytes: 32, sync_frames: 64 }
    }
}

impl Config {
    /// Checks the constraints.
    ///
    /// # Errors
    /// The first constraint that is broken, by name.
    pub fn validate(&self) -> Result<(), ParameterError> {
        let Self { sources, first_id, turn_bytes, sync_frames } = *self;
        require((2..=8).contains(&sources), "sources", sources, || "must be 2 to 8".into())?;
        let last = HIGHEST_ID + 1 - sources;
        require((1..=last).contains(&first_id), "first_id", first_id, || {
            format!("must be 1 to {last} for {sources} sources")
        })?;
        let turns = 1..=255;
        require(turns.contains(&turn_bytes), "turn_bytes", turn_bytes, || {
            "must be 1 to 255".into()
        })?;
        let intervals = 2..=4096;
        require(intervals.contains(&sync_frames), "sync_frames", sync_frames, || {
            "must be 2 to 4096".into()
        })
    }

    /// The byte of a frame that says that a source follows.
    pub fn id_byte(&self, source: usize) -> u8 {
        ((self.first_id as usize + source) << 1 | 1) as u8
    }
}

/// What the funnel sends in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sends {
    Sync,
    /// A byte of the source whose number came last, at an even place.
    Data,
    /// The number of the same source again.
    Again,
    /// The number of another source.
    Id(usize),
    /// Nobody's number.
    Null,
    /// The byte at an odd place.
    Odd,
    /// The last byte of the frame.
    Last,
}

/// The funnel, cycle by cycle.
#[derive(Clone, Debug)]
pub struct Funnel {
    config: Config,
    waiting: Vec<VecDeque<u8>>,
    /// The place in the frame of the next byte.
    position: usize,
    /// Bytes of the synchronisation word that are still to come.
    sync: usize,
    frames: u32,
    current: Option<usize>,
    /// The number of the current source came after the last synchronisation word.
    is_told: bool,
    /// Whose byte is next at an odd place.
    odd: Option<usize>,
    last_byte: u8,
    /// Bytes of the current source in its turn, up to `turn_bytes`.
    turn: u32,
    sent: Option<u8>,
}

impl Funnel {
    /// A funnel after reset.
    ///
    /// # Errors
    /// The first constraint that is broken.
    pub fn new(config: &Config) -> Result<Self, ParameterError> {
        config.validate()?;
        Ok(Self {
            config: *config,
            waiting: vec![VecDeque::new(); config.sources as usize],
            position: 0,
            sync: SYNC.len(),
            frames: 0,
            current: None,
            is_told: false,
            odd: None,
            last_byte: 0,
            turn: 0,
            sent: None,
        })
    }

    /// A byte of the source is taken in this cycle.
    pub fn is_ready(&self, source: usize) -> bool {
        self.waiting[source].len() < WAITING_BYTES
    }

    /// The byte at the output.
    pub fn offered_byte(&self) -> Option<u8> {
        self.sent
    }

    /// All that was taken has left, in a whole frame.
    pub fn is_empty(&self) -> bool {
        self.sent.is_none()
            && self.sync == 0
            && self.position == 0
            && self.waiting.iter().all(VecDeque::is_empty)
    }

    /// One clock edge, with the bytes that the sources offer. With `flush` what waits leaves although it fills no frame.
    pub fn clock(&mut self, offered: &[Option<u8>], flush: bool, ready: bool) {
        let taken: Vec<Option<u8>> = (0..offered.len())
            .map(|source| offered[source].filter(|_| self.is_ready(source)))
            .collect();
        if ready || self.sent.is_none() {
            self.sent = self.choice(flush).map(|sends| self.send(sends));
        }
        for (queue, byte) in self.waiting.iter_mut().zip(taken) {
            queue.extend(byte);
        }
    }

    /// The next source in turn that has a byte, but for the current one.
    fn following(&self) -> Option<usize> {
        let sources = self.waiting.len();
        let first = self.current.map_or(0, |current| current + 1);
        (first..first + sources)
            .map(|source| source % sources)
            .find(|source| Some(*source) != self.current && !self.waiting[*source].is_empty())
    }

    fn choice(&self, flush: bool) -> Option<Sends> {
        if self.sync > 0 {
            return Some(Sends::Sync);
        }
        if self.position == FRAME_BYTES - 1 {
            return Some(Sends::Last);
        }
        if self.position % 2 == 1 {
            return Some(Sends::Odd);
        }
        let bytes = self.current.map_or(0, |current| self.waiting[current].len());
        let following = self.following();
        let is_over = self.turn == self.config.turn_bytes && following.is_some();
        let stays = bytes > 0 && !is_over;
        let has_place = bytes >= 2 || self.position == FRAME_BYTES - 2;
        match following {
            _ if stays && !self.is_told => Some(Sends::Again),
            _ if stays && has_place => Some(Sends::Data),
            Some(source) => Some(Sends::Id(source)),
            None if flush && (bytes > 0 || self.position > 0) => Some(Sends::Null),
            None => None,
        }
    }

    fn send(&mut self, sends: Sends) -> u8 {
        let place = self.position;
        let is_last_even = place == FRAME_BYTES - 2;
        // The current source has a byte that follows the number of another one.
        let has_byte = self.current.is_some_and(|current| !self.waiting[current].is_empty());
        let lags = has_byte && self.is_told && !is_last_even;
        if sends != Sends::Sync {
            self.position = (place + 1) % FRAME_BYTES;
        }
        match sends {
            Sends::Sync => {
                self.sync -= 1;
                SYNC[SYNC.len() - 1 - self.sync]
            }
            Sends::Last => {
                self.frames += 1;
                if self.frames == self.config.sync_frames {
                    (self.frames, self.sync) = (0, SYNC.len());
                    self.is_told = false;
                }
                std::mem::take(&mut self.last_byte)
            }
            Sends::Odd => {
                if self.odd == self.current {
                    self.count_byte();
                }
                self.odd.and_then(|source| self.waiting[source].pop_front()).unwrap_or(0)
            }
            Sends::Data => {
                self.odd = self.current;
                self.count_byte();
                let byte = self.current.and_then(|source| self.waiting[source].pop_front());
                let byte = byte.unwrap_or(0);
                self.last_byte |= (byte & 1) << (place / 2);
                byte & !1
            }
            Sends::Again => {
                (self.odd, self.is_told) = (self.current, true);
                self.current.map_or(1, |source| self.config.id_byte(source))
            }
            Sends::Id(_) | Sends::Null => {
                let following = if let Sends::Id(source) = sends { Some(source) } else { None };
                self.odd = if lags { self.current } else { following };
                self.last_byte |= u8::from(lags) << (place / 2);
                (self.current, self.is_told) = (following, true);
                self.turn = 0;
                following.map_or(1, |source| self.config.id_byte(source))
            }
        }
    }

    fn count_byte(&mut self) {
        self.turn = (self.turn + 1).min(self.config.turn_bytes);
    }
}
