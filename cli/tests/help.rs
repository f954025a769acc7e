//! The help of every command, pinned.

use crate::common::Folder;

/// Every command.
const COMMANDS: &[&str] = &[
    "",
    "advise",
    "designs",
    "generate",
    "capture",
    "encode",
    "decode",
    "measure",
    "compare",
    "cosim",
    "live",
    "funnel",
    "combine",
    "combine generate",
    "combine encode",
    "combine decode",
    "combine cosim",
    "gates",
    "fpga",
    "explore",
    "fit-talon",
    "adversary",
    "merge",
    "regress",
    "report",
    "reproduce",
    "coverage",
    "view",
    "profile",
    "debug",
    "trace",
    "trace info",
    "trace dump",
    "trace verify",
    "trace generate",
    "trace script",
    "trace convert",
    "trace import",
    "port-check",
    "power",
    "wset",
    "wset capture",
    "wset replay",
    "wset info",
    "manual",
];

#[test]
fn help() {
    let folder = Folder::new();
    let all = folder.succeed("--help");
    let (_, listed) = all.split_once("Commands:\n").expect("a list");
    let listed = listed.lines().take_while(|line| !line.is_empty());
    // Long descriptions go on in the next line.
    let names =
        listed.filter_map(|line| line.strip_prefix("  ").filter(|name| !name.starts_with(' ')));
    for name in names.filter_map(|line| line.split(' ').next()).filter(|name| *name != "help") {
        assert!(COMMANDS.contains(&name), "{name} is not pinned");
    }
    for &command in COMMANDS {
        let text = folder.succeed(&format!("{command} --help"));
        assert!(
            text.lines().all(|line| line.chars().count() <= 100),
            "{command}: a line is too long"
        );
        let is_group = matches!(command, "" | "combine" | "trace" | "wset");
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
