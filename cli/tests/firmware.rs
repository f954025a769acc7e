//! Firmware that was not written for the board of this project: each program here is for another one.

mod programs;

use serde_json::Value;

use crate::common::Folder;
use programs::{PICOLIBC, built};

/// Replays, and decodes the bits of three designs against the program.
fn through_decoder(folder: &Folder, bits: u32) {
    folder.succeed("wset replay run.wset -o run.pet.zst");
    let events = folder.succeed("trace dump run.pet.zst");
    for design in ["traptor-m4", "talon-m", "etrace-base"] {
        let set = format!("--set address_width={bits}");
        folder.succeed(&format!("encode {design} run.pet.zst -o run.bits {set}"));
        folder.succeed("decode run.bits --program prog.elf -o back.pet.zst");
        assert!(folder.succeed("trace dump back.pet.zst") == events, "{design}");
    }
}

/// The board of the tests of RISC-V: `tohost` for the end and for calls of the host, with floating point.
#[test]
fn a_program_with_tohost_prints_computes_and_ends() {
    for (bits, machine) in
        [(32, "-march=rv32imafdc -mabi=ilp32d"), (64, "-march=rv64imafdc -mabi=lp64d")]
    {
        let folder = Folder::new();
        let options = format!("{machine} -mcmodel=medany -nostdlib -T layout.ld");
        folder.write("layout.ld", programs::LAYOUT);
        built(&folder, "prog.c", programs::TOHOST, &options);
        let done = folder.run("wset capture prog.elf -o run.wset");
        assert_eq!(done.status, 0, "{}", done.stderr);
        assert!(done.stderr.contains("board riscv-tests: the program has"), "{}", done.stderr);
        assert!(done.stdout.contains("| root 1414213\n"), "{}", done.stdout);
        assert!(done.stdout.contains("ended with status 3"), "{}", done.stdout);
        through_decoder(&folder, bits);
        let done = folder.run("capture -o x.pet -- ./prog.elf");
        assert_eq!(done.status, 1);
        let command = "`tracewright wset capture ./prog.elf -o prog.wset` runs those";
        assert!(done.stderr.replace('\n', " ").contains(command), "{}", done.stderr);
    }
}

/// QEMU's machine virt: a 16550, a CLINT with both interrupts through vectors, and the finisher.
#[test]
fn a_program_for_qemu_virt_takes_interrupts() {
    let folder = Folder::new();
    built(
        &folder,
        "prog.s",
        programs::INTERRUPTS,
        "-march=rv64imac_zicsr -mabi=lp64 -nostdlib -Wl,-Ttext=0x80000000,-estart",
    );
    let done =
        folder.json("wset capture prog.elf -o run.wset --board qemu-virt --input prog.s --json");
    assert_eq!((&done["status"], &done["console"]), (&5.into(), &Value::from("stt.\n")));
    assert_eq!(done["board"], "qemu-virt");
    let info = folder.json("wset info run.wset --json");
    assert_eq!(info[0]["inputs"]["interrupt"], 3);
    through_decoder(&folder, 64);
    let advise =
        "advise prog.elf --board qemu-virt --input prog.s --design traptor-s1 --presets-only";
    let done = folder.run(&format!("{advise} --json"));
    assert_eq!((done.status, done.stderr.as_str()), (0, "stt.\n"));
    assert!(done.stdout.contains("\"is_cut\": false"), "{}", done.stdout);
    // On the default board its memory is there, but not a device of another one.
    let polls = programs::POLLS.replace("0x40000000", "0x10013000");
    built(
        &folder,
        "polls.s",
        &polls,
        "-march=rv32imac -mabi=ilp32 -nostdlib -Wl,-Ttext=0x80000000,-estart",
    );
    let done = folder.run("wset capture prog.elf -o x.wset");
    assert_eq!(done.status, 1);
    let said = done.stderr.replace('\n', " ");
    let nothing = "board tracewright has neither memory nor a device at 0x10013004";
    assert!(said.contains(nothing), "{said}");
    assert!(said.contains("--board sifive-e has uart-sifive there"), "{said}");
}

