//! What the commands print when all is well.

use crate::common::{Folder, WORKLOADS, workload};
use serde_json::Value;

fn keys(object: &Value) -> Vec<&str> {
    object.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn designs() {
    let folder = Folder::new();
    let all = folder.json("designs --json");
    let all = all.as_array().expect("an array");
    assert_eq!(all.len(), tracewright_sim::preset::all().count());
    let expected = [
        "name",
        "scheme",
        "source",
        "paper_gates",
        "estimated_gates",
        "storage_bits",
        "storage",
        "fingerprint",
        "parameters",
    ];
    assert!(all.iter().all(|design| keys(design) == expected));
    let one = &folder.json("designs traptor-m4 --set gshare_entries=2048 --json")[0];
    assert_eq!(one["parameters"]["gshare_entries"], 2048);
    assert_eq!(one["parameters"]["encoder"], "serial");
    assert_eq!(one["parameters"]["outcome_bit_for_jumps"], true);
    let storage: u64 =
        one["storage"].as_object().expect("an object").values().filter_map(Value::as_u64).sum();
    assert_eq!(one["storage_bits"], storage);
    assert_eq!(
        folder
            .succeed("designs")
            .lines()
            .filter(|line| line.trim().starts_with("traptor-"))
            .count(),
        17
    );
    let full = folder.succeed("designs traptor-m4");
    assert!(full.contains("gshare_entries") && full.contains("power of two"), "{full}");
}

#[test]
fn trace_info() {
    let folder = Folder::new();
    folder.write(
        "hand.txt",
        "machine riscv alignment=1 address_bits=64\n\
         5 direct-conditional 0x1000 taken 0x1040\n\
         3 indirect-jump 0x1044 return taken 0x2000\n\
         2 direct-jump 0x2002 call taken 0x1000\n\
         4 exception 0x1006\n",
    );
    insta::assert_snapshot!("info", folder.succeed("trace info hand.txt"));
    insta::assert_snapshot!("info_json", folder.succeed("trace info hand.txt --json"));
    insta::assert_snapshot!("verify", folder.succeed("trace verify hand.txt"));
    assert_eq!(folder.json("trace verify hand.txt --json")[0]["events"], 4);
    let empty = "machine arm alignment=2 address_bits=32\n";
    let done = folder.run_with_input("trace info - --json", empty.as_bytes());
    let info: Value = serde_json::from_str(&done.stdout).expect("JSON");
    assert_eq!((&info[0]["events"], &info[0]["lowest_address"]), (&0.into(), &Value::Null));
}

#[test]
fn parts_of_traces() {
    let folder = Folder::with_run();
    let text = folder.succeed("trace dump run.pet.zst");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 20_001);
    let part = folder.succeed("trace dump run.pet.zst --skip 100 --limit 50");
    assert_eq!(part.lines().skip(1).collect::<Vec<_>>(), lines[101..151]);
    assert!(part.lines().count() == 51);
    folder.succeed("trace convert run.pet.zst -o part.txt --skip 100 --limit 50");
    let converted = folder.text("part.txt");
    let converted: Vec<&str> = converted.lines().collect();
    // A part begins where a taken branch leads, with an exception to there.
    let taken = |line: &&str| line.contains(" taken ");
    let from = (100..).find(|number| taken(&lines[*number])).expect("a taken branch");
    let target = lines[from].rsplit(" taken ").next().and_then(|rest| rest.split(' ').next());
    assert_eq!(converted[0], lines[0]);
    assert_eq!(
        Some(converted[1]),
        target.map(|to| format!("0 exception 0x0 taken {to}")).as_deref()
    );
    assert_eq!(converted[2..], lines[from + 1..151]);
    assert_eq!(folder.succeed("trace dump run.pet.zst --skip 30000").lines().count(), 1);
    folder.succeed("trace verify part.txt");
}

#[test]
fn synthetic_traces() {
    let folder = Folder::new();
    let text = folder.succeed("trace generate --seed 5 --events 300 --isa x86 --no-exceptions");
    assert_eq!(text.lines().count(), 301);
    assert!(
        text.starts_with("machine x86 alignment=0 address_bits=64 lengths\n")
            && !text.contains("exception")
    );
    let done = folder.json(
        "trace generate --seed 5 --events 300 --isa x86 --no-exceptions -o run.pet.zst --json",
    );
    assert_eq!((&done["seed"], &done["events"]), (&5.into(), &300.into()));
    assert_eq!(folder.succeed("trace dump run.pet.zst").lines().count(), 301);
    for isa in ["arm", "riscv", "x86"] {
        for seed in 0..8 {
            let options =
                format!("--seed {seed} --isa {isa} --address-bits 32 --events 2000 --threads 2");
            folder.succeed(&format!("trace generate {options} -o run.pet"));
            assert_eq!(folder.json("trace verify run.pet --json")[0]["threads"], 2);
        }
    }
}

