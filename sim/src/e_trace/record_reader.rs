//! Reading payloads of E-Trace.

use std::io::Read;

use super::config::Config;
use super::extensions::Extensions;
use super::payload::{
    ADDRESS_HEAD, BRANCHES_HEAD, Cut, Depth, Ending, FULL_MAP, PRIVILEGE_BITS, START_HEAD,
    SUPPORT_BYTES, TRAP_HEAD, TrapValue, map_bits,
};
use super::slots::{COUNT_BITS, COUNT_FORMAT_BITS};
use crate::config::mask;
use crate::decode::field_reader::{FieldError, FieldReader};

/// A payload, addresses in instruction units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payload {
    /// The trace begins at an address, or goes on there.
    Start {
        /// Privilege level and context.
        state: u64,
        /// The time, if the trace says it.
        time: Option<u64>,
        /// The branch at the address is taken.
        taken: bool,
        /// The address.
        address: u64,
    },
    /// An exception.
    Trap {
        /// Privilege level and context.
        state: u64,
        /// The time, if the trace says it.
        time: Option<u64>,
        /// The cause, and above it whether it is an interrupt.
        cause: u64,
        /// The branch at the address is taken.
        taken: bool,
        /// An instruction has retired at the address.
        handler: bool,
        /// The address.
        address: u64,
        /// What the exception says beside its cause, if the trace says it.
        trap_value: Option<u64>,
    },
    /// 31 branches, a bit for each: 1 if it is not taken.
    Full(u64),
    /// An address.
    Address {
        /// Branches before it.
        branches: u32,
        /// A bit for each: 1 if it is not taken.
        map: u64,
        /// The difference from the last address.
        difference: u64,
        /// Why it was reported.
        ending: Ending,
        /// Return addresses on the stack there, if that is said.
        depth: Option<u64>,
    },
    /// Predicted branches, less 31, and one that was not predicted.
    Count(u64),
    /// An address after predicted branches.
    Counted {
        /// Branches, less 31.
        count: u64,
        /// The branch at the address was not predicted, and is not one of these.
        fails: bool,
        /// The difference from the last address.
        difference: u64,
        /// Why it was reported.
        ending: Ending,
        /// Return addresses on the stack there, if that is said.
        depth: Option<u64>,
    },
    /// A place of the jump target cache instead of an address.
    Index {
        /// Branches before it.
        branches: u32,
        /// A bit for each: 1 if it is not taken.
        map: u64,
        /// The place.
        index: u64,
    },
    /// The end of the trace.
    Support {
        /// No address is reported with it.
        alone: bool,
    },
    /// Blocks are lost.
    Lost,
}

impl Payload {
    /// The time, if the payload says it.
    pub fn time(&self) -> Option<u64> {
        match self {
            Payload::Start { time, .. } | Payload::Trap { time, .. } => *time,
            _ => None,
        }
    }
}

/// The end of a payload that has an address.
struct Address {
    difference: u64,
    ending: Ending,
    depth: Option<u64>,
}

impl Address {
    /// The payload of it after a map of branches.
    fn after(self, branches: u32, map: u64) -> Payload {
        let Self { difference, ending, depth } = self;
        Payload::Address { branches, map, difference, ending, depth }
    }
}

/// The bits of a payload, its sign above them.
struct Bits {
    low: u128,
    high: i128,
    last: bool,
}

impl Bits {
    /// The bits of some bytes, the first of which is lowest.
    fn of(bytes: &[u8]) -> Self {
        let sign = bytes.last().is_some_and(|byte| byte >> 7 == 1);
        let fill = if sign { 0xff } else { 0 };
        let unit = |from: usize| {
            std::array::from_fn(|place| bytes.get(from + place).copied().unwrap_or(fill))
        };
        let (low, high) = (u128::from_le_bytes(unit(0)), i128::from_le_bytes(unit(16)));
        Bits { low, high, last: false }
    }

    /// The next `count` bits, at most 64.
    fn take(&mut self, count: u32) -> u64 {
        let bits = self.low as u64 & mask(count);
        if count > 0 {
            self.low = self.low >> count | (self.high as u128) << (128 - count);
            self.high >>= count;
        }
        self.last = count > 0 && bits >> (count - 1) & 1 == 1;
        bits
    }

    fn signed(&mut self, count: u32) -> u64 {
        let unused = 64 - count;
        ((self.take(count) << unused) as i64 >> unused) as u64
    }

    /// A bit that is sent as the difference from the one before it.
    fn difference(&mut self) -> bool {
        let last = self.last;
        (self.take(1) == 1) ^ last
    }

