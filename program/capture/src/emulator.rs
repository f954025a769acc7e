//! Finds and starts QEMU.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use object::read::elf::{ElfFile32, FileHeader, ProgramHeader};
use object::{Endianness, FileKind, Object, ObjectSymbol, SymbolKind, elf};
use rustix::fs::{MemfdFlags, ftruncate, memfd_create};
use rustix::io::{FdFlags, fcntl_setfd};
use tracewright_capture_plugin::LIBRARY;
use tracewright_capture_plugin::wire::slot;
use tracewright_image::{Image, InstructionSet};
use tracewright_sim::event::{Isa, Machine};

use crate::Error;

/// An environment variable that names the plugin.
pub const PLUGIN_VARIABLE: &str = "TRACEWRIGHT_PLUGIN";

/// The program to run, QEMU and the plugin.
#[derive(Clone, Debug)]
pub struct Target {
    /// The program's file.
    pub program: PathBuf,
    /// The instruction set of the program.
    pub instruction_set: InstructionSet,
    /// The processor, as traces name it.
    pub machine: Machine,
    /// QEMU.
    pub emulator: PathBuf,
    /// True if QEMU emulates a machine, and is itself the program.
    pub is_machine: bool,
    /// The plugin's file; without one, the plugin is [`LIBRARY`].
    pub plugin: Option<PathBuf>,
}

impl Target {
    /// Finds the program, QEMU and the plugin. A program without a slash is searched for as a shell does.
    ///
    /// # Errors
    /// When one of them is missing, or the program cannot be captured.
    pub fn find(program: &OsStr, plugin: Option<&Path>) -> Result<Target, Error> {
        let path = find_program(program)?;
        if let Some(interpreter) = interpreter_of_script(&path) {
            return Err(Error::Script { path, interpreter });
        }
        let image = Image::open(&path, 0)?;
        let (instruction_set, mut machine) = (image.instruction_set(), image.machine());
        // The libraries of Linux have compressed instructions, whatever the program says of itself.
        if machine.isa == Isa::RiscV && linker_of(&path).is_some() {
            machine.alignment = 1;
        }
        if machine.isa == Isa::Arm && std::fs::read(&path).is_ok_and(|data| has_thumb_code(&data)) {
            machine.alignment = 0;
        }
        let name = emulator_name(instruction_set)?;
        let emulator = in_path(name.as_ref()).ok_or(Error::NoEmulator(name))?;
        let plugin = plugin_file(plugin)?;
        let is_machine = false;
        Ok(Target { program: path, instruction_set, machine, emulator, is_machine, plugin })
    }

    /// Finds the emulator of a machine, such as `qemu-system-riscv64`, and the plugin.
    ///
    /// # Errors
    /// When one of them is missing, or machines of this kind cannot be captured.
    pub fn find_machine(emulator: &OsStr, plugin: Option<&Path>) -> Result<Target, Error> {
        let name = Path::new(emulator).file_name().unwrap_or_default().to_string_lossy();
        let instruction_set = match &*name {
            "qemu-system-riscv64" => InstructionSet::RV64,
            "qemu-system-riscv32" => InstructionSet::RV32,
            _ => return Err(Error::NoMachine(emulator.to_string_lossy().into_owned())),
        };
        let path = find_program(emulator)
            .map_err(|_| Error::NoSystemEmulator(emulator.to_string_lossy().into_owned()))?;
        let address_bits = instruction_set.address_bits();
        let machine = Machine { isa: Isa::RiscV, address_bits, alignment: 1 };
        let plugin = plugin_file(plugin)?;
        let (program, emulator) = (path.clone(), path);
        Ok(Target { program, instruction_set, machine, emulator, is_machine: true, plugin })
    }

