//! Programs that a stranger brings: built again since the capture, with children, for a board, with Thumb code that
//! only its symbols tell, with signals that are pending when a handler returns.

use std::process::Command;

use super::{capture, through_decoder};
use crate::common::{Folder, workload};

/// Runs a tool in the folder.
fn tool(folder: &Folder, name: &str, words: &str) {
    let status =
        Command::new(name).args(words.split_whitespace()).current_dir(folder.path(".")).status();
    assert!(status.expect(name).success(), "{name} {words}");
}

const SUM: &str = "int main(int n, char **v) { int s = 0; for (int i = 0; i < LAST; i++) s += i ^ n; return s & 1; }\n";

/// C11: an identifier of the linker, or a checksum where there is none.
#[test]
fn a_file_that_was_built_again_is_named() {
    for (option, kind) in [("--build-id=sha1", "build-id="), ("--build-id=none", "crc-32=")] {
        let folder = Folder::new();
        folder.write("sum.c", SUM);
        let build = |last: &str| format!("-O1 -static -Wl,{option} -DLAST={last} sum.c -o sum");
        tool(&folder, "gcc", &build("100"));
        capture(&folder, &[], &["./sum"]);
        assert!(folder.text("run.images").contains(&format!(" {kind}")), "{kind}");
        through_decoder(&folder, &["traptor-m4"]);
        tool(&folder, "gcc", &build("101"));
        for command in
            ["decode run.bits --images run.images -o x.pet", "view run.pet.zst --images run.images"]
        {
            let done = folder.run(command);
            assert_eq!(done.status, 1, "{command}");
            let said = format!("sum was built again since the capture: expected {kind}");
            assert!(done.stderr.contains(&said), "{}", done.stderr);
        }
        assert!(!folder.path("x.pet").exists());
        folder.write("run.images", folder.text("run.images").replace(kind, "colour="));
        let done = folder.run("view run.pet.zst --images run.images");
        assert_eq!(done.status, 1);
        assert!(done.stderr.contains("run.images, line 1: expected"), "{}", done.stderr);
    }
}

/// What the command prints can be pasted into a shell.
#[test]
fn a_path_with_a_blank_is_quoted() {
    let folder = Folder::new();
    folder.write("sum.c", SUM);
    tool(&folder, "gcc", "-O1 -static -DLAST=10 sum.c -o sum");
    std::fs::rename(folder.path("sum"), folder.path("my sum")).expect("a name");
    let done = folder.run_words(&["capture", "-o", "run.pet", "--", "./my sum"]);
    let line = done.stderr.lines().find_map(|line| line.strip_prefix("--program "));
    let line = line.unwrap_or_else(|| panic!("{}", done.stderr));
    assert!(line.starts_with("'/") && line.ends_with('\''), "{line}");
    assert!(line.contains("/my sum@0x"), "{line}");
}

/// C16.
#[test]
fn children_are_counted_and_a_program_ends_at_its_limit() {
    let folder = Folder::new();
    folder.write(
        "family.c",
        "#include <sys/wait.h>\n#include <unistd.h>\n#include <spawn.h>\nint main(int n, char **v) {\n\
         if (n > 1) for (;;) ;\nif (!fork()) _exit(0);\nchar *words[] = {\"true\", 0};\n\
         posix_spawnp(0, \"true\", 0, 0, words, words + 1);\nwhile (wait(0) > 0) ;\nreturn 0; }\n",
    );
    tool(&folder, "gcc", "-O1 family.c -o family");
    let captured = capture(&folder, &[], &["./family"]);
    assert_eq!(captured["children"], 2, "{captured}");
    let done = folder.run_words(&["capture", "-o", "run.pet", "--", "./family"]);
    assert!(done.stderr.contains("2 child processes that the program forked are not in the trace"));
    let captured = capture(&folder, &["--limit", "50000", "--stop"], &["./family", "for ever"]);
    assert_eq!((&captured["is_stopped"], &captured["is_whole"]), (&true.into(), &false.into()));
    through_decoder(&folder, &["traptor-m4"]);
}

