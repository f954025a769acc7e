//! What is between an APB and the trace units of a system, of which each has its own part of the addresses.

use super::apb::Outputs;

/// The unit that a transfer is to, and what its master is told when the units say this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// A bit for each unit: the transfer is to it.
    pub selects: u32,
    /// What the master is told.
    pub outputs: Outputs,
}

impl Split {
    /// A transfer with these upper bits of its address, if there is one, in its second or a later cycle or not.
    pub fn of(units: &[Outputs], high: Option<u32>, is_enabled: bool) -> Split {
        let Some(high) = high else {
            let outputs = Outputs { is_ready: true, data: 0, is_error: false };
            return Split { selects: 0, outputs };
        };
        match units.get(high as usize) {
            Some(outputs) => Split { selects: 1 << high, outputs: *outputs },
            // Nothing is there.
            None => Split {
                selects: 0,
                outputs: Outputs { is_ready: true, data: 0, is_error: is_enabled },
            },
        }
    }
}
