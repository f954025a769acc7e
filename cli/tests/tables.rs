//! The tables of every command at three widths: none is wider, no number is broken, and what they look like is pinned.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::common::{Folder, is_long, workload};

const WIDTHS: [&str; 3] = ["80", "100", "140"];

/// A folder with two short traces in a folder of their own, a program with its trace, and a search.
fn folder() -> Folder {
    let folder = Folder::new();
    fs::create_dir(folder.path("traces")).expect("a folder");
    folder.take_head("arm-stringsearch", 20_000, "traces/arm-stringsearch.pet.zst");
    folder.take_head("rv64-djpeg", 20_000, "traces/rv64-djpeg.pet.zst");
    folder.take_head("rv32imac-traps", 20_000, "traps.pet.zst");
    folder.take_head("rv32imac-traps", 15_000, "earlier.pet.zst");
    folder.write(
        "space.toml",
        "preset = \"traptor-m4\"\n[space]\ngshare_entries = [64, 512]\npc_shift = [2, 4]\n",
    );
    for name in ["traps.elf", "crc.wset"] {
        let from = workload(name).replace(&format!("{name}.pet.zst"), &format!("rv32imac-{name}"));
        fs::copy(from, folder.path(name)).expect("copied");
    }
    folder.succeed(
        "encode etrace-base earlier.pet.zst -o dump.bin --standard etrace --encoder encoder.toml",
    );
    let dump = folder.read("dump.bin");
    folder.write("dump.bin", &dump[..200]);
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testbench/live/programs");
    fs::copy(programs.join("minimal-interrupts.elf"), folder.path("interrupts.elf"))
        .expect("copied");
    folder
}

/// What a command prints at each width.
fn shown(folder: &Folder, arguments: &str) -> String {
    let all = at_widths(folder, arguments, &WIDTHS);
    let piped = folder.run(arguments).stdout;
    assert!(all.contains(&piped), "{arguments}: piped, it is not as at 100 columns: {piped}");
    all
}

fn at_widths(folder: &Folder, arguments: &str, widths: &[&str]) -> String {
    let words: Vec<&str> = arguments.split_whitespace().collect();
    let mut all = String::new();
    for width in widths {
        let most: usize = width.parse().expect("a number");
        let done = folder.run_with(&[("COLUMNS", width)], &words);
        assert_eq!(done.status, 0, "{arguments}: {}", done.stderr);
        for line in done.stdout.lines() {
            let is_one_word = !line.trim().contains(' ');
            assert!(line.chars().count() <= most || is_one_word, "{arguments}, {width}: {line}");
        }
        let _ = write!(all, "{width} columns: tracewright {arguments}\n\n{}\n", done.stdout);
    }
    all
}

/// The same with each digit as 0, where the figures are those of synthesis or change with the hardware.
fn layout(folder: &Folder, arguments: &str) -> String {
    without_digits(&shown(folder, arguments))
}

fn without_digits(text: &str) -> String {
    text.replace(|digit: char| digit.is_ascii_digit(), "0")
}

#[test]
fn of_models() {
    let folder = folder();
    let traces = "traces/arm-stringsearch.pet.zst traces/rv64-djpeg.pet.zst";
    for (name, arguments) in [
        ("designs", "designs".to_owned()),
        ("design", "designs talon-s".to_owned()),
        ("measure", format!("measure --design traptor-m4,talon-s {traces}")),
        ("measure_fields", format!("measure --design talon-s --fields {traces}")),
        (
            "measure_figure",
            format!("measure --design traptor*,nexs {traces} --figure bits-per-instruction"),
        ),
        ("compare", format!("compare {traces}")),
        ("reproduce", format!("reproduce --paper a --table 1 {traces}")),
        ("reproduce_all", format!("reproduce {traces} -o page.html")),
        ("explore", format!("explore space.toml {traces} -o results")),
        ("fit_talon", format!("fit-talon {traces} -o fitted.toml")),
        ("trace_info", format!("trace info {traces}")),
        (
            "trace_info_standard",
            "trace info --standard etrace --encoder encoder.toml dump.bin --payloads".to_owned(),
        ),
        ("wset_info", "wset info crc.wset".to_owned()),
        ("view", "view traps.pet.zst --program traps.elf".to_owned()),
        (
            "view_questions",
            "view traps.pet.zst --program traps.elf --first trap --when traps.c:101 --between trap board_random \
             --path-to 20000 --diff earlier.pet.zst --top 4"
                .to_owned(),
        ),
        ("generate", "generate traptor-m4 --control apb --set framing=packets -o v".to_owned()),
        ("encode", "encode traptor-m4 traces/arm-stringsearch.pet.zst -o run.bits".to_owned()),
        (
            "decode",
            "decode run.bits --program traces/arm-stringsearch.pet.zst -o back.pet.zst".to_owned(),
        ),
        ("trace_convert", "trace convert back.pet.zst -o short.pet.zst --limit 100".to_owned()),
        ("trace_verify", "trace verify back.pet.zst".to_owned()),
    ] {
        let mut text = shown(&folder, &arguments);
        if name == "explore" {
            // The second time, everything is known from before.
            text = shown(&folder, &arguments);
        }
        insta::assert_snapshot!(name, text);
    }
}

