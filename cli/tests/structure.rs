//! The source as a whole: what no compiler checks.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Lines of a file that is still read in one go.
const MOST_LINES: usize = 400;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The folders of the workspace's crates.
fn crates() -> Vec<PathBuf> {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("the workspace");
    let members = manifest.split_once("members = [").and_then(|(_, rest)| rest.split_once(']'));
    let (members, _) = members.expect("members");
    let crates: Vec<PathBuf> =
        members.split('"').skip(1).step_by(2).map(|member| root().join(member)).collect();
    assert!(crates.iter().any(|folder| folder.ends_with("sim")), "{crates:?}");
    crates
}

/// Every Rust file below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = folder.read_dir() else { return Vec::new() };
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths
        .flat_map(|path| match path.is_dir() {
            true => sources(&path),
            false => vec![path],
        })
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// With `autotests = false` cargo does not look for tests by itself.
#[test]
fn every_test_file_is_in_its_program() {
    for folder in crates() {
        let main = folder.join("tests/main.rs");
        if !main.exists() {
            continue;
        }
        let main = read(&main);
        for path in sources(&folder.join("tests")) {
            let relative = path.strip_prefix(folder.join("tests")).expect("below it");
            let first = relative.iter().next().expect("a name").to_string_lossy();
            let module = first.trim_end_matches(".rs");
            let parent = format!("{module}.rs");
            let named = main.contains(&format!("mod {module};"));
            // A folder may also be the modules of a file of its name.
            let is_part =
                relative.components().count() > 1 && folder.join("tests").join(parent).exists();
            assert!(module == "main" || named || is_part, "{}", path.display());
        }
    }
}

/// Libraries that are not compiled for unit tests have none.
#[test]
fn no_unit_test_is_left_out() {
    for folder in crates() {
        let manifest = read(&folder.join("Cargo.toml"));
        if !manifest.contains("\ntest = false") {
            continue;
        }
        for path in sources(&folder.join("src")) {
            assert!(!read(&path).contains("#[test]"), "{} has unit tests", path.display());
        }
    }
}

/// Long functions are found by clippy (`clippy.toml`), long files by nobody else.
#[test]
fn no_file_is_too_long() {
    let mut folders = crates();
    folders.push(root().join("fuzz"));
    for path in folders.iter().flat_map(|folder| sources(folder)) {
        let lines = read(&path).lines().count();
        assert!(lines <= MOST_LINES, "{} has {lines} lines", path.display());
    }
}

/// A child process that `interrupt` does not know goes on after a signal.
#[test]
fn interrupt_starts_every_child_process() {
    let own = [".spawn()", ".output()", ".status()"];
    for folder in crates().into_iter().filter(|folder| !folder.ends_with("interrupt")) {
        for path in sources(&folder.join("src")) {
            let text = read(&path);
            let library = text.split("#[cfg(test)]").next().unwrap_or_default();
            let found = own.iter().find(|call| library.contains(**call));
            assert_eq!(found, None, "{}: use tracewright_interrupt", path.display());
        }
    }
}

/// What opens or makes a file elsewhere is unknown to the list of a command's files, which keeps outputs from
/// replacing inputs.
#[test]
fn one_place_knows_the_files_of_a_command() {
    let places = ["paths.rs", "output.rs", "folder.rs", "parts.rs"];
    let own = [
        "File::open",
        "File::create",
        "File::options",
        "OpenOptions",
        "fs::read",
        "fs::write",
        "fs::create",
        "fs::copy",
        "fs::rename",
        "fs::remove",
        "tempfile",
        "trace_io::open",
        "Reader::open",
    ];
    for path in sources(&root().join("cli/src")) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_place = path.parent().is_some_and(|folder| folder.ends_with("pipeline"));
        if is_place && places.contains(&&*name) {
            continue;
        }
        let text = read(&path).replace("OutputFile::", "");
        let found = own.iter().find(|call| text.contains(**call));
        assert_eq!(found, None, "{}: use pipeline/paths.rs", path.display());
    }
}

/// Some packages of the workspace, and those that they need, with the features that each is compiled with.
fn features(packages: &str, edges: &str) -> BTreeMap<String, BTreeSet<String>> {
    let arguments = ["tree", "--locked", "--offline", "--prefix", "none"];
    let tree = Command::new(env!("CARGO"))
        .args(arguments)
        .arg(packages)
        .args(["--edges", edges, "--format", "{p}|{f}"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let mut features: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for line in String::from_utf8_lossy(&tree.stdout).lines() {
        // An empty line is between two packages of the workspace.
        let Some((package, of_package)) = line.trim_end_matches(" (*)").split_once('|') else {
            continue;
        };
        features.entry(package.to_owned()).or_default().insert(of_package.to_owned());
    }
    features
}

/// Otherwise `make test` compiles everything twice (docs/development.md).
#[test]
fn tests_need_no_other_features() {
    assert!(features("--workspace", "normal,build").len() > 100);
    let with_tests = features("--workspace", "normal,build,dev");
    for (package, of_package) in features("--workspace", "normal,build") {
        assert_eq!(with_tests.get(&package), Some(&of_package), "{package}");
    }
}

/// Words that are names of pins and something else, and where they are that.
const OTHER_WORDS: [(&str, &[&str]); 10] = [
    // Flags of records, and the word of a record's layout that has them.
    ("flush", &["sim/src", "hdl/src/stream_cache"]),
    // Parameters of a design, and their words.
    ("reset", &["sim/src"]),
    ("stall", &["sim/src", "verification/src"]),
    ("clock_enable", &["sim/src", "verification/src"]),
    ("filter_context", &["sim/src", "verification/src"]),
    // Reasons of a gap in a trace.
    ("lost", &["sim/src"]),
    ("filtered", &["sim/src"]),
    // A key of Liberty.
    ("enable", &["synthesis/src/power/cells.rs"]),
    // The memory of a board of a live core.
    ("data_address", &["testbench/src/live"]),
    // A clock in unit tests, and an option of `gates`.
    ("clock", &["testbench/src/glue.rs", "cli/src/cmd_gates.rs", "synthesis/src/power/tests.rs"]),
];

/// Elsewhere a pin is known by the constant of its row, so that a new one, or another name, is stated once.
/// `hdl/elaborate` makes the clock and the reset of any hardware.
#[test]
fn one_table_has_the_names_of_pins() {
    let names = tracewright_sim::pins::names();
    for folder in crates().into_iter().filter(|folder| !folder.ends_with("hdl/elaborate")) {
        for path in sources(&folder.join("src")) {
            let place = path.strip_prefix(root()).expect("below it").to_string_lossy();
            if place.starts_with("sim/src/pins/") {
                continue;
            }
            let text = read(&path);
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            for literal in code.flat_map(|line| line.split('"').skip(1).step_by(2)) {
                // With a number after it, as in "trace_data_{number}", it is the name, too.
                let name = literal.split_once("_{").map_or(literal, |(name, _)| name);
                let is_other = OTHER_WORDS.iter().any(|(word, places)| {
                    *word == name && places.iter().any(|other| place.starts_with(other))
                });
                assert!(
                    is_other || !names.contains(&name),
                    "{place} has \"{literal}\": use tracewright_sim::pins"
                );
            }
        }
    }
}

/// The wheel is compiled alone: with other features, it would compile everything again.
#[test]
fn the_wheel_needs_no_other_features() {
    let of_wheel = features("--package=tracewright-python", "normal,build");
    for (package, of_package) in features("--package=tracewright", "normal,build") {
        assert_eq!(of_wheel.get(&package), Some(&of_package), "{package}");
    }
}