/// C14: the program begins in A32, and has Thumb functions.
#[test]
fn thumb_code_is_seen_in_symbols_and_else_named() {
    let folder = Folder::new();
    folder.write("sum.c", SUM);
    let build = "-O1 -static -mthumb -march=armv5te -DLAST=50 sum.c -o sum";
    tool(&folder, "arm-linux-gnueabi-gcc", build);
    capture(&folder, &[], &["./sum"]);
    assert_eq!(folder.json("trace info --json run.pet.zst")[0]["alignment"], 0);
    through_decoder(&folder, &["traptor-m4"]);
    tool(&folder, "arm-linux-gnueabi-strip", "sum");
    let done = folder.run_words(&["capture", "-o", "x.pet", "--", "./sum"]);
    assert_eq!(done.status, 1);
    assert!(done.stderr.contains("with Thumb code give --alignment 0"), "{}", done.stderr);
    assert!(!folder.path("x.pet").exists());
    capture(&folder, &["--alignment", "0"], &["./sum"]);
    through_decoder(&folder, &["traptor-m4"]);
}

/// C15.
#[test]
fn a_program_for_a_board_is_told_where_it_runs() {
    let folder = Folder::new();
    let program = workload("x").replace("x.pet.zst", "rv32imac-crc.elf");
    let done = folder.run_words(&["capture", "-o", "run.pet", "--", &program]);
    assert_eq!(done.status, 1, "{}", done.stderr);
    assert!(done.stderr.contains("this one seems to be for a board"), "{}", done.stderr);
    let command = format!("`tracewright wset capture {program} -o rv32imac-crc.wset` runs those");
    assert!(done.stderr.contains(&command), "{}", done.stderr);
    assert!(!folder.path("run.pet").exists());
}

/// C13: each of fifty handlers leaves a signal pending that is taken when it returns, so that the second handler begins
/// where the first one ends.
#[test]
fn handlers_that_follow_each_other_are_no_calls_of_each_other() {
    let folder = Folder::new();
    folder.write(
        "pending.c",
        "#include <signal.h>\nstatic void second(int s) { (void)s; }\n\
         static void first(int s) { (void)s; raise(SIGUSR2); }\nint main(void) {\n\
         struct sigaction a = {.sa_handler = first}, b = {.sa_handler = second};\n\
         sigaddset(&a.sa_mask, SIGUSR2);\nsigaction(SIGUSR1, &a, 0);\nsigaction(SIGUSR2, &b, 0);\n\
         for (int i = 0; i < 50; i++) raise(SIGUSR1);\nreturn 0; }\n",
    );
    tool(&folder, "gcc", "-O0 -static pending.c -o pending");
    let captured = capture(&folder, &[], &["./pending"]);
    assert_eq!(captured["signals"], 100, "{captured}");
    folder.succeed("view run.pet.zst --images run.images --folded run.folded");
    let folded = folder.text("run.folded");
    let handlers: Vec<&str> = folded.lines().filter(|line| line.contains(";second")).collect();
    assert!(!handlers.is_empty(), "{folded}");
    let deepest = handlers.iter().map(|line| line.matches(';').count()).max();
    assert!(deepest <= Some(12), "{handlers:#?}");
}

/// C12: a library of the system, with debugging information that is installed apart, is not in the coverage; one that
/// has it in itself is.
#[test]
fn coverage_is_of_the_program_s_own_files() {
    let folder = Folder::new();
    folder.write("mine.c", "int mine(int n) { return n + 1; }\n");
    folder.write("system.c", "int system_call(int n) { return n + 2; }\n");
    folder.write(
        "main.c",
        "int mine(int); int system_call(int);\nint main(int n, char **v) { return mine(n) + system_call(n) - 5; }\n",
    );
    tool(&folder, "gcc", "-g -fPIC -shared mine.c -o libmine.so");
    tool(&folder, "gcc", "-g -fPIC -shared -Wl,--build-id=0xab12cd34 system.c -o libsystem.so");
    std::fs::create_dir_all(folder.path("debug/.build-id/ab")).expect("a folder");
    tool(&folder, "objcopy", "--only-keep-debug libsystem.so debug/.build-id/ab/12cd34.debug");
    tool(&folder, "strip", "libsystem.so");
    tool(&folder, "gcc", "-g main.c -L. -lmine -lsystem -Wl,-rpath,$ORIGIN -o main");
    capture(&folder, &[], &["./main"]);
    folder.succeed("view run.pet.zst --images run.images --debug-files debug --lcov run.info");
    let text = folder.text("run.info");
    let mut sources: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("SF:"))
        .map(|path| path.rsplit('/').next().unwrap_or(path))
        .collect();
    sources.sort_unstable();
    assert_eq!(sources, ["main.c", "mine.c"], "{text}");
    let lines = folder.succeed(
        "view run.pet.zst --images run.images --debug-files debug --listing - --count 1000000",
    );
    assert!(lines.contains("system.c:1"), "the listing has lines of all files");
}
