//! Running a program: one event at a time, decisions by dice.

use super::dice::Dice;
use super::options::Options;
use super::program::{Decision, Destination, Position, Program, Site};
use crate::event::{Event, Kind};

/// Events between two exceptions, at most.
const EXCEPTION_DISTANCE_MAX: u32 = 1500;

/// Handlers that run inside one another, at most.
const NESTED_HANDLERS_MAX: u32 = 2;

/// One thread of the program.
pub(super) struct Execution {
    thread: u8,
    /// Nothing has called the functions that the execution begins with.
    begins_inside: bool,
    position: Position,
    /// Where calls and exceptions go back to.
    stack: Vec<Position>,
    /// For each site.
    memory: Vec<Memory>,
    previous: Option<Event>,
    handlers_running: u32,
    /// Events until the next exception is due; `None` without exceptions.
    exception_due: Option<u32>,
}

/// What a site remembers.
#[derive(Clone, Copy, Default)]
struct Memory {
    /// How far its count or pattern is.
    progress: u32,
    /// The entry its table led to.
    choice: u32,
}

impl Execution {
    pub(super) fn new(
        thread: u8,
        program: &Program,
        options: &Options,
        dice: &mut Dice,
    ) -> Execution {
        let Options { exceptions, begins_inside, .. } = *options;
        let position = if begins_inside { program.inside(dice) } else { program.entry };
        Execution {
            thread,
            begins_inside,
            position,
            stack: Vec::new(),
            memory: vec![Memory::default(); program.sites.len()],
            previous: None,
            handlers_running: 0,
            exception_due: exceptions.then_some(EXCEPTION_DISTANCE_MAX / 8),
        }
    }

    /// The index of the next instruction among all of the program.
    pub(super) fn ordinal(&self) -> u32 {
        self.position.ordinal
    }

    /// Runs up to and including the next control-flow instruction or exception.
    #[inline]
    pub(super) fn step(&mut self, program: &Program, dice: &mut Dice) -> Event {
        if let Some(due) = &mut self.exception_due {
            match due.checked_sub(1) {
                Some(less) => *due = less,
                None => {
                    if let Some(event) = self.interrupt(program, dice) {
                        self.exception_due = Some(dice.below(EXCEPTION_DISTANCE_MAX));
                        self.previous = Some(event);
                        return event;
                    }
                }
            }
        }
        let event = self.branch(program, dice);
        self.previous = Some(event);
        event
    }

    fn branch(&mut self, program: &Program, dice: &mut Dice) -> Event {
        let index = self.position.site;
        let site = &program.sites[index as usize];
        let instructions = u64::from(site.ordinal - self.position.ordinal) + 1;
        let after = Position {
            address: site.address.wrapping_add(u64::from(site.shape.length)),
            ordinal: site.ordinal + 1,
            site: index + 1,
        };
        let taken = self.decide(site, index as usize, dice);
        self.position =
            if taken { self.go(site, index as usize, after, program, dice) } else { after };
        Event {
            instructions,
            program_counter: site.address,
            target: if taken { self.position.address } else { 0 },
            kind: site.shape.kind,
            call: site.shape.call,
            is_return: site.shape.is_return,
            taken,
            length: site.shape.length,
            thread: self.thread,
        }
    }

    fn decide(&mut self, site: &Site, index: usize, dice: &mut Dice) -> bool {
        let progress = &mut self.memory[index].progress;
        match site.shape.decision {
            Decision::Always => true,
            Decision::Counted { trips } => {
                *progress += 1;
                if *progress == trips {
                    *progress = 0;
                }
                *progress != 0
            }
            Decision::Chance { threshold } => dice.bits() < threshold,
            Decision::Pattern { bits, period } => {
                let taken = bits >> *progress & 1 == 1;
                *progress = if *progress + 1 == period { 0 } else { *progress + 1 };
                taken
            }
            Decision::Deep { limit, threshold } => {
                self.stack.len() >= limit as usize || dice.bits() < threshold
            }
        }
    }

    /// Follows a taken site, keeping the stack.
    fn go(
        &mut self,
        site: &Site,
        index: usize,
        after: Position,
        program: &Program,
        dice: &mut Dice,
    ) -> Position {
        let destination = match site.destination {
            Destination::Fixed(position) => position,
            Destination::Table { first, count, sticky } => {
                let choice = &mut self.memory[index].choice;
                if dice.bits() >= sticky {
                    *choice = dice.below(count);
                }
                program.tables[(first + *choice) as usize]
            }
            // The stack is empty only if the execution began inside: a return runs in what was called.
            Destination::Caller => match self.stack.pop() {
                Some(caller) => caller,
                None if self.begins_inside => program.inside(dice),
                None => program.entry,
            },
            Destination::Interrupted => {
                self.handlers_running -= 1;
                self.stack.pop().unwrap_or(program.entry)
            }
        };
        if site.shape.call {
            self.stack.push(after);
        } else if site.shape.kind == Kind::Exception
            && !matches!(site.destination, Destination::Interrupted)
        {
            self.handlers_running += 1;
            self.stack.push(after);
        }
        destination
    }

    /// An exception before the next control-flow instruction, if one can be there.
    #[cold]
    fn interrupt(&mut self, program: &Program, dice: &mut Dice) -> Option<Event> {
        if self.handlers_running >= NESTED_HANDLERS_MAX || program.handlers.is_empty() {
            return None;
        }
        let site = &program.sites[self.position.site as usize];
        let plain = site.ordinal - self.position.ordinal;
        // Right after a system call it would be the system call that traps.
        let directly_after =
            self.previous.filter(|event| event.kind != Kind::Exception || event.taken);
        let instructions = match (plain, directly_after) {
            (0, None) => return None,
            (0, Some(_)) => 0,
            (_, Some(_)) if dice.percent(30) => 0,
            _ => 1 + dice.below(plain),
        };
        let (program_counter, length) = match directly_after {
            Some(event) if instructions == 0 => (event.program_counter, event.length),
            _ => {
                let last =
                    program.instructions[(self.position.ordinal + instructions - 1) as usize];
                (last.address, last.length)
            }
        };
        let ordinal = self.position.ordinal + instructions;
        let address = program.instructions[ordinal as usize].address;
        self.stack.push(Position { address, ordinal, ..self.position });
        self.handlers_running += 1;
        self.position = dice.pick(&program.handlers);
        Some(Event {
            length,
            thread: self.thread,
            ..Event::exception(u64::from(instructions), program_counter, self.position.address)
        })
    }
}
