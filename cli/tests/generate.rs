//! Folders of generated Verilog: complete, compared, never half written.

use std::fs;

use crate::common::{Folder, is_long};
use serde_json::Value;

#[test]
fn a_folder_has_verilog_manifest_and_core() {
    let folder = Folder::new();
    let done = folder.json("generate traptor-m4 -o build --set trace_port_width=4 --json");
    assert_eq!(done[0]["top"], "traptor_m4");
    let manifest: Value =
        serde_json::from_str(&folder.text("build/traptor-m4/manifest.json")).expect("JSON");
    let keys: Vec<&String> = manifest.as_object().expect("an object").keys().collect();
    assert_eq!(
        keys,
        [
            "design",
            "scheme",
            "fingerprint",
            "top",
            "design_file",
            "files",
            "package",
            "parameters",
            "ports",
            "storage_bits",
            "generator",
            "digests"
        ]
    );
    assert_eq!(manifest["parameters"]["trace_port_width"], 4);
    let ports = manifest["ports"].as_array().expect("an array");
    let port = |name: &str| {
        ports.iter().find(|port| port["name"] == name).unwrap_or_else(|| panic!("no {name}"))
    };
    assert_eq!(
        (&port("trace_data")["direction"], &port("trace_data")["width"]),
        (&"output".into(), &4.into())
    );
    assert_eq!(port("clock")["direction"], "input");
    let core = folder.text("build/traptor-m4/traptor-m4.core");
    for file in manifest["files"].as_array().expect("an array") {
        let file = file.as_str().expect("a name");
        assert!(folder.text(&format!("build/traptor-m4/{file}")).contains("endmodule"), "{file}");
        assert!(core.contains(&format!("      - {file}\n")), "{file}");
    }
    assert!(core.starts_with("CAPI=2:\n") && core.contains("toplevel: traptor_m4_axis\n"));
}

#[test]
fn the_verilog_is_one_file_or_one_per_module() {
    let folder = Folder::new();
    let manifest = |folder: &Folder| -> Vec<String> {
        let text = folder.text("build/traptor-s1/manifest.json");
        let manifest: Value = serde_json::from_str(&text).expect("JSON");
        serde_json::from_value(manifest["files"].clone()).expect("names")
    };
    let modules = |text: &str| {
        let lines = text.lines().filter_map(|line| line.strip_prefix("module "));
        lines.map(|line| line.trim_end_matches(" (").to_owned()).collect::<Vec<_>>()
    };
    folder.succeed("generate traptor-s1 --ingress rvfi --set alignment=1 -o build");
    assert_eq!(manifest(&folder), ["traptor_s1.v", "traptor_s1_rvfi.v"]);
    let design = modules(&folder.text("build/traptor-s1/traptor_s1.v"));
    let adapter = modules(&folder.text("build/traptor-s1/traptor_s1_rvfi.v"));
    assert_eq!(design.last().map(String::as_str), Some("traptor_s1"));
    assert_eq!(adapter.last().map(String::as_str), Some("traptor_s1_rvfi"));
    let all = [design, adapter].concat();
    folder.succeed("generate traptor-s1 --ingress rvfi --set alignment=1 --split -o build");
    let files: Vec<String> = all.iter().map(|module| format!("{module}.v")).collect();
    assert_eq!(manifest(&folder), files);
    for module in all {
        let text = folder.text(&format!("build/traptor-s1/{module}.v"));
        assert_eq!(modules(&text), [module]);
        assert!(!text.contains("lint_off"), "{text}");
    }
}

