//! TSLZ, the trace compressor with Lempel-Ziv that paper C compares with (its reference 11).
//!
//! Three stages, of which paper C gives no more than this list: a filter that keeps the addresses of taken branches and
//! of their targets, the coding of these addresses as differences, and Lempel-Ziv in hardware over symbols of 12 bits
//! with a window of 256 of them. The rest is a choice of this model:
//!
//! * a branch is sent as its distance from the target before, a target as its distance from its branch, both in
//!   instructions, in slices of 11 bits with a bit that says that more slices follow;
//! * every taken branch is sent with its target, direct ones too, as no stage has the program;
//! * a match has a flag, 8 bits for its place in the window and 5 for its length; a symbol that is in no match has a
//!   flag and its 12 bits.
//!
//! An exception cannot be told from a branch, so the format has none.

mod filter;
mod lempel_ziv;

use std::io::Read;

use tracewright_sim::decode::summary::Summary;
use tracewright_sim::encode::bit_packer::BitUnpacker;
use tracewright_sim::event::Event;
use tracewright_sim::field::Sink;
use tracewright_sim::program::Program;

use crate::{Core, DecodeError, Encode, EncodeError};
use filter::{Filter, Replayed};
use lempel_ziv::{Expander, LempelZiv, SYMBOL_BITS, WINDOW};

/// Storage in bits. The window is the only table.
pub const STORAGE: &[(&str, u32)] = &[("window", WINDOW as u32 * SYMBOL_BITS)];

struct Encoder {
    filter: Filter,
    lempel_ziv: LempelZiv,
}

/// A TSLZ encoder at the start of a trace.
///
/// # Errors
/// Never.
pub fn encoder(core: &Core) -> Result<Box<dyn Encode>, EncodeError> {
    Ok(Box::new(Encoder { filter: Filter::new(core), lempel_ziv: LempelZiv::new() }))
}

impl Encode for Encoder {
    fn event(&mut self, event: &Event, sink: &mut dyn Sink) -> Result<(), EncodeError> {
        let Self { filter, lempel_ziv } = self;
        filter.event(event, |symbol| lempel_ziv.symbol(symbol, sink))
    }

    fn finish(&mut self, sink: &mut dyn Sink) -> Result<(), EncodeError> {
        let Self { filter, lempel_ziv } = self;
        filter.finish(|symbol| lempel_ziv.symbol(symbol, sink));
        lempel_ziv.finish(sink);
        Ok(())
    }
}

/// Decodes what [`encoder`] made.
///
/// # Errors
/// When the bits or the program are not what was traced.
pub fn decode(
    core: &Core,
    program: &Program,
    bytes: &mut dyn Read,
    most_instructions: u64,
    take: &mut dyn FnMut(Event),
) -> Result<Summary, DecodeError> {
    let mut symbols = Expander::new(BitUnpacker::new(bytes));
    Replayed::new(core, program, most_instructions).all(&mut symbols, take)
}
