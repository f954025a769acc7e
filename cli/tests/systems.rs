//! Systems of several harts: generated, simulated as a whole, and decoded by source.

mod faults;

use crate::common::{Folder, is_long};

/// Two harts of one standard with different ports and options.
const PAIR: &str = r#"
ram_sink = 65536

[[hart]]
name = "big"
design = "ntrace-htm"
set = { alignment = 2, return_stack_entries = 8, time_bits = 20 }

[hart.ingress]
port = "rvfi"
lanes = 2

[[hart]]
name = "small"
design = "ntrace-btm"
set = { alignment = 2, time_bits = 20, source_id = 9 }

[hart.ingress]
port = "tip"
"#;

/// Four harts of the other standard.
const FOUR: &str = r#"
ram_sink = 131072

[[hart]]
name = "a"
design = "etrace-base"
set = { alignment = 2, privilege_bits = 2 }
ingress = { port = "tip" }

[[hart]]
name = "b"
design = "etrace-base"
set = { alignment = 2, when_full = "drop", record_queue_depth = 8, fifo_bits = 512 }
ingress = { port = "rvfi" }

[[hart]]
name = "c"
design = "etrace-base"
set = { alignment = 2, resync_max = 5 }

[[hart]]
name = "d"
design = "etrace-base"
set = { alignment = 2, source_id = 255 }
ingress = { port = "retired" }
"#;

/// What systems have in place of a ring of their own: one in the memory of the system, and their registers on another bus.
const IN_MEMORY: &str = r#"
bus = "axi-lite"
ram_sink = { mode = "smem", address_bits = 40, data_bits = 64 }
"#;

/// A system with its ring in the memory of the system.
fn in_memory(system: &str) -> String {
    with(IN_MEMORY, system)
}

/// A system with other lines in front of its harts.
fn with(lines: &str, system: &str) -> String {
    let harts = system.find("[[hart]]").expect("harts");
    format!("{lines}\n{}", &system[harts..])
}

#[test]
fn systems_are_simulated_as_a_whole() {
    let folder = Folder::new();
    folder.write("pair.toml", PAIR);
    folder.write("four.toml", FOUR);
    folder.write("pair-in-memory.toml", in_memory(PAIR));
    folder.write("four-in-memory.toml", in_memory(FOUR));
    for port in ["atb", "axi-stream", "pins"] {
        let sink = format!("bus = \"axi-lite\"\nsink = {{ port = \"{port}\" }}\n");
        folder.write(&format!("pair-{port}.toml"), with(&sink.replace("axi-lite", "apb"), PAIR));
        folder.write(&format!("four-{port}.toml"), with(&sink, FOUR));
    }
    for (system, seeds, harts) in [
        ("pair", "4,5", 2),
        ("four", "1-4", 4),
        ("four", "7", 4),
        ("pair-in-memory", "4,5", 2),
        ("four-in-memory", "1-4", 4),
        ("pair-atb", "4,5", 2),
        ("four-atb", "1-4", 4),
        ("pair-axi-stream", "4,5", 2),
        ("four-axi-stream", "1-4", 4),
        ("pair-pins", "4,5", 2),
    ] {
        for how in ["", "--bubbles 40 --flush-interval 500 --stall random"] {
            let line = format!("cosim {system}.toml --synthetic {seeds} --limit 2500 {how} --json");
            let rows = folder.json(&line);
            let rows = rows.as_array().expect("rows");
            assert_eq!(rows.len(), harts);
            for row in rows {
                assert!(row["failure"].is_null(), "{line}: {row:#}");
                assert_eq!(row["decoded_equal"], true, "{line}: {row:#}");
                assert!(row["instructions"].as_u64() > Some(2_000), "{line}: {row:#}");
            }
        }
    }
}

#[test]
fn random_systems_are_simulated() {
    let folder = Folder::new();
    let workloads = concat!(env!("CARGO_MANIFEST_DIR"), "/../workloads");
    let systems = if is_long() { 60 } else { 4 };
    let rows = folder.json(&format!(
        "regress --run random_system_ --systems {systems} --synthetic 0 --random 0 --units 0 --workloads {workloads} --json"
    ));
    assert_eq!(rows[0]["runs"], systems, "{rows:#}");
}

