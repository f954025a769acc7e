//! The classifiers against two disassemblers, instruction by instruction, on whole statically linked programs: a C
//! library each, half a megabyte of code that nobody here wrote.

mod aarch64;
mod arm;
mod capstone;
pub mod objdump;
mod riscv;
mod x86;

use tracewright_image::{Image, InstructionSet};
use tracewright_sim::code::{Branch, Code, Instruction};
use tracewright_sim::event::Kind;

/// An instruction as a disassembler prints it.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its address, with a Thumb bit.
    pub address: u64,
    /// Its bytes.
    pub length: u8,
    /// The word that says what it does.
    pub mnemonic: String,
    /// The rest.
    pub operands: String,
}

/// What a printed instruction is, if it is an instruction: no data, nothing undefined.
type Reading = fn(&Line) -> Option<Option<Branch>>;

/// What is the same in both: a jump's target is a jump's only.
fn branch(kind: Kind, call: bool, is_return: bool, target: u64) -> Option<Option<Branch>> {
    Some(Some(Branch { kind, call, is_return, target }))
}

/// The first hexadecimal number of the operands.
fn number(operands: &str) -> u64 {
    let last = operands.split(" <").next().unwrap_or(operands);
    let word = last.rsplit([',', ' ', '#']).find(|word| !word.is_empty()).unwrap_or("");
    let digits = word.trim_start_matches("0x");
    u64::from_str_radix(digits, 16).unwrap_or_else(|_| panic!("no target in {operands:?}"))
}

fn check(name: &str, image: &Image, lines: &[Line], reading: Reading) {
    let (mut checked, mut branches, mut wrong) = (0, 0, Vec::new());
    let mut previous: Option<&Line> = None;
    for line in lines {
        let follows =
            previous.replace(line).filter(|p| p.address + u64::from(p.length) == line.address);
        let Some(mut expected) = reading(line) else { continue };
        // `mov lr, pc` makes an indirect jump a call, which no disassembler says.
        if image.instruction_set() == InstructionSet::Arm
            && follows.is_some_and(|line| line.mnemonic == "mov" && line.operands == "lr, pc")
            && let Some(branch) = &mut expected
        {
            (branch.call, branch.is_return) = (true, false);
        }
        let expected = Instruction { length: line.length, branch: expected };
        let found = image.instruction(line.address);
        checked += 1;
        branches += usize::from(expected.branch.is_some());
        if found != Some(expected) {
            wrong.push(format!("{line:?}\n  expected {expected:?}\n  found    {found:?}"));
        }
    }
    eprintln!(
        "{name}: {checked} instructions, {branches} of them control flow, {} wrong",
        wrong.len()
    );
    let shown = wrong.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{name}: {} of {checked} wrong:\n{shown}", wrong.len());
    assert!(checked > 3_000 && branches > 500, "{name}: only {checked} instructions");
}

fn both(target: &str, options: &[&str], expected: InstructionSet, reading: Reading) {
    let program = objdump::compile(target, options);
    let image = Image::open(&program, 0).expect("what a compiler makes");
    assert_eq!(image.instruction_set(), expected);
    let lines = objdump::lines(target, &program, expected);
    check(&format!("{target} objdump"), &image, &lines, reading);
    let lines = capstone::lines(&image, &lines);
    check(&format!("{target} capstone"), &image, &lines, reading);
}

#[test]
fn risc_v() {
    both("riscv64-linux-gnu", &[], InstructionSet::RV64, riscv::reading);
}

#[test]
fn risc_v_32() {
    let options = ["--specs=picolibc.specs", "-march=rv32imac", "-mabi=ilp32"];
    both("riscv64-unknown-elf", &options, InstructionSet::RV32, riscv::reading);
}

#[test]
fn a32() {
    both("arm-linux-gnueabi", &["-marm"], InstructionSet::Arm, arm::reading);
}

#[test]
fn t32() {
    both("arm-linux-gnueabihf", &["-mthumb"], InstructionSet::Arm, arm::reading);
}

/// A sample of the space of branches of A64.
#[test]
fn a64() {
    aarch64::sweep(1);
}

#[test]
#[ignore = "a minute, and needs gcc-aarch64-linux-gnu: make programs-check"]
fn all_of_aarch64() {
    aarch64::sweep(40);
    let options = ["-march=armv8.5-a", "-mbranch-protection=standard"];
    both("aarch64-linux-gnu", &options, InstructionSet::AArch64, aarch64::reading);
}

#[test]
fn x86_64() {
    both("x86_64-linux-gnu", &[], InstructionSet::X86_64, x86::reading);
}
