//! A whole module.

use super::expression::bits_of;
use super::{OWN_NAME, Style, Wrapper, Writer, clocked};
use crate::collect::{CLOCK_ENABLE, MEMORY_SWEEP, RESTART_REGISTERS};
use crate::expression::{Bits, SignalId};
use crate::fault::{FAULT_SELECT, Faults, Site};
use crate::options::{MemoryShape, RegisterShape};
use crate::process::Plan;
use crate::table::{MemoryBlock, Role, Table};
use crate::word::Word;
use std::collections::BTreeSet;

/// A module's text, with placeholders for module names, and what it stores.
pub(crate) struct Body {
    pub text: String,
    pub registers: Vec<RegisterShape>,
    pub memories: Vec<MemoryShape>,
    /// The memories that are in modules of their own, by the names of the instances.
    pub wrappers: Vec<(String, Wrapper)>,
    pub faults: Vec<Site>,
}

pub(crate) fn write(table: &mut Table, plan: &Plan, faults: Option<Faults>, style: Style) -> Body {
    let used = table.signals.iter().map(|signal| vec![false; signal.width]).collect();
    let mut writer = Writer {
        table,
        plan,
        style,
        wrappers: vec![],
        used,
        named: vec![],
        fields: vec![],
        constants: BTreeSet::new(),
        faults,
    };
    let text = writer.module();
    let registers =
        writer.table.registers.iter().map(|register| &writer.table.signals[register.now]);
    Body {
        text,
        registers: registers
            .filter(|signal| signal.width > 0)
            .map(|signal| RegisterShape { name: signal.name.clone(), width: signal.width })
            .collect(),
        memories: writer
            .table
            .memories
            .iter()
            .filter(|memory| memory.width > 0 && !writer.is_wrapped(memory))
            .map(|memory| MemoryShape {
                name: memory.name.clone(),
                depth: memory.depth,
                width: memory.word_width(),
            })
            .collect(),
        wrappers: writer.wrappers,
        faults: writer.faults.map_or_else(Vec::new, |faults| faults.sites),
    }
}

