//! The kinds of messages and their fields.

use tracewright_sim::config::mask;

use super::encoder::Encoder;
use super::error::Problem;

/// Bits of the kind of a message.
const CODE_BITS: u32 = 6;

/// Half-words that a message counts at most. The standard has 22 bits; a straight run may be longer.
const COUNT_MAX: u64 = 1 << 32;

/// Fields of fixed length and the one of variable length after them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Group {
    pub value: u128,
    pub bits: u32,
}

/// The fields of a message. Counts are in half-words of code, and addresses in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// Ownership: the privilege level and the context.
    Ownership {
        /// The four fields of PROCESS.
        process: u64,
    },
    /// Error: messages were lost.
    Error {
        /// ETYPE.
        kind: u8,
        /// ECODE.
        code: u64,
    },
    /// ProgTraceSync: the execution is at an address.
    Start {
        /// The reason.
        sync: u8,
        /// The code since the last message.
        count: u64,
        /// Where the execution goes on.
        address: u64,
    },
    /// DirectBranch, and DirectBranchSync with a reason and the address.
    Direct {
        /// The reason and the address of a synchronisation.
        sync: Option<(u8, u64)>,
        /// The code since the last message.
        count: u64,
    },
    /// IndirectBranch and IndirectBranchHist, and with a reason IndirectBranchSync and IndirectBranchHistSync.
    Indirect {
        /// The reason of a synchronisation.
        sync: Option<u8>,
        /// B-TYPE: 0 for a jump, else an exception or an interrupt.
        branch_type: u8,
        /// The code since the last message.
        count: u64,
        /// The whole address of a synchronisation, else its exclusive or with the last one.
        address: u64,
        /// Outcomes of branches after a first 1, the last one lowest.
        history: Option<u64>,
    },
    /// ResourceFull: the counter of code.
    CountFull {
        /// Half-words.
        count: u64,
    },
    /// ResourceFull: the history.
    HistoryFull {
        /// Outcomes of branches after a first 1, the last one lowest.
        history: u64,
        /// How often they come; `None` if the message does not say it.
        repeats: Option<u64>,
    },
    /// RepeatBranch: the branch of the last message comes so many times more.
    Repeat {
        /// Times.
        count: u64,
    },
    /// ProgTraceCorrelation: tracing ends.
    Correlation {
        /// EVCODE.
        event: u8,
        /// The code since the last message.
        count: u64,
        /// Outcomes of branches after a first 1, the last one lowest.
        history: Option<u64>,
    },
    /// A message that is of no execution of instructions, or a vendor's own.
    Other {
        /// The kind (TCODE).
        code: u8,
    },
}

/// The fields of a message that have not been read.
struct Fields<'a> {
    code: u8,
    fixed: Group,
    rest: std::slice::Iter<'a, Group>,
    encoder: &'a Encoder,
}

impl Fields<'_> {
    fn fixed(&mut self, bits: u32) -> Result<u64, Problem> {
        let Group { value, bits: left } = self.fixed;
        let left = left.checked_sub(bits).ok_or(Problem::Short(self.code))?;
        self.fixed = Group { value: value >> bits, bits: left };
        Ok(value as u64 & mask(bits))
    }

    /// The field of variable length after those of fixed length.
    fn first(&mut self) -> u64 {
        u64::try_from(self.fixed.value).unwrap_or(u64::MAX)
    }

    fn count(&mut self) -> Result<u64, Problem> {
        match self.first() {
            value if value < COUNT_MAX => Ok(value),
            value => Err(Problem::Field { name: "I-CNT", value }),
        }
    }

    fn group(&mut self) -> Result<Group, Problem> {
        self.rest.next().copied().ok_or(Problem::Short(self.code))
    }

    fn variable(&mut self) -> Result<u64, Problem> {
        Ok(u64::try_from(self.group()?.value).unwrap_or(u64::MAX))
    }

    fn history(value: u64) -> Result<u64, Problem> {
        match value {
            0 => Err(Problem::Field { name: "HIST", value }),
            value => Ok(value),
        }
    }

    fn address(&mut self) -> Result<u64, Problem> {
        let Group { value, bits } = self.group()?;
        let value = value as u64;
        let is_extended = self.encoder.extends_addresses == 1 && (1..64).contains(&bits);
        let extended = match is_extended && value >> (bits - 1) & 1 == 1 {
            true => value | !mask(bits),
            false => value,
        };
        let width = if self.encoder.address_bits == 0 { 64 } else { self.encoder.address_bits };
        Ok(extended << 1 & mask(width))
    }
}

