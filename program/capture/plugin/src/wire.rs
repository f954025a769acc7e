//! The format in which the plugin in QEMU sends to the capturing process.
//!
//! There are two channels. A socket carries [`Message`]s. A shared file holds, for each virtual
//! processor, the entries that are not sent yet ([`slot`]), so that they are not lost when QEMU is killed.
//! Both ends run on one machine: numbers are in its own byte order.
//!
//! An *entry* says that a translated block began to run, or, with data, that memory was accessed:
//!
//! | capture | entry |
//! |---|---|
//! | control flow | `u32`: the number of a block |
//! | with data | `u64`: the number of a block, or an access as [`Access`] packs it |
//!
//! In a capture of a machine, entries before that of a block say which [registers](Register) have changed.
//!
//! Messages come in the order in which the processors made them, as far as there is one: what a
//! processor sent is in order, and a processor sends often when there are several.

use std::io::{self, Read};

/// The version of this format. It detects a plugin and a command that are not of the same build.
pub const VERSION: u64 = 4;

/// The most bytes before a block in its definition; they decide whether a Thumb instruction is conditional.
pub const BEFORE: usize = 32;

/// Bytes of a message's header.
pub const HEADER_BYTES: usize = 16;

/// The most bytes of a payload; a larger number means a damaged stream.
pub const PAYLOAD_MAX: usize = 1 << 20;

/// The kind of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum Tag {
    /// The first: `value` is [`VERSION`], `processor` the number of a machine's processors or 0 for an emulator of
    /// programs, the payload QEMU's name of the instruction set.
    Hello = 1,
    /// A block: `value` is its address, `processor` is 1 for Thumb code; see [`BlockDefinition`].
    Block = 2,
    /// A file that code runs from: `value` is where it is mapped, less the offset of that place in the file; the
    /// payload is the path. Files are numbered from 0 in the order of their messages.
    Image = 3,
    /// Entries of a processor.
    Entries = 4,
    /// The next block of the processor is a signal handler; `value` is where it was interrupted, the
    /// payload the number of the signal as `u64`.
    Signal = 5,
    /// The processor's thread has ended.
    ThreadEnd = 6,
    /// The processor is about to execute another program.
    Execute = 7,
    /// Everything has been sent; `value` is the number of child processes that the program forked.
    End = 8,
    /// The plugin cannot go on; the payload is a sentence that says why.
    Failure = 9,
}

impl Tag {
    fn from_code(code: u16) -> Option<Tag> {
        use Tag::*;
        [Hello, Block, Image, Entries, Signal, ThreadEnd, Execute, End, Failure]
            .into_iter()
            .find(|tag| *tag as u16 == code)
    }
}

/// A message without its payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// The kind of the message.
    pub tag: Tag,
    /// The virtual processor, for messages of one.
    pub processor: u16,
    /// Number of bytes of the payload.
    pub length: u32,
    /// A value whose meaning depends on the tag.
    pub value: u64,
}

impl Message {
    /// The header's bytes.
    pub fn to_bytes(self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[..2].copy_from_slice(&(self.tag as u16).to_ne_bytes());
        bytes[2..4].copy_from_slice(&self.processor.to_ne_bytes());
        bytes[4..8].copy_from_slice(&self.length.to_ne_bytes());
        bytes[8..].copy_from_slice(&self.value.to_ne_bytes());
        bytes
    }

    /// Reads a header; `None` if it is not valid.
    pub fn from_bytes(bytes: [u8; HEADER_BYTES]) -> Option<Message> {
        let (tag, rest) = bytes.split_first_chunk::<2>()?;
        let (processor, rest) = rest.split_first_chunk::<2>()?;
        let (length, value) = rest.split_first_chunk::<4>()?;
        let message = Message {
            tag: Tag::from_code(u16::from_ne_bytes(*tag))?,
            processor: u16::from_ne_bytes(*processor),
            length: u32::from_ne_bytes(*length),
            value: u64::from_ne_bytes(*value.first_chunk()?),
        };
        (message.length as usize <= PAYLOAD_MAX).then_some(message)
    }

