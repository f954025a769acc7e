//! Addresses for the instructions of a learned program where its trace has none.

use std::collections::BTreeMap;

use super::learned::Learned;
use super::{Block, Blocks, NONE, Program};

impl Program {
    /// The same with an address for each instruction: where the trace does not tell it, one in equal steps between those that
    /// it tells.
    ///
    /// Such addresses are in the order of the instructions, and no two of a block are alike, so hardware that is shown
    /// them can be decoded, from after any instruction on. They are not those of the code that ran.
    #[must_use]
    pub fn with_all_addresses(mut self) -> Program {
        let machine = self.machine;
        if let Blocks::Learned(learned) = &mut self.blocks {
            learned.fill_addresses(machine.alignment.into());
        }
        self
    }
}

/// Straight runs with the same last instruction are parts of the longest of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Run {
    /// To the instruction at this address, from which the others are counted backwards.
    To(u64),
    /// The block with this number, whose end is not known, from its first instruction on.
    Of(u32),
}

/// Addresses by the number of the instruction in its run: of runs whose end is known 0 for the last one.
type Numbered = BTreeMap<i128, u64>;

impl Learned {
    fn fill_addresses(&mut self, alignment: u32) {
        let mut runs = self.known_addresses();
        for known in runs.values_mut() {
            fill_between(known, alignment);
        }
        let blocks = 0..self.blocks.len() as u32;
        for index in blocks.clone() {
            let (run, base) = self.run(index);
            let Some(known) = runs.get_mut(&run) else { continue };
            // Where nothing is known before it, as of the first block, instructions of the least size lead to the first.
            if let Some((first, address)) = known.first_key_value().map(|(n, at)| (*n, *at)) {
                for (step, number) in (1..).zip((base + 1..first).rev()) {
                    known.insert(number, address.wrapping_sub(step << alignment));
                }
            }
            for (number, address) in known.range(base + 1..) {
                self.points.entry((index, (number - base) as u64)).or_insert(*address);
            }
        }
        self.join_ends();
        for index in blocks {
            self.begin_within(index, &runs);
        }
    }

    /// Gives all blocks with the same last instruction what one of them is known to lead to.
    fn join_ends(&mut self) {
        let mut ends: BTreeMap<u64, (u64, u32, u32)> = BTreeMap::new();
        let known = |one: u32, other: u32| if one == NONE { other } else { one };
        for block in self.blocks.iter().filter(|block| block.is_complete) {
            let end = ends.entry(block.program_counter).or_insert((block.target, NONE, NONE));
            if block.taken != NONE {
                end.0 = block.target;
            }
            (end.1, end.2) = (known(end.1, block.taken), known(end.2, block.fall_through));
        }
        for block in self.blocks.iter_mut().filter(|block| block.is_complete) {
            if let Some(end) = ends.get(&block.program_counter) {
                (block.target, block.taken, block.fall_through) = *end;
            }
        }
    }

    /// The run that a block is of, and the number of the instruction before it.
    fn run(&self, index: u32) -> (Run, i128) {
        let block = self.blocks[index as usize];
        match block.is_complete {
            true => (Run::To(block.program_counter), -i128::from(block.instructions)),
            false => (Run::Of(index), 0),
        }
    }

    /// What the trace tells.
    fn known_addresses(&self) -> BTreeMap<Run, Numbered> {
        let mut runs: BTreeMap<Run, Numbered> = BTreeMap::new();
        let mut add = |index: u32, count: u64, address: u64| {
            let (run, base) = self.run(index);
            runs.entry(run).or_default().entry(base + i128::from(count)).or_insert(address);
        };
        for (index, block) in (0..).zip(&self.blocks).filter(|(_, block)| block.is_complete) {
            add(index, block.instructions, block.program_counter);
            let next = self.after.get(&block.program_counter).filter(|next| **next != NONE);
            if let Some(next) = next.filter(|_| block.last_length > 0) {
                add(*next, 1, block.program_counter.wrapping_add(block.last_length.into()));
            }
        }
        for (address, index) in self.at.iter().filter(|(_, index)| **index != NONE) {
            add(*index, 1, *address);
        }
        for (address, index) in self.after.iter().filter(|(_, index)| **index != NONE) {
            add(*index, 0, *address);
        }
        for ((index, count), address) in self.points.iter().filter(|((_, count), _)| *count > 0) {
            add(*index, *count, *address);
            let is_last = *count >= self.blocks[*index as usize].instructions;
            if let Some(length) = self.point_lengths.get(address).filter(|_| !is_last) {
                add(*index, count + 1, address.wrapping_add((*length).into()));
            }
        }
        runs
    }

