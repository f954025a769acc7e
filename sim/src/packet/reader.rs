//! Finds packets in bits that may begin, end and be damaged anywhere, in bounded memory.

use std::io::{self, Read};

use super::checksum::Checksum;
use super::content::sent_bits;
pub use super::content::{Content, Ending};
use super::framing::Framing;
use super::header::Header;
use super::header_reader::{HeaderError, HeaderReader};
use super::stuffing::{Passed, Unstuffer};
use crate::config::{MOST_RAM_WORD_BITS, mask};
use crate::decode::field_reader::{FieldError, FieldReader};
use crate::encode::bit_packer::{BitPacker, BitUnpacker, TakeError};

/// The most bits of a packet: 16 MiB.
pub const MOST_BITS: u64 = 1 << 27;

/// Bits between two markers, or between a marker and the beginning or the end of what was read.
#[derive(Clone, Debug)]
pub struct Packet {
    /// The offset of the first bit of its marker, or of the first bit that was read.
    pub begin: u64,
    /// The offset after its last bit.
    pub end: u64,
    /// What is in it.
    pub content: Result<Content, Damage>,
}

/// Why a packet cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// What was read begins in the middle of a packet.
    #[error("no marker is before these bits: the trace begins in the middle of a packet")]
    Beginning,
    /// What was read ends in the middle of a packet.
    #[error("no marker is after these bits: the trace ends in the middle of a packet")]
    CutOff,
    /// It is longer than a reader keeps.
    #[error("the packet has more than {MOST_BITS} bits")]
    TooLong,
    /// A run of ones is longer than any that is sent.
    #[error("there are more ones in a row than are ever sent")]
    TooManyOnes,
    /// Its header is not one.
    #[error("the header is damaged: {0}")]
    Header(String),
    /// It does not have the checksum that the header after it says.
    #[error("the checksum is wrong: {sent:#x} was sent, the bits that were read have {found:#x}")]
    Checksum {
        /// What the next header says.
        sent: u64,
        /// What the bits have.
        found: u64,
    },
    /// It does not have the checksum that the header after it says, and that is the header of another packet than the
    /// next.
    #[error(
        "after packet number {number} comes number {next}: packets are missing, or are not in their order"
    )]
    NotFollowed {
        /// Its number.
        number: u64,
        /// That of the packet that follows it.
        next: u64,
    },
    /// The same bits follow once more.
    #[error("packet number {number} is there twice; the second one is used")]
    Repeated {
        /// Its number.
        number: u64,
    },
    /// Something other than zeros follows an end, or more of them than fill a word up.
    #[error(
        "an end is followed by something other than zeros up to a trace word or a word of a RAM sink"
    )]
    Padding,
}

/// Bits between two markers.
#[derive(Debug, Default)]
struct Section {
    begin: u64,
    end: u64,
    bytes: Vec<u8>,
    bits: u64,
    has_marker: bool,
    is_closed: bool,
    damage: Option<Damage>,
}

/// A header with all that is in front of the payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Head {
    /// The checksum of the packet before.
    checksum: u64,
    sequence: u64,
    header: Header,
    bits: u64,
}

/// Reads packets from a source of bits.
#[derive(Debug)]
pub struct PacketReader<'a, R: ?Sized> {
    source: &'a mut BitUnpacker<R>,
    unstuffer: Unstuffer,
    headers: HeaderReader,
    checksum: Checksum,
    checksum_bits: u32,
    /// Ones in the bits of a packet's number.
    number_mask: u64,
    marker_bits: u64,
    word_bits: u64,
    /// Bits that were taken from the source and are not used yet, the lowest one first.
    held: u64,
    held_bits: u32,
    /// The offset of the next bit.
    position: u64,
    ahead: Option<Section>,
    /// The next section begins with a marker, which has been read.
    is_marked: bool,
}

impl<'a, R: Read + ?Sized> PacketReader<'a, R> {
    /// Reads packets of this framing.
    pub fn new(framing: &Framing, source: &'a mut BitUnpacker<R>) -> Self {
        Self {
            position: source.position(),
            source,
            unstuffer: Unstuffer::new(framing.marker_ones),
            headers: HeaderReader::new(&framing.protocol, &framing.processor),
            checksum: Checksum::new(framing.protocol.checksum_bits),
            checksum_bits: framing.protocol.checksum_bits,
            number_mask: mask(framing.protocol.number_bits()),
            marker_bits: u64::from(framing.marker_ones) + 1,
            word_bits: framing.word_bits.into(),
            held: 0,
            held_bits: 0,
            ahead: None,
            is_marked: false,
        }
    }

