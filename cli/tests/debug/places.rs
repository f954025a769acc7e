//! The server alone, without GDB.

use crate::common::Folder;

use super::script;

/// `--json` names the port, at which one debugger is served; one that goes away at once ends the command.
#[test]
fn port() {
    use std::io::{BufRead, BufReader};
    use std::net::TcpStream;
    use std::process::Stdio;

    let folder = Folder::new();
    script::take_programs(&folder);
    script::compile(&folder, "x86_64-linux-gnu-gcc -O1 -nostdlib -static -o small small.c");
    let done = folder.run("capture -o small.pet.zst -- ./small");
    assert_eq!(done.status, 0, "{}", done.stderr);
    let arguments = ["debug", "small.pet.zst", "--program", "small", "--json"];
    let mut server = folder.command(&arguments).stdout(Stdio::piped()).spawn().expect("a server");
    let mut lines = BufReader::new(server.stdout.take().expect("a pipe")).lines();
    let text: String =
        lines.by_ref().map_while(Result::ok).take_while(|line| line != "}").collect();
    let shown: serde_json::Value = serde_json::from_str(&(text + "}")).expect("JSON");
    assert_eq!((&shown["threads"], &shown["gaps"]), (&1.into(), &0.into()));
    let port = shown["port"].as_u64().expect("a port");
    drop(TcpStream::connect(("127.0.0.1", port as u16)).expect("a connection"));
    assert!(server.wait().expect("an end").success());
}
