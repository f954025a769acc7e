//! What a packet tells: the time, the state, its events.

use super::{Decoder, open, unreadable};
use crate::decode::error::DecodeError;
use crate::decode::record_decoder::PartDecoder;
use crate::event::{Event, ExecutionState};
use crate::packet::header::{Beginning, Header};
use crate::packet::joint::Joint;
use crate::packet::part::Part;
use crate::packet::reader::{Content, Ending};

impl<'a, D, F, E> Decoder<'_, 'a, D, F>
where
    D: PartDecoder<'a>,
    F: FnMut(Part) -> Result<(), E>,
    E: From<DecodeError>,
{
    /// Emits the time, and in what the execution goes on, if that is new.
    pub(super) fn tell_state(&mut self, header: Header, is_behind_gap: bool) -> Result<(), E> {
        let has_time = self.framing.protocol.time_bits > 0;
        if let Some(Beginning { time, .. }) = header.beginning().filter(|_| has_time) {
            (self.emit)(Part::Time(*time))?;
        }
        if !self.framing.protocol.traces_state() {
            return Ok(());
        }
        let state = self.state(header);
        if state == self.told && !is_behind_gap {
            return Ok(());
        }
        self.told = ExecutionState { cause: None, ..state };
        self.recovered.states += 1;
        (self.emit)(Part::State(state))
    }

    /// Emits the events of a packet, from those that are held or by decoding it `again`; gives the last one.
    pub(super) fn tell(
        &mut self,
        content: &Content,
        joint: Option<Joint>,
        again: Option<D>,
    ) -> Result<Option<Event>, E> {
        let Self { emit, held, .. } = self;
        let (mut first, mut last) = (joint, None);
        let mut tell = |mut event: Event| {
            if let Some(joint) = first.take() {
                if event.instructions == 0 {
                    event.program_counter = joint.program_counter.unwrap_or(0);
                }
                event.instructions += joint.instructions;
            }
            last = Some(event);
            emit(Part::Event(event))
        };
        match again {
            None => held.drain(..).try_for_each(&mut tell)?,
            Some(mut decoder) if content.ending == Ending::Open => {
                open::part(&mut decoder, content, &mut tell)?;
            }
            Some(mut decoder) => {
                let mut payload = content.payload().map_err(unreadable)?;
                decoder.part(&mut payload, &mut tell, &mut |_| Ok(()))?;
            }
        }
        Ok(last)
    }
}
