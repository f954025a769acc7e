//! The front end of an APB.

mod registered;

use tracewright_elaborate::prelude::*;
use tracewright_sim::control::access::WORD_ADDRESS_BITS;
use tracewright_sim::pins::control;

use super::access::Access;

pub use registered::RegisteredApb;

block! {
    /// Makes an access of registers of the second and later cycles of a transfer on an APB.
    pub Apb("apb") of ();

    #[remark(control::PSEL.meaning)]
    in psel: 1;
    #[remark(control::PENABLE.meaning)]
    in penable: 1;
    #[remark(control::PWRITE.meaning)]
    in pwrite: 1;
    /// address in words of 32 bits
    in paddr: WORD_ADDRESS_BITS;
    #[remark(control::PWDATA.meaning)]
    in pwdata: 32;
    #[remark(control::PSTRB.meaning)]
    in pstrb: 4;
    #[remark(control::PREADY.meaning)]
    out pready: 1;
    #[remark(control::PRDATA.meaning)]
    out prdata: 32;
    #[remark(control::PSLVERR.meaning)]
    out pslverr: 1;
    out access: Access();
}

#[kernel]
impl Logic for Apb {
    fn update(&mut self) {
        access.valid = psel & penable;
        access.write = pwrite;
        access.address = paddr;
        access.written = pwdata;
        access.strobes = pstrb;
        pready = access.ready;
        prdata = access.read;
        pslverr = access.valid & access.ready & access.outside;
    }
}
