//! Addresses for the instructions of a learned program where its trace has none.

use super::learned::Learned;
use super::{Blocks, NONE, Program};

impl Program {
    /// The same with an address for each instruction: where the trace does not tell it, one in equal steps between those that
    /// it tells.
    ///
    /// Such addresses are in the order of the instructions, and no two of a block are alike, so hardware that is shown
    /// them can be decoded. They are not those of the code that ran.
    #[must_use]
    pub fn with_all_addresses(mut self) -> Program {
        let machine = self.machine;
        if let Blocks::Learned(learned) = &mut self.blocks {
            learned.fill_addresses(machine.alignment.into());
        }
        self
    }
}

/// An instruction whose address is known, by its number in a block, 0 for the one before.
type Known = (u64, u64);

impl Learned {
    fn fill_addresses(&mut self, alignment: u32) {
        let mut known: Vec<Vec<Known>> = vec![Vec::new(); self.blocks.len()];
        for (address, index) in self.at.iter().filter(|(_, index)| **index != NONE) {
            known[*index as usize].push((1, *address));
        }
        for (address, index) in self.after.iter().filter(|(_, index)| **index != NONE) {
            known[*index as usize].push((0, *address));
        }
        for ((index, count), address) in self.points.iter().filter(|((_, count), _)| *count > 0) {
            known[*index as usize].push((*count, *address));
        }
        for (index, mut known) in (0..).zip(known) {
            let block = self.blocks[index as usize];
            if block.is_complete {
                known.push((block.instructions, block.program_counter));
            }
            known.sort_unstable();
            for pair in known.windows(2) {
                self.fill(index, pair[0], pair[1], alignment);
            }
            // Where nothing is known before it, as of the first block, instructions of the least size lead to the first.
            if let Some(first) = known.first() {
                let before = first.1.wrapping_sub(first.0 << alignment);
                self.fill(index, (0, before), *first, alignment);
            }
        }
    }

    /// Gives the instructions after `before`, up to `last`, addresses.
    fn fill(&mut self, index: u32, before: Known, last: Known, alignment: u32) {
        let (steps, units) = (last.0 - before.0, last.1.wrapping_sub(before.1) >> alignment);
        for step in 1..=steps {
            let part = u128::from(units) * u128::from(step) / u128::from(steps);
            let address = before.1.wrapping_add((part as u64) << alignment);
            self.points.entry((index, before.0 + step)).or_insert(address);
        }
        if before.0 > 0 {
            self.points.entry((index, before.0)).or_insert(before.1);
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
}
