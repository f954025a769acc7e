//! Dumps of E-Trace and N-Trace: written from a trace, listed, and decoded as those of other encoders are.

use std::fs;

use crate::common::{Folder, workload};

const DECODE: &str =
    "decode --standard etrace --encoder encoder.toml --program traps.elf -o back.pet.zst";

/// A folder with a program, its trace, the dump of that, and the parameters of the encoder.
pub fn folder(events: u64) -> Folder {
    let folder = Folder::new();
    folder.take_head("rv32imac-traps", events, "run.pet.zst");
    let elf = workload("rv32imac-traps").replace(".pet.zst", ".elf");
    fs::copy(elf, folder.path("traps.elf")).expect("copied");
    folder.succeed(
        "encode etrace-full run.pet.zst -o dump.bin --standard etrace --encoder encoder.toml",
    );
    folder
}

/// The events of a trace as lines of text.
pub fn events(folder: &Folder, trace: &str) -> Vec<String> {
    let text = folder.succeed(&format!("trace dump {trace}"));
    let is_event = |line: &&str| {
        !line.starts_with("machine")
            && !line.starts_with("state")
            && !line.contains("load ")
            && !line.contains("store ")
    };
    text.lines().filter(is_event).map(str::to_owned).collect()
}

#[test]
fn a_dump_is_decoded_with_the_file_of_its_encoder() {
    let folder = folder(20_000);
    let parameters = folder.text("encoder.toml");
    for line in
        ["iaddress_width_p = 32", "return_stack_size_p = 3", "bpred_size_p = 6", "cache_size_p = 6"]
    {
        assert!(parameters.contains(line), "{line}: {parameters}");
    }
    let done = folder.json(&format!("{DECODE} dump.bin --json"));
    assert_eq!((&done["events"], done["gaps"].as_array().map(Vec::len)), (&20_000.into(), Some(0)));
    assert_eq!(events(&folder, "back.pet.zst"), events(&folder, "run.pet.zst"));
    let said = folder.succeed("view back.pet.zst --program traps.elf --functions --top 1");
    assert!(said.contains("function"), "{said}");
    let info = folder
        .json("trace info --standard etrace --encoder encoder.toml dump.bin --payloads --json");
    let list = info[0]["list"].as_array().expect("a list");
    assert_eq!(info[0]["payloads"], list.len());
    // A decoder learns the options before the first start.
    let options = "implicit_return jump_target_cache branch_prediction";
    assert_eq!(list[0]["fields"]["ioptions"], options);
    assert_eq!(list[1]["fields"]["address"], "0x10000");
}

#[test]
fn what_a_cut_dump_has_is_the_first_part() {
    let folder = folder(5_000);
    let dump = folder.read("dump.bin");
    folder.write("cut.bin", &dump[..504]);
    let done = folder.run(&format!("{DECODE} cut.bin"));
    assert_eq!(done.status, 3, "{}", done.stderr);
    assert!(done.stdout.starts_with("gap at byte 501"), "{}", done.stdout);
    assert!(done.stderr.contains("cut.bin: 1 gap, "), "{}", done.stderr);
    let found = events(&folder, "back.part-1.pet.zst");
    assert!(found.len() > 100 && events(&folder, "run.pet.zst").starts_with(&found));
    // The whole dump replaces the part.
    folder.succeed(&format!("{DECODE} dump.bin"));
    assert!(!folder.path("back.part-1.pet.zst").exists());
    // Of nothing, nothing is written.
    folder.write("cut.bin", &dump[..6]);
    fs::remove_file(folder.path("back.pet.zst")).expect("removed");
    let done = folder.run(&format!("{DECODE} cut.bin"));
    assert_eq!(done.status, 1);
    assert_eq!(
        done.stderr,
        "error: cut.bin: byte 3: expected 3 bytes after the header, found 2: the dump ends in a payload; nothing of the \
         dump is decoded\n"
    );
    assert!(!folder.names().iter().any(|name| name.starts_with("back")), "{:?}", folder.names());
}

/// Fails unless the command ends with this status and error.
#[track_caller]
fn is_refused(folder: &Folder, arguments: &str, status: i32, expected: &str) {
    let done = folder.run(arguments);
    assert_eq!((done.status, done.stderr), (status, format!("error: {expected}\n")), "{arguments}");
    assert!(!folder.path("back.pet.zst").exists() && !folder.path("out.bin").exists());
}

