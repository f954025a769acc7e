//! Folders that `generate` wrote, as designs: what decodes is what was built.

use std::fs;

use crate::common::trace_port::trace_port;
use crate::common::{Folder, workload};
use crate::explore::{SMALL, folder_with, named};

/// A unit with all that can stand around a design.
const WHOLE: &str = "generate traptor-s1 --set framing=packets --set enable_pin=true --set trace_port_width=8 \
     --set alignment=1 --ingress rvfi --xlen 64 --nret 2 --ingress-queue 32 --control axi-lite --ram-sink 1024 \
     --triggers-in 2 --triggers-out 1";

/// The folder, its manifest and its design file.
fn names(folder: &str, name: &str) -> [String; 4] {
    [
        folder.into(),
        format!("{folder}/"),
        format!("{folder}/manifest.json"),
        format!("{folder}/{name}.toml"),
    ]
}

/// Whichever of its names it is given by, a unit gives the files that it was.
#[test]
fn a_unit_is_generated_again_from_its_folder() {
    let folder = Folder::new();
    for (options, name) in [
        (WHOLE, "traptor-s1"),
        (
            "generate talon-m --ingress tip --blocks-per-cycle 2 --retirement block --sink pins",
            "talon-m",
        ),
        ("generate traptor-m4 --blocks-per-cycle 2 --sink atb,axi-stream --set name=mine", "mine"),
        ("generate mctraptor-small-n2-timed", "mctraptor-small-n2-timed"),
        ("generate stride-32", "stride-32"),
    ] {
        folder.succeed(&format!("{options} -o one"));
        for design in names(&format!("one/{name}"), name) {
            folder.succeed(&format!("generate {design} --check -o one"));
        }
    }
    // Options prevail over the file.
    for name in ["traptor-s1", "talon-m"] {
        folder.succeed(&format!("generate one/{name} --control none --ingress blocks -o two"));
        assert!(!folder.text(&format!("two/{name}/{name}.toml")).contains("[ingress]"));
    }
    let toml = folder.text("one/traptor-s1/traptor-s1.toml");
    for line in ["alignment = 1", "lanes = 2", "queue = 32", "xlen = 64", "bus = \"axi-lite\""] {
        assert!(toml.lines().any(|found| found == line), "{line}: {toml}");
    }
    folder.succeed("generate one/traptor-s1 --ram-sink 2048 -o two");
    let changed = folder.text("two/traptor-s1/traptor-s1.toml");
    assert_eq!(changed, toml.replace("bytes = 1024", "bytes = 2048"));
}

