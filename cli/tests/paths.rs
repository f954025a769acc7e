//! No output replaces an input or another output, under any name.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use crate::common::Folder;
use crate::common::tree::{self, Value};

/// A command that reads every kind of file that it can, and the names of those files.
struct Case {
    command: &'static str,
    /// The words after the command, without its outputs.
    inputs: &'static str,
    /// Outputs that it has to have.
    outputs: &'static str,
    /// The files and folders among the words.
    read: &'static [&'static str],
}

const CASES: [Case; 27] = [
    case(
        "advise",
        "--design my.toml run.pet.zst --input words.txt --sysroot root",
        "",
        &["run.pet.zst", "my.toml", "words.txt"],
    ),
    case("generate", "my.toml", "-o out", &["my.toml"]),
    case(
        "capture",
        "--plugin plugin.so --sysroot root -- ./crc.elf",
        "-o out.pet.zst",
        &["plugin.so"],
    ),
    case(
        "encode",
        "my.toml run.pet.zst --standard etrace",
        "-o out.bits",
        &["run.pet.zst", "my.toml"],
    ),
    case(
        "decode",
        "--raw --design my.toml run.bin --images run.images --debug-files root --format pet",
        "-o out.pet.zst",
        &["run.bin", "my.toml", "run.images", "crc.elf", "lib.elf"],
    ),
    case("combine encode", "talon-m talon-d run.pet.zst", "-o out.bin", &["run.pet.zst"]),
    case(
        "combine decode",
        "talon-m talon-d run.bin --program run.pet.zst",
        "-o out.pet.zst",
        &["run.bin", "run.pet.zst"],
    ),
    case("measure", "--design my.toml run.pet.zst", "", &["run.pet.zst", "my.toml"]),
    case(
        "cosim",
        "my.toml run.pet.zst --images run.images --verilog root",
        "",
        &["run.pet.zst", "my.toml"],
    ),
    case("live", "my.toml crc.elf", "", &["crc.elf", "my.toml"]),
    case("explore", "space.toml run.pet.zst", "-o out", &["run.pet.zst", "space.toml"]),
    case(
        "fit-talon",
        "talon.toml run.pet.zst --validate crc.pet.zst",
        "-o out.toml",
        &["run.pet.zst", "crc.pet.zst", "talon.toml"],
    ),
    case("adversary", "my.toml bad.script", "-o out", &["my.toml", "bad.script"]),
    case("merge", "part1 part2", "-o out", &["part1", "part2"]),
    case("regress", "--quick --workloads root", "", &["root"]),
    case("report", "my.toml run.pet.zst --search root", "-o out.html", &["my.toml", "run.pet.zst"]),
    case("reproduce", "--paper a --table 1 run.pet.zst", "", &["run.pet.zst"]),
    case(
        "view",
        "crc.pet.zst --program crc.elf --image lib.elf@0x100000",
        "",
        &["crc.pet.zst", "crc.elf", "lib.elf"],
    ),
    case(
        "profile",
        "crc.pet.zst --program crc.elf --image lib.elf@0x100000 --format bolt",
        "-o out.preagg",
        &["crc.pet.zst", "crc.elf", "lib.elf"],
    ),
    case("trace dump", "run.pet.zst", "-o out.txt", &["run.pet.zst"]),
    case("trace script", "bad.script", "-o out.pet", &["bad.script"]),
    case("trace convert", "run.pet.zst", "-o out.pet", &["run.pet.zst"]),
    case(
        "trace import",
        "log.csv --program crc.elf --image lib.elf@0x100000",
        "-o out.pet",
        &["log.csv", "crc.elf", "lib.elf"],
    ),
    case(
        "port-check",
        "log.csv --program crc.elf --image lib.elf@0x100000",
        "-o out.toml",
        &["log.csv", "crc.elf", "lib.elf"],
    ),
    case("power", "nexs run.pet.zst --liberty words.txt", "", &["run.pet.zst", "words.txt"]),
    case("wset capture", "crc.elf --input words.txt", "-o out.wset", &["crc.elf", "words.txt"]),
    case("wset replay", "crc.wset", "-o out.pet.zst", &["crc.wset"]),
];

