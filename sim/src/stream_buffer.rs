//! The stream buffer before the stream cache, cycle by cycle (paper A, section II; paper B,
//! section 2.1): what the encoders need no model of, as it changes no bit of the trace.

use std::collections::VecDeque;

/// Streams on their way to the stream cache, which takes one per cycle.
///
/// The second stream of a block that ends two, one with a cut, waits a cycle in a register. Between two such
/// blocks comes one that ends none, as a block has less than half of the longest stream's
/// instructions; so one place aside is enough.
#[derive(Clone, Debug)]
pub struct StreamBuffer<T> {
    aside: Option<T>,
    waiting: VecDeque<T>,
    depth: usize,
}

impl<T> StreamBuffer<T> {
    /// An empty buffer of `depth` streams.
    pub fn new(depth: u32) -> Self {
        Self { aside: None, waiting: VecDeque::new(), depth: depth as usize }
    }

    /// True if a block is taken in this cycle.
    pub fn is_ready(&self) -> bool {
        self.waiting.len() < self.depth
    }

    /// True if the buffer has no stream.
    pub fn is_empty(&self) -> bool {
        self.aside.is_none() && self.waiting.is_empty()
    }

    /// The stream that the stream cache sees.
    pub fn first(&self) -> Option<&T> {
        self.waiting.front()
    }

    /// Runs one cycle: adds the streams that ended, if the buffer is ready, and removes the first one if it is
    /// taken.
    pub fn clock(&mut self, ended: impl IntoIterator<Item = T>, take: bool) {
        let ready = self.is_ready();
        if take {
            self.waiting.pop_front();
        }
        if ready {
            let mut streams = self.aside.take().into_iter().chain(ended);
            self.waiting.extend(streams.next());
            self.aside = streams.next();
            debug_assert!(streams.next().is_none(), "three streams in one cycle");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::StreamBuffer;

    /// One stream per cycle, sometimes two and then none: two entries never stall, one stalls in every other
    /// cycle.
    #[test]
    fn two_places_are_enough() {
        for (depth, stalls) in [(1, true), (2, false), (4, false)] {
            let mut buffer = StreamBuffer::new(depth);
            let (mut given, mut taken, mut stalled) = (0, 0, 0);
            let blocks = [2, 1, 1, 0, 1, 1, 2, 1, 0, 1].repeat(10);
            let mut blocks = blocks.into_iter().peekable();
            while blocks.peek().is_some() || !buffer.is_empty() {
                let take = buffer.first().copied();
                let count = if buffer.is_ready() { blocks.next().unwrap_or(0) } else { 0 };
                stalled += u32::from(!buffer.is_ready());
                buffer.clock(given..given + count, take.is_some());
                given += count;
                if let Some(stream) = take {
                    assert_eq!(stream, taken);
                    taken += 1;
                }
            }
            assert_eq!((given, taken), (100, 100));
            assert_eq!(stalled > 0, stalls, "{depth}: {stalled}");
        }
    }
}
