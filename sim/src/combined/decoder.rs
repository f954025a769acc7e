//! Both traces out of the frames, and the execution out of both.

use std::io::Read;

use super::Combined;
use super::access_sites::{AccessSites, Follower, SitesError};
use crate::decode::error::DecodeError;
use crate::decode::summary::Summary;
use crate::encode::bit_packer::BitUnpacker;
use crate::event::{AccessSite, Event, Item};
use crate::funnel::frames::{FrameError, FrameReader};
use crate::program::Program;
use crate::scheme::{self, DesignError};

/// Decodes a combined trace: `emit` is given the events and the memory accesses in the order of the execution. Gives what
/// the trace of control flow and that of data addresses had.
///
/// The program says which events there can be, `sites` which of its instructions access memory. `most_instructions` ends
/// the replay of a damaged trace.
///
/// # Errors
/// When the frames, the program or the sites are not those of the trace, or `emit` fails.
pub fn decode<E>(
    combined: &Combined,
    program: &Program,
    sites: &AccessSites,
    frames: impl Read,
    most_instructions: u64,
    emit: impl FnMut(Item) -> Result<(), E>,
) -> Result<[Summary; 2], E>
where
    E: From<DecodeError> + From<DesignError> + From<FrameError> + From<SitesError>,
{
    let first = combined.funnel.first_id as u8;
    let mut traces = [Vec::new(), Vec::new()];
    for byte in FrameReader::new(frames) {
        let (source, byte) = byte?;
        if let Some(trace) = traces.get_mut(usize::from(source.wrapping_sub(first))) {
            trace.push(byte);
        }
    }
    let [mut flow, mut data] = traces.each_ref().map(|trace| BitUnpacker::new(trace.as_slice()));
    let mut events = Vec::new();
    let keep = |event| {
        events.push(event);
        Ok::<(), E>(())
    };
    let of_flow = scheme::decode(&combined.flow, program, &mut flow, most_instructions, keep)?;
    let mut follower = Follower::default();
    let execution = events.into_iter().flat_map(|event| run(sites, &mut follower, event));
    let execution = execution.map(|item| item.map_err(E::from));
    let of_data = scheme::decode_data(&combined.data, execution, &mut data, emit)?;
    Ok([of_flow, of_data])
}

/// The accesses of the instructions that an event counts, and the event.
fn run(
    sites: &AccessSites,
    follower: &mut Follower,
    event: Event,
) -> Vec<Result<Item<AccessSite>, SitesError>> {
    match sites.of(follower, &event) {
        Err(error) => vec![Err(error)],
        Ok(sites) => {
            let accesses = sites.iter().map(|site| Ok(Item::Access(*site)));
            accesses.chain([Ok(Item::Event(event))]).collect()
        }
    }
}
