//! The adapter between a hart's trace ingress port (TIP, of the RISC-V trace specifications) and a trace module.
//!
//! What the hart says waits in a queue. A block that leaves the queue is held in registers until the next one says
//! where the flow has gone on, and is shown in that cycle. So a block per cycle is kept up with, and several in a cycle
//! as long as the queue has room. Only a branch that is not taken, and is not followed by the next instruction, takes a
//! cycle more.
//!
//! In front of a module that counts what is lost before it (`loss_pins`) there is no stall. Before the queue is full, as many
//! blocks leave it in each cycle as may come. They are held as one that is lost, which ends as the newest of them, until the
//! next one says where the flow has gone on.

mod kernel;
pub mod run;
pub mod termination;

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::{Processor, Protocol};
use tracewright_sim::event::Kind as InstructionKind;
use tracewright_sim::pins::ingress;
use tracewright_sim::tip::{Config, EXCEPTION, INTERRUPT, Retirement};

use crate::parts::lane_queue::LaneQueue;
use crate::parts::ports::Retire;
use crate::parts::shedder::Shedder;
use run::LostRun;
use termination::Termination;

packed! {
    /// What a hart says of a block, as it waits in the queue.
    pub Waiting of (config: &Config, processor: &Processor, protocol: &Protocol) {
        let layout = |name: &str| match name {
            "itype" => config.itype_bits as usize,
            "cause" => protocol.cause_bits.saturating_sub(1) as usize,
            "privilege" => protocol.privilege_bits as usize,
            "context" => protocol.context_bits as usize,
            "address" => processor.instruction_address_bits() as usize,
            "iretire" => config.iretire_bits(processor) as usize,
            "icount" => config.icount_bits(processor) as usize,
            _ => 1,
        };
    }
    itype;
    cause;
    privilege;
    context;
    address;
    iretire;
    last_size;
    icount;
}

