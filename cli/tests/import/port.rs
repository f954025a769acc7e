//! The check of a core's port.

use std::path::Path;

use crate::common::Folder;

/// `rvfi_pc_wdata` of the branch in line 5 is a handler, and words are expanded.
const LOG: &str = "\
rvfi_order,rvfi_insn,rvfi_trap,rvfi_intr,rvfi_pc_rdata,rvfi_pc_wdata
0,00428293,0,0,00000100,00000102
1,fe051ee3,0,0,00000102,00000106
2,00428293,0,0,00000106,00000108
3,fe051ee3,0,0,00000108,00000200
4,34202573,0,0,00000200,00000204
5,30200073,0,0,00000204,0000010c
6,0000006f,0,0,0000010c,0000010c
";

const UNIT: &str = "\
preset = \"traptor-m4\"
name = \"unit\"
alignment = 1

[ingress]
port = \"rvfi\"
compressed = \"expanded\"
";

#[test]
fn the_settings_are_written_and_printed() {
    let folder = Folder::new();
    folder.write("rvfi.csv", LOG);
    let text = folder.succeed("port-check rvfi.csv -o unit.toml");
    assert_eq!(std::fs::read_to_string(folder.path("unit.toml")).expect("a file"), UNIT);
    assert!(text.contains("7 rows of a table of the RISC-V formal interface"), "{text}");
    assert!(text.ends_with("unit.toml: the unit\n"), "{text}");
    assert!(folder.succeed("port-check rvfi.csv").ends_with(&format!("\n{UNIT}")));
    let shown = folder.json("port-check rvfi.csv --json");
    let keys: Vec<&String> = shown.as_object().expect("an object").keys().collect();
    let expected = [
        "log",
        "format",
        "hart",
        "rows",
        "traceable",
        "conventions",
        "settings",
        "advice",
        "obstacles",
        "output",
        "toml",
    ];
    assert_eq!(keys, expected);
    let found = shown["conventions"].as_array().expect("an array");
    let handler = found.iter().find(|one| one["name"] == "next-handler").expect("a convention");
    assert_eq!((&handler["rows"], &handler["first"][0]), (&1.into(), &5.into()));
    assert_eq!(shown["toml"], UNIT);
}

#[test]
fn what_cannot_be_traced_is_a_failure() {
    let folder = Folder::new();
    folder.write("gap.csv", LOG.replace("2,00428293", "9,00428293"));
    folder.write("text.log", "core   0: 0x80000000 (0x00000013) nop\n");
    let elf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../workloads/rv32imac-crc.elf");
    folder.write("other.csv", "pc,insn\n10000,deadbeef\n10004,deadbeef\n");
    for (arguments, status, said) in [
        ("gap.csv".to_owned(), 1, "gap.csv: instructions are missing from the order of the port"),
        ("text.log".to_owned(), 1, "text.log: expected a table of the RISC-V formal interface"),
        ("none.csv".to_owned(), 1, "cannot open none.csv"),
        (format!("other.csv --program {}", elf.display()), 1, "the log is not of this program"),
        ("gap.csv --isa arm".to_owned(), 2, "invalid value 'arm'"),
    ] {
        let done = folder.run(&format!("port-check {arguments}"));
        assert_eq!(done.status, status, "{arguments}: {}", done.stderr);
        assert!(
            done.stderr.starts_with("error: ") && done.stderr.contains(said),
            "{}",
            done.stderr
        );
    }
}
