//! AArch64: `workloads/aarch64/corners.elf`, whose source is beside it.

use std::path::Path;

use super::changes::written_again;
use super::oracle::{Execution, Target};
use super::{DESIGNS, SINGLE_STEP, accesses_of, capture, corners_of, threads_of, through_decoder};
use crate::common::Folder;

/// The program, copied.
pub fn small_program_of_aarch64() -> Folder {
    let folder = Folder::new();
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../workloads/aarch64/corners.elf");
    std::fs::copy(program, folder.path("corners.elf")).expect("the program");
    folder
}

/// Every instruction in QEMU's log, and none other; and four designs give the trace back.
#[test]
fn signals_faults_signed_and_tagged_pointers() {
    let folder = small_program_of_aarch64();
    let captured = capture(&folder, &["--data"], &["./corners.elf"]);
    let seen = (&captured["exit_status"], &captured["unexplained"], &captured["signals"]);
    assert_eq!(seen, (&59.into(), &0.into(), &7.into()), "{captured}");
    // The instructions that fault are logged, and so is the one that is tried again; `brk` retires.
    let log = Target::AArch64.log_of_single_steps(&folder, &["./corners.elf"], SINGLE_STEP);
    let execution = Execution::of_changing(&folder, "traptor-m4", "run.pet.zst", "run.images", 0);
    execution.compare(0, &log[&0], 3);
    through_decoder(&folder, &DESIGNS);
    through_decoder(&folder, &["talon-m"]);
    let view = "view run.pet.zst --images run.images --listing run.lst --count 1M --folded run.folded --lcov run.info";
    folder.succeed(view);
    let listing = folder.text("run.lst");
    for text in [
        "d65f0bff          retaa  ; returns to",
        "d73f092a          blraa x9, x10  ; calls twice",
        "d63f0d3f          blrabz x9  ; calls thrice",
        "d503233f          paciasp",
    ] {
        assert!(listing.contains(text), "{text}\n{listing}");
    }
    let folded = folder.text("run.folded");
    let stacks =
        ["begin;compute;tagged.constprop.0;twice 3", "compute;authenticated.constprop.0;thrice 3"];
    for stack in stacks {
        assert!(folded.contains(stack), "{stack}\n{folded}");
    }
}

/// What each thread did, from one run: QEMU writes its log while the plugin looks on.
#[test]
fn threads_with_exclusive_accesses() {
    let folder = small_program_of_aarch64();
    let log = folder.path("log");
    let variables = [
        ("QEMU_LOG", "exec,nochain"),
        ("QEMU_LOG_FILENAME", log.to_str().expect("text")),
        ("QEMU_SINGLESTEP", "1"),
    ];
    let words =
        ["capture", "--images", "run.images", "-o", "run.pet.zst", "--", "./corners.elf", "x"];
    let done = folder.run_with(&variables, &words);
    assert_eq!(done.status, 0, "{}", done.stderr);
    let log = Target::AArch64.read_log(folder.text("log").lines());
    assert_eq!(log.len(), 4);
    let execution =
        Execution::of_changing(&folder, "mctraptor-small-n4", "run.pet.zst", "run.images", 0);
    for (thread, logged) in &log {
        execution.compare(*thread, logged, if *thread == 0 { 3 } else { 0 });
    }
}

/// What the other processors' programs do, by a compiler that `scripts/setup` does not install.
#[test]
#[ignore = "needs gcc-aarch64-linux-gnu: make programs-check"]
fn programs_with_a_c_library() {
    let target = Target::AArch64;
    corners_of(target);
    threads_of(target);
    accesses_of(target);
    written_again(target);
}