/// What is measured, encoded and decoded with a folder is what its parameters make.
#[test]
fn commands_take_a_folder_as_a_design() {
    let folder = Folder::with_run();
    folder.succeed("generate traptor-s1 --set pc_shift=3 --ingress rvfi -o build");
    let explicit = "--set pc_shift=3";
    let bits = |design: &str| {
        let measured = folder.json(&format!("measure --design {design} run.pet.zst --json"));
        measured[0]["bits"].as_u64().expect("bits")
    };
    let expected = bits(&format!("traptor-s1 {explicit}"));
    for design in names("build/traptor-s1", "traptor-s1") {
        assert_eq!(bits(&design), expected, "{design}");
        let shown = folder.json(&format!("designs {design} --json"));
        assert_eq!(shown[0]["parameters"]["pc_shift"], 3);
        let compared =
            folder.json(&format!("compare --design {design} --only traptor-s1 run.pet.zst --json"));
        assert_eq!(compared[0]["bits"], expected);
        folder.succeed(&format!("encode {design} run.pet.zst -o run.bits"));
        folder.succeed(&format!(
            "decode run.bits --design {design} --program run.pet.zst -o back.pet"
        ));
    }
    for (design, says) in [
        ("run.pet.zst", "no design is called `run.pet.zst`"),
        ("build", "build has no manifest.json: expected the folder of a design"),
        ("build/traptor-s1/none.json", "cannot read build/traptor-s1/none.json"),
        ("odd.json", "odd.json: expected the manifest of a design"),
        ("odd.toml", "odd.toml, line 4: [ingress] port: unknown variant `usb`"),
        ("more.toml", "more.toml, line 3: [control]: unknown field `buses`"),
        ("near.toml", "near.toml, line 2: no section is called [ingres]; the nearest is [ingress]"),
        (
            "bytes.toml",
            "bytes.toml, line 4: [ram_sink] bytes: invalid type: string \"1Ki\", expected a whole number without quotes",
        ),
        (
            "reader.toml",
            "reader.toml, [reader] port: expected [control] bus apb and [ram_sink] bytes",
        ),
        ("memory.toml", "memory.toml, [ram_sink] bytes: expected [control] bus"),
    ] {
        folder.write("near.toml", "preset = \"traptor-s1\"\n[ingres]\nport = \"rvfi\"\n");
        let preset = "preset = \"traptor-s1\"\n";
        let control = "[control]\nbus = \"apb\"\n";
        folder.write(
            "bytes.toml",
            format!("preset = \"traptor-s1\"\n\n[ram_sink]\nbytes = \"1Ki\"\n{control}"),
        );
        folder.write("reader.toml", format!("{preset}[reader]\nport = \"uart\"\n"));
        folder.write("memory.toml", format!("{preset}[ram_sink]\nbytes = 1024\n"));
        folder.write("odd.json", "{\"design\": 7}");
        folder.write("odd.toml", "preset = \"traptor-s1\"\n\n[ingress]\nport = \"usb\"\n");
        folder.write("more.toml", "preset = \"traptor-s1\"\n[control]\nbuses = 2\n");
        let done = folder.run(&format!("measure --design {design} run.pet.zst"));
        assert_eq!(done.status, 2, "{design}: {}", done.stderr);
        assert!(done.stderr.contains(says), "{design}: {}", done.stderr);
    }
}

/// The alignment of hardware is its own, whatever the program's is.
#[test]
fn bits_of_hardware_are_decoded_with_its_own_parameters() {
    let folder = Folder::with_run();
    folder.write("mine.toml", "preset = \"etrace-base\"\n");
    folder.succeed("generate etrace-base -o build");
    folder.succeed("generate etrace-base --set framing=packets -o packets");
    // The program's instructions have four bytes; the hardware is for those of two.
    for (settings, designs) in [
        (&["alignment=1"][..], ["etrace-base", "mine.toml", "build/etrace-base"]),
        (
            &["alignment=1", "framing=packets"],
            [
                "etrace-base --set framing=packets",
                "mine.toml --set framing=packets",
                "packets/etrace-base",
            ],
        ),
    ] {
        let (bytes, events) = trace_port(&folder.path("run.pet.zst"), "etrace-base", settings);
        folder.write("pins.bin", bytes);
        for design in designs {
            let done = folder.json(&format!(
                "decode --raw --design {design} pins.bin --program run.pet.zst -o back.pet.zst --json"
            ));
            assert_eq!(done["events"], events.len(), "{design}");
            assert!(folder.read("back.pet.zst") == folder.read("run.pet.zst"), "{design}");
        }
    }
    // Hardware for instructions of four bytes cannot have traced a program with shorter ones.
    std::fs::copy(workload("rv32imac-traps"), folder.path("short.pet.zst")).expect("a copy");
    let done =
        folder.run("decode --raw --design traptor-m4 pins.bin --program short.pet.zst -o x.pet");
    assert_eq!(done.status, 2, "{}", done.stderr);
    assert!(done.stderr.contains("--set alignment=1"), "{}", done.stderr);
}

