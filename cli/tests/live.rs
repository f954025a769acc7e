//! Real cores with a trace module on their retirement port. Needs the cores' packages: scripts/setup.

use std::path::Path;
use std::process::Command;

use crate::common::{Folder, done, is_long};
use serde_json::Value;

/// A file of the repository.
fn file(path: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path).display().to_string()
}

pub fn program(name: &str) -> String {
    file(&format!("testbench/live/programs/{name}.elf"))
}

/// A program with some 400 timer interrupts and as many traps, on both cores, with a sink that is often not ready.
#[test]
fn what_a_core_retires_is_decoded() {
    let folder = Folder::new();
    let of_picorv32 = if is_long() { "traptor-m4,stream-rbase-32,nexs" } else { "traptor-m4,nexs" };
    // The model of Ibex takes long to build.
    for (core, designs) in [("picorv32", of_picorv32), ("ibex", "stream-rbase-32")] {
        let elf = program(&format!("{core}-interrupts"));
        let lived = folder
            .json(&format!("live {designs} --core {core} {elf} --seed 7 --stall bursts --json"));
        let lived = lived.as_array().expect("an array");
        assert_eq!(lived.len(), designs.split(',').count());
        for one in lived {
            let number =
                |key: &str| one[key].as_u64().unwrap_or_else(|| panic!("{key} of {one:#}"));
            assert!(one["failure"].is_null() && one["decoded_equal"] == true, "{one:#}");
            // The program checks itself.
            assert_eq!((&one["end"], number("status")), (&"exit".into(), 0), "{one:#}");
            assert_eq!(one["console"], "right\n");
            assert!(
                number("handlers") > 440 && number("exceptions") > number("handlers"),
                "{one:#}"
            );
            assert!(number("bits") > number("instructions") / 4, "{one:#}");
            assert!(number("cycles") > number("instructions"), "{one:#}");
        }
        if core == "ibex" {
            // One for each, and the reset; PicoRV32's returns are instructions that RISC-V does not know.
            let number = |key: &str| lived[0][key].as_u64();
            assert_eq!(number("exceptions"), number("handlers").map(|handlers| handlers + 1));
        }
        let keys: Vec<&String> = lived[0].as_object().expect("an object").keys().collect();
        let expected = [
            "design",
            "core",
            "program",
            "end",
            "status",
            "instructions",
            "handlers",
            "traps",
            "exceptions",
            "bits",
            "bits_per_instruction",
            "cycles",
            "stall_cycles",
            "decoded_instructions",
            "lost_instructions",
            "gaps",
            "write_pointer",
            "decoded_equal",
            "failure",
            "console",
        ];
        assert_eq!(keys, expected);
    }
}

