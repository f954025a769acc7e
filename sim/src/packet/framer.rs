//! Sends markers, headers and what is in packets.

use super::checksum::Checksum;
use super::framing::Framing;
use super::header::{Header, Word, fields, format};
use super::stuffing::Stuffer;
use super::time::TimeCode;
use crate::config::mask;
use crate::encode::record_sender::RecordSender;
use crate::field::{Field, Sink};

/// Sends packets.
#[derive(Clone, Debug)]
pub struct Framer {
    headers: RecordSender,
    line: Line,
    checksum_bits: u32,
    /// The number of the next packet, and ones in the bits that it has.
    sequence: u64,
    sequence_mask: u64,
    marker_ones: u32,
    alignment: u32,
    time_code: TimeCode,
    word_bits: u32,
}

/// The state between bits: what is stuffed next, and the checksum of the packet at hand.
#[derive(Clone, Debug)]
struct Line {
    stuffer: Stuffer,
    checksum: Checksum,
    /// Bits that the checksum leaves out: those of the checksum of the packet before.
    unchecked: u32,
    /// Bits that were sent since the count began.
    sent: u64,
}

impl Framer {
    /// A framer that has sent nothing.
    pub fn new(framing: &Framing) -> Self {
        let Framing { protocol, processor, marker_ones, word_bits, .. } = framing;
        Self {
            headers: RecordSender::new::<Word>(&format(protocol, processor)),
            line: Line {
                stuffer: Stuffer::new(*marker_ones),
                checksum: Checksum::new(protocol.checksum_bits),
                unchecked: 0,
                sent: 0,
            },
            checksum_bits: protocol.checksum_bits,
            sequence: 0,
            sequence_mask: mask(protocol.number_bits()),
            marker_ones: *marker_ones,
            alignment: processor.alignment,
            time_code: TimeCode::new(protocol),
            word_bits: *word_bits,
        }
    }

    /// Sends a marker and a header; fills the trace up after an end.
    pub fn begin<S: Sink>(&mut self, header: Header, sink: &mut S) {
        let mut ones = self.marker_ones;
        while ones > 0 {
            let piece = ones.min(64);
            sink.put(&fields::MARKER, u64::MAX, piece);
            ones -= piece;
        }
        sink.put(&fields::MARKER, 0, 1);
        let is_discarded = matches!(header, Header::AfterLoss(..)) && header.restarts_numbers();
        if is_discarded {
            self.sequence = 0;
        }
        let word = Word::new(header, self.sequence, self.alignment, self.time_code);
        let word = Word { checksum: self.line.checksum.value(), ..word };
        self.sequence = (self.sequence + 1) & self.sequence_mask;
        self.line.sent += u64::from(self.marker_ones) + 1;
        self.line.stuffer.restart();
        self.line.checksum.restart();
        self.line.unchecked = self.checksum_bits;
        self.headers.send(&word, &mut InPacket { line: &mut self.line, sink });
        if header == Header::End {
            sink.align(self.word_bits);
        }
    }

    /// Forgets the packet at hand: the next one has number 0 and the checksum of no bits.
    pub fn discard(&mut self) {
        self.line.stuffer.restart();
        self.line.checksum.restart();
        (self.line.unchecked, self.sequence) = (0, 0);
    }

    /// Bits that were sent since the last restart of the count.
    pub fn sent_bits(&self) -> u64 {
        self.line.sent
    }

    /// Counts the bits from here on.
    pub fn restart_count(&mut self) {
        self.line.sent = 0;
    }

    /// A sink for the payload of the packet at hand.
    pub fn payload<'a, S>(&'a mut self, sink: &'a mut S) -> InPacket<'a, S> {
        InPacket { line: &mut self.line, sink }
    }
}

/// Sends bits of a packet, and stuffs zeros.
pub struct InPacket<'a, S> {
    line: &'a mut Line,
    sink: &'a mut S,
}

impl<S: Sink> Sink for InPacket<'_, S> {
    #[inline]
    fn put(&mut self, field: &Field, bits: u64, count: u32) {
        let Line { stuffer, checksum, unchecked, sent } = self.line;
        *sent += u64::from(count);
        let left_out = count.min(*unchecked);
        *unchecked -= left_out;
        if left_out < count {
            checksum.add(bits >> left_out, count - left_out);
        }
        let mut done = 0;
        while done < count {
            let rest = bits >> done;
            let (taken, stuffs) = stuffer.take(rest, count - done);
            self.sink.put(field, rest, taken);
            if stuffs {
                *sent += 1;
                self.sink.put(&fields::STUFFING, 0, 1);
            }
            done += taken;
        }
    }

    #[inline]
    fn end_record(&mut self) {
        self.sink.end_record();
    }

    /// Only the end of the trace is filled up.
    fn align(&mut self, _: u32) {}
}