impl Body {
    /// The source, the fields and the time stamp of a message.
    pub(super) fn read(
        groups: &[Group],
        encoder: &Encoder,
    ) -> Result<(u32, Self, Option<u64>), Problem> {
        let Some((first, rest)) = groups.split_first() else {
            return Err(Problem::Short(0));
        };
        let mut fields = Fields { code: 0, fixed: *first, rest: rest.iter(), encoder };
        let code = fields.fixed(CODE_BITS)? as u8;
        fields.code = code;
        let source = fields.fixed(encoder.source_bits)? as u32;
        let body = Self::of_kind(code, &mut fields)?;
        if let Body::Other { .. } = body {
            return Ok((source, body, None));
        }
        let found = groups.len();
        let expected = found - fields.rest.len();
        match fields.rest.len() {
            0 => Ok((source, body, None)),
            1 => Ok((source, body, Some(fields.variable()?))),
            _ => Err(Problem::Fields { code, expected, found }),
        }
    }

    fn of_kind(code: u8, fields: &mut Fields<'_>) -> Result<Self, Problem> {
        let (has_sync, has_history) = (matches!(code, 9 | 11 | 12 | 29), matches!(code, 28 | 29));
        let sync = if has_sync { fields.fixed(4)? as u8 } else { 0 };
        Ok(match code {
            2 => Body::Ownership { process: fields.first() },
            3 => Body::Direct { sync: None, count: fields.count()? },
            8 => {
                let kind = fields.fixed(4)? as u8;
                Body::Error { kind, code: fields.first() }
            }
            9 => Body::Start { sync, count: fields.count()?, address: fields.address()? },
            11 => {
                let count = fields.count()?;
                Body::Direct { sync: Some((sync, fields.address()?)), count }
            }
            4 | 12 | 28 | 29 => {
                let (branch_type, count) = (fields.fixed(2)? as u8, fields.count()?);
                let (sync, address) = (has_sync.then_some(sync), fields.address()?);
                let history = if has_history { Some(fields.variable()?) } else { None };
                let history = history.map(Fields::history).transpose()?;
                Body::Indirect { sync, branch_type, count, address, history }
            }
            27 => match fields.fixed(4)? {
                0 => Body::CountFull { count: fields.count()? },
                1 => Body::HistoryFull { history: Fields::history(fields.first())?, repeats: None },
                2 => {
                    let history = Fields::history(fields.first())?;
                    Body::HistoryFull { history, repeats: Some(fields.variable()?) }
                }
                value @ 3..8 => return Err(Problem::Field { name: "RCODE", value }),
                _ => Body::Other { code },
            },
            30 => Body::Repeat { count: fields.count()? },
            33 => {
                let (event, data) = (fields.fixed(4)? as u8, fields.fixed(2)?);
                let count = fields.count()?;
                let history = match data {
                    0 => None,
                    1 => Some(Fields::history(fields.variable()?)?),
                    value => return Err(Problem::Field { name: "CDF", value }),
                };
                Body::Correlation { event, count, history }
            }
            _ => Body::Other { code },
        })
    }

    /// True if the whole address is in it, and the whole time if it has one.
    pub fn synchronises(&self) -> bool {
        matches!(
            self,
            Body::Start { .. }
                | Body::Direct { sync: Some(_), .. }
                | Body::Indirect { sync: Some(_), .. }
        )
    }

    /// The kind of the message, as the standard numbers it (TCODE).
    pub fn code(&self) -> u8 {
        match self {
            Body::Ownership { .. } => 2,
            Body::Direct { sync: None, .. } => 3,
            Body::Indirect { sync: None, history: None, .. } => 4,
            Body::Error { .. } => 8,
            Body::Start { .. } => 9,
            Body::Direct { sync: Some(_), .. } => 11,
            Body::Indirect { sync: Some(_), history: None, .. } => 12,
            Body::CountFull { .. } | Body::HistoryFull { .. } => 27,
            Body::Indirect { sync: None, history: Some(_), .. } => 28,
            Body::Indirect { sync: Some(_), history: Some(_), .. } => 29,
            Body::Repeat { .. } => 30,
            Body::Correlation { .. } => 33,
            Body::Other { code } => *code,
        }
    }
}
