use std::io::Write;

use super::*;

/// A library with an inverter, a buffer and a flip-flop, all names with this ending.
fn library(ending: &str, unit: &str, more: &str) -> String {
    format!(
        "library (kit{ending}) {{
  time_unit : \"{unit}\"; capacitive_load_unit (1, pf);
  lu_table_template (delays) {{ variable_1 : input_net_transition; index_1 (\"1, 2\"); }}
  {more}
  cell (INV{ending}) {{ area : 1; pin (A) {{ direction : input; capacitance : 0.5; }}
    pin (Y) {{ direction : output; function : \"!A\"; timing () {{ cell_rise (delays) {{ values (\"1, 2\"); }} }} }} }}
  cell (BUF{ending}) {{ area : 2; pin (A) {{ direction : input; capacitance : 0.25; }}
    pin (Y) {{ direction : output; function : \"(A)\"; }} }}
  cell (BIG{ending}) {{ area : 4; pin (A) {{ direction : input; capacitance : 1; }}
    pin (Y) {{ direction : output; function : \"A\"; }} }}
  cell (LATE{ending}) {{ area : 3; dont_use : true; pin (A) {{ direction : input; }} }}
}}
"
    )
}

fn joined(files: &[(&str, String)], options: &LibraryOptions) -> Result<Library> {
    let files: Vec<(Option<PathBuf>, String)> =
        files.iter().map(|(name, text)| (Some(PathBuf::from(name)), text.clone())).collect();
    join::join(&files, options)
}

fn names(library: &Library) -> Vec<&str> {
    library.areas.keys().map(String::as_str).collect()
}

#[test]
fn the_generic_cells() {
    let library = Library::generic().expect("it is a library");
    assert_eq!(library.name, "tracewright_generic_ge");
    let expected = [
        ("AND2", 1.33),
        ("AOI21", 1.33),
        ("BUF", 1.0),
        ("DFF", 5.67),
        ("DFFR", 6.67),
        ("DFFS", 6.67),
        ("INV", 0.67),
        ("MUX2", 2.33),
        ("NAND2", 1.0),
        ("NAND3", 1.33),
        ("NOR2", 1.0),
        ("NOR3", 1.33),
        ("OAI21", 1.33),
        ("OR2", 1.33),
        ("XNOR2", 2.33),
        ("XOR2", 2.33),
    ];
    let areas: Vec<(&str, f64)> =
        library.areas.iter().map(|(name, area)| (name.as_str(), *area)).collect();
    assert_eq!(areas, expected);
    assert_eq!(library.around, None);
    // One file of which nothing is left out is taken as it is.
    assert_eq!(library.text.trim_end(), GENERIC.trim_end());
}

#[test]
fn what_is_no_library() {
    for (text, reason) in [
        ("", "begin"),
        ("module x; endmodule", "begin"),
        ("library (x) { cell (A) { area : 1; }", "cut off"),
        ("library (x) { } }", "too many"),
        ("library (x) { cell (A) { area : wide; } }", "line 1"),
        ("library (x) { cell (A) { area : 1; pin (Y) { timing () { {", "cut off"),
        ("library (x) { cell (A) { pin (Y) { } } }", "no cell"),
        ("library (x) { /* cell", "comment"),
        ("library (x) { a : \"cell", "string"),
    ] {
        let error = joined(&[("x.lib", text.into())], &LibraryOptions::default());
        let error = error.expect_err(text).to_string();
        assert!(error.contains(reason) && error.contains("x.lib"), "{text}: {error}");
    }
}

#[test]
fn cells_that_are_not_used() {
    let file = [("kit.lib", library("", "1ns", ""))];
    let whole = joined(&file, &LibraryOptions::default()).expect("a library");
    assert_eq!(names(&whole), ["BIG", "BUF", "INV"]);
    assert!(!whole.text.contains("LATE") && whole.text.contains("lu_table_template (delays)"));
    let around = Surroundings { driving_cell: "BUF".into(), load_ff: 1000.0 };
    assert_eq!(whole.around, Some(around));

    let without = |pattern: &str| {
        let options = LibraryOptions { dont_use: vec![pattern.into()], ..Default::default() };
        joined(&file, &options)
    };
    assert_eq!(names(&without("B?F").expect("a library")), ["BIG", "INV"]);
    let left = without("B*").expect("a library");
    assert_eq!((names(&left), &left.around), (vec!["INV"], &None));
    let error = without("B").expect_err("no cell has that name").to_string();
    assert!(error.contains("kit.lib") && error.contains("like B"), "{error}");
}

#[test]
fn several_files_are_one_library() {
    let more = "lu_table_template (others) { variable_1 : related_pin_transition; }";
    let (one, other) = (library("_A", "1ns", ""), library("_B", "1 NS", more));
    let library = joined(&[("a.lib", one.clone()), ("b.lib", other)], &Default::default());
    let library = library.expect("a library");
    assert_eq!(names(&library), ["BIG_A", "BIG_B", "BUF_A", "BUF_B", "INV_A", "INV_B"]);
    assert_eq!(library.text.matches("lu_table_template (delays)").count(), 1);
    assert_eq!(library.text.matches("lu_table_template (others)").count(), 1);
    // What was written is a library again, with the same cells.
    let again = joined(&[("again.lib", library.text.clone())], &Default::default()).expect("it");
    assert_eq!((again.text, again.areas), (library.text, library.areas));

    for (other, reason) in [
        (self::library("_B", "1ps", ""), "time_unit"),
        (one.clone(), "INV_A is in a.lib too"),
        (self::library("_B", "1ns", "").replace("1, 2", "1, 3"), "lu_table_template delays"),
    ] {
        let error = joined(&[("a.lib", one.clone()), ("b.lib", other)], &Default::default());
        let error = error.expect_err(reason).to_string();
        assert!(error.contains("b.lib") && error.contains(reason), "{reason}: {error}");
    }
}

#[test]
fn surroundings_that_are_asked_for() {
    let around = |cell: &str, load_ff| {
        let driving_cell = Some(cell.to_owned());
        let options = LibraryOptions { driving_cell, load_ff, ..Default::default() };
        joined(&[("kit.lib", library("", "1ns", ""))], &options).map(|library| library.around)
    };
    let expected = |cell: &str, load_ff| Some(Surroundings { driving_cell: cell.into(), load_ff });
    assert_eq!(around("BIG", Some(7.5)).expect("a library"), expected("BIG", 7.5));
    assert_eq!(around("INV", None).expect("a library"), expected("INV", 1000.0));
    let error = around("LATE", None).expect_err("it is not used").to_string();
    assert!(error.contains("driving cell LATE"), "{error}");
}

#[test]
fn files_of_kits_are_compressed_and_not_all_text() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("kit.lib.gz");
    let file = fs::File::create(&path).expect("a file");
    let mut packed = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
    packed.write_all(b"/* \xa9 */ ").expect("it is written");
    packed.write_all(library("", "1ns", "").as_bytes()).expect("it is written");
    packed.finish().expect("it is written");
    let library = Library::load(std::slice::from_ref(&path), &Default::default());
    assert_eq!(names(&library.expect("a library")), ["BIG", "BUF", "INV"]);

    let whole = fs::read(&path).expect("the file");
    fs::write(&path, &whole[..whole.len() / 2]).expect("it is written");
    let error = Library::load(&[path], &Default::default()).expect_err("it is cut");
    assert!(error.to_string().contains("kit.lib.gz"), "{error}");
}
