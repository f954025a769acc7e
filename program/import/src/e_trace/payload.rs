//! The fields of a payload.

use tracewright_sim::config::mask;

use super::bits::Bits;
use super::encoder::{Encoder, OptionName};
use super::error::Problem;
use super::frames::Frame;

/// Branches in a full map.
pub(super) const FULL_MAP: u32 = 31;

/// How tracing has ended, or that it goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QualStatus {
    /// It goes on as before.
    NoChange,
    /// It has ended, and the address before is that of the last instruction.
    EndedRep,
    /// Payloads were lost.
    TraceLost,
    /// It has ended, and the address before was sent for another reason.
    EndedNtr,
}

impl QualStatus {
    /// The name in the specification.
    pub fn name(self) -> &'static str {
        match self {
            QualStatus::NoChange => "no_change",
            QualStatus::EndedRep => "ended_rep",
            QualStatus::TraceLost => "trace_lost",
            QualStatus::EndedNtr => "ended_ntr",
        }
    }
}

/// In what the instruction at an address is executed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The privilege level.
    pub privilege: u8,
    /// The time; `None` if it is not sent.
    pub time: Option<u64>,
    /// The context, 0 if it is not sent.
    pub context: u64,
}

/// The depth of the stack of return addresses.
pub type Depth = u64;

/// An address that is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    /// The address in bytes, or its difference from the last one.
    pub address: u64,
    /// A trigger has asked for it.
    pub notify: bool,
    /// It is that of the last instruction before a payload of format 3, and the target of a jump.
    pub updiscon: bool,
    /// The depth, if it is reported.
    pub depth: Option<Depth>,
}

/// What a payload says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Payload {
    /// Format 0, subformat 0: branches that were predicted.
    BranchCount {
        /// Predicted branches.
        predicted: u64,
        /// A branch after them was not.
        fails: bool,
        /// The address, if there is one.
        address: Option<Address>,
    },
    /// Format 0, subformat 1: a place of the jump target cache.
    JumpTarget {
        /// The place.
        index: u64,
        /// Branches in the map.
        branches: u32,
        /// Their outcomes, the oldest lowest: 1 if it is not taken.
        map: u32,
        /// The depth, if it is reported.
        depth: Option<Depth>,
    },
    /// Format 1: branches, and perhaps an address.
    Branches {
        /// Branches in the map.
        branches: u32,
        /// Their outcomes, the oldest lowest: 1 if it is not taken.
        map: u32,
        /// The address; `None` after a full map.
        address: Option<Address>,
    },
    /// Format 2: an address.
    Address(Address),
    /// Format 3, subformat 0: an instruction with all that is needed to begin there.
    Start {
        /// The instruction is a branch that is taken.
        taken: bool,
        /// In what it is executed.
        state: State,
        /// Its address in bytes.
        address: u64,
    },
    /// Format 3, subformat 1: an exception or an interrupt.
    Trap {
        /// The instruction at the address is a branch that is taken.
        taken: bool,
        /// In what it is executed.
        state: State,
        /// The cause.
        cause: u64,
        /// It is an interrupt.
        interrupt: bool,
        /// The address is that of the handler, whose first instruction has retired.
        thaddr: bool,
        /// An address in bytes.
        address: u64,
        /// The value that belongs to the cause; `None` for an interrupt.
        tval: Option<u64>,
    },
    /// Format 3, subformat 2: another context.
    Context(State),
    /// Format 3, subformat 3: how the encoder is set, and whether tracing ends.
    Support {
        /// Instructions are traced.
        ienable: bool,
        /// 0 for branch trace.
        encoder_mode: u64,
        /// How tracing has ended.
        qual_status: QualStatus,
        /// The options that are on.
        ioptions: Vec<OptionName>,
    },
}