#[test]
fn bad_parameters_and_programs_are_refused() {
    let folder = folder(300);
    let decode = "decode --standard etrace -o back.pet.zst dump.bin --encoder bad.toml --program";
    for (parameters, expected) in [
        (
            "iaddres_width = 32\n",
            "bad.toml: no parameter of an encoder is called iaddres_width; the nearest is iaddress_width_p",
        ),
        ("\niaddress_lsb_p = 3\n", "bad.toml: iaddress_lsb_p is 3, expected 0 to 2"),
        ("\nnocontext_p = \"no\"\n", "bad.toml, line 2: invalid type: string \"no\", expected u32"),
    ] {
        folder.write("bad.toml", parameters);
        is_refused(&folder, &format!("{decode} traps.elf"), 1, expected);
    }
    folder.write("bad.toml", "");
    let expected = "run.pet.zst: --standard needs the program as its ELF file";
    is_refused(&folder, &format!("{decode} run.pet.zst"), 2, expected);
    let expected = "dump.bin: expected payloads of source 2, found 0";
    is_refused(&folder, &format!("{decode} traps.elf --hart 2"), 1, expected);
}

#[test]
fn only_designs_of_the_standard_make_dumps() {
    let folder = folder(300);
    for (design, settings, expected) in [
        (
            "traptor-m4",
            "",
            "traptor-m4 is of the scheme traptor, expected one of the scheme etrace, such as etrace-base",
        ),
        (
            "etrace-base",
            "--set framing=packets",
            "etrace-base has packets around its payloads, expected framing=none",
        ),
        (
            "etrace-base",
            "--set trace_port_width=3",
            "a trace port of 3 bits has no whole bytes, expected trace_port_width=8",
        ),
    ] {
        let encode = format!("encode {design} run.pet.zst -o out.bin --standard etrace {settings}");
        is_refused(&folder, &encode, 2, &format!("--standard etrace: {expected}"));
    }
    let encode = "encode ntrace-htm run.pet.zst -o out.bin --standard ntrace --set alignment=0";
    let expected =
        "--standard ntrace: addresses of N-Trace are multiples of 2, expected alignment=1 or 2";
    is_refused(&folder, encode, 2, expected);
    folder.take_head("arm-stringsearch", 300, "arm.pet.zst");
    let encode = "encode etrace-base arm.pet.zst -o out.bin --standard etrace";
    is_refused(&folder, encode, 2, "arm.pet.zst: E-Trace is for RISC-V, found a trace of arm");
}

/// With compressed instructions the file of the encoder says how it counts.
#[test]
fn a_dump_of_n_trace_is_decoded_and_listed() {
    let folder = folder(20_000);
    for (design, messages) in [("ntrace-htm", "IndirectBranchHist"), ("ntrace-btm", "DirectBranch")]
    {
        let encoder = "--standard ntrace --encoder encoder.toml";
        folder.succeed(&format!(
            "encode {design} run.pet.zst -o dump.bin {encoder} --set trace_port_width=8"
        ));
        assert!(folder.text("encoder.toml").contains("taken_half_words = 1"));
        let decode =
            format!("decode {encoder} --program traps.elf -o back.pet.zst dump.bin --json");
        let done = folder.json(&decode);
        let gaps = done["gaps"].as_array().map(Vec::len);
        assert_eq!((&done["events"], gaps), (&20_000.into(), Some(0)));
        assert_eq!(events(&folder, "back.pet.zst"), events(&folder, "run.pet.zst"));
        let info = folder.json(&format!("trace info {encoder} dump.bin --payloads --json"));
        let list = info[0]["list"].as_array().expect("a list");
        assert_eq!(info[0]["payloads"], list.len());
        assert_eq!(list[0]["payload"], "ProgTraceSync");
        assert_eq!(list[0]["fields"]["F-ADDR"], "0x10000");
        let listed = folder.succeed(&format!("trace info {encoder} dump.bin --payloads"));
        assert!(listed.contains(messages) && listed.contains("ProgTraceCorrelation"), "{listed}");
    }
    let dump = folder.read("dump.bin");
    folder.write("cut.bin", &dump[..dump.len() - 1]);
    let done = folder.run(
        "decode --standard ntrace --encoder encoder.toml cut.bin --program traps.elf -o back.pet.zst",
    );
    assert_eq!(done.status, 3, "{}", done.stderr);
    assert!(done.stdout.contains("the dump ends in a message, after"), "{}", done.stdout);
    folder.write("bad.toml", "trTeSrcBit = 1\n");
    is_refused(
        &folder,
        "trace info --standard ntrace --encoder bad.toml dump.bin",
        1,
        "bad.toml: no parameter of an encoder is called trTeSrcBit; the nearest is trTeSrcBits",
    );
}

