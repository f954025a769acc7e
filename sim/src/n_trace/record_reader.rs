//! Reading messages of N-Trace.

use std::io::Read;

use super::config::{BRANCH_TYPE_BITS, Config, RESOURCE_BITS, SYNC_BITS};
use super::layout::{
    END_OF_FIELD, END_OF_MESSAGE, HISTORY_FULL, HISTORY_REPEATED, IDLE, LOST, REQUESTED, RESUMES,
    STARTS, codes, field, last,
};
use crate::config::mask;
use crate::decode::field_reader::{FieldError, FieldReader};
use crate::encode::variable_length::Chunks;

/// A message, addresses and code in units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message {
    /// The trace begins.
    Start {
        /// An exception leads there; else an instruction that retires is there.
        is_target: bool,
        /// The address.
        address: u64,
    },
    /// The counter of code is full.
    CountFull {
        /// How often its range.
        times: u64,
    },
    /// A full history.
    HistoryFull {
        /// Its outcomes after a first 1.
        history: u64,
        /// How often it comes.
        times: u64,
    },
    /// The last branch comes again so often.
    BranchAgain(u64),
    /// A taken branch.
    Direct {
        /// The code before it.
        count: u64,
        /// Its target, if it has a synchronisation.
        target: Option<u64>,
    },
    /// An indirect branch or an exception.
    Indirect {
        /// It is an exception.
        is_exception: bool,
        /// The code before it.
        count: u64,
        /// It has a synchronisation.
        synchronises: bool,
        /// Its target if it has, else the exclusive or of that and the last address.
        address: u64,
        /// The outcomes before it; 1 where there are no histories.
        history: u64,
    },
    /// Privilege level and context.
    Ownership,
    /// Blocks were lost.
    Error,
    /// The trace ends.
    End {
        /// The code before that.
        count: u64,
        /// The outcomes before it; 1 where there are no histories.
        history: u64,
    },
}

impl Message {
    /// True if the whole address is in it, and the whole time if it has one.
    pub fn synchronises(&self) -> bool {
        matches!(
            self,
            Message::Start { .. }
                | Message::Direct { target: Some(_), .. }
                | Message::Indirect { synchronises: true, .. }
        )
    }
}

/// Reads messages.
#[derive(Clone, Debug)]
pub struct RecordReader {
    branch: Chunks,
    synchronised_branch: Chunks,
    synchronised_count: Chunks,
    switches: bool,
    tells_losses: bool,
    process_bits: u32,
    full_history: Chunks,
    repeated_history: Chunks,
    repeat_bits: u32,
    address_bits: u32,
    count_bits: u32,
    upper_bits: u32,
    history_width: u32,
    zero_bytes: u32,
    end_data: u64,
    /// The end of a number after which a message may have the time.
    end_control: u64,
    time_bits: u32,
    /// The bytes of the source, and their bits.
    source: (u64, u32),
}

impl RecordReader {
    /// A reader of this configuration's messages.
    pub fn new(config: &Config) -> Self {
        Self {
            branch: config.branch_chunks(),
            synchronised_branch: config.synchronised_branch_chunks(),
            synchronised_count: config.synchronised_count_chunks(),
            switches: config.switches(),
            tells_losses: config.tells_losses(),
            process_bits: if config.tells_state() { config.process_bits() } else { 0 },
            full_history: config.full_history_chunks(),
            repeated_history: config.repeated_history_chunks(),
            repeat_bits: config.repeat_bits,
            address_bits: config.address_bits(),
            count_bits: config.count_bits,
            upper_bits: config.upper_bits(),
            history_width: config.history_width(),
            zero_bytes: config.zero_bytes(),
            end_data: config.end_data(),
            end_control: config.ending(1).end,
            time_bits: config.time_bits(),
            source: (config.source_bytes(), config.source_bytes_bits()),
        }
    }

    /// The next message and the time in it; `None` if no encoder sends it.
    ///
    /// # Errors
    /// When a field cannot be read.
    pub fn message<R: Read + ?Sized>(
        &self,
        fields: &mut FieldReader<'_, R>,
    ) -> Result<Option<(Message, Option<u64>)>, FieldError> {
        let Some(message) = self.body(fields)? else { return Ok(None) };
        let has_time = match message {
            Message::Start { .. } | Message::Direct { .. } => true,
            Message::Indirect { .. } | Message::End { .. } => true,
            Message::HistoryFull { .. } => self.repeat_bits == 0,
            _ => false,
        };
        let time = match has_time && self.time_bits > 0 {
            true => Some(fields.number(&last(self.time_bits))?),
            false => None,
        };
        Ok(Some((message, time)))
    }

    /// A number at the end of a message, before the time if that has one.
    fn ending(&self, width: u32) -> Chunks {
        Chunks { end: self.end_control, ..last(width) }
    }

