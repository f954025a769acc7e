//! Generated hardware in Verilator, from the command line. The testbench's own tests go further.

mod common;

use common::Folder;

#[test]
fn hardware_and_model_agree() {
    let folder = Folder::with_run();
    let done = folder.json("cosim traptor-s1 run.pet.zst --synthetic 3,8-9 --limit 5000 --seed 7 --stall random --bubbles 20 --json");
    let done = done.as_array().expect("an array");
    let traces: Vec<&str> = done.iter().filter_map(|one| one["trace"].as_str()).collect();
    assert_eq!(traces, ["run.pet.zst", "synthetic-3", "synthetic-8", "synthetic-9"]);
    for one in done {
        assert_eq!((&one["events"], &one["mismatches"], &one["decoded_equal"]), (&5000.into(), &0.into(), &true.into()));
        assert!(one["failure"].is_null() && one["cycles"].as_u64() > Some(5000), "{one:#}");
    }
    let keys: Vec<&str> = done[0].as_object().expect("an object").keys().map(String::as_str).collect();
    let expected = [
        "design", "trace", "events", "instructions", "bits", "mismatches", "cycles", "stall_cycles",
        "fifo_high_water_bits", "cycles_per_second", "decoded_equal", "failure",
    ];
    assert_eq!(keys, expected);
    folder.succeed("trace convert run.pet.zst -o head.pet --limit 5000");
    assert_eq!(folder.json("measure --design traptor-s1 head.pet --json")[0]["bits"], done[0]["bits"]);
}

#[test]
fn without_a_failure_there_are_no_waves() {
    let folder = Folder::with_run();
    let table = folder.succeed("cosim traptor-s1 run.pet.zst --limit 1000 --pace one-instruction-a-clock --waves waves.vcd");
    assert!(table.contains("equal") && !table.contains("DIFFERENT"), "{table}");
    assert!(!folder.path("waves.vcd").exists());
}