impl Payload {
    /// Reads the fields of a payload.
    ///
    /// # Errors
    /// A field has a value that it cannot have, or the payload is longer than its fields.
    pub fn read(frame: &Frame, encoder: &Encoder) -> Result<Payload, Problem> {
        let mut bits = Bits::new(&frame.bytes);
        let payload = match bits.take(2) {
            0 => Payload::extension(&mut bits, encoder)?,
            1 => Payload::branches(&mut bits, encoder),
            2 => Payload::Address(address(&mut bits, encoder)),
            _ => Payload::synchronisation(&mut bits, encoder)?,
        };
        let is_support = matches!(payload, Payload::Support { .. });
        let unread = match payload {
            // Where an address may follow, bytes that repeat the last one are of one.
            Payload::Branches { address: None, .. } if encoder.address_in_bytes == 1 => {
                bits.left() as usize / 8
            }
            _ => bits.unread_bytes(),
        };
        match unread {
            // A support payload goes on with the options of data trace.
            0 => Ok(payload),
            _ if is_support => Ok(payload),
            bytes => Err(Problem::Long { name: payload.name(), bytes }),
        }
    }

    /// The kind in a word.
    pub fn name(&self) -> &'static str {
        match self {
            Payload::BranchCount { .. } => "branch count",
            Payload::JumpTarget { .. } => "jump target",
            Payload::Branches { address: Some(_), .. } => "branches, address",
            Payload::Branches { .. } => "branches",
            Payload::Address(_) => "address",
            Payload::Start { .. } => "start",
            Payload::Trap { .. } => "trap",
            Payload::Context(_) => "context",
            Payload::Support { .. } => "support",
        }
    }

    /// The time, if the payload says it.
    pub fn time(&self) -> Option<u64> {
        match self {
            Payload::Start { state, .. }
            | Payload::Trap { state, .. }
            | Payload::Context(state) => state.time,
            _ => None,
        }
    }

    /// The format, and the subformat where there are several.
    pub fn format(&self) -> (u8, Option<u8>) {
        match self {
            Payload::BranchCount { .. } => (0, Some(0)),
            Payload::JumpTarget { .. } => (0, Some(1)),
            Payload::Branches { .. } => (1, None),
            Payload::Address(_) => (2, None),
            Payload::Start { .. } => (3, Some(0)),
            Payload::Trap { .. } => (3, Some(1)),
            Payload::Context(_) => (3, Some(2)),
            Payload::Support { .. } => (3, Some(3)),
        }
    }

    fn extension(bits: &mut Bits<'_>, encoder: &Encoder) -> Result<Payload, Problem> {
        let subformat = match encoder.subformat_bits() {
            0 => u64::from(encoder.cache_size_p > 0 && encoder.bpred_size_p == 0),
            width => bits.take(width),
        };
        // An encoder without a table sends nothing of it.
        match subformat {
            0 if encoder.bpred_size_p > 0 => {
                let predicted = bits.take(32) + u64::from(FULL_MAP);
                let (fails, has_address) = match bits.take(2) {
                    0 => (true, false),
                    2 => (false, true),
                    3 => (true, true),
                    value => return Err(Problem::Field { name: "branch_fmt", value }),
                };
                let address = has_address.then(|| address(bits, encoder));
                Ok(Payload::BranchCount { predicted, fails, address })
            }
            1 if encoder.cache_size_p > 0 => {
                let index = bits.take(encoder.cache_size_p);
                let branches = bits.take(5) as u32;
                let map = bits.take(map_bits(branches)) as u32;
                let depth = depth(bits, encoder);
                Ok(Payload::JumpTarget { index, branches, map, depth })
            }
            value => Err(Problem::Field { name: "subformat of format 0", value }),
        }
    }

    fn branches(bits: &mut Bits<'_>, encoder: &Encoder) -> Payload {
        match bits.take(5) as u32 {
            0 => {
                let map = bits.take(FULL_MAP) as u32;
                Payload::Branches { branches: FULL_MAP, map, address: None }
            }
            branches => {
                let map = bits.take(map_bits(branches)) as u32;
                // A map that is full may say so.
                let is_alone = encoder.address_in_bytes == 1 && bits.left() < 8;
                let address = (!is_alone).then(|| address(bits, encoder));
                Payload::Branches { branches, map, address }
            }
        }
    }

    fn synchronisation(bits: &mut Bits<'_>, encoder: &Encoder) -> Result<Payload, Problem> {
        Ok(match bits.take(2) {
            0 => {
                let taken = !bits.flag();
                let state = State::read(bits, encoder);
                Payload::Start { taken, state, address: whole_address(bits, encoder, 0) }
            }
            1 => {
                let taken = !bits.flag();
                let state = State::read(bits, encoder);
                let cause = bits.take(encoder.ecause_width_p);
                let interrupt = bits.flag();
                let is_first_version = encoder.trap_version == 1;
                let thaddr = is_first_version || bits.flag();
                let address = whole_address(bits, encoder, encoder.iaddress_width_p);
                let has_tval = is_first_version || !interrupt;
                let tval = has_tval.then(|| bits.take(encoder.iaddress_width_p));
                Payload::Trap { taken, state, cause, interrupt, thaddr, address, tval }
            }
            2 => Payload::Context(State::read(bits, encoder)),
            _ => {
                let ienable = bits.flag();
                let encoder_mode = match bits.take(encoder.encoder_mode_n) {
                    0 => 0,
                    value => return Err(Problem::Field { name: "encoder_mode", value }),
                };
                let qual_status = match bits.take(2) {
                    0 => QualStatus::NoChange,
                    1 => QualStatus::EndedRep,
                    2 => QualStatus::TraceLost,
                    _ => QualStatus::EndedNtr,
                };
                let options = encoder.ioptions.iter().filter(|_| bits.flag()).copied().collect();
                Payload::Support { ienable, encoder_mode, qual_status, ioptions: options }
            }
        })
    }
}

