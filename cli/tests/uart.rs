//! Rings that came by the serial line of `generate --reader uart`; docs/start_core.md has the whole way, from a core that
//! crashes to the listing, and `pages` runs it.

use std::path::Path;
use std::process::Command;

use crate::common::Folder;
use crate::common::trace_port::trace_port;

const SETTINGS: [&str; 3] = ["framing=packets", "sync_interval=1024", "checksum_bits=16"];
const DESIGN: &str =
    "--design traptor-m4 --set framing=packets --set sync_interval=1024 --set checksum_bits=16";

/// The loop of uart/bench.v.
const LOOP: &str = ".globl _start\n_start: nop\nnop\nbeq a0, a1, 1f\nnop\n1: j _start\n";

/// What the line sends of a memory.
fn dump(fingerprint: u32, pointer: u32, memory: &[u8]) -> Vec<u8> {
    let length = u32::try_from(memory.len()).expect("a small ring");
    let head = [fingerprint, pointer, length].map(u32::to_le_bytes).concat();
    let content = [&head[..], memory].concat();
    let checksum = crc32fast::hash(&content).to_le_bytes();
    [b"TWRING1\n", &content[..], &checksum].concat()
}

fn fingerprint(folder: &Folder) -> u32 {
    let command = format!("designs traptor-m4 {} --json", &DESIGN["--design traptor-m4 ".len()..]);
    let designs = folder.json(&command);
    let text = designs[0]["fingerprint"].as_str().expect("a fingerprint").to_owned();
    u32::from_str_radix(text.trim_start_matches("0x"), 16).expect("a number")
}

fn decode(file: &str) -> String {
    format!("decode --uart {DESIGN} {file} --program run.pet.zst -o back.pet")
}

/// The trace of the run in the folder, in whole words.
fn words(folder: &Folder) -> (Vec<u8>, usize) {
    let (mut bytes, events) = trace_port(&folder.path("run.pet.zst"), "traptor-m4", &SETTINGS);
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    (bytes, events.len())
}

#[test]
fn the_last_whole_dump_is_decoded() {
    let folder = Folder::with_run();
    let (bytes, events) = words(&folder);
    let print = fingerprint(&folder);
    let whole = dump(print, bytes.len() as u32, &bytes);
    // The computer was connected in the middle of a dump, and disconnected in the middle of another.
    let received = [&whole[70..], &whole, &whole[..90]].concat();
    folder.write("received.bin", received);
    let done = folder.json(&format!("{} --json", decode("received.bin")));
    assert_eq!(done["events"], events);
    // The fingerprint is that of the design, so another program is suspected, and not the design.
    let other = format!("{}/../workloads/arm-fft-head.pet.zst", env!("CARGO_MANIFEST_DIR"));
    let other = folder.run(&decode("received.bin").replace("run.pet.zst", &other));
    assert!(other.stderr.contains("arm-fft-head"), "{}", other.stderr);
    assert!(!other.stderr.contains("was generated"), "{}", other.stderr);
    // Its bytes are no ring, as which they would be taken for another design.
    folder.write("from_mark.bin", &whole);
    let ring = folder.run(&decode("from_mark.bin").replace("--uart", "--ring"));
    assert_eq!(ring.status, 2, "{}", ring.stdout);
    assert!(ring.stderr.contains("expected --uart"), "{}", ring.stderr);
    assert_eq!(folder.json("trace info run.pet.zst --json")[0]["events"], events);

    // A ring that has wrapped is what `--ram-sink` makes of the same memory.
    let size = bytes.len() / 3 / 4 * 4;
    let mut memory = vec![0; size];
    bytes.iter().enumerate().for_each(|(at, byte)| memory[at % size] = *byte);
    let pointer = (bytes.len() % size) as u32 | 1;
    folder.write("received.bin", dump(print, pointer, &memory));
    folder.write("memory.bin", &memory);
    let by_line = folder.run(&decode("received.bin"));
    let by_bus = decode("memory.bin").replace("--uart", &format!("--ram-sink {pointer}"));
    let by_bus = folder.run(&by_bus);
    assert_eq!((by_line.status, by_bus.status), (3, 3), "{}", by_line.stderr);
    assert_eq!(by_line.stdout, by_bus.stdout);
    assert!(by_line.stdout.contains("the beginning of the trace is missing"), "{}", by_line.stdout);
}

