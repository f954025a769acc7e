//! Conditions and choices.

use super::operand::Operand;
use super::{Lowering, Statement, index};
use crate::error::Error;
use crate::expression::{Expression, SignalId};
use crate::word::Word;
use rust_hdl::core::ast::{
    VerilogBlock, VerilogBlockOrConditional, VerilogConditional, VerilogMatch, VerilogStatement,
};
use std::collections::BTreeMap;

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
    pub(super) fn conditional(
        &mut self,
        conditional: &VerilogConditional,
    ) -> Result<Vec<Statement>, Error> {
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
        Ok(vec![Statement::If { arms, otherwise }])
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

    pub(super) fn choice(&mut self, choice: &VerilogMatch) -> Result<Vec<Statement>, Error> {
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
        let (mut arms, mut otherwise) = (Vec::<(Vec<Word>, _)>::new(), Vec::new());
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
                    || arms.iter().any(|(known, _)| known.contains(&label)) => {}
                None => {
                    let body = self.guarded(&case.block, true)?;
                    arms.push((vec![label.fitted(subject.width())], body));
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
}
