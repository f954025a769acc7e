//! What is published: the packages of the crates, the bill of materials, and the command alone in an empty folder. The
//! packages themselves are made and installed by `make dist-check`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::common::Folder;

fn root() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    folder.canonicalize().expect("the workspace")
}

/// What a program prints, run in the workspace.
fn output(program: &str, arguments: &[&str]) -> Vec<u8> {
    let mut command = Command::new(program);
    // A compilation by the wrapper of the tests is not wanted here, and a fixed time is.
    command.current_dir(root()).env("SOURCE_DATE_EPOCH", "1000000000");
    let output = command.args(arguments).output().expect("the program");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} {arguments:?}: {said}");
    output.stdout
}

fn members() -> Vec<Value> {
    let arguments = ["metadata", "--format-version", "1", "--no-deps", "--locked", "--offline"];
    let metadata: Value =
        serde_json::from_slice(&output("cargo", &arguments)).expect("the metadata");
    let members = metadata["packages"].as_array().expect("packages").clone();
    assert!(members.iter().any(|package| package["name"] == "tracewright"), "{members:?}");
    members
}

/// The folder of a package.
fn folder(package: &Value) -> PathBuf {
    let manifest = Path::new(package["manifest_path"].as_str().expect("a path"));
    manifest.parent().expect("a folder").to_path_buf()
}

#[test]
fn every_manifest_has_what_a_registry_shows() {
    for package in members() {
        let name = &package["name"];
        for field in ["description", "license", "repository", "homepage", "readme", "rust_version"]
        {
            assert!(
                package[field].as_str().is_some_and(|text| !text.is_empty()),
                "{name}: {field}"
            );
        }
        let keywords = package["keywords"].as_array().expect("keywords");
        // The registry takes five keywords of twenty characters.
        let short = |word: &Value| word.as_str().is_some_and(|word| word.len() <= 20);
        assert!((1..=5).contains(&keywords.len()) && keywords.iter().all(short), "{name}");
        assert!(!package["categories"].as_array().expect("categories").is_empty(), "{name}");
        assert!(package["publish"].is_null(), "{name} cannot be published");
        let readme = folder(&package).join(package["readme"].as_str().expect("a path"));
        assert!(readme.is_file(), "{}", readme.display());
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            // The registry has no folders: a dependency without a version is lost.
            assert_ne!(dependency["req"], "*", "{name} needs {}", dependency["name"]);
        }
    }
}

/// The files that a package has.
fn packed(package: &Value) -> BTreeSet<PathBuf> {
    let name = package["name"].as_str().expect("a name");
    let arguments =
        ["package", "--list", "--allow-dirty", "--locked", "--offline", "--package", name];
    let listed = String::from_utf8(output("cargo", &arguments)).expect("text");
    listed.lines().map(PathBuf::from).collect()
}

/// The files that a source file includes, as the source writes them.
fn included(source: &str) -> Vec<&str> {
    let begins = ["include_str!(\"", "include_bytes!(\"", "include!(\"", "#[path = \""];
    let calls = begins.iter().flat_map(|begin| source.split(begin).skip(1));
    calls.filter_map(|rest| rest.split('"').next()).collect()
}

/// A path without `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => assert!(normal.pop(), "{} leaves its package", path.display()),
            Component::Normal(name) => normal.push(name),
            _ => {}
        }
    }
    normal
}

/// `cargo package` does not see what macros read; a crate that lacks a file is found out by whoever compiles it.
#[test]
fn every_package_has_the_files_that_it_includes() {
    let mut count = 0;
    for package in members() {
        let (folder, files) = (folder(&package), packed(&package));
        assert!(!files.iter().any(|file| file.starts_with("tests")), "{files:?}");
        for file in files.iter().filter(|file| file.extension().is_some_and(|kind| kind == "rs")) {
            let source = fs::read_to_string(folder.join(file)).expect("the source");
            for name in included(&source) {
                let path = normal(&file.parent().expect("a folder").join(name));
                assert!(files.contains(&path), "{}: {name} is in no package", file.display());
                count += 1;
            }
        }
    }
    assert!(count > 30, "{count} files are included");
}

#[test]
fn the_bill_of_materials_lists_every_crate_of_the_command() {
    let bill = output("scripts/bill-of-materials", &[]);
    assert!(bill == output("scripts/bill-of-materials", &[]), "it differs from run to run");
    let bill: Value = serde_json::from_slice(&bill).expect("JSON");
    // What CycloneDX 1.5 requires, and what the serial number and the time have to look like.
    assert_eq!((&bill["bomFormat"], &bill["specVersion"]), (&"CycloneDX".into(), &"1.5".into()));
    assert_eq!(bill["metadata"]["timestamp"], "2001-09-09T01:46:40Z");
    let serial = bill["serialNumber"].as_str().and_then(|text| text.strip_prefix("urn:uuid:"));
    let dashes: Vec<usize> = serial.expect("a number").split('-').map(str::len).collect();
    assert_eq!(dashes, [8, 4, 4, 4, 12]);
    let components = bill["components"].as_array().expect("components");
    let mut references = BTreeSet::new();
    for component in components.iter().chain([&bill["metadata"]["component"]]) {
        for field in ["type", "name", "version", "purl", "bom-ref"] {
            assert!(component[field].is_string(), "{component}: {field}");
        }
        assert!(component["licenses"][0].is_object(), "{component} has no license");
        assert!(references.insert(component["bom-ref"].as_str()), "{component} is there twice");
        let of_registry = component["purl"].as_str().is_some_and(|purl| {
            purl.starts_with("pkg:cargo/")
                && !purl.contains("tracewright")
                && !purl.contains("verilator")
        });
        let hash = component["hashes"][0]["content"].as_str().unwrap_or_default();
        assert_eq!(of_registry, hash.len() == 64, "{component}");
    }
    for dependency in bill["dependencies"].as_array().expect("dependencies") {
        assert!(references.contains(&dependency["ref"].as_str()), "{dependency}");
        for other in dependency["dependsOn"].as_array().expect("references") {
            assert!(references.contains(&other.as_str()), "{other} is no component");
        }
    }
    // An independent list: what cargo would compile.
    let arguments =
        ["tree", "-p", "tracewright", "-e", "normal,build", "--prefix", "none", "--format", "{p}"];
    let tree = String::from_utf8(output("cargo", &arguments)).expect("text");
    let named = |line: &str| {
        let (name, rest) = line.split_once(" v").expect("a version");
        format!("pkg:cargo/{name}@{}", rest.split(' ').next().unwrap_or_default())
    };
    let tree: BTreeSet<String> = tree.lines().map(named).collect();
    let listed =
        references.iter().flatten().filter(|reference| reference.starts_with("pkg:cargo/"));
    let listed: BTreeSet<String> = listed.map(|reference| reference.replace("%2B", "+")).collect();
    let differ: Vec<&String> = listed.symmetric_difference(&tree).collect();
    assert!(differ.is_empty() && listed.len() > 100, "{differ:?}");
}

#[test]
fn the_command_alone_does_the_main_job_without_its_source() {
    let command = fs::read(env!("CARGO_BIN_EXE_tracewright")).expect("the command");
    let place = root().into_os_string().into_encoded_bytes();
    let names_it = command.windows(place.len()).any(|bytes| bytes == place);
    assert!(!names_it, "the command has the name of the folder of its source");
    let folder = Folder::new();
    let alone = folder.path("tracewright");
    fs::copy(env!("CARGO_BIN_EXE_tracewright"), &alone).expect("a copy");
    output("scripts/main-job", &[alone.to_str().expect("a name")]);
}
