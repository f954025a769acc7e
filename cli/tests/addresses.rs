//! Programs with 64-bit addresses: what needs no hardware takes the width from the trace.

use crate::common::Folder;

const NOTE: &str = "note: addresses in run.pet.zst have more than 32 bits: ";

const PRICE: &str = "hardware for 64-bit addresses:";

/// A folder with the run of a program that is far above the first 4 GB.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.succeed(
        "trace generate --seed 11 --isa x86 --address-bits 64 --code-base 0x7f1234500000 --events 20000 -o run.pet.zst",
    );
    folder
}

/// Runs a command that takes the width from the trace, and gives what it prints.
fn noted(folder: &Folder, arguments: &str, taken: &str) -> String {
    let done = folder.run(arguments);
    assert_eq!(done.status, 0, "{arguments}: {}", done.stderr);
    let expected = format!("{NOTE}{taken} address_width=64, unless it is set; {PRICE}");
    assert!(done.stderr.starts_with(&expected), "{arguments}: {}", done.stderr);
    assert_eq!(done.stderr.lines().count(), 1, "{arguments}: {}", done.stderr);
    done.stdout
}

/// The note says by the estimate what hardware costs more, which is what `designs` says of it.
#[test]
fn the_note_has_a_price() {
    let folder = folder();
    let gates = |design: &str| {
        let shown = folder.json(&format!("designs {design} --json"));
        shown[0]["estimated_gates"].as_u64().expect("a number")
    };
    let price = |design: &str| gates(&format!("{design} --set address_width=64")) - gates(design);
    let said = |arguments: &str| {
        let done = folder.run(arguments);
        assert_eq!(done.status, 0, "{arguments}: {}", done.stderr);
        let (_, said) = done.stderr.trim_end().split_once(PRICE).expect("a price");
        said.replace(',', "")
    };
    assert_eq!(price("traptor-m4"), 3456);
    let [m4, talon] = ["traptor-m4", "talon-m"].map(price);
    let of_one = format!(" about +{m4} gates (estimate)");
    assert_eq!(said("measure --design traptor-m4 run.pet.zst"), of_one);
    assert_eq!(said("encode traptor-m4 run.pet.zst -o run.bits"), of_one);
    let of_two = format!(" about +{talon} to +{m4} gates by design (estimate)");
    assert_eq!(said("measure --design traptor-m4,talon-m run.pet.zst"), of_two);
    let most = format!(" up to about +{m4} gates by design (estimate)");
    assert_eq!(said("measure --design traptor-m4,nexs run.pet.zst"), most);
    assert_eq!(price("nexs"), 0);
    let uncounted = " wider registers which the estimate does not count";
    assert_eq!(said("measure --design nexs run.pet.zst"), uncounted);
}

#[test]
fn commands_without_hardware_take_the_width_from_the_trace() {
    let folder = folder();
    for design in ["traptor-m4", "talon-m", "stream-rbase-32", "nexs"] {
        noted(&folder, &format!("encode {design} run.pet.zst -o run.bits"), "encoded with");
        folder.succeed("decode run.bits --program run.pet.zst -o back.pet.zst");
        assert!(folder.read("back.pet.zst") == folder.read("run.pet.zst"), "{design}");
        let of = |more: &str| {
            format!("decode run.bits --design {design}{more} --program run.pet.zst -o b.pet")
        };
        folder.succeed(&of(""));
        assert_eq!(folder.run(&of(" --set address_width=48")).status, 1);
        let wide = format!("{design} --set address_width=64");
        folder.succeed(&format!("encode {wide} run.pet.zst -o wide.bits"));
        assert!(folder.read("wide.bits") == folder.read("run.bits"), "{design}");
        let measure = |design: &str| format!("measure --design {design} run.pet.zst --json");
        let measured = noted(&folder, &measure(design), "measured with");
        assert_eq!(measured, folder.succeed(&measure(&wide)));
        assert!(measured.contains("\"address_width\": 64"), "{measured}");
    }
    noted(&folder, "reproduce run.pet.zst --paper a --json", "every design is taken with");
    let compared = noted(
        &folder,
        "compare run.pet.zst --only traptor-m4,nexs,gzip --json",
        "every design is taken with",
    );
    assert!(!compared.contains("\"bits\": null"), "{compared}");
    let wide = "compare run.pet.zst --only traptor-m4,nexs,gzip --json --address-width 64";
    assert_eq!(compared, folder.succeed(wide));
}

