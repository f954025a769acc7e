//! Every way in which what a command reads or writes can be bad: one sentence, the right exit
//! status, nothing left over.

use std::fs;
use std::path::Path;

use crate::common::Folder;
use crate::common::bad::{Bad, bad_traces};

#[test]
fn traces() {
    let folder = Folder::with_run();
    let traces = bad_traces(&folder);
    let mut bad = Bad::new(folder);
    for trace in &traces {
        bad.fails(1, &format!("trace info {trace}"));
    }
    insta::assert_snapshot!("traces", bad.shown);
    // The other commands read through the same reader and say the same.
    let said: Vec<String> =
        bad.shown.lines().filter(|line| line.starts_with("1 ")).map(str::to_owned).collect();
    bad.shown.clear();
    let commands = [
        "trace dump TRACE -o out.txt",
        "trace verify TRACE",
        "trace convert TRACE -o out.pet.zst",
        "encode traptor-m4 TRACE -o out.bits",
        "measure --design traptor-m4,traptor-s1 run.pet.zst TRACE",
        "compare --only traptor-m4,tslz,gzip run.pet.zst TRACE",
        "decode run.bits --program TRACE -o out.pet.zst",
        "cosim traptor-m4 TRACE",
    ];
    for command in commands {
        for trace in &traces {
            bad.fails(1, &command.replace("TRACE", trace));
        }
        let heard: Vec<String> =
            bad.shown.lines().filter(|line| line.starts_with("1 ")).map(str::to_owned).collect();
        assert_eq!(heard, said, "{command}");
        bad.shown.clear();
    }
}

#[test]
fn programs() {
    let folder = Folder::new();
    let machine = "machine riscv alignment=1 address_bits=64\n";
    let with = |name: &str, lines: &str| folder.write(name, format!("{machine}{lines}"));
    with(
        "moved.txt",
        "5 direct-jump 0x1000 taken 0x2000\n3 direct-jump 0x2004 taken 0x1000\n2 direct-jump 0x1000 taken 0x3000\n",
    );
    with(
        "target.txt",
        "5 direct-jump 0x1000 taken 0x2000\n1 direct-jump 0x2000 taken 0x2000\n1 direct-jump 0x2000 taken 0x3000\n",
    );
    with(
        "threads.txt",
        "5 direct-jump 0x1000 taken 0x2000\n3 direct-jump 0x2004 thread=2 taken 0x1000\n",
    );
    with("wide.txt", "5 direct-jump 0x100001000 taken 0x2000\n");
    let mut bad = Bad::new(folder);
    bad.fails(1, "trace verify target.txt");
    bad.fails(1, "encode traptor-m4 threads.txt -o out.bits");
    bad.fails(1, "encode traptor-m4 wide.txt --set address_width=32 -o out.bits");
    bad.fails(1, "measure --design traptor-m4 wide.txt --set address_width=32");
    bad.fails(2, "encode traptor-m4 moved.txt -o out.bits --set alignment=2");
    bad.fails(2, "cosim traptor-m4 -");
    insta::assert_snapshot!(bad.shown);
}

/// Hardware traces code that changes, and so do the commands that only encode.
#[test]
fn a_program_that_changes_is_encoded() {
    let folder = Folder::new();
    folder.write(
        "target.txt",
        "machine riscv alignment=1 address_bits=64\n5 direct-jump 0x1000 taken 0x2000\n\
         1 direct-jump 0x2000 taken 0x2000\n1 direct-jump 0x2000 taken 0x3000\n",
    );
    folder.succeed("encode traptor-m4 target.txt -o run.bits");
    folder.succeed("measure --design traptor-m4 target.txt");
    let done = folder.run("decode run.bits --program target.txt -o back.txt");
    assert_eq!(done.status, 1);
    assert!(done.stderr.contains("event 2: the direct branch at 0x2000"), "{}", done.stderr);
    // A trace without the lengths of calls is read twice.
    let text = folder.read("target.txt");
    let done = folder.run_with_input("encode traptor-m4 - -o run.bits", &text);
    assert_eq!(done.status, 2);
    assert!(done.stderr.contains("it cannot come from standard input"), "{}", done.stderr);
}

