//! What a core that executes a trace retires, instruction by instruction.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::iter::Peekable;
use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::code::{Branch, Instruction};
use tracewright_sim::event::{Event, Item, Kind};
use tracewright_sim::program::{Place, Program};
use tracewright_sim::rvfi::offset::offset;
use tracewright_sim::rvfi::{Extensions, Retirement, Xlen, classify};

use super::words::{self, Jump};
use crate::error::{Error, Result};
use crate::stimulus::Addresses;

/// Which instructions that trapped a port shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Traps {
    /// None.
    Never,
    /// Some.
    Sometimes,
    /// Some, and those that a changed flow led to, as the port does not say otherwise where it did.
    AfterBranches,
    /// All, as a flow that changes otherwise is a jump to the port.
    Always,
}

/// What is known of the core.
#[derive(Clone, Copy, Debug)]
pub(super) struct Core {
    pub(super) xlen: Xlen,
    /// Ones in the bits of an address.
    pub(super) address_mask: u64,
    /// Every instruction has four bytes.
    pub(super) is_aligned: bool,
    /// A short instruction has a word of four bytes that does the same.
    pub(super) has_long_words: bool,
    /// Which instructions that trapped it shows.
    pub(super) traps: Traps,
    /// A direct jump to the next instruction is nothing to the port.
    pub(super) tells_no_jumps: bool,
}

/// What is known of a program beside its trace.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The program, with the address of each instruction.
    pub program: Option<Arc<Program>>,
    /// The targets of the direct branches that the trace takes.
    pub targets: HashMap<u64, u64>,
}

impl Known {
    /// Takes the target of an event.
    pub fn event(&mut self, event: &Event) {
        let is_direct = matches!(event.kind, Kind::DirectJump | Kind::DirectConditional);
        if event.taken && is_direct {
            self.targets.insert(event.program_counter, event.target);
        }
    }
}

/// The straight run of an event.
#[derive(Clone, Copy, Debug)]
struct Run {
    event: Event,
    /// Instructions that are left.
    left: u64,
    address: u64,
}

/// Turns the events of a trace into instructions.
///
/// A trace has the addresses of control-flow instructions only. Those between, and words, are of the program if it is
/// given, and otherwise made up, so that they lead where the trace goes. What no word does is a diversion, as an interrupt is.
pub(super) struct Execution<I: Iterator> {
    core: Core,
    items: Peekable<I>,
    program: Option<Arc<Program>>,
    addresses: Option<Addresses>,
    random: ChaCha8Rng,
    run: Option<Run>,
    /// Where the execution goes on.
    next: Option<u64>,
    /// The next instruction is the first of a handler, and the port says so.
    is_handler: bool,
    targets: HashMap<u64, u64>,
    waiting: VecDeque<Retirement>,
    /// The instructions that were shown; `None` once one address had two.
    pub(super) code: Option<BTreeMap<u64, Instruction>>,
    /// Events that were read.
    pub(super) events: u64,
    /// Instructions that have retired.
    pub(super) instructions: u64,
}

impl<I: Iterator<Item = Result<Item>>> Execution<I> {
    pub(super) fn new(core: Core, items: I, known: Known, seed: u64) -> Self {
        Execution {
            core,
            items: items.peekable(),
            addresses: known.program.clone().map(Addresses::new),
            program: known.program,
            random: ChaCha8Rng::seed_from_u64(seed),
            run: None,
            next: None,
            is_handler: false,
            targets: known.targets,
            waiting: VecDeque::new(),
            code: Some(BTreeMap::new()),
            events: 0,
            instructions: 0,
        }
    }

    /// Ones in the bits of an address.
    pub(super) fn address_mask(&self) -> u64 {
        self.core.address_mask
    }

