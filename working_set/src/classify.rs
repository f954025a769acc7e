//! The control flow of RISC-V instructions.

use tracewright_sim::event::Kind;

use crate::emulator::Flow;

const SEQUENTIAL: Flow = Flow { kind: None, call: false, is_return: false, length: 4 };

/// The control flow of an instruction word of RV32 or RV64 with C.
pub fn classify(word: u32, bits: u8) -> Flow {
    if word & 3 == 3 { of_word(word) } else { Flow { length: 2, ..of_half_word(word, bits) } }
}

fn of_word(word: u32) -> Flow {
    let (rd, rs1) = (word >> 7 & 31, word >> 15 & 31);
    match word & 0x7f {
        0x63 => Flow { kind: Some(Kind::DirectConditional), ..SEQUENTIAL },
        0x6f => Flow { kind: Some(Kind::DirectJump), call: is_link(rd), ..SEQUENTIAL },
        0x67 => indirect(rd, rs1),
        0x73 => match word {
            0x0000_0073 | 0x0010_0073 => Flow { kind: Some(Kind::Exception), ..SEQUENTIAL },
            0x3020_0073 => Flow { kind: Some(Kind::IndirectJump), ..SEQUENTIAL },
            _ => SEQUENTIAL,
        },
        _ => SEQUENTIAL,
    }
}

fn of_half_word(word: u32, bits: u8) -> Flow {
    let (funct3, rd, rs2) = (word >> 13 & 7, word >> 7 & 31, word >> 2 & 31);
    match (word & 3, funct3) {
        (1, 1) if bits == 32 => Flow { kind: Some(Kind::DirectJump), call: true, ..SEQUENTIAL },
        (1, 5) => Flow { kind: Some(Kind::DirectJump), ..SEQUENTIAL },
        (1, 6 | 7) => Flow { kind: Some(Kind::DirectConditional), ..SEQUENTIAL },
        (2, 4) if rs2 == 0 => match (word >> 12 & 1, rd) {
            (1, 0) => Flow { kind: Some(Kind::Exception), ..SEQUENTIAL },
            (_, 0) => SEQUENTIAL,
            (link, _) => indirect(link, rd),
        },
        _ => SEQUENTIAL,
    }
}

fn is_link(register: u32) -> bool {
    register == 1 || register == 5
}

/// The hints of the instruction set manual on return address stacks.
fn indirect(rd: u32, rs1: u32) -> Flow {
    let is_return = is_link(rs1) && rd != rs1;
    Flow { kind: Some(Kind::IndirectJump), call: is_link(rd), is_return, ..SEQUENTIAL }
}
