//! Traces with memory accesses through every command.

use crate::common::{Folder, workload};

/// The workload and the command that `workloads/README.md` says made it.
#[test]
fn the_data_workload_is_what_its_command_makes() {
    let folder = Folder::new();
    let options = "--seed 6 --isa riscv --address-bits 32 --events 20000 --functions 12";
    folder.succeed(&format!("trace generate {options} --data-accesses 25 -o made.pet.zst"));
    folder.take_head("rv32-synthetic-data", 30_000, "kept.pet.zst");
    assert_eq!(
        folder.succeed("trace dump made.pet.zst"),
        folder.succeed("trace dump kept.pet.zst")
    );
}

#[test]
fn data_traces_come_back() {
    let folder = Folder::new();
    folder.take_head("rv32-synthetic-data", 5_000, "run.pet.zst");
    let accesses = folder.json("trace verify run.pet.zst --json")[0]["accesses"].clone();
    assert!(accesses.as_u64() > Some(5_000));
    for design in ["stride-32", "stride-1024", "stride-256x4"] {
        for set in ["", "--set data_repetitions=false --set trace_port_width=5"] {
            folder.succeed(&format!("encode {design} run.pet.zst -o run.bits {set}"));
            let done = folder.json("decode run.bits --program run.pet.zst -o back.pet.zst --json");
            assert_eq!((&done["accesses"], &done["verified"]), (&accesses, &true.into()));
            assert!(folder.read("back.pet.zst") == folder.read("run.pet.zst"), "{design} {set}");
        }
    }
    // The addresses of the execution are not looked at.
    let text = folder.succeed("trace dump run.pet.zst");
    let blanked: Vec<String> = text.lines().map(without_address).collect();
    folder.write("sites.txt", blanked.join("\n"));
    folder.succeed("decode run.bits --program sites.txt -o back.txt");
    assert!(folder.text("back.txt") == text);
    // A control-flow tracer sees the events only, and gives only those back.
    folder.succeed("encode traptor-m4 run.pet.zst -o run.bits");
    folder.succeed("decode run.bits --program run.pet.zst -o back.txt");
    let events: Vec<&str> = text.lines().filter(|line| !is_access(line)).collect();
    assert_eq!(folder.text("back.txt"), events.join("\n").replacen(" data", "", 1) + "\n");
}

fn is_access(line: &str) -> bool {
    line.contains(" load ") || line.contains(" store ")
}

fn without_address(line: &str) -> String {
    match is_access(line) {
        true => line.split(' ').take(3).chain(["0x0"]).collect::<Vec<_>>().join(" "),
        false => line.into(),
    }
}

#[test]
fn another_execution_is_found_out() {
    let folder = Folder::new();
    folder.take_head("rv32-synthetic-data", 2_000, "run.pet.zst");
    folder.take_head("rv32-synthetic-data", 1_999, "shorter.pet.zst");
    folder.take_head("rv32-synthetic-data", 2_001, "longer.pet.zst");
    folder.succeed("encode stride-256 run.pet.zst -o run.bits");
    for (program, message) in [
        ("shorter.pet.zst", "the trace has more accesses than the execution"),
        ("longer.pet.zst", "the execution has more accesses than the trace"),
    ] {
        let done = folder.run(&format!("decode run.bits --program {program} -o back.pet"));
        assert_eq!(done.status, 1);
        assert!(done.stderr.contains(message), "{}", done.stderr);
        assert!(!folder.path("back.pet").exists());
    }
    // As many accesses, but one of them somewhere else.
    let text = folder.succeed("trace dump run.pet.zst");
    let (at, _) = text.match_indices(" load ").nth(40).expect("a load");
    let mut changed = text.clone();
    changed.replace_range(at..at + 6, " store ");
    folder.write("changed.txt", changed);
    let done = folder.run("decode run.bits --program changed.txt -o back.pet");
    assert_eq!(done.status, 1);
    assert!(
        done.stderr.contains("does not decode to the execution that was traced"),
        "{}",
        done.stderr
    );
}

