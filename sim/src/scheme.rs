//! The one place that knows every scheme: designs by name, encoders and decoders behind one face.

use std::fmt;
use std::io::Read;

use crate::config::{Processor, TracePort};
use crate::encode::bit_packer::BitUnpacker;
use crate::event::{Access, AccessSite, Event, Item};
use crate::field::Sink;
use crate::multicore::decoder::TimeStamp;
use crate::parameter::{ParameterError, Parameters};
use crate::preset::Preset;
use crate::program::Program;
use crate::replay::{DecodeError, RecordDecoder, Summary};
use crate::{data_stride, estimate, multicore, nexus, ntuple, stream_cache, traptor};

/// What a scheme's configuration can tell of itself; its `Parameters` are its values by name.
pub trait Configuration: Parameters + Clone + Default {
    /// The scheme's name.
    const NAME: &'static str;
    /// Checks every constraint between values.
    ///
    /// # Errors
    /// The first constraint that is broken, by name.
    fn validate(&self) -> Result<(), ParameterError>;
    /// The processor that is traced.
    fn processor(&self) -> &Processor;
    /// The same, to change it.
    fn processor_mut(&mut self) -> &mut Processor;
    /// The way out.
    fn port(&self) -> &TracePort;
    /// The same configuration with every `auto` replaced by what it comes to.
    fn resolved(&self) -> Self;
    /// Storage by structure, in bits.
    fn storage(&self) -> Vec<(&'static str, u32)>;
    /// Storage by structure, in bits, as the scheme's paper counts it for its estimate.
    fn estimated_storage(&self) -> Vec<(&'static str, u32)>;
    /// The papers' gate estimate, from their storage alone.
    fn estimated_gates(&self) -> u32 {
        estimate::gates(&self.estimated_storage(), self.cores())
    }
    /// Processor cores that are traced.
    fn cores(&self) -> u32 {
        1
    }
    /// Blocks that are on their way to the record queue while others are taken: its extra places.
    fn blocks_in_flight(&self) -> u32 {
        0
    }
    /// True where memory accesses are traced, and not control flow.
    fn traces_data(&self) -> bool {
        false
    }
    /// A legal configuration drawn at random, extremes preferred; the same generator state gives the
    /// same one for ever.
    ///
    /// `alignment` and `address_bits` are those of the machine that will be traced.
    fn arbitrary(random: &mut impl rand::Rng, alignment: u32, address_bits: u32) -> Self;
    /// The scheme's named configurations.
    fn presets() -> Vec<(Preset, Self)>;
}

/// The golden encoder of a scheme.
pub trait GoldenEncoder {
    /// Encodes one event that fits the design; a call must have its length.
    fn event<S: Sink>(&mut self, event: &Event, sink: &mut S);
    /// Encodes one memory access that fits the design; who traces control flow does not see it.
    fn access<S: Sink>(&mut self, _access: &Access, _sink: &mut S) {}
    /// Ends the trace, or a part of it.
    fn flush<S: Sink>(&mut self, sink: &mut S);
    /// True where the trace says when its records were made.
    fn is_timed(&self) -> bool {
        false
    }
    /// From now on the clocks are those of [`end_of_clock`](Self::end_of_clock) and not made up.
    fn follow_clocks(&mut self) {}
    /// A clock is over for a core, after its events and before those of the next core in that clock.
    /// A core is `stalled` where it could not have retired anything.
    fn end_of_clock<S: Sink>(&mut self, _core: u8, _stalled: bool, _sink: &mut S) {}
}

/// Lists the schemes once: variant, room, and the room of its module where it is of several.
macro_rules! schemes {
    ($($(#[$doc:meta])* $variant:ident: $room:ident $(<$module:ident>)?,)+) => {
        /// The parameters of one scheme.
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub enum Scheme {
            $($(#[$doc])* $variant($room::config::Config $(<$module::config::Config>)?),)+
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
                    let of_scheme = <$room::config::Config $(<$module::config::Config>)?>::presets();
                    let mine = of_scheme.into_iter();
                    presets.extend(mine.map(|(preset, config)| (preset, Scheme::$variant(config))));
                })+
                presets
            }

            /// Legal parameters of the same scheme drawn at random, extremes preferred; the same
            /// generator state gives the same ones for ever.
            ///
            /// `alignment` and `address_bits` are those of the machine that will be traced.
            pub fn arbitrary(
                &self,
                random: &mut impl rand::Rng,
                alignment: u32,
                address_bits: u32,
            ) -> Scheme {
                match self {
                    $(Scheme::$variant(_) => Scheme::$variant(Configuration::arbitrary(
                        random,
                        alignment,
                        address_bits,
                    )),)+
                }
            }
        }

        #[derive(Clone, Debug)]
        enum SchemeEncoder {
            $($variant(Box<$room::encoder::Encoder $(<$module::config::Config>)?>),)+
        }

        impl SchemeEncoder {
            fn new(scheme: &Scheme) -> Result<Self, ParameterError> {
                Ok(match scheme {
                    $(Scheme::$variant(config) => {
                        Self::$variant(Box::new($room::encoder::Encoder::new(config)?))
                    })+
                })
            }
        }

        /// Does the same with the configuration of any scheme.
        macro_rules! with_config {
            ($scheme:expr, $config:ident => $body:expr) => {
                match $scheme { $(Scheme::$variant($config) => $body,)+ }
            };
        }

        /// Does the same with the encoder of any scheme.
        macro_rules! with_encoder {
            ($scheme:expr, $encoder:ident => $body:expr) => {
                match $scheme { $(SchemeEncoder::$variant($encoder) => $body,)+ }
            };
        }
    };
}

schemes! {
    /// Paper C: tracing branch predictor.
    Traptor: traptor,
    /// Paper A: stream cache and last stream predictor.
    StreamCache: stream_cache,
    /// Paper B: stream cache and N-tuples.
    Ntuple: ntuple,
    /// Paper E: tracing branch predictors of several cores.
    Mctraptor: multicore<traptor>,
    /// Papers C and E: what Nexus has, for one core or several.
    Nexus: multicore<nexus>,
    /// Paper B: strides of data addresses.
    DataStride: data_stride,
}

mod design;

pub use design::{Design, DesignError};

impl Scheme {
    /// The scheme's name.
    pub fn name(&self) -> &'static str {
        fn name_of<C: Configuration>(_: &C) -> &'static str {
            C::NAME
        }
        with_config!(self, config => name_of(config))
    }
}

/// An item of a trace by its number, from 0 among its like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemNumber {
    /// Of an event.
    Event(u64),
    /// Of a memory access.
    Access(u64),
}

