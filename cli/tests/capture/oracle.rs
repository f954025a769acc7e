//! What QEMU itself says that a program did.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

use tracewright_image::{Image, list};
use tracewright_sim::code::Code;
use tracewright_sim::event::{Event, Item, Kind};
use tracewright_sim::trace_io;

use crate::common::Folder;

/// What programs are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    RiscV64,
    RiscV32,
    A32,
    Thumb,
    AArch64,
    X86_64,
}

impl Target {
    /// Those with a C library whose compilers `scripts/setup` installs.
    pub const ALL: [Target; 4] = [Target::RiscV64, Target::A32, Target::Thumb, Target::X86_64];

    /// The compiler and its Debian package.
    pub fn compiler(self) -> (&'static str, &'static str) {
        match self {
            Target::RiscV64 | Target::RiscV32 => ("riscv64-linux-gnu-gcc", "gcc-riscv64-linux-gnu"),
            Target::A32 => ("arm-linux-gnueabi-gcc", "gcc-arm-linux-gnueabi"),
            Target::Thumb => ("arm-linux-gnueabihf-gcc", "gcc-arm-linux-gnueabihf"),
            Target::AArch64 => ("aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu"),
            Target::X86_64 => ("gcc", "gcc"),
        }
    }

    /// Compiles a program of program/capture/tests/programs into the folder.
    pub fn compile(self, folder: &Folder, name: &str, options: &[&str]) -> String {
        let source = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../program/capture/tests/programs")
            .join(format!("{name}.c"));
        let (compiler, package) = self.compiler();
        let mode: &[&str] = match self {
            Target::A32 => &["-marm"],
            Target::Thumb => &["-mthumb"],
            Target::RiscV32 => &["-march=rv32imac", "-mabi=ilp32", "-nostdlib", "-ffreestanding"],
            Target::RiscV64 | Target::AArch64 | Target::X86_64 => &[],
        };
        let program = folder.path(name);
        let status = Command::new(compiler)
            .args(["-O2", "-static"])
            .args(mode)
            .args(options)
            .arg(source)
            .arg("-o")
            .arg(&program)
            .status()
            .unwrap_or_else(|_| panic!("{compiler} is missing: apt-get install {package}"));
        assert!(status.success());
        program.display().to_string()
    }

    pub fn emulator(self) -> &'static str {
        match self {
            Target::RiscV64 => "qemu-riscv64",
            Target::RiscV32 => "qemu-riscv32",
            Target::A32 | Target::Thumb => "qemu-arm",
            Target::AArch64 => "qemu-aarch64",
            Target::X86_64 => "qemu-x86_64",
        }
    }

    /// Runs a program one instruction at a time: the addresses of each thread's instructions.
    pub fn log_of_single_steps(
        self,
        folder: &Folder,
        program: &[&str],
        single_step: (&str, &str),
    ) -> BTreeMap<u8, Vec<u64>> {
        let log = folder.path("log");
        let emulator = self.emulator();
        let output = alone(emulator, single_step)
            .args(["-d", "exec,nochain", "-D"])
            .arg(&log)
            .args(program)
            .current_dir(folder.path("."))
            .output()
            .expect("setarch of util-linux");
        assert!(log.exists(), "{}", String::from_utf8_lossy(&output.stderr));
        self.read_log(folder.text("log").lines())
    }

    /// Lines such as `Trace 0: 0x7f6ba3a00100 [0000000000000000/000000000001056c/00207600/00000201] _start`.
    pub fn read_log(
        self,
        lines: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> BTreeMap<u8, Vec<u64>> {
        let mut threads = BTreeMap::<u8, Vec<u64>>::new();
        for line in lines {
            let Some(rest) = line.as_ref().strip_prefix("Trace ") else { continue };
            let (thread, rest) = rest.split_once(':').expect("a processor");
            let address = rest.split('/').nth(1).expect("an address");
            // The build of the file may follow.
            let address = address.split(' ').next().unwrap_or(address);
            let address = u64::from_str_radix(address, 16).expect("a number");
            let thread = threads.entry(thread.parse().expect("a number")).or_default();
            // A REP instruction is logged for every iteration, and runs once.
            if self != Target::X86_64 || thread.last() != Some(&address) {
                thread.push(address);
            }
        }
        threads
    }
}

/// A command that runs twice in the same way: at the same addresses, with next to no environment, which programs look
/// through when they begin, and with random numbers that are not.
pub fn alone(command: impl AsRef<OsStr>, variable: (&str, &str)) -> Command {
    let mut alone = Command::new("setarch");
    alone.arg("-R").arg(command).stdin(Stdio::null()).env_clear();
    alone.env("PATH", std::env::var_os("PATH").unwrap_or_default()).env(variable.0, variable.1);
    alone.envs([("QEMU_RAND_SEED", "1"), ("PERL_HASH_SEED", "0"), ("PYTHONHASHSEED", "0")]);
    alone
}

