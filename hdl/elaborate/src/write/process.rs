//! The text of processes.

use super::expression::{bits_of, constant, sign};
use super::{Writer, clocked};
use crate::collect::RESTART_REGISTERS;
use crate::expression::{Arithmetic, Bits, Expression, SignalId};
use crate::lower::Statement;
use crate::options::Reset;
use crate::process::{Process, each_assigned, is_full};
use crate::word::Word;
use std::collections::BTreeSet;

const STEP: &str = "    ";

/// A longer concatenation gets a line for each part.
const LONGEST: usize = 100;

/// A process on its way to text.
struct Assigning<'a> {
    /// The signals it computes, whose values are on their way.
    own: &'a [SignalId],
    operator: &'static str,
    /// The targets of the lines so far.
    written: BTreeSet<SignalId>,
}

impl Assigning<'_> {
    /// The bits of `shown` that an assignment of `value` changes, and their value.
    fn changed_bits(
        &mut self,
        target: SignalId,
        shown: SignalId,
        value: &Expression,
    ) -> (Bits, Expression) {
        // A register keeps its bits only if no line before has given it another value in this cycle.
        let keeps = self.operator == "=" || !self.written.contains(&target);
        self.written.insert(target);
        let part = if keeps { value.replaces_part_of(shown) } else { None };
        match part {
            Some((low, part)) => (Bits::Some { low, width: part.width() }, part),
            None => (Bits::Every, value.clone()),
        }
    }
}

