//! Scripts from text and back.

use std::fmt;
use std::str::FromStr;

use super::{Function, Interrupt, Pattern, Script, ScriptError, Statement};

/// Statements inside each other at most.
const DEEPEST: usize = 16;

const STATEMENT: &str =
    "straight, loop, if, switch, call, recurse, unwind, resume, yield, trap or end";

/// Lines with something on them, with their numbers.
struct Lines<'a> {
    lines: Vec<(usize, Vec<&'a str>)>,
    at: usize,
    last: usize,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        let mut lines = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let words: Vec<&str> =
                line.split('#').next().unwrap_or_default().split_whitespace().collect();
            if !words.is_empty() {
                lines.push((index + 1, words));
            }
        }
        Self { lines, at: 0, last: text.lines().count() }
    }

    fn peek(&self) -> Option<&[&'a str]> {
        self.lines.get(self.at).map(|(_, words)| &**words)
    }

    /// The line at hand is not what it should be.
    fn refuse<T>(&self, expected: &'static str) -> Result<T, ScriptError> {
        let (line, found) = match self.lines.get(self.at) {
            Some((line, words)) => (*line, words.join(" ")),
            None => (self.last, "the end".into()),
        };
        Err(ScriptError::Line { line, expected, found })
    }

    fn number<T: TryFrom<u64>>(
        &self,
        word: Option<&&str>,
        expected: &'static str,
    ) -> Result<T, ScriptError> {
        let parsed = word.and_then(|word| match word.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => word.parse().ok(),
        });
        let number = parsed.and_then(|number| T::try_from(number).ok());
        number.map_or_else(|| self.refuse(expected), Ok)
    }

    /// A number from 1 on.
    fn count(&self, word: Option<&&str>, expected: &'static str) -> Result<u32, ScriptError> {
        match self.number(word, expected)? {
            0 => self.refuse(expected),
            count => Ok(count),
        }
    }

    fn pattern(&self, word: Option<&&str>) -> Result<Pattern, ScriptError> {
        const EXPECTED: &str = "a pattern of the digits 0 to 9 and ?";
        let digit = |digit: char| match digit {
            '?' => Some(None),
            digit => digit.to_digit(10).map(|digit| Some(digit as u8)),
        };
        let digits = word.and_then(|word| word.chars().map(digit).collect::<Option<Vec<_>>>());
        match digits {
            Some(digits) if !digits.is_empty() => Ok(Pattern(digits)),
            _ => self.refuse(EXPECTED),
        }
    }

    /// Statements up to an `end` or `case`, which is left.
    fn body(&mut self, depth: usize) -> Result<Vec<Statement>, ScriptError> {
        if depth > DEEPEST {
            return self.refuse("at most 16 statements inside each other");
        }
        let mut body = Vec::new();
        while !matches!(self.peek(), Some(["end" | "case"])) {
            body.push(self.statement(depth)?);
        }
        Ok(body)
    }

    /// The same up to an `end`, which is taken.
    fn ended(&mut self, depth: usize) -> Result<Vec<Statement>, ScriptError> {
        let body = self.body(depth + 1)?;
        if self.peek() != Some(&["end"]) {
            return self.refuse(STATEMENT);
        }
        self.at += 1;
        Ok(body)
    }

    fn statement(&mut self, depth: usize) -> Result<Statement, ScriptError> {
        let words = self.peek().unwrap_or_default().to_vec();
        let first = words.get(1);
        let function = "the number of a function";
        let statement = match (words.first().copied(), words.len()) {
            (Some("straight"), 2) => {
                Statement::Straight(self.count(first, "a number of instructions")?)
            }
            (Some("loop"), 2) => {
                let times = self.count(first, "how often the loop runs")?;
                self.at += 1;
                return Ok(Statement::Loop(times, self.ended(depth)?));
            }
            (Some("if"), 2) => {
                let pattern = self.pattern(first)?;
                self.at += 1;
                return Ok(Statement::If(pattern, self.ended(depth)?));
            }
            (Some("switch"), 2) => {
                let pattern = self.pattern(first)?;
                self.at += 1;
                return self.cases(pattern, depth);
            }
            (Some("call"), 2) => Statement::Call(self.number(first, function)?),
            (Some("call"), 3..) => {
                let pattern = self.pattern(first)?;
                let functions = words[2..].iter().map(|word| self.number(Some(word), function));
                Statement::CallOne(pattern, functions.collect::<Result<_, _>>()?)
            }
            (Some("recurse"), 2) => Statement::Recurse(self.count(first, "a depth from 1 on")?),
            (Some("unwind"), 2) => Statement::Unwind(self.count(first, "a number of calls")?),
            (Some("resume"), 2) => Statement::Resume(self.number(first, function)?),
            (Some("yield"), 1) => Statement::Yield,
            (Some("trap"), 2) => Statement::Trap(self.number(first, function)?),
            _ => return self.refuse(STATEMENT),
        };
        self.at += 1;
        Ok(statement)
    }

    fn cases(&mut self, pattern: Pattern, depth: usize) -> Result<Statement, ScriptError> {
        let mut cases = Vec::new();
        while self.peek() == Some(&["case"]) {
            self.at += 1;
            cases.push(self.body(depth + 1)?);
        }
        if cases.is_empty() || self.peek() != Some(&["end"]) {
            return self.refuse("case");
        }
        self.at += 1;
        Ok(Statement::Switch(pattern, cases))
    }

    fn interrupt(&self, words: &[&str]) -> Result<Interrupt, ScriptError> {
        const EXPECTED: &str = "interrupt N,... F";
        let [_, after, handler] = words else { return self.refuse(EXPECTED) };
        let after = after.split(',').map(|number| self.count(Some(&number), EXPECTED));
        Ok(Interrupt {
            after: after.collect::<Result<_, _>>()?,
            handler: self.number(Some(handler), EXPECTED)?,
        })
    }
}

