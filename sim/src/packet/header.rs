//! The header of a packet, stated once.

use super::time::TimeCode;
use crate::config::{Processor, Protocol};
use crate::encode::record::RecordFormat;
use crate::encode::variable_length::Chunks;
use crate::event::ExecutionState;
use crate::program::Place;
use crate::record_word;

/// Fields of a header, and of what surrounds packets.
pub mod fields {
    use crate::field::Field;

    /// The beginning of a packet.
    pub const MARKER: Field =
        Field { name: "marker", doc: "the ones and the zero that begin a packet" };
    /// The zeros that keep data from looking like a marker.
    pub const STUFFING: Field = Field {
        name: "stuffing",
        doc: "a zero after a run of ones that is one shorter than a marker",
    };
    /// The checksum.
    pub const CHECKSUM: Field = Field {
        name: "checksum",
        doc: "check of the packet before, from its kind to its last bit, without stuffed zeros",
    };
    /// The kind.
    pub const KIND: Field = Field {
        name: "kind",
        doc: "0: start after reset; 1: synchronisation; 2: instructions were lost; 3: end",
    };
    /// The number of the packet.
    pub const PACKET_NUMBER: Field = Field {
        name: "packet_number",
        doc: "number of the packet, one more than that of the packet before; 0 after reset, and after what was discarded",
    };
    /// Instructions that were lost.
    pub const LOST_INSTRUCTIONS: Field = Field {
        name: "lost_instructions",
        doc: "instructions that retired and are not in the trace; the largest number means at least so many",
    };
    /// The cause of a loss.
    pub const LOSS_CAUSE: Field = Field {
        name: "loss_cause",
        doc: "0: no room in a buffer; 1: tracing was off; 2: the tables were being cleared, or a packet begun; 3: the trace was \
            discarded; 4: they did not pass the filter",
    };
    /// What the address is.
    pub const IS_AFTER: Field = Field {
        name: "is_after",
        doc: "1: the next instruction is the one after that at the address; 0: it is at the address",
    };
    /// The address.
    pub const ADDRESS: Field = Field {
        name: "address",
        doc: "where the next instruction is, or the one before it; in instruction units",
    };
    /// The time.
    pub const TIME: Field = Field {
        name: "time",
        doc: "when the last instruction before the packet retired; a Gray code if the pin has one",
    };
    /// Whether the tables go on.
    pub const KEEPS_TABLES: Field = Field {
        name: "keeps_tables",
        doc: "1: the tables go on; 0: they are as reset leaves them",
    };
    /// The context.
    pub const CONTEXT: Field =
        Field { name: "context", doc: "process or thread in which the execution goes on" };
    /// The privilege level.
    pub const PRIVILEGE: Field =
        Field { name: "privilege", doc: "privilege level in which the execution goes on" };
    /// Whether a cause follows.
    pub const HAS_CAUSE: Field =
        Field { name: "has_cause", doc: "1: the packet before ends with an exception" };
    /// The cause.
    pub const CAUSE: Field = Field { name: "cause", doc: "why that exception was taken" };
}

/// Bits of the kind.
pub const KIND_BITS: u32 = 2;

/// Bits of the cause of a loss; filters have one of their own, which needs another bit.
pub fn loss_cause_bits(protocol: &Protocol) -> u32 {
    2 + u32::from(protocol.filters())
}

/// How the number of lost instructions is cut.
pub const LOST_INSTRUCTIONS: Chunks =
    Chunks { first: 8, next: 8, width: 16, continuation_bits: 1, end: 0 };

/// The largest number of lost instructions; it means at least so many.
pub const MOST_LOST: u64 = (1 << LOST_INSTRUCTIONS.width) - 1;

/// Where the next instruction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// At this byte address, where a taken branch or an exception led.
    At(u64),
    /// After the instruction at this byte address.
    After(u64),
}

impl Next {
    /// The same as a place in a program.
    pub fn place(self) -> Place {
        match self {
            Next::At(address) => Place::At(address),
            Next::After(address) => Place::After(address),
        }
    }
}

/// Why instructions were lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum LossCause {
    /// A buffer had no room for their records.
    NoRoom = 0,
    /// Tracing was off.
    Off = 1,
    /// The tables were being cleared, or a packet was being begun.
    NotReady = 2,
    /// What was in the module was discarded.
    Discarded = 3,
    /// They did not pass the filter.
    Filtered = 4,
}

impl LossCause {
    /// The cause with this code.
    pub fn from_code(code: u64) -> Option<Self> {
        [Self::NoRoom, Self::Off, Self::NotReady, Self::Discarded, Self::Filtered]
            .into_iter()
            .find(|cause| *cause as u64 == code)
    }
}

/// Instructions that retired and are not in the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loss {
    /// How many; at least [`MOST_LOST`] if so many.
    pub instructions: u64,
    /// Why.
    pub cause: LossCause,
}

/// What a decoder must know where a packet begins, other than at reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beginning {
    /// Where the next instruction is.
    pub next: Next,
    /// When the last instruction before the packet retired; 0 where no time is traced.
    pub time: u64,
    /// The tables go on.
    pub keeps_tables: bool,
    /// In what the execution goes on, and the cause of an exception with which the packet before ends.
    pub state: ExecutionState,
}

/// A header without the checksum of the packet before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Header {
    /// The first packet after reset: the program begins, and every table is as reset leaves it.
    Start,
    /// Nothing was lost before this packet.
    Synchronisation(Beginning),
    /// Instructions were lost before this packet; its tables are as reset leaves them.
    AfterLoss(Loss, Beginning),
    /// The trace, or a part of it, has ended. No payload follows.
    End,
}

