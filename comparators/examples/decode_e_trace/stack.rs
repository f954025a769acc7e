//! The stack of return addresses that the crate `riscv-etrace` needs for implicit return: it is forgotten where the
//! standard says so, and takes no return before the last branch for the one that is reported. [`follow`] and
//! [`reach_branch`] tell it what it cannot see, because the crate makes the stack itself.

use std::cell::Cell;
use std::collections::VecDeque;

use riscv_etrace::packet::payload::{InstructionTrace, Payload};
use riscv_etrace::packet::sync::Synchronization;
use riscv_etrace::types::stack::ReturnStack;

/// What the payloads so far say.
#[derive(Clone, Copy, Debug)]
struct Followed {
    /// The stack is to be forgotten before it is used again.
    forgets: bool,
    /// The last address.
    address: u64,
    /// A branch is there, whose outcome is the last one before it is reached.
    is_at_branch: bool,
    /// Outcomes of branches that the tracer has not reached.
    outcomes: i64,
}

impl Followed {
    const NOTHING: Self = Self { forgets: false, address: 0, is_at_branch: false, outcomes: 0 };
}

thread_local! {
    /// The crate makes the stack, so what it needs besides is here.
    static FOLLOWED: Cell<Followed> = const { Cell::new(Followed::NOTHING) };
}

/// A payload was given to the tracer of this thread.
pub fn follow(payload: &Payload, is_branch: impl Fn(u64) -> bool) {
    let Payload::InstructionTrace(payload) = payload else { return };
    let mut followed = FOLLOWED.get();
    match payload {
        InstructionTrace::Synchronization(sync) => {
            let address = match sync {
                Synchronization::Start(start) => start.address,
                Synchronization::Trap(trap) => trap.address,
                _ => return,
            };
            followed = Followed { forgets: true, address, ..Followed::NOTHING };
        }
        InstructionTrace::Branch(branch) => {
            followed.outcomes += i64::from(branch.branch_map.count())
        }
        _ => {}
    }
    if let Some(info) = payload.get_address_info() {
        followed.address = followed.address.wrapping_add_signed(info.address);
        followed.is_at_branch = is_branch(followed.address);
    }
    FOLLOWED.set(followed);
}

/// The tracer of this thread reaches a branch.
pub fn reach_branch() {
    let followed = FOLLOWED.get();
    FOLLOWED.set(Followed { outcomes: followed.outcomes - 1, ..followed });
}

/// The stack of the crate, which keeps its addresses over traps, where the standard's decoder sets its depth to 0.
#[derive(Debug)]
pub struct Forgetful {
    addresses: VecDeque<u64>,
    most: usize,
}

impl Forgetful {
    fn forget(&mut self) {
        let followed = FOLLOWED.get();
        if followed.forgets {
            self.addresses.clear();
            FOLLOWED.set(Followed { forgets: false, ..followed });
        }
    }
}

impl ReturnStack for Forgetful {
    fn new(most: usize) -> Option<Self> {
        FOLLOWED.set(Followed::NOTHING);
        Some(Self { addresses: VecDeque::new(), most })
    }

    fn push(&mut self, address: u64) {
        self.forget();
        if self.addresses.len() == self.most {
            self.addresses.pop_front();
        }
        if self.most > 0 {
            self.addresses.push_back(address);
        }
    }

    fn pop(&mut self) -> Option<u64> {
        self.forget();
        self.addresses.pop_back()
    }

    /// The tracer asks at a return whether it is the one that is reported. It cannot be before the last branch, where
    /// the tracer would end with outcomes that are left.
    fn depth(&self) -> usize {
        let followed = FOLLOWED.get();
        if followed.outcomes > i64::from(followed.is_at_branch) {
            usize::MAX
        } else if followed.forgets {
            0
        } else {
            self.addresses.len()
        }
    }

    fn max_depth(&self) -> usize {
        self.most
    }
}
