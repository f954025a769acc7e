//! The frames that GDB unwinds are the calls of the trace, at every instruction of optimized code.

use crate::common::Folder;

use super::script;

/// Instructions that are stepped.
const STEPS: usize = 150;

/// The functions of the program, in which no call is a jump.
const FUNCTIONS: [&str; 8] =
    ["innermost", "inner", "middle", "outer", "fib", "leap", "jumps", "scenes"];

/// Those of the names that are functions of the program.
fn functions<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    names.filter(|name| FUNCTIONS.contains(name)).collect()
}

/// The function of a line such as `#1  inner (x=...) at scenes.c:13`, or `#1  0x... in inner () ...`.
fn function_of_frame(line: &str) -> Option<&str> {
    let (number, rest) = line.strip_prefix('#')?.split_once(' ')?;
    number.parse::<u32>().ok()?;
    rest.trim_start().split(' ').next()
}

fn compare(compiler: &str) {
    let folder = Folder::new();
    script::take_programs(&folder);
    let options = "-g -O2 -fno-inline -fno-optimize-sibling-calls -static -pthread";
    script::compile(&folder, &format!("{compiler}-gcc {options} -o scenes scenes.c main.c"));
    let done = folder.run("capture -o scenes.pet.zst --images scenes.images -- ./scenes");
    assert_eq!(done.status, 0, "{}", done.stderr);
    let mut commands: Vec<String> = ["break scenes", "continue", "delete"].map(String::from).into();
    for _ in 0..STEPS {
        let step = ["backtrace", "monitor callers", "stepi"];
        commands.extend(step.map(String::from));
    }
    let printed =
        script::gdb(&folder, "scenes", "scenes.pet.zst --images scenes.images", &commands);
    let mut compared = 0;
    for part in printed.split("(gdb) backtrace\n").skip(1) {
        let (frames, rest) = part.split_once("(gdb) monitor callers\n").expect("both");
        let (calls, _) = rest.split_once("(gdb) stepi").expect("a step");
        let unwound = functions(frames.lines().filter_map(function_of_frame));
        let traced = functions(calls.lines().filter_map(|line| line.split(',').next()));
        assert_eq!(unwound, traced, "{part}");
        compared += usize::from(!traced.is_empty());
    }
    assert_eq!(compared, STEPS);
}

#[test]
fn risc_v() {
    compare("riscv64-linux-gnu");
}

#[test]
fn arm() {
    compare("arm-linux-gnueabihf");
}

#[test]
fn x86() {
    compare("x86_64-linux-gnu");
}
