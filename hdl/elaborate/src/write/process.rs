//! The text of processes.

use super::Writer;
use super::expression::constant;
use crate::expression::{Expression, SignalId};
use crate::lower::Statement;
use crate::options::Reset;
use crate::process::Process;

const STEP: &str = "    ";

/// A longer concatenation gets a line for each part.
const LONGEST: usize = 100;

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
        self.statements(&process.statements, &own, "=", 1, &mut body);
        let mut lines = vec!["always @* begin".to_owned()];
        // Not every path computes them, and none may become a latch.
        for named in self.named[first_name..].iter().filter(|named| named.is_local) {
            lines.push(format!("{STEP}{} = {}'d0;", named.name, named.used.len()));
        }
        lines.extend(body);
        lines.push("end".into());
        lines
    }

    fn continuous(&mut self, name: &str, value: &Expression) -> Vec<String> {
        let line = format!("assign {name} = {};", self.expression(value, name).text);
        match value {
            Expression::Concatenate(parts) if line.len() > LONGEST => {
                let mut lines = vec![format!("assign {name} = {{")];
                let last = parts.len() - 1;
                for (index, part) in parts.iter().enumerate() {
                    let comma = if index == last { "" } else { "," };
                    lines.push(format!("{STEP}{}{comma}", self.expression(part, name).text));
                }
                lines.push("};".into());
                lines
            }
            _ => vec![line],
        }
    }

    /// The lines of the process of the registers that a reset changes, or of those that none does.
    pub(super) fn registers(&mut self, is_reset: bool) -> Vec<String> {
        let plan = self.plan;
        let present: Vec<(SignalId, SignalId, String)> = self
            .table
            .registers
            .iter()
            .filter(|register| register.is_reset == is_reset && register.reset.bits() > 0)
            .map(|register| (register.now, register.next, constant(&register.reset)))
            .collect();
        if present.is_empty() {
            return Vec::new();
        }
        let depth = if is_reset { 2 } else { 1 };
        let indent = STEP.repeat(depth);
        let mut body = Vec::new();
        for (now, next, _) in &present {
            if plan.processes.iter().any(|process| process.targets.contains(next)) {
                let next = self.signal(*next, crate::expression::Bits::Every);
                body.push(format!("{indent}{} <= {next};", self.table.signals[*now].name));
            }
        }
        let clocked = if is_reset { &plan.clocked } else { &plan.clocked_without_reset };
        self.statements(clocked, &[], "<=", depth, &mut body);
        let (event, active) = match self.reset {
            Reset::AsynchronousActiveLow if is_reset => {
                ("posedge clock or negedge reset_n", "!reset_n")
            }
            _ => ("posedge clock", "reset"),
        };
        let mut lines = vec![format!("always @({event}) begin")];
        if is_reset {
            lines.push(format!("{STEP}if ({active}) begin"));
            for (now, _, reset) in &present {
                lines.push(format!("{STEP}{STEP}{} <= {reset};", self.table.signals[*now].name));
            }
            if !body.is_empty() {
                lines.push(format!("{STEP}end else begin"));
                lines.extend(body);
            }
            lines.push(format!("{STEP}end"));
        } else {
            lines.extend(body);
        }
        lines.push("end".into());
        lines
    }

    /// The name on the left of an assignment: in the clocked process, the register rather than its next value.
    fn target(&self, target: SignalId, assignment: &str) -> String {
        let register = self
            .table
            .registers
            .iter()
            .find(|register| assignment == "<=" && register.next == target);
        self.table.signals[register.map_or(target, |register| register.now)].name.clone()
    }

    fn statements(
        &mut self,
        statements: &[Statement],
        own: &[SignalId],
        assignment: &str,
        depth: usize,
        out: &mut Vec<String>,
    ) {
        let indent = STEP.repeat(depth);
        for statement in statements {
            match statement {
                Statement::Assign { target, value } => {
                    let name = self.target(*target, assignment);
                    let value = self.expression_within(value, own, &name);
                    out.extend(value.before.iter().map(|line| format!("{indent}{line}")));
                    out.push(format!("{indent}{name} {assignment} {};", value.text));
                }
                Statement::If { arms, otherwise } => {
                    let conditions: Vec<_> = arms
                        .iter()
                        .map(|(condition, _)| self.expression_within(condition, own, "condition"))
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
                        self.statements(body, own, assignment, depth + 1, out);
                    }
                    if !otherwise.is_empty() {
                        out.push(format!("{indent}end else begin"));
                        self.statements(otherwise, own, assignment, depth + 1, out);
                    }
                    out.push(format!("{indent}end"));
                }
                Statement::Case { subject, arms, otherwise } => {
                    let subject = self.expression_within(subject, own, "subject");
                    out.extend(subject.before.iter().map(|line| format!("{indent}{line}")));
                    out.push(format!("{indent}case ({})", subject.text));
                    for (label, body) in arms {
                        self.arm(&constant(label), body, own, assignment, depth + 1, out);
                    }
                    self.arm("default", otherwise, own, assignment, depth + 1, out);
                    out.push(format!("{indent}endcase"));
                }
            }
        }
    }

    fn arm(
        &mut self,
        label: &str,
        body: &[Statement],
        own: &[SignalId],
        assignment: &str,
        depth: usize,
        out: &mut Vec<String>,
    ) {
        let indent = STEP.repeat(depth);
        if body.is_empty() {
            out.push(format!("{indent}{label}: ;"));
            return;
        }
        out.push(format!("{indent}{label}: begin"));
        self.statements(body, own, assignment, depth + 1, out);
        out.push(format!("{indent}end"));
    }
}
