//! Ports, declarations and instances.

use super::expression::bits_of;
use super::{Field, Writer, placeholder, range, remark};
use crate::collect::{CLOCK_ENABLE, MEMORY_SWEEP, RESTART_REGISTERS};
use crate::expression::{Bits, SignalId};
use crate::fault::{BEFORE_FIRST, FAULT_BITS, FAULT_SELECT, FaultKind};
use crate::options::Reset;
use crate::process::Process;
use crate::table::{Constant, MemoryBlock, Role};

impl Writer<'_> {
    pub(super) fn reset_name(&self) -> &'static str {
        match self.style.reset {
            Reset::Synchronous => "reset",
            Reset::AsynchronousActiveLow => "reset_n",
        }
    }

    /// The word that declares a signal: `reg` if a process assigns it.
    fn storage(&self, signal: SignalId) -> &'static str {
        let by_process =
            |process: &Process| process.targets.contains(&signal) && process.continuous().is_none();
        if self.plan.processes.iter().any(by_process) { "reg" } else { "wire" }
    }

    /// The lines of the port list.
    pub(super) fn ports(&self) -> Vec<String> {
        let mut ports = Vec::new();
        if self.table.clocking.has_clock {
            ports.push(("input", "wire", String::new(), "clock", ""));
        }
        if self.table.clocking.has_reset {
            ports.push(("input", "wire", String::new(), self.reset_name(), ""));
        }
        if self.table.clocking.has_clock && self.style.clock_enable {
            ports.push(("input", "wire", String::new(), CLOCK_ENABLE, ""));
        }
        if self.table.clocking.has_restart {
            ports.push(("input", "wire", String::new(), RESTART_REGISTERS, ""));
        }
        if self.table.clocking.has_sweep {
            let bits = range(self.table.scope.sweep_bits);
            ports.push(("input", "wire", bits, MEMORY_SWEEP, ""));
        }
        if self.style.faults {
            ports.push(("input", "wire", range(FAULT_BITS), FAULT_SELECT, ""));
        }
        for (index, signal) in
            self.table.signals.iter().enumerate().filter(|(_, signal)| signal.width > 0)
        {
            let (direction, storage) = match signal.role {
                Role::Input => ("input", "wire"),
                Role::Output => ("output", self.storage(index)),
                _ => continue,
            };
            ports.push((
                direction,
                storage,
                range(signal.width),
                &signal.name,
                &signal.description,
            ));
        }
        let widest = ports.iter().map(|(_, _, range, ..)| range.len()).max().unwrap_or(0);
        let last = ports.len().saturating_sub(1);
        ports
            .iter()
            .enumerate()
            .map(|(index, (direction, storage, range, name, description))| {
                let comma = if index == last { "" } else { "," };
                format!(
                    "{direction:<6} {storage:<4} {range:<widest$}{name}{comma}{}",
                    remark(description)
                )
            })
            .collect()
    }

    /// Whether a memory's edge sets this signal.
    fn is_read_register(&self, signal: usize) -> bool {
        let in_module = |memory: &&MemoryBlock| memory.synchronous && !self.is_wrapped(memory);
        let mut synchronous = self.table.memories.iter().filter(in_module);
        synchronous.any(|memory| memory.reads.iter().any(|(_, data)| *data == signal))
    }

    /// The declarations of everything inside the module.
    pub(super) fn declarations(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (index, signal) in
            self.table.signals.iter().enumerate().filter(|(_, signal)| signal.width > 0)
        {
            let planned =
                self.plan.processes.iter().any(|process| process.targets.contains(&index));
            let drives = self.plan.direct.values().any(|driven| *driven == index);
            let storage = match signal.role {
                Role::Input | Role::Output => continue,
                Role::ChildOutput if self.plan.direct.contains_key(&index) => continue,
                Role::Local if drives => "wire",
                Role::RegisterNow => "reg",
                Role::MemoryOutput if self.is_read_register(index) => "reg",
                Role::MemoryOutput | Role::ChildOutput => "wire",
                Role::Local
                | Role::Part
                | Role::RegisterNext
                | Role::MemoryInput
                | Role::ChildInput
                    if planned =>
                {
                    self.storage(index)
                }
                _ => continue,
            };
            lines.push((storage, signal.width, signal.name.clone(), signal.description.as_str()));
        }
        for named in &self.named {
            lines.push((
                if named.is_local { "reg" } else { "wire" },
                named.used.len(),
                named.name.clone(),
                "",
            ));
        }
        for memory in self.table.memories.iter().filter(|memory| memory.width > 0) {
            if !self.is_wrapped(memory) {
                let name = if memory.depth == 1 {
                    memory.name.clone()
                } else {
                    format!("{} [0:{}]", memory.name, memory.depth - 1)
                };
                lines.push(("reg", memory.word_width(), name, &memory.description));
            }
            if let Some(sweep) = &memory.sweep {
                lines.push(("wire", 1, sweep.comes.clone(), ""));
                let words = sweep.words.iter().cloned();
                lines.extend(words.map(|word| ("wire", memory.word_width(), word, "")));
            }
        }
        let widest = lines.iter().map(|(_, width, ..)| range(*width).len()).max().unwrap_or(0);
        lines
            .into_iter()
            .map(|(storage, width, name, description)| {
                format!("{storage:<4} {:<widest$}{name};{}", range(width), remark(description))
            })
            .collect()
    }

    /// The fields that the module reads, by name.
    pub(super) fn fields(&mut self) -> Vec<String> {
        let mut fields: Vec<&Field> = self.fields.iter().collect();
        fields.sort_by_key(|field| (field.word, field.low));
        let ranges = fields.iter().map(|field| range(field.used.len()).len());
        let widest = ranges.max().unwrap_or(0);
        let line = |field: &Field| {
            let word = &self.table.signals[field.word];
            let width = field.used.len();
            let bits = bits_of(&word.name, word.width, Bits::Some { low: field.low, width });
            format!("wire {:<widest$}{} = {bits};", range(width), field.name)
        };
        fields.into_iter().map(line).collect()
    }

    /// The declarations of the constants that have names.
    pub(super) fn constants(&self) -> Vec<String> {
        let used = self.constants.iter().map(|number| &self.table.constants[*number]);
        let used: Vec<_> = used.map(|constant| (constant, range(constant.value.bits()))).collect();
        let widest = used.iter().map(|(_, range)| range.len()).max().unwrap_or(0);
        let line = |(constant, range): (&Constant, String)| {
            let value = super::expression::constant(&constant.value);
            let remark = remark(&constant.description);
            format!("localparam {range:<widest$}{} = {value};{remark}", constant.name)
        };
        used.into_iter().map(line).collect()
    }

    /// The module's own number of the fault that is switched on.
    pub(super) fn fault_number(&self) -> Vec<String> {
        let line = |signal: SignalId| {
            let (range, name) = (range(FAULT_BITS), &self.table.signals[signal].name);
            format!("wire {range}{name} = {FAULT_SELECT} - {BEFORE_FIRST};")
        };
        let some = self.faults.iter().filter(|faults| !faults.sites.is_empty());
        some.map(|faults| line(faults.number)).collect()
    }

    /// What connects an input that every block with registers inherits.
    fn implicit(&mut self, child: usize, pin: &str, kind: FaultKind) -> String {
        let signal = format!("{}_{pin}", self.table.children[child].name);
        self.with_fault(&signal, kind, pin)
    }

    /// The lines of every instance.
    pub(super) fn instances(&mut self) -> Vec<Vec<String>> {
        let mut blocks = Vec::new();
        for child in 0..self.table.children.len() {
            let mut connections: Vec<(String, String)> = Vec::new();
            let clocking = self.table.children[child].interface.clocking;
            if clocking.has_clock {
                connections.push(("clock".into(), "clock".into()));
            }
            if clocking.has_reset {
                let reset = self.reset_name();
                connections.push((reset.into(), reset.into()));
            }
            if clocking.has_clock && self.style.clock_enable {
                let enable = self.implicit(child, CLOCK_ENABLE, FaultKind::StuckAtOne);
                connections.push((CLOCK_ENABLE.into(), enable));
            }
            if clocking.has_restart {
                let restart = self.implicit(child, RESTART_REGISTERS, FaultKind::StuckAtZero);
                connections.push((RESTART_REGISTERS.into(), restart));
            }
            if clocking.has_sweep {
                connections.push((MEMORY_SWEEP.into(), MEMORY_SWEEP.into()));
            }
            match self.table.children[child].first_fault {
                Some(first) if self.style.faults => {
                    connections.push((FAULT_SELECT.into(), fault_select(first)));
                }
                _ => {}
            }
            for port in 0..self.table.children[child].ports.len() {
                let signal = self.table.children[child].ports[port];
                let name = self.table.children[child].interface.ports[port].name.clone();
                match self.table.signals[signal].role {
                    _ if self.table.signals[signal].width == 0 => {}
                    Role::ChildInput => {
                        let value = self.value(signal);
                        connections.push((name, value));
                    }
                    _ => connections.push((name, self.name(signal).to_owned())),
                }
            }
            let found = &self.table.children[child];
            let given: Vec<_> = found.given.iter().map(|one| format!(".{one} ({one})")).collect();
            let given =
                if given.is_empty() { given.concat() } else { format!("#({}) ", given.join(", ")) };
            let mut lines =
                vec![format!("{} {given}{} (", placeholder(found.interface.module), found.name)];
            let widest = connections.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
            let last = connections.len().saturating_sub(1);
            for (index, (name, value)) in connections.iter().enumerate() {
                let comma = if index == last { "" } else { "," };
                lines.push(format!("    .{name:<widest$} ({value}){comma}"));
            }
            lines.push(");".into());
            blocks.push(lines);
        }
        blocks
    }
}

/// What selects the faults of an instance, which begin after so many others.
fn fault_select(first: usize) -> String {
    match first {
        0 => FAULT_SELECT.into(),
        _ => format!("{FAULT_SELECT} - {FAULT_BITS}'d{first}"),
    }
}