/// The first of several ways in which much is the same, or all of them.
fn few<'a>(ways: &'a [&'a str]) -> &'a [&'a str] {
    if is_long() { ways } else { &ways[..1] }
}

/// Assembles a program for the board.
pub fn assemble(folder: &Folder, name: &str, source: &str) -> String {
    folder.write(&format!("{name}.S"), source);
    let status = Command::new("riscv64-unknown-elf-gcc")
        .args(["-march=rv32imac_zicsr", "-mabi=ilp32", "-nostdlib", "-Wl,--build-id=none"])
        .args(["-Wl,-Ttext=0x10000", "-Wl,--nmagic", "-o", name, &format!("{name}.S")])
        .current_dir(folder.path("."))
        .status();
    assert!(status.expect("gcc-riscv64-unknown-elf").success());
    folder.path(name).display().to_string()
}

/// Traps at what is no instruction at all, and at what is a longer one than any core has.
#[test]
fn traps_at_undefined_instructions() {
    let folder = Folder::new();
    let elf = assemble(
        &folder,
        "undefined",
        "    .globl _start\n_start:\n    la t0, table\n    csrw mtvec, t0\n    li s0, 0\n    li s1, 20\n\
         1:  .half 0\n    .word 0xffffffff\n    nop\n    .balign 4\n    .word 0x0000001f\n\
             .word 0x0000005b\n    unimp\n    addi s1, s1, -1\n    bnez s1, 1b\n\
         .option norvc\n    addi s0, s0, -100\n    li t0, 0x10000004\n    sw s0, 0(t0)\n2:  j 2b\n\
         .balign 256\ntable:\n    addi s0, s0, 1\n    csrr t0, mepc\n    lbu t1, 0(t0)\n\
             andi t1, t1, 3\n    addi t0, t0, 2\n    addi t1, t1, -3\n    bnez t1, 3f\n\
             addi t0, t0, 2\n3:  csrw mepc, t0\n    mret\n",
    );
    let lived = folder.json(&format!("live stream-rbase-32 --core ibex {elf} --json"));
    let one = &lived[0];
    assert_eq!((&one["failure"], &one["decoded_equal"]), (&serde_json::Value::Null, &true.into()));
    assert_eq!((&one["end"], &one["status"]), (&"exit".into(), &0.into()), "{one:#}");
    assert_eq!((&one["traps"], &one["handlers"]), (&100.into(), &100.into()), "{one:#}");
}

/// A program writes over one of its pointers. The last 4 kB of the trace have what it did up to the load that traps.
#[test]
fn a_ring_buffer_has_the_instructions_before_a_trap() {
    let folder = Folder::new();
    let (elf, design) = (program("ibex-wild_pointer"), file("testbench/live/ring.toml"));
    let lived = folder.json(&format!(
        "live {design} {elf} --core ibex --ring 4096 --until-trap -o ring.bin --json"
    ));
    let one = &lived[0];
    let number = |key: &str| one[key].as_u64().unwrap_or_else(|| panic!("{key} of {one:#}"));
    assert!(one["failure"].is_null() && one["decoded_equal"] == true, "{one:#}");
    assert_eq!((&one["end"], number("traps")), (&"trap".into(), 1), "{one:#}");
    assert!(number("bits") > 2 * 8 * 4096, "the buffer is written more than once: {one:#}");
    assert!(number("decoded_instructions") < number("instructions") / 2, "{one:#}");
    assert_eq!(folder.read("ring.bin").len(), 4096);

    let trap = format!("{:x}", number("status"));
    for pointer in [String::new(), format!("--write-pointer {}", number("write_pointer"))] {
        let ring = format!("--ring {pointer} --design {design} ring.bin --program {elf}");
        let done = folder.run(&format!("decode {ring} -o last.pet --json"));
        assert_eq!(done.status, 3, "{}", done.stderr);
        let decoded: Value = serde_json::from_str(&done.stdout).expect("JSON");
        assert_eq!(decoded["instructions"], one["decoded_instructions"], "{pointer}");
        assert_eq!(decoded["gaps"][0]["reason"], "beginning");
        assert_eq!(decoded["lost_instructions"], one["lost_instructions"], "{pointer}");

        let done = folder.run(&format!("view {ring} --listing - --last 40"));
        assert_eq!(done.status, 3, "{}", done.stderr);
        let lines: Vec<&str> = done.stdout.lines().collect();
        // The instruction that trapped was attempted, and no handler has begun.
        let said = format!("-- thread 0 exception before {trap} ");
        assert!(lines.last().is_some_and(|line| line.starts_with(&said)), "{}", done.stdout);
        let address = |line: &&&str| line.trim_start().starts_with(|c: char| c.is_ascii_digit());
        assert_eq!(lines.iter().filter(address).count(), 40, "{}", done.stdout);
        assert!(lines.iter().any(|line| line.contains("wild_pointer.c:")), "{}", done.stdout);
    }
}

const PACKETS: &str = "--set framing=packets --set checksum_bits=8 --set sync_interval=4096";

/// Packets with whatever pins they add, on both cores: nothing is lost where the core stalls.
#[test]
fn packets_of_a_core_are_decoded() {
    let folder = Folder::new();
    let elf = program("picorv32-interrupts");
    let lived = |settings: &str| {
        let lived = folder.json(&format!("live traptor-m4 {elf} {PACKETS} {settings} --json"));
        lived[0].clone()
    };
    let stalls = lived("--stall bursts");
    assert_eq!((&stalls["gaps"], &stalls["lost_instructions"]), (&0.into(), &0.into()));
    assert_eq!(stalls["decoded_instructions"], stalls["instructions"]);
    let drops = lived("--set when_full=drop --set enable_pin=true --stall bursts");
    let number = |key: &str| drops[key].as_u64().unwrap_or_else(|| panic!("{key} of {drops:#}"));
    assert!(drops["failure"].is_null() && number("gaps") > 0, "{drops:#}");
    let all = number("decoded_instructions") + number("lost_instructions");
    assert_eq!(all, number("instructions"), "{drops:#}");
}

/// Registers and a memory that the design's file asks for, as `generate` writes it, are there without an option.
#[test]
fn the_registers_of_a_design_file_are_driven() {
    let folder = Folder::new();
    let elf = program("picorv32-interrupts");
    folder.write(
        "mine.toml",
        "preset = \"traptor-m4\"\nframing = \"packets\"\nenable_pin = true\nsync_interval = 1024\ntrace_port_width = 8\n\
         [control]\nbus = \"apb\"\n[ram_sink]\nbytes = 65536\n",
    );
    let all = &folder.json(&format!("live mine.toml {elf} --json -o ring.bin"))[0];
    assert!(all["failure"].is_null() && all["decoded_equal"] == true, "{all:#}");
    assert_eq!((&all["end"], &all["write_pointer"]), (&"exit".into(), &Value::Null), "{all:#}");
    assert_eq!(all["gaps"], 0, "{all:#}");
    assert_eq!(all["decoded_instructions"], all["instructions"]);
    let bytes = folder.read("ring.bin").len() as u64;
    assert!(bytes < 65_536 && all["bits"] == 8 * bytes, "{all:#}");
    // Designs with different registers do not go together.
    let two = folder.run(&format!("live mine.toml,traptor-m4 {elf} --json"));
    assert_eq!(two.status, 2, "{}", two.stderr);
    assert!(two.stderr.contains("the same control registers"), "{}", two.stderr);
}

/// Registers switch tracing on before the first instruction and off after the last, and read the memory of the RAM
/// sink: its end, and what a module that loses blocks has of it.
#[test]
fn a_ram_sink_is_read_by_registers() {
    let folder = Folder::new();
    let elf = program("picorv32-interrupts");
    let lived = |settings: &str| {
        let design = "--set framing=packets --set enable_pin=true --set sync_interval=1024";
        let command = format!("live traptor-m4 {elf} {design} {settings} --json -o ring.bin");
        let lived = folder.json(&command);
        assert!(lived[0]["failure"].is_null() && lived[0]["decoded_equal"] == true, "{lived:#}");
        lived[0].clone()
    };
    let number =
        |one: &Value, key: &str| one[key].as_u64().unwrap_or_else(|| panic!("{key} of {one:#}"));

    let port = "--set trace_port_width=1 --limit 20003";
    let end = lived(&format!("{port} --control axi-lite --ram-sink 1024 --seed 5"));
    assert_eq!((number(&end, "gaps"), folder.read("ring.bin").len()), (1, 1024), "{end:#}");
    assert!(number(&end, "decoded_instructions") > 4_000, "{end:#}");

    let lossy = lived(&format!("{port} --set when_full=drop --control apb --ram-sink 1024"));
    assert!(number(&lossy, "gaps") > 2 && number(&lossy, "lost_instructions") > 100, "{lossy:#}");
    assert!(number(&lossy, "decoded_instructions") > 4_000, "{lossy:#}");
    assert_eq!(number(&lossy, "stall_cycles"), 0, "{lossy:#}");

    // Registers without a sink: beats leave by the trace port.
    let port = lived("--control apb --stall bursts --limit 10000");
    let decoded = number(&port, "decoded_instructions");
    assert_eq!((decoded, number(&port, "gaps")), (number(&port, "instructions"), 0), "{port:#}");
}

#[test]
fn a_ring_buffer_without_a_packet_says_so() {
    let folder = Folder::new();
    let elf = program("picorv32-interrupts");
    let done =
        folder.run(&format!("live traptor-m4 {elf} {PACKETS} --ring 16 --limit 20000 -o ring.bin"));
    assert_eq!(done.status, 1, "{}", done.stdout);
    assert!(done.stderr.contains("no packet in the 16 bytes"), "{}", done.stderr);
    assert_eq!(folder.read("ring.bin").len(), 16);
}

#[test]
fn a_run_can_be_cut_short() {
    let folder = Folder::new();
    let table =
        folder.succeed(&format!("live traptor-m4 {} --limit 5000", program("picorv32-interrupts")));
    assert!(table.contains("limit") && table.contains("equal"), "{table}");
}

#[test]
fn what_does_not_go_is_refused() {
    let folder = Folder::new();
    let wide = file("workloads/rv64imac-crc.elf");
    let crc = file("workloads/rv32imac-crc.elf");
    folder.write("text", "no ELF file");
    let cases = [
        (
            format!("live traptor-m4 {wide}"),
            1,
            "is 64-bit RISC-V code; picorv32 runs 32-bit RISC-V",
        ),
        ("live traptor-m4 text".into(), 1, "text"),
        ("live traptor-m4 none.elf".into(), 1, "none.elf"),
        (
            format!("live mctraptor-small-n2 {crc}"),
            2,
            "traces 2 cores, expected a design for one core: picorv32 is one",
        ),
        (format!("live stride-64 {crc}"), 2, "stride-64 does not trace control flow"),
        (format!("live traptor-m4 {crc} --set alignment=2"), 2, "alignment = 2 drops address bits"),
        (
            format!("live traptor-m4 {crc} --ingress tip"),
            2,
            "--ingress: expected rvfi, the port that picorv32 has",
        ),
        (format!("live traptor-m4 {crc} --nret 2"), 2, "--nret: expected 1 for picorv32, found 2"),
        (
            format!("live traptor-m4 {crc} --core minimal --nret 3"),
            2,
            "--nret: expected 1 or 2 for minimal, found 3",
        ),
        (format!("live traptor-m4 {crc} --ring 4096"), 2, "expected framing = packets"),
        (format!("live traptor-m4 {crc} --ram-sink 64"), 2, "expected --control apb or axi-lite"),
        (
            format!("live traptor-m4 {crc} --control apb --set enable_pin=false"),
            2,
            "without its pin: set enable_pin=true",
        ),
        (
            format!(
                "live traptor-m4 {crc} --set framing=packets --set enable_pin=true --control apb --ram-sink 64 --ring 64"
            ),
            2,
            "--ring: expected no --ram-sink",
        ),
        (format!("live traptor-m4,nexs {crc} -o x"), 2, "-o: expected one design, found 2"),
        (format!("live traptor-m4 {crc} --ring 1"), 2, "expected at least 16"),
    ];
    crate::common::bad::refused(&folder, &cases);
}

#[test]
fn a_missing_core_says_how_to_get_it() {
    let folder = Folder::new();
    let elf = program("picorv32-interrupts");
    let mut command = folder.command(&["live", "traptor-m4", &elf]);
    let output = command.env("PATH", folder.path("")).output().expect("the command starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(said.contains("picorv32 is not installed; run `scripts/setup test`"), "{said}");
}

#[test]
fn the_adapter_is_generated_with_its_module() {
    let folder = Folder::new();
    let set = "--set alignment=1 --ingress rvfi --ingress-queue 6 --ingress-slack 2";
    folder.succeed(&format!("generate traptor-s0 {set} -o build"));
    let manifest = folder.text("build/traptor-s0/manifest.json");
    for part in ["\"top\": \"traptor_s0_rvfi\"", "\"rvfi_pc_wdata\"", "traptor_s0_rvfi.v"] {
        assert!(manifest.contains(part), "no {part} in {manifest}");
    }
    assert!(folder.text("build/traptor-s0/traptor-s0.core").contains("traptor_s0_rvfi.v"));
    folder.succeed(&format!("generate traptor-s0 {set} -o build --check"));
}

/// The small core crashes in every way among timer interrupts, by both of its widths, and dies for good in the end: a
/// fetch fault in the handler itself, again and again.
#[test]
fn crashes_of_the_small_core_are_decoded() {
    let folder = Folder::new();
    let crashes = program("minimal-crashes");
    let packets = "--set framing=packets --set enable_pin=true --set sync_interval=1024 \
                   --set trace_port_width=8";
    let lived = |design: &str, settings: &str| {
        let lived = folder.json(&format!("live {design} --core minimal {settings} --json"));
        let one = lived[0].clone();
        assert!(one["failure"].is_null() && one["decoded_equal"] == true, "{one:#}");
        one
    };
    let design = format!("traptor-m4 {crashes}");
    // `live_bench` has the other connections too.
    let connections = ["--ingress tip --nret 2", "--ingress tip", "--nret 2 --stall bursts"];
    for settings in few(&connections) {
        let one = lived(&design, settings);
        assert_eq!((&one["end"], &one["status"]), (&"exit".into(), &0.into()), "{one:#}");
        assert_eq!(one["traps"], 120, "{one:#}");
        assert!(one["handlers"].as_u64() > Some(200), "{one:#}");
        // The jump at the end: by the trace ingress port the next block would have said where it leads.
        let held = u64::from(settings.contains("tip"));
        let retired = one["instructions"].as_u64().expect("a number");
        assert_eq!(one["decoded_instructions"], retired - held, "{one:#}");
    }
    let ram = lived(&design, &format!("--nret 2 {packets} --control apb --ram-sink 2048"));
    assert!(ram["decoded_instructions"].as_u64() > Some(4000), "{ram:#}");

    for port in few(&["rvfi --nret 2", "tip"]) {
        let wild = program("minimal-wild");
        let dies = lived(&format!("traptor-m4 {wild} --ingress {port}"), "--limit 4000");
        assert_eq!((&dies["end"], &dies["status"]), (&"limit".into(), &Value::Null), "{dies:#}");
        assert!(dies["traps"].as_u64() > Some(500), "{dies:#}");
    }

    let interrupts = program("minimal-interrupts");
    let wide = format!("--nret 2 {packets} --control axi-lite --ram-sink 4096");
    for settings in few(&[wide.as_str(), ""]) {
        let one = lived(&format!("traptor-m4 {interrupts}"), settings);
        assert_eq!((&one["console"], &one["status"]), (&"right\n".into(), &0.into()), "{one:#}");
    }
}

/// A file of the name of the core's package in the working folder is not run.
#[test]
fn python_in_the_working_folder_is_not_run() {
    let folder = Folder::new();
    folder.write("pythondata_cpu_picorv32.py", "open('ran', 'w')\ndata_location = '.'\n");
    let elf = program("picorv32-interrupts");
    let arguments = ["live", "traptor-s0", elf.as_str(), "--limit", "100"];
    // Without the folder of the cores' packages on the path the core is not found at all.
    let mut command = folder.command(&arguments);
    let failed = done(command.env("PATH", "/usr/bin:/bin").output().expect("the command"));
    assert_eq!(failed.status, 1, "{}", failed.stderr);
    assert_eq!(folder.names(), ["pythondata_cpu_picorv32.py"], "{}", failed.stderr);
}
