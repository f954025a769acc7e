//! What the front end of a bus and the registers say to each other in a cycle.

use tracewright_elaborate::prelude::*;
use tracewright_sim::control::access::WORD_ADDRESS_BITS;

bundle! {
    /// One access of the registers in a cycle.
    pub Access of ();
    /// there is an access; without `ready` it goes on in the next cycle
    forward valid: 1;
    forward write: 1;
    /// address in words of 32 bits
    forward address: WORD_ADDRESS_BITS;
    forward written: 32;
    /// the bytes that are written
    forward strobes: 4;
    backward ready: 1;
    backward read: 32;
    /// no page of registers is there
    backward outside: 1;
}
