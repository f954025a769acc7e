//! RISC-V as printed, without aliases by objdump and with them by capstone.

use tracewright_sim::code::Branch;
use tracewright_sim::event::Kind;

use super::{Line, branch, number};

fn is_link(register: &str) -> bool {
    matches!(register, "ra" | "t0")
}

/// Targets are addresses in objdump and offsets in capstone, which writes them with `0x`.
fn target(line: &Line) -> u64 {
    let text = line.operands.split(" <").next().unwrap_or("");
    let text = text.rsplit([',', ' ']).next().unwrap_or("");
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text),
    };
    match digits.strip_prefix("0x") {
        Some(hex) => {
            let offset = i64::from_str_radix(hex, 16).expect("a number");
            line.address.wrapping_add_signed(sign * offset)
        }
        // Capstone's small offsets are decimal; objdump's addresses never are below 10.
        None if digits.len() == 1 => {
            line.address.wrapping_add_signed(sign * digits.parse::<i64>().expect("a digit"))
        }
        None => number(&line.operands),
    }
}

pub fn reading(line: &Line) -> Option<Option<Branch>> {
    let mnemonic = line.mnemonic.strip_prefix("c.").unwrap_or(&line.mnemonic);
    let compressed = line.length == 2;
    let operands: Vec<&str> =
        line.operands.split([',', '(', ')', ' ']).filter(|s| !s.is_empty()).collect();
    let jump = |destination: &str, source: &str| {
        let call = is_link(destination);
        let is_return = is_link(source) && !(call && destination == source);
        branch(Kind::IndirectJump, call, is_return, 0)
    };
    match mnemonic {
        "unimp" | "" => None,
        text if text.starts_with('.') => None,
        "j" => branch(Kind::DirectJump, false, false, target(line)),
        "jal" => {
            let link = if line.operands.contains(',') { operands[0] } else { "ra" };
            branch(Kind::DirectJump, is_link(link), false, target(line))
        }
        "beq" | "bne" | "blt" | "bge" | "bltu" | "bgeu" | "beqz" | "bnez" | "blez" | "bgez"
        | "bltz" | "bgtz" => branch(Kind::DirectConditional, false, false, target(line)),
        "ret" => jump("zero", "ra"),
        "jr" => jump("zero", operands[0]),
        "jalr" if compressed || operands.len() == 1 => jump("ra", operands[0]),
        "jalr" => {
            let source = operands[1..]
                .iter()
                .find(|text| text.chars().any(char::is_alphabetic) && !text.starts_with("0x"));
            jump(operands[0], source.expect("a register"))
        }
        "ecall" | "ebreak" => branch(Kind::Exception, false, false, 0),
        _ => Some(None),
    }
}
