//! The adapter between a port that shows instructions one by one and a trace module.
//!
//! An instruction is classified as it comes, and held until the next one says where it led; then it waits in a queue. Sequential
//! ones are only counted; a jump or branch is a block, and a diversion of the flow another one. One that traps is not counted: the
//! flow is diverted from it to its handler. So an instruction every cycle is kept up with. Only a diversion takes a cycle more, and
//! two right before a jump, which a core has in that place: the queue holds what comes nevertheless.
//!
//! Of a core that retires several instructions in a cycle, sequential ones wait as one word with the instruction after
//! them, and a word that only counts leaves the queue with the word after it. So every cycle may bring as many
//! instructions as there are channels, as long as one of them is a jump or branch.
//!
//! With registers an instruction comes into the queue three cycles later, and the queue has room for those on their way.
//!
//! In front of a module that counts what is lost before it (`loss_pins`) there is no stall. Before the queue is full, as many
//! words leave it in each cycle as may come, and are shown as one block that is lost. It ends in the last instruction of them,
//! and has the instructions that were only counted, too.

pub mod classifier;
pub mod instruction;
mod kernel;
pub mod offset;
pub mod order;
pub mod outcome;
pub mod registered_instruction;
pub mod runs;

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::{Processor, mask};
use tracewright_sim::event::Kind as InstructionKind;
use tracewright_sim::pins::ingress::{self, OfInstructions};
use tracewright_sim::rvfi::{Compressed, Config, Xlen};

use crate::parts::lane_queue::LaneQueue;
use crate::parts::ports::Retire;
use crate::parts::shedder::Shedder;
use classifier::stated;
use order::{Order, Shown};
use outcome::Waiting;
use runs::{Run, Runs};

/// Cycles from the pins to the queue, with registers.
const REGISTERS: u32 = 3;

