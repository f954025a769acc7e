//! Faults in what the writer adds to a block: the clock's enable, restarts, and the sweep of memories.

use super::Writer;
use crate::fault::{FAULT_BITS, FaultKind, Site};

impl Writer<'_> {
    /// A condition, and with faults one more of them: that a signal of this name is always or never what the condition
    /// says, or the opposite.
    pub(super) fn with_fault(&mut self, signal: &str, kind: FaultKind, condition: &str) -> String {
        let Some(faults) = &mut self.faults else { return condition.to_owned() };
        faults.sites.push(Site::new(signal, kind, &faults.sites));
        let fault = &self.table.signals[faults.number].name;
        let is_on = format!("({fault} == {FAULT_BITS}'d{})", faults.sites.len());
        match kind {
            FaultKind::StuckAtOne => format!("(({condition}) || {is_on})"),
            FaultKind::StuckAtZero => format!("(({condition}) && !{is_on})"),
            _ => format!("(({condition}) != {is_on})"),
        }
    }
}
