//! Executions that are made up, of code that exists.

use tracewright_sim::code::{Branch, Code};
use tracewright_sim::event::{Event, Kind};

/// Random numbers of no particular quality, the same every time.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % limit
    }
}

/// The event with which a thread begins.
pub fn reset(thread: u8, target: u64) -> Event {
    Event { kind: Kind::Exception, taken: true, target, thread, ..jump(0, 0, 0) }
}

/// A jump.
pub fn jump(instructions: u64, program_counter: u64, target: u64) -> Event {
    Event {
        instructions,
        program_counter,
        target,
        kind: Kind::DirectJump,
        call: false,
        is_return: false,
        taken: true,
        length: 0,
        thread: 0,
    }
}

/// Walks through code as a processor could: conditions and indirect targets are drawn, exceptions come in between.
///
/// Returns the events and the address of every instruction.
pub fn walk(
    code: &dyn Code,
    starts: &[u64],
    events: usize,
    random: &mut Random,
) -> (Vec<Event>, Vec<u64>) {
    let somewhere = |random: &mut Random| starts[random.below(starts.len() as u64) as usize];
    let mut at = somewhere(random);
    let (mut made, mut walked) = (vec![reset(0, at)], Vec::new());
    let (mut instructions, mut last) = (0, 0);
    while made.len() < events {
        let instruction = code.instruction(at).filter(|_| random.below(50) > 0);
        let Some(instruction) = instruction else {
            let target = somewhere(random);
            let event = reset(0, target);
            made.push(Event { instructions, program_counter: last, ..event });
            (at, instructions) = (target, 0);
            continue;
        };
        walked.push(at);
        (last, instructions) = (at, instructions + 1);
        let next = at + u64::from(instruction.length);
        let Some(Branch { kind, call, is_return, target }) = instruction.branch else {
            at = next;
            continue;
        };
        let taken = match kind {
            Kind::DirectConditional | Kind::IndirectConditional => random.below(2) == 1,
            Kind::Exception => random.below(4) == 0,
            _ => true,
        };
        let direct = matches!(kind, Kind::DirectJump | Kind::DirectConditional);
        let target = match (taken, direct) {
            (false, _) => 0,
            (true, true) => target,
            (true, false) => somewhere(random),
        };
        made.push(Event {
            instructions,
            program_counter: at,
            target,
            kind,
            call,
            is_return,
            taken,
            length: if call { instruction.length } else { 0 },
            thread: 0,
        });
        at = if taken { target } else { next };
        instructions = 0;
    }
    // What comes after the last event no trace tells.
    walked.truncate(walked.len() - instructions as usize);
    (made, walked)
}
