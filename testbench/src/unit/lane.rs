//! The pins of a lane of a core's port, and what they say.

use tracewright_sim::event::ExecutionState;
use tracewright_sim::pins::ingress::{self, OfInstructions};
use tracewright_sim::pins::{Pin, module};
use tracewright_sim::rvfi::Retirement;
use tracewright_sim::unit::Ingress;

use crate::stimulus::Block;

/// The pins that say the state after a block.
pub(super) const STATE: [&Pin; 3] =
    [&module::RETIRE_CONTEXT, &module::RETIRE_PRIVILEGE, &module::RETIRE_CAUSE];

/// The names of the pins, the one that says that there is something first but for a trace ingress port.
pub(super) fn rows(ingress: Option<&Ingress>) -> Vec<&'static str> {
    match ingress {
        Some(Ingress::Rvfi(config)) => {
            let OfInstructions { valid, word, trap, interrupt, pc, next_pc, compressed, number } =
                OfInstructions::of(config.port);
            [valid, word, pc, next_pc, trap, interrupt, compressed, number]
                .map(|row| row.name)
                .into()
        }
        Some(Ingress::Tip(_)) => {
            let rows = [
                &ingress::TIP_ITYPE,
                &ingress::TIP_IADDR,
                &ingress::TIP_IRETIRE,
                &ingress::TIP_ILASTSIZE,
                &ingress::TIP_ICOUNT,
            ];
            rows.map(|row| row.name).into()
        }
        Some(Ingress::Blocks(_)) | None => {
            let first = [&module::RETIRE_VALID];
            let rows = first.into_iter().chain(Block::PINS).chain(STATE);
            rows.map(|row| row.name).collect()
        }
    }
}

/// The values of a port that shows instructions, of which this one has a number.
pub(super) fn on_instructions(retired: &Retirement, number: u64) -> Vec<u64> {
    let Retirement {
        instruction,
        program_counter,
        next_program_counter,
        trap,
        interrupt,
        compressed,
    } = *retired;
    vec![
        1,
        instruction.into(),
        program_counter,
        next_program_counter,
        trap.into(),
        interrupt.into(),
        compressed.into(),
        number % 8,
    ]
}

/// The values of a port that shows blocks.
pub(super) fn on_blocks(block: &Block, state: &ExecutionState) -> Vec<u64> {
    let state = [state.context, state.privilege.into(), state.cause.unwrap_or(0)];
    [1].into_iter().chain(block.values()).chain(state).collect()
}
