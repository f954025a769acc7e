//! Retired control flow as events, the common currency of every room.
//!
//! An [`Event`] is one retired control-flow instruction together with the count of instructions
//! retired since the event before it. A sequence of events and the program they come from determine
//! every retired instruction.
//!
//! A trace may tell memory accesses too. An [`Access`] says which retired instruction made it by the
//! same count, so that it takes no part in the counts of the events; an [`Item`] is either of the two.

use std::fmt;

/// What a control-flow instruction does to the program counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Kind {
    /// Always taken, target in the instruction word.
    DirectJump = 0,
    /// Taken or not, target in the instruction word.
    DirectConditional = 1,
    /// Always taken, target in a register or in memory.
    IndirectJump = 2,
    /// Taken or not, target in a register or in memory (a predicated `bxeq lr`).
    IndirectConditional = 3,
    /// An exception, interrupt or signal when taken; a system call that came straight back when not.
    Exception = 4,
}

impl Kind {
    /// Every kind, in the order of its code.
    pub const ALL: [Kind; 5] = [
        Kind::DirectJump,
        Kind::DirectConditional,
        Kind::IndirectJump,
        Kind::IndirectConditional,
        Kind::Exception,
    ];

    /// The kind with this code, 0 to 4.
    #[inline]
    pub fn from_code(code: u8) -> Option<Kind> {
        Kind::ALL.get(usize::from(code)).copied()
    }

    /// The value of the pin `retire_kind`, 1 to 5; 0 is a sequential instruction.
    pub fn pin_code(self) -> u64 {
        1 + self as u64
    }

    /// True where the outcome is decided at run time.
    pub fn is_conditional(self) -> bool {
        matches!(self, Kind::DirectConditional | Kind::IndirectConditional)
    }

    /// True where the target is decided at run time.
    pub fn is_indirect(self) -> bool {
        matches!(self, Kind::IndirectJump | Kind::IndirectConditional)
    }

    /// True for the kinds that the program alone does not determine, exceptions apart.
    ///
    /// These are the ones that `branch_count` (bCnt, paper C section 3) counts.
    pub fn is_counted(self) -> bool {
        matches!(self, Kind::DirectConditional | Kind::IndirectJump | Kind::IndirectConditional)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Kind::DirectJump => "direct-jump",
            Kind::DirectConditional => "direct-conditional",
            Kind::IndirectJump => "indirect-jump",
            Kind::IndirectConditional => "indirect-conditional",
            Kind::Exception => "exception",
        })
    }
}

/// One retired control-flow instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    /// Instructions retired since the previous event of the same thread, this one included.
    ///
    /// At least 1, except for an exception right after an instruction that has an event of its own.
    pub instructions: u64,
    /// Byte address of the instruction; of the last retired one for a taken exception.
    pub program_counter: u64,
    /// Byte address of the next instruction if `taken`, else 0.
    pub target: u64,
    /// What the instruction does to the program counter.
    pub kind: Kind,
    /// True if it leaves a return address.
    pub call: bool,
    /// True if it goes back to one.
    pub is_return: bool,
    /// True if the program counter went to `target`.
    pub taken: bool,
    /// Bytes of the instruction, 0 where the trace does not say.
    pub length: u8,
    /// The thread, 0 to 7; 0 to 3 in traces without the extension *threads*.
    pub thread: u8,
}

impl Event {
    /// A taken exception of thread 0, after so many instructions, the last of which was at `program_counter`.
    pub const fn exception(instructions: u64, program_counter: u64, target: u64) -> Event {
        Event { target, taken: true, ..Event::straight_run(instructions, program_counter) }
    }

    /// So many instructions of thread 0 after which the flow goes straight on, the last of which was at
    /// `program_counter`: an exception that is not taken.
    pub const fn straight_run(instructions: u64, program_counter: u64) -> Event {
        Event {
            instructions,
            program_counter,
            target: 0,
            kind: Kind::Exception,
            call: false,
            is_return: false,
            taken: false,
            length: 0,
            thread: 0,
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} instructions, {} at {:#x}",
            self.instructions, self.kind, self.program_counter
        )?;
        if self.call {
            f.write_str(", call")?;
        }
        if self.is_return {
            f.write_str(", return")?;
        }
        if self.taken {
            write!(f, ", taken to {:#x}", self.target)
        } else {
            f.write_str(", not taken")
        }
    }
}

