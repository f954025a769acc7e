//! The interface of a room, through which the list of schemes uses it.

use std::convert::Infallible;
use std::fmt::Debug;
use std::io::Read;

use rand::Rng;

use crate::configuration::Configuration;
use crate::decode::error::DecodeError;
use crate::decode::record_decoder::PartDecoder;
use crate::decode::replay::Replay;
use crate::decode::summary::{Summary, TimeStamp};
use crate::encode::bit_packer::BitUnpacker;
use crate::event::{AccessSite, Event, Item};
use crate::parameter::ParameterError;
use crate::program::Program;
use crate::session::Session;

/// A named design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// The paper and section it comes from.
    pub source: &'static str,
    /// The paper's gate count, where it prints one.
    pub paper_gates: Option<u32>,
}

/// A scheme, known by its configuration. Every room implements it once, in its `room.rs`.
pub trait Room: Configuration {
    /// The scheme's name.
    const NAME: &'static str;
    /// The preset whose numbers docs/formats.md shows.
    const DOCUMENTED: &'static str;
    /// How a trace goes on without packets. With packets its events, accesses and flushes alone are asked for.
    type Session: Session<Error = Infallible> + Clone + Debug;
    /// The decoder of control flow; [`NoDecoder`] where the scheme does not trace it.
    type Decoder<'a>: PartDecoder<'a>;

    /// The scheme's named configurations.
    fn presets() -> Vec<(Preset, Self)>;

    /// A legal configuration drawn at random, extremes preferred; the same generator state always gives
    /// the same one.
    ///
    /// `alignment` and `address_bits` are those of the machine that will be traced.
    fn arbitrary(random: &mut impl Rng, alignment: u32, address_bits: u32) -> Self;

    /// A session as reset leaves the hardware.
    ///
    /// # Errors
    /// When the configuration breaks a constraint.
    fn session(&self) -> Result<Self::Session, ParameterError>;

    /// A decoder in the state in which reset leaves the hardware. `None` where the scheme does not trace control flow.
    fn decoder<'a>(
        &self,
        _program: &'a Program,
    ) -> Option<Result<Self::Decoder<'a>, ParameterError>> {
        None
    }

    /// Decodes a whole trace against `program`; `emit` is given the events, and `stamp` the time stamps
    /// of a trace that has them, each after the events of its record. `None` where the scheme does not
    /// trace control flow.
    ///
    /// # Errors
    /// When the configuration breaks a constraint, the bits or the program are not what was traced, a
    /// thread has more than `most_instructions`, or `emit` or `stamp` fails.
    fn decode<R: Read + ?Sized, E: From<DecodeError>>(
        &self,
        program: &Program,
        bits: &mut BitUnpacker<R>,
        most_instructions: u64,
        emit: impl FnMut(Event) -> Result<(), E>,
        stamp: impl FnMut(TimeStamp) -> Result<(), E>,
    ) -> Option<Result<Summary, E>> {
        let decoder = self.decoder(program)?.map_err(|error| E::from(error.into()));
        Some(decoder.and_then(|one| one.limit(most_instructions).decode(bits, emit, stamp)))
    }

    /// Decodes a whole trace along the execution that was traced; `emit` is given every item of it, the
    /// accesses with their data addresses. `None` where the scheme does not trace memory accesses.
    ///
    /// # Errors
    /// When the configuration breaks a constraint, the bits or the execution are not what was traced, or
    /// `execution` or `emit` fails.
    fn decode_data<R: Read + ?Sized, E: From<DecodeError>>(
        &self,
        _execution: impl IntoIterator<Item = Result<Item<AccessSite>, E>>,
        _bits: &mut BitUnpacker<R>,
        _emit: impl FnMut(Item) -> Result<(), E>,
    ) -> Option<Result<Summary, E>> {
        None
    }

    /// Appends the scheme's chapter of docs/formats.md, with the numbers of this configuration, which is
    /// that of `preset`.
    fn describe_formats(&self, preset: &str, text: &mut String);
}

