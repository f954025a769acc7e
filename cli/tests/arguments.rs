//! Arguments and outputs that a user may well try.

use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::common::{Folder, done, is_long, workload};

/// Two configurations of one preset can be in one chip.
#[test]
fn a_design_gets_a_name() {
    let folder = Folder::new();
    folder.succeed("generate traptor-s1 --set name=left --set gshare_entries=128 -o build");
    let verilog = folder.text("build/left/left.v");
    assert!(verilog.contains("\nmodule left ("), "{verilog}");
    assert!(!verilog.contains("traptor_s1"), "{verilog}");
    let refused = folder.run("designs traptor-s1 --set name=7seas");
    assert_eq!(refused.status, 2, "{}", refused.stderr);
    assert!(refused.stderr.contains("--set name=7seas: "), "{}", refused.stderr);
    let several = folder.run("gates traptor-s0 traptor-s1 --set name=both");
    assert_eq!(several.status, 2);
    assert!(several.stderr.contains("--set name: expected one design"), "{}", several.stderr);
}

#[test]
fn two_values_of_one_parameter_are_refused() {
    let folder = Folder::new();
    let twice = "--set gshare_entries=128 --set gshare_entries=";
    folder.succeed(&format!("generate traptor-s1 -o build {twice}128"));
    let refused = folder.run(&format!("generate traptor-s1 -o build {twice}256"));
    assert_eq!(refused.status, 2);
    let expected = "--set gshare_entries=128 and --set gshare_entries=256: expected one value";
    assert!(refused.stderr.contains(expected), "{}", refused.stderr);
}

#[test]
fn synthetic_programs_fit_any_address_width() {
    let folder = Folder::new();
    // Every machine needs a model of its own. Programs 6 and 11 are of the same, with 64 bits, and 4 is of another.
    let (of_33, of_39, of_data) =
        if is_long() { ("1-12", "1-12", "1-4") } else { ("4", "6,11", "4") };
    for (width, programs) in [(33, of_33), (39, of_39)] {
        let design = format!("traptor-s0 --set address_width={width}");
        folder.succeed(&format!("cosim {design} --synthetic {programs} --limit 2000"));
    }
    let data = format!("cosim stride-32 --set address_width=39 --synthetic {of_data} --limit 1000");
    folder.succeed(&data);
}

#[test]
fn verilog_of_another_alignment_is_named() {
    let folder = Folder::with_run();
    folder.succeed("generate traptor-s1 --set alignment=1 -o build");
    let refused = folder.run("cosim traptor-s1 run.pet.zst --limit 100 --verilog build");
    assert_eq!(refused.status, 1);
    let expected = "build/traptor-s1/manifest.json: the Verilog has alignment = 1, but this run needs 2; \
                    generate it with --set alignment=2";
    assert!(refused.stderr.contains(expected), "{}", refused.stderr);
}

#[test]
fn an_argument_that_is_no_text_is_named() {
    let folder = Folder::new();
    let mut command = folder.command(&["designs"]);
    let refused = done(command.arg(OsStr::from_bytes(b"caf\xe9")).output().expect("the command"));
    assert_eq!(refused.status, 2);
    assert!(refused.stderr.starts_with("error: argument 2, \"caf\\xE9\": expected text"));
}

#[test]
fn a_private_file_stays_private() {
    let folder = Folder::with_run();
    for mode in [0o600, 0o640] {
        folder.write("out.txt", "old");
        let path = folder.path("out.txt");
        fs::set_permissions(&path, Permissions::from_mode(mode)).expect("a mode");
        folder.succeed("trace dump run.pet.zst --limit 10 -o out.txt");
        let now = fs::metadata(&path).expect("the file").permissions().mode() & 0o777;
        assert_eq!(now, mode, "{now:o}");
    }
}

#[test]
fn a_full_device_is_named() {
    let folder = Folder::with_run();
    let elf = workload("x").replace("x.pet.zst", "rv32imac-crc.elf");
    fs::copy(elf, folder.path("crc.elf")).expect("copied");
    folder.succeed("wset capture crc.elf -o crc.wset --limit 3000");
    folder.succeed("wset replay crc.wset -o crc.pet.zst");
    folder.succeed("encode traptor-s0 crc.pet.zst -o crc.bits");
    let names = folder.names();
    for command in [
        "view crc.pet.zst --program crc.elf --folded /dev/full --listing out.txt",
        "view crc.pet.zst --program crc.elf --folded out.txt --lcov /dev/full",
        "decode crc.bits --program crc.elf -o out.pet.zst --program-counters /dev/full",
        "decode crc.bits --program crc.elf -o /dev/full --format pet --program-counters out.txt",
        "trace dump run.pet.zst -o /dev/full",
        "trace dump run.pet.zst --limit 3 -o /dev/full",
        "encode traptor-m4 run.pet.zst -o /dev/full",
        "report traptor-s0 run.pet.zst -o /dev/full",
    ] {
        let failed = folder.run(command);
        assert_eq!(failed.status, 1, "{command}");
        assert!(failed.stderr.contains("/dev/full"), "{command}: {}", failed.stderr);
        assert!(failed.stderr.contains("No space left"), "{command}: {}", failed.stderr);
        assert_eq!(folder.names(), names, "{command}");
    }
}

