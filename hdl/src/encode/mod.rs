//! The back end that every scheme shares: variable length fields, bit packing, FIFOs, the port.
pub mod bit_packer;
pub mod fifo;
pub mod record;
pub mod top;
pub mod trace_port;
pub mod variable_length;