impl Writer<'_> {
    fn module(&mut self) -> String {
        let plan = self.plan;
        let mut blocks = self.instances();
        let (mut assigns, mut clocked) = (Vec::new(), Vec::new());
        for process in &plan.processes {
            let lines = self.combinational(process);
            if lines.len() > 1 {
                blocks.push(std::mem::take(&mut assigns));
                blocks.push(lines);
            } else {
                assigns.extend(lines);
            }
        }
        for memory in 0..self.table.memories.len() {
            let reads = self.memory_reads(memory);
            if self.table.memories[memory].synchronous { &mut clocked } else { &mut assigns }
                .extend(reads);
        }
        blocks.push(assigns);
        blocks.push(clocked);
        blocks.push(self.registers(true));
        blocks.push(self.registers(false));
        for memory in 0..self.table.memories.len() {
            blocks.push(self.memory_write(memory));
        }
        blocks.insert(0, self.named_values());
        let sink = self.sink();
        blocks.push(sink);
        blocks.insert(0, self.fields());
        blocks.insert(0, self.declarations());
        blocks.insert(0, self.constants());
        blocks.insert(0, self.fault_number());

        let ports = self.ports();
        let mut text = format!("module {OWN_NAME} (\n");
        ports.iter().for_each(|port| text.push_str(&format!("    {port}\n")));
        text.push_str(");\n");
        for lines in blocks.iter().filter(|lines| !lines.is_empty()) {
            text.push('\n');
            lines.iter().for_each(|line| text.push_str(&format!("    {line}\n")));
        }
        text.push_str("\nendmodule\n");
        text
    }

    /// The assignments of the names that expressions needed.
    fn named_values(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        let mut position = 0;
        // Writing one value may name another.
        while position < self.named.len() {
            if !self.named[position].is_local {
                let (name, value) =
                    (self.named[position].name.clone(), self.named[position].value.clone());
                let value = self.expression(&value, &name).text;
                lines.push(format!("assign {name} = {value};"));
            }
            position += 1;
        }
        lines
    }

    pub(super) fn memory_cell(&mut self, memory: usize, address: SignalId) -> String {
        let MemoryBlock { name, depth, .. } = &self.table.memories[memory];
        let (name, depth) = (name.clone(), *depth);
        if depth == 1 { name } else { format!("{name}[{}]", self.value(address)) }
    }

    fn memory_reads(&mut self, memory: usize) -> Vec<String> {
        if self.table.memories[memory].width == 0 {
            return Vec::new();
        }
        if self.table.memories[memory].sweep.is_some() {
            return self.swept_memory_reads(memory);
        }
        if self.is_wrapped(&self.table.memories[memory]) {
            return Vec::new();
        }
        let MemoryBlock { reads, synchronous, .. } = &self.table.memories[memory];
        let (reads, synchronous) = (reads.clone(), *synchronous);
        let mut lines = Vec::new();
        for (address, data) in reads {
            let cell = self.memory_cell(memory, address);
            let data = &self.table.signals[data].name;
            if synchronous {
                lines.extend(clocked(self.style.enabled(None), &[format!("{data} <= {cell};")]));
            } else {
                lines.push(format!("assign {data} = {cell};"));
            }
        }
        lines
    }

    /// The write port, or the instance of the module that holds the cells.
    fn memory_write(&mut self, memory: usize) -> Vec<String> {
        let MemoryBlock { width, write_enable, write_address, write_data, sweep, .. } =
            &self.table.memories[memory];
        let (width, address, sweep) = (*width, *write_address, sweep.clone());
        let (write_enable, write_data) = (*write_enable, *write_data);
        if width == 0 {
            return Vec::new();
        }
        let inline = self.plan.inline.get(&write_enable).and_then(|value| value.constant());
        let is_always = inline.is_some_and(Word::any) && sweep.is_none();
        if self.is_wrapped(&self.table.memories[memory]) {
            return self.wrapped_memory(memory);
        }
        let (cell, condition, data) = match &sweep {
            Some(sweep) => {
                let (condition, data) = self.swept_memory_write(memory, sweep);
                (self.swept_cell(memory, &sweep.comes, address), Some(condition), data)
            }
            None => {
                let data = self.value(write_data);
                let cell = self.memory_cell(memory, address);
                (cell, (!is_always).then(|| self.value(write_enable)), data)
            }
        };
        clocked(self.style.enabled(condition), &[format!("{cell} <= {data};")])
    }

    /// Whether something waits for the clock's enable: a register that nothing writes does not.
    fn uses_enable(&self) -> bool {
        let Plan { processes, clocked, clocked_without_reset, .. } = self.plan;
        let written = |next| processes.iter().any(|process| process.targets.contains(next));
        !clocked.is_empty()
            || !clocked_without_reset.is_empty()
            || self.table.registers.iter().any(|register| written(&register.next))
            || self.table.memories.iter().any(|memory| memory.width > 0)
            || self.table.children.iter().any(|child| child.interface.clocking.has_clock)
    }

    /// Names what nothing reads, so that a linter knows it is meant.
    fn sink(&mut self) -> Vec<String> {
        let mut idle = Vec::new();
        let (clock, reset) = self.table.used_pins();
        if self.table.clocking.has_clock && !clock {
            idle.push("clock".to_owned());
        }
        if self.table.clocking.has_clock && self.style.clock_enable && !self.uses_enable() {
            idle.push(CLOCK_ENABLE.to_owned());
        }
        if self.table.clocking.has_reset && !reset {
            idle.push(self.reset_name().to_owned());
        }
        let mut faults = self.faults.iter();
        if faults.any(|faults| faults.sites.is_empty()) && self.table.children.is_empty() {
            idle.push(FAULT_SELECT.to_owned());
        }
        for (index, signal) in self.table.signals.iter().enumerate() {
            let is_assigned =
                self.plan.processes.iter().any(|process| process.targets.contains(&index))
                    || self.plan.direct.values().any(|driven| *driven == index);
            let wants_reader = match signal.role {
                Role::Input if signal.name == RESTART_REGISTERS => !self.table.clocking.has_reset,
                Role::Input if signal.name == MEMORY_SWEEP => !self.table.sweeps_memories(),
                Role::ChildOutput if self.plan.direct.contains_key(&index) => false,
                Role::Input | Role::RegisterNow | Role::MemoryOutput | Role::ChildOutput => true,
                Role::Local | Role::MemoryInput => is_assigned,
                Role::Output | Role::RegisterNext | Role::ChildInput | Role::Part => false,
            };
            if wants_reader {
                idle.extend(unread(&signal.name, &self.used[index]));
            }
        }
        for field in &self.fields {
            idle.extend(unread(&field.name, &field.used));
        }
        for named in &self.named {
            idle.extend(unread(&named.name, &named.used));
        }
        if idle.is_empty() {
            return Vec::new();
        }
        let name = self.table.fresh("_unused_ok");
        let mut lines = vec![format!("wire {name} = &{{")];
        lines.push("    1'b0,".into());
        let last = idle.len() - 1;
        lines.extend(
            idle.iter()
                .enumerate()
                .map(|(index, bits)| format!("    {bits}{}", if index == last { "" } else { "," })),
        );
        lines.push("};".into());
        if idle.len() <= 4 {
            vec![format!("wire {name} = &{{1'b0, {}}};", idle.join(", "))]
        } else {
            lines
        }
    }
}

/// The runs of bits that nothing reads.
fn unread(name: &str, used: &[bool]) -> Vec<String> {
    let mut runs = Vec::new();
    let mut position = 0;
    for run in used.chunk_by(|left, right| left == right) {
        if !run[0] {
            runs.push(bits_of(name, used.len(), Bits::Some { low: position, width: run.len() }));
        }
        position += run.len();
    }
    runs
}
