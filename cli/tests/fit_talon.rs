//! Talon's fitted tables: the bits that they are fitted by, what they bring, and bad input.

use serde_json::Value;

use crate::common::bad::{Bad, bad_traces};
use crate::common::{Folder, is_long};

/// Programs of both machines.
const PROGRAMS: [&str; 3] = ["arm-fft-head", "arm-stringsearch", "rv64-stringsearch"];

fn folder() -> Folder {
    let folder = Folder::new();
    let events = if is_long() { 200_000 } else { 60_000 };
    for name in PROGRAMS {
        folder.take_head(name, events, &format!("{name}.pet.zst"));
    }
    folder
}

fn sum(of: &Value, key: &str) -> f64 {
    of.as_array().expect("traces").iter().map(|one| one[key].as_f64().expect(key)).sum()
}

fn number(of: &Value, key: &str) -> f64 {
    of[key].as_f64().unwrap_or_else(|| panic!("{key}: {of}"))
}

#[test]
fn counted_bits_are_those_of_the_encoder() {
    let folder = folder();
    let traces = PROGRAMS.map(|name| format!("{name}.pet.zst")).join(" ");
    for design in ["talon-m", "talon-xl"] {
        let fitted =
            folder.json(&format!("fit-talon {traces} --design {design} -o fitted.toml --json"));
        let both = format!("measure --design {design},fitted.toml {traces} --json");
        let measured = folder.json(&both);
        let measured = measured.as_array().expect("measurements");
        let of_designs = measured.split_at(PROGRAMS.len());
        for (of_design, when) in [(of_designs.0, "before"), (of_designs.1, "after")] {
            let fields = ["outcome", "return", "indirect", "carry"];
            let of_symbols = |one: &Value| -> f64 {
                fields.iter().filter_map(|field| one["fields"][*field].as_f64()).sum()
            };
            let symbols: f64 = of_design.iter().map(of_symbols).sum();
            let counted = number(&fitted, &format!("symbol_bits_{when}"));
            let ratio = symbols / counted;
            assert!((1.0..1.02).contains(&ratio), "{design} {when}: {symbols} bits, {counted}");
            // The whole bits are those of `measure`.
            let bits: f64 = of_design.iter().map(|one| number(one, "bits")).sum();
            assert_eq!(sum(&fitted["traces"], &format!("bits_{when}")), bits, "{design} {when}");
        }
    }
}

#[test]
fn a_fit_is_better_on_its_traces_and_decodes() {
    let folder = folder();
    let fit = "fit-talon arm-fft-head.pet.zst arm-stringsearch.pet.zst -o mine.toml";
    let fitted = folder.json(&format!("{fit} --validate rv64-stringsearch.pet.zst --json"));
    let (before, after) =
        (sum(&fitted["traces"], "bits_before"), sum(&fitted["traces"], "bits_after"));
    assert!(after < before, "{fitted}");
    assert_eq!(fitted["validation"][0]["trace"], "rv64-stringsearch.pet.zst");
    assert_eq!(fitted["design"], "mine");
    assert!(fitted["parameters"]["bimodal_scores"].is_array(), "{fitted}");

    folder.succeed("encode mine.toml arm-stringsearch.pet.zst -o run.bits");
    folder.succeed("decode run.bits --program arm-stringsearch.pet.zst -o back.pet.zst");
    let text = |trace: &str| folder.succeed(&format!("trace dump {trace}"));
    assert_eq!(text("back.pet.zst"), text("arm-stringsearch.pet.zst"));

    // Tables that are fitted already gain next to nothing, and lose nothing.
    let traces = "arm-fft-head.pet.zst arm-stringsearch.pet.zst";
    let again = folder.json(&format!("fit-talon {traces} --design mine.toml -o again.toml --json"));
    let refitted = sum(&again["traces"], "bits_after");
    assert!(refitted <= after && refitted > 0.995 * after, "{refitted} after {after}");
}

#[test]
fn damaged_tables_are_repaired() {
    let folder = folder();
    let trace = "arm-stringsearch.pet.zst";
    let good = folder.json(&format!("fit-talon {trace} -o good.toml --json"));
    let zeros = "[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]";
    for damage in [
        format!("bimodal_scores={zeros}"),
        "gshare_scores=[20,-20,20,-20,20,-20,20,-20,20]".to_owned(),
        "single_target_confidences=[1,1,1,1]".to_owned(),
        "return_confidence=1".to_owned(),
        "choice_confidences=[8,8,1,1]".to_owned(),
    ] {
        let repaired =
            folder.json(&format!("fit-talon {trace} --set {damage} -o repaired.toml --json"));
        let bits = |fitted: &Value| number(fitted, "symbol_bits_after");
        assert!(bits(&repaired) < 1.005 * bits(&good), "{damage}: {repaired}");
        assert!(number(&repaired, "symbol_bits_before") > bits(&repaired), "{damage}: {repaired}");
    }
}

#[test]
fn standard_output_has_the_design_alone() {
    let folder = folder();
    let fit = "fit-talon arm-stringsearch.pet.zst --set name=mine -o";
    folder.succeed(&format!("{fit} file.toml"));
    assert_eq!(folder.succeed(&format!("{fit} -")), folder.text("file.toml"));
    assert!(folder.text("file.toml").contains("\nname = \"mine\"\n"));
}

#[test]
fn bad_input_leaves_nothing() {
    let folder = Folder::with_run();
    let traces = bad_traces(&folder);
    folder.write("old.toml", "kept");
    let mut bad = Bad::new(folder);
    for trace in traces {
        bad.fails(1, &format!("fit-talon run.pet.zst {trace} -o out.toml"));
    }
    bad.fails(1, "fit-talon run.pet.zst --validate missing.pet.zst -o old.toml");
    assert_eq!(bad.folder.text("old.toml"), "kept");
    bad.fails(1, "fit-talon run.pet.zst -o missing/out.toml");
    bad.fails(2, "fit-talon run.pet.zst --design traptor-m4 -o out.toml");
    bad.fails(2, "fit-talon run.pet.zst --design talon-g -o out.toml");
    bad.fails(2, "fit-talon run.pet.zst --design missing -o out.toml");
    bad.fails(2, "fit-talon run.pet.zst --set most_confidence=20 -o out.toml");
    bad.fails(2, "fit-talon run.pet.zst -o 1.toml");
    bad.fails(2, "fit-talon - -o out.toml");
    bad.fails(2, "fit-talon run.pet.zst -o - --json");
    bad.fails(1, "fit-talon run.pet.zst -o out.toml --max-events 10");
    insta::assert_snapshot!(bad.shown);
}
