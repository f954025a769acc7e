//! A run of a script: its events, one after the other.

use std::sync::Arc;

use super::Pattern;
use super::code::{Code, LENGTH, What};
use crate::event::{Event, Kind};
use crate::synthetic::dice::Dice;

/// A place: an operation, and instructions of it that have retired.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    operation: usize,
    retired: u32,
}

/// What is active below the code that runs.
#[derive(Clone, Copy, Debug)]
struct Frame {
    back: Place,
    active: Active,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Active {
    Call(usize),
    /// The function that changes stacks.
    Swap,
    Exception,
}

/// A stack, and where its code goes on.
#[derive(Clone, Debug, Default)]
struct Context {
    place: Place,
    frames: Vec<Frame>,
}

/// The events of a script's run, without end. The first one is the exception that a reset is.
pub struct Run {
    code: Arc<Code>,
    /// How often each operation was passed, modulo what it counts.
    passes: Vec<u32>,
    now: Context,
    /// Those of the coroutines that do not run; `None` before the first time.
    coroutines: Vec<Option<Context>>,
    /// The main context, while a coroutine runs, and which one that is.
    resumer: Option<(Context, usize)>,
    /// To what context a call of the function that changes stacks goes.
    swap_to: Option<usize>,
    dice: Dice,
    /// Instructions since the last event.
    instructions: u64,
    last_program_counter: u64,
    /// Instructions outside handlers up to the next interrupt.
    until_interrupt: u32,
    interrupts: usize,
    has_begun: bool,
}

impl Run {
    pub(super) fn new(code: Code) -> Self {
        let place = Place { operation: code.functions[0], retired: 0 };
        Self {
            passes: vec![0; code.operations.len()],
            now: Context { place, frames: Vec::new() },
            coroutines: vec![None; code.functions.len()],
            resumer: None,
            swap_to: None,
            dice: Dice::new(1, 0),
            instructions: 0,
            last_program_counter: 0,
            until_interrupt: code.interrupt.as_ref().map_or(u32::MAX, |one| one.after[0]),
            interrupts: 0,
            has_begun: false,
            code: Arc::new(code),
        }
    }

    fn address(&self, place: Place) -> u64 {
        self.code.operations[place.operation].address + u64::from(place.retired) * LENGTH
    }

    fn in_handler(&self) -> bool {
        self.now.frames.iter().any(|frame| frame.active == Active::Exception)
    }

    /// Retires instructions that do not change the flow, up to an interrupt.
    fn straight(&mut self, count: u32) {
        let left = count - self.now.place.retired;
        let step = self.retire(left);
        self.instructions += u64::from(step);
        self.now.place.retired += step;
        self.last_program_counter = self.address(self.now.place) - LENGTH;
        if self.now.place.retired == count {
            self.now.place = Place { operation: self.now.place.operation + 1, retired: 0 };
        }
    }

    /// Up to so many instructions retire before an interrupt; gives how many.
    fn retire(&mut self, count: u32) -> u32 {
        if !self.counts() {
            return count;
        }
        let step = count.min(self.until_interrupt);
        self.until_interrupt -= step;
        step
    }

    /// True where instructions bring an interrupt nearer.
    fn counts(&self) -> bool {
        self.code.interrupt.is_some() && !self.in_handler()
    }

    fn interrupt(&mut self) -> Event {
        let handler = self.code.interrupt.as_ref().map_or(0, |interrupt| {
            self.interrupts = (self.interrupts + 1) % interrupt.after.len();
            self.until_interrupt = interrupt.after[self.interrupts];
            interrupt.handler
        });
        self.exception(handler)
    }

    /// An exception before what comes next.
    fn exception(&mut self, handler: usize) -> Event {
        self.now.frames.push(Frame { back: self.now.place, active: Active::Exception });
        self.now.place = Place { operation: self.code.functions[handler], retired: 0 };
        let instructions = std::mem::take(&mut self.instructions);
        let target = self.address(self.now.place);
        let event = Event::exception(instructions, self.last_program_counter, target);
        Event { length: LENGTH as u8, ..event }
    }

    fn choose(&mut self, pattern: &Pattern, choices: usize) -> usize {
        let pass = &mut self.passes[self.now.place.operation];
        let digit = pattern.0[*pass as usize];
        *pass = (*pass + 1) % pattern.0.len() as u32;
        digit.map_or_else(|| self.dice.below(choices as u32) as usize, usize::from)
    }

    fn active(&self, function: usize) -> usize {
        self.now.frames.iter().filter(|frame| frame.active == Active::Call(function)).count()
    }

    /// Leaves calls, but no exception; gives where the last one returns to, or `after` if there is none.
    fn unwind(&mut self, calls: u32, after: Place) -> Place {
        let mut back = after;
        for _ in 0..calls {
            let Some(Frame { back: next, active: Active::Call(_) }) = self.now.frames.last() else {
                break;
            };
            back = *next;
            self.now.frames.pop();
        }
        back
    }