/// Damages the encoded run in many ways, each in a file of its own.
fn write_damaged_files(folder: &Folder) {
    let good = folder.read("run.bits");
    let frames = 16 + u32::from_le_bytes([good[8], good[9], good[10], good[11]]) as usize;
    let with = |at: usize, bytes: &[u8]| {
        let mut bad = good.clone();
        bad[at..at + bytes.len()].copy_from_slice(bytes);
        bad
    };
    folder.write("empty.bits", "");
    folder.write("magic.bits", "PET1");
    folder.write("future.bits", with(6, &[9]));
    folder.write("cut-header.bits", &good[..200]);
    folder.write("cut.bits", &good[..good.len() - 300]);
    folder.write("long-header.bits", with(8, &[0xff; 4]));
    folder.write("flipped-header.bits", with(60, b"?"));
    folder.write("huge.bits", with(frames, &[0xff; 4]));
    folder.write("flipped.bits", with(frames + 100, &[good[frames + 100] ^ 1]));
    folder.write("flipped-end.bits", with(good.len() - 20, &[good[good.len() - 20] ^ 1]));
    folder.write("longer.bits", [&good[..], b"!"].concat());
}

#[test]
fn encoded_files() {
    let folder = Folder::with_run();
    write_damaged_files(&folder);
    fs::create_dir(folder.path("folder")).expect("a folder");
    folder.take_head("rv64-stringsearch", 2000, "rv64.pet.zst");
    folder.take_head("arm-tiff2bw", 30_000, "other.pet.zst");
    folder.take_head("arm-stringsearch", 500, "head.pet.zst");
    let mut bad = Bad::new(folder);
    let files = [
        "missing",
        "folder",
        "empty",
        "magic",
        "future",
        "cut-header",
        "cut",
        "long-header",
        "flipped-header",
        "huge",
        "flipped",
        "flipped-end",
        "longer",
    ];
    for file in files {
        let name = if file == "folder" { file.into() } else { format!("{file}.bits") };
        bad.fails(1, &format!("decode {name} --program run.pet.zst -o out.pet.zst"));
    }
    bad.fails(1, "decode run.bits --program rv64.pet.zst -o out.pet.zst");
    bad.fails(1, "decode run.bits --program other.pet.zst -o out.pet.zst");
    bad.fails(1, "decode run.bits --program head.pet.zst -o out.pet.zst");
    bad.fails(1, "decode run.bits --program run.pet.zst -o out.pet.zst --design traptor-m3");
    bad.fails(
        1,
        "decode run.bits --program run.pet.zst -o out.pet.zst --design traptor-m4 --set pc_shift=2",
    );
    bad.fails(2, "decode run.bits --program run.pet.zst -o out.pet.zst --set pc_shift=2");
    bad.fails(2, "decode run.bits --program run.pet.zst -o out.pet.zst --design traptor-m5");
    bad.fails(1, "decode run.bits --program run.pet.zst -o out.pet.zst --raw --design traptor-m4");
    bad.fails(
        1,
        "decode missing.bin --program run.pet.zst -o out.pet.zst --raw --design traptor-m4",
    );
    bad.fails(1, "decode folder --program run.pet.zst -o out.pet.zst --raw --design traptor-m4");
    insta::assert_snapshot!(bad.shown);
}

/// A program that differs in what no prediction and no record shows is found by the fingerprint.
#[test]
fn the_wrong_program_is_found_for_certain() {
    let folder = Folder::new();
    let machine = "machine arm alignment=2 address_bits=32\n";
    let trace = |count: u32| {
        format!("{machine}{count} direct-jump 0x1000 taken 0x2000\n3 direct-conditional 0x2008\n")
    };
    folder.write("run.txt", trace(5));
    folder.write("other.txt", trace(6));
    folder.succeed("encode traptor-m4 run.txt -o run.bits");
    folder.write("out.txt", "what was there before");
    let mut bad = Bad::new(folder);
    bad.fails(1, "decode run.bits --program other.txt -o out.txt");
    assert_eq!(bad.folder.text("out.txt"), "what was there before");
    bad.folder.write("flipped.txt", trace(5).replace("0x2000", "0x2004"));
    bad.names = bad.folder.names();
    bad.fails(1, "decode run.bits --program flipped.txt -o out.txt");
    insta::assert_snapshot!(bad.shown);
}

