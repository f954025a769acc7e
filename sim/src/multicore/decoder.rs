//! The decoder: one trace and the program in, the events of all cores out.

use std::io::Read;

use super::config::Config;
use super::module::Module;
use crate::configuration::Configuration;
use crate::decode::error::DecodeError;
use crate::decode::field_reader::{FieldError, FieldReader};
use crate::decode::record_decoder::{PartDecoder, RecordDecoder};
use crate::decode::replay::Replay;
use crate::decode::summary::{Summary, TimeStamp};
use crate::encode::bit_packer::BitUnpacker;
use crate::encode::variable_length::Chunks;
use crate::event::Event;
use crate::parameter::ParameterError;
use crate::program::Program;

/// Replays a program along the trace of several cores.
#[derive(Clone)]
pub struct Decoder<'a, M: Module> {
    modules: Vec<M::Decoder<'a>>,
    thread_bits: u32,
    /// How a time stamp is cut, where there are time stamps.
    time_stamp: Option<Chunks>,
    /// Each core's clock, where there are time stamps.
    clocks: Option<Vec<u64>>,
    most_clocks: u64,
    records: u64,
    word_bits: u32,
}

impl<'a, M: Module> Decoder<'a, M> {
    /// A decoder in the state in which reset leaves the hardware; core i runs thread i.
    ///
    /// # Errors
    /// When the configuration breaks a constraint.
    pub fn new(config: &Config<M>, program: &'a Program) -> Result<Self, ParameterError> {
        config.validate()?;
        let (module, sharing) = (config.encoded_module(), &config.sharing);
        let modules = (0..sharing.cores as u8).map(|core| module.decoder(program, core));
        Ok(Self {
            modules: modules.collect::<Result<_, _>>()?,
            thread_bits: sharing.thread_bits(),
            time_stamp: sharing.time_stamps.then(|| sharing.time_stamp_chunks()),
            clocks: sharing.time_stamps.then(|| vec![0; sharing.cores as usize]),
            most_clocks: sharing.most_clocks(),
            records: 0,
            word_bits: config.port().word_bits(),
        })
    }

    /// Decodes one record; true if it is a flush. With `flushed`, it has to be one, of that core.
    fn record<R: Read + ?Sized, E: From<DecodeError>>(
        &mut self,
        bits: &mut BitUnpacker<R>,
        flushed: Option<usize>,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
        stamp: &mut impl FnMut(TimeStamp) -> Result<(), E>,
    ) -> Result<bool, E> {
        let replay = self.modules[0].replay();
        (replay.position, replay.summary.records) = (bits.position(), self.records);
        let prefix = self.prefix(FieldReader(bits));
        let (core, clocks) = prefix.map_err(|source| self.modules[0].replay().field(source))?;
        if core >= self.modules.len() || flushed.is_some_and(|flushed| flushed != core) {
            let what = format!("a record of core {core} is here");
            return Err(self.modules[0].replay().impossible(what).into());
        }
        if let Some(all) = &mut self.clocks {
            all[core] = all[core].saturating_add(clocks.unwrap_or(self.most_clocks));
        }
        let module = &mut self.modules[core];
        module.replay().summary.records = self.records;
        let is_overflow = self.clocks.is_some() && clocks.is_none();
        let is_flush = !is_overflow && module.record(bits, emit)?;
        let replay = module.replay();
        if is_flush != flushed.is_some() && (flushed.is_some() || core > 0) {
            let what = format!("a flush is not of all cores in their order, at core {core}");
            return Err(replay.impossible(what).into());
        }
        self.records += 1;
        if let Some(all) = &self.clocks {
            let (clock, events) = (all[core], replay.summary.events);
            stamp(TimeStamp { core: core as u8, clock, events, at_least: false })?;
        }
        Ok(is_flush)
    }

    /// Reads what a record begins with: its core and, where there are time stamps, the cycles since the
    /// core's last record, or `None` where nothing follows because its counter was full.
    fn prefix<R: Read + ?Sized>(
        &self,
        mut fields: FieldReader<'_, R>,
    ) -> Result<(usize, Option<u64>), FieldError> {
        let core = fields.bits(self.thread_bits)? as usize;
        let clocks = match &self.time_stamp {
            Some(chunks) => fields.number_or_escape(chunks)?,
            None => None,
        };
        Ok((core, clocks))
    }
}

impl<'a, M: Module> PartDecoder<'a> for Decoder<'a, M> {
    /// `emit` is given the events of all cores in the order of the records, so that those of each core are in their order.
    fn part<R: Read + ?Sized, E: From<DecodeError>>(
        &mut self,
        bits: &mut BitUnpacker<R>,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
        stamp: &mut impl FnMut(TimeStamp) -> Result<(), E>,
    ) -> Result<(), E> {
        for core in 0..self.modules.len() {
            // Up to the core's flush record; after that of the first core there are only those of the others.
            while !self.record(bits, (core > 0).then_some(core), emit, stamp)? {}
        }
        Ok(())
    }

    fn first_replay(&mut self) -> &mut Replay<'a> {
        self.modules[0].replay()
    }

    fn summary(&mut self) -> Summary {
        Summary { records: self.records, ..self.first_replay().summary }
    }

    fn word_bits(&self) -> u32 {
        self.word_bits
    }

    fn limit(mut self, instructions: u64) -> Self {
        self.modules.iter_mut().for_each(|module| module.replay().limit(instructions));
        self
    }

    fn finish(&mut self) -> Result<Summary, DecodeError> {
        let mut whole = Summary { records: self.records, ..Summary::default() };
        for module in &mut self.modules {
            let summary = module.replay().finish()?;
            whole.events += summary.events;
            whole.instructions = whole.instructions.saturating_add(summary.instructions);
            whole.trailing_instructions += summary.trailing_instructions;
        }
        Ok(whole)
    }
}