/// The number that software reads of the hardware refuses other parameters, and says which one differs.
#[test]
fn a_fingerprint_refuses_another_design() {
    let folder = Folder::with_run();
    let unit =
        "--set framing=packets --set enable_pin=true --set trace_port_width=8 --set time_bits=32";
    folder.succeed(&format!("generate traptor-s1 {unit} --control apb -o build"));
    let manifest: serde_json::Value =
        serde_json::from_str(&folder.text("build/traptor-s1/manifest.json")).expect("JSON");
    let fingerprint = manifest["fingerprint"].as_str().expect("a fingerprint");
    let shown = folder.succeed("designs build/traptor-s1");
    assert!(shown.contains(&format!("fingerprint {fingerprint}")), "{shown}");
    assert!(folder.text("build/traptor-s1/traptor-s1.toml").contains(fingerprint));
    let digits = &fingerprint[2..];
    let number = u32::from_str_radix(digits, 16).expect("hexadecimal");
    let verilog = folder.text("build/traptor-s1/traptor_s1_control.v");
    assert!(verilog.contains(&format!("32'h{digits};")), "no {digits}");
    assert!(folder.text("build/traptor-s1/traptor-s1.rdl").contains("twFingerprint"));
    let of = |design: &str, more: &str| {
        folder.succeed(&format!("encode {design} run.pet.zst -o run.bits"));
        folder.run(&format!("decode run.bits --program run.pet.zst -o back.pet {more}"))
    };
    let given = format!("--fingerprint {fingerprint}");
    // What changes neither bits nor registers does not count.
    for more in ["", " --set fifo_bits=200 --set reset=asynchronous --set name=other"] {
        assert_eq!(of(&format!("build/traptor-s1{more}"), &given).status, 0);
    }
    assert_eq!(of("build/traptor-s1", &format!("--fingerprint {number}")).status, 0);
    for (change, says) in [
        ("alignment=1", "the hardware has alignment = 2"),
        ("trace_port_width=4", "the hardware has trace_port_width = 8"),
        ("pc_shift=2", "the hardware has pc_shift ="),
        ("time_bits=16", "the hardware has time_bits = 32"),
        ("when_full=drop", "the hardware has when_full = stall"),
        ("address_width=64 --set pc_shift=2", "several parameters differ"),
    ] {
        let done = of(&format!("build/traptor-s1 --set {change}"), &given);
        assert_eq!(done.status, 1, "{change}");
        assert!(done.stderr.contains(says), "{change}: {}", done.stderr);
    }
    let done = of("traptor-s1", "--fingerprint word");
    assert!(done.status == 2 && done.stderr.contains("such as 0x1234abcd"), "{}", done.stderr);
}

/// The sentence names the option that was given, and a value that fits.
#[test]
fn a_short_queue_is_said_by_its_option() {
    let folder = Folder::new();
    let refused = |options: &str| {
        let done = folder.run(&format!("generate traptor-s1 --set alignment=1 {options} -o build"));
        assert_eq!(done.status, 2, "{options}: {}", done.stderr);
        done.stderr
    };
    let three = refused("--ingress rvfi --nret 3 --ingress-queue 6");
    assert!(
        three.contains("--ingress-queue 6: expected at least 27, or --ingress-slack of at most 3"),
        "{three}"
    );
    let one = refused("--ingress tip --ingress-queue 4");
    assert!(
        one.contains("--ingress-queue 4: expected at least 9, or --ingress-slack of at most 3"),
        "{one}"
    );
    folder
        .succeed("generate traptor-s1 --ingress tip --ingress-queue 4 --ingress-slack 3 -o build");
    assert!(refused("--ingress rvfi --ingress-slack 12").contains("--ingress-slack 12: "));
}

