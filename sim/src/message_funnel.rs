//! Whole messages of several traces of a standard in one stream, which a decoder of the standard reads by their source.
//!
//! Each encoder names its source in every message of N-Trace, or payload of E-Trace (`source_bits`). The funnel takes bytes of
//! one encoder until its message has ended, and is then at the next encoder that has one. Bytes are not changed, and none are
//! added.
//!
//! Software switches encoders off in the funnel, or all of them. What has begun of a message goes on to its end then.
//!
//! An encoder whose trace is discarded in the middle of a message never sends the rest. The funnel ends the message then, with
//! an idle byte of N-Trace or with zeros.
//!
//! The hardware is `hdl/src/message_funnel.rs`.

use std::collections::BTreeMap;

use crate::config::require;
use crate::parameter::ParameterError;
use crate::scheme::{Design, Scheme};

/// Bits of the length in a header of E-Trace.
pub const LENGTH_BITS: u32 = 5;
/// The idle byte of N-Trace.
const IDLE: u8 = 0xff;
/// The most sources.
pub const MOST_SOURCES: u32 = 16;

/// Where messages end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Messages {
    /// Messages of N-Trace: the last byte has both control bits.
    NTrace,
    /// Payloads of E-Trace in the encapsulation: the header says their length.
    ETrace {
        /// Bytes of the source after the header, which the length does not count.
        source_bytes: u32,
    },
}

impl Messages {
    /// The messages of a design; `None` if they do not name their source.
    pub fn of(design: &Design) -> Option<Messages> {
        let source_bits = design.protocol().source_bits;
        match &design.scheme {
            _ if source_bits == 0 => None,
            Scheme::NTrace(_) => Some(Messages::NTrace),
            Scheme::ETrace(_) => Some(Messages::ETrace { source_bytes: source_bits / 8 }),
            _ => None,
        }
    }

    /// The most bytes of a payload after its header.
    pub fn most_left(self) -> u32 {
        match self {
            Messages::NTrace => 0,
            Messages::ETrace { source_bytes } => (1 << LENGTH_BITS) - 1 + source_bytes,
        }
    }

    /// The source that a whole message names in so many bits; 0 in idle bytes alone.
    fn source(self, message: &[u8], bits: u32) -> u32 {
        let (is_idle, bits_of_byte, shift): (fn(&u8) -> bool, u32, u32) = match self {
            Messages::NTrace => (|byte| *byte == IDLE, 6, 2),
            Messages::ETrace { .. } => (|byte| byte & 0x1f == 0, 8, 0),
        };
        let bytes = message.iter().skip_while(|byte| is_idle(byte)).skip(1);
        let parts = bytes.zip((0..bits).step_by(bits_of_byte as usize));
        parts.map(|(byte, place)| u32::from(byte >> shift) << place).sum()
    }

    /// The byte that ends a message, or goes on to its end, where the rest does not come.
    pub fn filler(self) -> u8 {
        match self {
            Messages::NTrace => IDLE,
            Messages::ETrace { .. } => 0,
        }
    }
}

/// The size of a funnel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Config {
    /// Traces.
    pub sources: u32,
    /// What they are made of.
    pub messages: Messages,
}

impl Config {
    /// Checks the constraints.
    ///
    /// # Errors
    /// The first that is broken, by name.
    pub fn validate(&self) -> Result<(), ParameterError> {
        let fits = (2..=MOST_SOURCES).contains(&self.sources);
        require(fits, "sources", self.sources, || format!("must be from 2 to {MOST_SOURCES}"))
    }
}

/// What each source has sent, in a stream whose messages name it in so many bits.
pub fn by_source(stream: &[u8], messages: Messages, source_bits: u32) -> BTreeMap<u32, Vec<u8>> {
    let mut found: BTreeMap<u32, Vec<u8>> = BTreeMap::new();
    let (mut ends, mut message) = (Ends::new(messages), Vec::new());
    for byte in stream {
        message.push(*byte);
        if ends.byte(*byte) {
            let source = messages.source(&message, source_bits);
            found.entry(source).or_default().append(&mut message);
        }
    }
    found
}