    /// Checks that the program's dynamic linker is in `sysroot`, as QEMU finds it, or else in `/`.
    ///
    /// # Errors
    /// When it is not there.
    pub(crate) fn check_linker(&self, sysroot: Option<&Path>) -> Result<(), Error> {
        if self.is_machine {
            return Ok(());
        }
        let linker = linker_of(&self.program).filter(|linker| linker.is_absolute());
        let Some(linker) = linker else { return Ok(()) };
        let inside = linker.strip_prefix("/").unwrap_or(&linker);
        let places = sysroot.map(|root| root.join(inside)).into_iter().chain([linker.clone()]);
        // A link in a folder of another system may lead to a place that is only right inside it.
        match places.into_iter().any(|place| place.symlink_metadata().is_ok()) {
            true => Ok(()),
            false => Err(Error::NoLinker { path: self.program.clone(), linker }),
        }
    }

    /// True if the program names a dynamic linker.
    pub(crate) fn is_dynamic(&self) -> bool {
        linker_of(&self.program).is_some()
    }

    /// QEMU's name.
    pub(crate) fn emulator_name(&self) -> &'static str {
        match self.instruction_set {
            InstructionSet::RiscV64(_) if self.is_machine => return "qemu-system-riscv64",
            _ if self.is_machine => return "qemu-system-riscv32",
            _ => {}
        }
        emulator_name(self.instruction_set).unwrap_or("qemu")
    }

    /// What QEMU says of its version.
    pub(crate) fn version(&self) -> String {
        let said = self.says("--version");
        said.lines().next().filter(|line| !line.is_empty()).unwrap_or("of no version").to_owned()
    }

    /// True if QEMU has the option for plugins: many distributions build it without.
    pub(crate) fn has_plugins(&self) -> bool {
        self.says("-h").lines().any(|line| line.starts_with("-plugin"))
    }

    fn says(&self, option: &str) -> String {
        let said = tracewright_interrupt::output(Command::new(&self.emulator).arg(option));
        said.map(|done| String::from_utf8_lossy(&done.stdout).into_owned()).unwrap_or_default()
    }

    /// The command, with everything but the program's arguments; the plugin reports accesses if there is `data`, and the
    /// ends of a machine's blocks if it `marks_ends`.
    pub(crate) fn command(
        &self,
        sysroot: Option<&Path>,
        (data, marks_ends): (bool, bool),
        inherited: &Inherited,
    ) -> Command {
        let mut command = Command::new(&self.emulator);
        if let Some(sysroot) = sysroot {
            command.arg("-L").arg(sysroot);
        }
        let Inherited { socket, slots, library } = inherited;
        let library = library.as_ref().map(AsRawFd::as_raw_fd);
        let path = match library {
            Some(library) => format!("/proc/self/fd/{library},library={library}"),
            // Commas separate arguments of the plugin, so one in its name is doubled.
            None => self
                .plugin
                .iter()
                .map(|plugin| plugin.to_string_lossy().replace(',', ",,"))
                .collect(),
        };
        let mut plugin = OsString::from(path);
        plugin.push(format!(",socket={},slots={}", socket.as_raw_fd(), slots.as_raw_fd()));
        if data {
            plugin.push(",data=on");
        }
        if marks_ends {
            plugin.push(",ends=on");
        }
        command.arg("-plugin").arg(plugin);
        if !self.is_machine {
            command.arg("--").arg(&self.program);
        }
        command
    }
}

/// The descriptors that QEMU inherits.
pub(crate) struct Inherited {
    /// The plugin's end of the socket.
    socket: OwnedFd,
    /// The shared file.
    slots: OwnedFd,
    /// The file of the plugin, unless it is the user's.
    library: Option<OwnedFd>,
}

impl Inherited {
    /// Makes the shared file and, for [`LIBRARY`], a file in memory, so that no file is left.
    pub(crate) fn new(socket: OwnedFd, target: &Target) -> std::io::Result<Inherited> {
        let slots = memfd_create("tracewright-slots", MemfdFlags::CLOEXEC)?;
        ftruncate(&slots, slot::FILE_BYTES as u64)?;
        let library = match target.plugin {
            Some(_) => None,
            None => {
                let mut file = File::from(memfd_create("tracewright-plugin", MemfdFlags::CLOEXEC)?);
                file.write_all(LIBRARY)?;
                Some(OwnedFd::from(file))
            }
        };
        for descriptor in [&socket, &slots].into_iter().chain(&library) {
            fcntl_setfd(descriptor, FdFlags::empty())?;
        }
        Ok(Inherited { socket, slots, library })
    }

