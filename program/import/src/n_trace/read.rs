//! The fields of a message, read one after the other.

use tracewright_sim::config::mask;

use super::body::Body;
use super::encoder::Encoder;
use super::error::{Problem, Unreadable};

/// Bits of the kind of a message.
const CODE_BITS: u32 = 6;

/// Bits of a count of code (I-CNT).
const COUNT_BITS: u32 = 22;

/// Bits of a history with the 1 before its first outcome.
const HISTORY_BITS: u32 = 32;

/// Bits of how often a history or a branch comes again.
const REPEAT_BITS: u32 = 18;

/// Bits of a count in ResourceFull: a multiple of that of I-CNT, or branches.
const RESOURCE_BITS: u32 = 32;

/// Bits of a kind of event, of the reason of a synchronisation, and the like.
const REASON_BITS: u32 = 4;

/// Fields of fixed length and the one of variable length after them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Group {
    pub value: u128,
    pub bits: u32,
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

    fn group(&mut self) -> Result<Group, Problem> {
        self.rest.next().copied().ok_or(Problem::Short(self.code))
    }

    fn variable(&mut self) -> Result<u64, Problem> {
        Ok(u64::try_from(self.group()?.value).unwrap_or(u64::MAX))
    }

    fn count(&mut self) -> Result<u64, Problem> {
        below(1 << COUNT_BITS, "I-CNT", self.first())
    }

    /// A code of four bits, of which the standard has only some.
    fn reason(&mut self, name: &'static str, known: &[u64]) -> Result<u8, Problem> {
        match self.fixed(REASON_BITS)? {
            value if known.contains(&value) => Ok(value as u8),
            value => Err(Problem::Field { name, value }),
        }
    }

    /// The reason of a synchronisation.
    fn sync(&mut self) -> Result<u8, Problem> {
        match self.fixed(REASON_BITS)? {
            value @ (0..=7 | 9) => Ok(value as u8),
            value if self.encoder.has_sync_code(value as u32) => Ok(value as u8),
            value => Err(Problem::Field { name: "SYNC", value }),
        }
    }

    /// An address that is whole, or what is different in it.
    fn address(&mut self, is_whole: bool) -> Result<u64, Problem> {
        let Group { value, bits } = self.group()?;
        Ok(self.encoder.address(value as u64, bits, is_whole))
    }
}

fn below(end: u64, name: &'static str, value: u64) -> Result<u64, Problem> {
    if value < end { Ok(value) } else { Err(Problem::Field { name, value }) }
}

fn history(value: u64) -> Result<u64, Problem> {
    match value {
        0 => Err(Problem::Field { name: "HIST", value }),
        _ => below(1 << HISTORY_BITS, "HIST", value),
    }
}

fn repeats(name: &'static str, value: u64) -> Result<u64, Problem> {
    below(1 << REPEAT_BITS, name, value)
}

impl Body {
    /// The source, the fields and the time stamp of a message.
    pub(super) fn read(
        groups: &[Group],
        encoder: &Encoder,
    ) -> Result<(u32, Self, Option<u64>), Unreadable> {
        let unreadable = |problem| Unreadable { of: None, problem };
        let Some((first, rest)) = groups.split_first() else {
            return Err(unreadable(Problem::Short(0)));
        };
        let mut fields = Fields { code: 0, fixed: *first, rest: rest.iter(), encoder };
        let code = fields.fixed(CODE_BITS).map_err(unreadable)? as u8;
        fields.code = code;
        let source = fields.fixed(encoder.source_bits).map_err(unreadable)? as u32;
        match Self::with_time(&mut fields, groups.len()) {
            Ok((body, timestamp)) => Ok((source, body, timestamp)),
            Err(problem) => Err(Unreadable { of: Some(source), problem }),
        }
    }

    /// The fields and the time stamp of a message with so many fields of variable length.
    fn with_time(fields: &mut Fields<'_>, found: usize) -> Result<(Self, Option<u64>), Problem> {
        let code = fields.code;
        let body = Self::of_kind(code, fields)?;
        if let Body::PassedOver { .. } = body {
            return Ok((body, None));
        }
        match fields.rest.len() {
            0 => Ok((body, None)),
            1 => Ok((body, Some(fields.variable()?))),
            left => Err(Problem::Fields { code, expected: found - left, found }),
        }
    }

