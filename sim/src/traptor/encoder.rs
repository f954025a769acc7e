//! The golden encoder: events in, trace bits out.

use std::convert::Infallible;

use super::config::Config;
use super::layout::{Body, Head, Layout};
use super::predictors::Predictors;
use super::record_former::RecordFormer;
use crate::configuration::Configuration;
use crate::event::{Event, Kind};
use crate::field::{Putter, Sink};
use crate::golden_encoder::GoldenEncoder;
use crate::parameter::ParameterError;

/// Turns events into T-raptor's trace, bit for bit as the hardware does.
#[derive(Clone, Debug)]
pub struct Encoder {
    predictors: Predictors,
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
            predictors: Predictors::new(config),
            record_former: RecordFormer::new(config),
            layout: Layout::new(config),
            word_bits: config.port.word_bits(),
        })
    }
}

impl GoldenEncoder for Encoder {
    #[inline]
    fn event<S: Sink>(&mut self, event: &Event, sink: &mut S) {
        let layout = self.layout;
        let mut record = |head, body| put(&layout, head, event.kind, body, sink);
        if event.kind == Kind::Exception && !event.taken {
            return self.record_former.sequential(event.instructions, record);
        }
        let prediction =
            self.predictors.predict(event.program_counter, event.kind, event.is_return);
        self.record_former.control_flow(event, &prediction, &mut record);
        self.predictors.update(event, &prediction);
    }

    fn flush<S: Sink>(&mut self, sink: &mut S) {
        let layout = self.layout;
        self.record_former.flush(|head, body| put(&layout, head, Kind::Exception, body, sink));
        sink.align(self.word_bits);
    }
}

#[cold]
fn put<S: Sink>(layout: &Layout, mut head: Head, kind: Kind, mut body: Body, sink: &mut S) {
    let mut putter = Putter(sink);
    let sent: Result<(), Infallible> = layout
        .head(&mut head, &mut putter)
        .and_then(|()| layout.body(head, kind, &mut body, &mut putter));
    let Ok(()) = sent;
    sink.end_record();
}
