//! Events into streams that know where they start: what an encoder of streams begins with.

use crate::config::Processor;
use crate::event::{Event, Kind};
use crate::stream_detector::{Stream, StreamDetector};
use crate::stream_start::StreamStart;

/// The code of a stream that ends with a branch, inside the hardware; it is in no trace.
pub const BRANCH_CODE: u64 = 3;

/// A stream and where it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StartedStream {
    /// The stream.
    pub stream: Stream,
    /// Byte address of its first instruction.
    pub start: u64,
    /// The program says where that is.
    pub inferred: bool,
}

/// The stream detector, and where the streams start that it finds.
#[derive(Clone, Debug)]
pub struct StreamSource {
    detector: StreamDetector,
    starts: StreamStart,
}

impl StreamSource {
    /// A source of streams of up to 2^`length_bits` - 1 instructions; where a scheme `infers` starts it
    /// knows direct branches, and a direct jump ends no stream.
    pub fn new(processor: &Processor, length_bits: u32, infers: bool) -> Self {
        Self {
            detector: StreamDetector::new(length_bits, !infers),
            starts: StreamStart::new(processor, length_bits),
        }
    }

    /// Counts one event; `each` is given the streams that end in it.
    #[inline]
    pub fn event(&mut self, event: &Event, mut each: impl FnMut(StartedStream)) {
        let direct = matches!(event.kind, Kind::DirectJump | Kind::DirectConditional);
        self.detector.event(event, |stream| {
            let (start, inferred) = self.starts.of(stream, event.target, direct);
            each(StartedStream { stream, start, inferred });
        });
    }

    /// Ends the stream at hand without a branch.
    pub fn flush(&mut self) -> StartedStream {
        let stream = self.detector.flush();
        let (start, inferred) = self.starts.of(stream, 0, true);
        StartedStream { stream, start, inferred }
    }
}
