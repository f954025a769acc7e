//! Every command with every one of its options on traces of every kind: it succeeds or says why not, and never panics.
//! Every sixth command line is tried, and with `ALL_LINES` in the environment (`make regress`) each.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use clap::Arg;

use crate::common::tree::{self, Value};
use crate::common::{Folder, is_long};

/// Traces: an empty one, without and with accesses, of 64 bits, of x86, of several threads and contexts.
const TRACES: [&str; 7] = [
    "empty.txt",
    "arm.pet.zst",
    "data.pet.zst",
    "rv64.pet.zst",
    "x86.pet.zst",
    "threads.pet.zst",
    "traps.pet.zst",
];

/// The words that a command needs, with TRACE for a trace; `None` for one that takes no trace, or not one of these.
fn base(command: &str) -> Option<&'static str> {
    Some(match command {
        "advise" => "--design nexs TRACE",
        "encode" => "traptor-s0 TRACE -o out.bits",
        "decode" => "run.bits --program TRACE -o out.pet.zst",
        "measure" => "--design traptor-s0,nexs,stride-32 TRACE",
        "compare" => "--only traptor-s1,stream-rbase-128,gzip TRACE",
        "cosim" => "traptor-s0 TRACE",
        "explore" => "space.toml TRACE -o out",
        "fit-talon" => "TRACE -o out.toml",
        "report" => "traptor-s0 TRACE",
        "reproduce" => "TRACE",
        "view" => "TRACE --program crc.elf",
        "profile" => "TRACE --program crc.elf --format bolt -o out.txt",
        // GDB is at the end of an empty standard input.
        "debug" => "TRACE --program crc.elf --stdio",
        "power" => concat!(
            "nexs TRACE --liberty ",
            env!("CARGO_MANIFEST_DIR"),
            "/../synthesis/liberty/small_power.lib"
        ),
        "trace dump" => "TRACE -o out.txt",
        "trace convert" => "TRACE -o out.pet",
        "trace info" | "trace verify" => "TRACE",
        _ => return None,
    })
}

/// The same for commands that read something else.
fn other_base(command: &str) -> &'static str {
    match command {
        "designs" => "",
        "generate" => "traptor-s0 -o out",
        "capture" => "-o out.pet.zst -- ./crc.elf",
        "live" => "traptor-s0 crc.elf",
        "funnel" => "-o out",
        "combine generate" => "traptor-s0 talon-d -o out",
        "combine encode" => "traptor-s0 talon-d data.pet.zst -o out.bin",
        "combine decode" => "traptor-s0 talon-d frames.bin --program data.pet.zst -o out.pet.zst",
        "combine cosim" => "traptor-s0 talon-d data.pet.zst",
        "gates" | "fpga" => "traptor-s0",
        "adversary" => "talon-s -o out --programs 60 --events 50",
        "trace script" => concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../workloads/worst/talon-s-returns.txt -o out.pet --events 50"
        ),
        "merge" => "part1 -o out",
        "regress" => "--quick --workloads sub",
        "trace import" => "log.csv -o out.pet.zst",
        "port-check" => "log.csv -o out.toml",
        "coverage" | "trace generate" => "--events 10",
        "wset capture" => "crc.elf -o out.wset --limit 200",
        "wset replay" => "crc.wset -o out.pet.zst",
        "wset info" => "crc.wset",
        "wset boards" => "qemu-virt",
        "manual" => "",
        other => panic!("{other}: say here what the command needs"),
    }
}

/// What is tried as the value of an option.
fn values(argument: &Arg) -> Vec<String> {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    let possible = argument.get_possible_values();
    if !possible.is_empty() {
        return possible.iter().map(|value| value.get_name().to_owned()).collect();
    }
    match (tree::value_of(argument), argument.get_id().as_str()) {
        (Value::Flag, _) => vec![String::new()],
        (Value::Input, _) => words(&["arm.pet.zst"]),
        (Value::File, _) => words(&["new.txt", "-", "/dev/null"]),
        (Value::Folder, _) => words(&["new"]),
        (Value::Other, "paper") => words(&["a", "b", "c", "e"]),
        (Value::Other, "set") => words(&["address_width=64", "nothing=1"]),
        (Value::Other, _) => words(&["0", "1", "3", "x"]),
    }
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.take_head("arm-stringsearch", 300, "arm.pet.zst");
    folder.take_head("rv64-stringsearch", 300, "rv64.pet.zst");
    folder.take_head("rv32imac-traps", 300, "traps.pet.zst");
    folder.write("empty.txt", "machine arm alignment=2 address_bits=32\n");
    let generate = "trace generate --events 300";
    folder.succeed(&format!("{generate} --isa arm --data-accesses 30 -o data.pet.zst"));
    folder.succeed(&format!("{generate} --isa x86 -o x86.pet.zst"));
    folder.succeed(&format!("{generate} --isa riscv --cores 4 -o threads.pet.zst"));
    folder.succeed("encode traptor-s0 arm.pet.zst -o run.bits");
    folder.succeed("combine encode traptor-s0 talon-d data.pet.zst -o frames.bin");
    folder.write("log.csv", "pc,insn\n1000,0000006f\n1000,0000006f\n");
    folder.write("space.toml", "preset = \"traptor-s0\"\n[space]\ngshare_entries = [64]\n");
    let workloads = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../workloads");
    for name in ["crc.elf", "crc.wset"] {
        fs::copy(workloads.join(format!("rv32imac-{name}")), folder.path(name)).expect("copied");
    }
    for name in ["sub", "part1"] {
        fs::create_dir(folder.path(name)).expect("a folder");
    }
    folder
}