/// Every instruction of a trace.
pub struct Execution {
    /// Addresses by thread, without the Thumb bit; with true where an exception leads away after it.
    threads: BTreeMap<u8, Vec<(u64, bool)>>,
}

impl Execution {
    /// Follows a trace through the files that it ran from.
    pub fn of(folder: &Folder, trace: &str, images: &str) -> Execution {
        let mut image = None::<Image>;
        for file in list::read(&folder.text(images), Path::new(images)).expect("a list") {
            let (path, address) = (folder.path(&file.path), file.load_address);
            match &mut image {
                None => image = Some(Image::open(&path, address).expect("an ELF file")),
                Some(image) => image.add(&path, address).expect("an ELF file"),
            }
        }
        let image = image.expect("a file");
        let is_arm = image.instruction_set().address_bits() == 32;
        let mut threads = BTreeMap::<u8, (u64, Vec<(u64, bool)>)>::new();
        for event in trace_io::open(folder.path(trace)).expect("a trace") {
            let event = event.expect("an event");
            let (at, retired) = threads.entry(event.thread).or_default();
            follow(&image, &event, at, retired);
        }
        let clear = |(address, led): (u64, bool)| (address & !u64::from(is_arm), led);
        let threads = threads
            .into_iter()
            .map(|(thread, (_, retired))| (thread, retired.into_iter().map(clear).collect()))
            .collect();
        Execution { threads }
    }

    /// Follows a trace of code that changes: what `decode` says of what a design has, without the bits of `mark`.
    pub fn of_changing(
        folder: &Folder,
        design: &str,
        trace: &str,
        images: &str,
        mark: u64,
    ) -> Execution {
        let encode = format!("encode {design} --set address_width=64 {trace} -o run.bits");
        folder.succeed(&encode);
        let decode = "decode run.bits -o back.pet.zst --program-counters run.txt --images";
        folder.succeed(&format!("{decode} {images}"));
        let mut threads = BTreeMap::<u8, Vec<(u64, bool)>>::new();
        for line in folder.text("run.txt").lines().filter(|line| !line.starts_with('#')) {
            let (thread, address) = line.split_once(' ').unwrap_or(("0", line));
            let address = u64::from_str_radix(&address[2..], 16).expect("an address");
            let retired = threads.entry(thread.parse().expect("a thread")).or_default();
            retired.push((address & !mark, false));
        }
        let mut counts = BTreeMap::<u8, usize>::new();
        for event in trace_io::open(folder.path(trace)).expect("a trace") {
            let event = event.expect("an event");
            let count = counts.entry(event.thread).or_default();
            *count += event.instructions as usize;
            if event.kind == Kind::Exception && event.taken && *count > 0 {
                threads.get_mut(&event.thread).expect("a thread")[*count - 1].1 = true;
            }
        }
        Execution { threads }
    }

    /// Holds a thread against a log, in which `faults` instructions run that do not retire.
    pub fn compare(&self, thread: u8, log: &[u64], faults: usize) {
        let mut log = log.iter().copied().enumerate().peekable();
        let mut found = 0;
        let retired = &self.threads[&thread];
        for (index, &(address, _)) in retired.iter().enumerate() {
            let (line, logged) = log.next().expect("more instructions than QEMU logged");
            if logged == address {
                continue;
            }
            // It ran, but another one came next.
            let led = index > 0 && retired[index - 1].1;
            // QEMU logs a block again that another thread made it leave before its first instruction.
            let again = index > 0 && retired[index - 1].0 == logged;
            let next = log.next().map(|(_, next)| next);
            assert!(
                (led || again) && next == Some(address),
                "thread {thread}: instruction {index} is {address:#x}, QEMU's {line} is {logged:#x}"
            );
            found += usize::from(!again);
        }
        assert_eq!((log.count(), found), (0, faults), "instructions after the trace, faults");
    }
}

/// The instructions up to an event.
fn follow(image: &Image, event: &Event, at: &mut u64, retired: &mut Vec<(u64, bool)>) {
    for _ in 0..event.instructions {
        let instruction = image.instruction(*at).unwrap_or_else(|| panic!("no code at {at:#x}"));
        retired.push((*at, false));
        *at += u64::from(instruction.length);
    }
    if let Some((last, led)) = retired.last_mut() {
        assert_eq!(*last, event.program_counter, "{event}");
        *led = event.kind == Kind::Exception && event.taken;
    }
    if event.taken {
        *at = event.target;
    }
}

/// The accesses of a trace: which instruction made them, by its number in the run and its address.
pub fn accesses(path: &Path) -> Vec<(u64, u64, bool, u64)> {
    let mut before = 0;
    let mut accesses = Vec::new();
    for item in trace_io::open(path).expect("a trace").items() {
        match item.expect("an item") {
            Item::Event(event) => before += event.instructions,
            Item::State(_) | Item::Cycles(_) => {}
            Item::Access(access) => {
                let site = access.site;
                let number = before + site.instructions;
                accesses.push((number, site.program_counter, site.store, access.address));
            }
        }
    }
    accesses
}