/// Finds the ends of messages.
#[derive(Clone, Copy, Debug)]
pub struct Ends {
    messages: Messages,
    /// Bytes of the payload that are still to come; 1 in a message of N-Trace.
    left: u32,
}

impl Ends {
    /// At the beginning of a message.
    pub fn new(messages: Messages) -> Self {
        Ends { messages, left: 0 }
    }

    /// Takes the next byte, and says whether a message ends with it.
    pub fn byte(&mut self, byte: u8) -> bool {
        match self.messages {
            Messages::NTrace => {
                // An idle byte stays before its message.
                let ends = byte & 3 == 3 && (self.left > 0 || byte != IDLE);
                self.left = u32::from(!ends);
                ends
            }
            Messages::ETrace { source_bytes } => {
                if self.left > 0 {
                    self.left -= 1;
                    return self.left == 0;
                }
                let length = u32::from(byte & 0x1f);
                self.left = if length > 0 { length + source_bytes } else { 0 };
                // An idle byte that says something of the payload after it stays before it.
                byte == 0
            }
        }
    }
}

/// What one encoder shows in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// Its next byte.
    pub byte: Option<u8>,
    /// It discards what is in it.
    pub discards: bool,
    /// No message of it begins: software has switched it off in the funnel, or the funnel.
    pub is_off: bool,
    /// All of its trace has left it, and no more comes.
    pub is_empty: bool,
}

/// The funnel.
#[derive(Clone, Debug)]
pub struct MessageFunnel {
    config: Config,
    ends: Ends,
    /// The encoder whose byte came last.
    current: usize,
    /// Its message has not ended.
    is_open: bool,
    sent: Option<u8>,
}

impl MessageFunnel {
    /// A funnel as reset leaves it.
    pub fn new(config: Config) -> Self {
        MessageFunnel {
            config,
            ends: Ends::new(config.messages),
            current: 0,
            is_open: false,
            sent: None,
        }
    }

    /// The byte that it offers.
    pub fn offered(&self) -> Option<u8> {
        self.sent
    }

    /// Nothing is in it, and no message is open.
    pub fn is_empty(&self) -> bool {
        self.sent.is_none() && !self.is_open
    }

    /// All that comes through it as it is switched has left.
    pub fn all_has_left(&self, sources: &[Source]) -> bool {
        self.is_empty() && sources.iter().all(|source| source.is_off || source.is_empty)
    }

    /// The encoder whose byte is next.
    fn selected(&self, sources: &[Source]) -> Option<usize> {
        if self.is_open {
            return Some(self.current);
        }
        let count = self.config.sources as usize;
        let order = (1..=count).map(|step| (self.current + step) % count);
        order.into_iter().find(|at| sources[*at].byte.is_some() && !sources[*at].is_off)
    }

    /// The encoder whose byte is taken in a cycle in which the sink is `ready` or not, if it shows one.
    pub fn takes(&self, sources: &[Source], ready: bool) -> Option<usize> {
        let has_room = self.sent.is_none() || ready;
        self.selected(sources).filter(|_| has_room)
    }

    /// A cycle in which the sink is `ready` or not. Gives the encoder whose byte is taken.
    pub fn clock(&mut self, sources: &[Source], ready: bool) -> Option<usize> {
        let taken = self.takes(sources, ready);
        if ready {
            self.sent = None;
        }
        let at = taken?;
        let Source { byte, discards, .. } = sources[at];
        let filler = (self.is_open && discards).then(|| self.config.messages.filler());
        let next = byte.or(filler)?;
        self.is_open = !self.ends.byte(next);
        (self.current, self.sent) = (at, Some(next));
        byte.map(|_| at)
    }
}