impl fmt::Display for ItemNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ItemNumber::Event(number) => write!(f, "event {number}"),
            ItemNumber::Access(number) => write!(f, "access {number}"),
        }
    }
}

/// An event or access that a design cannot trace.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// An address has too many bits.
    #[error(
        "{item}: address {address:#x} does not fit address_width = {width}; set address_width=64"
    )]
    Address {
        /// Where it is.
        item: ItemNumber,
        /// The address.
        address: u64,
        /// The design's width.
        width: u32,
    },
    /// The design has no core for a thread.
    #[error("{item} is of thread {thread}: this design traces those below {cores}")]
    Thread {
        /// What is of the thread.
        item: ItemNumber,
        /// Its thread.
        thread: u8,
        /// The design's cores.
        cores: u8,
    },
}

/// The golden encoder of a design.
#[derive(Clone, Debug)]
pub struct Encoder {
    address_width: u32,
    cores: u8,
    events: u64,
    accesses: u64,
    traces_data: bool,
    scheme: SchemeEncoder,
}

impl Encoder {
    /// An encoder as reset leaves the hardware.
    ///
    /// # Errors
    /// When the design breaks a constraint.
    pub fn new(design: &Design) -> Result<Self, DesignError> {
        Ok(Self {
            address_width: design.processor().address_width,
            cores: design.cores() as u8,
            events: 0,
            accesses: 0,
            traces_data: design.traces_data(),
            scheme: SchemeEncoder::new(&design.scheme)?,
        })
    }

    /// Encodes one event; a call must have its length.
    ///
    /// # Errors
    /// When the design cannot trace it. Nothing was sent then.
    #[inline]
    pub fn event<S: Sink>(&mut self, event: &Event, sink: &mut S) -> Result<(), EncodeError> {
        if self.address_width < 64
            && (event.program_counter | event.target) >> self.address_width != 0
            || event.thread >= self.cores
        {
            let address = event.program_counter.max(event.target);
            return Err(self.refuse(ItemNumber::Event(self.events), event.thread, address));
        }
        self.events += 1;
        with_encoder!(&mut self.scheme, encoder => encoder.event(event, sink));
        Ok(())
    }

