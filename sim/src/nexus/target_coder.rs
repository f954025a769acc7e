//! What is sent of a target: its difference from the last one sent, arithmetic or bit by bit.

use super::config::{Config, TargetCoding};
use crate::target_difference::TargetDifference;

/// A target as it is sent; without a sign for an exclusive or.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CodedTarget {
    /// Distance or exclusive or.
    pub value: u64,
    /// The target lies below the last one.
    pub below: bool,
}

/// The last target sent, as encoder and decoder keep it.
#[derive(Clone, Debug)]
pub enum TargetCoder {
    /// As a byte address.
    Xor(u64),
    /// In instruction units.
    Difference(TargetDifference),
}

impl TargetCoder {
    /// The coder as reset leaves it: the last target is 0.
    pub fn new(config: &Config) -> Self {
        match config.target_coding {
            TargetCoding::Xor => Self::Xor(0),
            TargetCoding::Difference => Self::Difference(TargetDifference::new(&config.processor)),
        }
    }

    /// Codes a target.
    #[inline]
    pub fn send(&mut self, target: u64) -> CodedTarget {
        match self {
            Self::Xor(previous) => {
                let value = target ^ std::mem::replace(previous, target);
                CodedTarget { value, below: false }
            }
            Self::Difference(difference) => {
                let (value, below) = difference.send(target);
                CodedTarget { value, below }
            }
        }
    }

    /// Gives a target back.
    #[inline]
    pub fn receive(&mut self, coded: CodedTarget) -> u64 {
        match self {
            Self::Xor(previous) => {
                *previous ^= coded.value;
                *previous
            }
            Self::Difference(difference) => difference.receive(coded.value, coded.below),
        }
    }
}