    fn body<R: Read + ?Sized>(
        &self,
        fields: &mut FieldReader<'_, R>,
    ) -> Result<Option<Message>, FieldError> {
        let mut head = fields.bits(8)?;
        let is_start = head == IDLE;
        if is_start {
            head = fields.bits(8)?;
        }
        let (source, source_bits) = self.source;
        let is_ours = fields.bits(source_bits)? == source;
        let has_history = self.history_width > 0;
        let message = match head >> 2 {
            _ if !is_ours => None,
            _ if head & 3 != 0 || is_start != (head >> 2 == codes::SYNC) => None,
            codes::SYNC => self.start(fields)?,
            codes::FULL => self.full(fields)?,
            codes::DIRECT if !has_history => {
                let count = fields.number(&self.ending(self.count_bits))?;
                Some(Message::Direct { count, target: None })
            }
            codes::DIRECT_SYNC if self.switches && !has_history => {
                self.synchronised_direct(fields)?
            }
            codes::INDIRECT if !has_history => self.indirect(fields)?,
            codes::INDIRECT_HISTORY if has_history => self.indirect(fields)?,
            codes::INDIRECT_SYNC if self.switches && !has_history => self.synchronised(fields)?,
            codes::INDIRECT_HISTORY_SYNC if self.switches && has_history => {
                self.synchronised(fields)?
            }
            codes::OWNERSHIP if self.process_bits > 0 => {
                fields.number(&last(self.process_bits))?;
                Some(Message::Ownership)
            }
            codes::ERROR if self.tells_losses => {
                (fields.bits(8)? == LOST << 2 | END_OF_MESSAGE).then_some(Message::Error)
            }
            codes::REPEAT if self.repeat_bits > 0 => {
                let times = fields.number(&last(self.repeat_bits))?;
                (times > 0).then_some(Message::BranchAgain(times))
            }
            codes::END => self.end(fields)?,
            _ => None,
        };
        Ok(message)
    }

    fn start<R: Read + ?Sized>(
        &self,
        fields: &mut FieldReader<'_, R>,
    ) -> Result<Option<Message>, FieldError> {
        let reason = fields.bits(8)?;
        let address = fields.number(&self.ending(self.address_bits))?;
        let is_target = reason >> 2 == STARTS;
        let is_known = reason & 3 == END_OF_FIELD && (is_target || reason >> 2 == RESUMES);
        Ok(is_known.then_some(Message::Start { is_target, address }))
    }

    fn full<R: Read + ?Sized>(
        &self,
        fields: &mut FieldReader<'_, R>,
    ) -> Result<Option<Message>, FieldError> {
        // The lower bits of the code are zero.
        let first = fields.bits(8)?;
        let code = first >> 2 & mask(RESOURCE_BITS);
        let is_again = code == HISTORY_REPEATED && self.repeat_bits > 0;
        if !(is_again || code == HISTORY_FULL) || self.history_width == 0 {
            let zeros = first | fields.bits(8 * (self.zero_bytes - 1))?;
            let times = fields.number(&last(self.upper_bits))?;
            return Ok((zeros == 0 && times > 0).then_some(Message::CountFull { times }));
        }
        let mut first = Some(first);
        let chunks = if is_again { &self.repeated_history } else { &self.full_history };
        let number = chunks.take(|count| match first.take() {
            Some(bits) => Ok(bits),
            None => fields.bits(count),
        })?;
        let Some(history) = number.map(|number| number >> RESOURCE_BITS) else { return Ok(None) };
        let times = if is_again { fields.number(&last(self.repeat_bits))? } else { 1 };
        let is_full = history >> (self.history_width - 1) == 1;
        Ok((is_full && (times > 1 || !is_again)).then_some(Message::HistoryFull { history, times }))
    }

    fn indirect<R: Read + ?Sized>(
        &self,
        fields: &mut FieldReader<'_, R>,
    ) -> Result<Option<Message>, FieldError> {
        let number = fields.number(&self.branch)?;
        self.rest_of_indirect(number, false, fields)
    }

    /// An indirect branch with a synchronisation.
    fn synchronised<R: Read + ?Sized>(
        &self,
        fields: &mut FieldReader<'_, R>,
    ) -> Result<Option<Message>, FieldError> {
        let number = fields.number(&self.synchronised_branch)?;
        let message = self.rest_of_indirect(number >> SYNC_BITS, true, fields)?;
        Ok(message.filter(|_| number & mask(SYNC_BITS) == REQUESTED))
    }

    /// A direct branch or jump with a synchronisation.
    fn synchronised_direct<R: Read + ?Sized>(
        &self,
        fields: &mut FieldReader<'_, R>,
    ) -> Result<Option<Message>, FieldError> {
        let number = fields.number(&self.synchronised_count)?;
        let target = Some(fields.number(&self.ending(self.address_bits))?);
        let is_known = number & mask(SYNC_BITS) == REQUESTED;
        Ok(is_known.then_some(Message::Direct { count: number >> SYNC_BITS, target }))
    }

    fn rest_of_indirect<R: Read + ?Sized>(
        &self,
        number: u64,
        synchronises: bool,
        fields: &mut FieldReader<'_, R>,
    ) -> Result<Option<Message>, FieldError> {
        let (kind, count) = (number & mask(BRANCH_TYPE_BITS), number >> BRANCH_TYPE_BITS);
        let (address, history) = match self.history_width {
            0 => (fields.number(&self.ending(self.address_bits))?, 1),
            width => {
                (fields.number(&field(self.address_bits))?, fields.number(&self.ending(width))?)
            }
        };
        let is_exception = kind == 1;
        let message = Message::Indirect { is_exception, count, synchronises, address, history };
        Ok((kind <= 1 && history > 0).then_some(message))
    }

    fn end<R: Read + ?Sized>(
        &self,
        fields: &mut FieldReader<'_, R>,
    ) -> Result<Option<Message>, FieldError> {
        let event = fields.bits(8)?;
        let (count, history) = match self.history_width {
            0 => (fields.number(&self.ending(self.count_bits))?, 1),
            width => (fields.number(&field(self.count_bits))?, fields.number(&self.ending(width))?),
        };
        let is_known = event == self.end_data << 2 && history > 0;
        Ok(is_known.then_some(Message::End { count, history }))
    }
}
