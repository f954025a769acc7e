//! Decodes packets: the events of those that are whole, and the gaps between them.

use std::io::Read;
use std::ops::Range;
use std::thread;

use super::framing::Framing;
use super::header::{Beginning, Header, Next};
use super::joint::{Before, End, Joint};
use super::numbers::Numbers;
use super::part::{Gap, Part, Reason, Recovered};
use super::reader::{Content, Damage, Ending, Packet, PacketReader};
use crate::decode::error::DecodeError;
use crate::decode::field_reader::FieldError;
use crate::decode::record_decoder::PartDecoder;
use crate::encode::bit_packer::{BitUnpacker, TakeError};
use crate::event::{Event, ExecutionState};
use crate::program::{Place, Program, Programs};
use ahead::{Ahead, Early};

mod ahead;
mod attempt;
mod gaps;
mod open;
mod tell;

/// Decodes all packets of `bits`; `emit` is given the events of whole packets, and the gaps between them.
///
/// `initial` is a decoder as reset leaves the hardware, in the program of the contexts that have none of their own; all
/// packets together have at most `most_instructions`.
///
/// # Errors
/// When `bits` cannot be read, or `emit` fails. Damage is no error but a gap.
pub fn decode<'a, D: PartDecoder<'a> + Send, R: Read + ?Sized, E: From<DecodeError>>(
    framing: &Framing,
    programs: &Programs<'a>,
    initial: &D,
    bits: &mut BitUnpacker<R>,
    most_instructions: u64,
    mut emit: impl FnMut(Part) -> Result<(), E>,
) -> Result<Recovered, E> {
    let begin = bits.position();
    let mut packets = PacketReader::new(framing, bits);
    let mut decoder = Decoder {
        framing,
        programs,
        initial,
        current: initial.clone(),
        code_changes: programs.other().changing(0).is_some(),
        most_instructions,
        before: Before::Nothing,
        gap: None,
        numbers: Numbers::new(&framing.protocol),
        keeps_over_gap: false,
        events: Some(0),
        told: framing.protocol.reset_state(),
        held: Vec::new(),
        recovered: Recovered::default(),
        emit: &mut emit,
    };
    thread::scope(|scope| {
        let mut ahead = match decoder.code_changes {
            true => Ahead::nothing(),
            false => Ahead::new(scope, framing, initial, most_instructions),
        };
        let mut read = Ok(true);
        loop {
            while ahead.has_room() && matches!(read, Ok(true)) {
                read =
                    packets.next_packet().map(|packet| packet.map(|one| ahead.push(one)).is_some());
            }
            let Some((packet, early)) = ahead.pop() else {
                return read.map(|_| ()).map_err(|error| E::from(unreadable(error)));
            };
            decoder.any_packet(packet, early)?;
        }
    })?;
    if decoder.recovered.packets == 0 && decoder.gap.is_none() {
        decoder.lose(begin..begin, Reason::NoPacket)?;
    }
    decoder.end_gap(None)?;
    if let Before::Packet(joint) = decoder.before {
        decoder.recovered.trailing_instructions = joint.instructions;
    }
    Ok(decoder.recovered)
}

fn unreadable(error: impl Into<TakeError>) -> DecodeError {
    DecodeError::Field { record: 0, position: 0, source: FieldError::Take(error.into()) }
}

/// What was found of a packet.
#[derive(Clone, Copy)]
struct Found {
    /// All its events are held.
    is_held: bool,
    /// Its flush record is there.
    is_flushed: bool,
}

struct Decoder<'f, 'a, D, F> {
    framing: &'f Framing,
    programs: &'f Programs<'a>,
    initial: &'f D,
    /// The decoder after the packet before, where packets keep the tables.
    current: D,
    code_changes: bool,
    most_instructions: u64,
    before: Before,
    /// A gap that goes on, as far as is known.
    gap: Option<Gap>,
    numbers: Numbers,
    /// The gap at hand is one packet that is there twice, between two instructions that change the flow: the tables go
    /// on.
    keeps_over_gap: bool,
    /// Events since the program began, if that is known.
    events: Option<u64>,
    /// In what the execution goes on, as it was told.
    told: ExecutionState,
    held: Vec<Event>,
    recovered: Recovered,
    emit: &'f mut F,
}

