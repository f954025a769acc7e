//! A recorded execution as GDB debugs it.
//!
//! Each thread of the recording is a thread of GDB's; where a trace says in which context the execution goes on, each
//! context is. The execution is a sequence of instructions in the order in which they retired: whichever thread GDB
//! steps, the others go on as they did.

mod documents;
mod inspect;
mod monitor;
mod prediction;
mod resume;
mod target;

use std::num::NonZeroUsize;

use object::{Object, ObjectSection};
use rustc_hash::FxHashMap;
use tracewright_image::Image;
use tracewright_sim::code::ChangingCode;
use tracewright_sim::event::Isa;
use tracewright_view::OfContext;
use tracewright_working_set::Rerun;

use crate::error::Error;
use crate::memory::Memory;
use crate::recording::{Breakpoints, Player, Recording};
use crate::stack::architecture::Architecture;
use crate::stack::{Known, Rules};

use resume::Action;
pub use resume::Stop;

/// A program of the execution.
#[derive(Debug)]
struct Program {
    of: OfContext,
    rules: Rules,
    memory: Memory,
    /// The highest address of the stacks that are made up.
    stack: u64,
    /// Bytes between the stacks of two threads.
    stack_bytes: u64,
}

/// Waits for a recording.
pub type Awaited<'a> = Box<dyn FnOnce() -> Result<Recording, Error> + 'a>;

/// A recorded execution, and a place in it.
pub struct Debuggee<'a> {
    player: Player,
    programs: Vec<Program>,
    breakpoints: Breakpoints,
    action: Action,
    /// The thread that the last stop was reported of.
    reported: usize,
    /// The breakpoint that was set last, since the execution stopped.
    last_set: Option<u64>,
    /// Where the debugger has set watchpoints, which stop nowhere.
    unheeded: Vec<u64>,
    /// True until the debugger has been told so of all.
    is_untold: bool,
    /// What is known of each thread at hand.
    known: FxHashMap<usize, Known>,
    /// The run of a working set, if the recording is of one.
    rerun: Option<Rerun>,
    /// The whole recording, where there is only its beginning yet.
    awaited: Option<Awaited<'a>>,
    /// The changing code of a thread as it finds it at the number of an event.
    code: Option<(usize, u64, Box<dyn ChangingCode>)>,
}

/// Bytes between the stacks of two threads, of processors with addresses of 32 and of 64 bits.
const STACK_BYTES: [u64; 2] = [1 << 26, 1 << 32];

/// Threads for whose stacks there is room at least.
const LEAST_STACKS: u64 = 16;

impl<'a> Debuggee<'a> {
    /// A debuggee at the beginning of a recording.
    ///
    /// # Errors
    /// When the recording cannot be read.
    pub fn new(recording: Recording) -> Result<Debuggee<'a>, Error> {
        let stacks = (recording.stacks().len() as u64).max(LEAST_STACKS);
        let programs = recording.programs().iter().map(|program| Program::new(program, stacks));
        Ok(Debuggee {
            programs: programs.collect(),
            player: Player::new(recording)?,
            breakpoints: Breakpoints::default(),
            action: Action::Continue,
            reported: 0,
            last_set: None,
            unheeded: Vec::new(),
            is_untold: false,
            known: FxHashMap::default(),
            rerun: None,
            awaited: None,
            code: None,
        })
    }

    /// The same with the registers and the memory of the run of the working set that was recorded.
    pub fn with_rerun(mut self, rerun: Rerun) -> Debuggee<'a> {
        self.rerun = Some(rerun);
        self
    }

    /// The same where the recording is only the beginning of another one, which is waited for when it is needed: GDB waits
    /// for its first answers no longer than some seconds, and then as long as it takes.
    pub fn awaiting(mut self, awaited: Awaited<'a>) -> Debuggee<'a> {
        self.awaited = Some(awaited);
        self
    }

    /// Begins with another debugger, where the last one was.
    pub(crate) fn begin_session(&mut self) {
        self.breakpoints = Breakpoints::default();
        self.last_set = None;
        self.unheeded.clear();
        self.is_untold = false;
        self.reported = self.player.here().number;
    }

    /// True once after a watchpoint has been set where there was none: it stops nowhere.
    pub(crate) fn is_to_be_told_of_watchpoints(&mut self) -> bool {
        std::mem::take(&mut self.is_untold)
    }

    /// Waits for the whole recording.
    fn complete(&mut self) -> Result<(), Error> {
        if let Some(awaited) = self.awaited.take() {
            self.known.clear();
            self.player = Player::new(awaited()?)?;
        }
        Ok(())
    }

    /// The recording and the place in it.
    pub fn player(&self) -> &Player {
        &self.player
    }

    /// The program of a thread.
    fn program_of(&self, number: usize) -> &Program {
        let stack = self.player.recording().stacks().get(number);
        &self.programs[stack.map_or(0, |stack| stack.program)]
    }

    fn go_to(&mut self, position: u64) -> Result<(), Error> {
        self.known.clear();
        self.player.go_to(position)?;
        Ok(())
    }
}

