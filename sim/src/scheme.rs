//! The only module that knows every scheme: designs by name, and one interface for all encoders and decoders.

pub use crate::configuration::Configuration;
use crate::parameter::ParameterError;
use crate::room::{Preset, Room};

/// The configuration of a room, of several modules where the list names one.
macro_rules! config {
    ($room:ident) => { crate::$room::config::Config };
    ($room:ident $module:ident) => { crate::$room::config::Config<crate::$module::config::Config> };
}

/// Makes of the list of schemes an enum of their configurations and one of their sessions.
macro_rules! schemes {
    ($($variant:ident: $room:ident $(<$module:ident>)? = $doc:literal,)+) => {
        /// The parameters of one scheme.
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub enum Scheme {
            $(#[doc = $doc] $variant(config!($room $($module)?)),)+
        }

        impl Scheme {
            /// Every scheme with its default parameters.
            pub fn all() -> Vec<Scheme> {
                vec![$(Scheme::$variant(Default::default()),)+]
            }

            /// Every named design.
            pub fn presets() -> Vec<(Preset, Scheme)> {
                let mut presets = Vec::new();
                $({
                    let of_scheme = <config!($room $($module)?) as Room>::presets().into_iter();
                    presets.extend(of_scheme.map(|(preset, config)| (preset, Scheme::$variant(config))));
                })+
                presets
            }

            /// Legal parameters of the same scheme drawn at random, extremes preferred; the same
            /// generator state always gives the same ones.
            ///
            /// `alignment` and `address_bits` are those of the machine that will be traced.
            pub fn arbitrary(
                &self,
                random: &mut impl rand::Rng,
                alignment: u32,
                address_bits: u32,
            ) -> Scheme {
                match self {
                    $(Scheme::$variant(_) => {
                        Scheme::$variant(Room::arbitrary(random, alignment, address_bits))
                    })+
                }
            }
        }

        #[derive(Clone, Debug)]
        enum SchemeSession {
            $($variant(Box<<config!($room $($module)?) as Room>::Session>),)+
        }

        impl SchemeSession {
            fn new(scheme: &Scheme) -> Result<Self, ParameterError> {
                Ok(match scheme {
                    $(Scheme::$variant(config) => Self::$variant(Box::new(config.session()?)),)+
                })
            }
        }

        /// Evaluates an expression for the configuration of any scheme.
        macro_rules! with_config {
            ($scheme:expr, $config:ident => $body:expr) => {
                match $scheme { $(Scheme::$variant($config) => $body,)+ }
            };
        }

        /// Evaluates an expression for the session of any scheme.
        macro_rules! with_session {
            ($scheme:expr, $session:ident => $body:expr) => {
                match $scheme { $(SchemeSession::$variant($session) => $body,)+ }
            };
        }
    };
}

crate::for_each_scheme!(schemes);

mod decode;
mod design;
mod encoder;
mod fingerprint;
mod session;

pub use decode::{decode, decode_data, decode_packets, decode_timed};
pub use design::{Design, DesignError};
pub use encoder::{EncodeError, Encoder, ItemNumber};

impl Scheme {
    /// The scheme's name.
    pub fn name(&self) -> &'static str {
        fn name_of<R: Room>(_: &R) -> &'static str {
            R::NAME
        }
        with_config!(self, config => name_of(config))
    }

    /// Appends the scheme's chapter of docs/formats.md, with the numbers of its best known preset.
    pub fn describe_formats(&self, text: &mut String) {
        fn describe<R: Room>(_: &R, text: &mut String) {
            let documented = |(preset, _): &(Preset, R)| preset.name == R::DOCUMENTED;
            if let Some((preset, config)) = R::presets().into_iter().find(documented) {
                config.describe_formats(preset.name, text);
            }
        }
        with_config!(self, config => describe(config, text));
    }
}
