//! The text of expressions.

use super::Writer;
use crate::expression::{Arithmetic, Bits, Direction, Expression, Reduction, Relation, SignalId};
use crate::table::Table;
use crate::word::Word;

/// What an expression's text needs from around it.
trait Surroundings {
    /// A constant's name, or its digits.
    fn constant(&mut self, word: &Word) -> String {
        constant(word)
    }

    fn signal(&mut self, signal: SignalId, bits: Bits) -> String;

    /// Bits of an expression that needs a name.
    fn part(&mut self, value: &Expression, low: usize, width: usize) -> String;
}

/// `name`, `name[3]` or `name[3:0]`.
pub(super) fn bits_of(name: &str, width: usize, bits: Bits) -> String {
    match bits {
        Bits::Every => name.to_owned(),
        Bits::Some { width: taken, .. } if taken == width => name.to_owned(),
        Bits::Some { low, width: 1 } => format!("{name}[{low}]"),
        Bits::Some { low, width } => format!("{name}[{}:{low}]", low + width - 1),
    }
}

/// A constant with its exact width.
pub(super) fn constant(word: &Word) -> String {
    if word.bits() == 1 {
        format!("1'b{}", word.to_u64())
    } else if word.significant_bits() <= 12 {
        format!("{}'d{}", word.bits(), word.to_u64())
    } else {
        format!("{}'h{:x}", word.bits(), word)
    }
}

/// A shift's amount, in the fewest bits.
fn amount(value: &Expression, around: &mut impl Surroundings) -> String {
    match value.constant() {
        Some(word) => constant(&Word::new(word.significant_bits().max(1), word.to_u64())),
        None => operand(value, around),
    }
}

/// The operator of an operation.
pub(super) fn sign(operation: Arithmetic) -> &'static str {
    match operation {
        Arithmetic::Add => "+",
        Arithmetic::Subtract => "-",
        Arithmetic::And => "&",
        Arithmetic::Or => "|",
        Arithmetic::Xor => "^",
    }
}

fn comparison(relation: Relation) -> &'static str {
    match relation {
        Relation::Equal => "==",
        Relation::NotEqual => "!=",
        Relation::Less => "<",
        Relation::LessOrEqual => "<=",
        Relation::Greater => ">",
        Relation::GreaterOrEqual => ">=",
    }
}

fn print(expression: &Expression, around: &mut impl Surroundings) -> String {
    match expression {
        Expression::Constant(word) => around.constant(word),
        Expression::Read { signal, low, width } => {
            around.signal(*signal, Bits::Some { low: *low, width: *width })
        }
        Expression::Concatenate(parts) => {
            let texts = part_texts(parts, around);
            match texts.as_slice() {
                // A repetition has braces of its own.
                [one] => one.clone(),
                _ => format!("{{{}}}", texts.join(", ")),
            }
        }
        Expression::Not(value) => {
            let operator = if value.width() == 1 { "!" } else { "~" };
            format!("{operator}{}", primary(value, around))
        }
        Expression::Binary(operation, left, right) => {
            let same = matches!(left.as_ref(), Expression::Binary(inner, ..) if inner == operation)
                && *operation != Arithmetic::Subtract;
            let left = if same { print(left, around) } else { operand(left, around) };
            format!("{left} {} {}", sign(*operation), operand(right, around))
        }
        Expression::Shift(direction, value, distance) => {
            let operator = if *direction == Direction::Left { "<<" } else { ">>" };
            format!("{} {operator} {}", operand(value, around), amount(distance, around))
        }
        Expression::Compare(relation, left, right) => {
            let operator = comparison(*relation);
            format!("{} {operator} {}", operand(left, around), operand(right, around))
        }
        Expression::Reduce(reduction, value) => {
            let operator = match reduction {
                Reduction::All => "&",
                Reduction::Any => "|",
                Reduction::Odd => "^",
            };
            format!("{operator}{}", primary(value, around))
        }
        Expression::Logic(and, left, right) => {
            let same = matches!(left.as_ref(), Expression::Logic(inner, ..) if inner == and);
            let left = if same { print(left, around) } else { operand(left, around) };
            format!("{left} {} {}", if *and { "&&" } else { "||" }, operand(right, around))
        }
        Expression::Choose(condition, value, other) => {
            let condition = condition_text(condition, around);
            format!("{condition} ? {} : {}", primary(value, around), primary(other, around))
        }
        Expression::Select { signal, index } => {
            let index = print(index, around);
            format!("{}[{index}]", around.signal(*signal, Bits::Every))
        }
        Expression::Part { value, low, width } => around.part(value, *low, *width),
    }
}

/// The parts of a concatenation; those that come several times in a row as a repetition.
fn part_texts(parts: &[Expression], around: &mut impl Surroundings) -> Vec<String> {
    let mut texts = Vec::new();
    for run in parts.chunk_by(|left, right| left == right) {
        let text = part_text(&run[0], around);
        match run.len() {
            1 => texts.push(text),
            2 => texts.extend([text.clone(), text]),
            count => texts.push(format!("{{{count}{{{text}}}}}")),
        }
    }
    texts
}

/// A part of a concatenation.
fn part_text(part: &Expression, around: &mut impl Surroundings) -> String {
    let text = print(part, around);
    if matches!(part, Expression::Choose(..)) { format!("({text})") } else { text }
}

/// What a multiplexer looks at.
fn condition_text(condition: &Expression, around: &mut impl Surroundings) -> String {
    match condition {
        Expression::Not(_) => print(condition, around),
        other => primary(other, around),
    }
}

