//! x86 as printed in AT&T's syntax.

use tracewright_sim::code::Branch;
use tracewright_sim::event::Kind;

use super::{Line, branch, number};

/// Operation and operands, without what comes before them.
pub fn split(text: &str) -> (&str, &str) {
    const PREFIXES: [&str; 11] = [
        "notrack ", "bnd ", "rep ", "repz ", "repnz ", "lock ", "cs ", "ds ", "es ", "data16 ",
        "addr32 ",
    ];
    let mut text = text.trim();
    while let Some(rest) = PREFIXES.iter().find_map(|prefix| text.strip_prefix(prefix)) {
        text = rest.trim_start();
    }
    text.split_once(' ').unwrap_or((text, ""))
}

pub fn reading(line: &Line) -> Option<Option<Branch>> {
    let operands = &line.operands;
    let (mnemonic, _) = split(&line.mnemonic);
    let indirect = operands.contains('*');
    match mnemonic {
        "(bad)" | "ud2" | "ud1" | "ud0" | ".byte" => None,
        "call" | "callq" if indirect => branch(Kind::IndirectJump, true, false, 0),
        "call" | "callq" => branch(Kind::DirectJump, true, false, number(operands)),
        "jmp" | "jmpq" if indirect => branch(Kind::IndirectJump, false, false, 0),
        "jmp" | "jmpq" => branch(Kind::DirectJump, false, false, number(operands)),
        "ret" | "retq" | "iretq" => branch(Kind::IndirectJump, false, true, 0),
        "syscall" | "int3" | "int" => branch(Kind::Exception, false, false, 0),
        text if text.starts_with('j') || text.starts_with("loop") => {
            branch(Kind::DirectConditional, false, false, number(operands))
        }
        _ => Some(None),
    }
}
