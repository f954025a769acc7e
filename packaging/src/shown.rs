//! What a testbench shows on the pins of a trace module.

use tracewright_sim::event::{Access, ExecutionState};
use tracewright_sim::pins::{Pin, module};
use tracewright_testbench::stimulus::Block;

/// The time at which all of a stand-alone testbench happens, as far as a pin `timestamp` says.
pub(crate) const TESTBENCH_TIME: u64 = 0x0123_4567_89ab_cdef;

/// Something that can be on the pins of a core.
pub trait Shown {
    /// The value of a pin; `None` if the pin is not known.
    fn value(&self, pin: &str) -> Option<u64>;
}

/// A block, and the state in which the execution goes on after it.
pub type Retired = (Block, ExecutionState);

impl Shown for Retired {
    fn value(&self, pin: &str) -> Option<u64> {
        let (block, state) = self;
        let values = [
            (module::RETIRE_COUNT, block.count),
            (module::RETIRE_PC, block.program_counter),
            (module::RETIRE_LENGTH, block.length),
            (module::RETIRE_KIND, block.kind),
            (module::RETIRE_CALL, block.call.into()),
            (module::RETIRE_RETURN, block.is_return.into()),
            (module::RETIRE_TAKEN, block.taken.into()),
            (module::RETIRE_TARGET, block.target),
            (module::RETIRE_CONTEXT, state.context),
            (module::RETIRE_PRIVILEGE, state.privilege.into()),
            (module::RETIRE_CAUSE, state.cause.unwrap_or(0)),
            (module::RETIRE_TRAP_VALUE, module::RETIRE_TRAP_VALUE.idle),
            // Nothing is lost in front of the module.
            (module::RETIRE_LOST, module::RETIRE_LOST.idle),
            (module::RETIRE_LOST_COUNT, module::RETIRE_LOST_COUNT.idle),
        ];
        value_of(&values, pin)
    }
}

/// The value of the pin of this name.
fn value_of(values: &[(Pin, u64)], name: &str) -> Option<u64> {
    values.iter().find(|(pin, _)| pin.name == name).map(|(_, value)| *value)
}

impl Shown for Access {
    fn value(&self, pin: &str) -> Option<u64> {
        let values = [
            (module::DATA_PC, self.site.program_counter),
            (module::DATA_ADDRESS, self.address),
            (module::DATA_STORE, self.site.store.into()),
        ];
        value_of(&values, pin)
    }
}