/// The folder of a design is there at every moment, and several commands may write it at once.
#[test]
fn a_folder_is_replaced_at_once() {
    let folder = Folder::new();
    let generate = "generate traptor-s0 -o build";
    folder.succeed(generate);
    let (manifest, over) = (folder.path("build/traptor-s0/manifest.json"), AtomicBool::new(false));
    thread::scope(|scope| {
        let poll = scope.spawn(|| {
            let mut missing = 0;
            while !over.load(Ordering::Relaxed) {
                missing += u32::from(!manifest.exists());
            }
            missing
        });
        let writers: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| (0..10).for_each(|_| drop(folder.succeed(generate)))))
            .collect();
        writers.into_iter().for_each(|writer| writer.join().expect("every run succeeds"));
        over.store(true, Ordering::Relaxed);
        assert_eq!(poll.join().expect("polled"), 0);
    });
    assert_eq!(folder.names(), ["build"]);
}

/// Names of files can have any character, and reach terminals and spreadsheets.
#[test]
fn names_are_shown_plainly() {
    let folder = Folder::with_run();
    let run = |words: &[&str]| folder.run_words(words);
    let red = "\u{1b}[31m\u{9b}m.pet.zst";
    let missing = run(&["trace", "info", red]);
    assert_eq!(missing.status, 1);
    assert!(missing.stderr.contains("\\u{1b}[31m\\u{9b}m.pet.zst"), "{}", missing.stderr);
    fs::copy(folder.path("run.pet.zst"), folder.path(red)).expect("copied");
    for words in [vec!["trace", "info", red], vec!["measure", "--design", "traptor-s0", red]] {
        let shown = run(&words);
        assert_eq!(shown.status, 0, "{}", shown.stderr);
        let is_plain = |character: char| character == '\n' || !character.is_control();
        assert!(shown.stdout.chars().all(is_plain), "{}", shown.stdout);
        let words: Vec<&str> = words.into_iter().chain(["--json"]).collect();
        let shown = run(&words);
        assert!(shown.stdout.chars().all(is_plain), "{}", shown.stdout);
        let json: serde_json::Value = serde_json::from_str(&shown.stdout).expect("JSON");
        assert_eq!(json[0]["trace"], red);
    }
    // A list of images of one long line.
    folder.write("long.images", format!("{}\n", "x".repeat(5000)));
    let long = run(&["decode", "run.bits", "--images", "long.images", "-o", "out.pet.zst"]);
    assert!(long.status > 0 && long.stderr.chars().count() < 1100, "{}", long.stderr);
    let formula = "=1+1|2.pet.zst";
    fs::copy(folder.path("run.pet.zst"), folder.path(formula)).expect("copied");
    let csv = run(&["compare", "--only", "traptor-m4", "--csv", formula]).stdout;
    assert!(csv.contains(",'=1+1|2"), "{csv}");
    let markdown = run(&["compare", "--only", "traptor-m4", "--markdown", formula]).stdout;
    let header = markdown.lines().next().expect("a header").replace("\\|", "");
    let rule = markdown.lines().nth(1).expect("a rule");
    assert_eq!(header.matches('|').count(), rule.matches('|').count(), "{markdown}");
}

/// Counts have suffixes in every command.
#[test]
fn counts_have_suffixes() {
    let folder = Folder::new();
    let dump = |options: &str| folder.succeed(&format!("trace generate --events {options}"));
    assert!(dump("2K") == dump("2000") && dump("2_000") == dump("2k"));
    assert_eq!(dump("1Ki").lines().count(), 1025);
    folder.succeed("trace generate --events 30K -o run.pet.zst");
    let parts = ["--limit 20K", "--skip 20K", "--skip 20K --limit 1M"];
    let events = parts.map(|part| {
        let converted =
            folder.json(&format!("trace convert run.pet.zst -o part.pet.zst {part} --json"));
        converted["events"].as_u64().expect("a number")
    });
    // The parts that skip events begin with an exception, after the next taken branch.
    assert_eq!(events[0], 20_000);
    assert_eq!(events[1], events[2]);
    assert!((9_980..=10_001).contains(&events[1]), "{events:?}");
    folder.succeed("trace info run.pet.zst --max-events 30K");
    let few = folder.run("trace info run.pet.zst --max-events 29K");
    assert_eq!(few.status, 1, "{}", few.stderr);
    for (bad, says) in [
        ("1Q", "expected a whole number, such as 1000000, 1_000_000 or 1M"),
        ("-1K", "unexpected argument '-1' found"),
        ("K", "expected a whole number"),
        ("1.5M", "expected a whole number"),
        ("0x10", "expected a whole number"),
        ("_1", "expected a whole number"),
        ("99999999999G", "expected at most 18446744073709551615"),
        ("18446744073709551616", "expected at most 18446744073709551615"),
    ] {
        let refused = folder.run(&format!("trace dump run.pet.zst --limit {bad}"));
        assert_eq!(refused.status, 2, "{bad}");
        assert!(refused.stderr.contains(says), "{bad}: {}", refused.stderr);
    }
    let none = folder.run("capture --limit 0 -o x.pet.zst -- true");
    assert!(none.stderr.contains("expected at least 1"), "{}", none.stderr);
    let large = folder.run("generate traptor-s1 --control apb --ram-sink 4Gi -o build");
    assert!(large.stderr.contains("expected less than 2^32"), "{}", large.stderr);
}

