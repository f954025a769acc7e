//! Coverage with branches, read by lcov and genhtml.

use super::{COMPILERS, captured, output, source};

#[test]
fn genhtml_shows_lines_functions_and_branches() {
    for compiler in COMPILERS {
        let folder = captured("records", compiler, &[]);
        folder.succeed("profile run.pet.zst --images run.images --format lcov -o run.info");
        let said = output(&folder, &["genhtml", "--branch-coverage", "-o", "html", "run.info"]);
        let has_problem = ["ERROR", "WARN"].iter().any(|word| said.contains(word));
        assert!(!has_problem, "{said}");
        for what in ["lines......: ", "functions..: ", "branches...: "] {
            let (_, rest) = said.split_once(what).expect("a rate");
            let rate: f64 =
                rest.split('%').next().and_then(|rate| rate.parse().ok()).expect("a rate");
            assert!(rate > 50.0, "{said}");
        }
        // A branch that is nearly always taken or not, and one in a function that never fails.
        let info = folder.text("run.info");
        let text = std::fs::read_to_string(source("records")).expect("a file");
        let line_of =
            |what: &str| 1 + text.lines().position(|line| line.contains(what)).expect("a line");
        let line = line_of("repair(record);");
        let of_line: Vec<u64> = info
            .lines()
            .filter_map(|one| one.strip_prefix(&format!("BRDA:{line},0,")))
            .map(|one| one.split(',').nth(1).expect("a count").parse().expect("a number"))
            .collect();
        assert_eq!(of_line.iter().sum::<u64>(), 1500, "{compiler}: {of_line:?}");
        assert!(of_line.contains(&10) || of_line.iter().any(|count| *count < 20), "{of_line:?}");
    }
}

/// Functions stand where they are declared, and one of which a line ran in another one has run.
#[test]
fn functions_are_at_their_declarations() {
    let folder = crate::common::Folder::new();
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/profile/programs");
    std::fs::copy(path.join("placed.c"), folder.path("placed.c")).expect("copied");
    let text = folder.text("placed.c");
    let line_of = |what: &str| {
        let is_line = |line: &str| line.contains(what) && !line.starts_with(' ');
        1 + text.lines().position(is_line).expect("a line")
    };
    for compiler in ["x86_64-linux-gnu-gcc", "riscv64-linux-gnu-gcc"] {
        for level in ["-O0", "-O1", "-O2"] {
            let options = [compiler, "-g", level, "-static", "-o", "placed", "placed.c"];
            output(&folder, &options);
            let done = folder.run("capture -o run.pet.zst --images run.images -- ./placed");
            assert_eq!(done.status, 0, "{}", done.stderr);
            folder.succeed("profile run.pet.zst --images run.images --format lcov -o run.info");
            let info = folder.text("run.info");
            for name in ["never", "some", "main"] {
                let line = line_of(&format!("{name}("));
                let is_there = info.contains(&format!("FN:{line},{name}\n"));
                assert!(is_there, "{compiler} {level}: {name} at {line} in\n{info}");
                assert!(info.contains(&format!("\nDA:{line},")), "{compiler} {level}: {info}");
            }
        }
    }
}

/// What the last version of genhtml takes for damage: a line that ran without a branch of it, and names of lambdas where only
/// an argument of a template is one.
#[test]
fn a_program_in_cxx_is_no_damage_to_genhtml() {
    let folder = crate::common::Folder::new();
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/profile/programs");
    std::fs::copy(path.join("lambdas.cpp"), folder.path("lambdas.cpp")).expect("copied");
    for level in ["-O0", "-O1", "-O2"] {
        let options =
            ["x86_64-linux-gnu-g++", "-g", level, "-static", "-o", "lambdas", "lambdas.cpp"];
        output(&folder, &options);
        let done = folder.run("capture -o run.pet.zst --images run.images -- ./lambdas");
        assert_eq!(done.status, 0, "{}", done.stderr);
        folder.succeed("profile run.pet.zst --images run.images --format lcov -o run.info");
        let info = folder.text("run.info");
        for record in info.split("end_of_record\n") {
            let of = |name: &str| {
                let rows = record.lines().filter_map(|line| line.strip_prefix(name));
                rows.map(|row| row.split(',').collect::<Vec<_>>()).collect::<Vec<_>>()
            };
            let branches = of("BRDA:");
            for ran in of("DA:").iter().filter(|row| row[1] != "0") {
                let of_line: Vec<_> =
                    branches.iter().filter(|branch| branch[0] == ran[0]).collect();
                let has_run = of_line.iter().any(|branch| !matches!(branch[3], "-" | "0"));
                assert!(of_line.is_empty() || has_run, "{level}: line {}\n{record}", ran[0]);
            }
        }
        let names = info.lines().filter(|line| line.starts_with("FN:"));
        for name in names.filter(|name| name.contains("{lambda(")) {
            assert!(name.contains("}::"), "{level}: {name}");
        }
        assert!(info.contains("main::<lambda("), "{level}: {info}");
        let said = output(&folder, &["genhtml", "--branch-coverage", "-o", "html", "run.info"]);
        assert!(!said.contains("ERROR"), "{said}");
    }
}
