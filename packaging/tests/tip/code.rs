//! A program of random instructions, and a hart that executes it and says so on its trace ingress port.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::code::{Branch, Code, Instruction};
use tracewright_sim::event::Kind;
use tracewright_sim::tip::{Config, Cycle, EXCEPTION, INTERRUPT, Retirement};

/// Where the program is.
const BASE: u64 = 0x8000;

/// Instructions by their addresses.
#[derive(Debug)]
pub struct RandomCode {
    instructions: BTreeMap<u64, Instruction>,
}

impl Code for RandomCode {
    fn regions(&self) -> Vec<Range<u64>> {
        let (last, end) = self.instructions.last_key_value().expect("instructions");
        let region = BASE..last + u64::from(end.length);
        Vec::from([region])
    }

    fn instruction(&self, address: u64) -> Option<Instruction> {
        self.instructions.get(&address).copied()
    }
}

impl RandomCode {
    /// So many instructions, all of four bytes if they are `aligned`.
    pub fn new(seed: u64, count: usize, aligned: bool) -> RandomCode {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let (mut addresses, mut next) = (Vec::new(), BASE);
        for _ in 0..count {
            let length = if aligned || random.random() { 4 } else { 2 };
            addresses.push((next, length));
            next += u64::from(length);
        }
        let mut instructions = BTreeMap::new();
        for (number, (address, length)) in addresses.iter().enumerate() {
            // Jumps go forwards, so that there is no loop without a branch that is traced.
            let ahead = addresses.get(number + 1 + random.random_range(0..20));
            let anywhere = addresses[random.random_range(0..count)].0;
            let branch =
                |kind, call, is_return, target| Some(Branch { kind, call, is_return, target });
            let (call, is_return) = (random.random(), random.random());
            let branch = match (random.random_range(0..10), ahead) {
                (_, None) => branch(Kind::IndirectJump, false, false, 0),
                (0 | 1, _) => branch(Kind::DirectConditional, false, false, anywhere),
                (2, Some((target, _))) => branch(Kind::DirectJump, call, false, *target),
                (3, _) => branch(Kind::IndirectJump, call, is_return, 0),
                _ => None,
            };
            instructions.insert(*address, Instruction { length: *length, branch });
        }
        RandomCode { instructions }
    }
}

/// A hart at work.
pub struct Hart {
    code: Arc<RandomCode>,
    config: Config,
    aligned: bool,
    random: ChaCha8Rng,
    addresses: Vec<u64>,
    pc: u64,
    /// The last block leads elsewhere than to the next instruction.
    target_is_open: bool,
    privilege: u8,
    context: u64,
    /// The addresses of the instructions that have retired.
    pub retired: Vec<u64>,
}

impl Hart {
    pub fn new(code: &Arc<RandomCode>, config: Config, aligned: bool, seed: u64) -> Hart {
        Hart {
            code: Arc::clone(code),
            config,
            aligned,
            random: ChaCha8Rng::seed_from_u64(seed),
            addresses: code.instructions.keys().copied().collect(),
            pc: BASE,
            target_is_open: true,
            privilege: 3,
            context: 0,
            retired: Vec::new(),
        }
    }

    fn anywhere(&mut self) -> u64 {
        self.addresses[self.random.random_range(0..self.addresses.len())]
    }

    /// What the hart says next.
    pub fn cycle(&mut self) -> Cycle {
        if self.random.random_range(0..100) == 0 {
            self.context = self.random.random_range(0..8);
        }
        let mut cycle = Cycle {
            address: self.pc,
            privilege: self.privilege,
            context: self.context,
            cause: self.random.random_range(0..16),
            ..Cycle::default()
        };
        let trap = self.random.random_range(0..20) == 0;
        let kind = if self.random.random() { EXCEPTION } else { INTERRUPT };
        if trap && self.random.random() {
            if kind == INTERRUPT && !self.target_is_open {
                cycle.address = self.random.random_range(0..BASE);
            }
            self.pc = self.anywhere();
            (self.target_is_open, self.privilege) = (true, 3);
            return Cycle { itype: kind, ..cycle };
        }
        let most = match self.config.retirement {
            Retirement::Single => 1,
            Retirement::Block => self.random.random_range(1..8),
        };
        for _ in 0..most {
            let instruction = self.code.instruction(self.pc).expect("an instruction");
            self.retired.push(self.pc);
            cycle.instructions += 1;
            cycle.retired += u64::from(instruction.length) / 2;
            cycle.last_size = u8::from(instruction.length == 4);
            let fall_through = self.pc + u64::from(instruction.length);
            (cycle.itype, self.pc) = self.branch(instruction.branch, fall_through);
            if instruction.branch.is_some() {
                break;
            }
        }
        let sequential = self.code.instruction(*self.retired.last().expect("one")).expect("one");
        self.target_is_open = !matches!(cycle.itype, 0 | 4);
        if trap && sequential.branch.is_none() {
            self.pc = self.anywhere();
            (cycle.itype, self.target_is_open, self.privilege) = (kind, true, 3);
        } else if self.config.itype_bits == 4
            && !self.target_is_open
            && self.random.random_range(0..200) == 0
        {
            // The debugger, say.
            self.pc = self.anywhere();
        }
        if cycle.itype == 3 {
            self.privilege = self.random.random_range(0..4);
        }
        if self.config.retirement == Retirement::Single {
            cycle.retired = 1;
        }
        if self.config.retirement == Retirement::Single || self.aligned {
            cycle.instructions = 0;
        }
        cycle
    }

    /// How an instruction ends its block, and where the next one is.
    fn branch(&mut self, branch: Option<Branch>, fall_through: u64) -> (u8, u64) {
        let Some(Branch { kind, call, is_return, target }) = branch else {
            return (0, fall_through);
        };
        let other = self.random.random_range(0..3);
        let (is_short, anywhere) = (self.config.itype_bits == 3, self.anywhere());
        match kind {
            Kind::DirectConditional if other == 0 => (4, fall_through),
            Kind::DirectConditional => (5, target),
            Kind::DirectJump if is_short => (0, target),
            Kind::DirectJump if call => (9, target),
            Kind::DirectJump => ([11, 15][other % 2], target),
            _ if is_short => ([3, 6][other % 2], anywhere),
            _ => match (call, is_return) {
                (true, true) => (12, anywhere),
                (true, false) => (8, anywhere),
                (false, true) => (13, anywhere),
                (false, false) => ([3, 10, 14][other], anywhere),
            },
        }
    }
}