/// Bits of which nothing decodes may be of another design, which is said as such.
#[test]
fn a_wrong_design_is_said_as_such() {
    const SETTINGS: &str = "--set framing=packets --set sync_interval=1024 --set checksum_bits=16";
    let folder = Folder::with_run();
    let settings = ["framing=packets", "sync_interval=1024", "checksum_bits=16"];
    let (bytes, _) = trace_port(&folder.path("run.pet.zst"), "traptor-m4", &settings);
    folder.write("pins.bin", bytes);
    let right =
        format!("decode --raw --design traptor-m4 {SETTINGS} pins.bin --program run.pet.zst");
    folder.succeed(&format!("{right} -o back.pet.zst"));
    for (other, decodes) in [
        ("traptor-m4 --set checksum_bits=8", false),
        ("talon-s --set checksum_bits=16 --set time_bits=32", false),
        ("traptor-m4 --set checksum_bits=16 --set context_bits=8", true),
    ] {
        let packets = "--set framing=packets --set sync_interval=1024";
        let done = folder.run(&format!(
            "decode --raw --design {other} {packets} pins.bin --program run.pet.zst -o other.pet.zst"
        ));
        assert_eq!(done.status, 3, "{other}: {}", done.stderr);
        let name = other.split(' ').next().unwrap();
        let said = match decodes {
            true => format!("; perhaps {name} is not the design that was generated (--fingerprint"),
            false => format!("error: pins.bin: no packet decodes with {name} and this program; "),
        };
        assert!(done.stderr.contains(&said), "{other}: {}", done.stderr);
    }
}

/// The file of a design is a preset: what is emitted, merged and compared is that design with changes.
#[test]
fn the_file_of_a_design_is_a_preset() {
    let folder = folder_with(SMALL, 3_000);
    fs::create_dir(folder.path("sub")).expect("a folder");
    folder.write("sub/mine.toml", "preset = \"traptor-m4\"\npc_shift = 3\naddress_width = 39\n");
    folder.write("sub/space.toml", "preset = \"mine.toml\"\n[space]\ngshare_entries = [64, 128]\n");
    let explore = "explore sub/space.toml riscv.pet.zst --json --emit designs -o";
    let found = folder.json(&format!("{explore} results"));
    let of_mine = folder.json("measure --design sub/mine.toml riscv.pet.zst --json");
    assert_eq!(named(&found, "mine")["by_trace"][0]["bits"], of_mine[0]["bits"]);
    assert_eq!(named(&found, "mine")["base"]["parameters"]["address_width"], 39);
    // The front is written as files of the design with the changes, and each measures as it was found.
    let mut files = 0;
    for file in fs::read_dir(folder.path("designs")).expect("the front") {
        let name = file.expect("a file").file_name().to_string_lossy().into_owned();
        let text = folder.text(&format!("designs/{name}"));
        assert!(text.contains("\nscheme = \"traptor\"\n"), "{text}");
        assert!(
            text.contains("\naddress_width = 39\n") && text.contains("pc_shift = 3\n"),
            "{text}"
        );
        let measured =
            folder.json(&format!("measure --design designs/{name} riscv.pet.zst --json"));
        let row = named(&found, name.trim_end_matches(".toml"));
        assert_eq!(row["by_trace"][0]["bits"], measured[0]["bits"], "{name}");
        files += 1;
    }
    assert!(files > 0);
    for part in ["1/2", "2/2"] {
        folder.succeed(&format!(
            "explore sub/space.toml riscv.pet.zst -o part{} --shard {part}",
            &part[..1]
        ));
    }
    let merged = folder.json("merge part1 part2 -o merged --json");
    assert_eq!(merged["configurations"], found["configurations"]);
    for (preset, says) in [
        ("\"none.toml\"", "sub/space.toml, line 1: cannot read sub/none.toml"),
        (
            "\"odd.toml\"",
            "sub/odd.toml, line 1: no design is called `talonm`, did you mean `talon-m`?",
        ),
        ("[\"mine.toml\", \"mine.toml\"]", "two presets are called mine, expected one"),
    ] {
        folder.write("sub/odd.toml", "preset = \"talonm\"\n");
        folder.write(
            "sub/space.toml",
            format!("preset = {preset}\n[space]\ngshare_entries = [64]\n"),
        );
        let refused = folder.run("explore sub/space.toml riscv.pet.zst -o other");
        assert_eq!(refused.status, 2, "{preset}: {}", refused.stderr);
        assert!(refused.stderr.contains(says), "{preset}: {}", refused.stderr);
    }
}

