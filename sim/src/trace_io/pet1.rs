//! The binary form, read and written. Its layout is in the documentation of [`super`].

mod again;
mod cycles;
mod encoder;
mod memo;
mod passes;
mod plain;
mod state;

use super::error::{Error, Problem};
use super::extensions::Extensions;
use super::source::{PADDING, Source};
use super::validate::Validator;
use super::varint;
use crate::event::{Access, AccessSite, Event, ExecutionState, Isa, Item, Kind, Machine};
use crate::program::CallLengths;

use memo::Known;

pub(super) use encoder::Encoder;

/// Bytes of the header.
pub(super) const HEADER_BYTES: usize = 16;

/// The first bytes of the header.
pub(super) const MAGIC: [u8; 4] = *b"PET1";

/// The most bytes of a record: three varints, kind, thread, length.
const RECORD_BYTES_MAX: usize = 3 * varint::MAX_BYTES + 3;

const KIND_CODE: u8 = 7;
/// The kind code of a data record.
const DATA_CODE: u8 = 5;
/// The kind code of a state record.
const STATE_CODE: u8 = 6;
/// The kind code of a record of cycles.
const CYCLES_CODE: u8 = 7;
const KIND_CALL: u8 = 1 << 3;
const KIND_RETURN: u8 = 1 << 4;
const KIND_TAKEN: u8 = 1 << 5;
/// In a data record, in place of the call bit.
const KIND_STORE: u8 = 1 << 3;
/// In a state record, in place of the call bit: it has a cause.
const STATE_CAUSE: u8 = 1 << 3;
const KIND_THREAD: u32 = 6;

/// Threads that have a place; a thread without one is refused, whatever place it shares.
const THREADS: usize = 8;

// A record is decoded from its first byte on, whether or not the stream holds all of it.
const _: () = assert!(PADDING >= RECORD_BYTES_MAX + varint::MAX_BYTES);

/// Gives the items of a PET1 stream.
pub(super) struct Decoder {
    source: Source,
    validator: Validator,
    address_mask: u64,
    previous: Previous,
    /// Where the last event of each thread leads to.
    leads_to: [Option<u64>; THREADS],
    memo: memo::Memo,
    /// The lengths that calls get.
    lengths: Option<CallLengths>,
}

/// What the addresses of the next record of each thread differ from.
#[derive(Clone, Copy, Default)]
struct Previous {
    program_counters: [u64; THREADS],
    data_addresses: [u64; THREADS],
}

impl Decoder {
    /// Reads the header.
    pub(super) fn new(mut source: Source) -> Result<Decoder, Error> {
        source.require(HEADER_BYTES)?;
        let Some(header) = source.ahead().first_chunk::<HEADER_BYTES>().copied() else {
            let found = source.available();
            return Err(source.error_at_byte(found, 0, Problem::TruncatedHeader(found)));
        };
        let (machine, extensions) =
            parse_header(header).map_err(|(at, problem)| source.error_at_byte(at, 0, problem))?;
        let validator = Validator::new(machine, extensions)
            .map_err(|violation| source.error_at_byte(0, 0, violation.into()))?;
        source.advance(HEADER_BYTES);
        let address_mask = u64::MAX >> (64 - machine.address_bits);
        Ok(Decoder {
            source,
            validator,
            address_mask,
            previous: Previous::default(),
            leads_to: [None; THREADS],
            memo: memo::Memo::default(),
            lengths: None,
        })
    }

    /// The next item, `None` at the end of the stream.
    pub(super) fn next_item(&mut self) -> Result<Option<Item>, Error> {
        if self.source.available() < RECORD_BYTES_MAX
            && !self.refill()?
            && self.source.available() == 0
        {
            self.source.failure(self.validator.records())?;
            return Ok(None);
        }
        self.any_item().map(Some)
    }

    /// Gives calls without a length those that were inferred.
    pub(super) fn complete_calls(&mut self, lengths: CallLengths) {
        self.lengths = Some(lengths);
        self.memo.clear();
    }

