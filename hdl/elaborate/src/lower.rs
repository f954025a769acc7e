//! From RustHDL's syntax tree to statements whose every name is a signal and every width is known.

mod expression;
mod index;
mod operand;

use crate::error::Error;
use crate::expression::{Expression, SignalId};
use crate::table::{Symbol, Table};
use crate::word::Word;
use operand::Operand;
use rust_hdl::core::ast::{
    VerilogBlock, VerilogBlockOrConditional, VerilogConditional, VerilogExpression, VerilogLiteral,
    VerilogLoop, VerilogMatch, VerilogStatement,
};
use std::collections::{BTreeMap, HashSet};

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Statement {
    Assign {
        target: SignalId,
        value: Expression,
    },
    If {
        /// Conditions, tried in order, and what each guards.
        arms: Vec<(Expression, Vec<Statement>)>,
        otherwise: Vec<Statement>,
    },
    Case {
        subject: Expression,
        /// Labels, none twice, and what they select.
        arms: Vec<(Vec<Word>, Vec<Statement>)>,
        otherwise: Vec<Statement>,
    },
}

/// The statements of `kernel`: loops unrolled, branches that parameters decide folded away.
pub(crate) fn lower(kernel: &VerilogBlock, table: &Table) -> Result<Vec<Statement>, Error> {
    let mut lowering = Lowering {
        table,
        loops: Vec::new(),
        known: BTreeMap::new(),
        clocked: HashSet::new(),
        conditions: 0,
        subject: table.path.clone(),
    };
    let statements = lowering.block(kernel)?;
    match table.clock_inputs.iter().find(|key| !lowering.clocked.contains(*key)) {
        Some(key) => Err(Error::Undriven { signal: table.path_of(key) }),
        None => Ok(statements),
    }
}

struct Lowering<'a> {
    table: &'a Table,
    /// The loops around the statement, with their index.
    loops: Vec<(String, usize)>,
    /// The constants that signals hold at this point, such as the start of what a loop adds up.
    known: BTreeMap<SignalId, Word>,
    /// The clock inputs that are driven.
    clocked: HashSet<String>,
    /// How many conditions surround the statement.
    conditions: usize,
    /// The signal or block that an error is about.
    subject: String,
}

/// The constants known at the ends of the paths through a condition.
struct Paths {
    before: BTreeMap<SignalId, Word>,
    ends: Vec<BTreeMap<SignalId, Word>>,
}

impl Paths {
    fn at(lowering: &Lowering<'_>) -> Self {
        Self { before: lowering.known.clone(), ends: Vec::new() }
    }

    /// One path ends; the next starts where it did.
    fn end(&mut self, lowering: &mut Lowering<'_>) {
        self.ends.push(std::mem::replace(&mut lowering.known, self.before.clone()));
    }

    /// The last path ends; what all agree on is known from here.
    fn join(self, lowering: &mut Lowering<'_>) {
        lowering
            .known
            .retain(|signal, word| self.ends.iter().all(|known| known.get(signal) == Some(word)));
    }
}

