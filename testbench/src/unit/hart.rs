//! What a hart that executes a trace says at a trace ingress port.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use tracewright_sim::config::{Processor, mask};
use tracewright_sim::event::{ExecutionState, Item, Kind};
use tracewright_sim::rvfi::{self, Extensions, Retirement, Xlen};
use tracewright_sim::tip::{self, Cycle};

use super::execution::Execution;
use crate::error::Result;

/// The code of a block that goes on to the next one.
const GOES_ON: u8 = 0;

/// The hart: instructions of an execution, put together to blocks where the port takes some.
pub(super) struct Hart<I: Iterator> {
    pub(super) execution: Execution<I>,
    config: tip::Config,
    /// Instructions and half-words of a block.
    most: (u64, u64),
    /// What retires next, or traps.
    pending: Option<Retirement>,
    /// The last instruction has changed the flow, and the port says only by the next address that it did.
    has_jumped: bool,
}

impl<I: Iterator<Item = Result<Item>>> Hart<I> {
    pub(super) fn new(
        execution: Execution<I>,
        config: tip::Config,
        processor: &Processor,
    ) -> Hart<I> {
        let most = (mask(processor.retire_count_bits), mask(config.iretire_bits(processor)));
        Hart { execution, config, most, pending: None, has_jumped: false }
    }

    /// What it says next, in this state; `None` at the end.
    pub(super) fn next(
        &mut self,
        random: &mut ChaCha8Rng,
        state: &ExecutionState,
    ) -> Result<Option<Cycle>> {
        let first = match self.pending.take() {
            Some(pending) => Some(pending),
            None => self.execution.next()?,
        };
        let Some(first) = first else { return Ok(None) };
        let mut block = self.of(&first, random, state);
        if self.has_jumped {
            self.pending = self.execution.next()?;
            // At the end of the trace nobody would see that it is a jump.
            return Ok(self.pending.map(|_| block));
        }
        while block.itype == GOES_ON && random.random_range(0..4) > 0 {
            self.pending = self.execution.next()?;
            let Some(next) = self.pending else { break };
            let with = self.of(&next, random, state);
            if self.has_jumped {
                self.has_jumped = false;
                break;
            }
            let is_behind = next.trap || self.follows(&block, &next);
            let has_room = next.trap
                || self.config.retirement == tip::Retirement::Block
                    && block.instructions < self.most.0
                    && block.retired + with.retired <= self.most.1;
            if !is_behind || !has_room {
                break;
            }
            block.itype = with.itype;
            if !next.trap {
                block.retired += with.retired;
                block.instructions += with.instructions;
                block.last_size = with.last_size;
            }
            self.pending = None;
        }
        Ok(Some(block))
    }

    /// The port has not said yet that the flow has changed.
    pub(super) fn owes(&self) -> bool {
        self.has_jumped && self.pending.is_some()
    }

    /// The instruction is the one after a block.
    fn follows(&self, block: &Cycle, next: &Retirement) -> bool {
        let is_block = self.config.retirement == tip::Retirement::Block;
        let bytes = if is_block { 2 * block.retired } else { 2 << block.last_size };
        block.address.wrapping_add(bytes) & self.execution.address_mask() == next.program_counter
    }

    /// What is said of one instruction.
    fn of(
        &mut self,
        retired: &Retirement,
        random: &mut ChaCha8Rng,
        state: &ExecutionState,
    ) -> Cycle {
        let length = if retired.compressed { 2 } else { 4 };
        let is_block = self.config.retirement == tip::Retirement::Block;
        // An interrupt has no address.
        let is_exception = self.has_jumped || random.random();
        let itype = match retired.trap {
            true if is_exception => tip::EXCEPTION,
            true => tip::INTERRUPT,
            false => self.itype(retired, length),
        };
        let behind = retired.program_counter.wrapping_add(length);
        self.has_jumped = itype == GOES_ON && retired.next_program_counter != behind;
        Cycle {
            itype,
            cause: state.cause.unwrap_or(0),
            privilege: state.privilege,
            context: state.context,
            address: retired.program_counter,
            retired: match (retired.trap, is_block) {
                (true, _) => 0,
                (false, true) => length / 2,
                (false, false) => 1,
            },
            last_size: u8::from(!retired.compressed),
            instructions: u64::from(is_block && !retired.trap),
        }
    }

    fn itype(&self, retired: &Retirement, length: u64) -> u8 {
        let class = rvfi::classify(retired.instruction, Xlen::Rv32, Extensions::NONE);
        let behind = retired.program_counter.wrapping_add(length);
        let is_narrow = self.config.itype_bits == 3;
        match (class.kind, class.call, class.is_return) {
            (Some(Kind::DirectConditional), ..) => {
                4 + u8::from(retired.next_program_counter != behind)
            }
            (Some(Kind::DirectJump), ..) if is_narrow => GOES_ON,
            (Some(Kind::DirectJump), true, _) => 9,
            (Some(Kind::DirectJump), false, _) => 15,
            (Some(Kind::IndirectJump), ..) if is_narrow => 6,
            (Some(Kind::IndirectJump), true, true) => 12,
            (Some(Kind::IndirectJump), true, false) => 8,
            (Some(Kind::IndirectJump), false, true) => 13,
            (Some(Kind::IndirectJump), false, false) => 14,
            _ => GOES_ON,
        }
    }
}
