//! The front end of an APB with registers.

use tracewright_elaborate::prelude::*;
use tracewright_sim::control::access::WORD_ADDRESS_BITS;
use tracewright_sim::pins::control;

use crate::control::access::Access;

block! {
    /// Makes an access of registers of a transfer on an APB, with registers between the bus and the access and between the
    /// answer and the bus: the third cycle with `penable` is the last one, if the registers do not wait.
    pub RegisteredApb("registered_apb") of ();

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
    /// a transfer waits for the registers
    reg waits: 1;
    reg writes: 1 = undefined;
    reg address: WORD_ADDRESS_BITS = undefined;
    reg written: 32 = undefined;
    reg strobes: 4 = undefined;
    /// the registers have answered
    reg answered: 1;
    reg failed: 1 = undefined;
    reg read: 32 = undefined;
}

#[kernel]
impl Logic for RegisteredApb {
    fn update(&mut self) {
        access.valid = waits.q;
        access.write = writes.q;
        access.address = address.q;
        access.written = written.q;
        access.strobes = strobes.q;
        answered.d = waits.q & access.ready;
        if waits.q {
            waits.d = !access.ready;
            failed.d = access.outside;
            read.d = access.read;
        } else {
            waits.d = psel & penable & !answered.q;
            writes.d = pwrite;
            address.d = paddr;
            written.d = pwdata;
            strobes.d = pstrb;
        }
        pready = answered.q;
        prdata = read.q;
        pslverr = answered.q & failed.q;
    }
}
