//! The decoder: trace bits and the program in, events out.

use std::io::Read;

use super::config::Config;
use super::record_reader::RecordReader;
use super::target_coder::TargetCoder;
use crate::config::mask;
use crate::configuration::Configuration;
use crate::decode::error::DecodeError;
use crate::decode::field_reader::FieldReader;
use crate::decode::record_decoder::RecordDecoder;
use crate::decode::replay::Replay;
use crate::encode::bit_packer::BitUnpacker;
use crate::event::{Event, Kind};
use crate::parameter::ParameterError;
use crate::program::Program;
use crate::stream_detector::{End, Stream};

/// Replays a program along a Nexus-like trace.
#[derive(Clone)]
pub struct Decoder<'a> {
    replay: Replay<'a>,
    target_coder: TargetCoder,
    records: RecordReader,
    misaligned: u64,
    word_bits: u32,
}

impl<'a> Decoder<'a> {
    /// A decoder in the state in which reset leaves the hardware, for one thread of the program.
    ///
    /// # Errors
    /// When the configuration breaks a constraint.
    pub fn new(config: &Config, program: &'a Program, thread: u8) -> Result<Self, ParameterError> {
        config.validate()?;
        Ok(Self {
            replay: Replay::new(program, thread),
            target_coder: TargetCoder::new(config),
            records: RecordReader::new(config),
            misaligned: mask(config.processor.alignment),
            word_bits: config.port.word_bits(),
        })
    }

    /// Takes a target.
    fn target<R: Read + ?Sized>(&mut self, bits: &mut BitUnpacker<R>) -> Result<u64, DecodeError> {
        let coded = self.records.target(FieldReader(bits));
        let coded = coded.map_err(|source| self.replay.field(source))?;
        let target = self.target_coder.receive(coded);
        if target & self.misaligned != 0 {
            return Err(self.replay.impossible(format!("no instruction begins at {target:#x}")));
        }
        Ok(target)
    }

    /// Ends a stream with the branch that `length` instructions lead to.
    fn branch<R: Read + ?Sized, E: From<DecodeError>>(
        &mut self,
        length: u64,
        bits: &mut BitUnpacker<R>,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let at_end = self.replay.advance(length, emit)?;
        let block = self.replay.known_block()?;
        let target = match block.kind {
            _ if !at_end => {
                let what = format!("a stream ends {length} instructions on, at no branch");
                return Err(self.replay.impossible(what).into());
            }
            Kind::DirectConditional => block.target,
            Kind::IndirectJump | Kind::IndirectConditional => self.target(bits)?,
            kind @ (Kind::DirectJump | Kind::Exception) => {
                let what = format!("a stream ends with a {kind}, at {:#x}", block.program_counter);
                return Err(self.replay.impossible(what).into());
            }
        };
        self.replay.end_block(true, target, emit)?;
        Ok(())
    }
}

impl<'a> RecordDecoder<'a> for Decoder<'a> {
    fn record<R: Read + ?Sized, E: From<DecodeError>>(
        &mut self,
        bits: &mut BitUnpacker<R>,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<bool, E> {
        self.replay.position = bits.position();
        let head = self.records.head(FieldReader(bits));
        let Stream { length, end } = match head.map_err(|source| self.replay.field(source))? {
            Ok(stream) => stream,
            Err(code) => {
                let what = format!("extended record {code} is of a later version");
                return Err(self.replay.impossible(what).into());
            }
        };
        if end == End::Branch {
            self.branch(length, bits, emit)?;
        } else {
            self.replay.advance(length, emit)?;
        }
        match end {
            End::Branch | End::Cut => {}
            End::Exception => {
                let target = self.target(bits)?;
                self.replay.finish_branch(emit)?;
                self.replay.exception(target, emit)?;
            }
            End::Flush => {
                self.replay.finish_branch(emit)?;
                self.replay.finish_system_call(emit)?;
            }
        }
        self.replay.summary.records += 1;
        Ok(end == End::Flush)
    }

    fn replay(&mut self) -> &mut Replay<'a> {
        &mut self.replay
    }

    fn word_bits(&self) -> u32 {
        self.word_bits
    }
}
