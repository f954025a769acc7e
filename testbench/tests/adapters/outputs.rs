//! The pins that an adapter drives.

use tracewright_sim::event::{Event, ExecutionState, Kind};
use tracewright_testbench::{Library, Model, OutputPort};

/// A pin of this name; `None`, which reads as 0, where a design does not have it.
type Output = Option<OutputPort>;

/// The pins that an adapter drives: those to the core, and the block that it shows to the trace module.
#[derive(Clone, Copy)]
pub struct Outputs {
    pub stall: Output,
    pub lost: Output,
    pub drained: Output,
    pub valid: Output,
    pub count: Output,
    pub pc: Output,
    pub length: Output,
    pub kind: Output,
    pub call: Output,
    pub is_return: Output,
    pub taken: Output,
    pub target: Output,
    pub context: Output,
    pub privilege: Output,
    pub cause: Output,
    pub block_lost: Output,
    pub block_lost_count: Output,
    /// The length is that of every block's last instruction, and not of calls alone.
    pub tells_lengths: bool,
}

impl Outputs {
    pub fn find(library: &Library, tells_lengths: bool) -> Outputs {
        let output = |name| Some(library.output_of_any_width(name).ok()?.0);
        Outputs {
            stall: output("stall"),
            lost: output("lost"),
            drained: output("drained"),
            valid: output("retire_valid"),
            count: output("retire_count"),
            pc: output("retire_pc"),
            length: output("retire_length"),
            kind: output("retire_kind"),
            call: output("retire_call"),
            is_return: output("retire_return"),
            taken: output("retire_taken"),
            target: output("retire_target"),
            context: output("retire_context"),
            privilege: output("retire_privilege"),
            cause: output("retire_cause"),
            block_lost: output("retire_lost"),
            block_lost_count: output("retire_lost_count"),
            tells_lengths,
        }
    }

    /// Everything that is shown of a block.
    pub fn block(&self, model: &Model) -> [u64; 14] {
        let Outputs { valid, count, pc, length, kind, call, is_return, taken, target, .. } = *self;
        let Outputs { context, privilege, cause, block_lost, block_lost_count, .. } = *self;
        [
            valid,
            count,
            pc,
            length,
            kind,
            call,
            is_return,
            taken,
            target,
            context,
            privilege,
            cause,
            block_lost,
            block_lost_count,
        ]
        .map(|output| shown(model, output))
    }

    /// Compares an event of so many instructions with the pins on which it is shown.
    pub fn compare(
        &self,
        model: &Model,
        event: &Event,
        state: &ExecutionState,
        instructions: u64,
    ) -> Result<(), String> {
        self.compare_block(model, event, state, true)?;
        match instructions == event.instructions {
            true => Ok(()),
            false => Err(format!("{instructions} instructions; it is {event}")),
        }
    }

    /// Compares an event with the pins on which it is shown; what is lost says only where the execution goes on.
    pub fn compare_block(
        &self,
        model: &Model,
        event: &Event,
        state: &ExecutionState,
        is_traced: bool,
    ) -> Result<(), String> {
        let is_exception = event.kind == Kind::Exception;
        let says_all = is_traced && !is_exception;
        // There is no instruction before the first exception.
        let says_length =
            is_traced && event.length > 0 && (self.tells_lengths || event.call && !is_exception);
        let wanted = [
            ("retire_kind", self.kind, event.kind.pin_code(), is_traced),
            ("retire_pc", self.pc, event.program_counter, true),
            ("retire_target", self.target, event.target, event.taken),
            ("retire_taken", self.taken, event.taken.into(), !is_exception),
            ("retire_call", self.call, event.call.into(), says_all),
            ("retire_return", self.is_return, event.is_return.into(), says_all),
            ("retire_length", self.length, event.length.into(), says_length),
            ("retire_context", self.context, state.context, true),
            ("retire_privilege", self.privilege, state.privilege.into(), true),
            ("retire_cause", self.cause, state.cause.unwrap_or(0), is_traced && is_exception),
        ];
        let differs = wanted.iter().find(|(_, output, value, matters)| {
            *matters && output.is_some_and(|output| model.get(output) != *value)
        });
        match differs {
            Some((name, output, value, _)) => {
                let shown = shown(model, *output);
                Err(format!("`{name}` is {shown:#x}, not {value:#x}; it is {event}"))
            }
            None => Ok(()),
        }
    }
}

/// The value of a pin; 0 where there is none.
pub fn shown(model: &Model, output: Output) -> u64 {
    output.map_or(0, |output| model.get(output))
}
