//! Traces decoded against the program's ELF file.

use std::path::Path;

use crate::common::Folder;

fn workload(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../workloads").join(name).display().to_string()
}

/// The trace as text.
fn dump(folder: &Folder, trace: &str) -> String {
    folder.succeed(&format!("trace dump {trace} -o {trace}.txt"));
    folder.text(&format!("{trace}.txt"))
}

#[test]
fn every_scheme_against_the_program() {
    for (program, options) in [
        ("rv32imac-interpreter", ""),
        ("rv32imac-traps", ""),
        ("rv64imac-words", "--set address_width=64"),
    ] {
        let folder = Folder::new();
        folder.succeed(&format!(
            "wset replay {} -o run.pet.zst",
            workload(&format!("{program}.wset"))
        ));
        let run = dump(&folder, "run.pet.zst");
        let elf = workload(&format!("{program}.elf"));
        for design in
            ["traptor-m4", "stream-rbase-128", "ntuple-32x4", "nexs", "mctraptor-small-n1"]
        {
            folder.succeed(&format!("encode {design} {options} run.pet.zst -o run.bits"));
            folder.succeed(&format!("decode run.bits --program {elf} -o back.pet.zst"));
            assert!(dump(&folder, "back.pet.zst") == run, "{design} of {program}");
        }
    }
}

#[test]
fn a_stripped_program_is_as_good() {
    let folder = Folder::new();
    folder.succeed(&format!("wset replay {} -o run.pet.zst", workload("rv32imac-lz.wset")));
    let mut elf = std::fs::read(workload("rv32imac-lz.elf")).expect("a workload");
    // No section headers: neither symbols nor anything else that a loader does not need.
    elf[32..36].fill(0);
    elf[48..52].fill(0);
    folder.write("stripped.elf", elf);
    folder.succeed("encode traptor-m4 run.pet.zst -o run.bits");
    folder.succeed("decode run.bits --program stripped.elf -o back.pet.zst");
    assert!(dump(&folder, "back.pet.zst") == dump(&folder, "run.pet.zst"));
}
