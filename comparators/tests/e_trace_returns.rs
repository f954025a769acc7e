//! What the crate `riscv-etrace` needs for implicit return: which instructions are calls and returns, and a stack that is
//! forgotten where the standard says so.

use std::cell::Cell;
use std::collections::VecDeque;

use riscv_etrace::instruction::Size;
use riscv_etrace::instruction::info::Info;
use riscv_etrace::packet::payload::{InstructionTrace, Payload};
use riscv_etrace::packet::sync::Synchronization;
use riscv_etrace::types::stack::ReturnStack;

use crate::e_trace::Known;

/// An instruction with its part in calls.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    pub known: Known,
    /// Bytes of a call.
    pub length: u8,
    pub is_call: bool,
    pub is_return: bool,
}

impl Site {
    pub fn plain(known: Known) -> Self {
        Self { known, length: 2, is_call: false, is_return: false }
    }

    pub fn size(&self) -> Size {
        if self.length == 4 { Size::Normal } else { Size::Compressed }
    }
}

impl Info for Site {
    type Register = u8;

    fn branch_target(&self) -> Option<i16> {
        self.known.branch_target()
    }

    fn inferable_jump_target(&self) -> Option<i32> {
        self.known.inferable_jump_target()
    }

    fn uninferable_jump_target(&self) -> Option<(u8, i16)> {
        self.known.uninferable_jump_target()
    }

    fn upper_immediate(&self, pc: u64) -> Option<(u8, u64)> {
        self.known.upper_immediate(pc)
    }

    fn is_return_from_trap(&self) -> bool {
        false
    }

    fn is_ecall_or_ebreak(&self) -> bool {
        false
    }

    fn is_call(&self) -> bool {
        self.is_call
    }

    fn is_return(&self) -> bool {
        self.is_return
    }

    fn ignored() -> Self {
        Self::plain(Known::ignored())
    }
}

thread_local! {
    /// The stack of this thread is to be forgotten before it is used again.
    static FORGETS: Cell<bool> = const { Cell::new(false) };
}

/// The stack of the crate, which keeps its addresses over traps, where the standard's decoder sets its depth to 0.
#[derive(Debug)]
pub struct Forgetful {
    addresses: VecDeque<u64>,
    most: usize,
}

impl Forgetful {
    /// A payload was processed.
    pub fn follow(payload: &Payload) {
        if let Payload::InstructionTrace(InstructionTrace::Synchronization(sync)) = payload
            && matches!(sync, Synchronization::Start(_) | Synchronization::Trap(_))
        {
            FORGETS.set(true);
        }
    }

    fn forget(&mut self) {
        if FORGETS.take() {
            self.addresses.clear();
        }
    }
}

impl ReturnStack for Forgetful {
    fn new(most: usize) -> Option<Self> {
        FORGETS.set(false);
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

    fn depth(&self) -> usize {
        if FORGETS.get() { 0 } else { self.addresses.len() }
    }

    fn max_depth(&self) -> usize {
        self.most
    }
}
