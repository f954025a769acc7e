//! The payloads of a dump, found by their lengths.
//!
//! A binary dump has a header of one byte before each payload, as the "Unformatted Trace & Diagnostic Data Packet
//! Encapsulation for RISC-V" says: the length of the payload in bytes in bits 0 to 4, flow in bits 5 and 6, and in bit
//! 7 whether a time stamp follows. The specification's reference flow writes the same header with the kind of message
//! in place of flow. After the header come the source, the time stamp and the payload; the whole bytes of source and
//! time stamp do not count in the length. A header of length 0 is an idle byte.
//!
//! With `block_bytes` each payload is in a block of so many bytes, whose last one is the header, with what comes after it
//! before it.
//!
//! Encoders of others have more after the header: the number of the payload (`number_bytes`), or the time stamp before the
//! source (`time_first`); their length may count that and the header (`whole_length`).
//!
//! A dump as text has the bytes of a payload in a line, in hexadecimal, without header.

use super::bits::Bits;
use super::encoder::Encoder;
use super::error::Problem;

/// Characters of a line that an error quotes.
const QUOTED: usize = 24;

/// A payload where it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The byte of the dump at which it begins, with its header; in a dump as text that of its line.
    pub offset: u64,
    /// Which encoder it is of; 0 without a source.
    pub source: u32,
    /// The upper bits of the header: flow, or the kind of message.
    pub flow: u8,
    /// The time stamp.
    pub timestamp: Option<u64>,
    /// The number of the payload, where payloads have one.
    pub number: Option<u32>,
    /// It is of the execution of instructions.
    pub is_of_instructions: bool,
    /// Its bytes, from the format on.
    pub bytes: Vec<u8>,
}

/// The payloads of a dump.
#[derive(Clone, Debug)]
pub struct Frames<'a> {
    dump: &'a [u8],
    place: usize,
    /// The line of a dump as text, counted from 0; `None` for a binary one.
    line: Option<usize>,
    encoder: &'a Encoder,
    /// Idle bytes so far.
    idle: u64,
}

impl<'a> Frames<'a> {
    /// The payloads of a dump, which is text if it has nothing but lines of hexadecimal digits.
    ///
    /// # Errors
    /// The dump is empty, or a parameter of the encoder is out of its range.
    pub fn of(dump: &'a [u8], encoder: &'a Encoder) -> Result<Self, Problem> {
        encoder.check()?;
        if dump.is_empty() {
            return Err(Problem::Empty);
        }
        let line = is_text(dump).then_some(0);
        Ok(Frames { dump, place: 0, line, encoder, idle: 0 })
    }

    /// True for a dump as text.
    pub fn is_text(&self) -> bool {
        self.line.is_some()
    }

    /// Idle bytes that were passed over.
    pub fn idle_bytes(&self) -> u64 {
        self.idle
    }

    /// The next byte of the dump that is read.
    pub fn offset(&self) -> u64 {
        self.place as u64
    }

    /// The payload after a header at `offset`, and how many bytes of the rest of the dump it has.
    fn payload(&self, offset: usize, header: u8, rest: &[u8]) -> Result<(Frame, usize), Problem> {
        let Encoder { source_id_width, type_width, instruction_type, number_bytes, .. } =
            *self.encoder;
        let is_time_first = self.encoder.time_first == 1;
        let has_stamp = header >> 7 == 1 && self.encoder.timestamp_bytes > 0;
        let stamp = if has_stamp { self.encoder.timestamp_bytes } else { 0 };
        let source_bytes =
            if is_time_first { source_id_width.div_ceil(8) } else { source_id_width / 8 };
        let before = (number_bytes + source_bytes + stamp) as usize;
        let length = usize::from(header & 0x1f);
        let expected = if self.encoder.whole_length == 0 {
            length + before
        } else if header >> 5 == 0 && length > before + 1 {
            length - 1
        } else {
            return Err(Problem::Field { name: "a header", value: header.into() });
        };
        let bytes = rest.get(..expected).ok_or(Problem::Cut {
            offset: offset as u64,
            expected,
            found: rest.len(),
        })?;
        let mut bits = Bits::new(bytes);
        let number = bits.take(8 * number_bytes) as u32;
        let early = is_time_first.then(|| bits.take(8 * stamp));
        let source = bits.take(source_id_width) as u32;
        let timestamp = early.unwrap_or_else(|| bits.take(8 * stamp));
        let kind = match self.encoder.type_in_header {
            0 => bits.take(type_width),
            _ => u64::from(header >> 5 & 3),
        };
        let has_type = type_width > 0 || self.encoder.type_in_header == 1;
        let used = match is_time_first {
            true => 8 * before,
            false => (8 * (number_bytes + stamp) + source_id_width + type_width) as usize,
        };
        let frame = Frame {
            offset: offset as u64,
            source,
            flow: header >> 5 & 3,
            timestamp: has_stamp.then_some(timestamp),
            number: (number_bytes > 0).then_some(number),
            is_of_instructions: !has_type || kind == u64::from(instruction_type),
            bytes: shifted(bytes, used),
        };
        Ok((frame, expected))
    }

