//! Reading T-raptor's records.

use std::io::Read;

use super::config::Config;
use super::layout::{Body, EXTENDED_BITS, Extended, Head};
use crate::decode::field_reader::{FieldError, FieldReader};
use crate::encode::variable_length::Chunks;
use crate::event::Kind;

/// How numbers are cut, and which fields a record has.
#[derive(Clone, Copy, Debug)]
pub struct RecordReader {
    branch_count: Chunks,
    instruction_count: Chunks,
    target: Chunks,
    outcome_bit_for_jumps: bool,
}

impl RecordReader {
    /// A reader of the records of `config`.
    pub fn new(config: &Config) -> Self {
        Self {
            branch_count: config.branch_count_chunks(),
            instruction_count: config.instruction_count_chunks(),
            target: config.target_chunks(),
            outcome_bit_for_jumps: config.outcome_bit_for_jumps,
        }
    }

    /// Reads the head of a record; an extended record of an unknown code is that code.
    ///
    /// # Errors
    /// When the bits end or are not what an encoder sends.
    pub fn head<R: Read + ?Sized>(
        &self,
        mut fields: FieldReader<'_, R>,
    ) -> Result<Result<Head, u64>, FieldError> {
        Ok(match fields.number_or_escape(&self.branch_count)? {
            Some(0) => Ok(Head::Exception),
            Some(count) => Ok(Head::Branch(count)),
            None => match fields.bits(EXTENDED_BITS)? {
                0 => Ok(Head::Extended(Extended::Flush)),
                1 => Ok(Head::Extended(Extended::BranchCountOverflow)),
                2 => Ok(Head::Extended(Extended::InstructionCountOverflow)),
                code => Err(code),
            },
        })
    }

    /// Reads the rest of a record; `kind` is that of the mispredicted instruction.
    ///
    /// # Errors
    /// When the bits end or are not what an encoder sends.
    pub fn body<R: Read + ?Sized>(
        &self,
        head: Head,
        kind: Kind,
        mut fields: FieldReader<'_, R>,
    ) -> Result<Body, FieldError> {
        let mut body = Body::default();
        if matches!(head, Head::Exception | Head::Extended(Extended::Flush)) {
            body.instruction_count = fields.number(&self.instruction_count)?;
        }
        if matches!(head, Head::Branch(_)) && kind.is_indirect() {
            let has_outcome = self.outcome_bit_for_jumps || kind.is_conditional();
            body.taken = !has_outcome || fields.bit()?;
        }
        if body.taken || head == Head::Exception {
            body.difference = fields.number(&self.target)?;
            body.below = fields.bit()?;
        }
        Ok(body)
    }
}
