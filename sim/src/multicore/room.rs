//! Several T-raptor modules and several Nexus-like ones, each a scheme.

use rand::Rng;

use super::config::Config;
use super::decoder::Decoder;
use super::encoder::Encoder;
use super::module::Module;
use super::{arbitrary, formats, presets};
use crate::arbitrary::legal;
use crate::parameter::ParameterError;
use crate::program::Program;
use crate::room::{Preset, Room};
use crate::{nexus, traptor};

/// A module several of which are a scheme.
pub trait System: Module {
    /// The scheme's name.
    const NAME: &'static str;
    /// The preset whose numbers docs/formats.md shows.
    const DOCUMENTED: &'static str;

    /// The scheme's named configurations.
    fn presets() -> Vec<(Preset, Config<Self>)>;

    /// A legal configuration of one module drawn at random.
    fn arbitrary(random: &mut impl Rng, alignment: u32, address_bits: u32) -> Self;

    /// Appends the scheme's chapter of docs/formats.md.
    fn describe_formats(config: &Config<Self>, preset: &str, text: &mut String);
}

impl System for traptor::config::Config {
    const NAME: &'static str = "mctraptor";
    const DOCUMENTED: &'static str = "mctraptor-large-n4-timed";

    fn presets() -> Vec<(Preset, Config<Self>)> {
        presets::mctraptor()
    }

    fn arbitrary(random: &mut impl Rng, alignment: u32, address_bits: u32) -> Self {
        traptor::arbitrary::config(random, alignment, address_bits)
    }

    fn describe_formats(config: &Config<Self>, preset: &str, text: &mut String) {
        formats::describe(config, preset, text);
    }
}

impl System for nexus::config::Config {
    const NAME: &'static str = "nexus";
    const DOCUMENTED: &'static str = "nexus-n1";

    fn presets() -> Vec<(Preset, Config<Self>)> {
        presets::nexus()
    }

    fn arbitrary(random: &mut impl Rng, alignment: u32, address_bits: u32) -> Self {
        nexus::arbitrary::config(random, alignment, address_bits)
    }

    fn describe_formats(config: &Config<Self>, preset: &str, text: &mut String) {
        nexus::formats::describe(&config.encoded_module(), preset, text);
    }
}

impl<M: System> Room for Config<M> {
    const NAME: &'static str = M::NAME;
    const DOCUMENTED: &'static str = M::DOCUMENTED;
    type Session = Encoder<M>;
    type Decoder<'a> = Decoder<'a, M>;

    fn presets() -> Vec<(Preset, Self)> {
        M::presets()
    }

    fn arbitrary(random: &mut impl Rng, alignment: u32, address_bits: u32) -> Self {
        legal(|| {
            let module = M::arbitrary(random, alignment, address_bits);
            arbitrary::config(random, module)
        })
    }

    fn session(&self) -> Result<Self::Session, ParameterError> {
        Encoder::new(self)
    }

    fn decoder<'a>(&self, program: &'a Program) -> Option<Result<Decoder<'a, M>, ParameterError>> {
        Some(Decoder::new(self, program))
    }

    fn describe_formats(&self, preset: &str, text: &mut String) {
        M::describe_formats(self, preset, text);
    }
}
