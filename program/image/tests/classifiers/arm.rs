//! A32 and T32 as printed.

use tracewright_sim::code::Branch;
use tracewright_sim::event::Kind;

use super::{Line, branch, number};

const CONDITIONS: [&str; 16] = [
    "eq", "ne", "cs", "hs", "cc", "lo", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le",
];

/// The operation without its condition, and whether it has one.
fn parts<'a>(mnemonic: &'a str, operations: &[&'a str]) -> Option<(&'a str, bool)> {
    let mnemonic = mnemonic.strip_suffix(".n").or(mnemonic.strip_suffix(".w")).unwrap_or(mnemonic);
    operations.iter().find_map(|operation| {
        let rest = mnemonic.strip_prefix(operation)?;
        (rest.is_empty() || CONDITIONS.contains(&rest)).then_some((*operation, !rest.is_empty()))
    })
}

pub fn reading(line: &Line) -> Option<Option<Branch>> {
    const OPERATIONS: [&str; 26] = [
        "blx", "bxj", "bx", "bl", "b", "cbz", "cbnz", "tbb", "tbh", "pop", "ldmib", "ldmia",
        "ldmfd", "ldmdb", "ldmea", "ldm", "ldr", "movs", "mov", "adds", "add", "subs", "sub",
        "svc", "bkpt", "rsb",
    ];
    let Line { mnemonic, operands, .. } = line;
    if mnemonic.starts_with("udf") || mnemonic.starts_with('.') || operands.contains("undefined") {
        return None;
    }
    // `ble` is b with le, not bl with e; the longer operations come first where both would do.
    let Some((operation, is_conditional)) = parts(mnemonic, &OPERATIONS) else { return Some(None) };
    let direct = if is_conditional { Kind::DirectConditional } else { Kind::DirectJump };
    let indirect = if is_conditional { Kind::IndirectConditional } else { Kind::IndirectJump };
    let thumb = line.address & 1;
    let writes_pc = operands.starts_with("pc,");
    let registers = operands.rsplit('{').next().unwrap_or("");
    let loads_pc = operands.contains('{') && registers.contains("pc");
    match operation {
        "b" => branch(direct, false, false, number(operands) | thumb),
        "bl" => branch(direct, true, false, number(operands) | thumb),
        "cbz" | "cbnz" => branch(Kind::DirectConditional, false, false, number(operands) | thumb),
        "blx" if !is_register(operands) => {
            branch(direct, true, false, number(operands) | (thumb ^ 1))
        }
        "blx" => branch(indirect, true, false, 0),
        "bx" => branch(indirect, false, operands == "lr", 0),
        "bxj" | "tbb" | "tbh" => branch(indirect, false, false, 0),
        "pop" if loads_pc => branch(indirect, false, true, 0),
        "ldm" | "ldmib" | "ldmia" | "ldmfd" | "ldmdb" | "ldmea" if loads_pc => {
            let from_stack =
                ["sp", "fp", "fp!", "r11", "r13"].iter().any(|r| operands.starts_with(r));
            branch(indirect, false, from_stack, 0)
        }
        "ldr" if writes_pc => branch(indirect, false, operands.starts_with("pc, [sp], #"), 0),
        "mov" | "movs" if writes_pc => branch(indirect, false, operands == "pc, lr", 0),
        "add" | "adds" | "sub" | "subs" | "rsb" if writes_pc => branch(indirect, false, false, 0),
        "svc" | "bkpt" => branch(Kind::Exception, false, false, 0),
        _ => Some(None),
    }
}

fn is_register(operands: &str) -> bool {
    !operands.contains('<') && !operands.contains("0x")
}
