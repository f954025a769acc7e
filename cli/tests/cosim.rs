//! Generated hardware in Verilator, from the command line. The testbench's own tests go further.

use crate::common::{Folder, is_long, workload};

#[test]
fn hardware_and_model_agree() {
    let folder = Folder::with_run();
    let done = folder.json("cosim traptor-s1 run.pet.zst --synthetic 3,8-9 --limit 5000 --seed 7 --stall random --bubbles 20 --json");
    let done = done.as_array().expect("an array");
    let traces: Vec<&str> = done.iter().filter_map(|one| one["trace"].as_str()).collect();
    assert_eq!(traces, ["run.pet.zst", "synthetic-3", "synthetic-8", "synthetic-9"]);
    for one in done {
        assert_eq!(
            (&one["events"], &one["mismatches"], &one["decoded_equal"]),
            (&5000.into(), &0.into(), &true.into())
        );
        assert!(one["failure"].is_null() && one["cycles"].as_u64() > Some(5000), "{one:#}");
    }
    let keys: Vec<&str> =
        done[0].as_object().expect("an object").keys().map(String::as_str).collect();
    let expected = [
        "design",
        "simulated",
        "verilog",
        "trace",
        "events",
        "instructions",
        "bits",
        "mismatches",
        "cycles",
        "stall_cycles",
        "lost_instructions",
        "filtered_instructions",
        "fifo_high_water_bits",
        "cycles_per_second",
        "decoded_equal",
        "failure",
    ];
    assert_eq!(keys, expected);
    folder.succeed("trace convert run.pet.zst -o head.pet --limit 5000");
    assert_eq!(
        folder.json("measure --design traptor-s1 head.pet --json")[0]["bits"],
        done[0]["bits"]
    );
}

/// A core that does not wait loses blocks, which are told beside the result.
#[test]
fn what_a_core_loses_is_told() {
    let folder = Folder::with_run();
    let settings = "--set framing=packets --set sync_interval=1024";
    let command = format!("cosim traptor-s1 run.pet.zst {settings}");
    let waits = folder.json(&format!("{command} --json"));
    assert_eq!(
        (&waits[0]["lost_instructions"], &waits[0]["decoded_equal"]),
        (&0.into(), &true.into())
    );
    let lost = folder.json(&format!("{command} --set when_full=drop --json"));
    assert_eq!(lost[0]["decoded_equal"], true);
    let count = lost[0]["lost_instructions"].as_u64().expect("a number");
    assert!(count > 0 && Some(count) < lost[0]["instructions"].as_u64(), "{lost:#}");
    let said = folder.succeed(&format!("{command} --set when_full=drop"));
    assert!(said.contains("of the instructions were lost because they could not wait"), "{said}");
}

/// A packet ends after any instruction where blocks are lost. A design that counts lengths needs that of each, which a
/// program has, and a synthetic trace only of those at which events end.
#[test]
fn exact_lengths_with_losses_need_a_program() {
    let folder = Folder::with_run();
    let settings = "--set framing=packets --set exact_lengths=true --set when_full=drop --set fifo_bits=16 --stall bursts";
    let done = folder.run(&format!("cosim ntrace-htm --synthetic 1 --set alignment=1 {settings}"));
    let expected = "needs the lengths of all instructions, which the trace does not have; expected --program, or --set \
                    exact_lengths=false";
    assert!(done.status == 1 && done.stderr.contains(expected), "{}", done.stderr);
    folder.take_head("rv32imac-traps", 20_000, "traps.pet.zst");
    let elf = workload("rv32imac-traps").replace(".pet.zst", ".elf");
    let done =
        folder.json(&format!("cosim ntrace-htm traps.pet.zst --program {elf} {settings} --json"));
    assert_eq!(done[0]["decoded_equal"], true);
    assert!(done[0]["lost_instructions"].as_u64() > Some(0), "{done:#}");
}