    fn binary(&mut self) -> Option<Result<Frame, Problem>> {
        let (offset, header) = loop {
            let header = *self.dump.get(self.place)?;
            self.place += 1;
            if header & 0x1f != 0 {
                break (self.place - 1, header);
            }
            self.idle += 1;
        };
        Some(match self.payload(offset, header, &self.dump[self.place..]) {
            Ok((frame, bytes)) => {
                self.place += bytes;
                Ok(frame)
            }
            Err(problem) => {
                if matches!(problem, Problem::Cut { .. }) {
                    self.place = self.dump.len();
                }
                Err(problem)
            }
        })
    }

    /// The payload in the next block, whose last byte is the header.
    fn block(&mut self) -> Option<Result<Frame, Problem>> {
        let size = self.encoder.block_bytes as usize;
        loop {
            let offset = self.place;
            let block = self.dump.get(offset..).filter(|rest| !rest.is_empty())?;
            let Some(block) = block.get(..size) else {
                self.place = self.dump.len();
                let (offset, found) = (offset as u64, block.len());
                return Some(Err(Problem::Cut { offset, expected: size, found }));
            };
            self.place += size;
            let bytes: Vec<u8> = block.iter().rev().copied().collect();
            let Some((header, rest)) = bytes.split_first() else { continue };
            if header & 0x1f == 0 {
                self.idle += 1;
                continue;
            }
            return Some(self.payload(offset, *header, rest).map(|(frame, _)| frame));
        }
    }

    fn text(&mut self) -> Option<Result<Frame, Problem>> {
        loop {
            let rest = self.dump.get(self.place..).filter(|rest| !rest.is_empty())?;
            let end = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
            let (offset, line) = (self.place, &rest[..end]);
            self.place += end + 1;
            let number = self.line.map_or(1, |line| line + 1);
            self.line = Some(number);
            let line = without_comment(line);
            if line.is_empty() {
                continue;
            }
            let Some(bytes) = hexadecimal(line) else {
                let found: String = String::from_utf8_lossy(line).chars().take(QUOTED).collect();
                let found = format!("{found:?}");
                return Some(Err(Problem::NotHexadecimal { line: number, found }));
            };
            let mut bits = Bits::new(&bytes);
            let Encoder { source_id_width, type_width, instruction_type, .. } = *self.encoder;
            let source = bits.take(source_id_width) as u32;
            let kind = bits.take(type_width);
            return Some(Ok(Frame {
                offset: offset as u64,
                source,
                flow: 0,
                timestamp: None,
                number: None,
                is_of_instructions: type_width == 0 || kind == u64::from(instruction_type),
                bytes: shifted(&bytes, (source_id_width + type_width) as usize),
            }));
        }
    }
}

impl Iterator for Frames<'_> {
    type Item = Result<Frame, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        match (self.is_text(), self.encoder.block_bytes) {
            (true, _) => self.text(),
            (false, 0) => self.binary(),
            (false, _) => self.block(),
        }
    }
}

/// True for text whose first line, but for comments, is of hexadecimal digits. What is wrong with a later line is an error of
/// that line: a binary dump has bytes that no text has.
fn is_text(dump: &[u8]) -> bool {
    let mut is_comment = false;
    let is_printable = dump.iter().all(|byte| {
        is_comment = (is_comment || *byte == b'#') && *byte != b'\n';
        let is_plain = byte.is_ascii_graphic() || byte.is_ascii_whitespace();
        is_plain || is_comment && !byte.is_ascii_control()
    });
    let first =
        dump.split(|byte| *byte == b'\n').map(without_comment).find(|line| !line.is_empty());
    let is_digit = |byte: &u8| byte.is_ascii_hexdigit() || matches!(byte, b' ' | b'\t' | b'x');
    is_printable && first.is_none_or(|line| line.iter().all(is_digit))
}

/// A line without its comment and the blanks around it.
fn without_comment(line: &[u8]) -> &[u8] {
    line.split(|byte| *byte == b'#').next().unwrap_or_default().trim_ascii()
}

/// The bytes of a line, first to last, with or without blanks between them and `0x` before them.
fn hexadecimal(line: &[u8]) -> Option<Vec<u8>> {
    let mut digits = Vec::new();
    for word in line.split(u8::is_ascii_whitespace) {
        let word = word.strip_prefix(b"0x").unwrap_or(word);
        if word.len() % 2 == 1 {
            return None;
        }
        for digit in word {
            digits.push(char::from(*digit).to_digit(16)? as u8);
        }
    }
    Some(digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

/// Bytes without their lowest bits.
fn shifted(bytes: &[u8], bits: usize) -> Vec<u8> {
    let bytes = bytes.get(bits / 8..).unwrap_or_default();
    let bits = bits % 8;
    if bits == 0 {
        return bytes.to_vec();
    }
    // Above the last byte comes its highest bit, as everywhere in a payload.
    let last = bytes.last().map_or(0, |byte| if byte >> 7 == 1 { 0xff } else { 0 });
    let next = bytes.iter().skip(1).copied().chain([last]);
    bytes.iter().zip(next).map(|(byte, next)| byte >> bits | next << (8 - bits)).collect()
}