    /// The next packet, or the bits before the first one; `None` at the end.
    ///
    /// # Errors
    /// When the source cannot be read.
    pub fn next_packet(&mut self) -> io::Result<Option<Packet>> {
        let section = match self.ahead.take() {
            Some(section) => section,
            None => match self.section()? {
                Some(section) => section,
                None => return Ok(None),
            },
        };
        if section.is_closed {
            self.ahead = self.section()?;
        }
        let (begin, end) = (section.begin, section.end);
        Ok(Some(Packet { begin, end, content: self.content(section) }))
    }

    fn content(&self, section: Section) -> Result<Content, Damage> {
        let Section { bytes, bits, has_marker, is_closed, damage, .. } = section;
        if let Some(damage) = damage {
            return Err(damage);
        }
        if !has_marker {
            return Err(Damage::Beginning);
        }
        let damaged = |error: HeaderError| match error {
            HeaderError::Field(FieldError::Take(TakeError::Ended { .. })) if !is_closed => {
                Damage::CutOff
            }
            error => Damage::Header(error.to_string()),
        };
        let head = self.head(&bytes, bits).map_err(damaged)?;
        let Head { sequence, header, bits: header_bits, .. } = head;
        if header == Header::End {
            self.check_padding(&bytes, header_bits, bits, is_closed)?;
        } else if !is_closed && header_bits > sent_bits(&bytes) {
            return Err(Damage::CutOff);
        }
        let is_open = !is_closed && header != Header::End;
        let mut ending = if is_open { Ending::Open } else { Ending::Whole };
        let mut following = None;
        if let Some(next) = self.ahead.as_ref().filter(|_| is_closed) {
            let is_sent = |found: &Head| next.is_closed || found.bits <= sent_bits(&next.bytes);
            let found = self.head(&next.bytes, next.bits).ok().filter(is_sent);
            let is_alike = (&bytes, bits) == (&next.bytes, next.bits);
            let is_again = found == Some(head) && (header == Header::End || is_alike);
            // Where numbers begin anew, two packets may well be alike.
            if is_again && self.number_mask > 0 && !header.restarts_numbers() {
                return Err(Damage::Repeated { number: sequence });
            }
            let is_next = |found: &Head| found.sequence == (sequence + 1) & self.number_mask;
            following = found.filter(is_next).map(|found| found.header);
            if self.checksum_bits > 0 {
                let checked = if header == Header::End { header_bits } else { bits };
                let restarts =
                    |found: &Head| found.sequence == 0 && found.header.restarts_numbers();
                let other = found.filter(|found| !is_next(found) && !restarts(found));
                ending =
                    self.check(&bytes, checked, next).map_err(|damage| match (damage, other) {
                        (Damage::Checksum { .. }, Some(other)) => {
                            Damage::NotFollowed { number: sequence, next: other.sequence }
                        }
                        (damage, _) => damage,
                    })?;
            }
        }
        Ok(Content { sequence, header, bytes, header_bits, bits, following, ending })
    }

    /// The header with which a packet begins.
    fn head(&self, bytes: &[u8], bits: u64) -> Result<Head, HeaderError> {
        let mut source = BitUnpacker::new(bytes);
        let mut fields = FieldReader(&mut source);
        let checksum = self.headers.checksum(&mut fields)?;
        let (sequence, header) = self.headers.header(&mut fields)?;
        let position = source.position();
        if position > bits {
            let wanted = (position - bits) as u32;
            return Err(HeaderError::Field(TakeError::Ended { position: bits, wanted }.into()));
        }
        Ok(Head { checksum, sequence, header, bits: position })
    }

