//! The binary form, read and written. Its layout is in the documentation of [`super`].

use super::error::{Error, Problem};
use super::source::{PADDING, Source};
use super::validate::Validator;
use super::varint;
use crate::event::{Event, Isa, Kind, Machine};

/// Bytes of the header.
pub(super) const HEADER_BYTES: usize = 16;

/// The first bytes of the header.
pub(super) const MAGIC: [u8; 4] = *b"PET1";

/// The most bytes of a record: three varints, kind, length.
const RECORD_BYTES_MAX: usize = 3 * varint::MAX_BYTES + 2;

const FLAG_LENGTHS: u8 = 1;

const KIND_CODE: u8 = 7;
const KIND_CALL: u8 = 1 << 3;
const KIND_RETURN: u8 = 1 << 4;
const KIND_TAKEN: u8 = 1 << 5;
const KIND_THREAD: u32 = 6;

// A record is decoded from its first byte on, whether or not the stream holds all of it.
const _: () = assert!(PADDING >= RECORD_BYTES_MAX + varint::MAX_BYTES);

/// Gives the events of a PET1 stream.
pub(super) struct Decoder {
    source: Source,
    validator: Validator,
    address_mask: u64,
    previous: [u64; 4],
}

impl Decoder {
    /// Reads the header.
    pub(super) fn new(mut source: Source) -> Result<Decoder, Error> {
        let first = source.peek(HEADER_BYTES)?;
        let Some(header) = first.first_chunk::<HEADER_BYTES>() else {
            let found = first.len();
            return Err(source.error_at_byte(found, 0, Problem::TruncatedHeader(found)));
        };
        let (machine, lengths) =
            parse_header(*header).map_err(|(at, problem)| source.error_at_byte(at, 0, problem))?;
        let validator = Validator::new(machine, lengths)
            .map_err(|violation| source.error_at_byte(0, 0, violation.into()))?;
        source.advance(HEADER_BYTES);
        let address_mask = u64::MAX >> (64 - machine.address_bits);
        Ok(Decoder { source, validator, address_mask, previous: [0; 4] })
    }

    /// The next event, `None` at the end of the stream.
    #[inline]
    pub(super) fn next_event(&mut self) -> Result<Option<Event>, Error> {
        if self.source.available() < RECORD_BYTES_MAX
            && !self.source.fill(RECORD_BYTES_MAX)
            && self.source.available() == 0
        {
            self.source.failure(self.validator.records())?;
            return Ok(None);
        }
        let bytes = self.source.window();
        let (instructions, instructions_bytes) = varint::take(bytes, 0);
        let kind_byte = bytes[instructions_bytes];
        let call = kind_byte & KIND_CALL != 0;
        let taken = kind_byte & KIND_TAKEN != 0;
        let has_length = call & self.validator.lengths();
        let length_at = instructions_bytes + 1;
        let counter_at = length_at + usize::from(has_length);
        let (counter_delta, counter_bytes) = varint::take(bytes, counter_at);
        let target_at = counter_at + counter_bytes;
        // Decoded even if it is not there: whether it is, is hard to predict.
        let (target_delta, target_bytes) = varint::take(bytes, target_at);
        let size = target_at + if taken { target_bytes } else { 0 };

        let thread = kind_byte >> KIND_THREAD;
        let previous = self.previous[usize::from(thread)];
        let counter_delta = varint::from_zigzag(counter_delta);
        let target_delta = if taken { varint::from_zigzag(target_delta) } else { 0 };
        let counter_sum = previous.wrapping_add_signed(counter_delta);
        let program_counter = counter_sum & self.address_mask;
        let target_sum = program_counter.wrapping_add_signed(target_delta);
        let target = if taken { target_sum & self.address_mask } else { 0 };

        let suspect = (size > self.source.available())
            | (instructions_bytes == 0)
            | (counter_bytes == 0)
            | (taken & (target_bytes == 0))
            | ((counter_sum | target_sum) & !self.address_mask != 0);
        let kind = Kind::from_code(kind_byte & KIND_CODE);
        let event = Event {
            instructions,
            program_counter,
            target,
            kind: kind.unwrap_or(Kind::Exception),
            call,
            is_return: kind_byte & KIND_RETURN != 0,
            taken,
            length: if has_length { bytes[length_at] } else { 0 },
            thread,
        };
        if suspect | kind.is_none() {
            self.inspect()?;
        }
        if let Err(violation) = self.validator.check(&event) {
            return Err(self.error(0, violation.into()));
        }
        self.previous[usize::from(thread)] = program_counter;
        self.source.advance(size);
        Ok(Some(event))
    }

    /// The machine, the totals and the rules.
    pub(super) fn validator(&self) -> &Validator {
        &self.validator
    }