impl Writer<'_> {
    /// The lines of a process that computes signals from each other: `assign`, or `always @*`.
    pub(super) fn combinational(&mut self, process: &Process) -> Vec<String> {
        if let Some((target, value)) = process.continuous() {
            let name = self.table.signals[target].name.clone();
            return self.continuous(&name, value);
        }
        let own: Vec<SignalId> = process.targets.iter().copied().collect();
        let first_name = self.named.len();
        let mut body = Vec::new();
        let mut assigning = Assigning { own: &own, operator: "=", written: BTreeSet::new() };
        self.statements(&process.statements, &mut assigning, 1, &mut body);
        let mut lines = vec!["always @* begin".to_owned()];
        // Not every path computes them, and none may become a latch.
        for named in self.named[first_name..].iter().filter(|named| named.is_local) {
            let zero = constant(&Word::zero(named.used.len()));
            lines.push(format!("{STEP}{} = {zero};", named.name));
        }
        lines.extend(body);
        lines.push("end".into());
        lines
    }

    fn continuous(&mut self, name: &str, value: &Expression) -> Vec<String> {
        if matches!(value, Expression::Choose(..)) {
            return self.multiplexer(name, value);
        }
        let line = format!("assign {name} = {};", self.expression(value, name).text);
        match value {
            Expression::Binary(operation, ..)
                if line.len() > LONGEST && value.operands(*operation).len() > 2 =>
            {
                self.filled(name, *operation, value)
            }
            Expression::Concatenate(parts) if line.len() > LONGEST => {
                let parts = self.parts(parts, name);
                let last = parts.len() - 1;
                let comma = |index| if index == last { "" } else { "," };
                let lines = parts.iter().enumerate();
                let lines = lines.map(|(index, part)| format!("{STEP}{part}{}", comma(index)));
                let first = format!("assign {name} = {{");
                [first].into_iter().chain(lines).chain(["};".to_owned()]).collect()
            }
            _ => vec![line],
        }
    }

    /// Lines with as many operands of one operation as there is room for.
    fn filled(&mut self, name: &str, operation: Arithmetic, value: &Expression) -> Vec<String> {
        let mut lines = vec![format!("assign {name} =")];
        let mut line = STEP.to_owned();
        for (index, operand) in self.operands(value, operation, name).into_iter().enumerate() {
            if index > 0 {
                line.push_str(&format!(" {}", sign(operation)));
                if line.len() + operand.len() > LONGEST {
                    lines.push(std::mem::replace(&mut line, STEP.to_owned()));
                } else {
                    line.push(' ');
                }
            }
            line.push_str(&operand);
        }
        lines.push(format!("{line};"));
        lines
    }

    /// One line, or one line for each condition.
    fn multiplexer(&mut self, name: &str, value: &Expression) -> Vec<String> {
        let (choices, rest) = self.chain(value, name);
        if let [(condition, chosen)] = choices.as_slice() {
            let line = format!("assign {name} = {condition} ? {chosen} : {rest};");
            if line.len() + STEP.len() <= LONGEST {
                return vec![line];
            }
        }
        let mut lines = vec![format!("assign {name} =")];
        lines.extend(
            choices.iter().map(|(condition, chosen)| format!("{STEP}{condition} ? {chosen} :")),
        );
        lines.push(format!("{STEP}{rest};"));
        lines
    }

    /// A register's value after reset; by name, if the register gets the same value by a name elsewhere.
    fn reset_value(&mut self, next: SignalId, reset: &Word) -> String {
        let mut named = None;
        let bodies = self.plan.processes.iter().map(|process| &process.statements);
        for statements in bodies.chain([&self.plan.clocked]) {
            each_assigned(statements, next, &mut |value| {
                value.each(&mut |part| {
                    let same = part.constant().filter(|word| word.name().is_some());
                    named = named.take().or(same.filter(|word| *word == reset).cloned());
                });
            });
        }
        self.constant(named.as_ref().unwrap_or(reset))
    }

    /// The lines of the process of the registers that a reset changes, or of those that none does.
    pub(super) fn registers(&mut self, is_reset: bool) -> Vec<String> {
        let plan = self.plan;
        let present: Vec<(SignalId, SignalId, Word)> = self
            .table
            .registers
            .iter()
            .filter(|register| register.is_reset == is_reset && register.reset.bits() > 0)
            .map(|register| (register.now, register.next, register.reset.clone()))
            .collect();
        let present: Vec<(SignalId, SignalId, String)> = present
            .into_iter()
            .map(|(now, next, reset)| (now, next, self.reset_value(next, &reset)))
            .collect();
        if present.is_empty() {
            return Vec::new();
        }
        let depth = if is_reset { 2 } else { 1 };
        let indent = STEP.repeat(depth);
        let mut body = Vec::new();
        for (now, next, _) in &present {
            if plan.processes.iter().any(|process| process.targets.contains(next)) {
                let next = self.signal(*next, Bits::Every);
                body.push(format!("{indent}{} <= {next};", self.table.signals[*now].name));
            }
        }
        let next_values = if is_reset { &plan.clocked } else { &plan.clocked_without_reset };
        let mut assigning = Assigning { own: &[], operator: "<=", written: BTreeSet::new() };
        self.statements(next_values, &mut assigning, depth, &mut body);
        if is_reset {
            let resets = present.iter().map(|(now, _, reset)| {
                format!("{STEP}{STEP}{} <= {reset};", self.table.signals[*now].name)
            });
            return self.with_reset(&resets.collect::<Vec<_>>(), body);
        }
        let lines: Vec<String> =
            body.iter().map(|line| line.strip_prefix(STEP).unwrap_or(line).to_owned()).collect();
        clocked(self.style.enabled(None), &lines)
    }

    /// A clocked process: `resets` while the reset is active or the registers are restarted, else `body`.
    fn with_reset(&self, resets: &[String], body: Vec<String>) -> Vec<String> {
        let restart = self.style.enabled(Some(RESTART_REGISTERS.into()));
        let restart = restart.filter(|_| self.table.scope.restart);
        let (event, active) = match (self.style.reset, &restart) {
            (Reset::AsynchronousActiveLow, _) => {
                ("posedge clock or negedge reset_n", "!reset_n".into())
            }
            (_, Some(restart)) if self.style.clock_enable => {
                ("posedge clock", format!("reset || ({restart})"))
            }
            (_, Some(restart)) => ("posedge clock", format!("reset || {restart}")),
            (_, None) => ("posedge clock", "reset".to_owned()),
        };
        let mut lines = vec![format!("always @({event}) begin")];
        lines.push(format!("{STEP}if ({active}) begin"));
        lines.extend_from_slice(resets);
        if let (Reset::AsynchronousActiveLow, Some(restart)) = (self.style.reset, &restart) {
            lines.push(format!("{STEP}end else if ({restart}) begin"));
            lines.extend_from_slice(resets);
        }
        if !body.is_empty() {
            lines.push(match self.style.enabled(None) {
                Some(enable) => format!("{STEP}end else if ({enable}) begin"),
                None => format!("{STEP}end else begin"),
            });
            lines.extend(body);
        }
        lines.extend([format!("{STEP}end"), "end".into()]);
        lines
    }

    /// The signal on the left of an assignment, and its name: in the clocked process, the register rather than its
    /// next value.
    fn target(&self, target: SignalId, operator: &str) -> (SignalId, String) {
        let register = self
            .table
            .registers
            .iter()
            .find(|register| operator == "<=" && register.next == target);
        let shown = register.map_or(target, |register| register.now);
        (shown, self.table.signals[shown].name.clone())
    }

    fn statements(
        &mut self,
        statements: &[Statement],
        process: &mut Assigning<'_>,
        depth: usize,
        out: &mut Vec<String>,
    ) {
        let indent = STEP.repeat(depth);
        for statement in statements {
            match statement {
                Statement::Assign { target, value } => {
                    let (shown, name) = self.target(*target, process.operator);
                    let (bits, value) = process.changed_bits(*target, shown, value);
                    let width = self.table.signals[shown].width;
                    let place = bits_of(&name, width, bits);
                    let value = self.expression_within(&value, process.own, &name);
                    out.extend(value.before.iter().map(|line| format!("{indent}{line}")));
                    out.push(format!("{indent}{place} {} {};", process.operator, value.text));
                }
                Statement::If { arms, otherwise } => {
                    let conditions: Vec<_> = arms
                        .iter()
                        .map(|(condition, _)| {
                            self.expression_within(condition, process.own, "condition")
                        })
                        .collect();
                    // The names an `else if` needs must be computed before the whole chain.
                    for condition in &conditions {
                        out.extend(condition.before.iter().map(|line| format!("{indent}{line}")));
                    }
                    for (position, (condition, (_, body))) in
                        conditions.iter().zip(arms).enumerate()
                    {
                        let opening = if position == 0 { "if" } else { "end else if" };
                        out.push(format!("{indent}{opening} ({}) begin", condition.text));
                        self.statements(body, process, depth + 1, out);
                    }
                    if !otherwise.is_empty() {
                        out.push(format!("{indent}end else begin"));
                        self.statements(otherwise, process, depth + 1, out);
                    }
                    out.push(format!("{indent}end"));
                }
                Statement::Case { subject, arms, otherwise } => {
                    let is_full = is_full(subject, arms);
                    let subject = self.expression_within(subject, process.own, "subject");
                    out.extend(subject.before.iter().map(|line| format!("{indent}{line}")));
                    out.push(format!("{indent}case ({})", subject.text));
                    for (labels, body) in arms {
                        let labels: Vec<String> =
                            labels.iter().map(|label| self.constant(label)).collect();
                        self.arm(&labels.join(", "), body, process, depth + 1, out);
                    }
                    if !is_full {
                        self.arm("default", otherwise, process, depth + 1, out);
                    }
                    out.push(format!("{indent}endcase"));
                }
            }
        }
    }

    fn arm(
        &mut self,
        label: &str,
        body: &[Statement],
        process: &mut Assigning<'_>,
        depth: usize,
        out: &mut Vec<String>,
    ) {
        let indent = STEP.repeat(depth);
        let mut lines = Vec::new();
        self.statements(body, process, depth + 1, &mut lines);
        match lines.as_slice() {
            [] => out.push(format!("{indent}{label}: ;")),
            [line] if line.len() + label.len() < LONGEST => {
                out.push(format!("{indent}{label}: {}", line.trim_start()));
            }
            _ => {
                out.push(format!("{indent}{label}: begin"));
                out.extend(lines);
                out.push(format!("{indent}end"));
            }
        }
    }
}