    fn of_kind(code: u8, fields: &mut Fields<'_>) -> Result<Self, Problem> {
        Ok(match code {
            2 if fields.encoder.plain_process == 1 => Body::Ownership { process: fields.first() },
            2 => Body::Ownership { process: process(fields.first())? },
            3 => Body::Direct { sync: None, count: fields.count()? },
            7 => Body::DataAcquisition { tag: fields.first(), data: fields.variable()? },
            8 => {
                let kind = fields.fixed(REASON_BITS)? as u8;
                Body::Error { kind, code: fields.first() }
            }
            9 => {
                let (sync, count) = (fields.sync()?, fields.count()?);
                let address = fields.address(true)?;
                match fields.encoder.sample_codes.contains(&sync.into()) {
                    true => Body::Sample { sync, address },
                    false => Body::Start { sync, count, address },
                }
            }
            11 => {
                let (sync, count) = (fields.sync()?, fields.count()?);
                Body::Direct { sync: Some((sync, fields.address(true)?)), count }
            }
            4 | 12 | 28 | 29 => {
                let has_sync = matches!(code, 12 | 29);
                let sync = if has_sync { Some(fields.sync()?) } else { None };
                let (branch_type, count) = (fields.fixed(2)? as u8, fields.count()?);
                let address = fields.address(has_sync)?;
                let has_history = matches!(code, 28 | 29);
                let outcomes = if has_history { Some(fields.variable()?) } else { None };
                let history = outcomes.map(history).transpose()?;
                Body::Indirect { sync, branch_type, count, address, history }
            }
            23 => Body::AuxAccessWrite { address: fields.first(), data: fields.variable()? },
            27 => Self::resource(fields)?,
            30 => Body::Repeat { count: repeats("B-CNT", fields.first())? },
            33 => {
                let event = fields.reason("EVCODE", &[0, 1, 4, 8])?;
                let (data, count) = (fields.fixed(2)?, fields.count()?);
                let history = match data {
                    0 => None,
                    1 => Some(history(fields.variable()?)?),
                    value => return Err(Problem::Field { name: "CDF", value }),
                };
                Body::Correlation { event, count, history }
            }
            34 | 35 => Self::in_circuit(code == 35, fields)?,
            _ if fields.encoder.passed_over.contains(&code.into()) => Body::PassedOver { code },
            _ => return Err(Problem::Unknown(code)),
        })
    }

    /// Counters of performance have no address, and a call or a return has two.
    fn in_circuit(is_whole: bool, fields: &mut Fields<'_>) -> Result<Self, Problem> {
        const CALL: u8 = 9;
        const COUNTERS: u8 = 12;
        let event = fields.reason("CKSRC", &[0, 8, 9, 12, 14, 15])?;
        let more = fields.fixed(2)?;
        let (first, bits) = (fields.first(), fields.fixed.bits);
        let mut data = Vec::new();
        let address = match event {
            COUNTERS => {
                data.push(first);
                None
            }
            _ => Some(fields.encoder.address(first, bits, is_whole)),
        };
        let has_target = event == CALL && more > 0;
        let target = if has_target { Some(fields.address(false)?) } else { None };
        for _ in u64::from(has_target)..more {
            data.push(fields.variable()?);
        }
        Ok(Body::InCircuit { is_whole, event, address, target, data })
    }

    fn resource(fields: &mut Fields<'_>) -> Result<Self, Problem> {
        let code = fields.fixed(REASON_BITS)?;
        let data = fields.first();
        Ok(match code {
            0 => Body::CountFull { count: below(1 << RESOURCE_BITS, "RDATA", data)? },
            1 => Body::HistoryFull { history: history(data)?, repeats: None },
            2 => {
                let times = repeats("HREPEAT", fields.variable()?)?;
                Body::HistoryFull { history: history(data)?, repeats: Some(times) }
            }
            8 | 9 => {
                let count = below(1 << RESOURCE_BITS, "RDATA", data)?;
                Body::BranchesFull { taken: code == 9, count }
            }
            value => return Err(Problem::Field { name: "RCODE", value }),
        })
    }
}

/// PROCESS, whose format has three values, and which has no privilege level 2 and no virtual machine level.
fn process(value: u64) -> Result<u64, Problem> {
    let (format, level, is_virtual) = (value & 3, value >> 2 & 3, value >> 4 & 1);
    if format == 1 {
        return Err(Problem::Field { name: "FORMAT", value: format });
    }
    if level == 2 || level == 3 && is_virtual == 1 {
        return Err(Problem::Field { name: "PRV", value: level });
    }
    Ok(value)
}
