//! The golden encoders of all schemes as one.

use std::convert::Infallible;

use super::SchemeEncoder;
use crate::config::Protocol;
use crate::event::{Access, Event, ExecutionState, Item};
use crate::field::Sink;
use crate::golden_encoder::{GoldenEncoder, Synchronisation};
use crate::packet::encoder::Packets;

impl GoldenEncoder for SchemeEncoder {
    type Error = Infallible;

    #[inline]
    fn event<S: Sink>(&mut self, event: &Event, sink: &mut S) -> Result<(), Infallible> {
        with_encoder!(self, encoder => encoder.event(event, sink))
    }

    #[inline]
    fn access<S: Sink>(&mut self, access: &Access, sink: &mut S) -> Result<(), Infallible> {
        with_encoder!(self, encoder => encoder.access(access, sink))
    }

    fn state(&mut self, state: &ExecutionState) -> Result<(), Infallible> {
        with_encoder!(self, encoder => encoder.state(state))
    }

    /// What the scheme is, is asked once for all items.
    fn items<S: Sink>(&mut self, items: &[Item], sink: &mut S) -> Result<(), Infallible> {
        with_encoder!(self, encoder => encoder.items(items, sink))
    }

    fn settle<S: Sink>(&mut self, sink: &mut S) {
        with_encoder!(self, encoder => encoder.settle(sink));
    }

    fn flush<S: Sink>(&mut self, sink: &mut S) {
        with_encoder!(self, encoder => encoder.flush(sink));
    }

    fn is_timed(&self) -> bool {
        with_encoder!(self, encoder => encoder.is_timed())
    }

    fn times_events(&self) -> bool {
        with_encoder!(self, encoder => encoder.times_events())
    }

    fn cycles(&mut self, cycles: u64) {
        with_encoder!(self, encoder => encoder.cycles(cycles));
    }

    fn follow_cycles(&mut self) {
        with_encoder!(self, encoder => encoder.follow_cycles());
    }

    fn trap_value(&mut self, value: u64) {
        with_encoder!(self, encoder => encoder.trap_value(value));
    }

    fn time(&mut self, time: u64) {
        with_encoder!(self, encoder => encoder.time(time));
    }

    fn follow_time(&mut self) -> Protocol {
        with_encoder!(self, encoder => encoder.follow_time())
    }

    fn end_packet<S: Sink>(&mut self, sink: &mut S) {
        with_encoder!(self, encoder => encoder.end_packet(sink));
    }

    fn leave_off<S: Sink>(&mut self, sink: &mut S) {
        with_encoder!(self, encoder => encoder.leave_off(sink));
    }

    fn synchronise<S: Sink>(&mut self, what: Synchronisation, sink: &mut S) {
        with_encoder!(self, encoder => encoder.synchronise(what, sink));
    }

    fn discard(&mut self) {
        with_encoder!(self, encoder => encoder.discard());
    }

    #[inline]
    fn end_of_cycle<S: Sink>(&mut self, core: u8, stalled: bool, sink: &mut S) {
        with_encoder!(self, encoder => encoder.end_of_cycle(core, stalled, sink));
    }
}

/// What an encoder does with a sink of any kind. These functions are compiled here, because the encoders of all schemes
/// would otherwise be compiled again in each caller, for each kind of sink.
pub(super) struct CompiledOnce<'e>(pub &'e mut Packets<SchemeEncoder>);

impl CompiledOnce<'_> {
    pub(super) fn event(self, event: &Event, mut sink: &mut dyn Sink) {
        let Ok(()) = self.0.event(event, &mut sink);
    }

    pub(super) fn access(self, access: &Access, mut sink: &mut dyn Sink) {
        let Ok(()) = self.0.access(access, &mut sink);
    }

    pub(super) fn items(self, items: &[Item], mut sink: &mut dyn Sink) {
        let Ok(()) = self.0.items(items, &mut sink);
    }

    pub(super) fn settle(self, mut sink: &mut dyn Sink) {
        self.0.settle(&mut sink);
    }

    pub(super) fn flush(self, mut sink: &mut dyn Sink) {
        self.0.flush(&mut sink);
    }

    pub(super) fn end_of_cycle(self, core: u8, stalled: bool, mut sink: &mut dyn Sink) {
        self.0.end_of_cycle(core, stalled, &mut sink);
    }

    pub(super) fn end_packet(self, mut sink: &mut dyn Sink) {
        self.0.end_packet(&mut sink);
    }

    pub(super) fn leave_off(self, mut sink: &mut dyn Sink) {
        self.0.leave_off(&mut sink);
    }

    pub(super) fn synchronise(self, what: Synchronisation, mut sink: &mut dyn Sink) {
        self.0.synchronise(what, &mut sink);
    }
}
