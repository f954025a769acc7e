//! A server that is sent what no debugger sends.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use crate::common::Folder;

use super::script;

/// A server of a small run.
struct Server {
    process: Child,
    port: u16,
}

impl Server {
    fn new(folder: &Folder) -> Server {
        script::take_programs(folder);
        script::compile(folder, "x86_64-linux-gnu-gcc -O1 -nostdlib -static -o small small.c");
        assert_eq!(folder.run("capture -o small.pet.zst -- ./small").status, 0);
        let arguments = ["debug", "small.pet.zst", "--program", "small"];
        let mut process =
            folder.command(&arguments).stdout(Stdio::piped()).spawn().expect("a server");
        let lines = BufReader::new(process.stdout.take().expect("a pipe")).lines();
        let mut waiting = lines.map_while(Result::ok).filter(|line| line.starts_with("waiting"));
        let line = waiting.next().expect("a port");
        let port = line.rsplit(':').next().and_then(|port| port.parse().ok()).expect("a number");
        Server { process, port }
    }

    fn connect(&self) -> Debugger {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        let minute = std::time::Duration::from_secs(60);
        stream.set_read_timeout(Some(minute)).expect("a time");
        Debugger(stream)
    }
}

struct Debugger(TcpStream);

impl Debugger {
    fn send(&mut self, bytes: &[u8]) {
        self.0.write_all(bytes).expect("sent");
    }

    fn byte(&mut self) -> u8 {
        let mut byte = [0];
        self.0.read_exact(&mut byte).expect("an answer");
        byte[0]
    }

    /// What a packet is answered.
    fn ask(&mut self, body: &str) -> String {
        let sum = body.bytes().fold(0u8, |sum, byte| sum.wrapping_add(byte));
        self.send(format!("${body}#{sum:02x}").as_bytes());
        self.answer()
    }

    fn answer(&mut self) -> String {
        while self.byte() != b'$' {}
        let mut text = Vec::new();
        loop {
            match self.byte() {
                b'#' => break,
                byte => text.push(byte),
            }
        }
        self.byte();
        self.byte();
        self.send(b"+");
        String::from_utf8(text).expect("text")
    }
}

#[test]
fn packets_that_are_not_understood() {
    let folder = Folder::new();
    let mut server = Server::new(&folder);
    drop(server.connect());
    server.connect().send(b"\x16\x03\x01 a handshake of another protocol");
    let mut debugger = server.connect();
    debugger.ask("qSupported:multiprocess+;xmlRegisters=i386");
    assert_eq!(debugger.ask("Hg1"), "OK");
    let registers = debugger.ask("g");
    assert!(registers.contains('x'), "{registers}");
    // A packet that has been damaged is asked for again.
    debugger.send(b"$g#00");
    assert_eq!(debugger.byte(), b'-');
    for body in ["m", "mzz,1", "Z0", "Hg", "Hgx", "vCont;q", "G12", "qSupported:=", "vCont;s:zz"] {
        debugger.ask(body);
        assert_eq!(debugger.ask("g"), registers, "after {body}");
    }
    assert!(debugger.ask(&"x".repeat(9_000)).starts_with('E'));
    assert_eq!(debugger.ask("Hg-1"), "OK");
    assert_eq!(debugger.ask("Hgp1.-1"), "OK");
    assert_eq!(debugger.ask("g"), registers);
    assert!(debugger.ask("Hgffff").len() <= 3 && debugger.ask("g").starts_with('E'));
    assert_eq!(debugger.ask("Hg1"), "OK");
    assert!(debugger.ask("P10=00").starts_with("E.registers"));
    // One register, by its number: the program counter, and one that is not known.
    assert!(!debugger.ask("p10").starts_with('E'));
    assert!(debugger.ask("p0").starts_with('E'));
    // A step, and another connection: it is where the last one was.
    let stop = debugger.ask("vCont;s:p1.1");
    assert!(stop.starts_with("T05"), "{stop}");
    let moved = debugger.ask("g");
    assert_ne!(moved, registers);
    drop(debugger);
    let mut debugger = server.connect();
    assert_eq!(debugger.ask("Hg1"), "OK");
    assert_eq!(debugger.ask("g"), moved);
    debugger.send(b"$D#44");
    assert!(server.process.wait().expect("an end").success());
}
