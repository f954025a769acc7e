//! From RustHDL's syntax tree to statements whose every name is a signal and every width is known.

mod expression;
mod index;
mod operand;

use crate::error::Error;
use crate::expression::{Expression, Relation, SignalId};
use crate::process::written;
use crate::table::{PackedWord, Register, Role, Symbol, Table};
use crate::word::Word;
use operand::Operand;
use rust_hdl::core::ast::{
    VerilogBlock, VerilogBlockOrConditional, VerilogConditional, VerilogExpression, VerilogLink,
    VerilogLinkDetails, VerilogLiteral, VerilogLoop, VerilogMatch, VerilogStatement,
};
use std::collections::BTreeMap;

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
        arms: Vec<(Word, Vec<Statement>)>,
        otherwise: Vec<Statement>,
    },
}

/// The statements of `kernel`: loops unrolled, branches that parameters decide folded away.
pub(crate) fn lower(kernel: &VerilogBlock, table: &Table) -> Result<Vec<Statement>, Error> {
    let mut lowering = Lowering {
        table,
        loops: Vec::new(),
        known: BTreeMap::new(),
        conditions: 0,
        backward: Vec::new(),
        subject: table.path.clone(),
    };
    let mut statements = holds(table);
    statements.extend(lowering.block(kernel)?);
    // What flows against a chain of bundles starts at its end.
    statements.extend(std::mem::take(&mut lowering.backward).into_iter().rev());
    Ok(with_packed_words(statements, table))
}

/// Every register keeps its value where the kernel does not write it.
fn holds(table: &Table) -> Vec<Statement> {
    let present = table.registers.iter().filter(|register| register.reset.bits() > 0);
    let hold = |register: &Register| {
        let value = Expression::read(register.now, register.reset.bits());
        Statement::Assign { target: register.next, value }
    };
    present.map(hold).collect()
}

/// Puts each packed word together after the last statement that writes one of its fields.
fn with_packed_words(statements: Vec<Statement>, table: &Table) -> Vec<Statement> {
    let mut made: BTreeMap<usize, Vec<Statement>> = BTreeMap::new();
    for PackedWord { word, parts } in &table.packed {
        let writes = |statement: &Statement| {
            written(std::slice::from_ref(statement)).iter().any(|target| parts.contains(target))
        };
        let Some(last) = statements.iter().rposition(writes) else { continue };
        let read = |part: &SignalId| Expression::read(*part, table.signals[*part].width);
        let value = Expression::concatenated(parts.iter().rev().map(read));
        made.entry(last).or_default().push(Statement::Assign { target: *word, value });
    }
    let mut complete = Vec::new();
    for (index, statement) in statements.into_iter().enumerate() {
        complete.push(statement);
        complete.extend(made.remove(&index).unwrap_or_default());
    }
    complete
}

struct Lowering<'a> {
    table: &'a Table,
    /// The loops around the statement, with their index.
    loops: Vec<(String, usize)>,
    /// The constants that signals hold at this point, such as the start of what a loop adds up.
    known: BTreeMap<SignalId, Word>,
    /// How many conditions surround the statement.
    conditions: usize,
    /// The members of joined bundles that flow backward, in the order of the joins.
    backward: Vec<Statement>,
    /// The signal or block that an error is about.
    subject: String,
}

/// A chain of `if` as a `case`, if it compares one value with three or more constants.
fn comparisons_as_case(
    arms: Vec<(Expression, Vec<Statement>)>,
    otherwise: Vec<Statement>,
) -> Statement {
    let comparison = |condition: &Expression| match condition {
        Expression::Compare(Relation::Equal, subject, label) => {
            Some((subject.as_ref().clone(), label.constant()?.clone()))
        }
        _ => None,
    };
    let found: Option<Vec<_>> = arms.iter().map(|(condition, _)| comparison(condition)).collect();
    match found {
        Some(found) if found.len() >= 3 && is_one_choice(&found) => {
            let subject = found[0].0.clone();
            let labels = found.into_iter().map(|(_, label)| label);
            let arms = labels.zip(arms).map(|(label, (_, body))| (label, body)).collect();
            Statement::Case { subject, arms, otherwise }
        }
        _ => Statement::If { arms, otherwise },
    }
}

