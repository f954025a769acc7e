//! Small inputs that describe much: one sentence, in time and in little memory.

mod hostile;

use std::process::Command;
use std::time::{Duration, Instant};

use crate::common::{Folder, done, is_long};

/// Kilobytes of address space in which the command runs here.
const ADDRESS_SPACE: u64 = 1_200_000;

/// Folders of the files that a test makes, and the names before.
struct Limited {
    folder: Folder,
    names: Vec<String>,
}

impl Limited {
    fn new(folder: Folder) -> Limited {
        Limited { names: folder.names(), folder }
    }

    /// Runs a command in little memory. It has to end with status 1 and this sentence, and leave nothing.
    fn fails(&self, arguments: &str, sentence: &str) {
        self.fails_within(ADDRESS_SPACE, arguments, sentence);
    }

    /// The same in so many kilobytes of address space.
    fn fails_within(&self, kilobytes: u64, arguments: &str, sentence: &str) {
        let run = format!("ulimit -v {kilobytes}; exec \"$0\" \"$@\"");
        let mut command = Command::new("sh");
        command.args(["-c", &run, env!("CARGO_BIN_EXE_tracewright")]);
        command.args(arguments.split_whitespace()).current_dir(self.folder.path("."));
        let done = done(command.output().expect("a shell"));
        assert_eq!(done.status, 1, "{arguments}: {}", done.stderr);
        assert!(done.stderr.starts_with("error: "), "{arguments}: {}", done.stderr);
        assert!(done.stderr.contains(sentence), "{arguments}: {}", done.stderr);
        assert_eq!(done.stderr.lines().count(), 1, "{arguments}: {}", done.stderr);
        assert_eq!(self.folder.names(), self.names, "{arguments} left something behind");
    }
}

#[test]
fn a_trace_of_millions_of_blocks() {
    let folder = Folder::new();
    let (blocks, memory) = if is_long() { (12_000_000, 100) } else { (3_000_000, 25) };
    folder.write("many.pet", hostile::trace_of_blocks(blocks));
    folder.succeed("trace convert many.pet -o many.pet.zst");
    assert!(folder.read("many.pet.zst").len() < 20_000);
    std::fs::remove_file(folder.path("many.pet")).expect("removed");
    folder.take_head("arm-stringsearch", 2000, "run.pet.zst");
    folder.succeed("encode traptor-m4 run.pet.zst -o run.bits");
    let limited = Limited::new(folder);
    for command in [
        "trace verify many.pet.zst",
        "trace info many.pet.zst",
        "encode traptor-m4 many.pet.zst -o out.bits",
        "measure --design traptor-m4 many.pet.zst",
        "decode run.bits --program many.pet.zst -o out.pet.zst",
    ] {
        let sentence = format!(
            "many.pet.zst: this needs more than the {memory}.0 MiB of memory that --memory"
        );
        // An encoder needs nothing of the program but its calls.
        if !command.starts_with("encode") && !command.starts_with("measure") {
            limited.fails(&format!("{command} --memory {memory}MiB"), &sentence);
        }
        limited.fails(
            &format!("{command} --max-events 1000000"),
            "expected at most 1000000 records or lines, found more; --max-events sets the limit",
        );
    }
    // The system gives less than the limit allows.
    let given = if is_long() { ADDRESS_SPACE } else { ADDRESS_SPACE / 4 };
    let sentence = "this needs more memory than the system gives";
    limited.fails_within(given, "trace verify many.pet.zst", sentence);
}

#[test]
fn an_encoded_file_of_too_many_events() {
    let folder = Folder::new();
    folder.succeed("trace generate --events 300000 --isa arm --seed 3 -o run.pet.zst");
    folder.succeed("encode traptor-m4 --set elided_upper_bits=12 run.pet.zst -o run.bits");
    let limited = Limited::new(folder);
    let decode = "decode run.bits --program run.pet.zst -o out.pet.zst";
    limited.fails(&format!("{decode} --max-events 100000"), "--max-events sets the limit");
}

/// The trailer of a file is no reason to go on without its bits.
#[test]
fn an_encoded_file_that_claims_too_much() {
    let folder = Folder::with_run();
    folder.write("claims.bits", hostile::with_claim(folder.read("run.bits"), 1 << 60));
    let limited = Limited::new(folder);
    let begin = Instant::now();
    for command in [
        "decode claims.bits --program run.pet.zst -o out.pet.zst",
        "decode claims.bits --program run.pet.zst -o out.txt",
    ] {
        limited.fails(command, "claims.bits");
    }
    assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
}