    /// Bytes taken so far.
    pub(super) fn offset(&self) -> u64 {
        self.source.offset()
    }

    /// Goes through the next record field by field; fails unless a difference just wraps.
    #[cold]
    #[inline(never)]
    fn inspect(&mut self) -> Result<(), Error> {
        let bytes = *self.source.window();
        let available = self.source.available();
        let mut at = 0;
        match Decoder::walk(&bytes, &mut at, available, self.validator.lengths(), self.address_mask) {
            Err(Problem::TruncatedRecord(_)) => {
                self.source.failure(self.validator.records())?;
                Err(self.error(available, Problem::TruncatedRecord(available)))
            }
            Err(problem) => Err(self.error(at, problem)),
            Ok(()) => Ok(()),
        }
    }

    /// Reads a record slowly, leaving `at` at the field that is wrong.
    fn walk(
        bytes: &[u8],
        at: &mut usize,
        available: usize,
        lengths: bool,
        address_mask: u64,
    ) -> Result<(), Problem> {
        let take = |at: &mut usize, field| {
            let (value, size) = varint::take(bytes, *at);
            if size == 0 {
                return Err(Problem::LongVarint(field));
            }
            if *at + size > available {
                return Err(Problem::TruncatedRecord(available));
            }
            *at += size;
            Ok(value)
        };
        take(at, "instructions")?;
        let kind_byte = bytes[*at];
        if *at >= available {
            return Err(Problem::TruncatedRecord(available));
        }
        if Kind::from_code(kind_byte & KIND_CODE).is_none() {
            return Err(Problem::UnknownKind(kind_byte & KIND_CODE));
        }
        *at += 1 + usize::from(lengths && kind_byte & KIND_CALL != 0);
        let fields = if kind_byte & KIND_TAKEN != 0 { &["program counter", "target"][..] } else { &["program counter"] };
        for field in fields {
            let start = *at;
            let difference = varint::from_zigzag(take(at, field)?);
            if difference.unsigned_abs() > address_mask {
                *at = start;
                let address_bits = address_mask.count_ones() as u8;
                return Err(Problem::LongDifference { field, address_bits, difference });
            }
        }
        Ok(())
    }

    fn error(&self, ahead: usize, problem: Problem) -> Error {
        self.source.error_at_byte(ahead, self.validator.records(), problem)
    }
}

/// The machine and whether calls have lengths, or the byte that is wrong.
fn parse_header(header: [u8; HEADER_BYTES]) -> Result<(Machine, bool), (usize, Problem)> {
    let [_, _, _, _, isa, alignment, address_bits, flags, reserved @ ..] = header;
    let isa = Isa::from_code(isa).ok_or((4, Problem::UnknownIsa(isa)))?;
    if flags & !FLAG_LENGTHS != 0 {
        return Err((7, Problem::FutureHeader { byte: 7, known: "0 or 1", found: flags }));
    }
    if let Some(index) = reserved.iter().position(|&byte| byte != 0) {
        let byte = index + 8;
        return Err((byte, Problem::FutureHeader { byte, known: "0", found: header[byte] }));
    }
    Ok((Machine { isa, alignment, address_bits }, flags & FLAG_LENGTHS != 0))
}

/// Turns events into PET1 bytes.
pub(super) struct Encoder {
    lengths: bool,
    previous: [u64; 4],
}

impl Encoder {
    /// An encoder that has put the header into `bytes`.
    pub(super) fn new(machine: Machine, lengths: bool, bytes: &mut Vec<u8>) -> Encoder {
        let mut header = [0; HEADER_BYTES];
        header[..4].copy_from_slice(&MAGIC);
        header[4] = machine.isa as u8;
        header[5] = machine.alignment;
        header[6] = machine.address_bits;
        header[7] = if lengths { FLAG_LENGTHS } else { 0 };
        bytes.extend_from_slice(&header);
        Encoder { lengths, previous: [0; 4] }
    }

    /// Puts a valid event into `bytes`.
    pub(super) fn put(&mut self, event: &Event, bytes: &mut Vec<u8>) {
        let previous = &mut self.previous[usize::from(event.thread)];
        let flag = |set, bit| if set { bit } else { 0 };
        varint::put(bytes, event.instructions);
        bytes.push(
            event.kind as u8
                | flag(event.call, KIND_CALL)
                | flag(event.is_return, KIND_RETURN)
                | flag(event.taken, KIND_TAKEN)
                | event.thread << KIND_THREAD,
        );
        if self.lengths && event.call {
            bytes.push(event.length);
        }
        let difference = |to: u64, from: u64| varint::to_zigzag(to.wrapping_sub(from) as i64);
        varint::put(bytes, difference(event.program_counter, *previous));
        if event.taken {
            varint::put(bytes, difference(event.target, event.program_counter));
        }
        *previous = event.program_counter;
    }
}
