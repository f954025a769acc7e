//! What `view` shows of a real program with interrupts and exceptions, and what it says of others.

use std::process::Command;

use crate::common::{Folder, workload};

/// A folder with a trace and its program.
fn folder() -> Folder {
    let folder = Folder::new();
    let elf = workload("rv32imac-traps").replace(".pet.zst", ".elf");
    std::fs::copy(elf, folder.path("traps.elf")).expect("the program");
    std::fs::copy(workload("rv32imac-traps"), folder.path("run.pet.zst")).expect("the trace");
    folder
}

const PROGRAM: &str = "--program traps.elf";

/// The first lines, after those that come before `from`.
fn part(text: &str, from: &str, lines: usize) -> String {
    let lines = text.lines().skip_while(|line| !line.contains(from)).take(lines);
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn tables() {
    let folder = folder();
    insta::assert_snapshot!(folder.succeed(&format!("view run.pet.zst {PROGRAM} --top 6")));
}

#[test]
fn files() {
    let folder = folder();
    let said = folder.succeed(&format!(
        "view run.pet.zst {PROGRAM} --listing run.lst --count 2000 --annotate run.txt --perfetto \
         run.json --folded run.folded --flame-graph run.svg --lcov run.info"
    ));
    insta::assert_snapshot!("files", said);
    insta::assert_snapshot!("listing", part(&folder.text("run.lst"), "main:", 30));
    insta::assert_snapshot!("annotated", part(&folder.text("run.txt"), "main: ", 30));
    insta::assert_snapshot!("folded", part(&folder.text("run.folded"), "", 12));
    insta::assert_snapshot!("perfetto", part(&folder.text("run.json"), "", 12));
    insta::assert_snapshot!("lcov", part(&folder.text("run.info"), "traps.c", 20));
    assert!(folder.text("run.svg").contains("<title>main ("));
}

#[test]
fn an_encoded_file_shows_the_same() {
    let folder = folder();
    folder.succeed("encode traptor-m4 run.pet.zst -o run.bits");
    let mut traced = folder.json(&format!("view run.pet.zst {PROGRAM} --json"));
    let mut decoded = folder.json(&format!("view run.bits {PROGRAM} --json"));
    assert_eq!(traced["instructions"], 529_254);
    assert_eq!(traced["trace"].take(), "run.pet.zst");
    assert_eq!(decoded["trace"].take(), "run.bits");
    assert_eq!(traced, decoded);
}

#[test]
fn a_stripped_program_is_shown_by_addresses() {
    let folder = folder();
    let strip = Command::new("riscv64-unknown-elf-strip").arg(folder.path("traps.elf")).status();
    assert!(
        strip.is_ok_and(|status| status.success()),
        "riscv64-unknown-elf-strip is needed: apt-get install binutils-riscv64-unknown-elf"
    );
    let named = workload("rv32imac-traps").replace(".pet.zst", ".elf");
    let named = folder.json(&format!("view run.pet.zst --program {named} --json --top 100"));
    let bare = folder.json(&format!(
        "view run.pet.zst {PROGRAM} --json --top 100 --listing run.lst --annotate run.txt --perfetto run.json \
         --folded run.folded --flame-graph run.svg --lcov run.info"
    ));
    assert_eq!(named["branches"]["classes"], bare["branches"]["classes"]);
    let first = bare["functions"][0]["function"].as_str().expect("a function");
    assert!(first.starts_with("traps.elf+0x"), "{first}");
}

/// Where exceptions came, with the instruction that was attempted there.
#[test]
fn exceptions_are_in_json() {
    let folder = folder();
    let shown = folder.json(&format!("view run.pet.zst {PROGRAM} --json --top 10000"));
    let exceptions = shown["exceptions"].as_array().expect("an array");
    let count = |one: &serde_json::Value| one["count"].as_u64().expect("a number");
    let all: u64 = exceptions.iter().map(count).sum();
    assert!(all > 2_000 && Some(all) <= shown["branches"]["exceptions"].as_u64(), "{all}");
    assert!(exceptions.is_sorted_by_key(|one| std::cmp::Reverse(count(one))));
    // The listing says the same, one by one.
    folder.succeed(&format!("view run.pet.zst {PROGRAM} --listing run.lst --count 1M"));
    let text = folder.text("run.lst");
    assert_eq!(text.matches(" exception before ").count() as u64, all);
    for one in exceptions.iter().take(20) {
        let address = one["address"].as_u64().expect("a number");
        let instruction = one["instruction"].as_str().expect("code");
        let function = one["function"].as_str().expect("a name");
        let line = format!(" exception before {address:x} <{function}>: {instruction}; continues");
        assert_eq!(text.matches(&line).count() as u64, count(one), "{line}");
    }
    let top = folder.json(&format!("view run.pet.zst {PROGRAM} --json --top 3"));
    assert_eq!(top["exceptions"].as_array().map(Vec::as_slice), Some(&exceptions[..3]));
}

/// A listing that begins after the last instruction is an error, which says how many there are.
#[test]
fn a_listing_past_the_end_is_refused() {
    let folder = folder();
    let before = folder.names();
    let list = |from: u64| {
        folder.run(&format!(
            "view run.pet.zst {PROGRAM} --listing run.lst --lcov run.info --from {from}"
        ))
    };
    let refused = list(529_254);
    assert_eq!(refused.status, 2, "{}", refused.stderr);
    let said = "--from 529,254: run.pet.zst has 529,254 instructions, which are counted from 0\n";
    assert!(refused.stderr.ends_with(said), "{}", refused.stderr);
    assert_eq!(folder.names(), before);
    let last = list(529_253);
    assert_eq!((last.status, last.stderr.as_str()), (0, ""));
    assert!(folder.text("run.lst").contains("      529253  "), "{}", folder.text("run.lst"));
}

/// A process is called by the program, not by the list of its files.
#[test]
fn tables_do_not_go_where_a_file_goes() {
    let folder = folder();
    for asked in ["--functions --listing -", "--json --folded -", "--path-to 10 --listing -"] {
        let done = folder.run(&format!("view run.pet.zst {PROGRAM} {asked}"));
        let said = done.stderr.replace('\n', " ");
        assert!(done.status == 2 && said.contains("-: expected a file's name"), "{said}");
    }
}

#[test]
fn a_timeline_is_named_by_the_program() {
    let folder = folder();
    folder.write("run.images", "traps.elf@0x0\n");
    let name = |files: &str| {
        folder.succeed(&format!("view run.pet.zst {files} --perfetto run.json"));
        let timeline: serde_json::Value =
            serde_json::from_str(&folder.text("run.json")).expect("JSON");
        timeline["traceEvents"][0]["args"]["name"].clone()
    };
    assert_eq!(name("--images run.images"), "traps.elf");
    assert_eq!(name(PROGRAM), "traps.elf");
}

#[test]
fn what_does_not_fit_leaves_nothing() {
    let folder = folder();
    let other = workload("rv32imac-sort").replace(".pet.zst", ".elf");
    let wide = workload("rv64imac-traps").replace(".pet.zst", ".elf");
    std::fs::copy(other, folder.path("sort.elf")).expect("a program");
    std::fs::copy(wide, folder.path("wide.elf")).expect("a program");
    let bytes = folder.read("run.pet.zst");
    folder.write("cut.pet.zst", &bytes[..bytes.len() / 2]);
    let before = folder.names();
    let commands = [
        ("view run.pet.zst --program sort.elf --listing out.lst --folded out.folded", 1),
        ("view run.pet.zst --program wide.elf --perfetto out.json", 1),
        ("view cut.pet.zst --program traps.elf --lcov out.info --perfetto out.json", 1),
        ("view run.pet.zst --program run.pet.zst --lcov out.info", 2),
        ("view run.pet.zst --program traps.elf --lcov out --folded out", 2),
        ("view run.pet.zst --program traps.elf --annotate missing/out", 1),
        ("view nothing.pet.zst --program traps.elf --annotate out", 1),
        ("view run.pet.zst --program traps.elf --from 3", 2),
    ];
    let mut said = String::new();
    for (command, status) in commands {
        let done = folder.run(command);
        assert_eq!((done.status, done.stdout.as_str()), (status, ""), "{command}");
        assert_eq!(folder.names(), before, "{command}");
        said += &format!("{command}\n{}\n", done.stderr);
    }
    insta::assert_snapshot!(said);
}

#[test]
fn stacks_find_their_place_again() {
    let folder = Folder::new();
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../program/capture/tests/programs/calls.c")
        .to_owned();
    let program = folder.path("calls");
    let mut compiler = Command::new("riscv64-linux-gnu-gcc");
    let compiled =
        compiler.args(["-O2", "-static", "-pthread", "-o"]).arg(&program).arg(source).status();
    let compiled = compiled.expect("riscv64-linux-gnu-gcc: apt-get install gcc-riscv64-linux-gnu");
    assert!(compiled.success(), "{compiled}");
    let program = program.display();
    folder.run(&format!("capture -o run.pet.zst -- {program}"));
    folder.succeed(&format!("view run.pet.zst --program {program} --folded run.folded"));
    let folded = folder.text("run.folded");
    let stacks: Vec<&str> =
        folded.lines().filter_map(|line| Some(line.rsplit_once(' ')?.0)).collect();
    let ends = |end: &str| stacks.iter().filter(|stack| stack.ends_with(end)).count();
    // After longjmp main goes on; a tail call takes the place of its caller; a thread has a stack of its own.
    for stack in
        [";main;middle;leaf", ";main;after", ";main;tail", ";main;last", "start_thread;work;part"]
    {
        assert_eq!(ends(stack), 1, "{stack} in\n{folded}");
    }
    for name in [";after", ";last", ";part"] {
        assert_eq!(ends(name), 1, "{name} in\n{folded}");
    }
    assert!(!stacks.iter().any(|stack| stack.contains(";main;") && stack.contains(";part")));
}

/// Table and folded stacks count the same instructions for the same functions, labels without a type included.
#[test]
fn every_view_attributes_alike() {
    let folder = Folder::new();
    folder.write(
        "labels.S",
        "    .globl _start\n_start:\n    li s0, 100\nagain:\n    jal ra, sum\n    addi s0, s0, -1\n\
             bnez s0, again\n    j last\nsum:\n    li t0, 20\n1:  addi t0, t0, -1\n    bnez t0, 1b\n    ret\n\
         last:\n    li a7, 93\n    li a0, 0\n    ecall\n",
    );
    let mut compiler = Command::new("riscv64-linux-gnu-gcc");
    compiler.args(["-static", "-nostdlib", "-o", "labels", "labels.S"]);
    assert!(compiler.current_dir(folder.path(".")).status().expect("a compiler").success());
    folder.run("capture -o run.pet.zst --images run.images -- ./labels");
    let shown = folder.json("view run.pet.zst --images run.images --folded run.folded --json");
    let mut table: Vec<(String, u64)> = Vec::new();
    for function in shown["functions"].as_array().expect("an array") {
        let name = function["function"].as_str().expect("a name").to_owned();
        table.push((name, function["instructions"].as_u64().expect("a number")));
    }
    table.sort();
    let folded = folder.text("run.folded");
    let mut stacks = std::collections::BTreeMap::<String, u64>::new();
    for line in folded.lines() {
        let (stack, count) = line.rsplit_once(' ').expect("a count");
        let function = stack.rsplit(';').next().expect("a function").to_owned();
        *stacks.entry(function).or_default() += count.parse::<u64>().expect("a number");
    }
    assert_eq!(table, stacks.into_iter().collect::<Vec<_>>(), "{folded}");
    let of = |name: &str| table.iter().find(|(found, _)| found == name).map(|(_, count)| *count);
    assert_eq!((of("sum"), of("again"), of("_start")), (Some(4200), Some(301), Some(1)));
}

/// A stripped program whose debugging information is installed apart has its names and lines.
#[test]
fn debugging_information_of_another_file() {
    let folder = Folder::new();
    folder.write(
        "main.c",
        "static __attribute__((noinline)) int hidden(int n) { int s = 0; for (volatile int i = 0; i < n; i++) s += i; \
         return s; }\nint main(void) { return hidden(50) & 1; }\n",
    );
    let run = |words: &[&str]| {
        let mut command = Command::new(words[0]);
        let status = command.args(&words[1..]).current_dir(folder.path(".")).status();
        assert!(status.expect("binutils").success(), "{words:?}");
    };
    run(&["gcc", "-O1", "-g", "-Wl,--build-id=0x0123456789abcdef", "-o", "main", "main.c"]);
    std::fs::create_dir_all(folder.path("debug/.build-id/01")).expect("a folder");
    let apart = "debug/.build-id/01/23456789abcdef.debug";
    run(&["objcopy", "--only-keep-debug", "main", apart]);
    run(&["strip", "main"]);
    folder.run("capture -o run.pet.zst --images run.images -- ./main");
    let view = "view run.pet.zst --images run.images --functions --top 500 --lcov run.info";
    assert!(!folder.succeed(view).contains("hidden"));
    let found = folder.succeed(&format!("{view} --debug-files debug"));
    assert!(found.contains("hidden"), "{found}");
    assert!(folder.text("run.info").contains("main.c\n"), "{}", folder.text("run.info"));
    // One of another program is not used.
    run(&["gcc", "-O1", "-g", "-Wl,--build-id=0x0123456789abcdee", "-o", apart, "main.c"]);
    assert!(!folder.succeed(&format!("{view} --debug-files debug")).contains("hidden"));
}

/// Instructions of up to 15 bytes leave room before the mnemonic.
#[test]
fn long_instructions_have_their_columns() {
    let folder = Folder::new();
    folder.write("main.c", "int main(void) { long x; __asm__ volatile(\"movabs $0x1122334455667788, %0\" : \"=r\"(x)); return 0; }\n");
    let mut compiler = Command::new("gcc");
    compiler.args(["-O1", "-static", "-o", "main", "main.c"]);
    assert!(compiler.current_dir(folder.path(".")).status().expect("a compiler").success());
    folder.run("capture -o run.pet.zst --images run.images -- ./main");
    folder.succeed("view run.pet.zst --images run.images --annotate run.txt");
    let text = folder.text("run.txt");
    let line = text.lines().find(|line| line.contains("0x1122334455667788")).expect("the line");
    assert!(line.contains("48b88877665544332211  ") && line.contains("  mov rax,0x11"), "{line}");
}

/// Coroutines that begin and wait on stacks of their own do not pile up on each other.
#[test]
fn coroutines_have_their_own_stacks() {
    let folder = Folder::new();
    let source =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../program/capture/tests/programs/coroutines.c");
    let mut compiler = Command::new("gcc");
    compiler.args(["-O1", "-static", "-o", "coroutines", source]);
    assert!(compiler.current_dir(folder.path(".")).status().expect("gcc").success());
    folder.run("capture -o run.pet.zst --images run.images -- ./coroutines");
    let shown = folder.json("view run.pet.zst --images run.images --folded run.folded --json");
    let deepest = shown["branches"]["calls"]["deepest"].as_u64();
    assert!(deepest < Some(60), "{deepest:?}");
    let folded = folder.text("run.folded");
    let work = folded.lines().filter_map(|line| line.split_once(";work "));
    let (mut own, mut all) = (0, 0);
    for (stack, count) in work {
        let count: u64 = count.parse().expect("a number");
        all += count;
        own += if stack.split(';').count() == 2 { count } else { 0 };
    }
    assert!(all > 200_000 && own > all * 9 / 10, "{own} of {all}\n{folded}");
}

/// A function that the compiler put into another is between it and what it calls.
#[test]
fn inlined_functions_are_in_the_stacks() {
    let folder = Folder::new();
    folder.write(
        "main.c",
        "static inline __attribute__((always_inline)) int inner(int n) { int s = 0;\n\
         for (volatile int i = 0; i < n; i++) s += i;\n return s; }\n\
         static inline __attribute__((always_inline)) int outer(int n) { return inner(n) + 1; }\n\
         __attribute__((noinline)) int work(int n) { return outer(n) * 2; }\n\
         int main(void) { return work(500) & 1; }\n",
    );
    let mut compiler = Command::new("gcc");
    compiler.args(["-O1", "-g", "-static", "-o", "main", "main.c"]);
    assert!(compiler.current_dir(folder.path(".")).status().expect("gcc").success());
    folder.run("capture -o run.pet.zst --images run.images -- ./main");
    let shown = folder.json(
        "view run.pet.zst --images run.images --folded run.folded --listing run.lst --count 1G \
                     --annotate run.txt --json --top 999",
    );
    let folded = folder.text("run.folded");
    let of = |part: &str| {
        let lines = folded.lines().filter(|line| line.contains(part));
        let count =
            |line: &str| line.rsplit_once(' ').and_then(|(_, count)| count.parse::<u64>().ok());
        lines.filter_map(count).sum::<u64>()
    };
    assert!(of(";main;work;outer (inlined);inner (inlined) ") > 2000, "{folded}");
    let source = "/main.c:2 in inner, inlined into outer at line 4, inlined into work at line 5";
    for file in ["run.lst", "run.txt"] {
        let text = folder.text(file);
        let shown = text.lines().any(|line| line.trim_start().ends_with(source));
        assert!(shown, "{file}: {source}");
    }
    // The table has the code as it was linked: `work` with what was put into it.
    let functions = shown["functions"].as_array().expect("an array");
    let work = functions.iter().find(|one| one["function"] == "work").expect("the function");
    assert_eq!(work["instructions"].as_u64(), Some(of(";main;work")));
}

/// A program of 48 MB is in memory once, however many of its parts are used.
#[test]
fn a_large_program_is_in_memory_once() {
    let folder = Folder::new();
    folder.write("main.c", "int main(void) { return 0; }\n");
    // Debugging information of which most is padding.
    folder.write("padding", vec![1u8; 48_000_000]);
    let run = |words: &[&str]| {
        let status =
            Command::new(words[0]).args(&words[1..]).current_dir(folder.path(".")).status();
        assert!(status.expect("binutils").success(), "{words:?}");
    };
    run(&["gcc", "-O1", "-g", "-static", "-o", "main", "main.c"]);
    folder.run("capture -o run.pet.zst --images run.images -- ./main");
    run(&["objcopy", "--add-section", ".debug_types=padding", "main", "large"]);
    for files in ["--listing run.lst --annotate run.txt", "--lcov run.info", "--folded run.folded"]
    {
        folder.succeed(&format!("view run.pet.zst --program large {files} --memory 90MB"));
    }
}

/// The program ends in a loop to itself, whose last branch back is followed by nothing.
#[test]
fn the_loop_in_which_a_program_ends_was_entered() {
    let folder = folder();
    let seen = folder.json(&format!("view run.pet.zst {PROGRAM} --json"));
    let loops = seen["loops"].as_array().expect("loops");
    let last = loops.iter().find(|one| one["address"] == one["end"]).expect("a loop to itself");
    assert_eq!((&last["entries"], &last["iterations"]), (&1.into(), &1.into()), "{last}");
}
