//! The names in the Verilog.

use super::Table;
use crate::collect::{CLOCK_ENABLE, MEMORY_SWEEP, Node, RESTART_REGISTERS};
use crate::error::Error;
use crate::names::objection;
use crate::signal::Offer;

/// The Verilog name of a kernel's name: `lanes$2$d` becomes `lanes_2_d`.
pub(super) fn verilog_name(key: &str) -> String {
    key.replace('$', "_")
}

impl Table {
    /// Reserves the names that a reader knows from the source, so that names derived from them give way.
    pub(super) fn claim_all(&mut self, node: &Node) -> Result<(), Error> {
        if self.clocking.is_declared {
            for (name, what) in [
                ("clock", "the clock"),
                ("reset", "the reset"),
                ("reset_n", "the reset"),
                (CLOCK_ENABLE, "the clock's enable"),
            ] {
                self.taken.insert(name.into(), what.into());
            }
        }
        for (has, pin, what) in [
            (self.scope.restart, RESTART_REGISTERS, "the restart of registers"),
            (self.scope.sweep_bits > 0, MEMORY_SWEEP, "the sweep of memories"),
        ] {
            if has && node.declared_bits(pin) == 0 {
                self.taken.insert(pin.into(), what.into());
            }
        }
        for field in &node.fields {
            match &field.offer {
                Offer::Wire { width: 1.., label, .. }
                | Offer::Register { width: 1.., label, .. } => {
                    self.claim(&field.key, label.as_deref())?;
                }
                Offer::Packed { parts, .. } if parts.iter().any(|(_, width)| *width > 0) => {
                    self.claim(&field.key, None)?;
                }
                _ => {}
            }
        }
        for child in &node.children {
            self.claim(&child.key, child.label.as_deref())?;
        }
        Ok(())
    }

    pub(crate) fn claim(&mut self, key: &str, label: Option<&str>) -> Result<(), Error> {
        let name = label.map_or_else(|| verilog_name(key), str::to_owned);
        let path = self.path_of(key);
        if let Some(reason) = objection(&name) {
            return Err(Error::IllegalName { signal: path, name, reason });
        }
        match self.taken.insert(name.clone(), path.clone()) {
            Some(first) => {
                Err(Error::NameClash { block: self.path.clone(), name, first, second: path })
            }
            None => Ok(()),
        }
    }

    /// A name that nothing has yet, `name` itself if possible.
    pub fn fresh(&mut self, name: &str) -> String {
        let mut candidate = name.to_owned();
        let mut number = 2;
        while self.taken.contains_key(&candidate) || objection(&candidate).is_some() {
            candidate = format!("{name}_{number}");
            number += 1;
        }
        self.taken.insert(candidate.clone(), candidate.clone());
        candidate
    }
}
