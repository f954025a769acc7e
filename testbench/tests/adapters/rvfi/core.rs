//! The core: random instructions, with diversions after any of them.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::config::{Processor, mask};
use tracewright_sim::event::Kind;
use tracewright_sim::rvfi::{Config, Retirement, classify};

/// A core that executes random instructions.
pub struct Core {
    random: ChaCha8Rng,
    mask: u64,
    /// Bytes that instructions begin at multiples of.
    unit: u64,
    pc: u64,
    intr: bool,
    diversions: u32,
    /// Sequential instructions to come.
    run: u32,
    /// Where the instructions since the last one that retired have said that they trap to.
    traps: Vec<u64>,
}

impl Core {
    /// A core of `processor`, which is diverted so many times in a thousand instructions.
    pub fn new(processor: &Processor, seed: u64, diversions: u32) -> Core {
        Core {
            random: ChaCha8Rng::seed_from_u64(seed),
            mask: mask(processor.address_width),
            unit: 1 << processor.alignment,
            pc: if seed.is_multiple_of(2) { 0 } else { 0x100 },
            intr: false,
            diversions,
            run: 0,
            traps: Vec::new(),
        }
    }

    /// A word: any, or one of those that matter, with registers that matter.
    fn word(&mut self, may_branch: bool) -> u32 {
        let random = &mut self.random;
        if !may_branch {
            return 0x13;
        }
        if self.run > 0 {
            self.run -= 1;
            return 0x13;
        }
        if random.random_range(0..100) == 0 {
            self.run = 40;
        }
        let register = |random: &mut ChaCha8Rng| [0, 1, 5, 6, 31][random.random_range(0..5)];
        let (one, other) = (register(random), register(random));
        let any: u32 = random.random();
        let compressed = |word: u32| word & 0xffff;
        // Returns from traps are where traps are.
        let word = match random.random_range(0..12) {
            4 if self.diversions == 0 => 0x13,
            0 => any & !0xfff | one << 7 | 0x6f,
            1 | 2 => any & !0x7f | 0x63,
            3 => any & 0xfff0_0000 | other << 15 | one << 7 | 0x67,
            4 => [
                0x0020_0073,
                0x1020_0073,
                0x3020_0073,
                0x7020_0073,
                0x7b20_0073,
                0x3020_00f3,
                0x3020_0073 ^ 1 << 28,
                0x3020_0073 ^ 1 << 31,
                // Additions and loads with the other bits of returns from traps.
                0x3020_0013,
                0x1020_0003,
            ][random.random_range(0..10)],
            5 => compressed(any & !3 | 1),
            6 => compressed(4 << 13 | (any & 1) << 12 | one << 7 | 2),
            7 => compressed(any & !3 | 2),
            8 => compressed(any & !3),
            9 => any | 3,
            // cm.popret, cm.jt and their neighbours.
            10 => compressed(any & 0x1ffc | 5 << 13 | 2),
            _ => 0x13,
        };
        if self.unit == 4 { word | 3 } else { word }
    }

    /// What it retires next, which changes the flow only if it may.
    pub fn retire(&mut self, config: &Config, may_branch: bool) -> Retirement {
        let instruction = self.word(may_branch);
        let class = classify(instruction, config.xlen, config.extensions);
        let behind = self.pc.wrapping_add(class.length.into()) & self.mask;
        let elsewhere = match self.random.random_range(0..4) {
            0 => self.pc,
            1 => behind.wrapping_add(self.unit) & self.mask,
            2 => self.random.random_range(0..64) * self.unit,
            _ => self.random.random::<u64>() & self.mask & !(self.unit - 1),
        };
        let next = match class.kind {
            None => behind,
            Some(Kind::DirectConditional) if self.random.random() => behind,
            Some(_) => elsewhere,
        };
        let trap = self.random.random_range(0..1000) < self.diversions;
        // A core may say any address of code that it cannot fetch.
        let odd = if self.random.random_range(0..8) == 0 { self.random.random() } else { 0 };
        let odd = odd & (self.unit - 1);
        let mut retired = Retirement {
            instruction,
            program_counter: self.pc | odd,
            // Some cores say what is after a return from a trap.
            next_program_counter: if class.trap_return && self.random.random() {
                behind
            } else {
                next | odd
            },
            trap,
            interrupt: std::mem::take(&mut self.intr),
        };
        self.pc = next;
        if trap || self.random.random_range(0..1000) < self.diversions {
            // A handler, which may be where the program would have gone on, and which a core that
            // knows no `rvfi_intr` does not tell.
            self.intr = self.random.random();
            if self.random.random_range(0..4) != 0 {
                self.pc = self.random.random::<u64>() & self.mask & !(self.unit - 1);
            }
            // Most cores say where their handler is.
            if trap && self.random.random_range(0..3) != 0 {
                retired.next_program_counter = self.pc | odd;
            }
        }
        // What it says tells one trap from another right after it.
        let said =
            |retired: &Retirement| retired.next_program_counter & self.mask & !(self.unit - 1);
        match trap {
            false => self.traps.clear(),
            true => {
                while self.traps.contains(&said(&retired)) {
                    retired.next_program_counter = self.random.random();
                }
                self.traps.push(said(&retired));
            }
        }
        retired
    }
}
