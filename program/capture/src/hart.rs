//! A processor of a machine: its privilege level and address space, and the traps that it takes.
//!
//! Between two blocks the plugin says which registers have changed. A trap leads to the address in `mtvec` or `stvec`, and
//! leaves the interrupted address and the cause in other registers. A block at such an address is the beginning of a
//! handler, unless the block before leads there by itself.

use std::io::Write;

use tracewright_capture_plugin::wire::Register;
use tracewright_sim::event::ExecutionState;

use crate::Error;
use crate::block::{Block, End, Level};
use crate::retire::{Processor, Retire};

/// The bit of a cause in a trace that marks an interrupt, as a core with `cause_bits=8` gives it at its trace ingress port.
const INTERRUPT: u64 = 1 << 7;

/// The causes of instructions that could not be fetched: misaligned, access fault, page fault.
const FETCH_FAULTS: [u64; 3] = [0, 1, 12];

/// A trap that was taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trap {
    pub level: Level,
    /// Why, as a trace says it.
    pub cause: u64,
    /// The instruction that was interrupted, which did not retire unless it is a system call.
    at: u64,
    /// Where it led.
    to: u64,
}

/// The traps between two blocks, in their order: at most one into the supervisor level and one into that of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Traps {
    first: Option<Trap>,
    last: Option<Trap>,
}

impl Traps {
    /// The last one.
    pub(crate) fn last(&self) -> Option<Trap> {
        self.last
    }
}

/// The registers of a processor.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hart {
    registers: [u64; Register::ALL.len()],
    /// Bits of the registers that have changed since the current block began.
    changed: u32,
    /// True if the last instruction of the current block has begun, if that is reported.
    pub is_at_end: bool,
    /// The privilege level of the current block.
    ran_at: u64,
    /// Bits of an address.
    address_bits: u32,
    /// The numbers of the address spaces: a space's place in this list.
    spaces: Vec<u64>,
    /// What the trace says, once it has said something.
    told: Option<ExecutionState>,
}

impl Trap {
    fn is_interrupt(&self) -> bool {
        self.cause & INTERRUPT != 0
    }

    /// True if it came between two instructions, and not while one was executed.
    fn is_between(&self) -> bool {
        self.is_interrupt() || FETCH_FAULTS.contains(&self.cause)
    }
}

impl Hart {
    /// A processor with addresses of so many bits.
    pub(crate) fn new(address_bits: u32) -> Hart {
        Hart { address_bits, ..Hart::default() }
    }

    /// Notes the value of a register.
    pub(crate) fn set(&mut self, register: Register, value: u64) {
        self.registers[register as usize] = value;
        self.changed |= 1 << register as u32;
    }

    /// The next block begins.
    pub(crate) fn begin_block(&mut self) {
        (self.changed, self.is_at_end) = (0, false);
        self.ran_at = self.get(Register::Privilege);
    }

    fn get(&self, register: Register) -> u64 {
        self.registers[register as usize]
    }

    /// The trap into a level that its registers tell of.
    fn trap_into(&self, level: Level) -> Trap {
        let [vector, at, cause] = Self::registers_of(level).map(|register| self.get(register));
        let top = 1 << (self.address_bits - 1);
        let (is_interrupt, code) = (cause & top != 0, cause & !top);
        // The lowest bits of the vector say whether each interrupt has an entry of its own.
        let offset = if is_interrupt && vector & 3 == 1 { 4 * code } else { 0 };
        let to = (vector & !3).wrapping_add(offset);
        let cause = code | if is_interrupt { INTERRUPT } else { 0 };
        Trap { level, cause, at, to }
    }

    fn registers_of(level: Level) -> [Register; 3] {
        use Register::*;
        match level {
            Level::Supervisor => [SupervisorVector, SupervisorPlace, SupervisorCause],
            Level::Machine => [MachineVector, MachinePlace, MachineCause],
        }
    }

    /// The traps that were taken since the block began, if the next one begins at `to`.
    pub(crate) fn traps_between(&self, block: &Block, to: u64) -> Traps {
        let level = match self.get(Register::Privilege) {
            1 => Level::Supervisor,
            3 => Level::Machine,
            _ => return Traps::default(),
        };
        let last = self.trap_into(level);
        if last.to != to || !self.is_taken(block, &last) {
            return Traps::default();
        }
        // The handler of a supervisor may be interrupted before its first instruction.
        let first = self.trap_into(Level::Supervisor);
        let is_nested = level == Level::Machine
            && self.ran_at < 3
            && last.is_interrupt()
            && last.at == first.to
            && self.is_taken(block, &first);
        Traps { first: is_nested.then_some(first), last: Some(last) }
    }