/// Implements [`Room`] for the `Config` of the room in which it stands, from what every room calls alike: `presets::presets`,
/// `arbitrary::config`, `encoder::Encoder`, `decoder::Decoder` and `formats::describe`. Then comes what the scheme traces; in
/// the parentheses is the thread of the only core, where the decoder asks for it. The last word is its session: `raw`, `alone`,
/// or `own`, which the encoder itself is.
macro_rules! room {
    ($name:literal, documented $documented:literal, control_flow($($thread:literal)?), $session:ident) => {
        $crate::room::room! { @$name, $documented, $session, super::decoder::Decoder<'a>,
            fn decoder<'a>(
                &self,
                program: &'a $crate::program::Program,
            ) -> Option<Result<Self::Decoder<'a>, $crate::parameter::ParameterError>> {
                Some(super::decoder::Decoder::new(self, program $(, $thread)?))
            }
        }
    };
    ($name:literal, documented $documented:literal, data_addresses, $session:ident) => {
        $crate::room::room! { @$name, $documented, $session, $crate::room::NoDecoder,
            fn decode_data<R: std::io::Read + ?Sized, E: From<$crate::decode::error::DecodeError>>(
                &self,
                execution: impl IntoIterator<
                    Item = Result<$crate::event::Item<$crate::event::AccessSite>, E>,
                >,
                bits: &mut $crate::encode::bit_packer::BitUnpacker<R>,
                emit: impl FnMut($crate::event::Item) -> Result<(), E>,
            ) -> Option<Result<$crate::decode::summary::Summary, E>> {
                let decoder = super::decoder::Decoder::new(self);
                let decoder = decoder.map_err(|error| E::from(error.into()));
                Some(decoder.and_then(|decoder| decoder.decode(execution, bits, emit)))
            }
        }
    };
    (@raw) => {
        type Session = $crate::session::raw::Raw<super::encoder::Encoder>;

        fn session(&self) -> Result<Self::Session, $crate::parameter::ParameterError> {
            super::encoder::Encoder::new(self).map($crate::session::raw::Raw)
        }
    };
    (@alone) => {
        type Session = $crate::session::alone::Alone<super::encoder::Encoder>;

        fn session(&self) -> Result<Self::Session, $crate::parameter::ParameterError> {
            Ok(Self::Session::new(super::encoder::Encoder::new(self)?, self))
        }
    };
    (@own) => {
        type Session = super::encoder::Encoder;

        fn session(&self) -> Result<Self::Session, $crate::parameter::ParameterError> {
            Self::Session::new(self)
        }
    };
    (@$name:literal, $documented:literal, $session:ident, $decoder:ty, $($decode:tt)*) => {
        impl $crate::room::Room for super::config::Config {
            const NAME: &'static str = $name;
            const DOCUMENTED: &'static str = $documented;
            type Decoder<'a> = $decoder;

            $crate::room::room! { @$session }

            fn presets() -> Vec<($crate::room::Preset, Self)> {
                super::presets::presets()
            }

            fn arbitrary(
                random: &mut impl rand::Rng,
                alignment: u32,
                address_bits: u32,
            ) -> Self {
                super::arbitrary::config(random, alignment, address_bits)
            }

            $($decode)*

            fn describe_formats(&self, preset: &str, text: &mut String) {
                super::formats::describe(self, preset, text);
            }
        }
    };
}

pub(crate) use room;

/// No decoder.
#[derive(Clone, Copy, Debug)]
pub enum NoDecoder {}

impl<'a> PartDecoder<'a> for NoDecoder {
    fn part<R: Read + ?Sized, E: From<DecodeError>>(
        &mut self,
        _: &mut BitUnpacker<R>,
        _: &mut impl FnMut(Event) -> Result<(), E>,
        _: &mut impl FnMut(TimeStamp) -> Result<(), E>,
    ) -> Result<(), E> {
        match *self {}
    }

    fn first_replay(&mut self) -> &mut Replay<'a> {
        match *self {}
    }

    fn word_bits(&self) -> u32 {
        match *self {}
    }
}