    /// Adds a block after each instruction within this one, where a trace may go on after a pause.
    fn begin_within(&mut self, index: u32, runs: &BTreeMap<Run, Numbered>) {
        let (run, base) = self.run(index);
        let block = self.blocks[index as usize];
        let Some(known) = runs.get(&run) else { return };
        for (number, address) in known.range(base + 1..) {
            let count = (number - base) as u64;
            let fresh = self.blocks.len() as u32;
            if count >= block.instructions || fresh == NONE || self.after.contains_key(address) {
                continue;
            }
            self.after.insert(*address, fresh);
            self.parts.insert(fresh, (index, count));
            self.blocks.push(Block { instructions: block.instructions - count, ..block });
        }
    }
}

/// Gives the instructions between those whose addresses are known addresses in equal steps.
fn fill_between(known: &mut Numbered, alignment: u32) {
    let told: Vec<(i128, u64)> =
        known.iter().map(|(number, address)| (*number, *address)).collect();
    for pair in told.windows(2) {
        let [(first, from), (last, to)] = [pair[0], pair[1]];
        let (steps, units) = (last - first, i128::from(to.wrapping_sub(from) >> alignment));
        for step in 1..steps {
            let part = (units * step / steps) as u64;
            known.insert(first + step, from.wrapping_add(part << alignment));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Place, ProgramBuilder};
    use crate::event::{Event, Isa, Kind, Machine};

    fn event(instructions: u64, program_counter: u64, kind: Kind, target: u64) -> Event {
        Event {
            instructions,
            program_counter,
            target,
            kind,
            call: false,
            is_return: false,
            taken: target != 0,
            length: 0,
            thread: 0,
        }
    }

    #[test]
    fn addresses_lie_between_those_that_are_known() {
        let machine = Machine { isa: Isa::RiscV, alignment: 1, address_bits: 32 };
        let mut builder = ProgramBuilder::new(machine);
        let events = [
            event(3, 0x100, Kind::DirectJump, 0x200),
            event(3, 0x20a, Kind::Exception, 0x200),
            event(6, 0x210, Kind::DirectConditional, 0),
            event(2, 0x218, Kind::DirectJump, 0x100),
        ];
        events.iter().for_each(|event| builder.event(event).expect("a program"));
        let program = builder.finish().expect("a program").with_all_addresses();
        let addresses = |place, instructions: u64| -> Vec<u64> {
            let block = program.block_at(place).expect("a block");
            (1..=instructions).map(|count| program.point(block, count).expect("one")).collect()
        };
        assert_eq!(addresses(Place::Start(0), 3), [0xfc, 0xfe, 0x100]);
        assert_eq!(addresses(Place::At(0x200), 6), [0x200, 0x204, 0x20a, 0x20c, 0x20e, 0x210]);
        assert_eq!(addresses(Place::After(0x210), 2), [0x214, 0x218]);
        let block = program.block_at(Place::At(0x200)).expect("a block");
        assert_eq!(program.count_to(block, 1, 0x20c), Some(4));
    }

    /// A run that begins within another one has its addresses, and the execution goes on within a run as from its beginning,
    /// to wherever one of those that end there has led.
    #[test]
    fn runs_that_end_alike_are_parts_of_one() {
        let machine = Machine { isa: Isa::RiscV, alignment: 1, address_bits: 32 };
        let mut builder = ProgramBuilder::new(machine);
        let events = [
            event(1, 0x100, Kind::DirectJump, 0x200),
            event(5, 0x20e, Kind::DirectConditional, 0x206),
            event(3, 0x20e, Kind::DirectConditional, 0),
            event(1, 0x212, Kind::DirectJump, 0x100),
        ];
        events.iter().for_each(|event| builder.event(event).expect("a program"));
        let program = builder.finish().expect("a program").with_all_addresses();
        let addresses = |place, instructions: u64| -> Vec<u64> {
            let block = program.block_at(place).expect("a block");
            (1..=instructions).map(|count| program.point(block, count).expect("one")).collect()
        };
        assert_eq!(addresses(Place::At(0x200), 5), [0x200, 0x202, 0x206, 0x20a, 0x20e]);
        assert_eq!(addresses(Place::At(0x206), 3), [0x206, 0x20a, 0x20e]);
        assert_eq!(addresses(Place::After(0x202), 3), [0x206, 0x20a, 0x20e]);
        for place in [Place::At(0x200), Place::At(0x206), Place::After(0x202), Place::After(0x20a)]
        {
            let block = *program.block(program.block_at(place).expect("a block"));
            let next = [true, false].map(|taken| program.successor(&block, taken).is_some());
            assert_eq!((block.target, next), (0x206, [true, true]), "{place}");
        }
        assert_eq!(
            program.count_to(program.block_at(Place::After(0x202)).expect("one"), 0, 0x20a),
            Some(2)
        );
    }
}
