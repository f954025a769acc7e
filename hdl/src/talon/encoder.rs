//! The compressor of one core: blocks in, what the coder sends out.

mod coding;
mod operation;

use tracewright_elaborate::prelude::*;
use tracewright_sim::configuration::Configuration;
use tracewright_sim::talon::config::Config;

use super::predictors::{Predictors, Step};
use crate::encode::fifo::Fifo;
use crate::parts::ports::{Clear, RetiredBlock, Stream};
use crate::parts::predictor_table::Reading;
use crate::parts::retire_register::RetireRegister;
use crate::parts::word_register::WordRegister;
use coding::Coding;
use operation::{Operation, Operations};

block! {
    /// Predictors, a queue of steps, and the coder, with a register before it if the encoder has registers.
    ///
    /// A block is taken every cycle. Its step enters the queue in the same cycle, or six cycles later where tables are
    /// read through registers; the queue has room for the blocks in between.
    pub Encoder("encoder") of (config: &Config, clear_bits: usize) {
        let reading = Reading::of(config.memory_style, &config.port);
        let sweeps = config.sweeps_by_instruction_count();
        let record_bits = config.format().bits() as usize;
        let step_bits = Step::<View>::new(config).width();
        let depth = config.port.record_queue_depth as usize;
        let reserve = config.blocks_in_flight() as usize;
        let has_registers = config.port.encoder_registers;
        let operation_bits = Operation::<View>::new(config).width();
    }

    in clear: Clear(clear_bits);
    /// every register takes the value that it has after a reset
    in restart_registers: usize::from(config.protocol.restarts_tables());
    /// entries of another epoch read as cleared; while nothing else writes, one is written
    in memory_sweep: if config.protocol.clears_in_background() { clear_bits + 2 } else { 0 };
    /// valid is high only while the compressor is ready
    in retire: RetiredBlock(&config.processor);
    /// the core waits for the module
    in is_held: usize::from(config.times_events());
    /// send a flush; only when ready
    in flush: 1;
    /// a block or a flush is taken
    out ready: 1;
    /// no step waits inside
    out is_empty: 1;
    out record: Stream(record_bits);
    /// the entry to clear, where the instruction counter numbers them
    out swept: if sweeps { clear_bits } else { 0 };
    block retire_register: RetireRegister(&config.processor) if reading;
    block predictors: Predictors(config, clear_bits);
    block queue: Fifo(depth, reserve, step_bits, false);
    block operations: Operations(config, clear_bits);
    block operation_register: WordRegister(operation_bits) if has_registers;
    block coding: Coding(config);
    local is_predicting: 1;
    param looks_up_early = reading;
    param has_registers = usize::from(has_registers);
    param sweeps = sweeps;
    param times = usize::from(config.times_events());
}

#[kernel]
impl Logic for Encoder {
    fn update(&mut self) {
        ready = queue.in_.ready;
        join(clear, predictors.clear);
        if when(sweeps) {
            swept = predictors.swept;
        }
        is_predicting = 0;
        if when(looks_up_early) {
            join(retire, retire_register.retire);
            predictors = Predictors { early_pc: retire.pc, early_exception: retire.exception };
            retire_register.flush = flush;
            join(retire_register.later, predictors.retire);
            predictors.flush = retire_register.later_flush;
            is_predicting = retire_register.is_held | predictors.is_busy;
        } else {
            join(retire, predictors.retire);
            predictors.flush = flush;
        }
        queue.in_.valid = predictors.step_valid;
        queue.in_.word = predictors.step;

        if when(times) {
            predictors.is_held = is_held;
            for at in 0..operations.clear.len() {
                join(clear, operations.clear[at]);
            }
        }
        join(queue.out_, operations.step);
        is_empty = !(queue.out_.valid | is_predicting);
        if when(has_registers) {
            join(operations.operation, operation_register.in_);
            join(operation_register.out_, coding.operation);
            is_empty = !(queue.out_.valid | is_predicting | operation_register.out_.valid);
        } else {
            join(operations.operation, coding.operation);
        }
        join(coding.record, record);
    }
}