#[test]
fn damage_is_said_in_a_sentence_and_leaves_nothing() {
    let folder = Folder::with_run();
    let (bytes, _) = words(&folder);
    let print = fingerprint(&folder);
    let whole = dump(print, bytes.len() as u32, &bytes);
    let mut flipped = whole.clone();
    flipped[100] ^= 4;
    let past = dump(print, bytes.len() as u32 + 4, &bytes);
    for (received, says) in [
        (&whole[..whole.len() - 1], "the one at byte 0 ends before its last byte"),
        (&whole[..12], "the one at byte 0 ends before its last byte"),
        (&flipped[..], "the one at byte 0 has a wrong checksum"),
        (&dump(print, 2, &bytes)[..], "the one at byte 0 has a value that trRamWPLow never has"),
        (&past[..], "the write pointer is"),
        (&dump(print ^ 1, 4, &bytes)[..], "has the fingerprint"),
        (&bytes[..], "has no dump of a ring"),
        (&[], "has no dump of a ring"),
    ] {
        folder.write("received.bin", received);
        let done = folder.run(&decode("received.bin"));
        assert!(matches!(done.status, 1 | 2), "{says}: {}", done.status);
        assert!(
            done.stderr.contains(says) && done.stderr.lines().count() == 1,
            "{says}: {}",
            done.stderr
        );
        assert!(!folder.path("back.pet").exists(), "{says}");
    }
}

#[test]
fn a_reader_needs_a_ring_on_apb() {
    let folder = Folder::new();
    let says = "--reader: expected --control apb and --ram-sink, whose ring it reads";
    for around in ["", "--control apb", "--control axi-lite --ram-sink 4096"] {
        let done = folder.run(&format!("generate traptor-s1 {around} --reader uart -o out"));
        assert_eq!(done.status, 2, "{around}");
        assert!(done.stderr.contains(says) && !folder.path("out").exists(), "{}", done.stderr);
    }
    let around = "--set trace_port_width=8 --control apb --ram-sink 4096 --reader uart";
    let done = folder.succeed(&format!("generate traptor-s1 {around} -o out"));
    assert!(done.contains("top module traptor_s1_control_uart"), "{done}");
    // The folder is a design that makes itself again.
    assert!(folder.text("out/traptor-s1/traptor-s1.toml").contains("[reader]\nport = \"uart\"\n"));
    folder.succeed("generate out/traptor-s1 -o out --check");
    folder.succeed("generate out/traptor-s1 --reader none -o without");
    assert!(!folder.path("without/traptor-s1/traptor_s1_control_uart.v").exists());
}

/// Runs a tool, which has to succeed; what it prints.
fn tool(folder: &Folder, line: &str) -> String {
    let mut words = line.split_whitespace();
    let name = words.next().expect("a tool");
    let output = Command::new(name).args(words).current_dir(folder.path(".")).output();
    let output = output.unwrap_or_else(|error| panic!("{name}: {error}"));
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{line}: {printed}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    printed
}

/// A ring that has not wrapped and one that has, each sent again and again; tracing begins anew between.
#[test]
fn two_crashes_are_read_from_the_line() {
    let folder = Folder::new();
    folder.write("loop.S", LOOP);
    let flags = "-march=rv32i -mabi=ilp32 -nostdlib -Wl,-Ttext=0x10000";
    tool(&folder, &format!("riscv64-unknown-elf-gcc {flags} -o loop.elf loop.S"));
    let around = "--ingress rvfi --control apb --ram-sink 512 --reader uart";
    folder.succeed(&format!("generate traptor-m4 --set trace_port_width=8 {around} -o build"));
    let bench = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/uart/bench.v");
    let modules = ["", "_rvfi", "_rvfi_control", "_rvfi_control_uart"]
        .map(|suffix| format!("build/traptor-m4/traptor_m4{suffix}.v"));
    tool(
        &folder,
        &format!("iverilog -g2001 -s bench -o bench.vvp {} {}", bench.display(), modules.join(" ")),
    );
    let printed = tool(&folder, "vvp -n bench.vvp");
    assert!(printed.ends_with("done\n") && !printed.contains("failed"), "{printed}");
    let first = printed.lines().find_map(|line| line.strip_prefix("first ")?.parse::<usize>().ok());
    let first = first.expect("the instructions before the first crash");

    let log = folder.text("log");
    let log: Vec<u64> =
        log.lines().map(|line| u64::from_str_radix(line, 16).expect("an address")).collect();
    let decoded = |number: u32| {
        let marks = folder.read(&format!("received{number}.bin"));
        assert!(marks.windows(8).filter(|bytes| bytes == b"TWRING1\n").count() > 1);
        let done = folder.run(&format!(
            "decode --uart --design build/traptor-m4 received{number}.bin --program loop.elf --allow-gaps -o back.pet \
             --program-counters addresses"
        ));
        assert_eq!((done.status, done.stderr.as_str()), (0, ""), "{}", done.stdout);
        let address = |line: &str| u64::from_str_radix(line.trim_start_matches("0x"), 16).ok();
        folder.text("addresses").lines().filter_map(address).collect::<Vec<_>>()
    };
    assert_eq!(decoded(1), log[..first]);
    let last = decoded(2);
    assert!(log.ends_with(&last) && last.len() > 5000, "{} instructions", last.len());
}
