//! Contexts, privilege levels and causes of exceptions, drawn at random for any events.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::arbitrary::pick;
use crate::config::{Protocol, mask};
use crate::event::{Event, ExecutionState, Kind};

/// One event in this many that may change the flow leads to another state.
const CHANGES: u32 = 64;

/// Draws the states in which an execution goes on. The seed determines them on every platform.
#[derive(Clone, Debug)]
pub struct States {
    random: ChaCha8Rng,
    protocol: Protocol,
    now: ExecutionState,
}

impl States {
    /// States as wide as the pins; `None` where a design has no such pins.
    pub fn new(seed: u64, protocol: &Protocol) -> Option<Self> {
        protocol.traces_state().then(|| Self {
            random: ChaCha8Rng::seed_from_u64(seed),
            protocol: protocol.clone(),
            now: protocol.reset_state(),
        })
    }

    /// The state after an event, if it is another one, or has a cause.
    pub fn after(&mut self, event: &Event) -> Option<ExecutionState> {
        let is_exception = event.kind == Kind::Exception;
        if is_exception && !event.taken {
            return None;
        }
        let before = self.now;
        if self.random.random_ratio(1, CHANGES) {
            self.now.context = self.value(self.protocol.context_bits);
        }
        let changes = if is_exception { 2 } else { CHANGES };
        if self.random.random_ratio(1, changes) {
            self.now.privilege = self.value(self.protocol.privilege_bits) as u8;
        }
        let has_cause = is_exception && self.protocol.cause_bits > 0;
        let cause = has_cause.then(|| self.value(self.protocol.cause_bits));
        let state = ExecutionState { cause, ..self.now };
        (state != before).then_some(state)
    }

    /// A value of some bits: small ones, as most are, or any, or the extremes.
    fn value(&mut self, bits: u32) -> u64 {
        let random = &mut self.random;
        let (small, any) = (random.random_range(0..4), random.random());
        pick(random, &[small, small, any, u64::MAX, 0]) & mask(bits)
    }
}
