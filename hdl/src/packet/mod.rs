//! Packets (docs/packets.md): markers, headers and stuffed zeros around the records of any scheme.

pub mod checksum;
pub mod framer;
pub mod stuffing;