/// Figures of the independent measurement, which `measure` has to meet within 0.5 %.
#[test]
fn measure_gives_the_independent_figures() {
    let folder = Folder::new();
    let traces: Vec<String> =
        ["arm-stringsearch", "rv64-djpeg", "rv64-stringsearch"].map(workload).into();
    let measured = folder.json(&format!(
        "measure --design traptor-s1,traptor-m4,traptor-b4 {} --json",
        traces.join(" ")
    ));
    let expected = [0.1975, 0.0292, 0.2094, 0.0907, 0.0190, 0.1153, 0.0739, 0.0174, 0.0964];
    let measured = measured.as_array().expect("an array");
    assert_eq!(measured.len(), expected.len());
    for (one, expected) in measured.iter().zip(expected) {
        let bits = one["bits"].as_u64().expect("a number");
        let rate = one["bits_per_instruction"].as_f64().expect("a number");
        // The figures are printed with four digits after the point.
        assert!((rate - expected).abs() <= 0.005 * expected + 0.00005, "{one:#}");
        let fields: u64 =
            one["fields"].as_object().expect("an object").values().filter_map(Value::as_u64).sum();
        assert_eq!(fields, bits);
        assert!(
            one["fifo_high_water_bits"].as_u64() <= Some(384) && one["records"].as_u64() > Some(0)
        );
    }
}

#[test]
fn measure_prints_totals() {
    let folder = Folder::with_run();
    folder.take_head("rv64-djpeg", 5000, "other.pet.zst");
    insta::assert_snapshot!(
        folder.succeed("measure --design traptor-s0,traptor-m4 run.pet.zst other.pet.zst")
    );
}

#[test]
fn encode_counts_what_measure_counts() {
    let folder = Folder::new();
    for name in WORKLOADS {
        folder.take_head(name, 10_000, "run.pet.zst");
        let encoded = folder.json("encode traptor-b2 run.pet.zst -o run.bits --json");
        let measured = &folder.json("measure --design traptor-b2 run.pet.zst --json")[0];
        for key in ["events", "instructions", "bits", "bits_per_instruction"] {
            assert_eq!(encoded[key], measured[key], "{name}, {key}");
        }
        let decoded = folder.json("decode run.bits --program run.pet.zst -o back.pet --json");
        assert_eq!(decoded["records"], measured["records"]);
    }
}

/// A converter's mistake: more instructions than fit, or an end before the beginning.
#[test]
fn events_that_do_not_fit_are_found() {
    let folder = Folder::new();
    for (second, says) in [
        (
            "400 indirect-jump 0x80000010 taken 0x80000000",
            "400 instructions of 2 to 4 bytes cannot",
        ),
        ("2 indirect-jump 0x80000006 taken 0x80000000", "cannot be from 0x80000008 to 0x80000006"),
        ("2 indirect-jump 0x80000020 taken 0x80000000", "cannot be from 0x80000008 to 0x80000020"),
    ] {
        folder.write(
            "log.txt",
            format!(
                "machine riscv alignment=1 address_bits=32\n1 indirect-jump 0x80000000 taken 0x80000008\n{second}\n"
            ),
        );
        let done = folder.run("trace verify log.txt");
        assert_eq!(done.status, 1, "{second}");
        assert!(done.stderr.contains("event 1 (") && done.stderr.contains(says), "{}", done.stderr);
    }
}

/// A part of a real trace is followed through its program, and encoded and decoded with it.
#[test]
fn parts_of_traces_have_their_program() {
    let folder = Folder::new();
    folder.take_head("rv32imac-traps", 3_000, "run.pet.zst");
    let program = workload("rv32imac-traps").replace(".pet.zst", ".elf");
    for skip in [1, 100, 777, 1_234, 2_000] {
        let done = folder.run(&format!("trace convert run.pet.zst -o part.pet.zst --skip {skip}"));
        assert_eq!(done.status, 0, "{}", done.stderr);
        folder.succeed(&format!("view part.pet.zst --program {program}"));
        folder.succeed("encode traptor-m4 part.pet.zst -o part.bits");
        folder.succeed(&format!("decode part.bits --program {program} -o back.pet.zst"));
    }
}
