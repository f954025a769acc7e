//! The help of every command, pinned.

use crate::common::Folder;

#[test]
fn help() {
    let folder = Folder::new();
    let commands = [
        "",
        "designs",
        "generate",
        "capture",
        "encode",
        "decode",
        "measure",
        "compare",
        "cosim",
        "live",
        "gates",
        "fpga",
        "explore",
        "fit-talon",
        "merge",
        "regress",
        "report",
        "coverage",
        "view",
        "trace",
        "trace info",
        "trace dump",
        "trace verify",
        "trace generate",
        "trace convert",
        "wset",
        "wset capture",
        "wset replay",
        "wset info",
        "manual",
    ];
    for command in commands {
        let text = folder.succeed(&format!("{command} --help"));
        assert!(
            text.lines().all(|line| line.chars().count() <= 100),
            "{command}: a line is too long"
        );
        let is_group = matches!(command, "" | "trace" | "wset");
        assert!(is_group || text.contains("Example"), "{command} has no example");
        let name =
            if command.is_empty() { "tracewright".into() } else { command.replace(' ', "-") };
        insta::assert_snapshot!(name, text);
    }
}

#[test]
fn version() {
    let expected = format!("tracewright {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(Folder::new().succeed("--version"), expected);
}
