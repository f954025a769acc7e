//! Prologues of A64 code.

use super::super::row::{Base, Row, Saved};

const FRAME: u16 = 29;
const LINK: u16 = 30;
const STACK_POINTER: u16 = 31;

/// What is known while a prologue is read.
struct State {
    /// How far above the stack pointer of the beginning of the function the value of a register is.
    values: [Option<i64>; 32],
    /// Registers that have another value than at the beginning.
    changed: u32,
    saved: Vec<(u16, i64)>,
    depth: i64,
}

impl State {
    fn set(&mut self, register: u16, value: Option<i64>) {
        self.values[usize::from(register & 31)] = value;
        self.changed |= 1 << (register & 31);
        self.depth = self.depth.max(-self.values[usize::from(STACK_POINTER)].unwrap_or(0));
    }

    fn store(&mut self, register: u16, at: i64) {
        let is_own = self.changed >> register & 1 == 0;
        if is_own && !self.saved.iter().any(|(known, _)| *known == register) {
            self.saved.push((register, at));
        }
    }

    /// Takes an instruction; `None` for one that ends the prologue.
    fn step(&mut self, word: u32) -> Option<()> {
        let register = |place: u32| (word >> place & 31) as u16;
        let (first, base, second) = (register(0), register(5), register(10));
        let value = self.values[usize::from(base)];
        match word {
            // nop, landing pads, paciasp, pacibsp and other hints
            _ if word & 0xffff_f01f == 0xd503_201f => {}
            // add and sub of a number
            _ if word & 0xbf80_0000 == 0x9100_0000 => {
                let number = i64::from(word >> 10 & 0xfff) << ((word >> 22 & 1) * 12);
                let number = if word >> 30 & 1 == 1 { -number } else { number };
                self.set(first, value.map(|value| value + number));
            }
            // mov of a register or a number, adr, adrp
            _ if word & 0xffe0_ffe0 == 0xaa00_03e0 => {
                let other = register(16);
                let value =
                    if other == STACK_POINTER { None } else { self.values[usize::from(other)] };
                self.set(first, value);
            }
            _ if word & 0x7f80_0000 == 0x5280_0000 || word & 0x1f00_0000 == 0x1000_0000 => {
                self.set(first, None);
            }
            // stp of registers of 64 bits, general or not
            _ if word & 0xbe40_0000 == 0xa800_0000 || word & 0xfe40_0000 == 0x6c00_0000 => {
                let offset = i64::from((word << 10) as i32 >> 25) * 8;
                let at = self.place(word >> 23 & 3, base, offset)?;
                if word >> 26 & 1 == 0 {
                    self.store(first, at);
                    self.store(second, at + 8);
                }
            }
            // str with an offset that is scaled, or with one that changes the base
            _ if word & 0xffc0_0000 == 0xf900_0000 => {
                let at = value? + i64::from(word >> 10 & 0xfff) * 8;
                self.store(first, at);
            }
            _ if word & 0xffe0_0400 == 0xf800_0400 || word & 0xffe0_0c00 == 0xf800_0000 => {
                let offset = i64::from((word << 11) as i32 >> 23);
                let kind = [2, 1, 0, 3][(word >> 10 & 3) as usize];
                let at = self.place(kind, base, offset)?;
                self.store(first, at);
            }
            _ => return None,
        }
        Some(())
    }

    /// Where a store goes whose offset is added after it (1), not kept (2), or added before it (3).
    fn place(&mut self, kind: u32, base: u16, offset: i64) -> Option<i64> {
        let begin = self.values[usize::from(base)]?;
        if matches!(kind, 1 | 3) {
            self.set(base, Some(begin + offset));
        }
        Some(if kind == 1 { begin } else { begin + offset })
    }
}

/// The rules after this code.
pub(super) fn row(code: &[u8]) -> Row {
    let mut state = State { values: [None; 32], changed: 0, saved: Vec::new(), depth: 0 };
    state.values[usize::from(STACK_POINTER)] = Some(0);
    let (words, _) = code.as_chunks::<4>();
    for word in words {
        if state.step(u32::from_le_bytes(*word)).is_none() {
            break;
        }
    }
    let above = |register: u16| state.values[usize::from(register)];
    let link = state.saved.iter().find(|(register, _)| *register == LINK);
    let others = state.saved.iter().filter(|(register, _)| *register != LINK);
    Row {
        frame: match above(FRAME) {
            Some(offset) => Base::Register(FRAME, -offset),
            None => Base::Register(STACK_POINTER, -above(STACK_POINTER).unwrap_or(0)),
        },
        return_address: link.map_or(Saved::Same, |(_, offset)| Saved::At(*offset)),
        saved: others.map(|(register, offset)| (*register, Saved::At(*offset))).collect(),
        depth: u64::try_from(state.depth).unwrap_or(0),
    }
}