/// The times of a file of `--times`, each with the number of events.
fn times(folder: &Folder, file: &str) -> Vec<(u64, u64)> {
    let text = folder.text(file);
    let (head, lines) = text.split_once('\n').expect("a first line");
    assert_eq!(head, "core,time,events");
    let number = |word: Option<&str>| word.and_then(|word| word.parse().ok()).expect("a number");
    let line = |line: &str| {
        let mut words = line.split(',');
        assert_eq!(words.next(), Some("0"));
        (number(words.next()), number(words.next()))
    };
    lines.lines().map(line).collect()
}

/// Both decoders give the same times, of a counter that begins anew.
#[test]
fn messages_of_n_trace_say_the_time() {
    let folder = folder(5_000);
    let design = "ntrace-htm --set enable_pin=true --set trace_port_width=8";
    let timed = format!("{design} --set time_bits=12");
    folder.succeed(&format!("encode {timed} run.pet.zst -o run.bits"));
    folder.succeed("decode run.bits --program traps.elf -o back.pet.zst --times own.csv");
    assert_eq!(events(&folder, "back.pet.zst"), events(&folder, "run.pet.zst"));
    let encoder = "--standard ntrace --encoder encoder.toml";
    folder.succeed(&format!("encode {timed} run.pet.zst -o dump.bin {encoder}"));
    assert!(folder.text("encoder.toml").contains("trTsWidth = 12"));
    folder.succeed(&format!(
        "decode {encoder} dump.bin --program traps.elf -o other.pet.zst --times other.csv"
    ));
    let (own, other) = (times(&folder, "own.csv"), times(&folder, "other.csv"));
    assert!(own.len() > 100 && own.iter().all(|(time, _)| *time < 1 << 12), "{own:?}");
    let clocks = |times: &[(u64, u64)]| times.iter().map(|(time, _)| *time).collect::<Vec<_>>();
    assert_eq!(clocks(&own), clocks(&other));
    let wraps = own.windows(2).filter(|pair| pair[1].0 < pair[0].0).count();
    assert!(wraps > 1, "{wraps} new beginnings");
    let listed = folder.succeed(&format!("trace info {encoder} dump.bin --payloads"));
    assert!(listed.contains("IndirectBranchHist") && listed.contains(" at "), "{listed}");
    folder.succeed(&format!("encode {design} run.pet.zst -o plain.bits"));
    let done = folder.run("decode plain.bits --program traps.elf -o none.pet.zst --times none.csv");
    assert_eq!(done.status, 2, "{}", done.stderr);
    assert!(done.stderr.contains("traces of ntrace-htm have no time stamps"), "{}", done.stderr);
}

/// A program says how long its instructions are. Then decoders of the standard need no parameter for that; without it nothing
/// is encoded.
#[test]
fn exact_lengths_are_those_of_the_program() {
    let folder = folder(2_000);
    let encode = |program: &str, output: &str| {
        format!(
            "encode ntrace-htm run.pet.zst {program} -o {output} --set exact_lengths=true \
             --set trace_port_width=8"
        )
    };
    let standard = encode("--program traps.elf --standard ntrace", "dump.bin");
    folder.succeed(&format!("{standard} --encoder encoder.toml"));
    assert!(folder.text("encoder.toml").contains("taken_half_words = 0"));
    folder.succeed("decode --standard ntrace --program traps.elf -o own.pet.zst dump.bin");
    assert_eq!(events(&folder, "own.pet.zst"), events(&folder, "run.pet.zst"));
    let unknown = "event 1: the trace does not say how long the instruction at 0x10010 is, which exact_lengths = true \
                   needs; `tracewright encode` and `cosim` take it from the program's ELF file (--program FILE)";
    is_refused(&folder, &encode("", "out.bin"), 1, &format!("run.pet.zst: {unknown}"));
    folder.succeed(&encode("--program traps.elf", "run.bits"));
    folder.succeed("decode run.bits --program traps.elf -o own.pet.zst");
    assert_eq!(events(&folder, "own.pet.zst"), events(&folder, "run.pet.zst"));
    let done = folder.run("decode run.bits --program run.pet.zst -o back.pet.zst");
    assert!(done.stderr.contains("expected the program's ELF file"), "{}", done.stderr);
}