/// A design of data addresses has nothing to encode in a trace without accesses, and every command says so.
#[test]
fn a_trace_without_accesses_is_refused_or_told() {
    let folder = Folder::with_run();
    let before = folder.names();
    let refused = folder.run("encode stride-128 run.pet.zst -o new.bits");
    assert_eq!((refused.status, refused.stdout.as_str()), (2, ""));
    let said = "stride-128 traces data addresses, and run.pet.zst has no data records: expected a trace with them";
    assert!(refused.stderr.contains(said), "{}", refused.stderr);
    assert_eq!(folder.names(), before);
    let table = folder.succeed("measure --design stride-128,traptor-s0 run.pet.zst");
    let said = "stride-128 traces data addresses, and run.pet.zst has none: its bits are those of the end of the trace";
    let table = table.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(table.ends_with(said) && table.matches("has none").count() == 1, "{table}");
    let figures = folder.succeed(
        "measure --design stride-128,traptor-s0 run.pet.zst --figure bits-per-instruction",
    );
    let row = figures.lines().last().expect("a row");
    assert_eq!(row.split_whitespace().count(), 2, "{figures}");
    // Records of data without an access in the part that is taken are encoded as they are.
    folder.take_head("rv32-synthetic-data", 0, "empty.pet.zst");
    folder.succeed("encode stride-128 empty.pet.zst -o new.bits");
}

/// Bits for each access, the kind of figure that paper B has; a trace without data is one flush.
#[test]
fn measure_counts_accesses() {
    let folder = Folder::new();
    let traces = [workload("rv32-synthetic-data"), workload("rv64-stringsearch")].join(" ");
    let measured = folder.json(&format!("measure --design stride-32,stride-1024 {traces} --json"));
    let bits = |at: usize| measured[at]["bits"].as_u64().expect("a number");
    assert_eq!(measured[0]["accesses"], 44_518);
    assert!(bits(0) > bits(2) && bits(2) > 44_518);
    assert_eq!((&measured[1]["accesses"], bits(1)), (&0.into(), 12));
    // A miss sends its address, whether hits come in patterns or one by one.
    let hits = measured[0]["hits"].as_u64().expect("a number");
    let addresses = measured[0]["fields"]["address"].as_u64().expect("a number");
    assert_eq!(hits + addresses / 32, 44_518);
    let one_by_one =
        format!("measure --design stride-32 --set data_repetitions=false {traces} --json");
    assert_eq!(folder.json(&one_by_one)[0]["hits"], hits);
}

/// The shape of the papers' tables: a row for every program, a column for every size.
#[test]
fn one_figure_is_compared() {
    let folder = Folder::new();
    folder.take_head("rv32imac-traps", 20_000, "traps.pet.zst");
    folder.take_head("rv32-synthetic-data", 20_000, "synthetic.pet.zst");
    let mut text = String::new();
    for figure in ["compression-ratio", "hit-rate", "bits-per-access", "bits-per-instruction"] {
        let designs = "stride-32,stride-1024,traptor-m4";
        let traces = "traps.pet.zst synthetic.pet.zst";
        text += &folder.succeed(&format!("measure --design {designs} {traces} --figure {figure}"));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn hardware_and_model_agree_on_data() {
    let folder = Folder::new();
    folder.take_head("rv32-synthetic-data", 2_000, "run.pet.zst");
    let done = folder.json(
        "cosim stride-64,stride-256x4 run.pet.zst --synthetic 3,8 --limit 800 --seed 7 --stall random --bubbles 20 --json",
    );
    let done = done.as_array().expect("an array");
    assert_eq!(done.len(), 6);
    for one in done {
        assert_eq!((&one["mismatches"], &one["decoded_equal"]), (&0.into(), &true.into()));
        assert!(one["cycles"].as_u64() > Some(2_000), "{one:#}");
    }
}

#[test]
fn parts_have_the_accesses_of_their_events() {
    let folder = Folder::new();
    folder.take_head("rv32-synthetic-data", 1_000, "run.pet.zst");
    let text = folder.succeed("trace dump run.pet.zst");
    let (head, tail) = ("trace dump run.pet.zst --limit 300", "trace dump run.pet.zst --skip 300");
    let (head, tail) = (folder.succeed(head), folder.succeed(tail));
    let body = |part: &str| part.lines().skip(1).map(String::from).collect::<Vec<_>>();
    assert_eq!([body(&head), body(&tail)].concat(), body(&text));
    assert!(!is_access(head.lines().last().expect("a line")));
    folder.write("tail.txt", tail);
    folder.succeed("trace verify tail.txt");
    let info = &folder.json("trace info run.pet.zst --json")[0];
    let count = |key: &str| info[key].as_u64().expect("a number");
    let lines = text.lines().filter(|line| is_access(line)).count() as u64;
    assert_eq!((&info["has_data"], count("loads") + count("stores")), (&true.into(), lines));
    assert!(count("access_sites") > 10);
}
