//! The compressor of one core: blocks in, what the coder sends out.

mod coding;
mod operation;

use tracewright_elaborate::prelude::*;
use tracewright_sim::configuration::Configuration;
use tracewright_sim::talon::config::Config;

use super::predictors::{Predictors, Step};
use crate::encode::fifo::Fifo;
use crate::parts::ports::{Clear, RetiredBlock, Stream};
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
        let is_synchronous = config.is_synchronous();
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
    /// send a flush; only when ready
    in flush: 1;
    /// a block or a flush is taken
    out ready: 1;
    /// no step waits inside
    out is_empty: 1;
    out record: Stream(record_bits);
    /// the entry to clear, where the instruction counter numbers them
    out swept: if sweeps { clear_bits } else { 0 };
    block retire_register: RetireRegister(&config.processor) if is_synchronous;
    block predictors: Predictors(config, clear_bits);
    block queue: Fifo(depth, reserve, step_bits, false);
    block operations: Operations(config);
    block operation_register: WordRegister(operation_bits) if has_registers;
    block coding: Coding(config);
    local is_predicting: 1;
    param is_synchronous = usize::from(is_synchronous);
    param has_registers = usize::from(has_registers);
    param sweeps = sweeps;
}

impl Logic for Encoder {
    #[hdl_gen]
    fn update(&mut self) {
        self.ready.next = self.queue.in_.ready.val();
        connect::join(&mut self.clear, &mut self.predictors.clear);
        if self.sweeps.val() == 1 {
            self.swept.next = self.predictors.swept.val();
        }
        self.is_predicting.next = 0.into();
        if self.is_synchronous.val() == 1 {
            connect::join(&mut self.retire, &mut self.retire_register.retire);
            self.predictors.early_pc.next = self.retire.pc.val();
            self.predictors.early_exception.next = self.retire.exception.val();
            self.retire_register.flush.next = self.flush.val();
            connect::join(&mut self.retire_register.later, &mut self.predictors.retire);
            self.predictors.flush.next = self.retire_register.later_flush.val();
            self.is_predicting.next =
                self.retire_register.is_held.val() | self.predictors.is_busy.val();
        } else {
            connect::join(&mut self.retire, &mut self.predictors.retire);
            self.predictors.flush.next = self.flush.val();
        }
        self.queue.in_.valid.next = self.predictors.step_valid.val();
        self.queue.in_.word.next = self.predictors.step.val();

        connect::join(&mut self.queue.out_, &mut self.operations.step);
        self.is_empty.next = !(self.queue.out_.valid.val() | self.is_predicting.val());
        if self.has_registers.val() == 1 {
            connect::join(&mut self.operations.operation, &mut self.operation_register.in_);
            connect::join(&mut self.operation_register.out_, &mut self.coding.operation);
            self.is_empty.next = !(self.queue.out_.valid.val()
                | self.is_predicting.val()
                | self.operation_register.out_.valid.val());
        } else {
            connect::join(&mut self.operations.operation, &mut self.coding.operation);
        }
        connect::join(&mut self.coding.record, &mut self.record);
    }
}