    /// The next record, which may be of any form, or end too early.
    #[inline(never)]
    fn any_item(&mut self) -> Result<Item, Error> {
        let (bytes, available) = (self.source.window(), self.source.available());
        let extensions = self.validator.extensions();
        if extensions.states && state::is_state(bytes) {
            return self.state().map(Item::State);
        }
        if extensions.cycles && cycles::are_cycles(bytes) {
            return self.cycles().map(Item::Cycles);
        }
        let fields = match Fields::short(bytes, extensions) {
            Some(fields) if fields.size <= available => fields,
            _ => self.fields()?,
        };
        let at = usize::from(fields.thread) % THREADS;
        let previous = self.previous.program_counters[at];
        let program_counter =
            self.address("program counter", previous, fields.counter_difference)?;
        let Some(kind) = Kind::from_code(fields.kind_byte & KIND_CODE) else {
            return self.access(&fields, program_counter).map(Item::Access);
        };
        let taken = fields.kind_byte & KIND_TAKEN != 0;
        let target = self.address("target", program_counter, fields.second_difference)?;
        let event = Event {
            instructions: fields.instructions,
            program_counter,
            target: if taken { target } else { 0 },
            kind,
            call: fields.kind_byte & KIND_CALL != 0,
            is_return: fields.kind_byte & KIND_RETURN != 0,
            taken,
            length: fields.length,
            thread: fields.thread,
        };
        if let Err(violation) = self.validator.check(&event) {
            return Err(self.error(0, violation.into()));
        }
        let event = completed(event, self.lengths.as_ref());
        self.remember(fields.size, event);
        self.previous.program_counters[at] = program_counter;
        self.leads_to[at] = memo::leads_to(&event);
        self.source.advance(fields.size);
        Ok(Item::Event(event))
    }

    /// Reads on, unless there are too many records; true if there are enough bytes for any record.
    #[cold]
    #[inline(never)]
    fn refill(&mut self) -> Result<bool, Error> {
        match self.source.too_long(self.validator.records()) {
            None => Ok(self.source.fill(RECORD_BYTES_MAX)),
            Some(problem) => Err(self.error(0, problem)),
        }
    }

    /// The record as an access, if it is one.
    fn access(&mut self, fields: &Fields, program_counter: u64) -> Result<Access, Error> {
        let Fields { instructions, kind_byte, thread, .. } = *fields;
        let (data, code) = (self.validator.extensions().data, kind_byte & KIND_CODE);
        if !data || code != DATA_CODE {
            let most = if data { DATA_CODE } else { Kind::Exception as u8 };
            return Err(self.error(0, Problem::UnknownKind { most, found: code }));
        }
        if kind_byte & (KIND_RETURN | KIND_TAKEN) != 0 {
            return Err(self.error(0, Problem::DataKindByte(kind_byte)));
        }
        let at = usize::from(thread) % THREADS;
        let previous = self.previous.data_addresses[at];
        let address = self.address("data address", previous, fields.second_difference)?;
        let store = kind_byte & KIND_STORE != 0;
        let site = AccessSite { instructions, program_counter, store, thread };
        let access = Access { site, address };
        if let Err(violation) = self.validator.check_access(&access) {
            return Err(self.error(0, violation.into()));
        }
        self.previous.program_counters[at] = program_counter;
        self.previous.data_addresses[at] = address;
        self.source.advance(fields.size);
        Ok(access)
    }

    /// The machine, the totals and the rules.
    pub(super) fn validator(&self) -> &Validator {
        &self.validator
    }

    /// Sets the most records that the stream may have.
    pub(super) fn limit(&mut self, records: u64) {
        self.source.limit(records);
    }

    /// Bytes taken so far.
    pub(super) fn offset(&self) -> u64 {
        self.source.offset()
    }

    /// The fields of the next record, however long they are.
    #[cold]
    #[inline(never)]
    fn fields(&mut self) -> Result<Fields, Error> {
        let available = self.source.available();
        match Fields::any(self.source.window(), available, self.validator.extensions()) {
            Ok(fields) => Ok(fields),
            Err((at, problem)) => {
                if matches!(problem, Problem::TruncatedRecord(_)) {
                    self.source.failure(self.validator.records())?;
                }
                Err(self.error(at, problem))
            }
        }
    }

    /// The address that differs from `base` as a record says.
    #[inline(always)]
    fn address(&mut self, field: &'static str, base: u64, difference: u64) -> Result<u64, Error> {
        let difference = varint::from_zigzag(difference);
        let sum = base.wrapping_add_signed(difference);
        // Writers may or may not take the short way around the address space.
        if sum & !self.address_mask != 0 && difference.unsigned_abs() > self.address_mask {
            let address_bits = self.validator.machine().address_bits;
            return Err(self.error(0, Problem::LongDifference { field, address_bits, difference }));
        }
        Ok(sum & self.address_mask)
    }

    #[cold]
    fn error(&mut self, ahead: usize, problem: Problem) -> Error {
        self.source.error_at_byte(ahead, self.validator.records(), problem)
    }
}

/// A record as it is stored, the differences in zigzag form.
struct Fields {
    instructions: u64,
    kind_byte: u8,
    thread: u8,
    length: u8,
    counter_difference: u64,
    /// Of the target or the data address; 0 without either.
    second_difference: u64,
    size: usize,
}