impl FromStr for Script {
    type Err = ScriptError;

    fn from_str(text: &str) -> Result<Self, ScriptError> {
        const EXPECTED: &str = "function ADDRESS, handler ADDRESS or one interrupt N,... F";
        let mut lines = Lines::new(text);
        let mut script = Script { functions: Vec::new(), interrupt: None };
        while let Some(words) = lines.peek().map(<[&str]>::to_vec) {
            let what = words[0];
            if what == "interrupt" && script.interrupt.is_none() {
                script.interrupt = Some(lines.interrupt(&words)?);
                lines.at += 1;
            } else if matches!(what, "function" | "handler") && words.len() == 2 {
                let address = lines.number(words.get(1), "an address of 32 bits")?;
                lines.at += 1;
                let (is_handler, body) = (what == "handler", lines.ended(0)?);
                script.functions.push(Function { address, is_handler, body });
            } else {
                return lines.refuse(EXPECTED);
            }
        }
        if script.functions.first().is_none_or(|first| first.is_handler) {
            return lines.refuse("a function as the first one");
        }
        Ok(script)
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|digit| match digit {
            Some(digit) => write!(f, "{digit}"),
            None => f.write_str("?"),
        })
    }
}

fn write_body(f: &mut fmt::Formatter<'_>, body: &[Statement], indent: usize) -> fmt::Result {
    for statement in body {
        write!(f, "{:indent$}", "")?;
        match statement {
            Statement::Straight(count) => writeln!(f, "straight {count}")?,
            Statement::Loop(times, body) => {
                writeln!(f, "loop {times}")?;
                write_ended(f, body, indent)?;
            }
            Statement::If(pattern, body) => {
                writeln!(f, "if {pattern}")?;
                write_ended(f, body, indent)?;
            }
            Statement::Switch(pattern, cases) => {
                writeln!(f, "switch {pattern}")?;
                for case in cases {
                    writeln!(f, "{:indent$}case", "")?;
                    write_body(f, case, indent + 2)?;
                }
                writeln!(f, "{:indent$}end", "")?;
            }
            Statement::Call(function) => writeln!(f, "call {function}")?,
            Statement::CallOne(pattern, functions) => {
                write!(f, "call {pattern}")?;
                functions.iter().try_for_each(|function| write!(f, " {function}"))?;
                writeln!(f)?;
            }
            Statement::Recurse(depth) => writeln!(f, "recurse {depth}")?,
            Statement::Unwind(calls) => writeln!(f, "unwind {calls}")?,
            Statement::Resume(function) => writeln!(f, "resume {function}")?,
            Statement::Yield => writeln!(f, "yield")?,
            Statement::Trap(handler) => writeln!(f, "trap {handler}")?,
        }
    }
    Ok(())
}

fn write_ended(f: &mut fmt::Formatter<'_>, body: &[Statement], indent: usize) -> fmt::Result {
    write_body(f, body, indent + 2)?;
    writeln!(f, "{:indent$}end", "")
}

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for function in &self.functions {
            let what = if function.is_handler { "handler" } else { "function" };
            writeln!(f, "{what} {:#x}", function.address)?;
            write_ended(f, &function.body, 0)?;
        }
        if let Some(Interrupt { after, handler }) = &self.interrupt {
            let after: Vec<String> = after.iter().map(u32::to_string).collect();
            writeln!(f, "interrupt {} {handler}", after.join(","))?;
        }
        Ok(())
    }
}
