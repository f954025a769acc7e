//! The scheme, as the list of schemes wants it.

use std::io::Read;

use rand::Rng;

use super::config::Config;
use super::decoder::Decoder;
use super::encoder::Encoder;
use super::{arbitrary, formats, presets};
use crate::decode::error::DecodeError;
use crate::decode::summary::Summary;
use crate::encode::bit_packer::BitUnpacker;
use crate::event::{AccessSite, Item};
use crate::parameter::ParameterError;
use crate::room::{NoDecoder, Preset, Room};

impl Room for Config {
    const NAME: &'static str = "talon_data";
    const DOCUMENTED: &'static str = "talon-d";
    type Encoder = Encoder;
    type Decoder<'a> = NoDecoder;

    fn presets() -> Vec<(Preset, Self)> {
        presets::presets()
    }

    fn arbitrary(random: &mut impl Rng, alignment: u32, address_bits: u32) -> Self {
        arbitrary::config(random, alignment, address_bits)
    }

    fn encoder(&self) -> Result<Self::Encoder, ParameterError> {
        Encoder::new(self)
    }

    fn decode_data<R: Read + ?Sized, E: From<DecodeError>>(
        &self,
        execution: impl IntoIterator<Item = Result<Item<AccessSite>, E>>,
        bits: &mut BitUnpacker<R>,
        emit: impl FnMut(Item) -> Result<(), E>,
    ) -> Option<Result<Summary, E>> {
        let decoder = Decoder::new(self).map_err(|error| E::from(error.into()));
        Some(decoder.and_then(|decoder| decoder.decode(execution, bits, emit)))
    }

    fn describe_formats(&self, preset: &str, text: &mut String) {
        formats::describe(self, preset, text);
    }
}
