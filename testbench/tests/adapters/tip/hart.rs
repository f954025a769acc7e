//! The hart: blocks that end in anything that `itype` has, exceptions of no instructions, and changes of the flow that
//! `itype` does not say.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::config::mask;
use tracewright_sim::scheme::Design;
use tracewright_sim::tip::{Config, Cycle, EXCEPTION, INTERRUPT, Retirement, termination};

use crate::adapters::Show;

/// A hart that executes random instructions.
pub struct Hart {
    random: ChaCha8Rng,
    config: Config,
    /// Instructions of a block, at most.
    most: u64,
    address_mask: u64,
    alignment: u32,
    cause_bits: u32,
    privilege_bits: u32,
    context_bits: u32,
    diversions: u32,
    pc: u64,
    /// The next block says where the flow has gone on.
    target_is_open: bool,
    context: u64,
    privilege: u8,
    cause: u64,
}

impl Hart {
    pub fn new(design: &Design, config: &Config, show: &Show) -> Hart {
        let (processor, protocol) = (design.processor(), design.protocol());
        Hart {
            random: ChaCha8Rng::seed_from_u64(!show.seed),
            config: *config,
            most: match config.retirement {
                Retirement::Single => 1,
                Retirement::Block => mask(processor.retire_count_bits),
            },
            address_mask: mask(processor.address_width),
            alignment: processor.alignment,
            cause_bits: protocol.cause_bits.saturating_sub(1),
            privilege_bits: protocol.privilege_bits,
            context_bits: protocol.context_bits,
            diversions: show.diversions,
            pc: 0x100,
            target_is_open: true,
            context: 0,
            privilege: 0,
            cause: 0,
        }
    }

    /// Begins a cycle, whose blocks share what the port says once.
    pub fn begin_cycle(&mut self) {
        if self.random.random_range(0..50) == 0 {
            self.context = self.random.random::<u64>() & mask(self.context_bits);
            self.privilege = (self.random.random::<u64>() & mask(self.privilege_bits)) as u8;
        }
        self.cause = self.random.random::<u64>() & mask(self.cause_bits);
    }

    /// What a cycle says of all its blocks.
    pub fn shared(&self) -> Cycle {
        Cycle {
            cause: self.cause,
            privilege: self.privilege,
            context: self.context,
            ..Cycle::default()
        }
    }

    /// What a lane without a block may look like.
    pub fn silence(&mut self) -> Cycle {
        let itypes: &[u8] =
            if self.config.itype_bits == 3 { &[0, 3, 5, 7] } else { &[0, 6, 13, 15] };
        Cycle {
            itype: itypes[self.random.random_range(0..4)],
            address: self.random.random::<u64>() & self.address_mask,
            last_size: self.random.random_range(0..2),
            ..Cycle::default()
        }
    }

    fn elsewhere(&mut self) -> u64 {
        let unit = 1 << self.alignment.max(1);
        let random = &mut self.random;
        let address = match random.random_range(0..4) {
            0 => self.pc.wrapping_add(unit),
            1 => random.random_range(0..64) * unit,
            _ => random.random(),
        };
        address & self.address_mask & !(unit - 1)
    }

    fn itype(&mut self) -> u8 {
        if self.random.random_range(0..1000) < self.diversions {
            return if self.random.random() { EXCEPTION } else { INTERRUPT };
        }
        if self.random.random() {
            return 0;
        }
        let last = if self.config.itype_bits == 3 { 8 } else { 16 };
        // Codes 7 and, of 4 bits, 6 are reserved.
        self.random.random_range(3..last)
    }

    /// What the hart says of its next block.
    pub fn cycle(&mut self) -> Cycle {
        let itype = self.itype();
        let traps = matches!(itype, EXCEPTION | INTERRUPT);
        let mut cycle = Cycle {
            itype,
            address: self.pc,
            last_size: self.random.random_range(0..2),
            ..self.shared()
        };
        if !traps || self.random.random() {
            self.retire(&mut cycle);
        } else if itype == INTERRUPT && !self.target_is_open {
            cycle.address = self.random.random::<u64>() & self.address_mask;
        }
        if self.random.random_range(0..8) == 0 {
            // A hart may say any address of code that it cannot fetch.
            cycle.address |= self.random.random::<u64>() & mask(self.alignment);
        }
        let end = termination(itype, self.config.itype_bits);
        // A custom instruction, or what an `itype` of 3 bits does not say.
        let unexplained = self.random.random_range(0..1000) < self.diversions;
        if end.taken || unexplained {
            self.pc = self.elsewhere();
        }
        self.target_is_open = end.taken;
        cycle
    }

    /// Makes the block of a cycle, and goes on after it.
    fn retire(&mut self, cycle: &mut Cycle) {
        let instructions = self.random.random_range(1..=self.most);
        let all_long = self.alignment == 2;
        cycle.last_size = if all_long { 1 } else { cycle.last_size };
        let short = if all_long { 0 } else { self.random.random_range(0..instructions) };
        let half_words = 2 * (instructions - 1) - short + (1 << cycle.last_size);
        self.pc = self.pc.wrapping_add(2 * half_words) & self.address_mask;
        cycle.retired = match self.config.retirement {
            Retirement::Single => 1,
            Retirement::Block => half_words,
        };
        if self.config.retirement == Retirement::Block && !all_long {
            cycle.instructions = instructions;
        }
    }
}
