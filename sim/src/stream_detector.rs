//! Instruction streams: the stream detector that the stream cache, N-tuple and Nexus share (paper A,
//! section II).
//!
//! A stream is a run of instructions up to a taken branch that the program does not determine, up to
//! an exception, or up to the longest length. It is `length` instructions long, the branch included.

use crate::config::mask;
use crate::event::{Event, Kind};

/// Bits of the code that says what a stream of written length 0 is.
pub const STREAM_CODE_BITS: u32 = 2;

/// How a stream ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum End {
    /// With a taken branch.
    Branch,
    /// At the longest length; execution continues in another stream.
    Cut,
    /// With an exception after its last instruction; the stream may be empty.
    Exception,
    /// At a flush; execution continues in another stream. The stream may be empty.
    Flush,
}

impl End {
    /// The code after a written length of 0; `None` for a branch, where the length itself is written.
    /// Code 3 is reserved for records that are lost because a core cannot stall.
    pub fn code(self) -> Option<u64> {
        match self {
            End::Branch => None,
            End::Cut => Some(0),
            End::Exception => Some(1),
            End::Flush => Some(2),
        }
    }

    /// The end with this code.
    pub fn from_code(code: u64) -> Option<End> {
        [End::Cut, End::Exception, End::Flush].into_iter().find(|end| end.code() == Some(code))
    }
}

/// A stream: its length and its end. A cut stream has the longest length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    /// Instructions.
    pub length: u64,
    /// How the stream ends.
    pub end: End,
}

/// Counts instructions and says where streams end.
///
/// An instruction that does not end its stream and brings it to the longest length cuts it there, so
/// where streams end does not depend on how a core cuts straight runs into blocks.
#[derive(Clone, Debug)]
pub struct StreamDetector {
    length: u64,
    longest: u64,
    jumps_end: bool,
}

impl StreamDetector {
    /// A detector of streams of up to 2^`length_bits` - 1 instructions; with `jumps_end`, a direct jump
    /// ends a stream like any taken branch, and nothing is asked of a branch but whether it is taken.
    pub fn new(length_bits: u32, jumps_end: bool) -> Self {
        Self { length: 0, longest: mask(length_bits), jumps_end }
    }

    /// Counts one event; `stream` is given the streams that end in it.
    #[inline]
    pub fn event(&mut self, event: &Event, mut stream: impl FnMut(Stream)) {
        let exception = event.kind == Kind::Exception && event.taken;
        let ends = event.taken
            && !exception
            && event.kind != Kind::Exception
            && (self.jumps_end || event.kind != Kind::DirectJump);
        self.sequential(event.instructions - u64::from(ends), &mut stream);
        if ends || exception {
            let length = self.length + u64::from(ends);
            self.length = 0;
            stream(Stream { length, end: if ends { End::Branch } else { End::Exception } });
        }
    }

    #[inline]
    fn sequential(&mut self, instructions: u64, stream: &mut impl FnMut(Stream)) {
        self.length += instructions;
        while self.length >= self.longest {
            self.length -= self.longest;
            stream(Stream { length: self.longest, end: End::Cut });
        }
    }

    /// Ends the stream at hand without a branch.
    pub fn flush(&mut self) -> Stream {
        Stream { length: std::mem::take(&mut self.length), end: End::Flush }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(instructions: u64, kind: Kind, taken: bool) -> Event {
        Event {
            instructions,
            program_counter: 0x1000,
            target: if taken { 0x2000 } else { 0 },
            kind,
            call: false,
            is_return: false,
            taken,
            length: 4,
            thread: 0,
        }
    }

    /// Streams of these events and what a flush finds, as (length, end).
    fn streams(jumps_end: bool, events: &[Event]) -> Vec<(u64, End)> {
        let mut detector = StreamDetector::new(3, jumps_end);
        let mut found = Vec::new();
        for event in events {
            detector.event(event, |stream| found.push((stream.length, stream.end)));
        }
        let rest = detector.flush();
        found.push((rest.length, rest.end));
        found
    }

    #[test]
    fn taken_branches_end_streams() {
        let events = [
            event(2, Kind::DirectConditional, false),
            event(3, Kind::DirectConditional, true),
            event(1, Kind::IndirectJump, true),
            event(2, Kind::DirectJump, true),
            event(2, Kind::IndirectConditional, true),
        ];
        let expected = [(5, End::Branch), (1, End::Branch), (4, End::Branch), (0, End::Flush)];
        assert_eq!(streams(false, &events), expected);
        assert_eq!(streams(true, &events)[2..4], [(2, End::Branch), (2, End::Branch)]);
    }

    #[test]
    fn streams_of_exactly_the_longest_length() {
        let taken = [event(7, Kind::DirectConditional, true)];
        assert_eq!(streams(false, &taken), [(7, End::Branch), (0, End::Flush)]);
        let not_taken = [event(7, Kind::DirectConditional, false)];
        assert_eq!(streams(false, &not_taken), [(7, End::Cut), (0, End::Flush)]);
        let longer = [event(15, Kind::DirectConditional, true)];
        let expected = [(7, End::Cut), (7, End::Cut), (1, End::Branch), (0, End::Flush)];
        assert_eq!(streams(false, &longer), expected);
    }

    #[test]
    fn exceptions_end_streams_of_any_length() {
        let events = [
            event(6, Kind::Exception, true),
            event(0, Kind::Exception, true),
            event(5, Kind::Exception, false),
            event(2, Kind::Exception, true),
        ];
        let expected =
            [(6, End::Exception), (0, End::Exception), (7, End::Cut), (0, End::Exception)];
        assert_eq!(streams(false, &events)[..4], expected);
    }
}