    /// True if the trap that the registers tell of was taken after the block began.
    fn is_taken(&self, block: &Block, trap: &Trap) -> bool {
        let to = trap.to;
        match block.returns_from {
            // The register from which the target was taken still has it, unless a trap has written it.
            Some(Level::Supervisor) => self.get(Register::SupervisorPlace) != to,
            Some(Level::Machine) => self.get(Register::MachinePlace) != to,
            None => {
                let [_, at, cause] = Self::registers_of(trap.level).map(|one| 1 << one as u32);
                // Instructions that write these registers are no branches.
                let is_written = block.end == End::Branch && self.changed & (at | cause) != 0;
                let rises = self.ran_at < self.get(Register::Privilege);
                let leads_there = block.leads_to(to);
                let is_indirect = block.end == End::Branch && block.last.kind.is_indirect();
                is_written || rises || !leads_there || is_indirect && trap.is_between()
            }
        }
    }

    /// In what the execution is: machine level and no page table are context 0, address spaces are counted from 1.
    fn state(&mut self) -> ExecutionState {
        let privilege = self.get(Register::Privilege);
        let space = self.get(Register::AddressSpace);
        let mode_bits = if self.address_bits == 64 { 4 } else { 1 };
        let is_translated = privilege != 3 && space >> (self.address_bits - mode_bits) != 0;
        let context = if is_translated { self.number_of(space) } else { 0 };
        ExecutionState { context, privilege: privilege as u8, cause: None }
    }

    fn number_of(&mut self, space: u64) -> u64 {
        let place = self.spaces.iter().rposition(|known| *known == space).unwrap_or_else(|| {
            self.spaces.push(space);
            self.spaces.len() - 1
        });
        place as u64 + 1
    }

    /// The context that the trace says, 0 if it has none.
    pub(crate) fn told_context(&self) -> u64 {
        self.told.map_or(0, |told| told.context)
    }

    /// Number of contexts, with that of the machine level.
    pub(crate) fn contexts(&self) -> u64 {
        self.spaces.len() as u64 + 1
    }
}

impl<W: Write> Retire<W> {
    /// Ends the current block by traps; it `is_cut` if it may have ended before its last instruction.
    pub(crate) fn traps(
        &mut self,
        state: &mut Processor,
        block: &Block,
        traps: &Traps,
        is_cut: bool,
    ) -> Result<(), Error> {
        let mut is_first = true;
        for trap in traps.first.iter().chain(&traps.last) {
            self.counts.traps += 1;
            if is_first {
                self.trap(state, block, trap, is_cut)?;
            } else {
                self.exception(state, trap.to)?;
            }
            is_first = false;
        }
        Ok(())
    }

    fn trap(
        &mut self,
        state: &mut Processor,
        block: &Block,
        trap: &Trap,
        is_cut: bool,
    ) -> Result<(), Error> {
        let index = block.index_of(trap.at);
        if !trap.is_between()
            && block.is_system_call()
            && index.is_some_and(|index| index + 1 == block.count)
        {
            self.retire(state, block, block.count - 1)?;
            return self.branch(state, block, Some(trap.to));
        }
        match index.filter(|_| is_cut || !trap.is_between()) {
            Some(index) => self.retire(state, block, index)?,
            None => self.complete(state, block, trap.at, false)?,
        }
        self.exception(state, trap.to)
    }

    /// Tells in what the execution goes on, if that has changed or a trap of this cause was taken. Where it changes between
    /// two branches, the trace says it after the next one.
    pub(crate) fn tell_state(
        &mut self,
        state: &mut Processor,
        cause: Option<u64>,
    ) -> Result<(), Error> {
        if state.since != 0 || !self.has_states {
            return Ok(());
        }
        let now = state.hart.state();
        if state.hart.told == Some(now) && cause.is_none() {
            return Ok(());
        }
        self.release(state)?;
        // The reset is an exception of cause 0.
        let cause = cause.or(if state.hart.told.is_none() { Some(0) } else { None });
        state.hart.told = Some(now);
        Ok(self.writer.write_state(&ExecutionState { cause, ..now })?)
    }
}