#[test]
fn the_documents_say_where_everything_is() {
    let folder = Folder::new();
    folder.write("pair.toml", PAIR);
    folder.succeed("generate pair.toml -o out");
    folder.succeed("generate pair.toml -o out --check");
    let header = folder.text("out/pair/driver/tracewright_system_registers.h");
    for line in [
        "#define TW_BIG_BASE 0x00000u",
        "#define TW_SMALL_BASE 0x10000u",
        "#define TW_SMALL_SOURCE 9u",
        "#define TW_FUNNEL_BASE 0x20000u",
        "#define TW_SINK_BASE 0x21000u",
        "#define TW_SMALL_trTeSrcID_RESET 0x9u",
        "#define TW_trRamData 0x21040u",
    ] {
        assert!(header.contains(line), "{header}");
    }
    for encoder in ["out/pair/encoder.toml", "out/pair/small/encoder.toml"] {
        assert!(folder.text(encoder).contains("trTeSrcBits = 6"), "{encoder}");
    }
    let tree = folder.text("out/pair/pair.dtsi");
    assert!(tree.contains("remote-endpoint = <&pair_small_encoder>;"), "{tree}");
    assert!(folder.text("out/pair/big/big.toml").contains("source_id = 0"));
}

/// The folder of a system is taken as its file is, and what is simulated is the Verilog in it.
#[test]
fn the_folder_of_a_system_is_the_system() {
    let folder = Folder::new();
    let atb = with("bus = \"axi-lite\"\nsink = { port = \"atb\" }\n", FOUR);
    for (name, text) in
        [("pair", PAIR), ("four", FOUR), ("memory", &in_memory(PAIR)), ("atb", &atb)]
    {
        folder.write(&format!("{name}.toml"), text);
        folder.succeed(&format!("generate {name}.toml -o out"));
        folder.succeed(&format!("generate out/{name} -o again"));
        folder.succeed(&format!("generate out/{name}/{name}.toml -o out --check"));
        for file in ["driver/tracewright_system_registers.h", &format!("{name}.v"), "manifest.json"]
        {
            let of = |place: &str| folder.text(&format!("{place}/{name}/{file}"));
            assert_eq!(of("out"), of("again"), "{name}/{file}");
        }
    }
    let line = "cosim out/pair --synthetic 4,5 --limit 1000 --json";
    let row = folder.json(line);
    assert!(row[0]["failure"].is_null() && row[0]["verilog"] == "out/pair", "{row:#}");
    let text = folder.text("out/pair/pair.v");
    let broken = text.replacen("(trRamEnable),\n        .clear", "(1'b0),\n        .clear", 1);
    assert_ne!(broken, text, "the folder is changed");
    folder.write("out/pair/pair.v", broken);
    assert_ne!(folder.run(line).status, 0);
}

#[test]
fn gates_are_those_of_each_unit_and_of_the_whole() {
    let folder = Folder::new();
    let hart = |name: &str| format!("[[hart]]\nname = \"{name}\"\ndesign = \"ntrace-btm\"\n");
    let ingress = "ingress = { port = \"retired\" }\n";
    folder.write("pair.toml", format!("bus = \"axi-lite\"\n{}{ingress}{}", hart("a"), hart("b")));
    let rows = folder.json("gates pair.toml --json");
    let total = |row: usize| rows[row]["total_ge"].as_f64().expect("a number");
    assert_eq!(rows.as_array().map(Vec::len), Some(3));
    assert_eq!(rows[0]["around"], serde_json::json!(["retired", "registers"]));
    assert!(rows[2]["design"] == "pair" && rows[2]["estimated_gates"].is_null());
    assert!(total(2) > total(0) + total(1) + 500.0, "{rows:#}");
}

#[test]
fn sinks_that_are_none_are_refused() {
    let folder = Folder::new();
    let harts = &PAIR[PAIR.find("[[hart]]").expect("harts")..];
    for (line, says) in [
        ("bus = \"ahb\"", "unknown variant `ahb`"),
        (
            "ram_sink = \"4096\"",
            "expected bytes of the ring, or a table as in the file of a design",
        ),
        ("ram_sink = 100", "must be a power of two"),
        ("ram_sink = { mode = \"smem\", bytes = 64 }", "expected no bytes with mode = \"smem\""),
        ("ram_sink = { mode = \"smem\", data_bits = 48 }", "`data_bits` = 48 does not fit"),
        (
            "ram_sink = 4096\nsink = { port = \"atb\" }",
            "pair.toml: ram_sink and [sink]: expected one of them",
        ),
        (
            "sink = { port = [\"atb\", \"pins\"] }",
            "pair.toml: [sink]: port: expected one sink, which all harts share",
        ),
        ("sink = { port = \"usb\" }", "expected port to be axi-stream, atb or pins"),
    ] {
        folder.write("pair.toml", format!("{line}\n{harts}"));
        let done = folder.run("generate pair.toml -o out");
        assert!(done.status == 2 && done.stderr.contains(says), "{line}: {}", done.stderr);
    }
}

