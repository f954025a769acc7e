//! QEMU's log of one instruction at a time, and a decoded trace, by thread and without holding either as text.

use std::collections::BTreeMap;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Command;
use std::thread::JoinHandle;

use tracewright_sim::event::Kind;
use tracewright_sim::trace_io;

use crate::capture::Target;
use crate::common::Folder;

/// Addresses by thread.
type Threads<T> = BTreeMap<u8, T>;

/// The log, read while QEMU writes it.
pub struct Log(JoinHandle<Threads<Vec<u64>>>);

impl Log {
    /// Makes a pipe `log` in the folder, and reads it until QEMU ends.
    pub fn begin(folder: &Folder, target: Target) -> Log {
        let path = folder.path("log");
        let _ = std::fs::remove_file(&path);
        assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo").success());
        Log(std::thread::spawn(move || {
            let pipe = BufReader::with_capacity(1 << 20, File::open(path).expect("the pipe"));
            let lines = pipe.split(b'\n').map(|line| line.expect("bytes"));
            target.read_log(lines.map(|line| String::from_utf8_lossy(&line).into_owned()))
        }))
    }

    /// The addresses of each thread's instructions.
    pub fn end(self) -> Threads<Vec<u64>> {
        self.0.join().expect("a log")
    }
}

/// The most instructions of a thread after the end of the program.
const AFTER_THE_END: usize = 10_000;

/// What a thread retired.
#[derive(Default)]
pub struct Retired {
    addresses: Vec<u64>,
    /// How many instructions were retired before each exception that led away.
    exceptions: Vec<usize>,
}

impl Retired {
    pub fn len(&self) -> u64 {
        self.addresses.len() as u64
    }

    /// Holds the thread against its log.
    ///
    /// Before an exception, the log has the instruction that did not retire. A block that another thread made QEMU leave
    /// before its first instruction is logged again. The thread is alone if it is the only one of its program.
    pub fn compare(&self, log: &[u64], is_alone: bool, name: &str) {
        let mut log = log.iter().copied().enumerate();
        let mut exceptions = self.exceptions.iter().copied().peekable();
        for (index, address) in self.addresses.iter().copied().enumerate() {
            while exceptions.peek().is_some_and(|place| *place < index) {
                exceptions.next();
            }
            let (line, logged) = log.next().expect("more instructions than QEMU logged");
            if logged == address {
                continue;
            }
            let led = exceptions.peek() == Some(&index);
            let again = index > 0 && self.addresses[index - 1] == logged;
            let next = log.next().map(|(_, next)| next);
            assert!(
                (led || again) && next == Some(address),
                "{name}: instruction {index} is {address:#x}, QEMU's {line} is {logged:#x}"
            );
        }
        // A thread goes on for a moment while another one ends the program.
        let after = if is_alone { 0 } else { AFTER_THE_END };
        assert!(log.count() <= after, "{name}: instructions after the trace");
    }
}

/// The instructions of run.txt, which `decode` has written, by thread; back.pet.zst says where exceptions were.
pub fn program_counters(folder: &Folder, target: Target) -> Threads<Retired> {
    let mark = u64::from(target == Target::Thumb || target == Target::A32);
    let mut threads = Threads::<Retired>::new();
    let file = BufReader::new(File::open(folder.path("run.txt")).expect("decoded"));
    for line in file.lines() {
        let line = line.expect("text");
        let (thread, address) = line.split_once(' ').unwrap_or(("0", &line));
        let address = u64::from_str_radix(&address[2..], 16).expect("an address");
        let thread = thread.parse().expect("a thread");
        threads.entry(thread).or_default().addresses.push(address & !mark);
    }
    let mut counts = Threads::<u64>::new();
    for event in trace_io::open(folder.path("back.pet.zst")).expect("a trace") {
        let event = event.expect("an event");
        let count = counts.entry(event.thread).or_default();
        *count += event.instructions;
        if event.kind == Kind::Exception && event.taken && *count > 0 {
            let retired = threads.get_mut(&event.thread).expect("a thread of the decoded trace");
            retired.exceptions.push(*count as usize);
        }
    }
    threads
}

/// The number of events of each thread, and a digest of them.
pub fn digests(path: &Path) -> Threads<(u64, u64)> {
    let mut threads = Threads::<(u64, DefaultHasher)>::new();
    for event in trace_io::open(path).expect("a trace") {
        let event = event.expect("an event");
        let (count, digest) = threads.entry(event.thread).or_default();
        *count += 1;
        event.hash(digest);
    }
    let ended =
        |(thread, (count, digest)): (u8, (u64, DefaultHasher))| (thread, (count, digest.finish()));
    threads.into_iter().map(ended).collect()
}