/// A C library's files, command line and status.
#[test]
fn semihosting_opens_the_files_of_a_folder() {
    let folder = Folder::new();
    let options = format!("-march=rv32imafc -mabi=ilp32f {PICOLIBC}");
    built(&folder, "prog.c", programs::FILES, &options);
    std::fs::create_dir(folder.path("files")).expect("a folder");
    folder.write("files/in.txt", "one two three");
    folder.write("outside.txt", "not there");
    let capture = "wset capture prog.elf -o run.wset --board qemu-virt --json";
    let host = "--semihosting-folder files --arguments";
    let done = folder.run_words(
        &capture.split(' ').chain(host.split(' ')).chain(["in.txt out.txt"]).collect::<Vec<_>>(),
    );
    let done: Value = serde_json::from_str(&done.stdout).expect("JSON");
    let console = done["console"].as_str().unwrap_or_default();
    assert_eq!(console, "13 bytes, three\nremoved 0, outside -1\nclock goes\n");
    assert_eq!(done["status"], 0);
    assert_eq!(folder.text("files/out.txt"), "copied: three");
    folder.succeed("wset replay run.wset");
    through_decoder(&folder, 32);
    // Without a folder there are no files.
    let done = folder.json(capture);
    assert_ne!(done["status"], 0);
}

#[test]
fn a_board_of_ones_own_and_what_is_polled() {
    let folder = Folder::new();
    let build = "-march=rv32imac -mabi=ilp32 -nostdlib -Wl,-Ttext=0x20000000,-estart";
    built(&folder, "prog.s", programs::POLLS, build);
    folder.write("mine.toml", programs::MINE);
    let done = folder.run("wset capture prog.elf -o run.wset --board mine.toml");
    assert_eq!(done.status, 1);
    let said = done.stderr.replace('\n', " ");
    assert!(said.contains("in wait_for_line polls 0x40000004 of a device"), "{said}");
    let (_, limit) = said.split_once("--limit ").expect("a limit");
    let limit = limit.split(' ').next().unwrap_or_default();
    folder.succeed(&format!("wset capture prog.elf -o run.wset --board mine.toml --limit {limit}"));
    // Where the bit is always 1, it goes on to its last loop.
    folder.write("mine.toml", programs::MINE.replace("0x08 = 1", "0x04 = 1"));
    let done = folder.succeed("wset capture prog.elf -o run.wset --board mine.toml");
    assert!(done.contains("ended in the endless loop at 0x200000"), "{done}");
    assert!(done.contains("in done\n"), "{done}");
    folder.succeed("wset replay run.wset");
    let done = folder.run("wset capture prog.elf -o x.wset");
    let said = done.stderr.replace('\n', " ");
    assert!(
        said.contains("it is in the memory of --board qemu-virt and --board sifive-e"),
        "{said}"
    );
    let boards = folder.json("wset boards --json");
    assert_eq!(boards[0]["board"], "tracewright");
    let sifive = folder.succeed("wset boards sifive-e");
    folder.write("sifive.toml", sifive);
    folder.succeed("wset capture prog.elf -o x.wset --board sifive.toml --limit 1");
}

#[test]
fn errors_of_a_board_name_its_file() {
    let folder = Folder::new();
    let build = "-march=rv32imac -mabi=ilp32 -nostdlib -Wl,-n,-Ttext=0x20000000,-estart";
    built(&folder, "prog.s", programs::POLLS, build);
    for (arguments, said) in [
        ("--board sifive", "expected --board out of tracewright, qemu-virt"),
        ("--board missing.toml", "missing.toml"),
        ("--board prog.toml", "prog.toml: "),
        ("--board odd.toml", "odd.toml: `reset`: expected an even address in memory"),
        ("--board named.toml", "named.toml: `tohost` of device 1 (htif): expected a symbol"),
    ] {
        folder.write("prog.toml", "name = 1");
        folder.write("odd.toml", format!("reset = 0x20000001{}", programs::MINE));
        folder.write(
            "named.toml",
            "name = \"x\"\nmemory = [{ address = 0x20000000, bytes = 0x10000 }]\n\
             [[devices]]\nkind = \"htif\"\ntohost = \"none\"\n",
        );
        let done = folder.run(&format!("wset capture prog.elf -o x.wset {arguments}"));
        let found = done.stderr.replace('\n', " ");
        assert!(done.status > 0 && found.contains(said), "{found}");
    }
    // QEMU for Linux cannot map a file that is not laid out in pages.
    let done = folder.run("capture -o x.pet -- ./prog.elf");
    let said = done.stderr.replace('\n', " ");
    assert!(
        done.status == 1 && said.contains("before ./prog.elf ran: expected a program"),
        "{said}"
    );
    assert!(
        said.contains("`tracewright wset capture ./prog.elf -o prog.wset` runs those"),
        "{said}"
    );
}