    /// What retires next, or traps; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Retirement>> {
        loop {
            if let Some(retired) = self.waiting.pop_front() {
                return Ok(Some(retired));
            }
            match self.run.take() {
                Some(run) if run.left > 0 => return self.step(run).map(Some),
                Some(run) => self.end(&run.event),
                None => match self.next_event()? {
                    Some(event) => self.begin(event),
                    None => return Ok(None),
                },
            }
        }
    }

    fn next_event(&mut self) -> Result<Option<Event>> {
        for item in self.items.by_ref() {
            let Item::Event(event) = item? else { continue };
            if (event.program_counter | event.target) & !self.core.address_mask != 0 {
                let reason = format!("an address is beyond {:#x}", self.core.address_mask);
                return Err(Error::Unpresentable { index: self.events, reason });
            }
            self.events += 1;
            return Ok(Some(event));
        }
        Ok(None)
    }

    /// The event after this one, if it is the next item but states.
    fn following(&mut self) -> Option<Event> {
        while self
            .items
            .next_if(|item| matches!(item, Ok(Item::State(_) | Item::Access(_) | Item::Cycles(_))))
            .is_some()
        {}
        match self.items.peek() {
            Some(Ok(Item::Event(event))) => Some(*event),
            _ => None,
        }
    }

    /// Bytes that so many instructions can have.
    fn bytes(&self, instructions: u64) -> std::ops::RangeInclusive<u64> {
        let least = if self.core.is_aligned { 4 } else { 2 };
        least * instructions..=4 * instructions
    }

    /// True if a run from an address can end in the event.
    fn leads(&self, from: u64, event: &Event) -> bool {
        let distance = event.program_counter.wrapping_sub(from) & self.core.address_mask;
        event.instructions == 0 || self.bytes(event.instructions - 1).contains(&distance)
    }

    fn begin(&mut self, event: Event) {
        if let Some(addresses) = &mut self.addresses {
            addresses.load(&event);
        }
        let from = self.next.filter(|from| self.leads(*from, &event));
        // Elsewhere, as after the reset, the run begins where the program says, or as near as it can.
        let known = event.instructions.checked_sub(1).and_then(|behind| self.before_end(behind));
        let from = from.or_else(|| known.filter(|from| self.leads(*from, &event)));
        let near = self.bytes(event.instructions.saturating_sub(1)).start().to_owned();
        let address = match from {
            Some(from) => from,
            None => event.program_counter.wrapping_sub(near) & self.core.address_mask,
        };
        if let Some(next) = self.next.filter(|next| *next != address && event.instructions > 0) {
            self.divert(next, address);
        }
        self.run = Some(Run { event, left: event.instructions, address });
    }

    /// The flow goes from one address to another, which no word says.
    fn divert(&mut self, from: u64, to: u64) {
        if self.core.traps == Traps::Always {
            self.trap(from, to);
        }
    }

    /// The bytes of an instruction before the last one of a run.
    fn length_within(&self, run: &Run) -> u64 {
        let distance = run.event.program_counter.wrapping_sub(run.address) & self.core.address_mask;
        let fits = |length: &u64| {
            distance
                .checked_sub(*length)
                .is_some_and(|rest| self.bytes(run.left - 2).contains(&rest))
        };
        let next = match run.left {
            2 => Some(run.event.program_counter),
            left => self.before_end(left - 2),
        };
        let told = next.map(|next| next.wrapping_sub(run.address) & self.core.address_mask);
        let told = told.filter(|length| matches!(length, 2 | 4)).or(self.known_length(run.address));
        told.into_iter().chain([4, 2]).find(fits).unwrap_or(4)
    }

    /// The address of the instruction so many before the last one of the run at hand, if the program has it.
    fn before_end(&self, behind: u64) -> Option<u64> {
        self.addresses.as_ref()?.before_end(behind).map(|(at, _)| at)
    }

    /// The bytes from an instruction to the one after it, if the program has one there.
    fn length_to_next(&self, address: u64) -> Option<u64> {
        let program = self.program.as_ref()?;
        let block = program.block_at(Place::After(address))?;
        let next = program.point(block, 1)?;
        let length = next.wrapping_sub(address) & self.core.address_mask;
        matches!(length, 2 | 4).then_some(length)
    }

    fn known_length(&self, address: u64) -> Option<u64> {
        if let Some(known) = self.code.as_ref().and_then(|code| code.get(&address)) {
            return Some(known.length.into());
        }
        let program = self.program.as_ref().filter(|program| program.is_code())?;
        program.instruction_length(address).map(u64::from)
    }

    /// The bytes of the last instruction of a run.
    fn length_of_last(&mut self, event: &Event) -> u64 {
        let said = Some(u64::from(event.length)).filter(|length| [2, 4].contains(length));
        let following = self.following().filter(|_| !event.taken);
        let address = event.program_counter;
        let fits = |length: &u64| {
            let after = address.wrapping_add(*length) & self.core.address_mask;
            following.is_none_or(|following| self.leads(after, &following))
        };
        let known = self.known_length(address).or_else(|| self.length_to_next(address));
        let all = said.into_iter().chain(known).chain([4, 2]);
        let shortest = if self.core.is_aligned { 4 } else { 2 };
        let may: Vec<u64> = all.filter(|length| *length >= shortest).collect();
        may.iter().copied().find(fits).unwrap_or(may[0])
    }

    /// The next instruction of a run.
    fn step(&mut self, run: Run) -> Result<Retirement> {
        let Run { event, left, address } = run;
        let length = if left > 1 { self.length_within(&run) } else { self.length_of_last(&event) };
        let after = address.wrapping_add(length) & self.core.address_mask;
        self.run = Some(Run { left: left - 1, address: after, ..run });
        self.instructions += 1;
        let is_short = length == 2 && !self.core.has_long_words;
        let jump = if left == 1 { self.jump(&event, after, is_short) } else { None };
        let (instruction, next) = jump.unwrap_or((words::nothing(is_short), after));
        if left == 1 {
            let goes_on = event.taken && event.kind != Kind::Exception;
            self.next = Some(if goes_on { event.target } else { after });
            if goes_on && next == after && event.target != after {
                self.divert(after, event.target);
            }
        }
        self.note(address, length as u8, instruction);
        Ok(Retirement {
            instruction,
            program_counter: address,
            next_program_counter: next,
            trap: false,
            interrupt: std::mem::take(&mut self.is_handler),
            compressed: length == 2,
        })
    }

    /// The word of the instruction that ends an event, and where it leads; `None` if there is no such word.
    fn jump(&mut self, event: &Event, after: u64, is_short: bool) -> Option<(u32, u64)> {
        let address = event.program_counter;
        let target = match event.taken {
            true => event.target,
            false => self.targets.get(&address).copied().unwrap_or(address.wrapping_add(8)),
        };
        let unused = 64 - self.core.address_mask.count_ones();
        let offset = (target.wrapping_sub(address) << unused).cast_signed() >> unused;
        let Event { kind, call, is_return, .. } = *event;
        if self.core.tells_no_jumps && kind == Kind::DirectJump && target == after {
            return None;
        }
        let word = words::word(&Jump { kind, call, is_return, offset }, is_short, self.core.xlen)?;
        Some((word, if event.taken { event.target } else { after }))
    }

    /// Shows an instruction that trapped, and leads to a handler.
    fn trap(&mut self, address: u64, handler: u64) {
        self.waiting.push_back(Retirement {
            instruction: words::nothing(false),
            program_counter: address,
            next_program_counter: handler,
            trap: true,
            interrupt: std::mem::take(&mut self.is_handler),
            compressed: false,
        });
    }

    /// The run of an event is over. After a taken exception comes a handler, at times after an instruction that trapped.
    fn end(&mut self, event: &Event) {
        if event.kind != Kind::Exception || !event.taken {
            return;
        }
        let attempted = self.next.replace(event.target).filter(|address| *address != event.target);
        let is_shown = match self.core.traps {
            Traps::Never => false,
            Traps::Sometimes => self.random.random(),
            Traps::AfterBranches => event.instructions == 0 || self.random.random(),
            Traps::Always => true,
        };
        if let Some(address) = attempted.filter(|_| is_shown) {
            self.trap(address, event.target);
        }
        self.is_handler = self.random.random();
    }

    /// Keeps what an instruction is, for a decoder.
    fn note(&mut self, address: u64, length: u8, word: u32) {
        let class = classify(word, self.core.xlen, Extensions::NONE);
        let target = address.wrapping_add_signed(offset(word)) & self.core.address_mask;
        let branch = class.kind.map(|kind| Branch {
            kind,
            call: class.call,
            is_return: class.is_return,
            target: if kind == Kind::IndirectJump { 0 } else { target },
        });
        let instruction = Instruction { length, branch };
        if let Some(code) = &mut self.code
            && code.insert(address, instruction).is_some_and(|before| before != instruction)
        {
            self.code = None;
        }
    }
}
