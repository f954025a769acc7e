//! What the adapter of a unit shows to the trace module, against what its model says.

use tracewright_sim::event::{Event, ExecutionState, Kind};
use tracewright_sim::pins::module;
use tracewright_sim::scheme::Design;
use tracewright_sim::unit::Ingress;

use super::port::Expected;
use super::seen::Seen;
use crate::stimulus::Block;

/// The boundary between adapter and trace module.
pub(super) struct Boundary {
    tells_lengths: bool,
    has_cause: bool,
    /// Only what retires at the core's port says the state.
    tells_states: bool,
    /// The adapter tells what it has lost, with the next block that it shows.
    tells_losses: bool,
    /// Instructions since the last event.
    instructions: u64,
}

impl Boundary {
    pub(super) fn new(design: &Design, ingress: Option<&Ingress>) -> Self {
        Boundary {
            tells_lengths: design.processor().tells_lengths(),
            has_cause: design.protocol().cause_bits > 0,
            tells_states: !matches!(ingress, Some(Ingress::Rvfi(_))),
            tells_losses: design.protocol().loss_pins,
            instructions: 0,
        }
    }

    /// Checks the block of a cycle, unless it waits.
    pub(super) fn cycle(&mut self, expected: &mut Expected, seen: &Seen) -> Result<(), String> {
        let Some((block, state)) = seen.block.as_ref().filter(|_| !seen.stall) else {
            return Ok(());
        };
        if let Some(lost) = seen.lost {
            return self.pass_over(expected, block, lost);
        }
        self.instructions += block.count;
        if block.kind == 0 {
            let next = expected.front().map(|(event, _)| event.instructions);
            return match next {
                _ if block.count == 0 => Err("a piece of no instructions".into()),
                Some(next) if self.instructions > next => Err(format!(
                    "{} instructions in a row; the next event is after {next}",
                    self.instructions
                )),
                _ => Ok(()),
            };
        }
        let Some((event, after)) = expected.pop_front() else {
            return Err(format!("a block at {:#x} too many", block.program_counter));
        };
        let instructions = std::mem::take(&mut self.instructions);
        if instructions != event.instructions {
            return Err(format!("{instructions} instructions; it is {event}"));
        }
        self.compare(block, state, &event, &after)
    }

    fn compare(
        &self,
        block: &Block,
        state: &ExecutionState,
        event: &Event,
        after: &ExecutionState,
    ) -> Result<(), String> {
        let is_exception = event.kind == Kind::Exception;
        let says_length = event.length > 0
            && block.tells_length
            && !is_exception
            && (self.tells_lengths || event.call);
        let cause = after.cause.unwrap_or(0);
        let values = [
            (module::RETIRE_KIND, block.kind, event.kind.pin_code(), true),
            (module::RETIRE_PC, block.program_counter, event.program_counter, true),
            (module::RETIRE_TAKEN, block.taken.into(), event.taken.into(), true),
            (module::RETIRE_TARGET, block.target, event.target, event.taken),
            (module::RETIRE_CALL, block.call.into(), event.call.into(), !is_exception),
            (module::RETIRE_RETURN, block.is_return.into(), event.is_return.into(), !is_exception),
            (module::RETIRE_LENGTH, block.length, event.length.into(), says_length),
            (module::RETIRE_CONTEXT, state.context, after.context, self.tells_states),
            (
                module::RETIRE_PRIVILEGE,
                state.privilege.into(),
                after.privilege.into(),
                self.tells_states,
            ),
            (module::RETIRE_CAUSE, state.cause.unwrap_or(0), cause, self.has_cause && is_exception),
        ];
        let differs = values.iter().find(|(_, found, wanted, matters)| *matters && found != wanted);
        match differs {
            Some((pin, found, wanted, _)) => {
                Err(format!("`{}` is {found:#x}, not {wanted:#x}; it is {event}", pin.name))
            }
            None => Ok(()),
        }
    }

    /// Passes over what the adapter has lost: so many instructions, and an exception without any at their end.
    fn pass_over(
        &mut self,
        expected: &mut Expected,
        block: &Block,
        lost: u64,
    ) -> Result<(), String> {
        self.instructions += lost;
        while let Some((event, _)) = expected.front().copied() {
            let is_end = self.instructions == event.instructions;
            // One that the block does not say comes after it, without instructions.
            if self.instructions < event.instructions || is_end && block.kind == 0 {
                break;
            }
            self.instructions -= event.instructions;
            expected.pop_front();
            if is_end
                && block.kind == event.kind.pin_code()
                && block.program_counter == event.program_counter
                && (!event.taken || block.target == event.target)
            {
                return Ok(());
            }
        }
        match expected.is_empty() && block.kind != 0 && self.instructions > 0 {
            true => Err(format!("a loss of {lost} instructions that ends where no event does")),
            false => Ok(()),
        }
    }

    /// Checks that all has come out, but for the instructions after the last event, of which there are so many.
    pub(super) fn is_empty(&self, expected: &Expected, trailing: u64) -> Result<(), String> {
        // What was lost last, and ends in a jump, is told once the next block comes.
        if self.tells_losses {
            return Ok(());
        }
        if let Some((event, _)) = expected.front() {
            return Err(format!("the flush ends before {event}"));
        }
        match self.instructions == trailing {
            true => Ok(()),
            false => Err(format!(
                "the flush ends after {} of {trailing} instructions",
                self.instructions
            )),
        }
    }
}
