//! The scheme, as the list of schemes wants it.

use std::io::Read;

use rand::Rng;

use super::config::Config;
use super::decoder::Decoder;
use super::encoder::Encoder;
use super::{arbitrary, formats, presets};
use crate::decode::error::DecodeError;
use crate::decode::summary::{Summary, TimeStamp};
use crate::encode::bit_packer::BitUnpacker;
use crate::event::Event;
use crate::parameter::ParameterError;
use crate::program::Program;
use crate::room::{Preset, Room};

impl Room for Config {
    const NAME: &'static str = "talon";
    const DOCUMENTED: &'static str = "talon-m";
    type Encoder = Encoder;

    fn presets() -> Vec<(Preset, Self)> {
        presets::presets()
    }

    fn arbitrary(random: &mut impl Rng, alignment: u32, address_bits: u32) -> Self {
        arbitrary::config(random, alignment, address_bits)
    }

    fn encoder(&self) -> Result<Self::Encoder, ParameterError> {
        Encoder::new(self)
    }

    fn decode<R: Read, E: From<DecodeError>>(
        &self,
        program: &Program,
        bits: &mut BitUnpacker<R>,
        most_instructions: u64,
        emit: impl FnMut(Event) -> Result<(), E>,
        _stamp: impl FnMut(TimeStamp) -> Result<(), E>,
    ) -> Option<Result<Summary, E>> {
        let decoder = Decoder::new(self, program).map_err(|error| E::from(error.into()));
        Some(decoder.and_then(|decoder| decoder.limit(most_instructions).decode(bits, emit)))
    }

    fn describe_formats(&self, preset: &str, text: &mut String) {
        formats::describe(self, preset, text);
    }
}