/// Of a filter without packets the parts that pass are given, each with the events of the execution, and the gaps between them do
/// not change the exit status; a bare capture of such a design is read in the same way.
#[test]
fn what_a_filter_leaves_out_is_a_gap() {
    let folder = Folder::new();
    folder.take_head("rv32imac-traps", 20_000, "run.pet.zst");
    let elf = workload("rv32imac-traps").replace(".pet.zst", ".elf");
    fs::copy(elf, folder.path("traps.elf")).expect("copied");
    let design = "--set enable_pin=true --set filter_ranges=1 --set trace_port_width=32";
    folder.succeed(&format!(
        "encode etrace-base run.pet.zst -o run.bits {design} --filter-in 0x10100:0x10200"
    ));
    let done = folder.json("decode run.bits --program traps.elf -o back.pet.zst --json");
    let (parts, gaps) = (done["parts"].as_array().unwrap(), done["gaps"].as_array().unwrap());
    assert!(parts.len() > 100, "{} parts", parts.len());
    assert!(gaps.iter().all(|gap| gap["reason"] == "off"), "{gaps:?}");
    let all = events(&folder, "run.pet.zst");
    let without_count = |event: &str| event.split_once(' ').unwrap().1.to_owned();
    for number in [1, 2, 50, parts.len()] {
        // Each part begins with an exception after no instruction.
        let part = events(&folder, &format!("back.part-{number}.pet.zst"));
        // A part may begin in the middle of a run.
        let last = without_count(part.last().unwrap());
        let is_there = all.iter().any(|event| without_count(event) == last);
        assert!(part.len() < 2 || is_there, "part {number}: {last}");
    }
    folder.succeed(&format!(
        "encode etrace-base run.pet.zst -o dump.bin --standard etrace --encoder encoder.toml {design}"
    ));
    let whole = folder.json(&format!(
        "decode --raw --design etrace-base {design} dump.bin --program traps.elf -o whole.pet.zst --json"
    ));
    assert_eq!((&whole["events"], &whole["standard"]), (&20_000.into(), &"etrace".into()));
}

/// A program without compressed instructions: an address that is no multiple of four is damage like any other.
#[test]
fn a_flipped_bit_is_a_gap() {
    let folder = Folder::new();
    let program = ".globl _start\n_start: li t0, 20\n1: addi t0, t0, -1\n call f\n bnez t0, 1b\n li t0, 0x10000000\n \
                   sw zero, 4(t0)\n2: j 2b\nf: addi a0, a0, 1\n ret\n";
    folder.write("words.S", program);
    let compiler = "-march=rv32im -mabi=ilp32 -nostdlib -Wl,-Ttext=0x10000 -o words.elf words.S";
    let mut command = std::process::Command::new("riscv64-unknown-elf-gcc");
    command.args(compiler.split(' ')).current_dir(folder.path("."));
    assert!(command.status().expect("riscv64-unknown-elf-gcc").success());
    folder.succeed("wset capture words.elf -o words.wset");
    folder.succeed("wset replay words.wset -o run.pet.zst");
    for (design, standard) in [("etrace-base", "etrace"), ("ntrace-htm", "ntrace")] {
        folder.succeed(&format!(
            "encode {design} run.pet.zst --standard {standard} -o dump.bin --encoder {standard}.toml"
        ));
        let dump = fs::read(folder.path("dump.bin")).expect("a dump");
        for bit in (3..dump.len() * 8).step_by(dump.len() / 5) {
            let mut damaged = dump.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            fs::write(folder.path("damaged.bin"), damaged).expect("written");
            let decode = format!(
                "decode --standard {standard} --encoder {standard}.toml damaged.bin --program words.elf -o back.pet"
            );
            let done = folder.run(&decode);
            let said = format!("{standard}, bit {bit}: {}", done.stderr);
            assert!(!done.stderr.contains("record "), "{said}");
        }
    }
}
