//! A program from a cross compiler, and its instructions as binutils print them.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempPath;
use tracewright_image::InstructionSet;
use tracewright_sim::event::Isa;

use super::{Line, x86};

const SOURCE: &str = "
    #include <stdio.h>
    #include <stdlib.h>
    int main(int count, char **arguments) {
        char text[99];
        return snprintf(text, sizeof text, \"%g\", strtod(arguments[0], 0));
    }
";

/// Debian's package of a tool; the machine's own has no target in its name.
pub fn package(tool: &str, target: &str) -> String {
    if target == "x86_64-linux-gnu" { tool.to_owned() } else { format!("{tool}-{target}") }
}

pub fn run(tool: &str, package: &str) -> Command {
    let found = Command::new(tool).arg("--version").stdout(Stdio::null()).status();
    assert!(found.is_ok(), "{tool} is missing: apt-get install {package}");
    Command::new(tool)
}

/// A statically linked program that does next to nothing: nearly all of its code is the C library's.
pub fn compile(target: &str, options: &[&str]) -> TempPath {
    let program = tempfile::NamedTempFile::new().expect("a temporary file").into_temp_path();
    let source = tempfile::Builder::new().suffix(".c").tempfile().expect("a temporary file");
    std::fs::write(source.path(), SOURCE).expect("a temporary file");
    let mut compiler = run(&format!("{target}-gcc"), &package("gcc", target));
    compiler.args(["-static", "-O2", "-o"]).arg(&program).args(options).arg(source.path());
    let status = compiler.status().expect("a compiler");
    assert!(status.success(), "{target}-gcc: {status}");
    program
}

/// Every instruction that objdump finds.
pub fn lines(target: &str, program: &Path, set: InstructionSet) -> Vec<Line> {
    let mut objdump = run(&format!("{target}-objdump"), &package("binutils", target));
    objdump.args(["-d", "-w", "-z"]).arg(program).stdout(Stdio::piped());
    if set.isa() == Isa::RiscV {
        objdump.arg("-Mno-aliases");
    }
    let mut child = objdump.spawn().expect("objdump");
    let output = BufReader::new(child.stdout.take().expect("its output"));
    let lines = output.lines().map(|line| line.expect("text")).filter_map(|text| line(&text, set));
    let lines = lines.collect();
    assert!(child.wait().expect("objdump").success());
    lines
}

fn line(text: &str, set: InstructionSet) -> Option<Line> {
    let mut parts = text.split('\t');
    let address = u64::from_str_radix(parts.next()?.trim().strip_suffix(':')?, 16).ok()?;
    let bytes = parts.next()?.trim();
    let digits = bytes.chars().filter(char::is_ascii_hexdigit).count();
    let (mnemonic, operands) = (parts.next()?, parts.next().unwrap_or(""));
    // x86 has a space, not a tab.
    let (mnemonic, operands) = match set.isa() {
        Isa::X86 => x86::split(mnemonic),
        Isa::Arm | Isa::RiscV => (mnemonic, operands),
    };
    // Literals between functions.
    if mnemonic.starts_with('.') {
        return None;
    }
    // A32 words are printed in one piece, T32 by halfwords.
    let thumb = set == InstructionSet::Arm && (digits != 8 || bytes.contains(' '));
    Some(Line {
        address: address | u64::from(thumb),
        length: (digits / 2) as u8,
        mnemonic: mnemonic.trim().to_owned(),
        operands: operands.split(['@', ';']).next().unwrap_or("").trim().to_owned(),
    })
}