/// Design files with one fault each, named after the fault.
const DESIGN_FILES: [(&str, &str); 18] = [
    ("key.toml", "preset = \"traptor-m4\"\ngshare_entrys = 512\n"),
    ("type.toml", "preset = \"traptor-m4\"\n\ngshare_entries = \"many\"\n"),
    ("quotes.toml", "preset = \"traptor-m4\"\ngshare_entries = \"512\"\n"),
    ("flag.toml", "preset = \"traptor-m4\"\noutcome_bit_for_jumps = 1\n"),
    ("float.toml", "preset = \"traptor-m4\"\ngshare_entries = 5.5\n"),
    ("range.toml", "preset = \"traptor-m4\"\ngshare_entries = 100000\n"),
    ("negative.toml", "preset = \"traptor-m4\"\ngshare_entries = -1\n"),
    ("constraint.toml", "scheme = \"traptor\"\ngshare_entries = 500\n"),
    ("name.toml", "scheme = \"traptor\"\nname = \"a design\"\n"),
    ("name-type.toml", "scheme = \"traptor\"\nname = 7\n"),
    ("7.toml", "scheme = \"traptor\"\n"),
    ("scheme.toml", "scheme = \"morse\"\n"),
    ("preset.toml", "preset = \"traptor-x9\"\n"),
    ("both.toml", "preset = \"traptor-m4\"\nscheme = \"traptor\"\n"),
    ("neither.toml", "gshare_entries = 512\n"),
    ("twice.toml", "scheme = \"traptor\"\npc_shift = 2\npc_shift = 3\n"),
    ("syntax.toml", "scheme = \"traptor\"\npc_shift = = 2\n"),
    ("empty.toml", ""),
];

#[test]
fn designs() {
    let folder = Folder::with_run();
    for (name, text) in DESIGN_FILES {
        folder.write(name, text);
    }
    folder.write("binary.toml", [0xff, 0xfe, 0, 1]);
    fs::create_dir(folder.path("folder.toml")).expect("a folder");
    let mut bad = Bad::new(folder);
    let files = [
        "missing",
        "folder",
        "binary",
        "empty",
        "key",
        "type",
        "quotes",
        "flag",
        "float",
        "range",
        "negative",
        "constraint",
        "name",
        "name-type",
        "7",
        "scheme",
        "preset",
        "both",
        "neither",
        "twice",
        "syntax",
    ];
    for file in files {
        bad.fails(2, &format!("designs {file}.toml"));
    }
    insta::assert_snapshot!("design_files", bad.shown);
    bad.shown.clear();
    let commands = [
        "designs DESIGN",
        "generate DESIGN -o out",
        "encode DESIGN run.pet.zst -o out.bits",
        "measure run.pet.zst --design DESIGN",
        "decode run.bits --program run.pet.zst -o out.pet.zst --design DESIGN",
        "cosim DESIGN run.pet.zst",
    ];
    for command in commands {
        bad.fails(2, &command.replace("DESIGN", "traptor"));
        bad.fails(2, &command.replace("DESIGN", "key.toml"));
        bad.fails(2, &command.replace("DESIGN", "constraint.toml"));
        bad.fails(2, &command.replace("DESIGN", "traptor-m4 --set gshare_entries"));
        bad.fails(2, &command.replace("DESIGN", "traptor-m4 --set gshare_entries=few"));
        bad.fails(2, &command.replace("DESIGN", "traptor-m4 --set gshare_entries=1000"));
    }
    insta::assert_snapshot!("designs", bad.shown);
}

#[test]
fn outputs() {
    let folder = Folder::with_run();
    fs::create_dir(folder.path("folder")).expect("a folder");
    let mut bad = Bad::new(folder);
    for output in ["folder", "missing/out", "run.bits/out", "/dev/full", "/proc/out"] {
        bad.fails(1, &format!("encode traptor-m4 run.pet.zst -o {output}"));
        bad.fails(1, &format!("decode run.bits --program run.pet.zst --format pet -o {output}"));
        bad.fails(1, &format!("trace dump run.pet.zst -o {output}"));
        bad.fails(1, &format!("trace convert run.pet.zst --format pet.zst -o {output}"));
        bad.fails(1, &format!("trace generate --seed 1 --format txt -o {output}"));
    }
    bad.fails(1, "generate traptor-m4 -o run.bits");
    bad.fails(1, "generate traptor-m4 -o /proc/out");
    bad.fails(2, "trace convert run.pet.zst -o out.zip");
    bad.fails(2, "decode run.bits --program run.pet.zst -o out");
    insta::assert_snapshot!(bad.shown);
    assert_eq!(bad.folder.read("run.bits")[..6], *b"TWBITS");
}

#[test]
fn options_of_synthetic_programs() {
    let mut bad = Bad::new(Folder::new());
    for options in [
        "--functions 0",
        "--predictability 101",
        "--recursion-depth 0",
        "--threads 9",
        "--alignment 3",
        "--address-bits 48",
        "--isa arm --alignment 0",
        "--isa arm --code-base 0x100000000",
        "--isa arm --code-base 2",
        "--isa arm --code-base 0 --code-span 0x100000000",
    ] {
        bad.fails(2, &format!("trace generate {options}"));
    }
    insta::assert_snapshot!(bad.shown);
}