block! {
    /// What a hart's trace ingress port says, as the blocks of a trace module (docs/hardware.md).
    pub Tip("tip") of (config: &Config, processor: &Processor, protocol: &Protocol, sheds: bool) {
        let pins = ingress::Tip {
            config: *config,
            processor: processor.clone(),
            protocol: protocol.clone(),
        };
        let address_bits = processor.instruction_address_bits() as usize;
        let count_bits = processor.retire_count_bits as usize;
        let itype_bits = config.itype_bits as usize;
        let iretire_bits = config.iretire_bits(processor) as usize;
        let icount_bits = config.icount_bits(processor) as usize;
        let context_bits = protocol.context_bits as usize;
        let privilege_bits = protocol.privilege_bits as usize;
        let cause_bits = protocol.cause_bits as usize;
        let code_bits = cause_bits.saturating_sub(1);
        let lanes = config.queue.lanes as usize;
        let depth = config.queue.depth as usize;
        let slack = config.queue.slack as usize;
        let is_block = config.retirement == Retirement::Block;
        let word_bits = Waiting::<View>::new(config, processor, protocol).width();
        let shown = if sheds { lanes } else { 1 };
        let lost_bits = if sheds { processor.lost_count_bits() as usize } else { 0 };
        // Of a block that is lost with others, the instructions of all.
        let held_bits = count_bits.max(lost_bits);
    }
    parameters {
        itype_width = itype_bits,
        iretire_width = iretire_bits,
        address_width = processor.address_width,
        lanes if lanes > 1,
        queue_depth = depth,
        slack if !sheds,
        sheds if sheds,
    }

    #[label(ingress::TIP_ITYPE.in_lane(lane, lanes))]
    #[remark(ingress::TIP_ITYPE.meaning)]
    in tip_itype: ingress::TIP_ITYPE.bits(&pins) for lane in 0..lanes;
    #[remark(ingress::TIP_CAUSE.meaning)]
    in tip_cause: ingress::TIP_CAUSE.bits(&pins);
    #[remark(ingress::TIP_PRIV.meaning)]
    in tip_priv: ingress::TIP_PRIV.bits(&pins);
    #[remark(ingress::TIP_CONTEXT.meaning)]
    in tip_context: ingress::TIP_CONTEXT.bits(&pins);
    #[label(ingress::TIP_IADDR.in_lane(lane, lanes))]
    #[remark(ingress::TIP_IADDR.meaning)]
    in tip_iaddr: ingress::TIP_IADDR.bits(&pins) for lane in 0..lanes;
    #[label(ingress::TIP_IRETIRE.in_lane(lane, lanes))]
    #[remark(if is_block { "half-words of the block" } else { "an instruction retires" }.to_owned())]
    in tip_iretire: ingress::TIP_IRETIRE.bits(&pins) for lane in 0..lanes;
    #[label(ingress::TIP_ILASTSIZE.in_lane(lane, lanes))]
    #[remark(ingress::TIP_ILASTSIZE.meaning)]
    in tip_ilastsize: ingress::TIP_ILASTSIZE.bits(&pins) for lane in 0..lanes;
    #[label(ingress::TIP_ICOUNT.in_lane(lane, lanes))]
    #[remark(ingress::TIP_ICOUNT.meaning)]
    in tip_icount: ingress::TIP_ICOUNT.bits(&pins) for lane in 0..lanes;
    #[remark(format!("stop retiring: room for {slack} more"))]
    out stall: usize::from(!sheds);
    /// sticky: a block was lost because the queue was full
    out lost: usize::from(!sheds);
    /// level: the trace ends here
    in flush: 1;
    /// the trace module is to see flush
    out drained: 1;
    out retire: Retire(processor);
    /// context in which the execution goes on after the block
    out retire_context: context_bits;
    /// privilege level in which the execution goes on after the block
    out retire_privilege: privilege_bits;
    /// why the exception was taken, below a bit that marks interrupts
    out retire_cause: cause_bits;
    /// the block is lost, with blocks before it
    out retire_lost: usize::from(sheds);
    /// instructions of these blocks
    out retire_lost_count: lost_bits;
    /// the trace module's stall
    in retire_stall: usize::from(!sheds);
    block queue: LaneQueue(&config.queue, word_bits, shown);
    block shedder: Shedder(&config.queue, config.queue.shed_level(), 2 * config.queue.depth) if sheds;
    block lost_run: LostRun(config, processor, protocol) if sheds;
    /// the block that is held is lost
    reg held_lost: usize::from(sheds);
    /// what came before a flush has been shown
    reg has_ended: usize::from(sheds);
    /// the block that is held is lost, or leaves while others are
    local is_lost: usize::from(sheds);
    block termination: Termination(config.itype_bits);
    /// lanes whose pins say something
    local arrives: lanes;
    /// `itype` of the lane in 4 bits
    local code: 4 for _ in 0..lanes;
    local arriving: Waiting(config, processor, protocol) for _ in 0..lanes;
    view oldest: Waiting(config, processor, protocol);
    /// instructions of the block that is held
    reg held_count: held_bits;
    /// 0 none, or an exception, 1 jump, 2 branch, 3 indirect jump
    reg held_kind: 3;
    reg held_call: 1;
    reg held_return: 1;
    /// it goes on at the next instruction, not where the next block begins
    reg held_goes_on: 1;
    reg held_is_long: 1;
    /// in alignment units, as all below
    reg held_program_counter: address_bits;
    /// address after it
    reg held_fall_through: address_bits;
    reg held_context: context_bits;
    reg held_privilege: privilege_bits;
    reg held_cause: cause_bits;
    /// the block at the pins is shown for a flush, and is not taken yet
    reg ends: 1;
    /// the oldest block in the queue says where the one that is held has led
    local follows: 1;
    /// the oldest block in the queue has an instruction
    local retires: 1;
    /// the oldest block in the queue says where the flow has gone on
    local has_address: 1;
    /// the flow goes on elsewhere than after the block that is held
    local diverted: 1;
    local branch_kind: 3;
    /// bytes of the last instruction
    local length: 3;
    /// length of the block
    local step: address_bits;
    local fall_through: address_bits;
    /// there is a block
    local shows: 1;
    /// the oldest block leaves the queue, and is held
    local takes: 1;
    local cause: cause_bits;
    constant sequential: 3 = 0;
    constant direct_jump: 3 = InstructionKind::DirectJump.pin_code();
    constant exception_kind: 3 = InstructionKind::Exception.pin_code();
    constant exception: 4 = u64::from(EXCEPTION);
    constant interrupt: 4 = u64::from(INTERRUPT);
    param alignment = processor.alignment as usize;
    param is_block = usize::from(is_block);
    param sheds = sheds;
    param has_icount = usize::from(icount_bits > 0);
    param is_short = usize::from(itype_bits == 3);
    param has_cause = usize::from(cause_bits > 0);
    param code_bits = code_bits;
}