impl State {
    fn read(bits: &mut Bits<'_>, encoder: &Encoder) -> State {
        let privilege = match bits.take(encoder.privilege_width_p) as u8 {
            // One bit tells user mode from machine mode.
            1 if encoder.privilege_width_p == 1 => MACHINE_MODE,
            privilege => privilege,
        };
        let time_bits = encoder.time_bits();
        let time = bits.take(time_bits);
        let context = bits.take(encoder.context_bits());
        State { privilege, time: (time_bits > 0).then_some(time), context }
    }
}

/// The privilege level of machine mode.
const MACHINE_MODE: u8 = 3;

/// Bits of the map of so many branches.
fn map_bits(branches: u32) -> u32 {
    match branches {
        0 => 0,
        1 => 1,
        2..=3 => 3,
        4..=7 => 7,
        8..=15 => 15,
        _ => FULL_MAP,
    }
}

/// A whole address, before so many other bits.
fn whole_address(bits: &mut Bits<'_>, encoder: &Encoder, after: u32) -> u64 {
    match encoder.address_in_bytes {
        0 => bits.take(encoder.address_bits()) << encoder.iaddress_lsb_p,
        _ => (in_bytes(bits, after) << encoder.iaddress_lsb_p) & mask(encoder.iaddress_width_p),
    }
}

/// An address of whole bytes and one bit, as many as there are before so many other bits.
fn in_bytes(bits: &mut Bits<'_>, after: u32) -> u64 {
    let room = bits.left().saturating_sub(after);
    match room / 8 {
        0 => 0,
        // The bit above 64 repeats the highest one.
        8.. => {
            let address = bits.take(64);
            bits.take(1);
            address
        }
        bytes => bits.signed(8 * bytes + 1),
    }
}

fn address(bits: &mut Bits<'_>, encoder: &Encoder) -> Address {
    if encoder.address_in_bytes == 1 {
        let address = in_bytes(bits, 3 + encoder.depth_bits()) << encoder.iaddress_lsb_p;
        // The first bit after it is that of the address itself: no trigger asks for it.
        bits.flag();
        let updiscon = bits.differs();
        return Address { address, notify: false, updiscon, depth: depth(bits, encoder) };
    }
    let address = bits.signed(encoder.address_bits()) << encoder.iaddress_lsb_p;
    let (notify, updiscon) = (bits.differs(), bits.differs());
    Address { address, notify, updiscon, depth: depth(bits, encoder) }
}

/// `irreport` and `irdepth`.
fn depth(bits: &mut Bits<'_>, encoder: &Encoder) -> Option<Depth> {
    let is_reported = bits.differs();
    let depth = bits.take(encoder.depth_bits());
    is_reported.then_some(depth)
}
