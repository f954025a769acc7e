//! Conditions that compare one value with constants, as a `case`.

use super::reads;
use super::slice::written;
use crate::expression::{Arithmetic, Expression, Relation};
use crate::lower::Statement;
use crate::word::Word;

/// Fewer comparisons than this read well as an `if`.
const FEWEST_LABELS: usize = 3;

/// `subject` is one of `labels`, and `rest` holds.
struct Question {
    subject: Expression,
    labels: Vec<Word>,
    rest: Option<Expression>,
}

/// An arm of a `case`.
pub(crate) type Arm = (Vec<Word>, Vec<Statement>);

/// The statements with every chain of `if` that compares one value with constants as a `case`.
pub(super) fn with_cases(statements: &[Statement]) -> Vec<Statement> {
    let with_case = |statement: &Statement| match statement {
        Statement::Assign { .. } => statement.clone(),
        Statement::If { arms, otherwise } => {
            let arms = arms.iter().map(|(condition, body)| (condition.clone(), with_cases(body)));
            chain_as_case(arms.collect(), with_cases(otherwise))
        }
        Statement::Case { subject, arms, otherwise } => Statement::Case {
            subject: subject.clone(),
            arms: arms.iter().map(|(labels, body)| (labels.clone(), with_cases(body))).collect(),
            otherwise: with_cases(otherwise),
        },
    };
    statements.iter().map(with_case).collect()
}

/// A chain of `if` as a `case`, if it begins with comparisons of one value with constants.
pub(super) fn chain_as_case(
    arms: Vec<(Expression, Vec<Statement>)>,
    otherwise: Vec<Statement>,
) -> Statement {
    let mut questions: Vec<Question> = Vec::new();
    for (condition, _) in &arms {
        match question(condition) {
            Some(next)
                if next.rest.is_none()
                    && questions.first().is_none_or(|first| first.subject == next.subject) =>
            {
                questions.push(next);
            }
            _ => break,
        }
    }
    let labels: usize = questions.iter().map(|question| question.labels.len()).sum();
    if labels < FEWEST_LABELS {
        return Statement::If { arms, otherwise };
    }
    let subject = questions[0].subject.clone();
    let (mut arms, mut otherwise) = (arms, otherwise);
    // What asks for something else is left for the other values.
    let rest = arms.split_off(questions.len());
    if !rest.is_empty() {
        otherwise = vec![Statement::If { arms: rest, otherwise }];
    }
    let mut taken: Vec<Word> = Vec::new();
    let mut kept = Vec::new();
    for (mut question, (_, body)) in questions.into_iter().zip(arms) {
        question.labels.retain(|label| !taken.contains(label));
        taken.extend(question.labels.iter().cloned());
        if !question.labels.is_empty() {
            kept.push((question.labels, body));
        }
    }
    Statement::Case { subject, arms: kept, otherwise }
}

/// The statements with every sequence of `if`s that exclude each other as one `case`.
pub(super) fn sequences_as_cases(statements: Vec<Statement>) -> Vec<Statement> {
    let mut out: Vec<Statement> = Vec::new();
    let mut run: Option<Run> = None;
    for statement in statements {
        let found = alone(&statement);
        if let (Some(run), Some((question, body))) = (&mut run, &found)
            && run.takes(question, body)
        {
            run.arms.push((question.labels.clone(), body.clone()));
            run.original.push(statement);
            continue;
        }
        out.extend(run.take().into_iter().flat_map(Run::finished));
        match found {
            Some((question, body)) if !disturbs(&body, &question) => {
                run = Some(Run {
                    arms: vec![(question.labels.clone(), body)],
                    question,
                    original: vec![statement],
                });
            }
            _ => out.push(statement),
        }
    }
    out.extend(run.into_iter().flat_map(Run::finished));
    out
}

/// A sequence of `if`s about one subject.
struct Run {
    question: Question,
    arms: Vec<Arm>,
    original: Vec<Statement>,
}