/// A few lines are a whole unit: what its sections need of the design is set for every command, unless it is stated.
#[test]
fn a_few_lines_are_a_unit() {
    let folder = Folder::with_run();
    let lines = "preset = \"traptor-m4\"\nname = \"unit\"\n";
    let sections =
        "[ingress]\nport = \"rvfi\"\n[control]\nbus = \"apb\"\n[ram_sink]\nbytes = 4096\n";
    folder.write("unit.toml", format!("{lines}{sections}"));
    folder.succeed("generate unit.toml -o out");
    let toml = folder.text("out/unit/unit.toml");
    for line in ["framing = \"packets\"", "enable_pin = true", "sync_bytes = 1024"] {
        assert!(toml.lines().any(|found| found == line), "{line}: {toml}");
    }
    // The options alone make the same unit, and every command reads the same design.
    folder.succeed(
        "generate traptor-m4 --set name=unit --ingress rvfi --control apb --ram-sink 4096 -o options",
    );
    assert_eq!(folder.text("options/unit/unit.toml"), toml);
    for command in [
        "measure run.pet.zst --json --design DESIGN",
        "designs DESIGN --json",
        "cosim DESIGN run.pet.zst --json",
    ] {
        let [few, whole] = ["unit.toml", "out/unit"].map(|design| {
            let mut rows = folder.json(&command.replace("DESIGN", design));
            // Times differ, and the files of a folder are simulated as they are.
            for key in ["cycles_per_second", "verilog"] {
                rows[0].as_object_mut().expect("a row").remove(key);
            }
            rows
        });
        assert_eq!(few, whole, "{command}");
    }

    for (stated, says) in [
        ("framing = \"none\"\n", "enable_pin"),
        ("enable_pin = false\n", "unit cannot be switched off and on by registers"),
    ] {
        folder.write("unit.toml", format!("{lines}{stated}{sections}"));
        for command in ["generate unit.toml -o bad", "encode unit.toml run.pet.zst -o bad"] {
            let done = folder.run(command);
            assert_eq!(done.status, 2, "{stated}{command}");
            assert!(done.stderr.contains(says), "{stated}{}", done.stderr);
            assert!(!folder.path("bad").exists());
        }
    }
    folder.write("unit.toml", format!("{lines}sync_bytes = 0\n{sections}"));
    let done = folder.run("generate unit.toml -o out");
    assert_eq!(done.status, 0);
    assert!(done.stderr.contains("expected sync_bytes=1024"), "{}", done.stderr);
    assert!(folder.text("out/unit/unit.toml").contains("\nsync_bytes = 0\n"));
}

/// Registers switch E-Trace without packets, also where the folder is read again.
#[test]
fn a_folder_is_the_design_of_its_file() {
    let folder = Folder::new();
    folder.succeed("generate etrace-base --control apb --ram-sink 4096 -o build");
    let fingerprint = |design: &str| {
        let page = folder.succeed(&format!("designs build/etrace-base{design}"));
        page.lines().next().expect("a line").to_owned()
    };
    let of_file = fingerprint("/etrace-base.toml");
    assert_eq!([fingerprint(""), fingerprint("/manifest.json")], [of_file.clone(), of_file]);
    folder.succeed("generate build/etrace-base -o build --check");
    // Registers allow what says privilege levels, which a bare design has only in packets.
    let states = "--set privilege_bits=2 --set cause_bits=7";
    folder.succeed(&format!("generate etrace-base --control apb {states} -o states"));
    assert!(folder.text("states/etrace-base/etrace-base.toml").contains("framing = \"none\""));
    assert_eq!(folder.run(&format!("generate etrace-base {states} -o bare")).status, 2);
    // What registers cannot switch without packets gets some, which is said unless somebody asked for them.
    let says = |arguments: &str| {
        let done = folder.run(&format!("generate {arguments} --control apb -o build"));
        assert_eq!(done.status, 0, "{}", done.stderr);
        done.stderr.contains("which no decoder of E-Trace reads")
    };
    assert!(says("etrace-full"));
    assert!(!says("etrace-full --set framing=packets") && !says("traptor-m4"));
}