/// A trace that can be read only once is encoded as one that can be read again.
#[test]
fn standard_input_has_its_width() {
    let folder = folder();
    noted(&folder, "encode traptor-m4 run.pet.zst -o run.bits", "encoded with");
    let run = folder.read("run.pet.zst");
    let done = folder.run_with_input("encode traptor-m4 - -o piped.bits", &run);
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert!(done.stderr.contains("standard input have more than 32 bits"), "{}", done.stderr);
    assert!(folder.read("piped.bits") == folder.read("run.bits"));
}

/// Traces that fit are taken as they were, and what is set is not changed.
#[test]
fn a_width_that_fits_or_is_set_stays() {
    let folder = folder();
    folder.take_head("rv64-stringsearch", 5_000, "low.pet.zst");
    folder.take_head("arm-stringsearch", 5_000, "arm.pet.zst");
    let done = folder.run("measure --design traptor-m4 low.pet.zst run.pet.zst arm.pet.zst --json");
    let note = format!(
        "{NOTE}measured with address_width=64, unless it is set; {PRICE} about +3,456 gates (estimate)\n"
    );
    assert_eq!(done.stderr, note);
    let measured: serde_json::Value = serde_json::from_str(&done.stdout).expect("JSON");
    let widths = [0, 1, 2].map(|trace| measured[trace]["address_width"].as_u64());
    assert_eq!(widths, [Some(32), Some(64), Some(32)]);
    for (arguments, status) in [
        ("measure --design traptor-m4 --set address_width=40 run.pet.zst", 1),
        ("encode traptor-m4 --set address_width=40 run.pet.zst -o x.bits", 1),
        ("cosim traptor-m4 run.pet.zst --limit 1000", 1),
        ("compare run.pet.zst --address-width 32 --only traptor-m4,gzip,tslz", 1),
    ] {
        let done = folder.run(arguments);
        assert_eq!(done.status, status, "{arguments}: {}", done.stderr);
        assert!(done.stderr.contains("--set address_width=64"), "{arguments}: {}", done.stderr);
        assert!(
            !done.stderr.contains("note:") && done.stdout.is_empty(),
            "{arguments}: {}",
            done.stderr
        );
    }
}

/// From a program to a design, in the order of docs/cluster.md.
#[test]
fn a_search_runs_on_a_program_with_64_bit_addresses() {
    let folder = folder();
    let space =
        "preset = \"traptor-m4\"\n[space]\ngshare_entries = [128, 512]\npc_shift = [2, 4]\n";
    folder.write("space.toml", space);
    folder.write("wide.toml", format!("{space}address_width = 64\n"));
    let explore = |search: &str| {
        format!("explore {search}.toml run.pet.zst -o {search} --json --emit designs")
    };
    let found = noted(&folder, &explore("space"), "every design is taken with");
    assert_eq!(found, folder.succeed(&explore("wide")));
    let found: serde_json::Value = serde_json::from_str(&found).expect("JSON");
    let rows = found["configurations"].as_array().expect("rows");
    assert_eq!(rows.len(), 4);
    assert!(rows.iter().all(|row| row["parameters"]["address_width"] == 64), "{found}");
    let reference = rows.iter().find(|row| row["design"] == "traptor-m4").expect("the preset");
    assert_eq!(reference["parameters"].as_object().map(serde_json::Map::len), Some(1));
    for part in ["1/2", "2/2"] {
        let results = part.replace('/', "-of-");
        folder.run(&format!("explore space.toml run.pet.zst -o {results} --shard {part}"));
    }
    let merged = folder.json("merge 1-of-2 2-of-2 -o merged --json");
    assert_eq!(merged["configurations"], found["configurations"]);
    let best = rows.iter().find(|row| row["is_on_front"] == true).expect("a front");
    let name = best["design"].as_str().expect("a name");
    folder.succeed(&format!("measure --design designs/{name}.toml run.pet.zst"));
    folder.succeed(&format!("generate designs/{name}.toml -o build"));
    assert!(folder.text(&format!("build/{name}/{name}.toml")).contains("address_width = 64\n"));
    // A space of fixed values alone, which a preset has none of, is that preset with them.
    folder.write("fixed.toml", "preset = \"talon-s\"\n[space]\naddress_width = 64\n");
    let fixed = folder.json("explore fixed.toml run.pet.zst -o fixed --json");
    assert_eq!(fixed["configurations"].as_array().map(Vec::len), Some(1), "{fixed}");
}