/// An operand of a binary operator.
fn operand(expression: &Expression, around: &mut impl Surroundings) -> String {
    match expression {
        Expression::Not(_) => print(expression, around),
        other => primary(other, around),
    }
}

/// An operand of a unary operator.
fn primary(expression: &Expression, around: &mut impl Surroundings) -> String {
    let text = print(expression, around);
    match expression {
        Expression::Constant(_)
        | Expression::Read { .. }
        | Expression::Concatenate(_)
        | Expression::Select { .. }
        | Expression::Part { .. } => text,
        _ => format!("({text})"),
    }
}

/// For measuring: nothing counts as used, and what will get a name is written out.
struct Draft<'a>(&'a Table);

impl Surroundings for Draft<'_> {
    fn constant(&mut self, word: &Word) -> String {
        let named = word.name().and_then(|number| self.0.constants.get(number));
        named.map_or_else(|| constant(word), |constant| constant.name.clone())
    }

    fn signal(&mut self, signal: SignalId, bits: Bits) -> String {
        let found = &self.0.signals[signal];
        bits_of(&found.name, found.width, bits)
    }

    fn part(&mut self, value: &Expression, _low: usize, _width: usize) -> String {
        primary(value, self)
    }
}

/// The expression about as the module will show it.
pub(crate) fn text_in_module(expression: &Expression, table: &Table) -> String {
    print(expression, &mut Draft(table))
}

/// For errors: no names are made, and nothing counts as used.
struct Bare<'a>(&'a Table);

impl Surroundings for Bare<'_> {
    fn signal(&mut self, signal: SignalId, bits: Bits) -> String {
        let found = &self.0.signals[signal];
        bits_of(&crate::collect::readable(&found.key), found.width, bits)
    }

    fn part(&mut self, value: &Expression, low: usize, width: usize) -> String {
        let text = primary(value, self);
        bits_of(&text, value.width(), Bits::Some { low, width })
    }
}

/// The expression as an error shows it.
pub(crate) fn text(expression: &Expression, table: &Table) -> String {
    print(expression, &mut Bare(table))
}

/// An expression's text, and the lines that must come before it in the same process.
pub(super) struct Printed {
    pub text: String,
    pub before: Vec<String>,
}

struct Printing<'a, 'b> {
    writer: &'a mut Writer<'b>,
    /// The signals the process computes, whose values are on their way.
    own: &'a [SignalId],
    purpose: &'a str,
    before: Vec<String>,
}

impl Surroundings for Printing<'_, '_> {
    fn constant(&mut self, word: &Word) -> String {
        self.writer.constant(word)
    }

    fn signal(&mut self, signal: SignalId, bits: Bits) -> String {
        // A field of a value on its way has no name.
        let named = if self.own.contains(&signal) { None } else { self.writer.field(signal, bits) };
        named.unwrap_or_else(|| self.writer.signal(signal, bits))
    }

    fn part(&mut self, value: &Expression, low: usize, width: usize) -> String {
        let is_local = self.own.iter().any(|own| crate::process::reads(value, *own));
        // A process may compute the same expression twice, of different values on their way.
        let known = self
            .writer
            .named
            .iter()
            .position(|named| !is_local && !named.is_local && named.value == *value);
        let position = known.unwrap_or_else(|| {
            let position = self.writer.named.len();
            let name = self.writer.table.fresh(&format!("{}_part", self.purpose));
            let used = vec![false; value.width()];
            self.writer.named.push(super::Named {
                name: name.clone(),
                value: value.clone(),
                is_local,
                used,
            });
            if is_local {
                let text = print(value, self);
                self.before.push(format!("{name} = {text};"));
            }
            position
        });
        let bits = Bits::Some { low, width };
        let named = &mut self.writer.named[position];
        Writer::mark(&mut named.used, bits);
        bits_of(&named.name, named.used.len(), bits)
    }
}

impl Writer<'_> {
    /// The conditions and values of a chain of multiplexers, and the value where no condition holds.
    pub(super) fn chain(
        &mut self,
        value: &Expression,
        purpose: &str,
    ) -> (Vec<(String, String)>, String) {
        let mut printing = Printing { writer: self, own: &[], purpose, before: Vec::new() };
        let (mut choices, mut rest) = (Vec::new(), value);
        while let Expression::Choose(condition, chosen, other) = rest {
            choices.push((condition_text(condition, &mut printing), print(chosen, &mut printing)));
            rest = other;
        }
        (choices, print(rest, &mut printing))
    }

    /// The texts of the parts of a concatenation.
    pub(super) fn parts(&mut self, parts: &[Expression], purpose: &str) -> Vec<String> {
        let mut printing = Printing { writer: self, own: &[], purpose, before: Vec::new() };
        part_texts(parts, &mut printing)
    }

    /// The texts of the operands of a sequence of one operation.
    pub(super) fn operands(
        &mut self,
        value: &Expression,
        operation: Arithmetic,
        purpose: &str,
    ) -> Vec<String> {
        let mut printing = Printing { writer: self, own: &[], purpose, before: Vec::new() };
        let operands = value.operands(operation);
        operands.into_iter().map(|each| operand(each, &mut printing)).collect()
    }

    /// The text of an expression outside of processes, or in one that reads only final values.
    pub(super) fn expression(&mut self, expression: &Expression, purpose: &str) -> Printed {
        self.expression_within(expression, &[], purpose)
    }

    /// The text of an expression in the process that computes `own`.
    pub(super) fn expression_within(
        &mut self,
        expression: &Expression,
        own: &[SignalId],
        purpose: &str,
    ) -> Printed {
        let mut printing = Printing { writer: self, own, purpose, before: Vec::new() };
        let text = print(expression, &mut printing);
        Printed { text, before: printing.before }
    }
}
