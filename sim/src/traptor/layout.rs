//! T-raptor's records, stated once (paper C, Table 2, section 4 and Figure 6).
//!
//! Every record begins with a branch count. Zero in one chunk begins an exception record, as in the
//! paper. The escape (zero with a second, empty chunk) begins the records the paper does not have:
//! the two counter overflows and the flush. What follows the count of a branch depends on the
//! instruction it leads to, which the decoder knows from the program.

use super::config::Config;
use crate::encode::record::RecordFormat;
use crate::event::Kind;
use crate::record_word;

/// Fields of T-raptor's records.
pub mod fields {
    use crate::field::Field;

    /// bCnt.
    pub const BRANCH_COUNT: Field = Field {
        name: "branch_count",
        doc: "counted branches since the last record, up to the mispredicted one",
    };
    /// The kind of an extended record.
    pub const EXTENDED: Field = Field { name: "extended", doc: "which record follows the escape" };
    /// T/NT.
    pub const OUTCOME: Field = Field { name: "outcome", doc: "1: the indirect branch was taken" };
    /// iCnt.
    pub const INSTRUCTION_COUNT: Field = Field {
        name: "instruction_count",
        doc: "instructions since the last record that clears the counters",
    };
    /// |diffTA|.
    pub const TARGET_DIFFERENCE: Field = Field {
        name: "target_difference",
        doc: "distance of the target from the last target sent, in instruction units",
    };
    /// The sign of diffTA.
    pub const TARGET_SIGN: Field =
        Field { name: "target_sign", doc: "1: the target is below the last one sent" };
}

/// Bits of the code after the escape.
pub const EXTENDED_BITS: u32 = 2;

/// The records after the escape; code 3 is reserved for an overflow of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Extended {
    /// All instructions up to the flush were sent; the trace is padded to a trace word.
    Flush = 0,
    /// The branch counter is at its limit and every branch so far was predicted; clears both counters.
    BranchCountOverflow = 1,
    /// Half the instruction counter's range was taken off the counter.
    InstructionCountOverflow = 2,
}

/// How a record begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Head {
    /// The counted branch with this number, 1 or more, was mispredicted.
    Branch(u64),
    /// An exception.
    Exception,
    /// A record after the escape.
    Extended(Extended),
}

/// What follows the head, as far as the record has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Body {
    /// The indirect branch was taken.
    pub taken: bool,
    /// Instructions since the counters were cleared.
    pub instruction_count: u64,
    /// |target - previous target| in instruction units.
    pub difference: u64,
    /// The target lies below the previous one.
    pub below: bool,
}

record_word! {
    /// A record on its way to the encoder; the counts share a value, as no record has both.
    pub struct Word {
        flags {
            /// A flush record.
            flush,
            /// An instruction count overflow record.
            instruction_count_overflow,
            /// A branch count overflow record.
            branch_count_overflow,
            /// An exception record.
            exception,
            /// The record begins with a branch count.
            sends_branch_count,
            /// An instruction count follows.
            sends_instruction_count,
            /// The outcome follows.
            sends_outcome,
            /// The target follows.
            sends_target,
            /// The outcome.
            taken,
            /// The target's sign.
            below,
        }
        values {
            /// The branch count or the instruction count.
            count: u64,
            /// The target's distance.
            target: u64,
        }
    }
}

impl Word {
    /// The record of a head and what follows; a branch that was mispredicted is of this `kind`.
    pub fn new(head: Head, kind: Kind, body: Body, outcome_bit_for_jumps: bool) -> Self {
        let target = Word { target: body.difference, below: body.below, ..Word::default() };
        match head {
            Head::Branch(count) if kind.is_indirect() => Word {
                sends_branch_count: true,
                count,
                sends_outcome: outcome_bit_for_jumps || kind.is_conditional(),
                taken: body.taken,
                sends_target: body.taken,
                ..target
            },
            Head::Branch(count) => Word { sends_branch_count: true, count, ..target },
            Head::Exception => Word {
                exception: true,
                sends_instruction_count: true,
                count: body.instruction_count,
                sends_target: true,
                ..target
            },
            Head::Extended(Extended::Flush) => Word {
                flush: true,
                sends_instruction_count: true,
                count: body.instruction_count,
                ..target
            },
            Head::Extended(Extended::BranchCountOverflow) => {
                Word { branch_count_overflow: true, ..target }
            }
            Head::Extended(Extended::InstructionCountOverflow) => {
                Word { instruction_count_overflow: true, ..target }
            }
        }
    }
}

/// The records of a configuration.
///
/// One block can bring two instruction count overflows: its straight run, and the branch after it.
/// Where the encoder takes the differences, the word has the target itself.
pub fn record_format(config: &Config, encoder_takes_differences: bool) -> RecordFormat {
    let (branch_count, instruction_count, target) =
        (config.branch_count_chunks(), config.instruction_count_chunks(), config.target_chunks());
    let extended = |format: RecordFormat, flag, code: Extended| {
        let code = fields::EXTENDED.bits(code as u64, EXTENDED_BITS);
        format.constant(flag, [fields::BRANCH_COUNT.escape(branch_count), code])
    };
    let mut flags = vec![
        "flush",
        "overflow_first",
        "instruction_count_overflow",
        "branch_count_overflow",
        "exception",
        "sends_branch_count",
        "sends_instruction_count",
        "sends_outcome",
        "sends_target",
        "taken",
    ];
    if !encoder_takes_differences {
        flags.push("below");
    }
    let format = RecordFormat::new(&flags)
        .value("count", branch_count.width.max(instruction_count.width))
        .value("target", target.width);
    let format = extended(format, "overflow_first", Extended::InstructionCountOverflow)
        .goes_first()
        .one_of(|mut format| {
            for (flag, code) in [
                ("instruction_count_overflow", Extended::InstructionCountOverflow),
                ("branch_count_overflow", Extended::BranchCountOverflow),
                ("flush", Extended::Flush),
            ] {
                format = extended(format, flag, code);
            }
            format.constant("exception", [fields::BRANCH_COUNT.number(0, branch_count)]).chunks(
                fields::BRANCH_COUNT,
                "sends_branch_count",
                "count",
                branch_count,
            )
        })
        .one_of(|format| {
            let (field, flag) = (fields::INSTRUCTION_COUNT, "sends_instruction_count");
            format.chunks(field, flag, "count", instruction_count).plain(
                fields::OUTCOME,
                "sends_outcome",
                "taken",
            )
        });
    let difference = fields::TARGET_DIFFERENCE;
    if encoder_takes_differences {
        return format.difference(difference, "sends_target", "target", target);
    }
    format.chunks(difference, "sends_target", "target", target).plain(
        fields::TARGET_SIGN,
        "sends_target",
        "below",
    )
}

impl Config {
    /// The records between the record former and the encoder.
    pub fn format(&self) -> RecordFormat {
        record_format(self, !self.port.is_parallel())
    }
}