/// A name that is almost a preset's is told which, in commands and files.
#[test]
fn the_nearest_preset_is_named() {
    let folder = Folder::new();
    folder.write("mine.toml", "preset = \"talonm\"\n");
    for (design, says) in [
        ("trapto-m4", "`trapto-m4`, did you mean `traptor-m4`? `tracewright designs` lists them"),
        ("stream-rbsae-128", "`stream-rbsae-128`, did you mean `stream-rbase-128`? "),
        ("mine.toml", "mine.toml, line 1: no design is called `talonm`, did you mean `talon-m`? "),
        ("gzip-compressor", "`gzip-compressor`; `tracewright designs` lists them"),
    ] {
        let refused = folder.run(&format!("designs {design}"));
        assert_eq!(refused.status, 2, "{design}");
        assert!(refused.stderr.contains(says), "{}", refused.stderr);
    }
}

/// What is needed and missing is named with all its forms.
#[test]
fn both_options_of_a_program_are_named() {
    let folder = Folder::with_run();
    for command in ["decode run.bits -o back.pet.zst", "view run.pet.zst"] {
        let refused = folder.run(command);
        assert_eq!(refused.status, 2);
        let said = "  <--program <[CONTEXT=]FILE[@ADDRESS]>|--images <[CONTEXT=]FILE>>\n";
        assert!(refused.stderr.contains(said), "{}", refused.stderr);
    }
}

/// A file that a design has encoded is told as one where a trace is expected.
#[test]
fn an_encoded_file_is_no_trace() {
    let folder = Folder::with_run();
    let refused = folder.run("trace info run.bits");
    let said = "error: run.bits is a trace of an arm machine with alignment 2 and 32 address bits, encoded by traptor-m4: \
                `tracewright decode` makes a trace of it, given the program\n";
    assert_eq!((refused.status, refused.stderr.as_str()), (1, said));
    for command in ["trace dump", "encode traptor-s0 -o x.bits", "measure --design traptor-s0"] {
        let refused = folder.run(&format!("{command} run.bits"));
        assert_eq!(refused.status, 1);
        let said =
            "expected a trace, found an encoded one, of which `tracewright decode` makes a trace";
        assert!(refused.stderr.contains(said), "{command}: {}", refused.stderr);
    }
    let piped = folder.run_with_input("trace info -", &folder.read("run.bits"));
    assert!(piped.stderr.contains("found an encoded one"), "{}", piped.stderr);
}

/// So are a working set and a program.
#[test]
fn what_a_trace_is_made_from_is_no_trace() {
    let folder = Folder::new();
    for (file, said) in [
        (
            "rv32imac-sort.wset",
            "found a working set, of which `tracewright wset replay` makes a trace",
        ),
        ("rv32imac-sort.elf", "found an ELF file, whose execution `tracewright capture` records"),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../workloads").join(file);
        let refused = folder.run(&format!("measure --design traptor-s0 {}", path.display()));
        assert_eq!(refused.status, 1);
        assert!(refused.stderr.contains(said), "{}", refused.stderr);
    }
}

/// A name that is mistyped, of a file, a command, a design and a parameter.
#[test]
fn the_nearest_name_is_said() {
    let folder = Folder::with_run();
    let lines = [
        ("measure --design traptor-m4 rum.pet.zst", 1, "did you mean run.pet.zst?"),
        ("trace info ./run.pet.zts", 1, "did you mean ./run.pet.zst?"),
        ("decode rn.bits --program run.pet.zst -o back.pet.zst", 1, "did you mean run.bits?"),
        ("mesure --design traptor-m4 run.pet.zst", 2, "'measure'"),
        ("measure --design trapto-m4 run.pet.zst", 2, "did you mean `traptor-m4`?"),
        ("measure --design traptor-m4 --set gshare_entris=64 run.pet.zst", 2, "`gshare_entries`"),
    ];
    for (line, status, said) in lines {
        let done = folder.run(line);
        assert_eq!(done.status, status, "{line}: {}", done.stderr);
        assert!(done.stderr.contains(said), "{line}: {}", done.stderr);
    }
    let done = folder.run("trace info nothing-like-it.txt");
    assert!(!done.stderr.contains("did you mean"), "{}", done.stderr);
}
