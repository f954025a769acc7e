//! The scheme, as the list of schemes wants it.

use rand::Rng;

use super::config::Config;
use super::decoder::Decoder;
use super::encoder::Encoder;
use super::{arbitrary, formats, presets};
use crate::parameter::ParameterError;
use crate::program::Program;
use crate::room::{Preset, Room};

impl Room for Config {
    const NAME: &'static str = "ntrace";
    const DOCUMENTED: &'static str = "ntrace-htm";
    type Encoder = Encoder;
    type Decoder<'a> = Decoder<'a>;

    fn presets() -> Vec<(Preset, Self)> {
        presets::presets()
    }

    fn arbitrary(random: &mut impl Rng, alignment: u32, address_bits: u32) -> Self {
        arbitrary::config(random, alignment, address_bits)
    }

    fn encoder(&self) -> Result<Self::Encoder, ParameterError> {
        Encoder::new(self)
    }

    fn decoder<'a>(&self, program: &'a Program) -> Option<Result<Decoder<'a>, ParameterError>> {
        Some(Decoder::new(self, program, 0))
    }

    fn describe_formats(&self, preset: &str, text: &mut String) {
        formats::describe(self, preset, text);
    }
}