/// The registers have files of their own, and the manifest has the ports of the whole.
#[test]
fn control_registers_are_added_on_request() {
    let folder = Folder::new();
    let packets = "--set framing=packets --set enable_pin=true --set trace_port_width=8";
    let done = folder.json(&format!(
        "generate traptor-s1 {packets} --control axi-lite --ram-sink 1024 -o build --json"
    ));
    assert_eq!(done[0]["top"], "traptor_s1_control");
    let text = |name: &str| folder.text(&format!("build/traptor-s1/{name}"));
    let manifest: Value = serde_json::from_str(&text("manifest.json")).expect("JSON");
    assert_eq!(manifest["files"], serde_json::json!(["traptor_s1.v", "traptor_s1_control.v"]));
    let ports: Vec<&Value> =
        manifest["ports"].as_array().expect("an array").iter().map(|port| &port["name"]).collect();
    assert!(ports.contains(&&"s_axi_awaddr".into()) && ports.contains(&&"retire_pc".into()));
    assert!(!ports.contains(&&"enable".into()) && !ports.contains(&&"trace_data".into()));
    assert!(text("traptor-s1.rdl").contains("} trRamWPLow @ 0x020;"));
    assert!(text("traptor-s1-registers.md").contains("### 0x1020 trRamWPLow"));
    assert!(text("traptor-s1-control.xml").contains("<ipxact:name>s_axi_awaddr</ipxact:name>"));
    assert!(text("traptor-s1-control.core").contains("toplevel: traptor_s1_control\n"));
    // E-Trace needs no packets.
    folder.succeed("generate etrace-base --control apb --ram-sink 4096 -o build");
    let page = folder.text("build/etrace-base/etrace-base-registers.md");
    assert!(page.contains("| 26:24 | `trTeFormat` | constant | 0x0 |"), "{page}");
    assert!(!folder.text("build/etrace-base/etrace-base.toml").contains("packets"));
    for (arguments, says) in [
        ("traptor-s1 --control apb --set enable_pin=false", "without its pin: set enable_pin=true"),
        ("traptor-s1 --ram-sink 64", "--ram-sink: expected --control apb or axi-lite"),
        ("traptor-s1 --triggers-in 1", "--triggers-in: expected --control apb or axi-lite"),
        ("traptor-s1 --triggers-out 1", "--triggers-out: expected --control apb or axi-lite"),
        ("--starting-points --control apb", "--starting-points"),
    ] {
        let done = folder.run(&format!("generate {arguments} -o refused"));
        assert_eq!(done.status, 2, "{arguments}");
        assert!(done.stderr.contains(says), "{}", done.stderr);
        assert!(!folder.path("refused").exists());
    }
}

/// Adapter, sink and registers are around each other, and the files beside the Verilog are about what is outermost.
#[test]
fn a_sink_is_between_adapter_and_registers() {
    let folder = Folder::new();
    let design = "traptor-s1 --set framing=packets --set enable_pin=true --set trace_port_width=8";
    let design = format!("{design} --set alignment=1 --ingress rvfi");
    let text = |name: &str| folder.text(&format!("build/traptor-s1/{name}"));
    let top = |folder: &Folder, options: &str| {
        let done = folder.json(&format!("generate {design} {options} -o build --json"));
        done[0]["top"].as_str().expect("a name").to_owned()
    };
    assert_eq!(top(&folder, ""), "traptor_s1_rvfi");
    assert!(text("traptor_s1_rvfi.sdc").contains("rvfi_pc_wdata[*]"));
    assert!(text("traptor-s1.core").contains("toplevel: traptor_s1_rvfi_axis\n"));
    assert!(text("traptor-s1.xml").contains("<ipxact:name>rvfi_pc_wdata</ipxact:name>"));
    // One sink is the outermost module; several are there to choose from.
    assert_eq!(top(&folder, "--sink atb"), "traptor_s1_rvfi_atb");
    assert!(text("traptor_s1_rvfi_atb.sdc").contains("create_clock -name atclk"));
    assert!(text("traptor-s1.core").contains("- traptor_s1_rvfi_atb.v\n"));
    assert_eq!(top(&folder, "--sink axi-stream"), "traptor_s1_rvfi_axis");
    assert_eq!(text("traptor-s1.core").matches("- traptor_s1_rvfi_axis.v\n").count(), 1);
    assert_eq!(top(&folder, "--sink atb,pins"), "traptor_s1_rvfi");
    assert!(text("traptor_s1_rvfi_pins.v").contains("traptor_s1_rvfi trace_module"));
    assert_eq!(top(&folder, "--sink pins --control apb"), "traptor_s1_rvfi_pins_control");
    let manifest: Value = serde_json::from_str(&text("manifest.json")).expect("JSON");
    let files = ["", "_rvfi", "_rvfi_pins", "_rvfi_pins_control"];
    let files = files.map(|part| format!("traptor_s1{part}.v"));
    assert_eq!(manifest["files"], serde_json::json!(files));
    assert!(text("traptor-s1-control.core").contains("- traptor_s1_rvfi_pins.v\n"));
    // A design may have a name that ends as that of the wrapper, and a sink may be said twice.
    folder.succeed(&format!("generate {design} --set name=my-axis --sink pins,pins -o build"));
    let core = folder.text("build/my-axis/my-axis.core");
    for file in ["my_axis.v", "my_axis_rvfi.v", "my_axis_rvfi_pins.v", "my_axis_rvfi_axis.v"] {
        assert_eq!(core.matches(&format!("- {file}\n")).count(), 1, "{file}: {core}");
    }
    for (options, says) in [
        ("--sink atb,pins --control apb", "--sink: expected one with --control"),
        ("--sink atb --control apb --ram-sink 64", "--sink: expected no --ram-sink"),
    ] {
        let done = folder.run(&format!("generate {design} {options} -o refused"));
        assert_eq!(done.status, 2, "{options}");
        assert!(done.stderr.contains(says), "{}", done.stderr);
        assert!(!folder.path("refused").exists());
    }
}

