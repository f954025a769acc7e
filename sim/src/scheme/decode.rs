//! Decoding the trace of any design.

use std::cell::Cell;
use std::io::Read;

use super::{Design, DesignError, Scheme};
use crate::decode::error::DecodeError;
use crate::decode::summary::{Summary, TimeStamp};
use crate::encode::bit_packer::BitUnpacker;
use crate::event::{AccessSite, Event, Item};
use crate::packet;
use crate::packet::framing::Framing;
use crate::packet::part::{Gap, Part, Recovered};
use crate::program::{Program, Programs};
use crate::room::Room;

/// What is given each decoded thing. Callers' functions become this one type here, because the decoders of all schemes
/// would otherwise be compiled again for each caller.
type Emit<'e, T> = dyn FnMut(T) -> Result<(), Stop> + 'e;

/// Why decoding ends early.
enum Stop {
    Decode(DecodeError),
    Design(DesignError),
    /// The caller's function failed.
    Caller,
}

impl From<DecodeError> for Stop {
    fn from(error: DecodeError) -> Self {
        Stop::Decode(error)
    }
}

impl From<DesignError> for Stop {
    fn from(error: DesignError) -> Self {
        Stop::Design(error)
    }
}

/// Keeps the error of a caller's function while the decoder returns.
struct Failure<E>(Cell<Option<E>>);

impl<E> Default for Failure<E> {
    fn default() -> Self {
        Failure(Cell::new(None))
    }
}

impl<E: From<DecodeError> + From<DesignError>> Failure<E> {
    #[inline]
    fn keep(&self, result: Result<(), E>) -> Result<(), Stop> {
        result.map_err(|error| {
            self.0.set(Some(error));
            Stop::Caller
        })
    }

    fn of(self, stop: Stop) -> E {
        match (stop, self.0.into_inner()) {
            (_, Some(error)) => error,
            (Stop::Decode(error), None) => error.into(),
            (Stop::Design(error), None) => error.into(),
            (Stop::Caller, None) => unreachable!("a function that failed has left its error"),
        }
    }
}

/// Decodes a whole trace of `design`, which traces control flow, against `program`, giving every event
/// to `emit`.
///
/// The events of one thread come in their order; between threads it is the order of the records.
/// `most_instructions` ends the replay of a damaged trace; [`u64::MAX`] where it is not known.
///
/// # Errors
/// When the bits or the program are not what was traced, the design breaks a constraint, or `emit`
/// fails.
pub fn decode<R: Read, E>(
    design: &Design,
    program: &Program,
    bits: &mut BitUnpacker<R>,
    most_instructions: u64,
    emit: impl FnMut(Event) -> Result<(), E>,
) -> Result<Summary, E>
where
    E: From<DecodeError> + From<DesignError>,
{
    decode_timed(design, program, bits, most_instructions, emit, |_| Ok(()))
}

/// Decodes as [`decode`] does; where the trace has time stamps, `stamp` is given them, each after the
/// events of its record.
///
/// # Errors
/// Those of [`decode`], and when `stamp` fails.
pub fn decode_timed<R: Read, E>(
    design: &Design,
    program: &Program,
    bits: &mut BitUnpacker<R>,
    most_instructions: u64,
    mut emit: impl FnMut(Event) -> Result<(), E>,
    mut stamp: impl FnMut(TimeStamp) -> Result<(), E>,
) -> Result<Summary, E>
where
    E: From<DecodeError> + From<DesignError>,
{
    let failure = Failure::default();
    let emit = &mut |event| failure.keep(emit(event));
    let stamp = &mut |time| failure.keep(stamp(time));
    let decoded = match design.framing() {
        Some(_) => decode_whole(design, program, bits, most_instructions, emit),
        None => decode_unframed(design, program, bits, most_instructions, (emit, stamp)),
    };
    decoded.map_err(|stop| failure.of(stop))
}

/// Decodes a trace without packets.
fn decode_unframed(
    design: &Design,
    program: &Program,
    bits: &mut BitUnpacker<dyn Read + '_>,
    most_instructions: u64,
    (emit, stamp): (&mut Emit<'_, Event>, &mut Emit<'_, TimeStamp>),
) -> Result<Summary, Stop> {
    with_config!(&design.scheme, config => {
        config.decode(program, bits, most_instructions, emit, stamp)
    })
    .unwrap_or_else(|| Err(DesignError::TracesData { name: design.name.clone() }.into()))
}

/// Decodes all packets of a trace of `design` against a program, or one for each context; `emit` is given the events of
/// whole packets, and the gaps between them.
///
/// # Errors
/// When the design's traces have no packets, `bits` cannot be read, or `emit` fails. Damage is no error but a gap.
pub fn decode_packets<'a, R: Read, E>(
    design: &Design,
    programs: impl Into<Programs<'a>>,
    bits: &mut BitUnpacker<R>,
    most_instructions: u64,
    mut emit: impl FnMut(Part) -> Result<(), E>,
) -> Result<Recovered, E>
where
    E: From<DecodeError> + From<DesignError>,
{
    let failure = Failure::default();
    let emit = &mut |part| failure.keep(emit(part));
    recover(design, &programs.into(), bits, most_instructions, emit)
        .map_err(|stop| failure.of(stop))
}

fn recover(
    design: &Design,
    programs: &Programs<'_>,
    bits: &mut BitUnpacker<dyn Read + '_>,
    most_instructions: u64,
    emit: &mut Emit<'_, Part>,
) -> Result<Recovered, Stop> {
    with_config!(&design.scheme, config => {
        let decoder = config.decoder(programs.other());
        let (Some(framing), Some(decoder)) = (Framing::of(config), decoder) else {
            return Err(DesignError::NoPackets { name: design.name.clone() }.into());
        };
        let decoder = decoder.map_err(DesignError::from)?;
        packet::decoder::decode(&framing, programs, &decoder, bits, most_instructions, emit)
    })
}

/// Decodes all packets of a trace, of which nothing may be missing.
fn decode_whole(
    design: &Design,
    program: &Program,
    bits: &mut BitUnpacker<dyn Read + '_>,
    most_instructions: u64,
    emit: &mut Emit<'_, Event>,
) -> Result<Summary, Stop> {
    let whole = &mut |part| match part {
        Part::Event(event) => emit(event),
        Part::State(_) | Part::Time(_) | Part::Unverified => Ok(()),
        Part::Gap(Gap { bits, reason, .. }) => {
            Err(DecodeError::Gap { position: bits.start, what: reason.to_string() }.into())
        }
    };
    let recovered = recover(design, &program.into(), bits, most_instructions, whole)?;
    let Recovered { events, instructions, trailing_instructions, records, .. } = recovered;
    Ok(Summary { events, instructions, trailing_instructions, records })
}

/// Decodes a whole trace of `design`, which traces memory accesses, along the execution that was
/// traced, giving every item of it to `emit`, the accesses with their data addresses.
///
/// The trace has addresses only: which instructions access memory, and when, the execution says.
///
/// # Errors
/// When the bits or the execution are not what was traced, the design breaks a constraint, or
/// `execution` or `emit` fails.
pub fn decode_data<R: Read, E>(
    design: &Design,
    execution: impl IntoIterator<Item = Result<Item<AccessSite>, E>>,
    bits: &mut BitUnpacker<R>,
    emit: impl FnMut(Item) -> Result<(), E>,
) -> Result<Summary, E>
where
    E: From<DecodeError> + From<DesignError>,
{
    with_config!(&design.scheme, config => config.decode_data(execution, bits, emit))
        .unwrap_or_else(|| Err(DesignError::TracesControlFlow { name: design.name.clone() }.into()))
}