/// What a filter leaves out may retire before the end of the part in front of it is sent: that end says the level at which the
/// part ended. Traces with states are compared with what a decoder without packets gives, which has none.
#[test]
fn parts_end_at_their_own_level() {
    let folder = Folder::new();
    folder.take_head("rv32imac-traps", 20_000, "traps.pet.zst");
    let settings =
        "--set alignment=1 --set enable_pin=true --set privilege_bits=2 --set cause_bits=5";
    for filter in [
        "--set filter_privilege=true --filter-privilege 0",
        "--set filter_privilege=true --filter-privilege 3 --stall random",
        "--set filter_privilege=true --filter-privilege 0 --set when_full=drop",
        "--set filter_ranges=1 --filter-in 0x10000:0x10150 --stall bursts",
    ] {
        let done =
            folder.json(&format!("cosim etrace-base traps.pet.zst {settings} {filter} --json"));
        let one = &done[0];
        assert!(one["failure"].is_null() && one["decoded_equal"] == true, "{filter}: {one:#}");
        assert!(one["filtered_instructions"].as_u64() > Some(0), "{filter}: {one:#}");
    }
}

#[test]
fn without_a_failure_there_are_no_waves() {
    let folder = Folder::with_run();
    let table = folder.succeed("cosim traptor-s1 run.pet.zst --limit 1000 --pace one-instruction-per-cycle --waves waves.vcd");
    assert!(table.contains("equal") && !table.contains("DIFFERENT"), "{table}");
    assert!(!folder.path("waves.vcd").exists());
}

/// A fault in the Verilog is found, told in the terms of the trace, and written as waves.
#[test]
fn a_fault_is_found() {
    let folder = Folder::with_run();
    folder.succeed("generate traptor-s1 -o build");
    folder.succeed("cosim traptor-s1 run.pet.zst --limit 3000 --verilog build");
    let file = "build/traptor-s1/traptor_s1.v";
    let text = folder.text(file);
    let faulty = text.replacen(".clear_entry (2'd1)", ".clear_entry (2'd2)", 1);
    assert_ne!(faulty, text, "there is no such constant any more");
    folder.write(file, faulty);
    let done = folder
        .run("cosim traptor-s1 run.pet.zst --limit 3000 --verilog build --waves waves.vcd --json");
    assert_eq!(done.status, 1);
    let found: serde_json::Value = serde_json::from_str(&done.stdout).expect("JSON");
    assert_eq!((&found[0]["mismatches"], &found[0]["decoded_equal"]), (&1.into(), &true.into()));
    for part in
        ["error: traptor-s1, run.pet.zst: cycle ", ", trace bit ", "record ", "; event ", " at 0x"]
    {
        assert!(done.stderr.contains(part), "no `{part}` in {}", done.stderr);
    }
    assert!(folder.text("waves.vcd").contains("$enddefinitions"));
    let done = folder.run("cosim traptor-s0 run.pet.zst --limit 3000 --verilog build");
    assert_eq!(done.status, 1);
    assert!(
        done.stderr.contains("traptor-s0, run.pet.zst: cannot read build/traptor-s0/"),
        "{}",
        done.stderr
    );
}

/// The `taken` pin of a block without a jump says nothing, so such a block enters no region. And additive prediction
/// takes the choice between two targets, too.
#[test]
fn jumps_alone_enter_regions() {
    let folder = Folder::new();
    let additive = "--set additive=true --set memory_style=synchronous";
    // The first program is for another machine than the others, which needs another model.
    for (changes, few) in [
        ("target_regions=4 --set target_bits=8".to_owned(), "2-3"),
        (format!("target_regions=16 --set target_bits=20 {additive}"), "1"),
    ] {
        let programs = if is_long() { "1-3" } else { few };
        let set = format!("--set {changes} --synthetic {programs}");
        folder.succeed(&format!("cosim talon-m {set} --limit 20000"));
    }
}
