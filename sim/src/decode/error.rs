//! Why a trace could not be decoded.

use super::field_reader::FieldError;
use crate::parameter::ParameterError;

/// Why a trace could not be decoded; positions are in bits from its beginning.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    /// The configuration breaks a constraint.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// The bits ended, failed, or are not what an encoder sends.
    #[error("record {record} at bit {position}: {source}")]
    Field {
        /// The record, counted from 0.
        record: u64,
        /// Where it begins.
        position: u64,
        /// What is wrong.
        source: FieldError,
    },
    /// The record is well formed but the program cannot do what it says.
    #[error("record {record} at bit {position}: {what}; is this the program that was traced?")]
    Impossible {
        /// The record, counted from 0.
        record: u64,
        /// Where it begins.
        position: u64,
        /// What the program cannot do.
        what: String,
    },
    /// A part of a trace of packets is missing.
    #[error("bit {position}: {what}")]
    Gap {
        /// Where it begins.
        position: u64,
        /// Why.
        what: String,
    },
    /// The padding after a flush is not zero.
    #[error("bit {position}: the padding after a flush is not zero")]
    Padding {
        /// Where it begins.
        position: u64,
    },
}

impl DecodeError {
    /// Where in the trace the error is, in bits from its beginning.
    pub fn position(&self) -> u64 {
        match self {
            DecodeError::Parameter(_) => 0,
            DecodeError::Field { position, .. }
            | DecodeError::Impossible { position, .. }
            | DecodeError::Gap { position, .. }
            | DecodeError::Padding { position } => *position,
        }
    }
}