/// GDB's number of a thread.
pub(crate) fn identifier(number: usize) -> NonZeroUsize {
    NonZeroUsize::MIN.saturating_add(number)
}

/// The number of a thread from GDB's.
fn number_of(identifier: NonZeroUsize) -> usize {
    identifier.get() - 1
}

impl Program {
    fn new(of: &OfContext, stacks: u64) -> Program {
        let set = of.image.instruction_set();
        let architecture = Architecture::new(set, float_bits(&of.image));
        let stack_bytes = STACK_BYTES[usize::from(set.address_bits() == 64)];
        Program {
            stack: free_address(&of.image, stacks.saturating_mul(stack_bytes)),
            stack_bytes,
            rules: Rules::new(architecture),
            memory: Memory::of(&of.image),
            of: of.clone(),
        }
    }

    /// An address without a Thumb bit.
    fn byte_address(&self, address: u64) -> u64 {
        self.of.image.instruction_set().byte_address(address)
    }

    /// True for a program of Linux with RISC-V code, whose steps GDB makes by breakpoints of its own.
    fn is_stepped_by_breakpoints(&self) -> bool {
        self.of.image.instruction_set().isa() == Isa::RiscV && self.is_of_linux()
    }

    /// True for a process of Linux, by what its linker has left in the program.
    fn is_of_linux(&self) -> bool {
        self.of.image.files().first().is_some_and(|file| {
            let elf = object::File::parse(&*file.data);
            elf.is_ok_and(|elf| {
                elf.section_by_name(".note.ABI-tag").is_some_and(|note| note.size() > 0)
                    || elf.section_by_name(".interp").is_some()
            })
        })
    }
}

/// Bits of the registers for floating point that the calls of a RISC-V program use, 0 for none.
fn float_bits(image: &Image) -> usize {
    let flags = image.files().first().and_then(|file| {
        let elf = object::File::parse(&*file.data).ok()?;
        match elf.flags() {
            object::FileFlags::Elf { e_flags, .. } => Some(e_flags.0),
            _ => None,
        }
    });
    match flags.unwrap_or(0) & 6 {
        0 => 0,
        2 => 32,
        _ => 64,
    }
}

/// An address below which so many bytes have no code.
fn free_address(image: &Image, size: u64) -> u64 {
    use tracewright_sim::code::Code;
    let candidates: &[u64] = match image.instruction_set().address_bits() {
        32 => &[0xf000_0000, 0xd000_0000, 0x7000_0000, 0x4000_0000],
        _ => &[0x3f_f000_0000, 0x2f_f000_0000, 0x7f_f000_0000],
    };
    let regions = image.regions();
    let is_free = |top: &&u64| {
        let begin = top.saturating_sub(size);
        !regions.iter().any(|region| region.start < **top && begin < region.end)
    };
    *candidates.iter().find(is_free).unwrap_or(&candidates[0])
}
