//! Traces of several threads and designs for one core: each thread alone, and all on one core.

use serde_json::Value;

use crate::common::Folder;

/// A folder with a trace of three threads, and each of them as a trace.
fn three_threads() -> Folder {
    let folder = Folder::new();
    folder.succeed("trace generate --cores 3 --seed 5 --isa arm --events 6000 -o run.pet.zst");
    for thread in 0..3 {
        folder.succeed(&format!("trace convert run.pet.zst --thread {thread} -o {thread}.pet.zst"));
    }
    folder
}

/// What a command prints in JSON, beside notes.
fn json(folder: &Folder, line: &str) -> Value {
    let done = folder.run(line);
    assert_eq!(done.status, 0, "{line}: {}", done.stderr);
    serde_json::from_str(&done.stdout).unwrap()
}

fn sum(rows: &Value, key: &str) -> u64 {
    rows.as_array().unwrap().iter().map(|row| row[key].as_u64().unwrap()).sum()
}

#[test]
fn each_thread_is_measured_alone() {
    let folder = three_threads();
    for design in ["traptor-m4", "talon-m", "stream-rbase-128"] {
        let measure = format!("measure --json --design {design}");
        let whole = json(&folder, &format!("{measure} run.pet.zst"));
        let alone = json(&folder, &format!("{measure} 0.pet.zst 1.pet.zst 2.pet.zst"));
        assert_eq!(whole[0]["modules"], 3);
        for key in ["events", "instructions", "bits", "records"] {
            assert_eq!(whole[0][key].as_u64().unwrap(), sum(&alone, key), "{design} {key}");
        }
        assert!(whole[0]["fifo_needed_bits"].as_u64().unwrap() > 0);
    }
    let told = folder.run("measure --design talon-m,mctraptor-small-n4 run.pet.zst");
    let says = "run.pet.zst has 3 threads: each is measured on a core of its own";
    assert!(told.stderr.contains(says), "{}", told.stderr);
    let together = json(&folder, "measure --json --design mctraptor-small-n4 run.pet.zst");
    assert_eq!(together[0]["modules"], 1);
}

#[test]
fn each_thread_is_compared_alone() {
    let folder = three_threads();
    let compare = "compare --json --design traptor-m4";
    let whole = json(&folder, &format!("{compare} run.pet.zst"));
    let alone = json(&folder, &format!("{compare} 0.pet.zst 1.pet.zst 2.pet.zst"));
    let alone = alone.as_array().unwrap();
    let mut compared = 0;
    for row in whole.as_array().unwrap() {
        let of_name: Vec<&Value> = alone.iter().filter(|one| one["name"] == row["name"]).collect();
        assert_eq!(of_name.len(), 3, "{row}");
        let bits: Option<u64> = of_name.iter().map(|one| one["bits"].as_u64()).sum();
        assert_eq!(row["bits"].as_u64(), bits, "{row}");
        compared += usize::from(bits.is_some());
    }
    assert!(compared > 3, "{compared} contenders carried the trace");
}

#[test]
fn each_thread_is_co_simulated() {
    let folder = three_threads();
    let rows = json(&folder, "cosim traptor-m4 run.pet.zst --stall random --json");
    assert_eq!(rows.as_array().unwrap().len(), 3);
    for (thread, row) in rows.as_array().unwrap().iter().enumerate() {
        assert_eq!(row["trace"], format!("run.pet.zst thread {thread}"));
        assert_eq!((&row["mismatches"], &row["decoded_equal"]), (&0.into(), &true.into()), "{row}");
    }
    assert_eq!(sum(&rows, "events"), 6000);
}

/// A core that runs the threads in turns is traced in packets, with the thread as context.
#[test]
fn one_core_runs_all_threads() {
    let folder = three_threads();
    let refused = folder.run("encode traptor-m4 run.pet.zst -o run.bits");
    assert_eq!(refused.status, 1);
    assert!(refused.stderr.contains("`tracewright trace convert`"), "{}", refused.stderr);

    let told = folder.run("trace convert run.pet.zst --one-core 500 -o core.pet.zst");
    assert!(told.stderr.contains("switches of threads"), "{}", told.stderr);
    folder.succeed("trace verify core.pet.zst");
    let dump = folder.succeed("trace dump core.pet.zst");
    for context in 0..3 {
        assert!(dump.contains(&format!("state context={context:#x}")), "no context {context}");
    }
    let packets = "--set framing=packets --set context_bits=3";
    let encoded = folder.run(&format!("encode traptor-m4 {packets} core.pet.zst -o core.bits"));
    assert_eq!(encoded.status, 0, "{}", encoded.stderr);
    folder.succeed("decode core.bits --program core.pet.zst -o back.pet.zst");
    let events = |file| {
        let text = folder.succeed(&format!("trace dump {file}"));
        text.lines()
            .filter(|line| !line.starts_with("machine"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(events("core.pet.zst"), events("back.pet.zst"));
    let rows =
        json(&folder, &format!("cosim talon-m {packets} core.pet.zst --stall bursts --json"));
    assert_eq!((&rows[0]["mismatches"], &rows[0]["decoded_equal"]), (&0.into(), &true.into()));

    let again = folder.run("trace convert core.pet.zst --one-core 500 -o again.pet.zst");
    assert_eq!(again.status, 2);
    assert!(
        again.stderr.contains("has contexts, so it is of one core already"),
        "{}",
        again.stderr
    );
    assert!(!folder.path("again.pet.zst").exists());
    let none = folder.run("trace convert run.pet.zst --thread 7 -o none.pet.zst");
    assert!(none.stderr.contains("has no event of thread 7"), "{}", none.stderr);
}