impl Fields {
    /// The fields of a record with no varint above eight bytes and all of them in sixteen.
    ///
    /// Where they are comes from one look at the stop bits of all, so that no field waits for
    /// the one before it to be decoded, and without branches, because sizes are hard to predict.
    #[inline(always)]
    fn short(bytes: &[u8; PADDING], extensions: Extensions) -> Option<Fields> {
        let size = |stops: u64| stops.trailing_zeros() as usize + 1;
        let stops = varint::stops(bytes);
        let instructions_size = size(stops);
        let kind_byte = bytes[instructions_size % PADDING];
        let [has_length, has_second] = present(kind_byte, extensions);
        let thread_at = instructions_size + 1;
        let length_at = thread_at + usize::from(extensions.threads);
        let counter_at = length_at + usize::from(has_length);
        let counter_stops = stops >> (counter_at % 64);
        let counter_size = size(counter_stops);
        let second_stops = counter_stops >> (counter_size % 64);
        // Decoded even if it is not there.
        let second_size = if has_second { size(second_stops) } else { 0 };
        if (instructions_size > 8) | (counter_size > 8) | (second_size > 8) {
            return None;
        }
        let second_at = counter_at + counter_size;
        let second_difference = varint::take_short(bytes, second_at);
        Some(Fields {
            instructions: varint::take_short(bytes, 0),
            kind_byte,
            thread: thread(kind_byte, bytes[thread_at], extensions),
            length: if has_length { bytes[length_at] } else { 0 },
            counter_difference: varint::take_short(bytes, counter_at),
            second_difference: if has_second { second_difference } else { 0 },
            size: second_at + second_size,
        })
    }

    /// The fields of any record, or what is wrong at which byte of it.
    fn any(
        bytes: &[u8; PADDING],
        available: usize,
        extensions: Extensions,
    ) -> Result<Fields, (usize, Problem)> {
        let mut at = 0;
        let truncated = (available, Problem::TruncatedRecord(available));
        let varint = |at: &mut usize, field| {
            let (value, size) = varint::take(bytes, *at);
            if size == 0 {
                return Err((*at, Problem::LongVarint(field)));
            }
            *at += size;
            Ok(value)
        };
        let instructions = varint(&mut at, "instructions")?;
        let kind_byte = bytes[at];
        if at >= available {
            return Err(truncated);
        }
        at += 1;
        let thread = thread(kind_byte, bytes[at], extensions);
        at += usize::from(extensions.threads);
        let [has_length, has_second] = present(kind_byte, extensions);
        let length = if has_length { bytes[at] } else { 0 };
        at += usize::from(has_length);
        let counter_difference = varint(&mut at, "program counter")?;
        let second = if kind_byte & KIND_CODE == DATA_CODE { "data address" } else { "target" };
        let second_difference = if has_second { varint(&mut at, second)? } else { 0 };
        if at > available {
            return Err(truncated);
        }
        let size = at;
        Ok(Fields {
            instructions,
            kind_byte,
            thread,
            length,
            counter_difference,
            second_difference,
            size,
        })
    }
}

/// The event with the length of its call, if that was inferred.
fn completed(event: Event, lengths: Option<&CallLengths>) -> Event {
    lengths.map_or(event, |lengths| lengths.complete(event))
}

/// Whether a record has a length and a second address.
#[inline(always)]
fn present(kind_byte: u8, extensions: Extensions) -> [bool; 2] {
    let data = extensions.data & (kind_byte & KIND_CODE == DATA_CODE);
    let call = kind_byte & KIND_CALL != 0;
    [extensions.lengths & call & !data, (kind_byte & KIND_TAKEN != 0) | data]
}

/// The thread of a record. With a byte of its own it has no bits in the kind byte; what should be
/// 0 there makes a thread that there is not.
#[inline(always)]
fn thread(kind_byte: u8, thread_byte: u8, extensions: Extensions) -> u8 {
    let bits = kind_byte >> KIND_THREAD;
    if extensions.threads { thread_byte | bits << 3 } else { bits }
}

/// The machine and what the trace has, or the byte that is wrong.
fn parse_header(header: [u8; HEADER_BYTES]) -> Result<(Machine, Extensions), (usize, Problem)> {
    let [_, _, _, _, isa, alignment, address_bits, flags, reserved @ ..] = header;
    let isa = Isa::from_code(isa).ok_or((4, Problem::UnknownIsa(isa)))?;
    let known = "0 or a sum of 1 (lengths), 2 (data), 4 (threads), 8 (states) and 16 (cycles)";
    let extensions = Extensions::from_flags(flags)
        .ok_or((7, Problem::FutureHeader { byte: 7, known, found: flags }))?;
    if let Some(index) = reserved.iter().position(|&byte| byte != 0) {
        let byte = index + 8;
        return Err((byte, Problem::FutureHeader { byte, known: "0", found: header[byte] }));
    }
    Ok((Machine { isa, alignment, address_bits }, extensions))
}