/// Whether the comparisons are of one subject with different labels.
fn is_one_choice(comparisons: &[(Expression, Word)]) -> bool {
    comparisons.iter().enumerate().all(|(index, (subject, label))| {
        *subject == comparisons[0].0
            && comparisons[..index].iter().all(|(_, earlier)| earlier != label)
    })
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
            VerilogStatement::Link(links) => {
                for link in links {
                    self.link(link, out)?;
                }
            }
        }
        Ok(())
    }

    /// Connects two bundles, member by member.
    fn link(&mut self, link: &VerilogLink, out: &mut Vec<Statement>) -> Result<(), Error> {
        let VerilogLink::Forward(VerilogLinkDetails { my_name: from, other_name: to, .. }) = link
        else {
            return Err(self.unsupported("`link`"));
        };
        if self.conditions > 0 {
            return Err(self.unsupported("bundles joined under a condition"));
        }
        let members = match self.table.symbols.get(&self.key(from)?) {
            Some(Symbol::Bundle(members)) => members,
            _ => return Err(self.unknown(from)),
        };
        for (member, is_forward) in members {
            let (from, to) = if *is_forward { (from, to) } else { (to, from) };
            let target = VerilogExpression::Signal(format!("{to}${member}$next"));
            let value = VerilogExpression::Signal(format!("{from}${member}"));
            let statement = self.assignment(&target, &value)?;
            if *is_forward { out.extend(statement) } else { self.backward.extend(statement) }
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
            Some(Symbol::Signal(signal)) => self.signal_assignment(*signal, value),
            _ => Err(self.unknown(name)),
        }
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
        if width == 0 && self.table.signals[signal].role == Role::Part {
            // The configuration has no such field.
            self.subject = outer;
            return Ok(None);
        }
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
        let mut paths = Paths::at(self);
        while let Some(VerilogConditional { test, then, otherwise: rest }) = next.take() {
            let condition = self.condition(test)?;
            let decided = condition.constant().map(Word::any);
            match decided {
                Some(true) => {
                    otherwise = self.guarded(then, !arms.is_empty())?;
                    break;
                }
                Some(false) => {}
                None => {
                    arms.push((condition, self.guarded(then, true)?));
                    paths.end(self);
                }
            }
            match rest {
                VerilogBlockOrConditional::Block(block) => {
                    otherwise = self.guarded(block, !arms.is_empty())?;
                }
                VerilogBlockOrConditional::Conditional(statement) => match statement.as_ref() {
                    VerilogStatement::If(conditional) => next = Some(conditional),
                    _ => return Err(self.unsupported("this `else`")),
                },
                VerilogBlockOrConditional::None => {}
            }
        }
        paths.join(self);
        if arms.is_empty() {
            return Ok(otherwise);
        }
        Ok(vec![comparisons_as_case(arms, otherwise)])
    }

    /// The statements of a block, which stands under a condition if `is_conditional`.
    fn guarded(
        &mut self,
        block: &VerilogBlock,
        is_conditional: bool,
    ) -> Result<Vec<Statement>, Error> {
        self.conditions += usize::from(is_conditional);
        let statements = self.block(block);
        self.conditions -= usize::from(is_conditional);
        statements
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
        let (mut arms, mut otherwise) = (Vec::<(Word, _)>::new(), Vec::new());
        let mut paths = Paths::at(self);
        for case in &choice.cases {
            if case.condition == "default" {
                otherwise = self.guarded(&case.block, decided.is_none())?;
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
                    || arms.iter().any(|(known, _)| *known == label) => {}
                None => {
                    let body = self.guarded(&case.block, true)?;
                    arms.push((label.fitted(subject.width()), body));
                    paths.end(self);
                }
            }
        }
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