    /// Nothing but the sign is left.
    fn is_over(&self) -> bool {
        let sign = if self.last { -1 } else { 0 };
        (self.low as i128, self.high) == (sign, sign)
    }
}

/// How wide the fields are.
#[derive(Clone, Copy, Debug)]
pub struct RecordReader {
    address_bits: u32,
    cause_bits: u32,
    context_bits: u32,
    time_bits: u32,
    trap_value_bits: u32,
    tells_state: bool,
    tells_cause: bool,
    tells_losses: bool,
    depth_bits: u32,
    index_bits: u32,
    predicts_branches: bool,
    most_count: u64,
    options: u64,
    extensions: Extensions,
    source_bits: u32,
    source_id: u32,
}

/// The most bytes of a payload, as its header can say.
const MOST_BYTES: usize = 31;

impl RecordReader {
    /// A reader of the payloads of `config`.
    pub fn new(config: &Config) -> Self {
        Self {
            address_bits: config.address_bits(),
            cause_bits: config.trap_cause_bits,
            context_bits: config.context_bits(),
            time_bits: config.time_bits(),
            trap_value_bits: config.trap_value_bits(),
            tells_state: config.tells_state(),
            tells_cause: config.tells_cause(),
            tells_losses: config.protocol.drops_alone(),
            depth_bits: config.depth_bits(),
            index_bits: config.index_bits(),
            predicts_branches: config.predicts_branches(),
            most_count: config.most_count(),
            options: config.options(),
            extensions: Extensions::new(config),
            source_bits: config.protocol.source_bits,
            source_id: config.protocol.source_id,
        }
    }

    /// Reads a payload, with the number of the idle byte before it, or 0; `None` if it is none that an encoder sends.
    ///
    /// # Errors
    /// When the bits end or cannot be read.
    pub fn payload<R: Read + ?Sized>(
        &self,
        fields: &mut FieldReader<'_, R>,
    ) -> Result<Option<(u64, Payload)>, FieldError> {
        let (mut length, mut flow) = (fields.bits(5)?, fields.bits(3)?);
        let mut idle = 0;
        if length == 0 {
            idle = flow;
            if idle == 0 {
                return Ok(None);
            }
            (length, flow) = (fields.bits(5)?, fields.bits(3)?);
        }
        if flow != 0 || length == 0 || fields.bits(self.source_bits)? != self.source_id.into() {
            return Ok(None);
        }
        let mut bytes = [0; MOST_BYTES];
        let bytes = &mut bytes[..length as usize];
        for byte in bytes.iter_mut() {
            *byte = fields.bits(8)? as u8;
        }
        let payload = self.parse(Bits::of(bytes));
        let payload = payload.filter(|payload| u64::from(self.bytes(payload)) == length);
        Ok(payload.map(|payload| (idle, payload)))
    }

    /// Bytes of a payload.
    fn bytes(&self, payload: &Payload) -> u32 {
        let width = self.address_bits;
        let cut = match *payload {
            Payload::Start { address, .. } => {
                let head = START_HEAD + self.time_bits + self.context_bits;
                Cut::new(head, address, width, Ending::Plain)
            }
            Payload::Trap { address, cause, trap_value, .. } => {
                let is_interrupt = cause >> self.cause_bits != 0;
                let value = trap_value.unwrap_or(0);
                let value = TrapValue::new(value, self.trap_value_bits, is_interrupt);
                let head = TRAP_HEAD + self.cause_bits + self.time_bits + self.context_bits;
                Cut::of_trap(head, address, width, value)
            }
            Payload::Full(map) => Cut::new(BRANCHES_HEAD, map, FULL_MAP, Ending::Plain),
            Payload::Address { branches, map, difference, ending, depth } => {
                let depth = depth.map(|depth| Depth { depth, bits: self.depth_bits });
                match branches {
                    0 => Cut::with_depth(ADDRESS_HEAD, difference, width, ending, depth),
                    _ => Cut::after_map(branches, map, difference, width, ending, depth),
                }
            }
            Payload::Count(count) => self.extensions.cut_count(count),
            Payload::Counted { difference, ending, depth, .. } => {
                let depth = depth.map(|depth| Depth { depth, bits: self.depth_bits });
                self.extensions.cut_counted(difference, width, ending, depth)
            }
            Payload::Index { branches, map, index } => {
                self.extensions.cut_index(index, (branches, map))
            }
            Payload::Support { .. } | Payload::Lost => return SUPPORT_BYTES,
        };
        cut.bytes
    }

