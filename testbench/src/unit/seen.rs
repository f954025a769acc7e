//! What is at the pins of the trace module in a cycle.

use tracewright_sim::config::Protocol;
use tracewright_sim::event::{ExecutionState, Kind};
use tracewright_sim::pins::{Pin, module};

use super::follower::state_of;
use super::probe::Named;
use super::{lane, probe};
use crate::error::Result;
use crate::library::OutputPort;
use crate::model::Model;
use crate::stimulus::Block;

/// The values of a cycle.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    /// The block, and in what the execution goes on after it.
    pub(super) block: Option<(Block, ExecutionState)>,
    /// It is lost in front of the module, together with those before it that have so many instructions with it.
    pub(super) lost: Option<u64>,
    pub(super) trap_value: u64,
    pub(super) stall: bool,
    pub(super) drops: bool,
    pub(super) sync_request: bool,
    pub(super) synchronised: bool,
    pub(super) timestamp: u64,
    /// The trace is to end: a flush, or tracing is off.
    pub(super) ends: bool,
    pub(super) flushed: bool,
    /// The beat at the trace port.
    pub(super) beat: Option<u64>,
    /// It is taken.
    pub(super) takes: bool,
}

/// A pin, if the module has it.
type Output = Option<OutputPort>;

/// The pins.
pub(super) struct Probe {
    valid: Output,
    block: [Output; 8],
    state: [Output; 3],
    lost: Output,
    lost_count: Output,
    trap_value: Output,
    stall: Output,
    drops: Output,
    sync_request: Output,
    synchronised: Output,
    timestamp: Output,
    enable: Output,
    flush: Output,
    flushed: OutputPort,
    trace_data: OutputPort,
    trace_valid: OutputPort,
    trace_ready: OutputPort,
    buffered_words: OutputPort,
    has_cause: bool,
    tells_lengths: bool,
}

fn optional(pins: &Named<'_>, pin: &Pin) -> Output {
    pins.output(&probe::name(pin.name)).ok()
}

fn value(model: &Model, pin: Output) -> u64 {
    pin.map_or(0, |pin| model.get(pin))
}

impl Probe {
    pub(super) fn find(
        pins: &Named<'_>,
        protocol: &Protocol,
        tells_lengths: bool,
    ) -> Result<Probe> {
        let find = |pin: &Pin| optional(pins, pin);
        let needed = |pin: &Pin| pins.output(&probe::name(pin.name));
        Ok(Probe {
            valid: find(&module::RETIRE_VALID),
            block: Block::PINS.map(find),
            state: lane::STATE.map(find),
            lost: find(&module::RETIRE_LOST),
            lost_count: find(&module::RETIRE_LOST_COUNT),
            trap_value: find(&module::RETIRE_TRAP_VALUE),
            stall: find(&module::STALL),
            drops: find(&module::DROPS),
            sync_request: find(&module::SYNC_REQUEST),
            synchronised: find(&module::SYNCHRONISED),
            timestamp: find(&module::TIMESTAMP),
            enable: find(&module::ENABLE),
            flush: find(&module::FLUSH),
            flushed: needed(&module::FLUSHED)?,
            trace_data: needed(&module::TRACE_DATA)?,
            trace_valid: needed(&module::TRACE_VALID)?,
            trace_ready: needed(&module::TRACE_READY)?,
            buffered_words: needed(&module::BUFFERED_WORDS)?,
            has_cause: protocol.cause_bits > 0,
            tells_lengths,
        })
    }

    /// The core can be made to wait.
    pub(super) fn has_stall(&self) -> bool {
        self.stall.is_some()
    }

    /// Trace words that wait in the module.
    pub(super) fn buffered_words(&self, model: &Model) -> u64 {
        model.get(self.buffered_words)
    }

    /// What the last cycle had.
    pub(super) fn see(&self, model: &Model) -> Seen {
        let get = |pin| value(model, pin);
        let is = |pin| value(model, pin) != 0;
        let beat = (model.get(self.trace_valid) != 0).then(|| model.get(self.trace_data));
        Seen {
            block: is(self.valid).then(|| self.block(model)),
            lost: is(self.lost).then(|| get(self.lost_count)),
            trap_value: get(self.trap_value),
            stall: is(self.stall),
            drops: is(self.drops),
            sync_request: is(self.sync_request),
            synchronised: is(self.synchronised),
            timestamp: get(self.timestamp),
            ends: is(self.flush) || self.enable.is_some() && !is(self.enable),
            flushed: model.get(self.flushed) != 0,
            beat,
            takes: model.get(self.trace_ready) != 0,
        }
    }

    fn block(&self, model: &Model) -> (Block, ExecutionState) {
        let [count, pc, length, kind, call, is_return, taken, target] =
            self.block.map(|pin| value(model, pin));
        let [context, privilege, cause] = self.state.map(|pin| value(model, pin));
        let is_exception = kind == Kind::Exception.pin_code();
        let is_branch = kind != 0 && !is_exception;
        let taken = is_exception || is_branch && taken != 0;
        let block = Block {
            count,
            program_counter: pc,
            length,
            tells_length: self.tells_lengths || is_branch && call != 0,
            kind,
            call: is_branch && call != 0,
            is_return: is_branch && is_return != 0,
            taken,
            target: if taken { target } else { 0 },
        };
        let state = ExecutionState { context, privilege: privilege as u8, cause: Some(cause) };
        (block, state_of(kind, state, self.has_cause))
    }
}
