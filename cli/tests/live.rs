//! Real cores with a trace module on their retirement port. Needs the cores' packages: scripts/setup.

use std::path::Path;

use crate::common::Folder;

/// A file of the repository.
fn file(path: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path).display().to_string()
}

fn program(name: &str) -> String {
    file(&format!("testbench/live/programs/{name}.elf"))
}

/// A program with some 400 timer interrupts and as many traps, on both cores, with a sink that is often not ready.
#[test]
fn what_a_core_retires_is_decoded() {
    let folder = Folder::new();
    let cores = [
        ("picorv32", "traptor-m4,stream-rbase-32,nexs", 3),
        // The model of this one takes long to build.
        ("ibex", "stream-rbase-32", 1),
    ];
    for (core, designs, count) in cores {
        let elf = program(&format!("{core}-interrupts"));
        let lived = folder
            .json(&format!("live {designs} --core {core} {elf} --seed 7 --stall bursts --json"));
        let lived = lived.as_array().expect("an array");
        assert_eq!(lived.len(), count);
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
            "decoded_equal",
            "failure",
            "console",
        ];
        assert_eq!(keys, expected);
    }
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
        ("generate traptor-m4 --rvfi 32 --rvfi-slack 9".into(), 2, "must be below rvfi_queue = 8"),
        ("generate stride-64 --rvfi 32".into(), 2, "the RVFI adapter shows control flow"),
        ("generate traptor-m4 --rvfi 33".into(), 2, "possible values: 32, 64"),
    ];
    for (arguments, status, part) in cases {
        let done = folder.run(&arguments);
        assert_eq!(done.status, status, "{arguments}: {}", done.stderr);
        assert!(done.stderr.contains(part), "{arguments}: {}", done.stderr);
    }
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
    let set = "--set alignment=1 --rvfi 32 --rvfi-queue 6 --rvfi-slack 2";
    folder.succeed(&format!("generate traptor-s0 {set} -o build"));
    let manifest = folder.text("build/traptor-s0/manifest.json");
    for part in ["\"top\": \"traptor_s0_rvfi\"", "\"rvfi_pc_wdata\"", "traptor_s0_rvfi.v"] {
        assert!(manifest.contains(part), "no {part} in {manifest}");
    }
    assert!(folder.text("build/traptor-s0/traptor-s0.core").contains("traptor_s0_rvfi.v"));
    folder.succeed(&format!("generate traptor-s0 {set} -o build --check"));
}