    /// Reads a message, its payload into `payload`; `None` at the end of the stream, even inside a message.
    ///
    /// # Errors
    /// When the stream cannot be read, or has an invalid message.
    pub fn read(from: &mut impl Read, payload: &mut Vec<u8>) -> io::Result<Option<Message>> {
        let mut header = [0; HEADER_BYTES];
        let message = match from.read_exact(&mut header) {
            Ok(()) => Message::from_bytes(header).ok_or_else(|| {
                io::Error::new(io::ErrorKind::InvalidData, "not a message of the capture plugin")
            })?,
            Err(error) => return ended(error),
        };
        payload.resize(message.length as usize, 0);
        match from.read_exact(payload) {
            Ok(()) => Ok(Some(message)),
            Err(error) => ended(error),
        }
    }
}

fn ended(error: io::Error) -> io::Result<Option<Message>> {
    use io::ErrorKind::{ConnectionReset, UnexpectedEof};
    if matches!(error.kind(), UnexpectedEof | ConnectionReset) { Ok(None) } else { Err(error) }
}

/// The number of no file.
pub const NO_IMAGE: u32 = u32::MAX;

/// A translated block, as the payload of [`Tag::Block`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockDefinition {
    /// The number of the block; numbers are given in order, from 0.
    pub number: u32,
    /// The number of the file that is mapped at the block's address, or [`NO_IMAGE`].
    pub image: u32,
    /// The length of each instruction in bytes; 0 for code that QEMU emulates without instructions.
    pub lengths: Vec<u8>,
    /// The bytes directly before the block, as far as its decoding may depend on them.
    pub before: Vec<u8>,
    /// The instructions.
    pub bytes: Vec<u8>,
}

impl BlockDefinition {
    /// The payload.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (lengths, before) = (self.lengths.len() as u32, self.before.len() as u32);
        let counts = [self.number, self.image, lengths, before];
        let mut bytes: Vec<u8> = counts.iter().flat_map(|count| count.to_ne_bytes()).collect();
        bytes.extend_from_slice(&self.lengths);
        bytes.extend_from_slice(&self.before);
        bytes.extend_from_slice(&self.bytes);
        bytes
    }

    /// Reads a block from a payload; `None` if it is not valid.
    pub fn from_bytes(bytes: &[u8]) -> Option<BlockDefinition> {
        let mut rest = bytes;
        let mut count = || {
            let (count, behind) = rest.split_first_chunk()?;
            rest = behind;
            Some(u32::from_ne_bytes(*count))
        };
        let (number, image) = (count()?, count()?);
        let (lengths, before) = (count()? as usize, count()? as usize);
        let (lengths, rest) = rest.split_at_checked(lengths)?;
        let (before, bytes) = rest.split_at_checked(before)?;
        let expected: usize = lengths.iter().map(|&length| usize::from(length)).sum();
        (bytes.len() == expected && !lengths.is_empty()).then(|| BlockDefinition {
            number,
            image,
            lengths: lengths.to_vec(),
            before: before.to_vec(),
            bytes: bytes.to_vec(),
        })
    }
}

/// A memory access, as an entry of a capture with data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// The index, in the processor's last block, of the instruction that makes the access.
    pub instruction: u16,
    /// True for a write.
    pub store: bool,
    /// The address. Bits 53 and up are copies of bit 52.
    pub address: u64,
}

impl Access {
    /// The bit that distinguishes an access from a block.
    const FLAG: u64 = 1 << 63;
    const STORE: u64 = 1 << 62;
    const INSTRUCTION: u32 = 53;
    /// The most instructions that QEMU translates into one block fit.
    const INSTRUCTIONS: u64 = 512;

    /// The bits of the entry that do not depend on the address.
    pub fn tag(instruction: usize) -> u64 {
        Self::FLAG | (instruction as u64 % Self::INSTRUCTIONS) << Self::INSTRUCTION
    }

    /// The entry of an access, from its [`tag`](Access::tag).
    #[inline(always)]
    pub fn entry(tag: u64, store: bool, address: u64) -> u64 {
        let store = if store { Self::STORE } else { 0 };
        tag | store | address & ((1 << Self::INSTRUCTION) - 1)
    }

    /// The access of an entry; `None` for a block.
    #[inline(always)]
    pub fn from_entry(entry: u64) -> Option<Access> {
        let unused = 64 - Self::INSTRUCTION;
        (entry & Self::FLAG != 0).then_some(Access {
            instruction: ((entry >> Self::INSTRUCTION) % Self::INSTRUCTIONS) as u16,
            store: entry & Self::STORE != 0,
            address: ((entry << unused) as i64 >> unused) as u64,
        })
    }
}

