//! Stubs of procedure linkage tables, held against the labels that objdump gives them.

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

use tempfile::TempPath;
use tracewright_image::Image;

use crate::classifiers::objdump::{package, run};

const SOURCE: &str = "
    #include <math.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    int main(int count, char **arguments) {
        char *text = malloc(strlen(arguments[0]) + 99);
        void (*volatile release)(void *) = free;
        sprintf(text, \"%g\", pow(strtod(arguments[0], 0), atan2(count, 3)));
        puts(text);
        release(text);
        free(text);
        return getenv(\"HOME\") != 0;
    }
";

fn compile(target: &str, options: &[&str]) -> TempPath {
    let program = tempfile::NamedTempFile::new().expect("a temporary file").into_temp_path();
    let source = tempfile::Builder::new().suffix(".c").tempfile().expect("a temporary file");
    std::fs::write(source.path(), SOURCE).expect("a temporary file");
    let mut compiler = run(&format!("{target}-gcc"), &package("gcc", target));
    compiler.args(["-O1", "-fno-builtin", "-o"]).arg(&program).args(options);
    let status = compiler.arg(source.path()).arg("-lm").status().expect("a compiler");
    assert!(status.success(), "{target}-gcc: {status}");
    program
}

/// The stubs in objdump's output, whose labels are `0000000000001030 <puts@plt>:`, with the versions of names removed.
fn labels(target: &str, program: &Path) -> Vec<(u64, String)> {
    let mut objdump: Command = run(&format!("{target}-objdump"), &package("binutils", target));
    let output = objdump.args(["-d", "-w"]).arg(program).output().expect("objdump");
    let text = String::from_utf8(output.stdout).expect("text");
    let label = |line: &str| {
        let (address, name) = line.strip_suffix(">:")?.split_once(" <")?;
        let name = name.strip_suffix("@plt")?;
        let name = name.split('@').next()?;
        Some((u64::from_str_radix(address, 16).ok()?, format!("{name}@plt")))
    };
    text.lines().filter_map(label).collect()
}

fn check(target: &str, options: &[&str]) {
    let program = compile(target, options);
    let expected = labels(target, &program);
    assert!(expected.len() >= 8, "{target} {options:?}: {expected:?}");
    for load_address in [0, 0x40_0000] {
        let image = Image::open(&program, load_address).expect("what a compiler makes");
        for (address, name) in &expected {
            let found = image.function_at(address + load_address);
            assert_eq!(
                found.map(|symbol| &symbol.name),
                Some(name),
                "{target} {options:?} {address:#x}"
            );
        }
    }
}

#[test]
fn x86_64() {
    check("x86_64-linux-gnu", &[]);
    check("x86_64-linux-gnu", &["-no-pie"]);
    check("x86_64-linux-gnu", &["-fcf-protection=full", "-Wl,-z,ibtplt"]);
    check("x86_64-linux-gnu", &["-s"]);
}

#[test]
fn arm() {
    check("arm-linux-gnueabi", &["-marm"]);
    check("arm-linux-gnueabihf", &["-mthumb"]);
}

#[test]
#[ignore = "needs gcc-aarch64-linux-gnu: make programs-check"]
fn aarch64() {
    check("aarch64-linux-gnu", &[]);
    check("aarch64-linux-gnu", &["-no-pie", "-s"]);
    for options in ["-Wl,-z,force-bti", "-Wl,-z,pac-plt", "-Wl,-z,force-bti,-z,pac-plt"] {
        check("aarch64-linux-gnu", &["-mbranch-protection=standard", options]);
    }
}

#[test]
fn riscv64() {
    check("riscv64-linux-gnu", &[]);
    check("riscv64-linux-gnu", &["-no-pie"]);
}

/// A static program calls functions of which there are several versions by stubs: objdump says which slot a stub jumps
/// by, readelf which function chooses what is in it, and `nm` how that is called.
#[test]
fn a_static_program() {
    let program = compile("x86_64-linux-gnu", &["-static"]);
    let text = |tool: &str, option: &str| {
        let output = run(tool, "binutils").arg(option).arg(&program).output().expect("binutils");
        String::from_utf8(output.stdout).expect("text")
    };
    let number = |word: &str| u64::from_str_radix(word, 16).ok();
    let (code, names) = (text("objdump", "-dwj.plt"), text("nm", "-p"));
    let relocations = text("readelf", "-rW");
    let mut choosers = HashMap::new();
    for line in relocations.lines().filter(|line| line.contains("R_X86_64_IRELATIV")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        choosers.insert(number(words[0]).expect("a slot"), number(words[3]).expect("an address"));
    }
    let image = Image::open(&program, 0).expect("what a compiler makes");
    let mut stubs = 0;
    for line in code.lines().filter(|line| line.contains("jmp ")) {
        let (address, rest) = line.trim().split_once(':').expect("an address");
        let address = number(address).expect("an address");
        let (_, slot) = rest.split_once("# ").expect("a slot");
        let slot = slot.split(' ').next().and_then(number).expect("a slot");
        let found = &image.function_at(address).expect("a stub").name;
        let name = found.strip_suffix("@plt").expect("the name of a stub");
        let chooser = format!("{:016x} i {name}\n", choosers[&slot]);
        assert!(names.contains(&chooser), "{address:#x} is {found}");
        stubs += 1;
    }
    assert!(stubs >= 8, "{code}");
}