/// Where in an execution memory is accessed: everything about an access but its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AccessSite {
    /// Instructions retired since the previous event of the same thread, the accessing one included.
    ///
    /// At least 1. The event that ends the run still counts all of them.
    pub instructions: u64,
    /// Byte address of the accessing instruction.
    pub program_counter: u64,
    /// True if it writes.
    pub store: bool,
    /// The thread, as in [`Event::thread`].
    pub thread: u8,
}

/// One memory access of a retired instruction, which may make several.
///
/// It comes before the event of the run that it belongs to, and accesses come in the order of their
/// instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// Which instruction makes it, and how.
    pub site: AccessSite,
    /// The byte address that it reads or writes.
    pub address: u64,
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AccessSite { instructions, program_counter, store, .. } = self.site;
        let (what, preposition) = if store { ("store", "to") } else { ("load", "from") };
        write!(
            f,
            "{instructions} instructions, {what} at {program_counter:#x} {preposition} {:#x}",
            self.address
        )
    }
}

/// What a core knows of the execution besides its instructions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ExecutionState {
    /// The process or thread in which it goes on.
    pub context: u64,
    /// The privilege level in which it goes on.
    pub privilege: u8,
    /// Why the exception before was taken; `None` after anything else.
    pub cause: Option<u64>,
}

impl fmt::Display for ExecutionState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "context {:#x}, privilege {}", self.context, self.privilege)?;
        self.cause.map_or(Ok(()), |cause| write!(f, ", cause {cause:#x}"))
    }
}

/// What a trace consists of; with `A` = [`AccessSite`], an execution whose data addresses are not
/// known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Item<A = Access> {
    /// A control-flow instruction.
    Event(Event),
    /// A memory access.
    Access(A),
    /// In what the execution goes on after the event before.
    State(ExecutionState),
    /// How many cycles after the event before the next event retires.
    Cycles(u64),
}

impl From<Event> for Item {
    fn from(event: Event) -> Item {
        Item::Event(event)
    }
}

impl From<Access> for Item {
    fn from(access: Access) -> Item {
        Item::Access(access)
    }
}

impl From<ExecutionState> for Item {
    fn from(state: ExecutionState) -> Item {
        Item::State(state)
    }
}

impl Item {
    /// The thread; a state and a time are of the only one.
    pub fn thread(&self) -> u8 {
        match self {
            Item::Event(event) => event.thread,
            Item::Access(access) => access.site.thread,
            Item::State(_) | Item::Cycles(_) => 0,
        }
    }

    /// The same without the data address.
    pub fn site(self) -> Item<AccessSite> {
        match self {
            Item::Event(event) => Item::Event(event),
            Item::Access(access) => Item::Access(access.site),
            Item::State(state) => Item::State(state),
            Item::Cycles(cycles) => Item::Cycles(cycles),
        }
    }
}

/// The instruction set a trace was taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Isa {
    /// ARM: A32 and T32, or A64 with addresses of 64 bits.
    Arm = 0,
    /// RISC-V, 32 or 64 bits.
    RiscV = 1,
    /// x86, 32 or 64 bits.
    X86 = 2,
}

impl Isa {
    /// The instruction set with this code, 0 to 2.
    pub fn from_code(code: u8) -> Option<Isa> {
        [Isa::Arm, Isa::RiscV, Isa::X86].get(usize::from(code)).copied()
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Isa::Arm => "arm",
            Isa::RiscV => "riscv",
            Isa::X86 => "x86",
        })
    }
}

/// What a trace says of the processor it was taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Machine {
    /// The instruction set.
    pub isa: Isa,
    /// Instructions begin at multiples of 2^`alignment` bytes: 0 to 2.
    pub alignment: u8,
    /// Bits of an address: 32 or 64.
    pub address_bits: u8,
}