/// Files without permission, where permissions mean something: the superuser reads everything.
/// A file that opens and then cannot be read, by anyone: root may read what has no permissions.
#[test]
fn unreadable() {
    let folder = Folder::with_run();
    let mut bad = Bad::new(folder);
    bad.fails(1, "trace info /proc/self/mem");
    bad.fails(1, "encode traptor-m4 /proc/self/mem -o out.bits");
    bad.fails(1, "decode run.bits --program /proc/self/mem -o out.txt");
    bad.fails(1, "decode /proc/self/mem --program run.pet.zst -o out.txt");
    let named = bad.shown.lines().filter(|line| line.contains("Input/output error")).count();
    assert_eq!(named, 4, "{}", bad.shown);
}

/// A reader that goes away, as `head` does, is no error.
#[test]
fn closed_pipes_are_quiet() {
    let folder = Folder::with_run();
    let binary = env!("CARGO_BIN_EXE_tracewright");
    assert!(Path::new(binary).is_absolute());
    for arguments in [
        "--help",
        "designs",
        "designs traptor-m4 --json",
        "trace dump run.pet.zst",
        "trace convert run.pet.zst -o - --format pet",
        "trace generate --events 1000000",
        "decode run.bits --program run.pet.zst -o -",
        "encode traptor-m4 run.pet.zst -o -",
        "measure --design traptor-m4 run.pet.zst",
        "trace info run.pet.zst",
    ] {
        let script = format!("{binary} {arguments} | true; exit ${{PIPESTATUS[0]}}");
        let output = std::process::Command::new("bash")
            .args(["-c", &script])
            .current_dir(folder.path("."))
            .output()
            .expect("bash starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), stderr.as_ref()), (Some(0), ""), "{arguments}");
    }
}

/// A replayed run of a program, `run.pet.zst` and `run.bits`, its ELF file, and one of each kind of ELF file that is not it.
fn with_program() -> Folder {
    let folder = Folder::new();
    let workloads = Path::new(env!("CARGO_MANIFEST_DIR")).join("../workloads");
    let read = |name: &str| fs::read(workloads.join(name)).expect("a workload");
    let good = read("rv32imac-sort.elf");
    folder.write("run.wset", read("rv32imac-sort.wset"));
    folder.succeed("wset replay run.wset -o run.pet.zst");
    folder.succeed("encode traptor-m4 run.pet.zst -o run.bits");
    folder.succeed("encode stream-rbase-128 run.pet.zst -o streams.bits");
    folder.write("good.elf", &good);
    folder.write("other.elf", read("rv32imac-crc.elf"));
    folder.write("wide.elf", read("rv64imac-sort.elf"));
    // Headers end at byte 0x100; the code is after them.
    folder.write("headers.elf", &good[..0x100]);
    folder.write("magic.elf", &good[..6]);
    let mut mips = good.clone();
    mips[18] = 8;
    folder.write("mips.elf", mips);
    // Another version of the program: a `ret` in the middle is a `nop` now.
    let mut stale = good.clone();
    let returns =
        stale.windows(2).enumerate().filter(|(place, two)| place % 2 == 0 && *two == [0x82, 0x80]);
    for place in returns.map(|(place, _)| place).collect::<Vec<_>>() {
        stale[place..place + 2].copy_from_slice(&[0x01, 0x00]);
    }
    folder.write("stale.elf", stale);
    folder
}

#[test]
fn program_images() {
    let mut bad = Bad::new(with_program());
    for elf in ["headers", "magic", "mips", "wide", "other", "stale"] {
        bad.fails(1, &format!("decode run.bits --program {elf}.elf -o back.pet.zst"));
        bad.fails(1, &format!("decode streams.bits --program {elf}.elf -o back.pet.zst"));
    }
    bad.fails(1, "decode run.bits --program good.elf@0x1000 -o back.pet.zst");
    bad.fails(1, "decode run.bits --program good.elf --image other.elf@0 -o back.pet.zst");
    bad.fails(1, "decode run.bits --program good.elf --image wide.elf@0x40000000 -o back.pet.zst");
    bad.fails(
        1,
        "decode run.bits --program good.elf --image missing.so@0x40000000 -o back.pet.zst",
    );
    bad.fails(2, "decode run.bits --program run.pet.zst --image other.elf@0 -o back.pet.zst");
    insta::assert_snapshot!("program_images", bad.shown);
}
