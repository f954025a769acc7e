//! The back end that every scheme shares: records, variable length numbers, bit packing, the FIFO, the port.

pub mod bit_packer;
pub mod dynamics;
pub mod fifo;
pub mod piece;
pub mod record;
pub mod record_sender;
pub mod trace_port;
pub mod variable_length;
pub mod windows;