    /// Leaves what is active; a coroutine that ends goes back to where it was resumed.
    fn leave(&mut self) -> Place {
        if let Some(frame) = self.now.frames.pop() {
            return frame.back;
        }
        if let Some((main, _)) = self.resumer.take() {
            self.now = main;
        }
        self.now.place
    }

    /// The function that changes stacks ends.
    fn swap(&mut self) -> Place {
        self.now.place = self.leave();
        match (self.swap_to.take(), self.resumer.take()) {
            (Some(number), None) => {
                let begin = || {
                    let place = Place { operation: self.code.functions[number], retired: 0 };
                    Context { place, frames: Vec::new() }
                };
                let next = self.coroutines[number].take().unwrap_or_else(begin);
                let main = std::mem::replace(&mut self.now, next);
                self.resumer = Some((main, number));
            }
            (None, Some((main, number))) => {
                self.coroutines[number] = Some(std::mem::replace(&mut self.now, main));
            }
            (_, resumer) => self.resumer = resumer,
        }
        self.now.place
    }

    /// What the instruction at hand does, which changes the flow or may do so, with what is `after` it.
    fn step(&mut self, what: &What, after: Place) -> Step {
        let begin = |operation: usize| Some(Place { operation, retired: 0 });
        let of = |kind, to| Step { kind, to, active: None, is_return: false };
        let call = |kind, to, active| Step { active: Some(active), ..of(kind, begin(to)) };
        match what {
            What::Loop { times, begin: first } => {
                let pass = &mut self.passes[self.now.place.operation];
                *pass = (*pass + 1) % times;
                of(Kind::DirectConditional, if *pass == 0 { None } else { begin(*first) })
            }
            What::If { pattern, end } => {
                let runs = self.choose(pattern, 2) == 1;
                of(Kind::DirectConditional, if runs { None } else { begin(*end) })
            }
            What::Recurse { depth, function, end } => {
                let is_deep = self.active(*function) >= *depth as usize;
                of(Kind::DirectConditional, if is_deep { begin(*end) } else { None })
            }
            What::Jump(to) => of(Kind::DirectJump, begin(*to)),
            What::Switch { pattern, cases } => {
                let case = self.choose(pattern, cases.len());
                of(Kind::IndirectJump, begin(cases[case]))
            }
            What::Call(number) => {
                call(Kind::DirectJump, self.code.functions[*number], Active::Call(*number))
            }
            What::CallOne { pattern, functions } => {
                let number = functions[self.choose(pattern, functions.len())];
                call(Kind::IndirectJump, self.code.functions[number], Active::Call(number))
            }
            What::Swap { to } => {
                self.swap_to = *to;
                call(Kind::DirectJump, self.code.swap, Active::Swap)
            }
            What::Unwind(calls) => of(Kind::IndirectJump, Some(self.unwind(*calls, after))),
            What::Swapped => Step { is_return: true, ..of(Kind::IndirectJump, Some(self.swap())) },
            What::Return => Step { is_return: true, ..of(Kind::IndirectJump, Some(self.leave())) },
            // The others do not change the flow.
            What::ExceptionReturn | What::Straight(_) | What::Trap(_) => {
                of(Kind::IndirectJump, Some(self.leave()))
            }
        }
    }

    /// The event of the instruction at hand, which changes the flow or may do so.
    fn control_flow(&mut self, what: &What) -> Event {
        let program_counter = self.address(self.now.place);
        let after = Place { operation: self.now.place.operation + 1, retired: 0 };
        let Step { kind, to, active, is_return } = self.step(what, after);
        if let Some(active) = active {
            self.now.frames.push(Frame { back: after, active });
        }
        self.now.place = to.unwrap_or(after);
        self.last_program_counter = program_counter;
        Event {
            instructions: std::mem::take(&mut self.instructions) + 1,
            program_counter,
            target: to.map_or(0, |to| self.address(to)),
            kind,
            call: active.is_some(),
            is_return,
            taken: to.is_some(),
            length: LENGTH as u8,
            thread: 0,
        }
    }
}

/// What an instruction does: where it goes if it is taken, and what is active then.
struct Step {
    kind: Kind,
    to: Option<Place>,
    active: Option<Active>,
    is_return: bool,
}

impl Iterator for Run {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        if !self.has_begun {
            self.has_begun = true;
            return Some(Event::exception(0, 0, self.address(self.now.place)));
        }
        let code = Arc::clone(&self.code);
        loop {
            if self.counts() && self.until_interrupt == 0 {
                return Some(self.interrupt());
            }
            match &code.operations[self.now.place.operation].what {
                What::Straight(count) => self.straight(*count),
                What::Trap(handler) => {
                    self.now.place.operation += 1;
                    return Some(self.exception(*handler));
                }
                what => {
                    self.retire(1);
                    return Some(self.control_flow(what));
                }
            }
        }
    }
}
