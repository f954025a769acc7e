//! Programs of every linker and of every kind of executable: their load addresses let `decode` follow them.

use std::path::Path;
use std::process::Command;

use super::{capture, through_decoder};
use crate::common::{Folder, is_long};

#[test]
fn load_addresses() {
    let source =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../program/capture/tests/programs/corners.c");
    let kinds = ["-pie", "-no-pie", "-static", "-static-pie"];
    for (place, linker) in ["lld", "bfd", "gold"].into_iter().enumerate() {
        // Two linkers make the first kind and the third, and one the others.
        let (first, step) = if is_long() { (0, 1) } else { (place % 2, 2) };
        for kind in kinds.into_iter().skip(first).step_by(step) {
            // gold does not make executables of this kind with the C library's start-up code.
            if (linker, kind) == ("gold", "-static-pie") {
                continue;
            }
            let folder = Folder::new();
            let program = folder.path("corners").display().to_string();
            let status = Command::new("gcc")
                .args(["-O1", &format!("-fuse-ld={linker}"), kind, "-fPIE"])
                .arg(&source)
                .args(["-o", &program])
                .status();
            assert!(status.expect("gcc").success(), "{linker} {kind}");
            let captured = capture(&folder, &[], &[&program]);
            assert_eq!(captured["unexplained"], 0, "{linker} {kind}: {captured}");
            assert_eq!(captured["code_changes"], 0, "{linker} {kind}: {captured}");
            through_decoder(&folder, &["traptor-m4"]);
            folder.succeed("view run.pet.zst --images run.images --functions");
        }
    }
}

/// What rustc makes by default: linked by lld, with a page of the file that belongs to two segments.
#[test]
fn a_program_in_rust() {
    let folder = Folder::new();
    folder
        .write("hello.rs", "fn main() { println!(\"{}\", (0..1000).map(|n| n % 7).sum::<i32>()) }");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let done = Command::new(rustc).args(["-O", "hello.rs"]).current_dir(folder.path(".")).output();
    let done = done.expect("rustc");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    capture(&folder, &[], &["./hello"]);
    through_decoder(&folder, &["traptor-m4"]);
    let view = folder.succeed("view run.pet.zst --images run.images --functions --top 2000");
    assert!(view.contains("hello::main"), "{view}");
}