    /// Compares the checksum of a packet's first `bits` bits with what the next header says.
    fn check(&self, bytes: &[u8], bits: u64, next: &Section) -> Result<Ending, Damage> {
        if next.bits < self.checksum_bits.into() {
            // Only where the trace ends may there be no checksum.
            if !next.is_closed {
                return Ok(Ending::Unchecked);
            }
            let wanted = self.checksum_bits - next.bits as u32;
            let ended = TakeError::Ended { position: next.bits, wanted };
            return Err(Damage::Header(ended.to_string()));
        }
        let mut source = BitUnpacker::new(next.bytes.as_slice());
        let sent = self.headers.checksum(&mut FieldReader(&mut source));
        let sent = sent.map_err(|error| Damage::Header(error.to_string()))?;
        let mut checksum = self.checksum;
        let first = u64::from(self.checksum_bits);
        for (byte, place) in bytes.iter().zip((0..bits).step_by(8)) {
            // The checksum of the packet before has whole bytes.
            if place >= first {
                checksum.add((*byte).into(), (bits - place).min(8) as u32);
            }
        }
        let found = checksum.value();
        if sent == found { Ok(Ending::Whole) } else { Err(Damage::Checksum { sent, found }) }
    }

    /// After an end there are zeros up to a trace word, or up to a word of a RAM sink that was switched off; at the
    /// end of the data up to a byte.
    fn check_padding(
        &self,
        bytes: &[u8],
        header_bits: u64,
        bits: u64,
        is_closed: bool,
    ) -> Result<(), Damage> {
        let most = self.word_bits.max(MOST_RAM_WORD_BITS.into()) + if is_closed { 0 } else { 8 };
        let (whole, part) = ((header_bits / 8) as usize, header_bits % 8);
        let is_zero = bytes.iter().enumerate().skip(whole).all(|(place, byte)| {
            let first = if place == whole { part as u32 } else { 0 };
            byte >> first == 0
        });
        if is_zero && bits - header_bits < most { Ok(()) } else { Err(Damage::Padding) }
    }

    /// The bits up to the next marker or to the end; `None` where there is neither a bit nor a marker before.
    fn section(&mut self) -> io::Result<Option<Section>> {
        let has_marker = std::mem::take(&mut self.is_marked);
        let begin = self.position - if has_marker { self.marker_bits } else { 0 };
        let mut section = Section { begin, has_marker, ..Section::default() };
        let mut bits = BitPacker::new();
        let mut push = |section: &mut Section, ones: u32, has_zero: bool| {
            if bits.bits() + u64::from(ones) + 1 > MOST_BITS {
                section.damage = Some(Damage::TooLong);
                return;
            }
            // A run of ones is shorter than two markers; one at the end of the data may be longer.
            (0..ones).step_by(64).for_each(|done| bits.push(u64::MAX, (ones - done).min(64)));
            bits.push(0, has_zero.into());
        };
        loop {
            let Some(bit) = self.bit()? else {
                push(&mut section, self.unstuffer.ones(), false);
                self.unstuffer = Unstuffer::new((self.marker_bits - 1) as u32);
                section.end = self.position;
                break;
            };
            match self.unstuffer.take(bit) {
                Passed::One => continue,
                Passed::Bits { ones, has_zero } => {
                    push(&mut section, ones, has_zero);
                    continue;
                }
                Passed::Marker { ones } => push(&mut section, ones, false),
                Passed::TooManyOnes => section.damage = Some(Damage::TooManyOnes),
            }
            (self.is_marked, section.is_closed) = (true, true);
            section.end = self.position - self.marker_bits;
            break;
        }
        section.bits = bits.bits();
        section.bytes = bits.finish();
        let is_empty = section.bits == 0 && !has_marker;
        // Nothing is before the first marker of a whole trace.
        if is_empty && section.is_closed {
            return self.section();
        }
        Ok((!is_empty).then_some(section))
    }

    /// The next bit; `None` at the end.
    #[inline]
    fn bit(&mut self) -> io::Result<Option<bool>> {
        if self.held_bits == 0 && !self.refill()? {
            return Ok(None);
        }
        let bit = self.held & 1 == 1;
        self.held >>= 1;
        self.held_bits -= 1;
        self.position += 1;
        Ok(Some(bit))
    }

    /// Takes more bits from the source; false at its end.
    fn refill(&mut self) -> io::Result<bool> {
        for count in [64, 8, 1] {
            match self.source.take(count) {
                Ok(bits) => {
                    (self.held, self.held_bits) = (bits & mask(count), count);
                    return Ok(true);
                }
                Err(TakeError::Io(error)) => return Err(error),
                Err(TakeError::Ended { .. }) => {}
            }
        }
        Ok(false)
    }
}
