//! The folder that `generate --split` writes.

use std::fs;
use std::process::Command;

use crate::common::Folder;

/// With `--split` every file has one module, of its name, also those of the wrappers.
#[test]
fn split_files_need_no_waiver() {
    let folder = Folder::new();
    for (options, top) in [
        ("", "traptor_s1"),
        ("--sink axi-stream", "traptor_s1"),
        ("--ingress rvfi --set alignment=1", "traptor_s1_rvfi"),
    ] {
        folder.succeed(&format!("generate traptor-s1 --split --force {options} -o build"));
        let made = folder.path("build/traptor-s1");
        let files = fs::read_dir(&made).expect("the folder");
        let files =
            files.map(|file| file.expect("a file").file_name().into_string().expect("a name"));
        let is_design = |name: &String| name.ends_with(".v") && !name.contains("_icestorm");
        let files: Vec<String> = files.filter(is_design).collect();
        assert!(files.iter().any(|file| file.ends_with("_axi_stream.v")), "{files:?}");
        let linted = Command::new("verilator")
            .args(["--lint-only", "-Wall", "--top-module", &format!("{top}_axis")])
            .args(&files)
            .current_dir(&made)
            .output()
            .expect("Verilator");
        let said = String::from_utf8_lossy(&linted.stderr).into_owned();
        assert!(linted.status.success() && said.is_empty(), "{options}: {said}");
        let core = folder.text("build/traptor-s1/traptor-s1.core");
        for file in &files {
            assert_eq!(
                core.matches(&format!("- {file}\n")).count(),
                1,
                "{options}: {file}: {core}"
            );
        }
    }
}