impl Header {
    /// The code of its kind.
    pub fn kind(&self) -> u64 {
        match self {
            Header::Start => 0,
            Header::Synchronisation(_) => 1,
            Header::AfterLoss(..) => 2,
            Header::End => 3,
        }
    }

    /// True if the numbers of packets begin anew with a packet of number 0 that has this header.
    pub fn restarts_numbers(&self) -> bool {
        matches!(
            self,
            Header::Start | Header::AfterLoss(Loss { cause: LossCause::Discarded, .. }, _)
        )
    }

    /// What the header says of the place where its packet begins; `None` at reset and at the end.
    pub fn beginning(&self) -> Option<&Beginning> {
        match self {
            Header::Synchronisation(beginning) | Header::AfterLoss(_, beginning) => Some(beginning),
            Header::Start | Header::End => None,
        }
    }
}

record_word! {
    /// A header on its way to the encoder.
    pub struct Word {
        flags {
            /// The trace is filled up after this header.
            is_end,
            /// Checksum and kind are sent, as in every header.
            sends_kind,
            /// Lost instructions and their cause are sent.
            sends_loss,
            /// Address and state are sent.
            sends_address,
            /// The cause of an exception is sent.
            sends_cause,
        }
        values {
            /// The checksum.
            checksum: u64,
            /// The kind.
            kind: u64,
            /// The number of the packet.
            packet_number: u64,
            /// Lost instructions.
            lost_instructions: u64,
            /// Their cause.
            loss_cause: u64,
            /// What the address is.
            is_after: bool,
            /// The address.
            address: u64,
            /// The time.
            time: u64,
            /// The tables go on.
            keeps_tables: bool,
            /// The context.
            context: u64,
            /// The privilege level.
            privilege: u64,
            /// A cause follows.
            has_cause: bool,
            /// The cause.
            cause: u64,
        }
    }
}

/// The headers of a configuration.
pub fn format(protocol: &Protocol, processor: &Processor) -> RecordFormat {
    let has_cause = protocol.cause_bits.min(1);
    let flags = ["is_end", "sends_kind", "sends_loss", "sends_address", "sends_cause"];
    let flags = &flags[..4 + has_cause as usize];
    // The number follows the kind in the word, too, so both are one slot.
    let numbered = match protocol.number_bits() {
        0 => fields::KIND.into(),
        _ => fields::PACKET_NUMBER.after(fields::KIND, KIND_BITS),
    };
    let format = RecordFormat::new(flags)
        .value("checksum", protocol.checksum_bits)
        .value("kind", KIND_BITS)
        .value("packet_number", protocol.number_bits())
        .value("lost_instructions", LOST_INSTRUCTIONS.width)
        .value("loss_cause", loss_cause_bits(protocol))
        .value("is_after", 1)
        .value("address", processor.instruction_address_bits())
        .value("time", protocol.time_bits)
        .value("keeps_tables", protocol.says_if_tables_are_kept().into())
        .value("context", protocol.context_bits)
        .value("privilege", protocol.privilege_bits)
        .value("has_cause", has_cause)
        .value("cause", protocol.cause_bits)
        .plain(fields::CHECKSUM, "sends_kind", "checksum")
        .plain_low(numbered, "sends_kind", "kind", KIND_BITS + protocol.number_bits())
        .chunks(fields::LOST_INSTRUCTIONS, "sends_loss", "lost_instructions", LOST_INSTRUCTIONS)
        .plain(fields::LOSS_CAUSE, "sends_loss", "loss_cause")
        .plain(fields::IS_AFTER, "sends_address", "is_after")
        .plain(fields::ADDRESS, "sends_address", "address")
        .plain(fields::TIME, "sends_address", "time")
        .plain(fields::KEEPS_TABLES, "sends_address", "keeps_tables")
        .plain(fields::CONTEXT, "sends_address", "context")
        .plain(fields::PRIVILEGE, "sends_address", "privilege")
        .plain(fields::HAS_CAUSE, "sends_address", "has_cause");
    match has_cause {
        0 => format,
        _ => format.plain(fields::CAUSE, "sends_cause", "cause"),
    }
}

impl Word {
    /// The record of a header whose addresses are in units of 2^`alignment` bytes, and whose time has this code.
    pub fn new(header: Header, packet_number: u64, alignment: u32, time_code: TimeCode) -> Self {
        let mut word = Word {
            is_end: header == Header::End,
            sends_kind: true,
            kind: header.kind(),
            packet_number,
            ..Word::default()
        };
        if let Header::AfterLoss(loss, _) = header {
            word.sends_loss = true;
            word.lost_instructions = loss.instructions.min(MOST_LOST);
            word.loss_cause = loss.cause as u64;
        }
        if let Some(Beginning { next, time, keeps_tables, state }) = header.beginning() {
            let (Next::At(address) | Next::After(address)) = *next;
            word.sends_address = true;
            word.is_after = matches!(next, Next::After(_));
            word.address = address >> alignment;
            word.time = time_code.encode(*time);
            word.keeps_tables = *keeps_tables;
            word.context = state.context;
            word.privilege = state.privilege.into();
            (word.has_cause, word.sends_cause) = (state.cause.is_some(), state.cause.is_some());
            word.cause = state.cause.unwrap_or(0);
        }
        word
    }
}
