//! Emulators that cannot be used.

use std::os::unix::fs::PermissionsExt;

use super::Target;
use crate::common::Folder;

/// Many distributions build QEMU's emulators of programs without plugins (findings/qemu_user_plugins.sh). Such a one is
/// told from one that fails for another reason.
#[test]
fn an_emulator_without_plugins_is_told() {
    let folder = Folder::new();
    let program = Target::RiscV64.compile(&folder, "threads", &["-pthread"]);
    let emulator = |listed: &str| {
        folder.write(
            "qemu-riscv64",
            format!(
                "#!/bin/sh\ncase $1 in\n--version) echo 'qemu-riscv64 version 10.2.1 (Debian)' ;;\n-h) echo '{listed}' ;;\n\
                 *) echo \"qemu: unknown option 'plugin'\" >&2; exit 1 ;;\nesac\n"
            ),
        );
        let path = folder.path("qemu-riscv64");
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
        let words = ["capture", "-o", "run.pet", "--", program.as_str()];
        let here = folder.path(".").display().to_string();
        let done = folder.run_with(&[("PATH", &format!("{here}:/usr/bin:/bin"))], &words);
        assert_eq!((done.status, folder.path("run.pet").exists()), (1, false));
        done.stderr.replace('\n', " ")
    };
    let said = emulator("-strace  log system calls");
    assert!(
        said.contains("qemu-riscv64 (qemu-riscv64 version 10.2.1 (Debian)) was built"),
        "{said}"
    );
    assert!(said.contains("scripts/qemu-with-plugins puts into a folder"), "{said}");
    let said = emulator("-plugin  QEMU_PLUGIN");
    assert!(said.contains("10.2.1 (Debian)) ended (exit status: 1) before the program"), "{said}");
}