/// A register of a processor in a machine, by which traps, privilege levels and address spaces are known.
///
/// A register that has changed since the block before is told by three entries: one that [names](Register::entry) it,
/// the low and the high half of its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Register {
    /// The privilege level: 0 user, 1 supervisor, 3 machine.
    Privilege,
    /// `satp`: the page table.
    AddressSpace,
    /// `stvec`: where traps into the supervisor level lead.
    SupervisorVector,
    /// `sepc`: the instruction that the last one interrupted.
    SupervisorPlace,
    /// `scause`: why.
    SupervisorCause,
    /// `mtvec`: where traps into the machine level lead.
    MachineVector,
    /// `mepc`: the instruction that the last one interrupted.
    MachinePlace,
    /// `mcause`: why.
    MachineCause,
}

impl Register {
    /// All of them, in the order of their numbers.
    pub const ALL: [Register; 8] = [
        Register::Privilege,
        Register::AddressSpace,
        Register::SupervisorVector,
        Register::SupervisorPlace,
        Register::SupervisorCause,
        Register::MachineVector,
        Register::MachinePlace,
        Register::MachineCause,
    ];

    /// The bit that distinguishes a register from a block.
    const FLAG: u32 = 1 << 31;

    /// The entry that names a register by its number.
    pub fn entry(number: usize) -> u32 {
        Self::FLAG | number as u32
    }

    /// The register that an entry names; `None` for a block.
    #[inline(always)]
    pub fn from_entry(entry: u32) -> Option<Register> {
        let number = entry & !Self::FLAG;
        (entry != number).then(|| Self::ALL.get(number as usize).copied()).flatten()
    }
}

/// The entry that says that the last instruction of the processor's block began, if it is asked for.
///
/// With `-icount` QEMU leaves a block after an instruction that accesses a device, and goes on after it. After a block
/// that ends in an indirect branch nothing else distinguishes that from a branch to there.
pub const BLOCK_END: u32 = u32::MAX;

/// The shared file: a slot for each virtual processor, one after the other.
///
/// | bytes of a slot | content |
/// |---|---|
/// | 0 to 7 | `used`: entries in the slot |
/// | 8 to 15 | `limit`: how many there may be before they are sent |
/// | 16 to 23 | `sent`: how often the slot was sent and emptied |
/// | 64 to the end | entries |
pub mod slot {
    /// Virtual processors with a slot.
    pub const COUNT: usize = 256;
    /// Bytes of a slot.
    pub const BYTES: usize = HEADER + (64 << 10);
    /// Bytes before the entries.
    pub const HEADER: usize = 64;
    /// Bytes of the shared file.
    pub const FILE_BYTES: usize = COUNT * BYTES;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_and_blocks_come_back() {
        let block = BlockDefinition {
            number: 7,
            image: 3,
            lengths: vec![2, 4],
            before: vec![9; 3],
            bytes: vec![1, 2, 3, 4, 5, 6],
        };
        let payload = block.to_bytes();
        let length = payload.len() as u32;
        let message = Message { tag: Tag::Block, processor: 1, length, value: 0x1_0000 };
        let mut stream = message.to_bytes().to_vec();
        stream.extend_from_slice(&payload);
        let mut read = Vec::new();
        assert_eq!(Message::read(&mut &stream[..], &mut read).unwrap(), Some(message));
        assert_eq!(BlockDefinition::from_bytes(&read), Some(block));
        assert_eq!(BlockDefinition::from_bytes(&read[..read.len() - 1]), None);
        assert_eq!(Message::read(&mut &stream[..stream.len() - 1], &mut read).unwrap(), None);
        assert!(Message::read(&mut &[0xff; 16][..], &mut read).is_err());
    }

    #[test]
    fn registers_come_back() {
        for (number, register) in Register::ALL.into_iter().enumerate() {
            assert_eq!(register as usize, number);
            assert_eq!(Register::from_entry(Register::entry(number)), Some(register));
        }
        assert_eq!(Register::from_entry(12), None);
        assert_eq!(Register::from_entry(Register::entry(8)), None);
        assert_eq!(Register::from_entry(BLOCK_END), None);
    }

    #[test]
    fn accesses_come_back() {
        for address in [0, 0x7fff_ffff_fff8, 0xffff_ffff_ff60_0000] {
            let access = Access { instruction: 511, store: true, address };
            let entry = Access::entry(Access::tag(511), true, address);
            assert_eq!(Access::from_entry(entry), Some(access));
        }
        assert_eq!(Access::from_entry(12), None);
    }
}
