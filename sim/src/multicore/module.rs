//! The trace modules that can be one of several: T-raptor's and the Nexus-like one.

use std::convert::Infallible;
use std::fmt::Debug;

use super::sharing::Encoding;
use crate::configuration::Configuration;
use crate::decode::record_decoder::RecordDecoder;
use crate::encode::record::RecordFormat;
use crate::golden_encoder::GoldenEncoder;
use crate::parameter::ParameterError;
use crate::program::Program;
use crate::{nexus, traptor};

/// The configuration of a module for one core.
pub trait Module: Configuration {
    /// The encoding that the papers compare it with.
    const ENCODING: Encoding;
    /// Its golden encoder.
    type Encoder: GoldenEncoder<Error = Infallible> + Clone + Debug;
    /// Its decoder.
    type Decoder<'a>: RecordDecoder<'a> + Clone;

    /// The default of a module among several.
    fn one_of_several() -> Self;
    /// The same with chunks that are `auto` as paper E has them.
    fn encoded(&self, encoding: Encoding) -> Self;
    /// Its records on their way through the hardware.
    fn format(&self) -> RecordFormat;
    /// An encoder as reset leaves the hardware.
    ///
    /// # Errors
    /// When the configuration breaks a constraint.
    fn encoder(&self) -> Result<Self::Encoder, ParameterError>;
    /// A decoder of one thread.
    ///
    /// # Errors
    /// When the configuration breaks a constraint.
    fn decoder<'a>(
        &self,
        program: &'a Program,
        thread: u8,
    ) -> Result<Self::Decoder<'a>, ParameterError>;
}

/// What a room has under the names that all rooms have.
macro_rules! of_one_core {
    () => {
        fn format(&self) -> RecordFormat {
            Self::format(self)
        }

        fn encoder(&self) -> Result<Self::Encoder, ParameterError> {
            Self::Encoder::new(self)
        }

        fn decoder<'a>(
            &self,
            program: &'a Program,
            thread: u8,
        ) -> Result<Self::Decoder<'a>, ParameterError> {
            Self::Decoder::new(self, program, thread)
        }
    };
}

impl Module for traptor::config::Config {
    const ENCODING: Encoding = Encoding::Variable;
    type Encoder = traptor::encoder::Encoder;
    type Decoder<'a> = traptor::decoder::Decoder<'a>;

    /// Paper E knows no conditional indirect branch and sends no outcome bit for the others.
    fn one_of_several() -> Self {
        Self { outcome_bit_for_jumps: false, ..Self::default() }
    }

    fn encoded(&self, encoding: Encoding) -> Self {
        let [i0, i1, j0, j1] = match encoding {
            Encoding::Fixed => [8, 8, 16, 16],
            Encoding::Variable => [3, 2, 3, 4],
        };
        Self {
            branch_count_first_chunk: self.branch_count_first_chunk.or(Some(i0)),
            branch_count_next_chunk: self.branch_count_next_chunk.or(Some(i1)),
            target_first_chunk: self.target_first_chunk.or(Some(j0)),
            target_next_chunk: self.target_next_chunk.or(Some(j1)),
            ..self.clone()
        }
    }

    of_one_core!();
}

impl Module for nexus::config::Config {
    const ENCODING: Encoding = Encoding::Fixed;
    type Encoder = nexus::encoder::Encoder;
    type Decoder<'a> = nexus::decoder::Decoder<'a>;

    fn one_of_several() -> Self {
        Self::default()
    }

    /// The papers have no Nexus with small chunks; it shows how much of the gain is not prediction.
    fn encoded(&self, encoding: Encoding) -> Self {
        let [i0, i1, j0, j1] = match encoding {
            Encoding::Fixed => [8, 8, 16, 16],
            Encoding::Variable => [4, 2, 3, 4],
        };
        Self {
            stream_length_first_chunk: self.stream_length_first_chunk.or(Some(i0)),
            stream_length_next_chunk: self.stream_length_next_chunk.or(Some(i1)),
            target_first_chunk: self.target_first_chunk.or(Some(j0)),
            target_next_chunk: self.target_next_chunk.or(Some(j1)),
            ..self.clone()
        }
    }

    of_one_core!();
}
