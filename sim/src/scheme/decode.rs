//! Decoding the trace of any design.

use std::io::Read;

use super::{Design, DesignError, Scheme};
use crate::decode::error::DecodeError;
use crate::decode::summary::{Summary, TimeStamp};
use crate::encode::bit_packer::BitUnpacker;
use crate::event::{AccessSite, Event, Item};
use crate::program::Program;
use crate::room::Room;

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
    emit: impl FnMut(Event) -> Result<(), E>,
    stamp: impl FnMut(TimeStamp) -> Result<(), E>,
) -> Result<Summary, E>
where
    E: From<DecodeError> + From<DesignError>,
{
    with_config!(&design.scheme, config => {
        config.decode(program, bits, most_instructions, emit, stamp)
    })
    .unwrap_or_else(|| Err(DesignError::TracesData { name: design.name.clone() }.into()))
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
