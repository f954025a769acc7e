//! Reading the packets of the data address compressor.

use std::io::Read;

use super::config::Config;
use super::layout::Packet;
use crate::config::mask;
use crate::decode::field_reader::{FieldError, FieldReader};

/// How wide the fields are, and which of them there are.
#[derive(Clone, Copy, Debug)]
pub struct RecordReader {
    address_width: u32,
    repetitions: bool,
    pattern_bits: u32,
    count_bits: u32,
    partial_count_bits: u32,
}

impl RecordReader {
    /// A reader of the packets of `config`.
    pub fn new(config: &Config) -> Self {
        Self {
            address_width: config.processor.address_width,
            repetitions: config.data_repetitions,
            pattern_bits: config.pattern_bits,
            count_bits: config.repetition_count_bits,
            partial_count_bits: config.partial_count_bits(),
        }
    }

    /// True where hits and misses come as repeating patterns.
    pub fn has_repetitions(&self) -> bool {
        self.repetitions
    }

    /// Reads a packet.
    ///
    /// # Errors
    /// When the bits end or cannot be read.
    pub fn packet<R: Read + ?Sized>(
        &self,
        mut fields: FieldReader<'_, R>,
    ) -> Result<Packet, FieldError> {
        if self.repetitions {
            self.packet_of_patterns(&mut fields)
        } else {
            self.packet_of_one_access(&mut fields)
        }
    }

    fn packet_of_one_access<R: Read + ?Sized>(
        &self,
        fields: &mut FieldReader<'_, R>,
    ) -> Result<Packet, FieldError> {
        if fields.bit()? {
            return Ok(Packet::Hit);
        }
        let address = fields.bits(self.address_width)?;
        if address == mask(self.address_width) && fields.bit()? {
            return Ok(Packet::Flush { pattern: 0, accesses: 0 });
        }
        Ok(Packet::Miss { address })
    }

    fn packet_of_patterns<R: Read + ?Sized>(
        &self,
        fields: &mut FieldReader<'_, R>,
    ) -> Result<Packet, FieldError> {
        if !fields.bit()? {
            return Ok(Packet::Miss { address: fields.bits(self.address_width)? });
        }
        let count = fields.bits(self.count_bits)?;
        if count > 0 {
            return Ok(Packet::Repetition { pattern: fields.bits(self.pattern_bits)?, count });
        }
        let accesses = fields.bits(self.partial_count_bits)?;
        Ok(Packet::Flush { pattern: fields.bits(accesses as u32)?, accesses })
    }
}
