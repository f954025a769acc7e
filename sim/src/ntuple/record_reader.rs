//! Reading the packets of N-tuple compression.

use std::io::Read;

use super::config::Config;
use super::trace_output_controller::Packet;
use super::tuple_history_buffer::Tuple;
use crate::decode::field_reader::{FieldError, FieldReader};
use crate::stream_cache::stream_cache::Descriptor;
use crate::stream_detector::{End, STREAM_CODE_BITS};

/// How wide the fields are.
#[derive(Clone, Copy, Debug)]
pub struct RecordReader {
    index_bits: u32,
    age_bits: u32,
    count_bits: u32,
    tuple_length: u32,
    start_bits: u32,
    length_bits: u32,
    alignment: u32,
}

impl RecordReader {
    /// A reader of the packets of `config`.
    pub fn new(config: &Config) -> Self {
        Self {
            index_bits: config.cache.index_bits(),
            age_bits: config.age_bits(),
            count_bits: config.count_bits(),
            tuple_length: config.tuple_length,
            start_bits: config.processor.instruction_address_bits(),
            length_bits: config.cache.stream_length_bits,
            alignment: config.processor.alignment,
        }
    }

    /// Reads a packet, or a code that this version does not know.
    ///
    /// # Errors
    /// When the bits end or cannot be read.
    pub fn packet<R: Read + ?Sized>(
        &self,
        mut fields: FieldReader<'_, R>,
    ) -> Result<Result<Packet, u64>, FieldError> {
        let fields = &mut fields;
        if !fields.bit()? {
            let age = fields.bits(self.age_bits)? as u32;
            let count = if age == 0 { self.tuple_length } else { 0 };
            return Ok(Ok(Packet::Tuple { age, tuple: self.indices(count, fields)? }));
        }
        if !fields.bit()? {
            return Ok(Ok(Packet::Miss(self.descriptor(fields)?)));
        }
        let code = fields.bits(STREAM_CODE_BITS)?;
        let Some(end @ (End::Exception | End::Flush)) = End::from_code(code) else {
            return Ok(Err(code));
        };
        let count = fields.bits(self.count_bits)? as u32;
        let sent = if end == End::Flush { count.min(self.tuple_length) } else { 0 };
        let tuple = self.indices(sent, fields)?;
        Ok(Ok(Packet::Broken { end, count, tuple, stream: self.descriptor(fields)? }))
    }

    fn descriptor<R: Read + ?Sized>(
        &self,
        fields: &mut FieldReader<'_, R>,
    ) -> Result<Descriptor, FieldError> {
        let start = fields.bits(self.start_bits)? << self.alignment;
        Ok(Descriptor { start, length: fields.bits(self.length_bits)? })
    }

    fn indices<R: Read + ?Sized>(
        &self,
        count: u32,
        fields: &mut FieldReader<'_, R>,
    ) -> Result<Tuple, FieldError> {
        let mut tuple = Tuple::default();
        for index in &mut tuple[..count as usize] {
            *index = fields.bits(self.index_bits)? as u16;
        }
        Ok(tuple)
    }
}
