//! Where exceptions came that are no system calls.

use serde::Serialize;
use tracewright_image::Image;
use tracewright_sim::code::Code;

use crate::disassembly::{self, Disassembler};
use crate::names;
use crate::profile::Counts;

/// A place to which the flow had led when an exception came: the instruction there was attempted and did not retire,
/// or an interrupt came before it. A trace does not tell one from the other, unless it has causes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExceptionCount {
    /// The address.
    pub address: u64,
    /// The address in words: a function, and the offset in it.
    pub function: String,
    /// The instruction there in the files of the program; `None` where there is none.
    pub instruction: Option<String>,
    /// How many exceptions came there.
    pub count: u64,
}

impl ExceptionCount {
    /// The places of exceptions in a program, by address.
    pub fn all(image: &Image, counts: &Counts) -> Vec<ExceptionCount> {
        let disassembler = &mut Disassembler::new(image.instruction_set());
        let of = |&(address, count): &(u64, u64)| ExceptionCount {
            address,
            function: names::spoken(image, address),
            instruction: image
                .instruction(address)
                .map(|_| disassembly::line(image, disassembler, address).text),
            count,
        };
        counts.attempted.iter().map(of).collect()
    }
}