#[test]
fn harts_that_do_not_fit_are_refused() {
    let folder = Folder::new();
    let hart = |name: &str, design: &str, set: &str| {
        format!("[[hart]]\nname = \"{name}\"\ndesign = \"{design}\"\nset = {{ {set} }}\n")
    };
    let plain = hart("a", "ntrace-htm", "");
    let cases = [
        (plain.clone() + &hart("b", "traptor-m4", ""), "hart b: pair-b names no source"),
        (
            plain.clone() + &hart("b", "etrace-base", ""),
            "the format of its trace is another one than of hart a",
        ),
        (
            plain.clone() + &hart("b", "ntrace-htm", "source_id = 0"),
            "another hart has its source_id",
        ),
        (plain.clone() + &hart("a", "ntrace-htm", ""), "another hart has its name"),
        (plain.clone() + &hart("funnel", "ntrace-htm", ""), "its name begins the names of pins"),
        (
            plain.clone() + &hart("a_b", "ntrace-htm", ""),
            "hart a: its name begins the names of pins",
        ),
        (
            plain.clone() + &hart("b", "ntrace-htm", "trace_port_width = 16"),
            "the funnel takes bytes: expected 8",
        ),
        (
            plain.clone() + &hart("b", "ntrace-htm", "reset = \"asynchronous\""),
            "its reset is another one",
        ),
        (plain.clone() + &hart("b", "no-such-design", ""), "no-such-design"),
        (plain.clone() + "[[hart]]\nnam = \"b\"\n", "unknown field `nam`"),
    ];
    for (text, says) in &cases {
        folder.write("pair.toml", text);
        let done = folder.run("generate pair.toml -o out");
        assert!(done.status == 2 && done.stderr.contains(says), "{says}: {}", done.stderr);
    }
    folder.write("pair.toml", plain);
    let done = folder.run("generate pair.toml -o out");
    let says = "expected 2 to 16 tables [[hart]], found 1";
    assert!(done.status == 2 && done.stderr.contains(says), "{}", done.stderr);
    folder.write("pair.toml", format!("name = \"module\"\n{PAIR}"));
    let done = folder.run("generate pair.toml -o out");
    let reasons = done.stderr.matches("is not a legal name").count();
    assert_eq!((done.status, reasons), (2, 1), "{}", done.stderr);
    assert!(done.stderr.contains("pair.toml: `name`: "), "{}", done.stderr);
}

/// A name that comes from the file's own name is said to do so.
#[test]
fn a_file_whose_name_cannot_be_a_module_is_refused_by_its_name() {
    let folder = Folder::new();
    for file in ["my pair.toml", "2 cores.toml", "wire.toml"] {
        folder.write(file, PAIR);
        let path = folder.path(file);
        let path = path.to_str().expect("a path");
        for command in [vec!["generate", path], vec!["gates", path]] {
            let done = folder.run_words(&command);
            let says = "the file's own name, as it has no `name`: ";
            assert!(done.status == 2 && done.stderr.contains(says), "{file}: {}", done.stderr);
        }
        folder.write(file, format!("name = \"pair\"\n{PAIR}"));
        let done = folder.run_words(&["generate", path, "-o", "out", "--force"]);
        assert!(done.status == 0, "{file}: {}", done.stderr);
    }
}

/// Tools warn of a net that hides its module.
#[test]
fn a_system_cannot_have_the_name_of_one_of_its_nets() {
    let folder = Folder::new();
    for name in ["clock", "paddr", "big_stall", "unit_select"] {
        folder.write("pair.toml", format!("name = \"{name}\"\n{PAIR}"));
        let done = folder.run("generate pair.toml -o out");
        let says = "a net cannot have the name of the module";
        let is_refused = done.status == 2 && done.stderr.contains("pair.toml: ");
        assert!(is_refused && done.stderr.contains(says), "{name}: {}", done.stderr);
    }
}

#[test]
fn options_that_are_for_designs_are_refused() {
    let folder = Folder::new();
    folder.write("pair.toml", PAIR);
    for (arguments, says) in [
        ("generate pair.toml --control apb", "is the file of a system"),
        ("cosim pair.toml --synthetic 1-3", "expected a trace for each of its 2 harts"),
        (
            "cosim pair.toml --synthetic 1 --set fifo_bits=80",
            "--set: a system is simulated without",
        ),
        ("gates pair.toml --set fifo_bits=80", "is the file of a system"),
        ("fpga pair.toml --control apb", "is the file of a system"),
        (
            "designs pair.toml",
            "is that of a system, which `generate`, `cosim`, `gates` and `fpga` take",
        ),
    ] {
        let done = folder.run(arguments);
        assert!(done.status == 2 && done.stderr.contains(says), "{arguments}: {}", done.stderr);
    }
}
