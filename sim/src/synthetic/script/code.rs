//! A script as instructions at addresses.

use super::{Interrupt, Pattern, Script, ScriptError, Statement};

/// Bytes of every instruction.
pub(super) const LENGTH: u64 = 4;
/// Instructions before the return of the function that changes stacks.
const SWAP_INSTRUCTIONS: u32 = 12;
/// What the code ends below.
const TOP: u64 = 1 << 32;

/// An instruction that may change the flow, or some that do not; places are those of operations.
#[derive(Clone, Debug)]
pub(super) enum What {
    Straight(u32),
    /// A conditional branch back, taken but the last of so many times.
    Loop {
        times: u32,
        begin: usize,
    },
    /// A conditional branch, taken where the pattern has no 1.
    If {
        pattern: Pattern,
        end: usize,
    },
    Jump(usize),
    Switch {
        pattern: Pattern,
        cases: Vec<usize>,
    },
    Call(usize),
    CallOne {
        pattern: Pattern,
        functions: Vec<usize>,
    },
    /// A conditional branch, taken where so many calls of the function are active.
    Recurse {
        depth: u32,
        function: usize,
        end: usize,
    },
    Unwind(u32),
    /// Calls the function that changes stacks: to coroutine `Some`, or back.
    Swap {
        to: Option<usize>,
    },
    /// The end of that function.
    Swapped,
    Return,
    ExceptionReturn,
    Trap(usize),
}

#[derive(Clone, Debug)]
pub(super) struct Operation {
    pub address: u64,
    pub what: What,
}

/// All operations, those of a function in a row.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub operations: Vec<Operation>,
    /// Where each function begins.
    pub functions: Vec<usize>,
    /// Where the function begins that changes stacks.
    pub swap: usize,
    pub interrupt: Option<Interrupt>,
}

struct Assembler<'a> {
    script: &'a Script,
    operations: Vec<Operation>,
    address: u64,
    function: usize,
}

/// Gives every instruction an address.
pub(super) fn assemble(script: &Script) -> Result<Code, ScriptError> {
    let mut order: Vec<usize> = (0..script.functions.len()).collect();
    order.sort_by_key(|function| script.functions[*function].address);
    let mut functions = vec![0; order.len()];
    let mut assembler = Assembler { script, operations: Vec::new(), address: 0, function: 0 };
    for number in order {
        let function = &script.functions[number];
        let (begin, address) = (assembler.operations.len(), u64::from(function.address));
        assembler.function = number;
        if address % LENGTH != 0 {
            return assembler.refuse("an address that is a multiple of 4", address);
        }
        assembler.address = assembler.address.max(address);
        functions[number] = begin;
        assembler.body(&function.body)?;
        assembler.push(match (number, function.is_handler) {
            (0, _) => What::Jump(begin),
            (_, false) => What::Return,
            (_, true) => What::ExceptionReturn,
        });
    }
    let swap = assembler.operations.len();
    assembler.push(What::Straight(SWAP_INSTRUCTIONS));
    assembler.push(What::Swapped);
    if assembler.address >= TOP {
        return assembler.refuse("code that ends below 2^32", assembler.address);
    }
    if let Some(Interrupt { handler, .. }) = script.interrupt
        && script.functions.get(handler).is_none_or(|function| !function.is_handler)
    {
        return assembler.refuse("interrupts to a handler", handler as u64);
    }
    let interrupt = script.interrupt.clone();
    Ok(Code { operations: assembler.operations, functions, swap, interrupt })
}

impl Assembler<'_> {
    fn refuse<T>(&self, expected: &'static str, found: u64) -> Result<T, ScriptError> {
        let found = format!("{found:#x}");
        Err(ScriptError::Function { function: self.function, expected, found })
    }

    fn push(&mut self, what: What) -> usize {
        let instructions = match what {
            What::Straight(count) => count.into(),
            What::Trap(_) => 0,
            _ => 1,
        };
        self.operations.push(Operation { address: self.address, what });
        self.address += instructions * LENGTH;
        self.operations.len() - 1
    }

    /// A function that this one may call.
    fn callee(&self, number: usize, is_handler: bool) -> Result<usize, ScriptError> {
        let found = self.script.functions.get(number);
        if number > self.function && found.is_some_and(|found| found.is_handler == is_handler) {
            return Ok(number);
        }
        let expected = if is_handler {
            "the number of a handler after this function"
        } else {
            "the number of a function after this one"
        };
        self.refuse(expected, number as u64)
    }

    /// A pattern that has no more than `choices`.
    fn choice(&self, pattern: &Pattern, choices: usize) -> Result<Pattern, ScriptError> {
        match pattern.0.iter().flatten().find(|digit| usize::from(**digit) >= choices) {
            Some(digit) => self.refuse("a digit below the number of choices", (*digit).into()),
            None => Ok(pattern.clone()),
        }
    }

    fn body(&mut self, body: &[Statement]) -> Result<(), ScriptError> {
        body.iter().try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &Statement) -> Result<(), ScriptError> {
        let begin = self.operations.len();
        match statement {
            Statement::Straight(count) => {
                self.push(What::Straight(*count));
            }
            Statement::Loop(times, body) => {
                self.body(body)?;
                self.push(What::Loop { times: *times, begin });
            }
            Statement::If(pattern, body) => {
                let pattern = self.choice(pattern, 2)?;
                self.push(What::Jump(0));
                self.body(body)?;
                let end = self.operations.len();
                self.operations[begin].what = What::If { pattern, end };
            }
            Statement::Switch(pattern, cases) => self.switch(pattern, cases)?,
            Statement::Call(function) => {
                let function = self.callee(*function, false)?;
                self.push(What::Call(function));
            }
            Statement::CallOne(pattern, functions) => {
                let pattern = self.choice(pattern, functions.len())?;
                let callees = functions.iter().map(|number| self.callee(*number, false));
                let functions = callees.collect::<Result<_, _>>()?;
                self.push(What::CallOne { pattern, functions });
            }
            Statement::Recurse(depth) => {
                let (depth, function) = (*depth, self.function);
                if function == 0 {
                    return self.refuse("recursion of another function than", 0);
                }
                self.push(What::Recurse { depth, function, end: begin + 2 });
                self.push(What::Call(function));
            }
            Statement::Unwind(calls) => {
                self.push(What::Unwind(*calls));
            }
            Statement::Resume(function) => {
                if self.function != 0 {
                    return self.refuse("coroutines resumed by function", 0);
                }
                let to = Some(self.callee(*function, false)?);
                self.push(What::Swap { to });
            }
            Statement::Yield => {
                self.push(What::Swap { to: None });
            }
            Statement::Trap(handler) => {
                let handler = self.callee(*handler, true)?;
                self.push(What::Trap(handler));
            }
        }
        Ok(())
    }

    fn switch(&mut self, pattern: &Pattern, bodies: &[Vec<Statement>]) -> Result<(), ScriptError> {
        let pattern = self.choice(pattern, bodies.len())?;
        let at = self.push(What::Jump(0));
        let (mut cases, mut ends) = (Vec::new(), Vec::new());
        for body in bodies {
            cases.push(self.operations.len());
            self.body(body)?;
            ends.push(self.push(What::Jump(0)));
        }
        let end = self.operations.len();
        for jump in ends {
            self.operations[jump].what = What::Jump(end);
        }
        self.operations[at].what = What::Switch { pattern, cases };
        Ok(())
    }
}
