//! AArch64: frames whose return addresses are signed, in `workloads/aarch64/corners.elf`.

use crate::capture::small_program_of_aarch64;

use super::script;

#[test]
fn signed_return_addresses() {
    let folder = small_program_of_aarch64();
    let done = folder.run("capture -o run.pet.zst --images run.images -- ./corners.elf");
    assert_eq!(done.status, 0, "{}", done.stderr);
    let run = "run.pet.zst --images run.images";
    let commands = [
        "break thrice",
        "continue",
        "backtrace",
        "continue",
        "backtrace 3",
        "delete",
        "reverse-finish",
        "reverse-stepi",
        "output/x $cpsr",
    ];
    let commands = commands.map(str::to_owned);
    let printed = script::gdb(&folder, "corners.elf", run, &commands);
    for text in [
        "#1  authenticated (value=...) at ./corners.c:91\n#2  compute () at ./corners.c:179\n#3  begin (count=...) at",
        "#0  thrice (value=...) at ./corners.c:68\n#1  deep (depth=...) at ./corners.c:95\n#2  deep (depth=...) at",
        "(gdb) output/x $cpsr\n0x0",
    ] {
        assert!(printed.contains(text), "{text}\n{printed}");
    }
}
