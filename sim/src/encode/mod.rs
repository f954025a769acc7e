//! The back end that every scheme shares: variable length fields, bit packing, the output FIFO.
pub mod bit_packer;
pub mod output_fifo;
pub mod variable_length;