impl<'a, D, F, E> Decoder<'_, 'a, D, F>
where
    D: PartDecoder<'a>,
    F: FnMut(Part) -> Result<(), E>,
    E: From<DecodeError>,
{
    /// The next packet, and what became of it if it was decoded early.
    fn any_packet(&mut self, packet: Packet, early: Option<Early<D>>) -> Result<(), E> {
        let bits = packet.begin..packet.end;
        match packet.content {
            Ok(content) => self.packet(bits, &content, early),
            Err(Damage::Beginning) => self.lose(bits, Reason::Beginning),
            Err(damage) => {
                self.numbers.pass_over(&damage);
                self.lose(bits, Reason::Damaged(damage))
            }
        }
    }

    fn packet(
        &mut self,
        bits: Range<u64>,
        content: &Content,
        early: Option<Early<D>>,
    ) -> Result<(), E> {
        self.follow(bits.start, content)?;
        let Some((place, reason)) = self.begins(&content.header) else {
            return self.end(bits.start);
        };
        let is_joined = matches!(self.before, Before::Packet(_)) && reason.is_none();
        let keeps = content.header.beginning().is_some_and(|beginning| beginning.keeps_tables);
        let is_behind_gap = reason.is_some() || matches!(self.before, Before::Gap);
        if keeps && !is_joined && !(self.keeps_over_gap && reason.is_none()) {
            return self.lose(bits, Reason::TablesUnknown);
        }
        if self.code_changes && self.events.is_none() {
            return self.lose(bits, Reason::CodeUnknown);
        }
        let program = self.programs.of(self.state(content.header).context);
        let goes_on = keeps && self.is_in(program);
        let is_other = goes_on || !std::ptr::eq(program, self.programs.other());
        let early = early.filter(|_| !is_other).and_then(|early| early.within(self.left()));
        let attempted = match early {
            Some(early) => early,
            None => {
                let start = match goes_on {
                    true => self.current.clone(),
                    false => self.start(content.header, program, is_joined),
                };
                self.attempt(start, content)
            }
        };
        let Early { start, mut decoder, held, found } = attempted;
        self.held = held;
        let found = match found {
            Ok(found) => found,
            Err(what) => return self.lose(bits, Reason::Undecodable(what)),
        };
        if self.held.is_empty() && !found.is_flushed {
            return self.lose(bits, Reason::Damaged(Damage::CutOff));
        }
        // A decoder that goes on knows what was before.
        let joint = self.joint(content.header, is_joined).filter(|_| !goes_on);
        self.arrive(bits.start, (place, content.header), reason)?;
        self.tell_state(content.header, is_behind_gap)?;
        let before = self.recovered;
        if content.ending != Ending::Whole {
            (self.emit)(Part::Unverified)?;
        }
        let told = self.tell(content, joint, (!found.is_held).then(|| start.clone()))?;
        self.count(start, &mut decoder, joint.unwrap_or_default(), (told, goes_on, found));
        self.current = decoder;
        if content.ending != Ending::Whole {
            self.count_unverified(before);
        }
        if content.ending == Ending::Open {
            self.events = None;
            self.begin_gap(bits.end..bits.end, Reason::Damaged(Damage::CutOff));
        }
        Ok(())
    }

    /// Where a packet begins, and why the execution up to it is not known; `None` for an end.
    fn begins(&mut self, header: &Header) -> Option<(Place, Option<Reason>)> {
        let (place, reason) = match *header {
            Header::End => return None,
            Header::Start => {
                self.events = Some(0);
                (Place::Start(0), self.has_begun().then_some(Reason::Reset))
            }
            Header::Synchronisation(Beginning { next, .. }) => {
                (next.place(), self.break_before(next.place()))
            }
            Header::AfterLoss(loss, Beginning { next, .. }) => {
                self.events = None;
                (next.place(), Some(Reason::Lost(loss)))
            }
        };
        if matches!(reason, Some(Reason::Beginning | Reason::Elsewhere { .. })) {
            self.events = None;
        }
        Some((place, reason))
    }

    /// Compares the number of a packet that is whole with that of the last one.
    fn follow(&mut self, begin: u64, content: &Content) -> Result<(), E> {
        let missing = self.numbers.next(content.sequence, &content.header);
        if missing == 0 {
            return Ok(());
        }
        self.keeps_over_gap = false;
        if self.gap.is_none() {
            self.lose(begin..begin, Reason::Missing(missing))?;
        }
        if let Some(gap) = &mut self.gap {
            gap.missing_packets = missing;
            if matches!(gap.reason, Reason::Damaged(Damage::NotFollowed { .. })) {
                gap.reason = Reason::Missing(missing);
            }
        }
        Ok(())
    }

    /// An end, before which there was a packet.
    fn end(&mut self, begin: u64) -> Result<(), E> {
        self.recovered.packets += 1;
        self.recovered.records += 1;
        if matches!(self.before, Before::Nothing) {
            self.events = None;
            self.begin_gap(begin..begin, Reason::Beginning);
        }
        Ok(())
    }

    /// True if something was traced before.
    fn has_begun(&self) -> bool {
        match self.before {
            Before::Nothing => false,
            Before::Packet(_) => self.recovered.has_execution(),
            Before::Gap => true,
        }
    }

    /// Why the execution up to a synchronisation is not known, although no bits are missing.
    fn break_before(&self, begin: Place) -> Option<Reason> {
        match self.before {
            Before::Nothing => Some(Reason::Beginning),
            Before::Gap => None,
            Before::Packet(Joint { end, .. }) => {
                (!end.is(begin)).then(|| Reason::Elsewhere { end: end.to_string(), begin })
            }
        }
    }

    /// In what the execution goes on.
    fn state(&self, header: Header) -> ExecutionState {
        let reset = self.framing.protocol.reset_state();
        header.beginning().map_or(reset, |beginning| beginning.state)
    }

    /// True if the packet before is of this program.
    fn is_in(&mut self, program: &Program) -> bool {
        std::ptr::eq(self.current.first_replay().program(), program)
    }

    /// A decoder for a packet that begins with cleared tables, or in another program than the packet before.
    fn start(&mut self, header: Header, program: &'a Program, is_joined: bool) -> D {
        let keeps = header.beginning().is_some_and(|beginning| beginning.keeps_tables);
        let before = is_joined.then(|| self.current.first_replay().program());
        let mut decoder = if keeps { self.current.clone() } else { self.initial.clone() };
        let place = header.beginning().map_or(Place::Start(0), |beginning| beginning.next.place());
        let replay = decoder.first_replay();
        if !keeps && !matches!(place, Place::Start(_)) {
            if self.code_changes {
                replay.take_code_of(self.current.first_replay());
            }
            replay.start_at(place, self.events.unwrap_or(0));
        }
        if !std::ptr::eq(replay.program(), program) {
            // The length of the instruction before is that in the program where it ran.
            let known = before.and_then(|before| before.address(place)).map(Place::At);
            replay.go_on_in(program, place, known.unwrap_or(place));
        }
        decoder
    }

    /// Emits the gaps before a packet that has been decoded.
    fn arrive(
        &mut self,
        begin: u64,
        (place, header): (Place, Header),
        reason: Option<Reason>,
    ) -> Result<(), E> {
        let goes_on = Some((place, self.state(header).context));
        let Some(reason) = reason else { return self.end_gap(goes_on) };
        self.end_gap(None)?;
        if let Reason::Lost(loss) = &reason {
            let recovered = &mut self.recovered;
            let count = match reason.is_filter() {
                true => &mut recovered.filtered_instructions,
                false => &mut recovered.lost_instructions,
            };
            *count = count.saturating_add(loss.instructions);
        }
        self.begin_gap(begin..begin, reason);
        self.end_gap(goes_on)
    }

    /// What the first event of a packet needs of what comes before; `None` where the program begins.
    fn joint(&self, header: Header, is_joined: bool) -> Option<Joint> {
        match (header, self.before) {
            (Header::Start | Header::End, _) => None,
            (_, Before::Packet(joint)) if is_joined => Some(joint),
            (
                Header::Synchronisation(Beginning { next, .. })
                | Header::AfterLoss(_, Beginning { next, .. }),
                _,
            ) => {
                let (Next::At(address) | Next::After(address)) = next;
                let is_after = matches!(next, Next::After(_));
                let program_counter = is_after.then_some(address);
                Some(Joint { program_counter, ..Joint::default() })
            }
        }
    }

    /// Counts a packet that has been told, from its decoder at its start and at its end; one that `goes_on` has counted
    /// what was before.
    fn count(
        &mut self,
        mut start: D,
        decoder: &mut D,
        joint: Joint,
        (last, goes_on, found): (Option<Event>, bool, Found),
    ) {
        let (before, after) = (start.summary(), decoder.summary());
        let (waiting, left) = (start.first_replay().consumed(), decoder.first_replay().consumed());
        // What has retired after the last event is known only from a flush record.
        let left = if found.is_flushed { left } else { 0 };
        let recovered = &mut self.recovered;
        recovered.packets += u64::from(found.is_flushed);
        recovered.records += 1 + after.records - before.records;
        let events = after.events - before.events;
        recovered.events += events;
        recovered.instructions +=
            (after.instructions + left).saturating_sub(before.instructions + waiting);
        self.events = self.events.map(|all| all.saturating_add(events));
        let carried = if last.is_none() && !goes_on { joint.instructions } else { 0 };
        let known = last.map(|event| event.program_counter).or(joint.program_counter);
        self.before = Before::Packet(Joint {
            instructions: carried + left,
            program_counter: known.filter(|_| carried + left == 0),
            end: End::of(decoder),
        });
    }
}
