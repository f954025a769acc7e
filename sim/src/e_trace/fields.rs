//! Fields of the records of E-Trace, by the names of the standard where it has one.

use crate::field::Field;

/// A header without a payload.
pub const IDLE: Field = Field {
    name: "idle",
    doc: "a byte that decoders of the standard skip; says more of what follows",
};
/// The header of the encapsulation.
pub const HEADER: Field =
    Field { name: "header", doc: "bytes of the payload, in the lower 5 bits" };
/// srcID of the encapsulation.
pub const SOURCE: Field = Field { name: "srcID", doc: "the encoder that the payload is from" };
/// format.
pub const FORMAT: Field = Field { name: "format", doc: "the kind of payload" };
/// subformat.
pub const SUBFORMAT: Field = Field { name: "subformat", doc: "0: start, 1: trap, 3: support" };
/// The subformat of format 0.
pub const EXTENSION: Field =
    Field { name: "subformat", doc: "0: predicted branches, 1: the jump target cache" };
/// branch.
pub const BRANCH: Field =
    Field { name: "branch", doc: "0: the first instruction is a taken branch" };
/// privilege.
pub const PRIVILEGE: Field =
    Field { name: "privilege", doc: "the privilege level, then the context; 0 if no pin says it" };
/// time.
pub const TIME: Field =
    Field { name: "time", doc: "when the block of the instruction at the address retired" };
/// context.
pub const CONTEXT: Field = Field { name: "context", doc: "the context, after a time" };
/// ecause.
pub const CAUSE: Field = Field {
    name: "ecause",
    doc: "why the exception was taken, then `interrupt` if pins say both; 0 if none does",
};
/// interrupt.
pub const INTERRUPT: Field = Field { name: "interrupt", doc: "0 if no pin says it" };
/// thaddr.
pub const HANDLER: Field = Field {
    name: "thaddr",
    doc: "1: an instruction has retired at the address, which is the handler's",
};
/// index.
pub const INDEX: Field = Field {
    name: "index",
    doc: "where the target is in the jump target cache; then `branches`, if there are none",
};
/// branches.
pub const BRANCHES: Field =
    Field { name: "branches", doc: "branches in the map; 0: 31, and no address" };
/// branch_map.
pub const BRANCH_MAP: Field = Field {
    name: "branch_map",
    doc: "a bit for each branch, the oldest first: 1 if it is not taken",
};
/// branch_count.
pub const BRANCH_COUNT: Field = Field {
    name: "branch_count",
    doc: "branches that were predicted, less 31; then `branch_fmt` 0, if no address follows: the next was not predicted",
};
/// branch_fmt.
pub const BRANCH_FORMAT: Field =
    Field { name: "branch_fmt", doc: "2; 3: the branch at the address was not predicted" };
/// address.
pub const ADDRESS: Field = Field {
    name: "address",
    doc: "in instruction units; after formats 1 and 2 the difference from the last one, with a sign",
};
/// tval.
pub const TRAP_VALUE: Field =
    Field { name: "tval", doc: "what an exception says beside its cause; none of an interrupt" };
/// notify, updiscon, irreport and the sign; tval where no pin says it.
pub const REST: Field = Field {
    name: "rest",
    doc: "in a trap a `tval` of 0, or with `trap_values` its sign; else `notify`, `updiscon` and `irreport`, each as the difference from the bit before it; then the sign",
};
/// The fields of a support payload.
pub const SUPPORT: Field = Field {
    name: "support",
    doc: "`ienable` 1, `encoder_mode` 0, `qual_status` 1 or 3, or 2 where blocks are lost, the options that are on, all others 0",
};