#[test]
fn of_hardware() {
    let folder = folder();
    for name in ["arm-stringsearch", "arm-fft-head"] {
        folder.take_head(name, 20_000, &format!("{name}.pet.zst"));
    }
    let trace = "traces/arm-stringsearch.pet.zst";
    // For a RISC-V program the designs are synthesized again.
    let (advise, traces) = match is_long() {
        true => {
            ("advise_for_two_machines", "traces/arm-stringsearch.pet.zst traces/rv64-djpeg.pet.zst")
        }
        false => ("advise", "arm-stringsearch.pet.zst arm-fft-head.pet.zst"),
    };
    let (fpga, routed) = match is_long() {
        true => ("fpga", "traptor-s1 --family ecp5"),
        false => ("fpga_small", "nexs --family ice40"),
    };
    for (name, arguments) in [
        ("cosim", format!("cosim traptor-m4,talon-s {trace} --limit 2000")),
        (advise, format!("advise --design nexs,traptor-s0,traptor-s1 {traces}")),
        ("advise_one", format!("advise --design nexs,traptor-s0,traptor-s1 {trace}")),
        ("gates", "gates traptor-s0".to_owned()),
        ("gates_of_several", "gates traptor-s0 traptor-s1 nexs".to_owned()),
        (fpga, format!("fpga {routed}")),
        ("live", "live traptor-m4 interrupts.elf --core minimal --limit 20k".to_owned()),
        ("report", format!("report traptor-s0 traptor-s1 nexs {trace}")),
    ] {
        insta::assert_snapshot!(name, layout(&folder, &arguments));
    }
    // Paths of memories that are wider than what shows them are broken.
    for (design, columns) in [("traptor-s0", 50), ("talon-s", 80)] {
        if design == "talon-s" && !is_long() {
            continue;
        }
        let columns_text = columns.to_string();
        let gates = folder.run_with(&[("COLUMNS", &columns_text)], &["gates", design]).stdout;
        assert!(gates.lines().all(|line| line.chars().count() <= columns), "{gates}");
        let is_end = |line: &str| line.starts_with("   ") && line.trim().ends_with("cells");
        assert!(gates.lines().any(is_end), "{gates}");
    }
    regression(&folder);
}

/// At the narrowest of the widths, which is the one that can go wrong: a few designs, and all of them.
fn regression(folder: &Folder) {
    let regress = "regress --quick --workloads traces --synthetic 1 --random 1";
    if is_long() {
        let all = without_digits(&at_widths(folder, regress, &WIDTHS[..1]));
        insta::assert_snapshot!("regress", all);
    }
    let words: Vec<&str> = regress.split(' ').chain(["--run", "traptor-m4"]).collect();
    let done = folder.run_with(&[("COLUMNS", WIDTHS[0])], &words);
    assert_eq!(done.status, 0, "{}", done.stderr);
    let most = WIDTHS[0].parse().expect("a number");
    assert!(done.stdout.lines().all(|line| line.chars().count() <= most), "{}", done.stdout);
    insta::assert_snapshot!("regress_run", without_digits(&done.stdout));
}
