//! Tables of traces, of program counters and of the RISC-V formal interface.

use std::path::Path;

use crate::common::{Folder, workload};

/// What is exported is imported as it was: lengths, accesses, threads and states too.
#[test]
fn what_is_exported_is_imported() {
    let folder = Folder::new();
    folder.take_head("rv64-stringsearch", 3000, "lengths.pet.zst");
    folder.take_head("arm-stringsearch", 3000, "plain.pet.zst");
    folder.take_head("rv32imac-traps", 3000, "accesses.pet.zst");
    let machine = "machine riscv alignment=1 address_bits=32 lengths states";
    let text = "0 exception 0x0 taken 0x1000\nstate context=0x3 privilege=1\n\
                5 exception 0x1010 taken 0x2000\nstate context=0x3 privilege=3 cause=0x80000007\n";
    folder.write("states.txt", format!("{machine}\n{text}"));
    folder.succeed("trace convert states.txt -o states.pet.zst");
    folder.succeed("trace generate --events 2000 --data-accesses 30 -o data.pet.zst");
    folder.succeed("trace generate --events 2000 --cores 8 -o threads.pet.zst");
    for name in ["lengths", "plain", "accesses", "states", "data", "threads"] {
        for form in ["csv", "jsonl"] {
            folder.succeed(&format!("trace convert {name}.pet.zst -o run.{form}"));
            let said = folder.succeed(&format!("trace import run.{form} -o back.pet.zst"));
            assert!(said.starts_with("back.pet.zst: ") && said.contains(" events, "), "{said}");
            assert!(
                folder.read("back.pet.zst") == folder.read(&format!("{name}.pet.zst")),
                "{name}"
            );
        }
    }
    let table = folder.text("run.jsonl");
    assert!(table.starts_with("{\"kind\":\"machine\",\"isa\":"), "{}", &table[..80]);
    // A table can be a part of a trace, and it can be printed.
    folder.succeed("trace convert states.pet.zst --limit 3 -o run.csv");
    let printed = folder.succeed("trace convert states.pet.zst --limit 3 --format csv -o -");
    assert_eq!(folder.text("run.csv"), printed);
    assert_eq!(printed.lines().next(), Some(format!("# {machine}").as_str()), "{printed}");
}

/// The program counters of an execution, which a decoder has written, are the execution again.
#[test]
fn program_counters() {
    let folder = Folder::new();
    let elf = Path::new(&workload("x")).with_file_name("rv32imac-crc.elf").display().to_string();
    let wset = elf.replace(".elf", ".wset");
    folder.succeed(&format!("wset replay {wset} -o whole.pet.zst"));
    folder.succeed("trace convert whole.pet.zst --limit 20000 -o run.pet.zst");
    folder.succeed("encode traptor-m4 run.pet.zst -o run.bits");
    folder.succeed(&format!(
        "decode run.bits --program {elf} --program-counters run.txt -o back.pet.zst"
    ));
    let addresses = folder.text("run.txt");
    let addresses = addresses.lines().filter(|line| !line.starts_with('#'));
    let table: String =
        std::iter::once("pc").chain(addresses).map(|line| format!("{line}\n")).collect();
    folder.write("run.csv", table);
    let imported = folder.run(&format!("trace import run.csv --program {elf} -o back.pet.zst"));
    assert_eq!(imported.status, 0, "{}", imported.stderr);
    assert!(
        imported.stderr.contains("note: run.csv: program counters do not tell"),
        "{}",
        imported.stderr
    );
    let (trace, back) =
        (folder.succeed("trace dump run.pet.zst"), folder.succeed("trace dump back.pet.zst"));
    // A branch or return at the end leads nowhere in a list of addresses.
    assert!(trace.starts_with(&back));
    assert!(trace.lines().count() <= back.lines().count() + 1);
}

/// What cannot be imported is said in one sentence, and nothing is left over.
#[test]
fn bad_logs() {
    let folder = Folder::new();
    folder.write("cut.log", "core   0: 0x80000000 (0x00000013) nop\ncore   0: 0x8000");
    folder.write("run.csv", "pc\n0x10000\n");
    let elf = Path::new(&workload("x")).with_file_name("rv32imac-crc.elf").display().to_string();
    let names = folder.names();
    for (arguments, status, said) in [
        ("cut.log".to_owned(), 1, "cut.log, line 2: expected an address"),
        ("run.csv".to_owned(), 1, "does not say which processor it is of: expected --program"),
        ("none.log".to_owned(), 1, "cannot open none.log"),
        (format!("{elf} --format qemu"), 1, "expected a log, found an ELF file"),
        (format!("cut.log --program {elf} --isa rv64"), 1, "expected a program of 64-bit RISC-V"),
        ("cut.log --hart x".to_owned(), 2, "invalid value 'x' for '--hart <NUMBER>'"),
        ("run.csv --images none --program none".to_owned(), 2, "cannot be used with"),
    ] {
        let done = folder.run(&format!("trace import {arguments} -o back.pet.zst"));
        assert_eq!(done.status, status, "{arguments}: {}", done.stderr);
        assert!(
            done.stderr.starts_with("error: ") && done.stderr.contains(said),
            "{}",
            done.stderr
        );
        assert_eq!(folder.names(), names);
    }
    let done = folder.run("trace import cut.log -o cut.log");
    assert_eq!(done.status, 2, "{}", done.stderr);
}

/// A log comes through standard input too, and the result can be JSON.
#[test]
fn standard_input() {
    let folder = Folder::new();
    let log = "core   0: 0x80000000 (0x0000006f) j       pc + 0x0\n";
    let done = folder.run_with_input("trace import - -o -", log.repeat(2).as_bytes());
    let expected = "machine riscv alignment=1 address_bits=32 lengths\n\
                    0 exception 0x0 taken 0x80000000\n\
                    1 direct-jump 0x80000000 taken 0x80000000\n\
                    1 direct-jump 0x80000000 taken 0x80000000\n";
    assert_eq!((done.status, done.stdout.as_str()), (0, expected), "{}", done.stderr);
    folder.write("run.log", log.repeat(2));
    let shown = folder.json("trace import run.log -o run.pet.zst --json");
    let keys: Vec<&String> = shown.as_object().expect("an object").keys().collect();
    let expected = [
        "log",
        "format",
        "output",
        "instructions",
        "events",
        "accesses",
        "exceptions",
        "left_out",
        "other_lines",
        "remarks",
    ];
    assert_eq!(keys, expected);
    assert_eq!((&shown["format"], &shown["instructions"]), (&"spike".into(), &2.into()));
    // Instructions after the last event are in no count of the trace.
    folder.write("run.log", log.repeat(2) + &log.replace("0000006f", "00000013"));
    let shown = folder.json("trace import run.log -o run.pet.zst --json");
    assert_eq!((&shown["left_out"], &shown["instructions"]), (&1.into(), &2.into()));
    assert_eq!(
        shown["remarks"],
        serde_json::json!(["1 instruction after the last event is not in the trace"])
    );
}
