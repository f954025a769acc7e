//! Packed words that the kernel makes: who reads some of their bits reads fields, and a field that only the word
//! reads needs no name.

use super::slice::each_expression;
use super::{Plan, Process, reads};
use crate::expression::{Expression, SignalId};
use crate::table::{PackedWord, Role, Table};
use std::collections::{BTreeMap, BTreeSet};

impl Plan {
    /// Puts fields in place of the bits of words inside the block; says whether there were any.
    pub(super) fn read_fields(&mut self, table: &Table) -> bool {
        let mut found = false;
        for packed in &table.packed {
            if table.signals[packed.word].role == Role::Local {
                found |= self.read_fields_of(packed, table);
            }
        }
        found
    }

    fn read_fields_of(&mut self, packed: &PackedWord, table: &Table) -> bool {
        let whole = table.signals[packed.word].width;
        let assembled = self
            .processes
            .iter()
            .find_map(|process| process.continuous().filter(|(target, _)| *target == packed.word));
        let Some((_, assembled)) = assembled else { return false };
        let mut low = 0;
        let mut fields = Vec::new();
        for part in &packed.parts {
            let width = table.signals[*part].width;
            let is_named = self.processes.iter().any(|process| process.targets.contains(part));
            // A field that is a copy has gone; the word has its value.
            fields.push(if is_named {
                Expression::read(*part, width)
            } else {
                assembled.bits(low, width)
            });
            low += width;
        }
        let fields = Expression::concatenated(fields.into_iter().rev());
        let is_part = |value: &Expression| {
            let mut found = false;
            value.reads(&mut |signal, bits| {
                found |= signal == packed.word && bits.width().is_some_and(|width| width < whole);
            });
            found
        };
        let value_of = |signal: SignalId, low: usize, width: usize| {
            (signal == packed.word && width < whole).then(|| fields.bits(low, width))
        };
        let computes = |process: &Process| {
            process.targets.contains(&packed.word)
                || packed.parts.iter().any(|part| process.targets.contains(part))
        };
        let mut found = false;
        for value in self.inline.values_mut().filter(|value| is_part(value)) {
            *value = value.with_reads(&value_of);
            found = true;
        }
        for clocked in [&mut self.clocked, &mut self.clocked_without_reset] {
            let mut any = false;
            each_expression(clocked, &mut |value| any |= is_part(value));
            if any {
                *clocked = super::alias::replaced(std::mem::take(clocked), &value_of);
                found = true;
            }
        }
        for process in self.processes.iter_mut().filter(|process| !computes(process)) {
            let mut any = false;
            each_expression(&process.statements, &mut |value| any |= is_part(value));
            if any {
                let statements = std::mem::take(&mut process.statements);
                process.statements = super::alias::replaced(statements, &value_of);
                process.as_assignment(table);
                found = true;
            }
        }
        found
    }

    /// Takes out the processes of fields that are one expression each and that only the word reads.
    pub(super) fn inline_fields(&mut self, table: &Table) {
        let words: BTreeSet<SignalId> = table.packed.iter().map(|packed| packed.word).collect();
        let mut read = BTreeSet::new();
        let mut visit = |value: &Expression| {
            value.reads(&mut |signal, _| {
                read.insert(signal);
            });
        };
        self.inline.values().for_each(&mut visit);
        each_expression(&self.clocked, &mut visit);
        each_expression(&self.clocked_without_reset, &mut visit);
        for process in self.processes.iter().filter(|process| process.targets.is_disjoint(&words)) {
            each_expression(&process.statements, &mut visit);
        }
        let mut fields: BTreeMap<SignalId, Expression> = BTreeMap::new();
        self.processes.retain(|process| match process.continuous() {
            Some((target, value))
                if table.signals[target].role == Role::Part && !read.contains(&target) =>
            {
                fields.insert(target, value.clone());
                false
            }
            _ => true,
        });
        let is_taken = |value: &Expression| fields.keys().any(|field| reads(value, *field));
        for process in &mut self.processes {
            let mut any = false;
            each_expression(&process.statements, &mut |value| any |= is_taken(value));
            if any {
                let value_of = |signal: SignalId, low: usize, width: usize| {
                    fields.get(&signal).map(|value| value.bits(low, width))
                };
                let statements = std::mem::take(&mut process.statements);
                process.statements = super::alias::replaced(statements, &value_of);
            }
        }
    }
}
