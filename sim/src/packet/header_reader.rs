//! Reads headers. It is written apart from their format, so that each is a check of the other.

use std::io::Read;

use super::header::{Beginning, Header, KIND_BITS, LOST_INSTRUCTIONS};
use super::header::{Loss, LossCause, Next, loss_cause_bits};
use super::time::TimeCode;
use crate::config::{Processor, Protocol};
use crate::decode::field_reader::{FieldError, FieldReader};
use crate::event::ExecutionState;

/// Why a header could not be read.
#[derive(Debug, thiserror::Error)]
pub enum HeaderError {
    /// Its bits are not those of a header.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// A later version has this cause.
    #[error("instructions were lost by cause {0}, which is of a later version")]
    Cause(u64),
    /// A loss clears the tables.
    #[error("keeps_tables is 1 after lost instructions, expected 0")]
    KeptAfterLoss,
}

/// Reads the headers of a configuration.
#[derive(Clone, Copy, Debug)]
pub struct HeaderReader {
    checksum_bits: u32,
    number_bits: u32,
    loss_cause_bits: u32,
    address_bits: u32,
    alignment: u32,
    time_bits: u32,
    time_code: TimeCode,
    /// Whether synchronisations keep the tables; `None` if each says it.
    keeps_tables: Option<bool>,
    context_bits: u32,
    privilege_bits: u32,
    cause_bits: u32,
}

impl HeaderReader {
    /// A reader of the headers of a configuration.
    pub fn new(protocol: &Protocol, processor: &Processor) -> Self {
        Self {
            checksum_bits: protocol.checksum_bits,
            number_bits: protocol.number_bits(),
            loss_cause_bits: loss_cause_bits(protocol),
            address_bits: processor.instruction_address_bits(),
            alignment: processor.alignment,
            time_bits: protocol.time_bits,
            time_code: TimeCode::new(protocol),
            keeps_tables: (!protocol.says_if_tables_are_kept())
                .then_some(protocol.sync_keeps_tables),
            context_bits: protocol.context_bits,
            privilege_bits: protocol.privilege_bits,
            cause_bits: protocol.cause_bits,
        }
    }

    /// Reads the checksum of the packet before.
    ///
    /// # Errors
    /// When the bits end.
    pub fn checksum<R: Read + ?Sized>(
        &self,
        fields: &mut FieldReader<'_, R>,
    ) -> Result<u64, FieldError> {
        fields.bits(self.checksum_bits)
    }

    /// Reads the rest of a header, and the number of its packet; 0 where packets have none.
    ///
    /// # Errors
    /// When the bits end, or are not what an encoder sends.
    pub fn header<R: Read + ?Sized>(
        &self,
        fields: &mut FieldReader<'_, R>,
    ) -> Result<(u64, Header), HeaderError> {
        let kind = fields.bits(KIND_BITS)?;
        let sequence = fields.bits(self.number_bits)?;
        let header = match kind {
            0 => Header::Start,
            1 => Header::Synchronisation(self.beginning(fields)?),
            2 => {
                let instructions = fields.number(&LOST_INSTRUCTIONS)?;
                let code = fields.bits(self.loss_cause_bits)?;
                let cause = LossCause::from_code(code).ok_or(HeaderError::Cause(code))?;
                let mut beginning = self.beginning(fields)?;
                if self.keeps_tables.is_none() && beginning.keeps_tables {
                    return Err(HeaderError::KeptAfterLoss);
                }
                beginning.keeps_tables = false;
                Header::AfterLoss(Loss { instructions, cause }, beginning)
            }
            _ => Header::End,
        };
        Ok((sequence, header))
    }

    fn beginning<R: Read + ?Sized>(
        &self,
        fields: &mut FieldReader<'_, R>,
    ) -> Result<Beginning, FieldError> {
        let is_after = fields.bit()?;
        let address = fields.bits(self.address_bits)? << self.alignment;
        let time = self.time_code.decode(fields.bits(self.time_bits)?);
        let keeps_tables = match self.keeps_tables {
            Some(keeps) => keeps,
            None => fields.bit()?,
        };
        let context = fields.bits(self.context_bits)?;
        let privilege = fields.bits(self.privilege_bits)? as u8;
        let cause = match self.cause_bits > 0 && fields.bit()? {
            true => Some(fields.bits(self.cause_bits)?),
            false => None,
        };
        Ok(Beginning {
            next: if is_after { Next::After(address) } else { Next::At(address) },
            time,
            keeps_tables,
            state: ExecutionState { context, privilege, cause },
        })
    }
}
