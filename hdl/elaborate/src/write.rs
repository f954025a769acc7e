//! The text of modules.

mod expression;
mod fault;
mod module;
mod parameter;
mod ports;
mod process;
mod sweep;
mod wrapper;

pub(crate) use expression::{text, text_in_module};
pub(crate) use module::write;
pub(crate) use parameter::ParameterText;
pub(crate) use wrapper::Wrapper;

use crate::collect::CLOCK_ENABLE;
use crate::expression::{Bits, Expression, SignalId};
use crate::fault::Faults;
use crate::options::{Memories, Options, Reset};
use crate::process::Plan;
use crate::table::Table;
use crate::word::Word;
use std::collections::BTreeSet;

/// Stands in a module's text for the name of a module, until all names are known.
pub(crate) fn placeholder(module: usize) -> String {
    format!("\u{1}{module}\u{1}")
}

/// Stands for the name of the module itself.
pub(crate) const OWN_NAME: &str = "\u{1}own\u{1}";

/// `[8:0] `, or nothing for one bit.
fn range(width: usize) -> String {
    if width == 1 { String::new() } else { format!("[{}:0] ", width - 1) }
}

/// A line comment after a declaration.
fn remark(description: &str) -> String {
    let description = description.replace(['\n', '\r'], " ");
    if description.is_empty() { String::new() } else { format!(" // {description}") }
}

/// A name given to an expression whose bits Verilog can only take by name.
struct Named {
    name: String,
    value: Expression,
    /// Whether it lives inside one process, being made of values on their way.
    is_local: bool,
    used: Vec<bool>,
}

/// A field of a word that arrives whole, once the text reads it.
struct Field {
    word: SignalId,
    low: usize,
    name: String,
    used: Vec<bool>,
}

/// What the options say of every module.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    pub reset: Reset,
    pub clock_enable: bool,
    pub memories: Memories,
    pub faults: bool,
}

impl Style {
    pub fn of(options: &Options) -> Self {
        let Options { reset, clock_enable, memories, faults, .. } = *options;
        Self { reset, clock_enable, memories, faults }
    }

    /// What a clocked assignment waits for: `condition`, and the clock's enable if there is one.
    fn enabled(self, condition: Option<String>) -> Option<String> {
        match (self.clock_enable, condition) {
            (false, condition) => condition,
            (true, None) => Some(CLOCK_ENABLE.into()),
            (true, Some(condition)) => {
                let is_name = condition.chars().all(|one| one.is_alphanumeric() || one == '_');
                let condition = if is_name { condition } else { format!("({condition})") };
                Some(format!("{CLOCK_ENABLE} && {condition}"))
            }
        }
    }
}

/// `lines` in a clocked process of their own, below a condition if there is one.
fn clocked(condition: Option<String>, lines: &[String]) -> Vec<String> {
    let mut text = vec!["always @(posedge clock) begin".to_owned()];
    match condition {
        Some(condition) => {
            text.push(format!("    if ({condition}) begin"));
            text.extend(lines.iter().map(|line| format!("        {line}")));
            text.push("    end".into());
        }
        None => text.extend(lines.iter().map(|line| format!("    {line}"))),
    }
    text.push("end".into());
    text
}

/// One module on its way to text.
struct Writer<'a> {
    table: &'a mut Table,
    plan: &'a Plan,
    style: Style,
    /// The memories whose cells are in modules of their own, by the names of the instances.
    wrappers: Vec<(String, Wrapper)>,
    /// The bits of each signal that the text reads.
    used: Vec<Vec<bool>>,
    named: Vec<Named>,
    /// The fields that the text reads.
    fields: Vec<Field>,
    /// The constants that the text names.
    constants: BTreeSet<usize>,
    /// The faults so far, if the design has any.
    faults: Option<Faults>,
}

impl Writer<'_> {
    fn mark(used: &mut [bool], bits: Bits) {
        let (low, width) = match bits {
            Bits::Every => (0, used.len()),
            Bits::Some { low, width } => (low, width),
        };
        used.iter_mut().skip(low).take(width).for_each(|bit| *bit = true);
    }

    /// A constant's name, or its digits.
    fn constant(&mut self, word: &Word) -> String {
        match word.name().and_then(|number| Some((number, self.table.constants.get(number)?))) {
            Some((number, constant)) => {
                let name = constant.name.clone();
                self.constants.insert(number);
                name
            }
            None => expression::constant(word),
        }
    }

    /// The name of a signal; that of the signal it drives, if it is the output of a sub-block.
    fn name(&self, signal: SignalId) -> &str {
        let shown = self.plan.direct.get(&signal).copied().unwrap_or(signal);
        &self.table.signals[shown].name
    }

    fn signal(&mut self, signal: SignalId, bits: Bits) -> String {
        Self::mark(&mut self.used[signal], bits);
        expression::bits_of(
            &self.table.signals[signal].name,
            self.table.signals[signal].width,
            bits,
        )
    }

    /// The name and the bits of the field that holds these bits of a word; none if no one field does.
    fn field(&mut self, word: SignalId, bits: Bits) -> Option<String> {
        let Bits::Some { low, width } = bits else { return None };
        let mut start = 0;
        for (part, part_width) in self.plan.fields.get(&word)? {
            if start <= low && low + width <= start + part_width {
                let known =
                    self.fields.iter().position(|field| field.word == word && field.low == start);
                let position = known.unwrap_or_else(|| {
                    let name = format!("{}_{part}", self.table.signals[word].name);
                    let name = self.table.fresh(&name);
                    let used = vec![false; *part_width];
                    self.fields.push(Field { word, low: start, name, used });
                    self.fields.len() - 1
                });
                let taken = Bits::Some { low: start, width: *part_width };
                Self::mark(&mut self.used[word], taken);
                let bits = Bits::Some { low: low - start, width };
                Self::mark(&mut self.fields[position].used, bits);
                return Some(expression::bits_of(&self.fields[position].name, *part_width, bits));
            }
            start += part_width;
        }
        None
    }

    /// A signal's value where it is used: its name, or the expression that stands for it.
    fn value(&mut self, signal: SignalId) -> String {
        match self.plan.inline.get(&signal) {
            Some(value) => self.expression(value, "connection").text,
            None => self.signal(signal, Bits::Every),
        }
    }
}