block! {
    /// What the port says of each instruction, as the blocks of a trace module (docs/hardware.md).
    pub Rvfi("rvfi") of (config: &Config, processor: &Processor, sheds: bool, registers: bool) {
        let pins = ingress::Rvfi { config: *config, processor: processor.clone() };
        let rows = OfInstructions::of(config.port);
        let address_bits = processor.instruction_address_bits() as usize;
        let count_bits = processor.retire_count_bits as usize;
        let lanes = config.queue.lanes as usize;
        let queue = config.queue.with_registers(if registers { REGISTERS } else { 0 });
        let shown_bits = Shown::<View>::new(config, processor.address_width as usize).width();
        let is_numbered = config.pins.number;
        let slack = config.queue.slack as usize;
        // One that only counts and the one after it, or as many as can come in a cycle.
        let shown = if sheds { lanes } else { lanes.min(2) };
        let lost_bits = if sheds { processor.lost_count_bits() as usize } else { 0 };
        let instruction_bits = Waiting::<View>::new(address_bits).width();
        let run_bits = Runs::count_bits(config);
        let word_bits = Run::<View>::new(run_bits, instruction_bits).width();
        let second_bits = if lanes > 1 { run_bits + instruction_bits } else { 0 };
        let tells_lengths = usize::from(processor.tells_lengths());
        // What is counted and not shown leaves room for what one cycle adds.
        let most_waiting = mask(processor.retire_count_bits) - u64::from(config.most_in_a_cycle());
    }
    parameters {
        xlen = if config.xlen == Xlen::Rv32 { 32 } else { 64 },
        address_width = processor.address_width,
        lanes if lanes > 1,
        queue_depth = config.queue.depth,
        slack if !sheds,
        registers if registers,
        sheds if sheds,
        ..stated(config.extensions),
    }

    #[label(rows.valid.in_lane(lane, lanes))]
    #[remark(rows.valid.meaning)]
    in valid: rows.valid.bits(&pins) for lane in 0..lanes;
    #[label(rows.word.in_lane(lane, lanes))]
    #[remark(rows.word.meaning)]
    in insn: rows.word.bits(&pins) for lane in 0..lanes;
    #[label(rows.trap.in_lane(lane, lanes))]
    #[remark(rows.trap.meaning)]
    in trap: rows.trap.bits(&pins) for lane in 0..lanes;
    #[label(rows.interrupt.in_lane(lane, lanes))]
    #[remark(rows.interrupt.meaning)]
    in interrupt: rows.interrupt.bits(&pins) for lane in 0..lanes;
    #[label(rows.pc.in_lane(lane, lanes))]
    #[remark(rows.pc.meaning)]
    in pc: rows.pc.bits(&pins) for lane in 0..lanes;
    #[label(rows.next_pc.in_lane(lane, lanes))]
    #[remark(rows.next_pc.meaning)]
    in next_pc: rows.next_pc.bits(&pins) for lane in 0..lanes;
    #[label(rows.compressed.in_lane(lane, lanes))]
    #[remark(rows.compressed.meaning)]
    in compressed: rows.compressed.bits(&pins) for lane in 0..lanes;
    #[label(rows.number.in_lane(lane, lanes))]
    #[remark(rows.number.meaning)]
    in number: rows.number.bits(&pins) for lane in 0..lanes;
    #[remark(format!("stop retiring: room for {slack} more"))]
    out stall: usize::from(!sheds);
    /// sticky: an instruction was lost because the queue was full
    out lost: usize::from(!sheds);
    /// level: the trace ends here
    in flush: 1;
    /// the trace module is to see flush
    out drained: 1;
    out retire: Retire(processor);
    /// the block is lost, with instructions before it
    out retire_lost: usize::from(sheds);
    /// instructions that are lost with it
    out retire_lost_count: lost_bits;
    /// the trace module's stall
    in retire_stall: usize::from(!sheds);
    local shown: Shown(config, processor.address_width as usize) for _ in 0..lanes;
    block order: Order(lanes, shown_bits) if is_numbered;
    block runs: Runs(config, processor, registers);
    block queue: LaneQueue(&queue, word_bits, shown);
    /// what comes into the queue
    reg coming: if registers { lanes } else { 0 };
    reg coming_word: if registers { word_bits } else { 0 } = undefined for _ in 0..lanes;
    /// sequential instructions that left the queue and are not shown yet
    reg instructions: count_bits;
    reg last_program_counter: address_bits;
    /// that instruction has four bytes
    reg last_is_long: tells_lengths;
    /// the diversion before the oldest instruction is shown in this cycle
    reg diversion_due: 1;
    /// it is, or has been shown
    reg diversion_shown: 1;
    /// the block at the pins is shown for a flush, and is not taken yet
    reg ends: 1;
    /// the block at the pins is not taken yet, and has no second word
    reg is_single: 1 if lanes > 1 && !sheds;
    block shedder: Shedder(&queue, queue.shed_level(), 3 * queue.depth) if sheds;
    /// what came before a flush has been shown
    reg has_ended: usize::from(sheds);
    /// instructions that are lost up to each word that leaves
    local lost_count: lost_bits for _ in 0..if sheds { lanes } else { 0 };
    local lost_sum: lost_bits;
    /// the last of them that has retired
    local lost_program_counter: if sheds { address_bits } else { 0 };
    local lost_is_long: if sheds { tells_lengths } else { 0 };
    view leaving: Waiting(address_bits) for _ in 0..if sheds { lanes } else { 0 };
    local word_instructions: lost_bits for _ in 0..if sheds { lanes } else { 0 };
    view oldest_run: Run(run_bits, instruction_bits);
    view second_run: Run(run_bits, second_bits - run_bits);
    view oldest: Waiting(address_bits);
    view second: Waiting(address_bits);
    /// the instruction that ends the block
    view last: Waiting(address_bits);
    /// the oldest word is of an instruction that has trapped, which is not counted
    local is_trap: 1;
    /// the oldest instruction can leave after a block in front of it
    local passes: 1;
    /// there is an instruction
    local follows: 1;
    /// the second word is counted with the oldest one
    local merges: 1;
    /// the flow was diverted before it, which is shown in the next cycle
    local waits: 1;
    /// those that are counted and those of the words that leave
    local total: count_bits;
    local shown_program_counter: address_bits;
    local shown_is_long: tells_lengths;
    local shown_target: address_bits;
    /// the instruction leaves the queue
    local takes: 1;
    /// there is a block
    local shows: 1;
    local is_sequential: 1;
    constant sequential: 3 = 0;
    constant exception: 3 = InstructionKind::Exception.pin_code();
    param alignment = processor.alignment as usize;
    param several = lanes > 1;
    param depth = queue.depth as usize;
    param almost_full = queue.depth as usize - 1;
    param has_registers = usize::from(registers);
    param is_numbered = is_numbered;
    param traps_are_there = config.pins.trap;
    param has_interrupt = config.pins.interrupt;
    param says_next = config.pins.next;
    param has_compressed = config.compressed == Compressed::Pin;
    param sheds = sheds;
    param tells_lengths = tells_lengths;
    param count_bits = run_bits;
    constant count_mask: lost_bits = mask(run_bits as u32);
    param most_waiting = Word::new(count_bits, most_waiting);
    param counts = usize::from(most_waiting > 0);
}