    /// Encodes one memory access, which is nothing to do for a design that traces control flow.
    ///
    /// # Errors
    /// When the design cannot trace it. Nothing was sent then.
    #[inline]
    pub fn access<S: Sink>(&mut self, access: &Access, sink: &mut S) -> Result<(), EncodeError> {
        if !self.traces_data {
            return Ok(());
        }
        let Access { site, address } = *access;
        if self.address_width < 64 && (site.program_counter | address) >> self.address_width != 0
            || site.thread >= self.cores
        {
            let address = address.max(site.program_counter);
            return Err(self.refuse(ItemNumber::Access(self.accesses), site.thread, address));
        }
        self.accesses += 1;
        with_encoder!(&mut self.scheme, encoder => encoder.access(access, sink));
        Ok(())
    }

    /// Encodes an event or a memory access.
    ///
    /// # Errors
    /// When the design cannot trace it. Nothing was sent then.
    #[inline]
    pub fn item<S: Sink>(&mut self, item: &Item, sink: &mut S) -> Result<(), EncodeError> {
        match item {
            Item::Event(event) => self.event(event, sink),
            Item::Access(access) => self.access(access, sink),
        }
    }

    /// Ends the trace.
    pub fn flush<S: Sink>(&mut self, sink: &mut S) {
        with_encoder!(&mut self.scheme, encoder => encoder.flush(sink));
    }

    /// True where the trace says when its records were made.
    pub fn is_timed(&self) -> bool {
        with_encoder!(&self.scheme, encoder => encoder.is_timed())
    }

    /// From now on the clocks are those of [`end_of_clock`](Self::end_of_clock) and not made up from
    /// the order of the events.
    pub fn follow_clocks(&mut self) {
        with_encoder!(&mut self.scheme, encoder => encoder.follow_clocks());
    }

    /// A clock is over for a core, after its events and before those of the next core in that clock.
    /// A core is `stalled` where it could not have retired anything.
    #[inline]
    pub fn end_of_clock<S: Sink>(&mut self, core: u8, stalled: bool, sink: &mut S) {
        with_encoder!(&mut self.scheme, encoder => encoder.end_of_clock(core, stalled, sink));
    }

    #[cold]
    fn refuse(&self, item: ItemNumber, thread: u8, address: u64) -> EncodeError {
        if thread >= self.cores {
            return EncodeError::Thread { item, thread, cores: self.cores };
        }
        EncodeError::Address { item, address, width: self.address_width }
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

/// The same; where the trace has time stamps, `stamp` is given them, each behind the events of its
/// record.
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
    let refused = |error| E::from(DesignError::from(error));
    match &design.scheme {
        Scheme::Traptor(config) => traptor::decoder::Decoder::new(config, program, 0)
            .map_err(refused)?
            .limit(most_instructions)
            .decode(bits, emit),
        Scheme::StreamCache(config) => stream_cache::decoder::Decoder::new(config, program, 0)
            .map_err(refused)?
            .limit(most_instructions)
            .decode(bits, emit),
        Scheme::Ntuple(config) => ntuple::decoder::Decoder::new(config, program, 0)
            .map_err(refused)?
            .limit(most_instructions)
            .decode(bits, emit),
        Scheme::Mctraptor(config) => multicore::decoder::Decoder::new(config, program)
            .map_err(refused)?
            .limit(most_instructions)
            .decode(bits, emit, stamp),
        Scheme::Nexus(config) => multicore::decoder::Decoder::new(config, program)
            .map_err(refused)?
            .limit(most_instructions)
            .decode(bits, emit, stamp),
        Scheme::DataStride(_) => Err(DesignError::TracesData { name: design.name.clone() }.into()),
    }
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
    match &design.scheme {
        Scheme::DataStride(config) => data_stride::decoder::Decoder::new(config)
            .map_err(|error| E::from(DesignError::from(error)))?
            .decode(execution, bits, emit),
        _ => Err(DesignError::TracesControlFlow { name: design.name.clone() }.into()),
    }
}