/// Every command line: each option alone, those of `reproduce` with every paper, table and figure.
fn lines() -> Vec<String> {
    let mut lines = Vec::new();
    for (command, arguments) in tree::commands() {
        let options: Vec<String> = arguments
            .iter()
            .filter_map(|argument| Some((argument.get_long()?, values(argument))))
            .flat_map(|(long, values)| {
                values.into_iter().map(move |value| format!("--{long} {value}"))
            })
            .collect();
        let Some(words) = base(&command) else {
            let words = other_base(&command);
            let with = |option: &String| format!("{command} {option} {words}");
            lines.extend(std::iter::once(&String::new()).chain(&options).map(with));
            continue;
        };
        for (place, trace) in TRACES.iter().enumerate() {
            let words = words.replace("TRACE", trace);
            lines.push(format!("{command} {words}"));
            // The other traces differ in what is measured, and not in what is printed.
            if place < 3 {
                lines.extend(options.iter().map(|option| format!("{command} {option} {words}")));
            }
        }
    }
    for trace in TRACES {
        for paper in ["a", "b", "c", "e"] {
            let reproduce = format!("reproduce --paper {paper} {trace}");
            lines.push(format!("{reproduce} -o page.html --csv page.csv --svg plots --json"));
            for (kind, number) in ["table", "figure"]
                .into_iter()
                .flat_map(|kind| (1..=14).map(move |number| (kind, number)))
            {
                let is_cheap = trace == "empty.txt" || paper == "b";
                lines.extend(is_cheap.then(|| format!("{reproduce} --{kind} {number}")));
            }
        }
    }
    lines
}

/// Runs a line in the folder of one thread; what is wrong with how it ends.
fn problem(folder: &Folder, line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut command = folder.command(&words);
    // Without tools nothing is simulated or synthesized, which other tests do.
    let output = command.env("PATH", folder.path("sub")).output().expect("the command");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let status = output.status.code();
    let is_said = match status {
        Some(0) => true,
        Some(1) => errors.lines().filter(|line| line.starts_with("error: ")).count() == 1,
        Some(3) => {
            let is_it = |line: &&str| line.starts_with("error: ") || line.starts_with("note: ");
            errors.lines().filter(is_it).count() == 1
        }
        Some(2) => errors.starts_with("error: "),
        _ => false,
    };
    (!is_said || errors.contains("panicked"))
        .then(|| format!("{line}: {:?}: {errors}", output.status))
}

#[test]
fn no_command_line_panics() {
    let step = match std::env::var_os("ALL_LINES") {
        Some(_) => 1,
        None if is_long() => 6,
        None => 13,
    };
    let all = lines();
    assert!(all.len() > 800, "{}", all.len());
    let lines: Vec<&String> = all.iter().step_by(step).collect();
    let next = AtomicUsize::new(0);
    let problems: Vec<String> = thread::scope(|scope| {
        let work = || {
            let folder = folder();
            let mut problems = Vec::new();
            while let Some(line) = lines.get(next.fetch_add(1, Ordering::Relaxed)) {
                problems.extend(problem(&folder, line));
            }
            problems
        };
        let workers: Vec<_> = (0..4).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no panic here")).collect()
    });
    assert!(problems.is_empty(), "{} of {}:\n{}", problems.len(), lines.len(), problems.join("\n"));
}

/// What was found from outside: tables of data addresses without accesses.
#[test]
fn tables_without_accesses() {
    let folder = folder();
    let table = folder.succeed("reproduce --paper b --table 4 arm.pet.zst");
    assert!(table.contains("all programs") && table.contains("(1.66)"), "{table}");
}

/// Nothing was measured or compared where no trace has an event, or none has what the designs trace.
#[test]
fn an_empty_comparison_is_an_error() {
    let folder = folder();
    let before = folder.names();
    let empty = "empty.txt: expected a trace of a program, found one without an event";
    let accesses = "stride-32 traces data addresses, and arm.pet.zst has none";
    for (line, sentence) in [
        ("advise empty.txt", "empty.txt: expected a trace of a program"),
        ("compare empty.txt", empty),
        ("compare empty.txt --only gzip", empty),
        ("measure --design traptor-s0 empty.txt", empty),
        ("measure --design traptor-s0 empty.txt empty.txt --json", "found none with an event"),
        ("measure --design stride-32 arm.pet.zst", accesses),
        ("report traptor-s0 empty.txt -o new.html", empty),
        ("report stride-32 arm.pet.zst", accesses),
        ("reproduce empty.txt --paper c", empty),
        ("explore space.toml empty.txt -o new", empty),
        ("fit-talon empty.txt -o new.toml", empty),
        ("merge sub -o new", "expected the results of a search"),
    ] {
        let done = folder.run(line);
        assert_eq!((done.status, done.stdout.as_str()), (1, ""), "{line}: {}", done.stderr);
        assert!(done.stderr.contains(sentence), "{line}: {}", done.stderr);
        assert_eq!(folder.names(), before, "{line}");
    }
    // Others beside them are measured.
    folder.succeed("measure --design traptor-s0 empty.txt arm.pet.zst");
    let done = folder.run("regress --workloads sub --synthetic 0 --random 0");
    assert_eq!(done.status, 2, "{}", done.stderr);
    for line in ["cosim traptor-s0 empty.txt", "cosim stride-32 arm.pet.zst"] {
        let done = folder.run(line);
        assert_eq!(done.status, 1, "{line}: {}", done.stderr);
        assert!(done.stderr.contains("error: nothing was compared"), "{line}: {}", done.stderr);
    }
}
