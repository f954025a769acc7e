//! What the crate `riscv-etrace` needs for implicit return: which instructions are calls and returns, and the stack of
//! the example.

use riscv_etrace::instruction::Size;
use riscv_etrace::instruction::info::Info;

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
