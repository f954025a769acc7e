//! Packets: a trace that can be read from any bit on.
//!
//! A [`marker`](stuffing) begins each packet, and nothing in a packet looks like one. After the marker comes a
//! [`header`], and then what the scheme's encoder sends up to and with its flush record, unless the packet is the end.
//! docs/packets.md has the format, and the reasons for it.
//!
//! * [`session::packets`](crate::session::packets) makes them, of the records of any scheme, which do not change.
//! * [`reader`] finds packets in bits that may begin, end or be damaged anywhere.
//! * [`decoder`] gives the events of whole packets, and says what lies between them.

pub mod checksum;
mod content;
pub mod decoder;
pub mod formats;
pub mod framer;
pub mod framing;
pub mod header;
pub mod header_reader;
mod joint;
mod numbers;
pub mod part;
pub mod reader;
pub mod stuffing;
pub mod time;
