//! The core: random instructions, with diversions after any of them, and a port that says anything of them.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::config::{Processor, mask};
use tracewright_sim::event::Kind;
use tracewright_sim::rvfi::offset::offset;
use tracewright_sim::rvfi::{Compressed, Config, Retirement, classify};

/// A core that executes random instructions.
pub struct Core {
    random: ChaCha8Rng,
    config: Config,
    mask: u64,
    /// Bytes that instructions begin at multiples of.
    unit: u64,
    pc: u64,
    intr: bool,
    diversions: u32,
    /// Sequential instructions to come.
    run: u32,
    /// Where instructions since the last one that retired have trapped to.
    traps: Vec<u64>,
}

impl Core {
    /// A core of `processor`, which is diverted so many times in a thousand instructions.
    pub fn new(processor: &Processor, config: Config, seed: u64, diversions: u32) -> Core {
        Core {
            random: ChaCha8Rng::seed_from_u64(seed),
            config,
            mask: mask(processor.address_width),
            unit: 1 << processor.alignment,
            pc: if seed.is_multiple_of(2) { 0 } else { 0x100 },
            intr: false,
            diversions,
            run: 0,
            traps: Vec::new(),
        }
    }

    /// A word: any, or one of those that matter, with registers and distances that matter.
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
        let register = |random: &mut ChaCha8Rng| [0, 1, 5, 6, 17, 31][random.random_range(0..6)];
        let (one, other) = (register(random), register(random));
        let any: u32 = random.random();
        // Some cores show what they have fetched after it, too.
        let after = if random.random() { random.random::<u32>() << 16 } else { 0 };
        let compressed = |word: u32| word & 0xffff | after;
        // Jumps and branches to themselves and to the instructions after them, and near ones.
        let near = match random.random_range(0..8) {
            0 => 0,
            1 => 2 << 7,
            2 => 4 << 7,
            _ => any & 0xf80,
        };
        // Returns from traps are where traps are.
        let word = match random.random_range(0..13) {
            4 if self.diversions == 0 => 0x13,
            0 => any & !0xfff | one << 7 | 0x6f,
            12 => any & 0x803f_f000 | ((any >> 31) * 0x7fc0_0000) | one << 7 | 0x6f,
            1 => any & !0x7f | 0x63,
            2 => any & 0x01ff_f000 | near | 0x63,
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
        if self.unit == 4 || self.config.compressed == Compressed::Expanded {
            word | 3
        } else {
            word
        }
    }

    /// What it retires next, which changes the flow only if it may.
    pub fn retire(&mut self, may_branch: bool) -> Retirement {
        let instruction = self.word(may_branch);
        let class = classify(instruction, self.config.xlen, self.config.extensions);
        let is_short = self.unit < 4 && self.random.random();
        let length = match self.config.compressed {
            Compressed::Raw => class.length.into(),
            _ if is_short => 2,
            _ => 4,
        };
        let behind = self.pc.wrapping_add(length) & self.mask;
        let target =
            self.pc.wrapping_add_signed(offset(instruction)) & self.mask & !(self.unit - 1);
        let elsewhere = match self.random.random_range(0..4) {
            0 => self.pc,
            1 => behind.wrapping_add(self.unit) & self.mask,
            2 => self.random.random_range(0..64) * self.unit,
            _ => self.anywhere(),
        };
        let next = match class.kind {
            None => behind,
            Some(Kind::DirectConditional) if self.random.random() => behind,
            Some(Kind::DirectConditional | Kind::DirectJump) => target,
            Some(_) => elsewhere,
        };
        let trap = self.config.pins.trap && self.random.random_range(0..1000) < self.diversions;
        let pc = self.pc;
        let interrupt = std::mem::take(&mut self.intr);
        self.pc = next;
        if trap || self.random.random_range(0..1000) < self.diversions {
            // A handler, which may be where the program would have gone on, and which a core that
            // knows no `rvfi_intr` does not tell.
            self.intr = self.random.random();
            if self.random.random_range(0..4) != 0 {
                self.pc = self.anywhere();
            }
        }
        let mut said = self.said(next, target, behind);
        match trap {
            false => self.traps.clear(),
            // Where it goes tells one trap from another right after it.
            true => {
                self.traps.push(pc);
                while self.traps.contains(&self.pc) || self.traps.contains(&said) {
                    self.pc = self.anywhere();
                    said = self.anywhere();
                }
                self.traps.extend([self.pc, said]);
            }
        }
        // A core may say any address of code that it cannot fetch.
        let odd = if self.random.random_range(0..8) == 0 { self.random.random() } else { 0 };
        let odd = odd & (self.unit - 1);
        Retirement {
            instruction,
            program_counter: pc | odd,
            next_program_counter: said | odd,
            trap,
            interrupt,
            compressed: length == 2,
        }
    }

    /// What the port says of the next address: where the instruction led, where the core goes on, what a predictor did not
    /// expect, or anything.
    fn said(&mut self, next: u64, target: u64, behind: u64) -> u64 {
        match self.random.random_range(0..8) {
            _ if self.diversions == 0 => next,
            0..4 => next,
            4 | 5 => self.pc,
            6 if self.random.random() => target,
            6 => behind,
            _ => self.anywhere(),
        }
    }

    /// The address of the next instruction.
    pub fn goes_on(&self) -> u64 {
        self.pc
    }

    fn anywhere(&mut self) -> u64 {
        self.random.random::<u64>() & self.mask & !(self.unit - 1)
    }
}
