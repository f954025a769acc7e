//! Prologues of RISC-V.

use super::super::row::{Base, Row, Saved};

const RA: u16 = 1;
const SP: u16 = 2;
const FP: u16 = 8;

/// What an instruction of a prologue does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Adds a number to a register, to give another.
    Add(u16, u16, i64),
    /// Adds a register to another.
    AddRegister(u16, u16),
    /// Stores a register so many bytes above another.
    Store(u16, u16, i64),
    /// Gives a register a value that is not followed.
    Set(u16),
}

/// A value: so many bytes above what a register had at the beginning of the function, or a number if it is register 0.
type Value = (u16, i64);

/// The values of registers, `None` for one that is not followed.
struct Values([Option<Value>; 32]);

impl Values {
    fn new() -> Values {
        Values(std::array::from_fn(|register| Some((register as u16, 0))))
    }

    fn get(&self, register: u16) -> Option<Value> {
        self.0[usize::from(register & 31)]
    }

    fn set(&mut self, register: u16, value: Option<Value>) {
        if register != 0 {
            self.0[usize::from(register & 31)] = value;
        }
    }

    /// The offset of a register from the stack pointer that the function began with.
    fn above_stack(&self, register: u16) -> Option<i64> {
        self.get(register).filter(|(base, _)| *base == SP).map(|(_, offset)| offset)
    }
}

/// The rules after this code.
pub(super) fn row(code: &[u8], word: usize) -> Row {
    let mut values = Values::new();
    let mut saved: Vec<(u16, Saved)> = Vec::new();
    let (mut at, mut depth) = (0, 0);
    while let Some((step, length)) = next(&code[at..], word) {
        match step {
            Step::Add(to, from, number) => {
                let value = values.get(from).map(|(base, offset)| (base, offset + number));
                values.set(to, value);
            }
            Step::AddRegister(to, from) => {
                let value = match (values.get(to), values.get(from)) {
                    (Some((base, offset)), Some((0, number)))
                    | (Some((0, number)), Some((base, offset))) => Some((base, offset + number)),
                    _ => None,
                };
                values.set(to, value);
            }
            Step::Store(register, base, offset) => {
                let Some(base) = values.above_stack(base) else { break };
                let is_own = values.get(register) == Some((register, 0));
                if is_own && !saved.iter().any(|(known, _)| *known == register) {
                    saved.push((register, Saved::At(base + offset)));
                }
            }
            Step::Set(register) => values.set(register, None),
        }
        depth = depth.max(values.above_stack(SP).map_or(0, |offset| -offset));
        at += length;
    }
    let frame = match values.above_stack(FP) {
        Some(offset) => Base::Register(FP, -offset),
        None => Base::Register(SP, values.above_stack(SP).map_or(0, |offset| -offset)),
    };
    let return_address = saved.iter().find(|(register, _)| *register == RA);
    Row {
        frame,
        return_address: return_address.map_or(Saved::Same, |(_, rule)| *rule),
        saved: saved.iter().copied().filter(|(register, _)| *register != RA).collect(),
        depth: depth.try_into().unwrap_or(0),
    }
}

/// The next instruction and its bytes; `None` at the end, and for one that is of no prologue.
fn next(code: &[u8], word: usize) -> Option<(Step, usize)> {
    let half = u32::from(u16::from_le_bytes(*code.first_chunk()?));
    if half & 3 != 3 {
        return Some((compressed(half, word)?, 2));
    }
    let whole = u32::from_le_bytes(*code.first_chunk()?);
    Some((full(whole, word)?, 4))
}

fn full(code: u32, word: usize) -> Option<Step> {
    let register = |place: u32| (code >> place & 31) as u16;
    let (to, one, other) = (register(7), register(15), register(20));
    let immediate = i64::from(code as i32 >> 20);
    let store = i64::from((code as i32 >> 25 << 5) | i32::from(to));
    let width = if word == 8 { 3 } else { 2 };
    match (code & 0x7f, code >> 12 & 7) {
        (0x13, 0) => Some(Step::Add(to, one, immediate)),
        (0x1b, 0) if to == SP && one == SP => Some(Step::Add(to, one, immediate)),
        (0x33, 0) if code >> 25 == 0 && to == one => Some(Step::AddRegister(to, other)),
        (0x33, 0) if code >> 25 == 0 && other == 0 => Some(Step::Add(to, one, 0)),
        (0x33, 0) if code >> 25 == 0 => Some(Step::Set(to)),
        (0x23, kind) if kind == width && matches!(one, SP | FP) => {
            Some(Step::Store(other, one, store))
        }
        // A word of another width is no register of the caller.
        (0x23, 2 | 3) if matches!(one, SP | FP) => Some(Step::Set(0)),
        (0x03, 2 | 3) => Some(Step::Set(to)),
        (0x37, _) => Some(Step::Add(to, 0, i64::from(code as i32 >> 12 << 12))),
        (0x17, _) => Some(Step::Set(to)),
        _ => None,
    }
}

fn compressed(code: u32, word: usize) -> Option<Step> {
    let bit = |from: u32, to: u32| i64::from(code >> from & 1) << to;
    let to = (code >> 7 & 31) as u16;
    let short = 8 + (code >> 2 & 7) as u16;
    let number = i64::from(code >> 2 & 31) - bit(12, 5);
    match (code & 3, code >> 13) {
        (0, 0) if code != 0 => {
            let value = i64::from(code >> 11 & 3) << 4 | i64::from(code >> 7 & 15) << 6;
            Some(Step::Add(short, SP, value | bit(6, 2) | bit(5, 3)))
        }
        (0, 2) => Some(Step::Set(short)),
        (0, 3) if word == 8 => Some(Step::Set(short)),
        (1, 0) => Some(Step::Add(to, to, number)),
        (1, 2) => Some(Step::Add(to, 0, number)),
        (1, 3) if to == SP => {
            let value = bit(6, 4) | bit(2, 5) | bit(5, 6) | bit(3, 7) | bit(4, 8);
            Some(Step::Add(SP, SP, value - bit(12, 9)))
        }
        (1, 3) => Some(Step::Add(to, 0, number << 12)),
        (2, 2) => Some(Step::Set(to)),
        (2, 3) if word == 8 => Some(Step::Set(to)),
        (2, 4) if code >> 2 & 31 != 0 => {
            let from = (code >> 2 & 31) as u16;
            let is_move = code >> 12 & 1 == 0;
            Some(if is_move { Step::Set(to) } else { Step::AddRegister(to, from) })
        }
        (2, 6) => {
            let offset = i64::from(code >> 9 & 15) << 2 | i64::from(code >> 7 & 3) << 6;
            let register = (code >> 2 & 31) as u16;
            Some(if word == 4 { Step::Store(register, SP, offset) } else { Step::Set(0) })
        }
        (2, 7) if word == 8 => {
            let offset = i64::from(code >> 10 & 7) << 3 | i64::from(code >> 7 & 7) << 6;
            Some(Step::Store((code >> 2 & 31) as u16, SP, offset))
        }
        _ => None,
    }
}