    fn parse(&self, mut bits: Bits) -> Option<Payload> {
        let payload = match bits.take(2) {
            0 => self.extension(&mut bits)?,
            1 => self.branches(&mut bits)?,
            2 => self.address(&mut bits)?.after(0, 0),
            3 => match bits.take(2) {
                0 => {
                    let (taken, time, state) = self.synchronisation(&mut bits)?;
                    Payload::Start { state, time, taken, address: bits.take(self.address_bits) }
                }
                1 => {
                    let (taken, time, state) = self.synchronisation(&mut bits)?;
                    let cause = bits.take(self.cause_bits + 1);
                    (cause == 0 || self.tells_cause).then_some(())?;
                    let handler = bits.take(1) == 1;
                    let address = bits.take(self.address_bits);
                    let is_interrupt = cause >> self.cause_bits != 0;
                    let has_value = self.trap_value_bits > 0 && !is_interrupt;
                    let trap_value = has_value.then(|| bits.take(self.trap_value_bits));
                    // Else zeros follow, but for an interrupt.
                    bits.last &= is_interrupt || has_value;
                    Payload::Trap { state, time, cause, taken, handler, address, trap_value }
                }
                3 => match (bits.take(4), bits.take(8) == self.options) {
                    (0b0101, true) => Payload::Support { alone: false },
                    (0b1101, true) => Payload::Support { alone: true },
                    (0b1001, true) if self.tells_losses => Payload::Lost,
                    _ => return None,
                },
                _ => return None,
            },
            _ => return None,
        };
        bits.is_over().then_some(payload)
    }

    /// What a start and a trap have before the address, in common: whether a taken branch is there, the time, and the state.
    fn synchronisation(&self, bits: &mut Bits) -> Option<(bool, Option<u64>, u64)> {
        let taken = bits.take(1) == 0;
        let privilege = bits.take(PRIVILEGE_BITS);
        let time = (self.time_bits > 0).then(|| bits.take(self.time_bits));
        let state = privilege | bits.take(self.context_bits) << PRIVILEGE_BITS;
        (state == 0 || self.tells_state).then_some((taken, time, state))
    }

    fn branches(&self, bits: &mut Bits) -> Option<Payload> {
        let branches = bits.take(5) as u32;
        if branches == 0 {
            return Some(Payload::Full(bits.take(FULL_MAP)));
        }
        let map = map(branches, bits)?;
        Some(self.address(bits)?.after(branches, map))
    }

    /// Format 0, whose subformat is sent if there are two.
    fn extension(&self, bits: &mut Bits) -> Option<Payload> {
        match (self.index_bits > 0, self.predicts_branches) {
            (false, false) => None,
            (true, false) => self.index(bits),
            (false, true) => self.count(bits),
            (true, true) if bits.take(1) == 1 => self.index(bits),
            (true, true) => self.count(bits),
        }
    }

    fn count(&self, bits: &mut Bits) -> Option<Payload> {
        let count = bits.take(COUNT_BITS);
        (count <= self.most_count).then_some(())?;
        let fails = match bits.take(COUNT_FORMAT_BITS) {
            0 => return Some(Payload::Count(count)),
            2 => false,
            3 => true,
            _ => return None,
        };
        let Address { difference, ending, depth } = self.address(bits)?;
        Some(Payload::Counted { count, fails, difference, ending, depth })
    }

    fn index(&self, bits: &mut Bits) -> Option<Payload> {
        let index = bits.take(self.index_bits);
        let branches = bits.take(5) as u32;
        let map = if branches == 0 { 0 } else { map(branches, bits)? };
        Some(Payload::Index { branches, map, index })
    }

    fn address(&self, bits: &mut Bits) -> Option<Address> {
        let difference = bits.signed(self.address_bits);
        let (notify, updiscon) = (bits.difference(), bits.difference());
        let ending = match (notify, updiscon) {
            (false, false) => Ending::Plain,
            (true, false) => Ending::Notified,
            (false, true) => Ending::Unfollowed,
            (true, true) => return None,
        };
        let depth = match bits.difference() {
            false => None,
            true if self.depth_bits == 0 || ending == Ending::Notified => return None,
            true => Some(bits.take(self.depth_bits)),
        };
        Some(Address { difference, ending, depth })
    }
}

/// The map of so many branches; `None` if it has others.
fn map(branches: u32, bits: &mut Bits) -> Option<u64> {
    let map = bits.take(map_bits(branches));
    (map & !mask(branches) == 0).then_some(map)
}