    /// Closes all but the shared file, after QEMU has started.
    pub(crate) fn keep_slots(self) -> File {
        File::from(self.slots)
    }
}

/// The plugin's file, if there is one beside the command.
fn plugin_file(plugin: Option<&Path>) -> Result<Option<PathBuf>, Error> {
    let plugin =
        plugin.map(PathBuf::from).or_else(|| env::var_os(PLUGIN_VARIABLE).map(PathBuf::from));
    // QEMU would search for a bare name elsewhere.
    let plugin = plugin.map(|plugin| std::path::absolute(&plugin).unwrap_or(plugin));
    match plugin.as_ref().filter(|plugin| !plugin.is_file()) {
        Some(plugin) => Err(Error::NoPlugin(plugin.clone())),
        None => Ok(plugin),
    }
}

fn emulator_name(instruction_set: InstructionSet) -> Result<&'static str, Error> {
    match instruction_set {
        InstructionSet::RiscV32(_) => Ok("qemu-riscv32"),
        InstructionSet::RiscV64(_) => Ok("qemu-riscv64"),
        InstructionSet::Arm => Ok("qemu-arm"),
        InstructionSet::AArch64 => Ok("qemu-aarch64"),
        InstructionSet::X86_64 => Ok("qemu-x86_64"),
        InstructionSet::X86 => Err(Error::InstructionSet(instruction_set)),
    }
}

/// The command on the first line of a script.
fn interpreter_of_script(path: &Path) -> Option<String> {
    let mut first = Vec::new();
    File::open(path).ok()?.take(256).read_to_end(&mut first).ok()?;
    let line = first.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    Some(String::from_utf8_lossy(line).trim().escape_debug().to_string())
}

/// The dynamic linker that a program names, if it can be read.
fn linker_of(program: &Path) -> Option<PathBuf> {
    dynamic_linker(&std::fs::read(program).ok()?)
}

/// True if the symbols of an ARM program say that it has Thumb code: functions at odd addresses, or the marks `$t`
/// (ARM ELF, section 5.5.5). A stripped program that begins in A32 does not say it.
fn has_thumb_code(data: &[u8]) -> bool {
    let Ok(file) = ElfFile32::<Endianness>::parse(data) else { return false };
    file.symbols().chain(file.dynamic_symbols()).any(|symbol| {
        let is_mark = symbol.name().is_ok_and(|name| name == "$t" || name.starts_with("$t."));
        let is_function = symbol.kind() == SymbolKind::Text && symbol.is_definition();
        is_mark || is_function && symbol.address() & 1 == 1
    })
}

/// The dynamic linker that an ELF file names.
fn dynamic_linker(data: &[u8]) -> Option<PathBuf> {
    fn find<H: FileHeader<Endian = Endianness>>(data: &[u8]) -> Option<PathBuf> {
        let header = H::parse(data).ok()?;
        let endian = header.endian().ok()?;
        let mut segments = header.program_headers(endian, data).ok()?.iter();
        let path = segments.find_map(|segment| segment.interpreter(endian, data).ok().flatten())?;
        Some(OsStr::from_bytes(path).into())
    }
    match FileKind::parse(data).ok()? {
        FileKind::Elf32 => find::<elf::FileHeader32<Endianness>>(data),
        FileKind::Elf64 => find::<elf::FileHeader64<Endianness>>(data),
        _ => None,
    }
}

fn find_program(program: &OsStr) -> Result<PathBuf, Error> {
    let path = PathBuf::from(program);
    let found = if path.components().count() > 1 || path.is_absolute() {
        path.is_file().then_some(path)
    } else {
        in_path(program)
    };
    found.ok_or_else(|| Error::NoProgram(program.to_string_lossy().into_owned()))
}

fn in_path(name: &OsStr) -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
}
