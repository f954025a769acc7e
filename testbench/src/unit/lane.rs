//! The pins of a lane of a core's port, and what they say.

use tracewright_sim::event::{ExecutionState, Kind};
use tracewright_sim::pins::ingress::{self, OfInstructions};
use tracewright_sim::pins::{Pin, module};
use tracewright_sim::rvfi::{self, Extensions, Retirement, Xlen};
use tracewright_sim::tip::{self, Cycle};
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

/// What a trace ingress port says of an instruction.
pub(super) fn cycle(retired: &Retirement, config: tip::Config, state: &ExecutionState) -> Cycle {
    let class = rvfi::classify(retired.instruction, Xlen::Rv32, Extensions::NONE);
    let length = if retired.compressed { 2 } else { 4 };
    let behind = retired.program_counter.wrapping_add(length);
    let is_narrow = config.itype_bits == 3;
    let itype = match (class.kind, class.call, class.is_return) {
        _ if retired.trap => tip::EXCEPTION,
        (Some(Kind::DirectConditional), ..) => 4 + u8::from(retired.next_program_counter != behind),
        (Some(Kind::DirectJump), ..) if is_narrow => 0,
        (Some(Kind::DirectJump), true, _) => 9,
        (Some(Kind::DirectJump), false, _) => 15,
        (Some(Kind::IndirectJump), ..) if is_narrow => 6,
        (Some(Kind::IndirectJump), true, true) => 12,
        (Some(Kind::IndirectJump), true, false) => 8,
        (Some(Kind::IndirectJump), false, true) => 13,
        (Some(Kind::IndirectJump), false, false) => 14,
        _ => 0,
    };
    let is_block = config.retirement == tip::Retirement::Block;
    Cycle {
        itype,
        cause: 0,
        privilege: state.privilege,
        context: state.context,
        address: retired.program_counter,
        retired: if retired.trap {
            0
        } else if is_block {
            length / 2
        } else {
            1
        },
        last_size: u8::from(!retired.compressed),
        instructions: u64::from(is_block && !retired.trap),
    }
}
