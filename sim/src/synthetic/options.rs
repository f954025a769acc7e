//! What a synthetic program is like.

use super::dice::Dice;
use crate::event::{Isa, Machine};

/// The stream of random numbers from which a shape is drawn.
const SHAPE_STREAM: u64 = 9;

/// The kind of program and of run to make up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Determines everything that the other options leave open.
    pub seed: u64,
    /// The processor. The alignment is 1 or 2 for ARM and RISC-V, 0 for x86.
    pub machine: Machine,
    /// Events until the trace ends; `u64::MAX` is for ever. Default 100,000.
    pub events: u64,
    /// Functions of the program, the main function included, 1 to 1024.
    pub functions: u32,
    /// System calls, and exceptions at random instructions; without, no event is of
    /// [`Kind::Exception`](crate::event::Kind::Exception). Default true.
    pub exceptions: bool,
    /// Conditional forms of calls, returns and indirect jumps, as ARM has them. Default true for
    /// ARM and for one seed in four of the others.
    pub predicated: bool,
    /// No instruction without an event, so that `instructions` is 1 (0 for an exception). Default
    /// true for one seed in sixteen.
    pub branch_every_instruction: bool,
    /// How regular decisions and indirect targets are, 0 (tossed coins) to 100 (almost none
    /// changes).
    pub predictability: u8,
    /// Calls deep at which recursion stops, 1 to 1000. Default 4 to 60.
    pub recursion_depth: u32,
    /// The lowest code address, a multiple of 2^`alignment`. It is lowered if the code would end
    /// above the address space.
    pub code_base: u64,
    /// Bytes that the functions are spread over, in random order; fewer than the code takes has
    /// no effect. At most 2^`address_bits` less `code_base`.
    pub code_span: u64,
    /// Threads that run the program, taking random turns, 1 to 8. Default 1.
    pub threads: u8,
    /// Threads run at rates of their own, the fastest up to 32 times as fast as the slowest, and in
    /// bursts, as the cores of a processor do. Default false.
    pub uneven: bool,
    /// Instructions of a hundred that access memory, with strides, along pointers, at repeating and at
    /// constant addresses, 0 to 100. Default 0: [`Synthetic::items`](super::Synthetic::items) gives
    /// events only. The events are the same whatever it is.
    pub data_accesses: u8,
    /// Some straight runs have about 1,024, 2,048 or 3,072 instructions, so that counters overflow, and more than once
    /// in a run. Default false.
    pub long_runs: bool,
    /// Threads begin in the middle of the program, in a function that nothing has called, and each return from such a
    /// function leads to another one: returns that no call belongs to. Default false.
    pub begins_inside: bool,
}

/// An option out of its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {option} {constraint}, found {found}")]
pub struct OptionsError {
    option: &'static str,
    constraint: &'static str,
    found: u64,
}

impl Options {
    /// Options that the seed chooses, each within its range.
    pub fn from_seed(seed: u64) -> Options {
        let dice = &mut Dice::new(seed, 1);
        let (isa, alignment) = dice.pick(&[
            (Isa::Arm, 2),
            (Isa::Arm, 2),
            (Isa::RiscV, 1),
            (Isa::RiscV, 1),
            (Isa::X86, 0),
        ]);
        let address_bits = if isa == Isa::Arm || dice.percent(30) { 32 } else { 64 };
        let code_base = if address_bits == 32 {
            dice.pick(&[0, 0x1_0000, 0x0804_8000, 0x4000_0000, 0x7fff_f000, 0xfff0_0000])
        } else {
            dice.pick(&[
                0,
                0x1_0000,
                0x8000_0000,
                0x5555_5555_4000,
                0x7fff_f7fc_0000,
                0xffff_ffff_8000_0000,
            ])
        };
        // From one page to a span that needs more bits than a 20-bit difference has.
        let code_span = 1u64 << dice.pick(&[12, 16, 18, 20, 22, 26, 29]);
        let room = (u64::MAX >> (64 - address_bits)) - code_base;
        Options {
            seed,
            machine: Machine { isa, alignment, address_bits },
            events: 100_000,
            functions: dice.pick(&[1, 2, 4, 8, 16, 32, 64, 128]),
            exceptions: true,
            predicated: isa == Isa::Arm || dice.percent(25),
            branch_every_instruction: dice.below(16) == 0,
            predictability: dice.between(0, 100) as u8,
            recursion_depth: dice.between(4, 60),
            code_base,
            code_span: code_span.min(room),
            threads: 1,
            uneven: false,
            data_accesses: 0,
            long_runs: false,
            begins_inside: false,
        }
    }

    /// The same with a shape that the seed chooses: one program of four has [`long_runs`](Self::long_runs), and one of
    /// four [`begins_inside`](Self::begins_inside).
    #[must_use]
    pub fn shaped(self) -> Options {
        let dice = &mut Dice::new(self.seed, SHAPE_STREAM);
        let long_runs = dice.below(4) == 0;
        Options { long_runs, begins_inside: dice.below(4) == 0, ..self }
    }

    /// Checks every range.
    ///
    /// # Errors
    ///
    /// The first option that is out of its range.
    pub fn validate(&self) -> Result<(), OptionsError> {
        let Machine { isa, alignment, address_bits } = self.machine;
        let (alignments, aligned) = match isa {
            Isa::Arm => ("1 or 2 for ARM", matches!(alignment, 1 | 2)),
            Isa::RiscV => ("1 or 2 for RISC-V", matches!(alignment, 1 | 2)),
            Isa::X86 => ("0 for x86", alignment == 0),
        };
        let check = |holds, option, constraint, found| {
            if holds { Ok(()) } else { Err(OptionsError { option, constraint, found }) }
        };
        check(aligned, "alignment", alignments, u64::from(alignment))?;
        let known_width = matches!(address_bits, 32 | 64);
        check(known_width, "address_bits", "32 or 64", u64::from(address_bits))?;
        let functions = (1..=1024).contains(&self.functions);
        check(functions, "functions", "from 1 to 1024", u64::from(self.functions))?;
        let predictability = u64::from(self.predictability);
        check(predictability <= 100, "predictability", "from 0 to 100", predictability)?;
        let depth = self.recursion_depth;
        check((1..=1000).contains(&depth), "recursion_depth", "from 1 to 1000", u64::from(depth))?;
        let threads = u64::from(self.threads);
        check((1..=8).contains(&threads), "threads", "from 1 to 8", threads)?;
        let accesses = u64::from(self.data_accesses);
        check(accesses <= 100, "data_accesses", "from 0 to 100", accesses)?;
        let top = u64::MAX >> (64 - address_bits);
        let base = self.code_base;
        check(base <= top, "code_base", "within address_bits", base)?;
        let misaligned = (1 << alignment) - 1;
        check(base & misaligned == 0, "code_base", "a multiple of 2^alignment", base)?;
        let span = self.code_span;
        check(span <= top - base, "code_span", "below 2^address_bits less code_base", span)
    }
}