/// Commands with outputs that read no file.
const WITHOUT_INPUTS: [&str; 4] = ["funnel", "combine generate", "trace generate", "manual"];

const fn case(
    command: &'static str,
    inputs: &'static str,
    outputs: &'static str,
    read: &'static [&'static str],
) -> Case {
    Case { command, inputs, outputs, read }
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.take_head("arm-stringsearch", 200, "run.pet.zst");
    let workloads = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../workloads");
    fs::copy(workloads.join("rv32imac-crc.elf"), folder.path("crc.elf")).expect("copied");
    fs::copy(folder.path("crc.elf"), folder.path("lib.elf")).expect("copied");
    folder.succeed("wset capture crc.elf -o crc.wset --limit 3000");
    folder.succeed("wset replay crc.wset -o crc.pet.zst");
    folder.write("my.toml", "preset = \"traptor-s0\"\n");
    folder.write("talon.toml", "preset = \"talon-s\"\n");
    folder.write("space.toml", "preset = \"traptor-s0\"\n[space]\ngshare_entries = [64]\n");
    folder.write("log.csv", "pc,insn\n1000,0000006f\n1000,0000006f\n");
    folder.write("bad.script", "function 0x1000\nend\n");
    folder.write("run.images", "crc.elf\nlib.elf@0x100000\n");
    for name in ["run.bin", "plugin.so", "words.txt"] {
        folder.write(name, "some bytes");
    }
    for name in ["root", "part1", "part2", "sub"] {
        fs::create_dir(folder.path(name)).expect("a folder");
    }
    folder
}

/// Runs a command that has to be refused with one sentence that names both.
fn refused(folder: &Folder, command: &str, names: [&str; 2]) {
    let done = folder.run(command);
    assert_eq!(done.status, 2, "{command}: {}{}", done.stdout, done.stderr);
    assert_eq!(done.stderr.lines().count(), 1, "{command}: {}", done.stderr);
    assert!(done.stderr.contains(" is also the "), "{command}: {}", done.stderr);
    for name in names {
        assert!(done.stderr.contains(name), "{command}: {}", done.stderr);
    }
}

/// The words of an output's option, and the rest of the outputs.
fn options(case: &Case, option: &clap::Arg) -> (String, String) {
    let long = option.get_long().expect("outputs have long names");
    let is_short =
        option.get_short().is_some_and(|short| case.outputs.starts_with(&format!("-{short} ")));
    (format!("--{long}"), if is_short { String::new() } else { case.outputs.into() })
}

fn content(folder: &Folder, name: &str) -> Option<Vec<u8>> {
    fs::read(folder.path(name)).ok()
}

#[test]
fn no_output_is_an_input() {
    let folder = folder();
    for (command, arguments) in tree::commands() {
        let is_output = |kind| matches!(kind, Value::File | Value::Folder);
        let outputs: Vec<_> =
            arguments.iter().filter(|one| is_output(tree::value_of(one))).collect();
        let case = CASES.iter().find(|case| case.command == command);
        let is_known = case.is_some() || WITHOUT_INPUTS.contains(&&*command);
        assert!(is_known || outputs.is_empty(), "{command} has outputs and no case here");
        let Some(case) = case else { continue };
        let before = folder.names();
        for option in outputs {
            let (long, others) = options(case, option);
            for (place, input) in case.read.iter().enumerate() {
                let is_folder = folder.path(input).is_dir();
                let bytes = content(&folder, input);
                symlink(input, folder.path("soft")).expect("a link");
                let mut spellings = vec![(*input).to_owned()];
                if place == 0 {
                    spellings.extend([
                        format!("./{input}"),
                        format!("sub/../{input}"),
                        "soft".into(),
                    ]);
                }
                if place == 0 && !is_folder {
                    fs::hard_link(folder.path(input), folder.path("hard")).expect("a link");
                    spellings.push("hard".into());
                }
                for spelled in spellings {
                    // The program of `capture` and its arguments come last.
                    let line = format!("{command} {long} {spelled} {others} {}", case.inputs);
                    refused(&folder, &line, [&spelled, input]);
                    assert!(content(&folder, input) == bytes, "{line} changes {input}");
                }
                for link in ["soft", "hard"] {
                    let _ = fs::remove_file(folder.path(link));
                }
            }
            assert_eq!(folder.names(), before, "{command} {long}");
        }
    }
}

