//! T-raptor's records, stated once (paper C, Table 2, section 4 and Figure 6).
//!
//! Every record begins with a branch count. Zero in one chunk begins an exception record, as in the
//! paper. The escape (zero with a second, empty chunk) begins the records the paper does not have:
//! the two counter overflows and the flush. What follows the count of a branch depends on the
//! instruction it leads to, which the decoder knows from the program.

use super::config::Config;
use crate::encode::record::RecordFormat;
use crate::encode::variable_length::Chunks;
use crate::event::Kind;
use crate::field::{Field, Walker};

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
        Field { name: "target_sign", doc: "1: the target lies below the last one sent" };
}

/// Bits of the code after the escape.
pub const EXTENDED_BITS: u32 = 2;

/// The records behind the escape; code 3 is kept for overflow of the output, to come.
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
    /// A record behind the escape; an unknown code is kept as it is.
    Extended(Result<Extended, u8>),
}

/// What may follow the head; fields that a record does not have stay as they are.
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

/// The layout under one configuration.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    branch_count: Chunks,
    instruction_count: Chunks,
    target: Chunks,
    outcome_bit_for_jumps: bool,
}

impl Layout {
    /// The layout that `config` makes.
    pub fn new(config: &Config) -> Self {
        Self {
            branch_count: config.branch_count_chunks(),
            instruction_count: config.instruction_count_chunks(),
            target: config.target_chunks(),
            outcome_bit_for_jumps: config.outcome_bit_for_jumps,
        }
    }

    /// Walks over the head of a record.
    pub fn head<W: Walker>(&self, head: &mut Head, walker: &mut W) -> Result<(), W::Error> {
        let mut count = match *head {
            Head::Branch(count) => Some(count),
            Head::Exception => Some(0),
            Head::Extended(_) => None,
        };
        walker.number_or_escape(&fields::BRANCH_COUNT, &self.branch_count, &mut count)?;
        *head = match count {
            Some(0) => Head::Exception,
            Some(count) => Head::Branch(count),
            None => {
                let mut code = match *head {
                    Head::Extended(Ok(known)) => known as u64,
                    Head::Extended(Err(code)) => code.into(),
                    _ => 0,
                };
                walker.bits(&fields::EXTENDED, EXTENDED_BITS, &mut code)?;
                let known = [
                    Extended::Flush,
                    Extended::BranchCountOverflow,
                    Extended::InstructionCountOverflow,
                ];
                Head::Extended(known.into_iter().find(|one| *one as u64 == code).ok_or(code as u8))
            }
        };
        Ok(())
    }

    /// Walks over the rest of a record; `kind` is the mispredicted instruction's.
    pub fn body<W: Walker>(
        &self,
        head: Head,
        kind: Kind,
        body: &mut Body,
        walker: &mut W,
    ) -> Result<(), W::Error> {
        match head {
            Head::Branch(_) if kind.is_indirect() => {
                if self.outcome_bit_for_jumps || kind.is_conditional() {
                    let mut taken = body.taken.into();
                    walker.bits(&fields::OUTCOME, 1, &mut taken)?;
                    body.taken = taken == 1;
                } else {
                    body.taken = true;
                }
                if body.taken { self.target(body, walker) } else { Ok(()) }
            }
            Head::Exception => {
                let field: &Field = &fields::INSTRUCTION_COUNT;
                walker.number(field, &self.instruction_count, &mut body.instruction_count)?;
                self.target(body, walker)
            }
            Head::Extended(Ok(Extended::Flush)) => walker.number(
                &fields::INSTRUCTION_COUNT,
                &self.instruction_count,
                &mut body.instruction_count,
            ),
            _ => Ok(()),
        }
    }

    /// The records as the hardware forms them; the counts share a value, as no record has both.
    ///
    /// One block can bring two instruction count overflows: its straight run, and the branch behind.
    /// Where the encoder takes the differences the word has the target itself.
    pub fn format(&self, encoder_takes_differences: bool) -> RecordFormat {
        let escape_bits = self.branch_count.first + self.branch_count.next + 2;
        let escape = 1 << self.branch_count.first;
        let extended = |format: RecordFormat, flag, code: Extended| {
            let bits = escape | (code as u64) << escape_bits;
            format.constant("extended", flag, bits, escape_bits + EXTENDED_BITS)
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
            .value("count", self.branch_count.width.max(self.instruction_count.width))
            .value("target", self.target.width);
        let format =
            extended(format, "overflow_first", Extended::InstructionCountOverflow)
                .goes_first()
                .one_of(|mut format| {
                    for (flag, code) in [
                        ("instruction_count_overflow", Extended::InstructionCountOverflow),
                        ("branch_count_overflow", Extended::BranchCountOverflow),
                        ("flush", Extended::Flush),
                    ] {
                        format = extended(format, flag, code);
                    }
                    format
                        .constant("exception", "exception", 0, self.branch_count.first + 1)
                        .chunks("branch_count", "sends_branch_count", "count", self.branch_count)
                })
                .one_of(|format| {
                    format
                        .chunks(
                            "instruction_count",
                            "sends_instruction_count",
                            "count",
                            self.instruction_count,
                        )
                        .plain("outcome", "sends_outcome", "taken")
                });
        if encoder_takes_differences {
            return format.difference("target_difference", "sends_target", "target", self.target);
        }
        format.chunks("target_difference", "sends_target", "target", self.target).plain(
            "target_sign",
            "sends_target",
            "below",
        )
    }

    fn target<W: Walker>(&self, body: &mut Body, walker: &mut W) -> Result<(), W::Error> {
        walker.number(&fields::TARGET_DIFFERENCE, &self.target, &mut body.difference)?;
        let mut below = body.below.into();
        walker.bits(&fields::TARGET_SIGN, 1, &mut below)?;
        body.below = below == 1;
        Ok(())
    }
}

impl Config {
    /// The records between the record former and the encoder.
    pub fn format(&self) -> RecordFormat {
        Layout::new(self).format(!self.port.is_parallel())
    }
}
