//! From RustHDL's syntax tree to statements whose every name is a signal and every width is known.

mod branch;
mod expression;
mod index;
mod operand;

use crate::error::Error;
use crate::expression::{Expression, SignalId};
use crate::process::written;
use crate::table::{PackedWord, Register, Role, Symbol, Table};
use crate::word::Word;
use operand::Operand;
use rust_hdl::core::ast::{
    VerilogBlock, VerilogExpression, VerilogLink, VerilogLinkDetails, VerilogLiteral, VerilogLoop,
    VerilogStatement,
};
use std::collections::{BTreeMap, BTreeSet};

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
        viewed: BTreeSet::new(),
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
    /// The packed words that arrive whole and of which a field has been read.
    viewed: BTreeSet<SignalId>,
    /// How many conditions surround the statement.
    conditions: usize,
    /// The members of joined bundles that flow backward, in the order of the joins.
    backward: Vec<Statement>,
    /// The signal or block that an error is about.
    subject: String,
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
            Some(Symbol::Slice { .. }) => {
                Err(self.packed(&key, "is a field of a word that arrives whole; write the word"))
            }
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
        if self.table.is_assembled(signal) {
            return Err(
                self.packed(&self.table.signals[signal].key, "is made of its fields; write those")
            );
        }
        // RustHDL's simulation takes the fields from the last word of the cycle.
        if self.viewed.contains(&signal) {
            return Err(self.packed(
                &self.table.signals[signal].key,
                "is written after one of its fields is read",
            ));
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

    fn packed(&self, key: &str, fault: &'static str) -> Error {
        Error::PackedWord { signal: self.table.path_of(key), fault }
    }

    fn unknown(&self, name: &str) -> Error {
        Error::UnknownName { block: self.table.path.clone(), name: crate::collect::readable(name) }
    }

    fn text(&self, expression: &Expression) -> String {
        crate::write::text(expression, self.table)
    }
}
