//! Bits into places, and places into streams.

use std::io::Read;

use tracewright_sim::decode::error::DecodeError as SimDecodeError;
use tracewright_sim::decode::field_reader::{FieldError, FieldReader};
use tracewright_sim::decode::stream_replay::StreamReplay;
use tracewright_sim::decode::summary::Summary;
use tracewright_sim::encode::bit_packer::BitUnpacker;
use tracewright_sim::event::Event;
use tracewright_sim::program::Program;
use tracewright_sim::stream_cache::one_length_counter::OneLengthCounter;
use tracewright_sim::stream_cache::start_address_predictor::StartAddressPredictor;
use tracewright_sim::stream_detector::{End, Stream};
use tracewright_sim::stream_start::CutStart;

use super::history::History;
use super::{
    END, EXCEPTION, LENGTH_BITS, MISS, PLACE_BITS, PLACES, STREAM_PLACE_BITS, STREAMS, shared,
    start_bits,
};
use crate::{Core, DecodeError};

/// The longest stream.
const LONGEST: u64 = (1 << LENGTH_BITS) - 1;

struct Decoder<'a> {
    replay: StreamReplay<'a>,
    streams: History<(u64, u8)>,
    places: History<usize>,
    start_addresses: StartAddressPredictor,
    counter: OneLengthCounter,
    /// The run that the last record was, or 0.
    run: u64,
    alignment: u32,
    start_bits: (u32, u32),
}

/// Decodes what the encoder made.
///
/// # Errors
/// When the bits or the program are not what was traced.
pub fn decode(
    core: &Core,
    program: &Program,
    bytes: &mut dyn Read,
    most_instructions: u64,
    take: &mut dyn FnMut(Event),
) -> Result<Summary, DecodeError> {
    let shared = shared(core);
    let cuts = CutStart::new(&shared.processor, LENGTH_BITS);
    let mut decoder = Decoder {
        replay: StreamReplay::new(program, 0, false, cuts),
        streams: History::new(STREAMS),
        places: History::new(PLACES),
        start_addresses: StartAddressPredictor::new(&shared),
        counter: OneLengthCounter::new(&shared),
        run: 0,
        alignment: shared.processor.alignment,
        start_bits: start_bits(core),
    };
    decoder.replay.replay.limit(most_instructions);
    let mut emit = |event| {
        take(event);
        Ok::<(), SimDecodeError>(())
    };
    let mut bits = BitUnpacker::new(bytes);
    while !decoder.record(&mut bits, &mut emit)? {}
    Ok(decoder.replay.replay.finish()?)
}

impl Decoder<'_> {
    /// Decodes one record; true if it is the last.
    fn record<R: Read>(
        &mut self,
        bits: &mut BitUnpacker<R>,
        emit: &mut impl FnMut(Event) -> Result<(), SimDecodeError>,
    ) -> Result<bool, DecodeError> {
        let position = bits.position();
        let field = |source: FieldError| DecodeError::Field { position, source };
        self.replay.replay.position = position;
        self.replay.replay.summary.records += 1;
        let mut fields = FieldReader(bits);
        if fields.bit().map_err(field)? {
            if self.run == self.counter.longest() {
                self.counter.went_on();
            }
            self.run = 1 + fields.bits(self.counter.bits()).map_err(field)?;
            for _ in 0..self.run {
                self.at_place(0, emit)?;
            }
            return Ok(false);
        }
        if self.run > 0 {
            self.counter.ended(self.run);
            self.run = 0;
        }
        let place = fields.bits(PLACE_BITS).map_err(field)? as usize;
        if place > 0 {
            self.at_place(place, emit)?;
            return Ok(false);
        }
        let stream_place = fields.bits(STREAM_PLACE_BITS).map_err(field)?;
        if stream_place < MISS {
            self.places.transform(stream_place as usize);
            self.at_stream_place(stream_place as usize, emit)?;
            return Ok(false);
        }
        let start = match self.replay.inferred_start() {
            Some(start) => start,
            None => self.start(&mut fields).map_err(field)?,
        };
        let length = fields.bits(LENGTH_BITS).map_err(field)?;
        let stream = match stream_place {
            MISS => {
                self.streams.transform((start, length as u8));
                of_table(length)
            }
            EXCEPTION => Stream { length, end: End::Exception },
            END => Stream { length, end: End::Flush },
            _ => return Err(self.impossible("a place in the first table is too large")),
        };
        self.replay.stream(start, stream, emit)?;
        Ok(stream.end == End::Flush)
    }

    /// A start address, of which the upper bits may be left out.
    fn start<R: Read>(&mut self, fields: &mut FieldReader<'_, R>) -> Result<u64, FieldError> {
        let whole = fields.bit()?;
        let bits = if whole { self.start_bits.0 } else { self.start_bits.1 };
        let sent = fields.bits(bits)? << self.alignment;
        let start = if whole { sent } else { self.start_addresses.join(sent) };
        self.start_addresses.update(start, true);
        Ok(start)
    }

    fn at_place(
        &mut self,
        place: usize,
        emit: &mut impl FnMut(Event) -> Result<(), SimDecodeError>,
    ) -> Result<(), DecodeError> {
        let Some(stream_place) = self.places.restore(place) else {
            return Err(self.impossible("the second table has nothing at this place"));
        };
        self.at_stream_place(stream_place, emit)
    }

    fn at_stream_place(
        &mut self,
        stream_place: usize,
        emit: &mut impl FnMut(Event) -> Result<(), SimDecodeError>,
    ) -> Result<(), DecodeError> {
        let Some((start, length)) = self.streams.restore(stream_place) else {
            return Err(self.impossible("the first table has no stream at this place"));
        };
        Ok(self.replay.stream(start, of_table(length.into()), emit)?)
    }

    #[cold]
    fn impossible(&self, what: &str) -> DecodeError {
        self.replay.replay.impossible(what.into()).into()
    }
}

/// The stream of a length as the first table has it.
fn of_table(length: u64) -> Stream {
    match length {
        0 => Stream { length: LONGEST, end: End::Cut },
        length => Stream { length, end: End::Branch },
    }
}