#[test]
fn lanes_have_pins_of_their_own() {
    let folder = Folder::new();
    let ports = |folder: &Folder| -> Vec<(String, u64)> {
        let text = folder.text("build/traptor-s1/manifest.json");
        let manifest: Value = serde_json::from_str(&text).expect("JSON");
        let ports = manifest["ports"].as_array().expect("an array").iter();
        let port = |port: &Value| {
            let name = port["name"].as_str().expect("a name");
            (name.to_owned(), port["width"].as_u64().expect("a width"))
        };
        ports.map(port).collect()
    };
    let has = |ports: &[(String, u64)], name: &str, width| {
        assert!(ports.contains(&(name.into(), width)), "{name}: {ports:?}");
    };
    folder.succeed("generate traptor-s1 --ingress rvfi --nret 2 --set alignment=1 -o build");
    let rvfi = ports(&folder);
    has(&rvfi, "rvfi_valid", 2);
    has(&rvfi, "rvfi_pc_wdata", 64);
    folder.succeed("generate traptor-s1 --ingress tip --blocks-per-cycle 3 -o build");
    let tip = ports(&folder);
    has(&tip, "tip_itype", 12);
    has(&tip, "tip_iaddr", 96);
    folder.succeed("generate traptor-s1 --blocks-per-cycle 4 -o build");
    let blocks = ports(&folder);
    has(&blocks, "retire_pc_lane3", 32);
    has(&blocks, "stall", 1);
    assert!(!blocks.iter().any(|(name, _)| name == "retire_pc" || name == "lost"), "{blocks:?}");
    folder.succeed("generate traptor-s1 -o one");
    folder.succeed("generate traptor-s1 --blocks-per-cycle 1 --check -o one");
}

#[test]
fn starting_points_have_a_page_of_their_own() {
    let folder = Folder::new();
    folder.succeed("generate --starting-points -o designs");
    folder.succeed("generate --starting-points --check -o designs");
    let page = folder.text("designs/README.md");
    assert!(page.contains("| [traptor-m4](traptor-m4/) |"), "{page}");
    // The whole unit is what its own file says.
    let unit = "traptor-m4-unit";
    folder.succeed(&format!("generate designs/{unit}/{unit}.toml -o designs --check"));
    for (whole, top) in [(unit, "traptor_m4_unit_rvfi_control"), ("ntrace_pair", "ntrace_pair")] {
        assert!(page.contains(&format!("| [{whole}]({whole}/) |")), "{page}");
        assert!(folder.text(&format!("designs/{whole}/manifest.json")).contains(top));
    }
    folder.write("designs/README.md", page.replace("traptor-m4", "traptor-m5"));
    folder.write("designs/traptor-b5", "");
    let done = folder.run("generate --starting-points --check -o designs");
    assert_eq!(done.status, 1);
    assert!(done.stdout.contains("+| [traptor-m4](traptor-m4/) |"), "{}", done.stdout);
    assert!(done.stdout.contains("\nextra: designs/traptor-b5\n"), "{}", done.stdout);
}

#[test]
fn every_preset_wants_a_folder() {
    let done = Folder::new().run("generate --all");
    assert_eq!(done.status, 2);
    assert!(done.stderr.contains("--output <DIR>"), "{}", done.stderr);
}