#[test]
fn no_output_is_another_output() {
    let folder = folder();
    for (command, arguments) in tree::commands() {
        let outputs: Vec<_> =
            arguments.iter().filter(|one| tree::value_of(one) == Value::File).collect();
        let Some(case) = CASES.iter().find(|case| case.command == command) else { continue };
        for (place, one) in outputs.iter().enumerate() {
            for other in &outputs[..place] {
                let ((one, _), (other, _)) = (options(case, one), options(case, other));
                let needed = match [&one, &other].iter().any(|long| **long == "--output") {
                    true => "",
                    false => case.outputs,
                };
                for names in [["new", "new"], ["new", "sub/../new"], ["-", "/dev/stdout"]] {
                    let [first, second] = names;
                    let line = format!(
                        "{command} {one} {first} {other} {second} {needed} {}",
                        case.inputs
                    );
                    refused(&folder, &line, names);
                }
            }
        }
    }
}

/// Files that no argument names: parts of a trace, a folder's files, what stands beside a list.
#[test]
fn no_derived_output_is_an_input() {
    let folder = folder();
    folder.succeed("encode traptor-s0 run.pet.zst -o run.bits --set framing=packets");
    fs::copy(folder.path("run.pet.zst"), folder.path("back.part-1.pet.zst")).expect("copied");
    refused(
        &folder,
        "decode run.bits --program back.part-1.pet.zst -o back.pet.zst",
        ["back.part-1.pet.zst", "back.part-1.pet.zst"],
    );
    fs::copy(folder.path("run.pet.zst"), folder.path("part1/all.csv")).expect("copied");
    refused(&folder, "explore space.toml part1/all.csv -o part1", ["part1/all.csv", "TRACE"]);
    folder.succeed("measure --design my.toml run.pet.zst --svg plots");
    let plot = fs::read_dir(folder.path("plots")).expect("plots").next().expect("a plot");
    let plot = format!("plots/{}", plot.expect("an entry").file_name().to_string_lossy());
    fs::copy(folder.path("run.pet.zst"), folder.path(&plot)).expect("copied");
    refused(&folder, &format!("measure --design my.toml {plot} --svg plots"), [&plot, "TRACE"]);
}

/// A trace may come in and go out without files.
#[test]
fn standard_input_and_output_are_no_file() {
    let folder = folder();
    let trace = folder.read("run.pet.zst");
    let done = folder.run_with_input("trace dump - -o - --limit 3", &trace);
    assert_eq!((done.status, &*done.stderr), (0, ""));
    let same = folder.succeed("trace dump run.pet.zst -o /dev/stdout --limit 3");
    assert_eq!(done.stdout, same);
    folder.succeed("view crc.pet.zst --program crc.elf --listing /dev/null --lcov /dev/null");
}

/// An argument that names a file has one of the types that the command knows the files by.
#[test]
fn every_path_is_declared() {
    // Those with more than a path in a value.
    let others = ["program", "image", "images"];
    let named = ["FILE", "DIR", "FOLDER", "TRACE", "ELF", "WSET", "ENCODED"];
    for (command, arguments) in tree::commands() {
        for argument in arguments {
            let id = argument.get_id().as_str();
            let is_file = argument
                .get_value_names()
                .is_some_and(|names| names.iter().any(|name| named.contains(&name.as_str())));
            let kind = tree::value_of(&argument);
            let is_path =
                argument.get_value_parser().type_id() == std::any::TypeId::of::<PathBuf>();
            assert!(
                !is_path && (!is_file || kind != Value::Other || others.contains(&id)),
                "{command}: {id} is a path without a purpose"
            );
        }
    }
}
