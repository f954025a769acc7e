//! Programs whose code lies in several regions: what needs no hardware keeps the upper bits of targets that differ.

use std::fmt::Write as _;

use crate::common::Folder;

const NOTE: &str = "note: targets of indirect branches in run.pet.zst differ in their upper bits: ";

/// A folder with the run of a program that calls a function of another region, and one that stays in its own.
fn folder() -> Folder {
    let folder = Folder::new();
    for (name, function) in [("run", 0x8000_0100_u32), ("near", 0x1_2000)] {
        let mut text = String::from("machine arm alignment=2 address_bits=32 lengths\n");
        for call in 0..200 {
            let _ = write!(
                text,
                "{} indirect-jump 0x10010 call length=4 taken {function:#x}\n\
                 3 indirect-jump {:#x} return taken 0x10014\n\
                 2 direct-conditional 0x10018 taken 0x10004\n",
                if call == 0 { 5 } else { 4 },
                function + 8
            );
        }
        folder.write("run.txt", text);
        folder.succeed(&format!("trace convert run.txt -o {name}.pet.zst"));
    }
    folder
}

/// Runs a command that takes the upper bits from the trace, and gives what it prints.
fn noted(folder: &Folder, arguments: &str, taken: &str) -> String {
    let done = folder.run(arguments);
    assert_eq!(done.status, 0, "{arguments}: {}", done.stderr);
    let expected = format!(
        "{NOTE}{taken} elided_upper_bits=0, unless it is set or less; hardware that keeps these bits: "
    );
    assert!(done.stderr.starts_with(&expected), "{arguments}: {}", done.stderr);
    assert!(
        done.stderr.ends_with(" gates (estimate)\n")
            || done.stderr.ends_with(" gates, by design (estimate)\n")
    );
    assert_eq!(done.stderr.lines().count(), 1, "{arguments}: {}", done.stderr);
    done.stdout
}

#[test]
fn commands_without_hardware_keep_the_upper_bits_that_differ() {
    let folder = folder();
    for design in ["traptor-m4", "mctraptor-medium-n1"] {
        let measure = |more: &str| format!("measure --design {design}{more} run.pet.zst --json");
        let measured = noted(&folder, &measure(""), "measured with");
        assert_eq!(measured, folder.succeed(&measure(" --set elided_upper_bits=0")));
        assert!(measured.contains("\"elided_upper_bits\": 0"), "{measured}");
        // What is stated is obeyed, by an option or in a file.
        let stated = folder.json(&measure(" --set elided_upper_bits=12"));
        let bits = |json: &serde_json::Value| json[0]["bits"].as_u64().expect("bits");
        let measured = serde_json::from_str(&measured).expect("JSON");
        assert!(bits(&stated) > bits(&measured) + 2_000, "{stated}");
        assert_eq!(stated[0]["elided_upper_bits"], 12);
        folder.write("mine.toml", format!("preset = \"{design}\"\nelided_upper_bits = 12\n"));
        let of_file = folder.json("measure --design mine.toml run.pet.zst --json");
        assert_eq!(bits(&of_file), bits(&stated));
        folder.write("other.toml", format!("preset = \"{design}\"\npc_shift = 3\n"));
        noted(&folder, "measure --design other.toml run.pet.zst", "measured with");

        noted(&folder, &format!("encode {design} run.pet.zst -o run.bits"), "encoded with");
        folder.succeed(&format!(
            "encode {design} --set elided_upper_bits=0 run.pet.zst -o kept.bits"
        ));
        assert!(folder.read("kept.bits") == folder.read("run.bits"));
        let decode = |more: &str| {
            format!("decode run.bits --design {design}{more} --program run.pet.zst -o b.pet.zst")
        };
        folder.succeed(&decode(""));
        assert!(folder.read("b.pet.zst") == folder.read("run.pet.zst"));
        assert_eq!(folder.run(&decode(" --set elided_upper_bits=12")).status, 1);
        let run = folder.read("run.pet.zst");
        let done = folder.run_with_input(&format!("encode {design} - -o piped.bits"), &run);
        assert!(
            done.stderr.contains("standard input differ in their upper bits"),
            "{}",
            done.stderr
        );
        assert!(folder.read("piped.bits") == folder.read("run.bits"));
    }
    folder.succeed("measure --design traptor-m4,traptor-s0,talon-s,nexs near.pet.zst");
    folder.succeed("measure --design traptor-s0,talon-s,nexs run.pet.zst");
}

/// Where one table is of several traces, every design is the same for all of them.
#[test]
fn one_table_has_one_design() {
    let folder = folder();
    let taken = "every design is taken with";
    let compare = "compare near.pet.zst run.pet.zst --only traptor-m4,nexs --json";
    let compared: serde_json::Value =
        serde_json::from_str(&noted(&folder, compare, taken)).expect("JSON");
    folder.write("mine.toml", "preset = \"traptor-m4\"\nelided_upper_bits = 0\n");
    let stated = "compare near.pet.zst run.pet.zst --design mine.toml --only mine --json";
    let stated = folder.json(stated);
    for trace in [0, 1] {
        assert_eq!(compared[trace]["bits"], stated[trace]["bits"]);
        assert_eq!(compared[trace]["papers_bits"], stated[trace]["papers_bits"]);
    }
    noted(&folder, "reproduce near.pet.zst run.pet.zst --paper c --figure 10 --json", taken);
    folder.succeed("reproduce near.pet.zst run.pet.zst --paper a --table 2 --json");
    folder.succeed("reproduce near.pet.zst --paper c --figure 10 --json");

    let space = "preset = \"traptor-m4\"\n[space]\npc_shift = [2, 4]\n";
    folder.write("space.toml", space);
    let explore = "explore space.toml near.pet.zst run.pet.zst -o found --json --emit designs";
    let found: serde_json::Value =
        serde_json::from_str(&noted(&folder, explore, taken)).expect("JSON");
    let rows = found["configurations"].as_array().expect("rows");
    assert_eq!(rows.len(), 2, "{found}");
    assert!(rows.iter().all(|row| row["parameters"]["elided_upper_bits"] == 0), "{found}");
    let best = rows.iter().find(|row| row["is_on_front"] == true).expect("a front");
    let name = best["design"].as_str().expect("a name");
    let design = folder.text(&format!("designs/{name}.toml"));
    assert!(design.contains("elided_upper_bits = 0\n"), "{design}");
    folder.write("stated.toml", format!("{space}elided_upper_bits = [8, 12]\n"));
    folder.succeed("explore stated.toml near.pet.zst -o stated-near");
}

/// Hardware is what it is generated as.
#[test]
fn hardware_is_not_changed() {
    let folder = folder();
    let done = folder.json("cosim traptor-m4 run.pet.zst --json");
    let stated = "measure --design traptor-m4 --set elided_upper_bits=12 run.pet.zst --json";
    assert_eq!(done[0]["bits"], folder.json(stated)[0]["bits"], "{done}");
}
