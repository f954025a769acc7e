//! Streams into places, and places into bits.

use tracewright_sim::event::Event;
use tracewright_sim::field::Sink;
use tracewright_sim::stream_cache::one_length_counter::OneLengthCounter;
use tracewright_sim::stream_cache::start_address_predictor::StartAddressPredictor;
use tracewright_sim::stream_detector::End;
use tracewright_sim::stream_source::{StartedStream, StreamSource};

use super::history::History;
use super::{
    END, EXCEPTION, LENGTH_BITS, MISS, PLACE_BITS, PLACES, STREAM_PLACE_BITS, STREAMS, fields,
    shared, start_bits,
};
use crate::{Core, Encode, EncodeError};

struct Encoder {
    source: StreamSource,
    tables: Tables,
}

struct Tables {
    streams: History<(u64, u8)>,
    places: History<usize>,
    start_addresses: StartAddressPredictor,
    counter: OneLengthCounter,
    run: u64,
    alignment: u32,
    /// Bits of a whole start address, and of a lower one.
    start_bits: (u32, u32),
}

/// A DMTF encoder at the start of a trace.
///
/// # Errors
/// Never.
pub fn encoder(core: &Core) -> Result<Box<dyn Encode>, EncodeError> {
    let shared = shared(core);
    Ok(Box::new(Encoder {
        source: StreamSource::new(&shared.processor, LENGTH_BITS, true),
        tables: Tables {
            streams: History::new(STREAMS),
            places: History::new(PLACES),
            start_addresses: StartAddressPredictor::new(&shared),
            counter: OneLengthCounter::new(&shared),
            run: 0,
            alignment: shared.processor.alignment,
            start_bits: start_bits(core),
        },
    }))
}

impl Encode for Encoder {
    #[inline]
    fn event(&mut self, event: &Event, sink: &mut dyn Sink) -> Result<(), EncodeError> {
        let Self { source, tables } = self;
        source.event(event, |stream| tables.stream(&stream, sink));
        Ok(())
    }

    fn finish(&mut self, sink: &mut dyn Sink) -> Result<(), EncodeError> {
        self.tables.stream(&self.source.flush(), sink);
        Ok(())
    }
}

impl Tables {
    fn stream(&mut self, started: &StartedStream, sink: &mut dyn Sink) {
        let length = match started.stream.end {
            End::Branch => started.stream.length,
            End::Cut => 0,
            End::Exception => return self.written(EXCEPTION, started, started.stream.length, sink),
            End::Flush => return self.written(END, started, started.stream.length, sink),
        };
        let Some(stream_place) = self.streams.transform((started.start, length as u8)) else {
            return self.written(MISS, started, length, sink);
        };
        match self.places.transform(stream_place) {
            Some(0) => self.zero(sink),
            Some(place) => {
                self.end_run(sink);
                self.place(place, sink);
                sink.end_record();
            }
            None => {
                self.end_run(sink);
                self.place(0, sink);
                sink.put(&fields::STREAM_PLACE, stream_place as u64, STREAM_PLACE_BITS);
                sink.end_record();
            }
        }
    }

    fn place(&self, place: usize, sink: &mut dyn Sink) {
        sink.put(&fields::FLAG, 0, 1);
        sink.put(&fields::PLACE, place as u64, PLACE_BITS);
    }

    fn zero(&mut self, sink: &mut dyn Sink) {
        if self.run == self.counter.longest() {
            self.send_run(sink);
            self.counter.went_on();
            self.run = 0;
        }
        self.run += 1;
    }

    fn end_run(&mut self, sink: &mut dyn Sink) {
        if self.run > 0 {
            self.send_run(sink);
            self.counter.ended(self.run);
            self.run = 0;
        }
    }

    fn send_run(&self, sink: &mut dyn Sink) {
        sink.put(&fields::FLAG, 1, 1);
        if self.counter.bits() > 0 {
            sink.put(&fields::RUN, self.run - 1, self.counter.bits());
        }
        sink.end_record();
    }

    /// A stream that is in no table.
    fn written(&mut self, code: u64, started: &StartedStream, length: u64, sink: &mut dyn Sink) {
        self.end_run(sink);
        self.place(0, sink);
        sink.put(&fields::STREAM_PLACE, code, STREAM_PLACE_BITS);
        if !started.inferred {
            let whole = !self.start_addresses.shortens(started.start);
            let bits = if whole { self.start_bits.0 } else { self.start_bits.1 };
            sink.put(&fields::UPPER, whole.into(), 1);
            sink.put(&fields::START, started.start >> self.alignment, bits);
            self.start_addresses.update(started.start, true);
        }
        sink.put(&fields::LENGTH, length, LENGTH_BITS);
        sink.end_record();
    }
}