impl Lowering<'_> {
    fn block(&mut self, block: &VerilogBlock) -> Result<Vec<Statement>, Error> {
        let mut statements = Vec::new();
        for statement in block {
            self.statement(statement, &mut statements)?;
        }
        Ok(statements)
    }

    fn statement(
        &mut self,
        statement: &VerilogStatement,
        out: &mut Vec<Statement>,
    ) -> Result<(), Error> {
        match statement {
            VerilogStatement::Assignment(target, value) => {
                out.extend(self.assignment(target, value)?)
            }
            VerilogStatement::If(conditional) => out.extend(self.conditional(conditional)?),
            VerilogStatement::Match(choice) => out.extend(self.choice(choice)?),
            VerilogStatement::Loop(repeated) => out.extend(self.repeated(repeated)?),
            VerilogStatement::Macro(block) => out.extend(self.block(block)?),
            VerilogStatement::Comment(_) => {}
            VerilogStatement::SliceAssignment { .. } => {
                return Err(self.unsupported("an assignment to a part of a signal"));
            }
            VerilogStatement::Link(_) => return Err(self.unsupported("`link` or `join`")),
        }
        Ok(())
    }

    fn assignment(
        &mut self,
        target: &VerilogExpression,
        value: &VerilogExpression,
    ) -> Result<Option<Statement>, Error> {
        let VerilogExpression::Signal(name) = target else {
            return Err(self.unsupported("an assignment to an expression"));
        };
        let Some(name) = name.strip_suffix("$next") else {
            return Err(
                self.unsupported(&format!("an assignment to `{name}` rather than to its `next`"))
            );
        };
        let key = self.key(name)?;
        match self.table.symbols.get(&key) {
            Some(Symbol::ClockInput) => self.clock_assignment(key, value).map(|()| None),
            Some(Symbol::Signal(signal)) => self.signal_assignment(*signal, value),
            Some(Symbol::Domain) => Err(Error::MultiplyDriven { signal: self.table.path_of(&key) }),
            _ => Err(self.unknown(name)),
        }
    }

    fn clock_assignment(&mut self, key: String, value: &VerilogExpression) -> Result<(), Error> {
        let signal = self.table.path_of(&key);
        if self.conditions > 0 {
            return Err(Error::GatedClock { signal });
        }
        let from = match value {
            VerilogExpression::Signal(name) => self.key(name)?,
            _ => return Err(Error::GatedClock { signal }),
        };
        if !matches!(self.table.symbols.get(&from), Some(Symbol::Domain)) {
            return Err(self.unknown(&from));
        }
        self.clocked.insert(key);
        Ok(())
    }

    fn signal_assignment(
        &mut self,
        signal: SignalId,
        value: &VerilogExpression,
    ) -> Result<Option<Statement>, Error> {
        let path = self.table.signal_path(signal);
        if !self.table.signals[signal].role.is_target() {
            return Err(Error::MultiplyDriven { signal: path });
        }
        let outer = std::mem::replace(&mut self.subject, path);
        let width = self.table.signals[signal].width;
        let operand = self.operand(value)?;
        let value = match operand {
            Operand::Exact(value) if value.width() != width => {
                let (text, value_width) = (self.text(&value), value.width());
                return Err(Error::AssignedWidth {
                    signal: self.subject.clone(),
                    width,
                    value: text,
                    value_width,
                });
            }
            operand => self.take(operand, width)?,
        };
        self.subject = outer;
        match value.constant() {
            Some(word) => self.known.insert(signal, word.clone()),
            None => self.known.remove(&signal),
        };
        Ok((width > 0).then_some(Statement::Assign { target: signal, value }))
    }

    fn conditional(&mut self, conditional: &VerilogConditional) -> Result<Vec<Statement>, Error> {
        let mut arms = Vec::new();
        let mut next = Some(conditional);
        let mut otherwise = Vec::new();
        let outer = self.conditions;
        let mut paths = Paths::at(self);
        while let Some(VerilogConditional { test, then, otherwise: rest }) = next.take() {
            let condition = self.condition(test)?;
            let decided = condition.constant().map(Word::any);
            match decided {
                Some(true) => {
                    otherwise = self.block(then)?;
                    break;
                }
                Some(false) => {}
                None => {
                    self.conditions += 1;
                    arms.push((condition, self.block(then)?));
                    paths.end(self);
                }
            }
            match rest {
                VerilogBlockOrConditional::Block(block) => otherwise = self.block(block)?,
                VerilogBlockOrConditional::Conditional(statement) => match statement.as_ref() {
                    VerilogStatement::If(conditional) => next = Some(conditional),
                    _ => return Err(self.unsupported("this `else`")),
                },
                VerilogBlockOrConditional::None => {}
            }
        }
        self.conditions = outer;
        paths.join(self);
        if arms.is_empty() {
            return Ok(otherwise);
        }
        Ok(vec![Statement::If { arms, otherwise }])
    }

    fn choice(&mut self, choice: &VerilogMatch) -> Result<Vec<Statement>, Error> {
        let subject = match self.operand(&choice.test)? {
            Operand::Exact(subject) => subject,
            Operand::Literal(word) => Expression::Constant(word),
            Operand::Fit(value) => {
                return Err(Error::NoWidth {
                    signal: self.subject.clone(),
                    value: self.text(&value),
                });
            }
        };
        let decided = subject.constant().cloned();
        let outer = self.conditions;
        if decided.is_none() {
            self.conditions += 1;
        }
        let (mut arms, mut otherwise) = (Vec::<(Vec<Word>, _)>::new(), Vec::new());
        let mut paths = Paths::at(self);
        for case in &choice.cases {
            if case.condition == "default" {
                otherwise = self.block(&case.block)?;
                break;
            }
            let label = index::integer(&case.condition)
                .map(|value| Word::from(value as u64))
                .ok_or_else(|| self.unsupported(&format!("the pattern `{}`", case.condition)))?;
            match &decided {
                Some(value) if *value == label => {
                    otherwise = self.block(&case.block)?;
                    break;
                }
                Some(_) => {}
                // A label beyond the subject's width, or there already, is never reached.
                None if label.significant_bits() > subject.width()
                    || arms.iter().any(|(known, _)| known.contains(&label)) => {}
                None => {
                    arms.push((vec![label.fitted(subject.width())], self.block(&case.block)?));
                    paths.end(self);
                }
            }
        }
        self.conditions = outer;
        paths.join(self);
        Ok(if arms.is_empty() {
            otherwise
        } else {
            vec![Statement::Case { subject, arms, otherwise }]
        })
    }

    fn repeated(&mut self, repeated: &VerilogLoop) -> Result<Vec<Statement>, Error> {
        if self.table.symbols.contains_key(&repeated.index) {
            return Err(Error::NameClash {
                block: self.table.path.clone(),
                name: repeated.index.clone(),
                first: self.table.path_of(&repeated.index),
                second: "the index of a loop".into(),
            });
        }
        let bound = |literal: &VerilogLiteral| {
            operand::literal(literal)
                .map(|word| word.index())
                .ok_or_else(|| self.unsupported("a negative loop bound"))
        };
        let (from, to) = (bound(&repeated.from)?, bound(&repeated.to)?);
        let mut statements = Vec::new();
        for turn in from..to {
            self.loops.push((repeated.index.clone(), turn));
            statements.extend(self.block(&repeated.block)?);
            self.loops.pop();
        }
        Ok(statements)
    }

    fn unsupported(&self, construct: &str) -> Error {
        Error::Unsupported { block: self.table.path.clone(), construct: construct.into() }
    }

    fn unknown(&self, name: &str) -> Error {
        Error::UnknownName { block: self.table.path.clone(), name: crate::collect::readable(name) }
    }

    fn text(&self, expression: &Expression) -> String {
        crate::write::text(expression, self.table)
    }
}
