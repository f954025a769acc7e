//! The compressor: memory accesses in, what the coder sends out.

mod coding;

use tracewright_elaborate::prelude::*;
use tracewright_sim::talon_data::config::Config;

use super::stride_table::StrideTable;
use crate::encode::fifo::Fifo;
use crate::parts::ports::{Clear, Stream};
use crate::parts::word_register::WordRegister;
use coding::{Coding, Operation};

packed! {
    /// An access as it waits in the data address buffer.
    Buffered of (index_bits: usize, address_width: usize);
    address: address_width;
    index: index_bits;
}

block! {
    /// Data address buffer, stride table and coder, with a register before the coder if the encoder has registers.
    ///
    /// An access leaves the buffer when it is learned: mostly in the cycle in which the coder takes it. Most of them send
    /// nothing.
    pub Encoder("encoder") of (config: &Config, clear_bits: usize) {
        let address_width = config.processor.address_width as usize;
        let index_bits = config.index_bits() as usize;
        let buffered_bits = config.buffered_bits() as usize;
        let record_bits = config.format().bits() as usize;
        let has_registers = config.port.encoder_registers;
        let operation_bits = Operation::<View>::new(config).width();
    }

    in clear: Clear(clear_bits);
    /// an access is made; only when ready
    in access: 1;
    /// the entry of its instruction
    in index: index_bits;
    /// data address of the access
    in address: address_width;
    /// from registers alone
    out ready: 1;
    /// send a flush as soon as no access waits
    in flush: 1;
    /// it is sent, if it is asked for
    out flush_ready: 1;
    /// no operation waits inside
    out is_empty: 1;
    out record: Stream(record_bits);
    local arriving: Buffered(index_bits, address_width);
    view oldest: Buffered(index_bits, address_width);
    /// an operation is there
    local valid: 1;
    /// it is taken if it is there
    local is_taken: 1;
    local word: Operation(config);
    /// the address of the access before
    reg last_address: address_width;
    /// its exclusive or with the address
    local of_last: address_width;
    block buffer: Fifo(config.data_address_buffer_depth as usize, 0, buffered_bits, false);
    block stride_table: StrideTable(config, clear_bits);
    block operation_register: WordRegister(operation_bits) if has_registers;
    block coding: Coding(config);
    param has_registers = usize::from(has_registers);
}

#[kernel]
impl Logic for Encoder {
    fn update(&mut self) {
        arriving = Buffered { address, index };
        buffer.in_.valid = access;
        buffer.in_.word = arriving;
        ready = buffer.in_.ready;
        oldest = buffer.out_.word;

        join(clear, stride_table.clear);
        stride_table =
            StrideTable { access: buffer.out_.valid, index: oldest.index, address: oldest.address };

        // Of two references, that from which the address differs by less.
        of_last = oldest.address ^ last_address.q;
        word = Operation {
            flush: !buffer.out_.valid,
            wrong: buffer.out_.valid & !stride_table.hit,
            confidence: stride_table.confidence,
            is_of_last: of_last < stride_table.difference,
            difference: stride_table.difference,
        };
        if word.is_of_last {
            word.difference = of_last;
        }
        valid = flush;
        if buffer.out_.valid {
            valid = stride_table.is_coded;
        }
        if when(has_registers) {
            operation_register.in_ = Stream { valid, word };
            is_taken = operation_register.in_.ready;
            join(operation_register.out_, coding.operation);
            is_empty = !operation_register.out_.valid;
        } else {
            coding.operation = Stream { valid, word };
            is_taken = coding.operation.ready;
            is_empty = 1;
        }
        join(coding.record, record);

        flush_ready = is_taken & !buffer.out_.valid;
        stride_table.coded = is_taken & stride_table.is_coded;
        buffer.out_.ready = stride_table.done;
        if stride_table.done {
            last_address.d = oldest.address;
        }
    }
}
