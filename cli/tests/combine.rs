//! Instructions and data addresses through one port, on the command line.

use crate::common::Folder;

fn folder() -> Folder {
    let folder = Folder::new();
    let generate = "trace generate --isa riscv --seed 3 --events 3000";
    folder.succeed(&format!("{generate} --data-accesses 30 -o run.pet.zst"));
    folder.succeed(&format!("{generate} -o flow.pet.zst"));
    folder
}

fn dumped(folder: &Folder, file: &str) -> Vec<String> {
    let text = folder.succeed(&format!("trace dump {file}"));
    text.lines().filter(|line| !line.starts_with("machine")).map(str::to_owned).collect()
}

#[test]
fn an_execution_goes_there_and_back() {
    let folder = folder();
    for (designs, set) in
        [("talon-m talon-d", ""), ("traptor-m4 stride-64", " --set elided_upper_bits=3")]
    {
        let said = folder.succeed(&format!("combine encode {designs} run.pet.zst -o run.bin"));
        assert!(said.contains(" accesses, ") && said.contains(" bytes are of "), "{said}");
        let decode = format!("combine decode {designs} run.bin --program run.pet.zst");
        folder.succeed(&format!("{decode} -o back.pet.zst"));
        assert_eq!(dumped(&folder, "back.pet.zst"), dumped(&folder, "run.pet.zst"), "{designs}");
        // The instructions alone.
        let (flow, _) = designs.split_once(' ').unwrap();
        folder.succeed(&format!(
            "decode --source 1 --design {flow} --set trace_port_width=8 --set alignment=1{set} run.bin --program flow.pet.zst \
             -o flow_back.pet.zst"
        ));
        assert_eq!(dumped(&folder, "flow_back.pet.zst"), dumped(&folder, "flow.pet.zst"));
    }
    let cut = std::fs::read(folder.path("run.bin")).unwrap();
    std::fs::write(folder.path("cut.bin"), &cut[..cut.len() / 2]).unwrap();
    let line = "combine decode traptor-m4 stride-64 cut.bin --program run.pet.zst -o cut.pet.zst";
    let done = folder.run(line);
    assert!(done.status == 1 && done.stderr.contains("cut.bin"), "{}", done.stderr);
    assert!(!folder.path("cut.pet.zst").exists());
}

#[test]
fn what_cannot_be_combined_is_refused() {
    let folder = folder();
    for (line, expected) in [
        ("talon-m talon-d flow.pet.zst", "flow.pet.zst has no data records"),
        ("talon-d talon-m run.pet.zst", "`talon-d` traces data addresses"),
        ("nexus-n2 talon-d run.pet.zst", "`nexus-n2` traces several cores"),
    ] {
        let done = folder.run(&format!("combine encode {line} -o run.bin"));
        assert!(done.status == 2 && done.stderr.contains(expected), "{}", done.stderr);
    }
    folder.write("unit.toml", "preset = \"talon-m\"\n[ingress]\nport = \"rvfi\"\n");
    folder.write("one.toml", "preset = \"talon-s\"\nname = \"one_and\"\n");
    folder.write("other.toml", "preset = \"talon-d\"\nname = \"one-and\"\n");
    for (line, expected) in [
        ("unit.toml talon-d", "unit.toml: [ingress]: expected a design without sections"),
        ("talon-m talon-d --name module", "it is a keyword of Verilog"),
        ("talon-m talon-d --name talon-m", "two modules would be called `talon_m`"),
        ("one.toml other.toml", "two modules would be called `one_and"),
    ] {
        let done = folder.run(&format!("combine generate {line} -o refused"));
        assert!(done.status == 2 && done.stderr.contains(expected), "{}", done.stderr);
        assert!(!folder.path("refused").exists(), "{line}");
    }
}

#[test]
fn the_verilog_is_written() {
    let folder = folder();
    let said = folder.succeed("combine generate talon-m talon-d --name both -o out");
    assert!(said.starts_with("out/both: ") && said.ends_with("top module both\n"), "{said}");
    let verilog = std::fs::read_to_string(folder.path("out/both/both.v")).unwrap();
    assert!(verilog.contains("module both (") && verilog.contains("talon_d addresses ("));
}
