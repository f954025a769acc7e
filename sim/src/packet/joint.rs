//! What a decoder of packets knows of the packet before.

use std::fmt;

use crate::decode::record_decoder::PartDecoder;
use crate::program::Place;

/// What comes before the packet at hand.
#[derive(Clone, Copy, Debug)]
pub(super) enum Before {
    Nothing,
    Gap,
    Packet(Joint),
}

/// What an event needs of the packets before its own.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Joint {
    /// Instructions since the event before.
    pub(super) instructions: u64,
    /// The address of the last instruction, if it is known.
    pub(super) program_counter: Option<u64>,
    /// Where the next instruction is.
    pub(super) end: End,
}

/// Where a packet ends.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum End {
    /// Nothing has retired.
    #[default]
    Anywhere,
    Place(Place),
    /// After an instruction whose address is not known, and which does not change the flow.
    Unknown,
}

impl End {
    pub(super) fn of<'a>(decoder: &mut impl PartDecoder<'a>) -> Self {
        let replay = decoder.first_replay();
        match (replay.consumed(), replay.place()) {
            (0, Place::Start(_)) => End::Anywhere,
            (0, place) => End::Place(place),
            (_, _) => {
                let address = replay.exception_program_counter();
                address.map_or(End::Unknown, |address| End::Place(Place::After(address)))
            }
        }
    }

    pub(super) fn is(self, begin: Place) -> bool {
        match self {
            End::Anywhere => true,
            End::Place(place) => place == begin,
            End::Unknown => false,
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Anywhere => f.write_str("its start"),
            End::Place(place) => place.fmt(f),
            End::Unknown => f.write_str("an instruction inside a straight run"),
        }
    }
}