/// A few megabytes of zstd that are 100 GB: records of PET1, of which a few million are taken, and text.
#[test]
fn compressed_files_that_expand() {
    const BYTES: u64 = 100_000_000_000;
    let folder = Folder::new();
    // For x86, whose instructions may be at any address.
    let head = b"PET1\x02\0\x20\0\0\0\0\0\0\0\0\0";
    folder.write("events.pet.zst", hostile::zstd_of_one_byte(head, 1, BYTES));
    folder.write("lines.txt.zst", hostile::zstd_of_one_byte(b"machine riscv\n", b'\n', BYTES));
    folder.write("line.txt.zst", hostile::zstd_of_one_byte(b"machine riscv\n", b'#', BYTES));
    assert!(folder.read("events.pet.zst").len() < 4_000_000);
    let limited = Limited::new(folder);
    for command in ["trace info", "trace convert -o out.pet", "encode traptor-m4 -o out.bits"] {
        limited.fails(
            &format!("{command} events.pet.zst --max-events 2000000"),
            "expected at most 2000000 records or lines, found more; --max-events sets the limit",
        );
        limited.fails(&format!("{command} lines.txt.zst --max-events 2000000"), "lines.txt.zst");
        limited.fails(&format!("{command} line.txt.zst"), "line.txt.zst");
    }
}

#[test]
fn images_that_grow() {
    let folder = Folder::new();
    let trace = "machine riscv alignment=1 address_bits=32\n2 direct-jump 0x10004 taken 0x10004\n";
    folder.write("loop.txt", trace);
    folder.write("names.elf", hostile::image_of_symbols(20_000, 100_000));
    folder.write("lines.elf", hostile::image_with_lines(400 << 20));
    folder.write("headers.elf", hostile::image_of_headers(20_000, 300_000));
    let limited = Limited::new(folder);
    for program in ["names.elf", "lines.elf", "headers.elf"] {
        let image = limited.folder.read(program).len();
        assert!(image < 1_000_000, "{program}: {image} bytes");
    }
    limited.fails("view loop.txt --program names.elf --memory 200MiB", "names.elf: ");
    limited.fails(
        "view loop.txt --program headers.elf",
        "headers.elf: damaged ELF file: its executable segments together are over 16 times the file's",
    );
    limited.fails("view loop.txt --program lines.elf --lcov out.info --memory 200MiB", "--memory");
}

#[test]
fn working_sets_without_an_end() {
    let folder = Folder::new();
    folder.write("endless.wset", hostile::endless_working_set());
    folder.write("inputs.wset", hostile::working_set_of_inputs(6_000_000));
    folder.write("polls.elf", hostile::polling_program());
    let limited = Limited::new(folder);
    let too_many =
        "endless.wset: expected at most 10,000,000,000 instructions, found more; --max-events";
    limited.fails("wset replay endless.wset", too_many);
    limited.fails("wset replay endless.wset -o out.pet.zst", too_many);
    limited.fails("wset info --compare endless.wset", too_many);
    limited.fails("wset info inputs.wset --memory 64MiB", "inputs.wset: this needs more than");
    limited.fails("wset capture polls.elf -o out.wset --memory 64MiB", "polls.elf: this needs");
    limited.fails(
        "wset capture polls.elf -o out.wset --max-events 10000",
        "polls.elf: expected the program to end within 100,000 instructions",
    );
}

/// A command that fails at the limit has neither an output nor a line of success, however often it is tried.
#[test]
fn a_reached_limit_leaves_nothing() {
    let folder = Folder::new();
    folder.take_head("arm-stringsearch", 2000, "run.pet.zst");
    let limited = Limited::new(folder);
    for arguments in [
        "encode traptor-m4 run.pet.zst -o out.bits --memory 300000",
        "trace convert run.pet.zst -o out.pet --memory 1",
        "trace info run.pet.zst --memory 1",
        "designs --memory 1",
    ] {
        for _ in 0..5 {
            let done = limited.folder.run(arguments);
            assert_eq!((done.status, &*done.stdout), (1, ""), "{arguments}: {}", done.stderr);
            assert!(done.stderr.contains("--memory allows"), "{arguments}: {}", done.stderr);
            assert_eq!(limited.folder.names(), limited.names, "{arguments}");
        }
    }
}

/// The signal of a file that grows too large ends no command.
#[test]
fn a_file_beyond_the_systems_limit_is_named() {
    let folder = Folder::new();
    folder.take_head("arm-stringsearch", 20_000, "run.pet.zst");
    let names = folder.names();
    let mut command = Command::new("sh");
    let run = "ulimit -f 1; exec \"$0\" trace dump run.pet.zst -o out.txt";
    command.args(["-c", run, env!("CARGO_BIN_EXE_tracewright")]).current_dir(folder.path("."));
    let failed = done(command.output().expect("a shell"));
    assert_eq!(failed.status, 1, "{}", failed.stderr);
    assert!(failed.stderr.starts_with("error: cannot write out.txt: "), "{}", failed.stderr);
    assert_eq!(folder.names(), names);
}