impl Run {
    /// Whether the next `if` excludes all before.
    fn takes(&self, question: &Question, body: &[Statement]) -> bool {
        let is_new = |label: &Word| !self.arms.iter().any(|(labels, _)| labels.contains(label));
        question.subject == self.question.subject
            && question.rest == self.question.rest
            && question.labels.iter().all(is_new)
            && !disturbs(body, question)
    }

    fn finished(self) -> Vec<Statement> {
        let labels: usize = self.arms.iter().map(|(labels, _)| labels.len()).sum();
        // One body under a short condition needs no `case`.
        if labels < FEWEST_LABELS + usize::from(self.arms.len() == 1) {
            return self.original;
        }
        let Question { subject, rest, .. } = self.question;
        let case = Statement::Case { subject, arms: self.arms, otherwise: Vec::new() };
        vec![match rest {
            None => case,
            Some(rest) => Statement::If { arms: vec![(rest, vec![case])], otherwise: Vec::new() },
        }]
    }
}

/// Whether the body writes what the question is about.
fn disturbs(body: &[Statement], question: &Question) -> bool {
    written(body).into_iter().any(|target| {
        reads(&question.subject, target)
            || question.rest.as_ref().is_some_and(|rest| reads(rest, target))
    })
}

/// The question of an `if` with one arm, and its body.
fn alone(statement: &Statement) -> Option<(Question, Vec<Statement>)> {
    match statement {
        Statement::If { arms, otherwise } if otherwise.is_empty() => match arms.as_slice() {
            [(condition, body)] => question(condition).map(|question| (question, body.clone())),
            _ => None,
        },
        _ => None,
    }
}

fn question(condition: &Expression) -> Option<Question> {
    let mut conjuncts = Vec::new();
    flatten(condition, &mut conjuncts);
    let at = conjuncts.iter().position(|part| alternatives(part).is_some())?;
    let (subject, labels) = alternatives(conjuncts.remove(at))?;
    let rest =
        conjuncts.into_iter().cloned().reduce(|left, right| Expression::logic(true, left, right));
    Some(Question { subject, labels, rest })
}

/// The operands of a conjunction.
fn flatten<'a>(condition: &'a Expression, out: &mut Vec<&'a Expression>) {
    match condition {
        Expression::Logic(true, left, right) | Expression::Binary(Arithmetic::And, left, right)
            if condition.width() == 1 =>
        {
            flatten(left, out);
            flatten(right, out);
        }
        other => out.push(other),
    }
}

/// The value and the constants, if that is all an expression compares.
fn alternatives(condition: &Expression) -> Option<(Expression, Vec<Word>)> {
    match condition {
        Expression::Compare(Relation::Equal, subject, label) => {
            Some((subject.as_ref().clone(), vec![label.constant()?.clone()]))
        }
        Expression::Logic(false, left, right) | Expression::Binary(Arithmetic::Or, left, right)
            if condition.width() == 1 =>
        {
            let ((subject, mut labels), (other, more)) =
                (alternatives(left)?, alternatives(right)?);
            labels.extend(
                more.into_iter().filter(|label| !labels.contains(label)).collect::<Vec<_>>(),
            );
            (subject == other).then_some((subject, labels))
        }
        _ => None,
    }
}

/// Whether the arms have a label for every value.
pub(crate) fn is_full(subject: &Expression, arms: &[Arm]) -> bool {
    let labels: usize = arms.iter().map(|(labels, _)| labels.len()).sum();
    1usize.checked_shl(subject.width() as u32) == Some(labels)
}

/// Whether `subject` is one of `labels`.
pub(super) fn is_one_of(subject: &Expression, labels: &[Word]) -> Expression {
    labels.iter().fold(Expression::bit(false), |found, label| {
        let label = Expression::Constant(label.clone());
        Expression::logic(
            false,
            found,
            Expression::compare(Relation::Equal, subject.clone(), label),
        )
    })
}
