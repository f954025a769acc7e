//! The golden encoder: events in, trace bits out.

use std::convert::Infallible;

use super::config::Config;
use super::layout::Layout;
use super::record_former::{Record, RecordFormer};
use crate::configuration::Configuration;
use crate::event::Event;
use crate::field::{Putter, Sink};
use crate::golden_encoder::GoldenEncoder;
use crate::parameter::ParameterError;
use crate::stream_source::StreamSource;

/// Turns events into the trace of streams, bit for bit as the hardware does.
#[derive(Clone, Debug)]
pub struct Encoder {
    source: StreamSource,
    record_former: RecordFormer,
    layout: Layout,
    word_bits: u32,
}

impl Encoder {
    /// An encoder as reset leaves the hardware.
    ///
    /// # Errors
    /// When the configuration breaks a constraint.
    pub fn new(config: &Config) -> Result<Self, ParameterError> {
        config.validate()?;
        Ok(Self {
            source: StreamSource::new(&config.processor, config.cache.stream_length_bits, true),
            record_former: RecordFormer::new(config),
            layout: Layout::new(config),
            word_bits: config.port.word_bits(),
        })
    }
}

impl GoldenEncoder for Encoder {
    #[inline]
    fn event<S: Sink>(&mut self, event: &Event, sink: &mut S) {
        let Self { source, record_former, layout, .. } = self;
        source.event(event, |stream| {
            record_former.stream(stream, &mut |record| put(layout, record, sink));
        });
    }

    fn flush<S: Sink>(&mut self, sink: &mut S) {
        let Self { source, record_former, layout, .. } = self;
        record_former.stream(source.flush(), &mut |record| put(layout, record, sink));
        sink.align(self.word_bits);
    }
}

#[inline]
fn put<S: Sink>(layout: &Layout, record: Record, sink: &mut S) {
    let mut hit = matches!(record, Record::Hit | Record::Run { .. });
    let mut putter = Putter(sink);
    let sent: Result<(), Infallible> =
        layout.head(&mut hit, &mut putter).and_then(|()| match record {
            Record::Hit => Ok(()),
            Record::Run { mut run, bits } => layout.run(bits, &mut run, &mut putter),
            Record::Index(mut index) => layout.index(&mut index, &mut putter),
            Record::Miss { inferred, mut miss } => layout
                .index(&mut 0, &mut putter)
                .and_then(|()| layout.miss(inferred, &mut miss, &mut putter)),
        });
    let Ok(()) = sent;
    sink.end_record();
}
