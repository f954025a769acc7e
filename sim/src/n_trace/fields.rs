//! Fields of the messages of N-Trace, by the names of the standard where it has one, with the control bits (MSEO) before them.

use crate::field::Field;

/// A byte between messages.
pub const IDLE: Field = Field {
    name: "idle",
    doc: "a byte between messages, so that what fills a trace word up is none",
};
/// TCODE.
pub const CODE: Field = Field { name: "tcode", doc: "two control bits, then the kind of message" };
/// SRC.
pub const SOURCE: Field = Field {
    name: "src",
    doc: "two control bits before six of data each: the encoder that the message is from",
};
/// SYNC, B-TYPE and I-CNT.
pub const SYNC_BRANCH: Field = Field {
    name: "sync, b_type, i_cnt",
    doc: "4 bits, 2: a synchronisation was requested; 2 bits, 0: a jump or a taken branch, 1: an exception; then the code since the last message, in units of 2 bytes",
};
/// SYNC and I-CNT.
pub const SYNC_COUNT: Field = Field {
    name: "sync, i_cnt",
    doc: "4 bits, 2: a synchronisation was requested; then the code since the last message, in units of 2 bytes",
};
/// SYNC, and an I-CNT of 0.
pub const SYNC: Field = Field {
    name: "sync",
    doc: "two control bits, then 1: an exception without an instruction before leads to the address; 5: an instruction there is the last of a run; 7: the same or the target of an exception, after a loss; then an `i_cnt` of 0",
};
/// F-ADDR.
pub const FULL_ADDRESS: Field = Field { name: "f_addr", doc: "an address in units of 2 bytes" };
/// B-TYPE and I-CNT.
pub const BRANCH: Field = Field {
    name: "b_type, i_cnt",
    doc: "2 bits, 0: an indirect jump, 1: an exception; then the code since the last message, in units of 2 bytes",
};
/// I-CNT.
pub const COUNT: Field =
    Field { name: "i_cnt", doc: "the code since the last message, in units of 2 bytes" };
/// U-ADDR.
pub const UNIQUE_ADDRESS: Field = Field {
    name: "u_addr",
    doc: "the target, with `sync` whole and else exclusive or the last address in a message, in units of 2 bytes",
};
/// HIST.
pub const HISTORY: Field =
    Field { name: "hist", doc: "1, then an outcome for each branch, the last one lowest" };
/// RCODE and RDATA of a full counter, up to its range.
pub const FULL_COUNT: Field = Field {
    name: "rcode, rdata",
    doc: "two control bits before six of data each: 4 bits, 0: the counter of code, and the lower bits of how much code",
};
/// The upper bits of that.
pub const UPPER_COUNT: Field = Field { name: "rdata", doc: "how often the range of the counter" };
/// RCODE and RDATA of a full history.
pub const FULL_HISTORY: Field = Field {
    name: "rcode, rdata",
    doc: "4 bits, 1: the history, 2: one that comes again; then 1, and an outcome for each branch, the last one lowest",
};
/// HREPEAT of a full history that comes again.
pub const HISTORY_REPEATS: Field =
    Field { name: "hrepeat", doc: "how often the history comes, the first time included" };
/// B-CNT.
pub const BRANCH_REPEATS: Field =
    Field { name: "b_cnt", doc: "how often the last message of a branch comes again" };
/// ETYPE and ECODE.
pub const ERROR: Field =
    Field { name: "etype, ecode", doc: "two control bits, then 0: blocks were lost" };
/// PROCESS.
pub const PROCESS: Field = Field {
    name: "process",
    doc: "2 bits, 0: no context, 2: a context; 2 bits of privilege level; then, with a context, 0 and the context",
};
/// TSTAMP.
pub const TIME: Field = Field {
    name: "tstamp",
    doc: "when the last block before the message retired, with `sync` whole and else how much later than in the last message",
};
/// EVCODE and CDF.
pub const EVENT: Field = Field {
    name: "evcode",
    doc: "two control bits, then 4: the trace ends; then the number of histories that follow",
};