#[test]
fn the_same_design_gives_the_same_files() {
    let folder = Folder::new();
    // The next test writes all presets, and compares them.
    let presets = tracewright_sim::preset::all().step_by(if is_long() { 1 } else { 9 });
    let names: Vec<&str> = presets.map(|preset| preset.name).collect();
    let all = if is_long() { &["--all"][..] } else { &names };
    for (check, designs) in [("", all), ("", all), ("--check", all), ("--check", &names)] {
        for design in designs {
            folder.succeed(&format!("generate {design} {check} -o one"));
        }
    }
}

#[test]
fn check_says_what_differs() {
    let folder = Folder::new();
    folder.succeed("generate --all -o build");
    let path = "build/traptor-s1/manifest.json";
    folder.write(
        path,
        folder.text(path).replace("\"gshare_entries\": 256", "\"gshare_entries\": 128"),
    );
    fs::remove_file(folder.path("build/traptor-m4/traptor_m4.v")).expect("the top");
    folder.write("build/traptor-b4/notes.txt", "mine");
    folder.write("build/stray", "");
    let done = folder.run("generate --all --check -o build");
    assert_eq!(done.status, 1);
    insta::assert_snapshot!(format!("{}{}", done.stdout, done.stderr));
    let done = folder.run("generate traptor-s1 --check -o nowhere");
    assert_eq!(
        (done.status, done.stderr.as_str()),
        (1, "error: nowhere/traptor-s1 differs from what `tracewright generate` writes\n")
    );
    assert!(done.stdout.starts_with("missing: nowhere/traptor-s1/"), "{}", done.stdout);
}

/// What was changed by hand stays until --force, and nothing is written before all folders are looked at.
#[test]
fn changed_files_are_kept() {
    let folder = Folder::new();
    folder.succeed("generate traptor-s1 --sink atb,pins -o build");
    for file in ["traptor_s1.sdc", "testbench/vectors.hex", "manifest.json", "traptor-s1.toml"] {
        let path = format!("build/traptor-s1/{file}");
        let before = folder.text(&path);
        let edited = match file {
            "manifest.json" => before.replace("\"top\": \"", "\"top\": \"my_"),
            _ => format!("{before}# mine\n"),
        };
        folder.write(&path, &edited);
        let done = folder.run("generate traptor-s1 --set pc_shift=2 -o build");
        let expected = format!(
            "error: cannot replace build/traptor-s1: changed since they were generated: {file}; move them or overwrite them \
             with --force\n"
        );
        assert_eq!((done.status, done.stderr), (1, expected));
        assert_eq!(folder.text(&path), edited);
        folder.write(&path, before);
    }
    // Several designs: none is written if one cannot be.
    folder.write("build/traptor-s1/traptor_s1.sdc", "mine\n");
    assert_eq!(folder.run("generate --all -o build").status, 1);
    assert_eq!(folder.names(), ["build"]);
    assert_eq!(fs::read_dir(folder.path("build")).expect("the folder").count(), 1);
    folder.succeed("generate traptor-s1 --set pc_shift=2 -o build --force");
    assert!(!folder.text("build/traptor-s1/traptor_s1.sdc").contains("mine"));
    // A folder of an earlier version has no digests.
    let path = "build/traptor-s1/manifest.json";
    let manifest: Value = serde_json::from_str(&folder.text(path)).expect("JSON");
    let mut older = manifest.clone();
    older.as_object_mut().expect("an object").remove("digests");
    folder.write(path, older.to_string());
    let done = folder.run("generate traptor-s1 -o build");
    assert!(done.status == 1 && done.stderr.contains("has no digests"), "{}", done.stderr);
    folder.succeed("generate traptor-s1 -o build --force");
    folder.succeed("generate traptor-s1 --set pc_shift=3 -o build");
}

/// A link is a foreign file, and is not followed.
#[test]
fn links_in_a_folder_are_not_followed() {
    let folder = Folder::new();
    fs::create_dir_all(folder.path("build/traptor-s1")).expect("a folder");
    for name in ["a", "b"] {
        std::os::unix::fs::symlink(".", folder.path(format!("build/traptor-s1/{name}")))
            .expect("a link");
    }
    let refused = |folder: &Folder, options: &str| {
        let done = folder.run(&format!("generate traptor-s1 -o build {options}"));
        assert_eq!(done.status, 1, "{}", done.stderr);
        done.stdout + &done.stderr
    };
    let foreign = "it has the link a, which was not generated";
    assert!(refused(&folder, "--force").contains(foreign));
    assert!(refused(&folder, "--check").contains("extra: build/traptor-s1/b\n"));
    fs::remove_dir_all(folder.path("build/traptor-s1")).expect("the folder");
    folder.succeed("generate traptor-s1 -o build");
    let file = folder.path("build/traptor-s1/traptor_s1.sdc");
    fs::rename(&file, folder.path("mine.sdc")).expect("the file");
    std::os::unix::fs::symlink("../../mine.sdc", &file).expect("a link");
    assert!(refused(&folder, "").contains("it has the link traptor_s1.sdc"));
}

