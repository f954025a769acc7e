//! The trace output controller (paper B, section 2): which packets leave, in which order.
//!
//! A stream that is not in the cache is sent as it happens, its place among the others with the tuple,
//! when that is full. The decoder keeps such streams, and exceptions, until the tuple comes.

use super::config::Config;
use super::tuple_history_buffer::{Tuple, TupleHistoryBuffer};
use crate::stream_cache::stream_cache::Descriptor;
use crate::stream_detector::End;

/// A packet, before it becomes bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packet {
    /// A stream that is not in the cache.
    Miss(Descriptor),
    /// A full tuple.
    Tuple {
        /// Its age in the history buffer, or 0.
        age: u32,
        /// Its indices.
        tuple: Tuple,
    },
    /// A stream that an exception or a flush ends.
    Broken {
        /// Which.
        end: End,
        /// Indices of the tuple at hand.
        count: u32,
        /// These indices.
        tuple: Tuple,
        /// Where the stream starts and how many of its instructions retired.
        stream: Descriptor,
    },
}

/// Collects stream indices into tuples and orders the packets.
#[derive(Clone, Debug)]
pub struct TraceOutputController {
    history: TupleHistoryBuffer,
    tuple: Tuple,
    count: usize,
    tuple_length: usize,
}

impl TraceOutputController {
    /// The controller as reset leaves it.
    pub fn new(config: &Config) -> Self {
        Self {
            history: TupleHistoryBuffer::new(config),
            tuple: Tuple::default(),
            count: 0,
            tuple_length: config.tuple_length as usize,
        }
    }

    /// A stream that is at `index` of the cache, 0 if it was not.
    #[inline]
    pub fn stream(&mut self, index: u32, stream: Descriptor, packet: &mut impl FnMut(Packet)) {
        if index == 0 {
            packet(Packet::Miss(stream));
        }
        self.tuple[self.count] = index as u16;
        self.count += 1;
        if self.count == self.tuple_length {
            let age = self.history.age(&self.tuple);
            packet(Packet::Tuple { age, tuple: self.tuple });
            self.history.update(&self.tuple, age);
            self.clear();
        }
    }

    /// What an exception or a flush leaves of a stream. A flush also ends the tuple, which no later
    /// one can be equal to.
    pub fn broken(&mut self, end: End, stream: Descriptor, packet: &mut impl FnMut(Packet)) {
        packet(Packet::Broken { end, count: self.count as u32, tuple: self.tuple, stream });
        if end == End::Flush {
            self.clear();
        }
    }

    fn clear(&mut self) {
        self.tuple = Tuple::default();
        self.count = 0;
    }
}
