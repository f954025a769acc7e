//! The interface of a functional emulator, and of the memory that it uses.

use tracewright_sim::event::Kind;

use crate::error::Error;
use crate::trap_unit::Cause;

/// The reason why an instruction could not be executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// An exception for the program.
    Exception {
        /// The kind of exception.
        cause: Cause,
        /// The value of `mtval`: an address, or an instruction.
        value: u64,
    },
    /// An error that ends the run.
    Stop(Box<Error>),
}

impl From<Box<Error>> for Fault {
    fn from(error: Box<Error>) -> Fault {
        Fault::Stop(error)
    }
}

/// Memory as an emulator sees it. Every access goes through here, which is the hook that a capture
/// and a trace of data need.
pub trait Bus {
    /// Reads `bytes` (1, 2, 4 or 8) bytes, the lowest address lowest.
    ///
    /// # Errors
    /// When there is no memory at the address, or its contents are not known.
    fn load(&mut self, address: u64, bytes: usize) -> Result<u64, Fault>;

    /// Writes the lowest `bytes` (1, 2, 4 or 8) bytes of a value.
    ///
    /// # Errors
    /// As those of [`load`](Bus::load).
    fn store(&mut self, address: u64, bytes: usize, value: u64) -> Result<(), Fault>;

    /// Reads two bytes of code. If they are written to later, the memory informs its owner, which then
    /// calls [`Emulator::forget_code`].
    ///
    /// # Errors
    /// As those of [`load`](Bus::load).
    fn fetch(&mut self, address: u64) -> Result<u16, Fault>;
}

/// The control flow of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// The kind of the instruction; `None` if execution continues at the next one.
    pub kind: Option<Kind>,
    /// True if it stores a return address.
    pub call: bool,
    /// True if it goes back to one.
    pub is_return: bool,
    /// Its bytes, 2 or 4.
    pub length: u8,
}

/// What became of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It retired, and the program counter is that of the next one.
    Retired(Flow),
    /// It is one that the emulator leaves to its owner: a SYSTEM instruction, or one that it does not
    /// know. Nothing has changed.
    Left {
        /// The instruction word.
        word: u32,
        /// Its control flow, if it retires.
        flow: Flow,
    },
}

/// A functional emulator of the unprivileged instruction set; privileged instructions, exceptions
/// and interrupts are its owner's.
pub trait Emulator {
    /// Its memory.
    type Bus: Bus;

    /// Bits of a register: 32 or 64.
    const BITS: u8;

    /// An emulator whose registers are 0.
    fn new(bus: Self::Bus) -> Self;

    /// Its memory.
    fn bus(&self) -> &Self::Bus;

    /// Its memory.
    fn bus_mut(&mut self) -> &mut Self::Bus;

    /// Its memory, when it is done.
    fn into_bus(self) -> Self::Bus;

    /// The address of the next instruction.
    fn program_counter(&self) -> u64;

    /// Goes on elsewhere.
    fn set_program_counter(&mut self, address: u64);

    /// An integer register, 0 to 31.
    fn register(&self, index: usize) -> u64;

    /// Changes an integer register; the lowest [`BITS`](Emulator::BITS) count, and register 0 stays 0.
    fn set_register(&mut self, index: usize, value: u64);

    /// The address that the last load-reserved instruction has reserved; the highest one if none is.
    fn reserved(&self) -> u64;

    /// Reserves an address.
    fn reserve(&mut self, address: u64);

    /// Carries out the next instruction.
    ///
    /// # Errors
    /// When the memory refuses an access; registers and program counter have not changed.
    fn step(&mut self) -> Result<Step, Fault>;

    /// Forgets decoded instructions: their memory has been written to.
    fn forget_code(&mut self);
}