#[test]
fn nothing_of_the_users_is_lost() {
    let folder = Folder::new();
    folder.succeed("generate traptor-m4 -o build");
    folder.write("build/traptor-m4/notes.txt", "mine");
    let done = folder.run("generate traptor-m4 -o build --set pc_shift=2");
    assert_eq!(done.status, 1);
    let expected = "error: cannot replace build/traptor-m4: it has notes.txt, which was not generated; \
                    move that file or choose another folder\n";
    assert_eq!(done.stderr, expected);
    fs::remove_file(folder.path("build/traptor-m4/notes.txt")).expect("the notes");
    folder.succeed("generate traptor-m4 -o build --set pc_shift=2");
    assert!(folder.text("build/traptor-m4/manifest.json").contains("\"pc_shift\": 2"));
    assert_eq!(
        fs::read_dir(folder.path("build")).expect("the folder").count(),
        1,
        "a temporary folder is left"
    );
}

/// A ring has the beginning of a packet, or it is said that it may have none, and what to set.
#[test]
fn a_ram_sink_has_packets_that_begin_often_enough() {
    let folder = Folder::new();
    let generate = |options: &str| {
        let done = folder.run(&format!(
            "generate traptor-s1 --set framing=packets --set enable_pin=true --set trace_port_width=8 --control apb {options} \
             -o build"
        ));
        assert_eq!(done.status, 0, "{options}: {}", done.stderr);
        let manifest = folder.text("build/traptor-s1/manifest.json");
        let manifest: Value = serde_json::from_str(&manifest).expect("JSON");
        (manifest["parameters"]["sync_bytes"].as_u64(), done.stderr)
    };
    assert_eq!(generate("--ram-sink 2048"), (Some(512), String::new()));
    assert_eq!(generate("--ram-sink 256"), (Some(64), String::new()));
    assert_eq!(generate("--ram-sink 2048 --set sync_bytes=100"), (Some(100), String::new()));
    let often = "--ram-sink 2048 --set sync_bytes=0 --set sync_interval=1024";
    assert_eq!(generate(often).1, "");
    for (options, says) in [
        (
            "--ram-sink 2048 --set sync_bytes=0",
            "--ram-sink 2048: sync_bytes = 0 may leave no beginning",
        ),
        ("--ram-sink 2048 --set sync_bytes=0", "expected sync_bytes=512"),
        ("--ram-sink 2048 --set sync_bytes=1025", "sync_bytes = 1025 may leave no beginning"),
        ("--ram-sink 2048 --set sync_keeps_tables=true", "expected sync_keeps_tables=false"),
    ] {
        let (_, warning) = generate(options);
        assert!(warning.starts_with("warning: traptor-s1: --ram-sink "), "{options}: {warning}");
        assert!(warning.contains(says), "{options}: {warning}");
    }
    // What is too small for what waits in the module, with a buffer of its own and after an adapter.
    let packets =
        "--set framing=packets --set enable_pin=true --set trace_port_width=8 --control apb";
    let least = "twice what may wait in the module when a full ring stops the trace";
    for (options, bytes) in
        [("128", "256"), ("256 --ingress rvfi", "512"), ("8192 --set fifo_bits=65536", "32768")]
    {
        let done =
            folder.run(&format!("generate traptor-s1 {packets} --ram-sink {options} -o small"));
        assert_eq!(done.status, 2, "{options}: {}", done.stderr);
        let says = format!("expected at least {bytes}, {least}");
        assert!(done.stderr.contains(&says), "{options}: {}", done.stderr);
    }
    folder
        .succeed(&format!("generate traptor-s1 {packets} --ram-sink 512 --ingress rvfi -o small"));
}
