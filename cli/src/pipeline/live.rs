//! A program on a simulated core: its code, its image on the board, and the comparison of the trace with the
//! core's own report.

use std::fs;
use std::ops::Range;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use object::read::elf::{FileHeader, ProgramHeader};
use object::{Endianness, elf};
use tracewright_image::{Image, InstructionSet};
use tracewright_sim::code::{Code, Instruction};
use tracewright_sim::encode::bit_packer::BitUnpacker;
use tracewright_sim::event::{Event, Kind, Machine};
use tracewright_sim::program::Program;
use tracewright_sim::rvfi::Retirement;
use tracewright_sim::scheme::{self, Design};
use tracewright_testbench::VerilogFile;
use tracewright_testbench::live::{Board, Core};

/// Finds the Verilog files of a core in its package.
///
/// # Errors
/// When the package is not installed.
pub fn core_files(core: Core) -> Result<Vec<VerilogFile>> {
    let module = core.package().replace('-', "_");
    let script = format!("import {module}; print({module}.data_location)");
    let mut python = Command::new("python3");
    let found = python.args(["-c", &script]).stderr(Stdio::null()).output();
    let folder = found.ok().filter(|output| output.status.success());
    let folder = folder.and_then(|output| String::from_utf8(output.stdout).ok());
    let folder = folder.ok_or_else(|| {
        let package = core.package();
        anyhow!(
            "the core {core} is not installed; run scripts/setup and put build/venv/bin on the path, or run pip install {package}"
        )
    })?;
    let folder = Path::new(folder.trim());
    let files = core.files().map(|file| {
        let path = folder.join(file);
        let text = fs::read_to_string(&path);
        let text = text.with_context(|| format!("cannot read {}", path.display()))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Ok(VerilogFile::new(name, text))
    });
    files.collect()
}

/// A program for the board of a simulated core.
#[derive(Clone, Debug)]
pub struct LiveProgram {
    /// The memory after the program is loaded.
    pub board: Board,
    /// The code of the program and of the board.
    pub code: Arc<BoardCode>,
}

/// The code of a program and of the board that it runs on.
#[derive(Clone, Debug)]
pub struct BoardCode {
    image: Image,
    boot: Range<u64>,
    boot_code: [u8; 8],
}

impl Code for BoardCode {
    fn regions(&self) -> Vec<Range<u64>> {
        let mut regions = self.image.regions();
        regions.push(self.boot.clone());
        regions.sort_by_key(|region| region.start);
        regions
    }

    fn instruction(&self, address: u64) -> Option<Instruction> {
        if !self.boot.contains(&address) {
            return self.image.instruction(address);
        }
        let bytes = &self.boot_code[(address - self.boot.start) as usize..];
        InstructionSet::RiscV32.instruction(address, &[], bytes)
    }
}

impl LiveProgram {
    /// Loads an ELF file for a core.
    ///
    /// # Errors
    /// When the file is not for 32-bit RISC-V, or does not fit the board's memory.
    pub fn open(path: &Path, core: Core) -> Result<LiveProgram> {
        let named = || path.display().to_string();
        let image = Image::open(path, 0)?;
        if image.instruction_set() != InstructionSet::RiscV32 {
            let found = image.instruction_set();
            return Err(anyhow!("{}: is {found} code; {core} runs 32-bit RISC-V", named()));
        }
        let boot = core.boot_address();
        let mut board = Board::new(boot, image.entry() as u32);
        for (address, bytes) in segments(&image.files()[0].data).with_context(named)? {
            board.load(address, bytes).with_context(named)?;
        }
        let boot_code = Board::boot_code(image.entry() as u32);
        let boot = u64::from(boot)..u64::from(boot) + boot_code.len() as u64;
        Ok(LiveProgram { board, code: Arc::new(BoardCode { image, boot, boot_code }) })
    }

    /// The processor of the program.
    pub fn machine(&self) -> Machine {
        self.code.image.machine()
    }
}

/// The contents of an ELF file by physical address.
fn segments(data: &[u8]) -> object::Result<Vec<(u64, &[u8])>> {
    let header = elf::FileHeader32::<Endianness>::parse(data)?;
    let endian = header.endian()?;
    let mut segments = Vec::new();
    for segment in header.program_headers(endian, data)? {
        if segment.p_type(endian) == elf::PT_LOAD {
            let bytes = segment.data(endian, data).unwrap_or_default();
            if !bytes.is_empty() {
                segments.push((segment.p_paddr(endian).into(), bytes));
            }
        }
    }
    Ok(segments)
}

/// The part of a core's report that its trace must give back.
#[derive(Clone, Debug, Default)]
pub struct Log {
    program_counters: Vec<u32>,
    /// The numbers of the instructions that begin a handler.
    handlers: Vec<u64>,
    /// Number of instructions that ended in a trap.
    pub traps: u64,
}

impl Log {
    /// Adds one instruction.
    pub fn push(&mut self, retired: &Retirement) {
        if retired.interrupt {
            self.handlers.push(self.program_counters.len() as u64);
        }
        self.traps += u64::from(retired.trap);
        self.program_counters.push(retired.program_counter as u32);
    }

    /// Number of handlers that were entered.
    pub fn handlers(&self) -> u64 {
        self.handlers.len() as u64
    }
}

/// Decodes a trace against the code and compares it with the log, instruction by instruction. Returns the number of
/// taken exceptions, the reset included.
///
/// # Errors
/// The first instruction that differs from the core's report, or the decoder's error.
pub fn compare(design: &Design, program: &LiveProgram, trace: &[u8], log: &Log) -> Result<u64> {
    let decoder = Program::of_code(program.machine(), Arc::clone(&program.code) as Arc<_>, None)?;
    let mut follower = Follower {
        code: &*program.code,
        log,
        place: None,
        retired: 0,
        exceptions: 0,
        handlers: log.handlers.iter().copied().peekable(),
    };
    let most = log.program_counters.len() as u64;
    let mut bits = BitUnpacker::new(trace);
    let follow = |event| follower.event(&event);
    let summary = scheme::decode(design, &decoder, &mut bits, most, follow)?;
    follower.retire(summary.trailing_instructions)?;
    if follower.retired != most {
        return Err(anyhow!("the trace ends after {} of {most} instructions", follower.retired));
    }
    if let Some(handler) = follower.handlers.next() {
        return Err(anyhow!(
            "instruction {handler} begins a handler on the core, but not in the trace"
        ));
    }
    Ok(follower.exceptions)
}

/// Compares a decoded trace with the log.
struct Follower<'a, H: Iterator<Item = u64>> {
    code: &'a dyn Code,
    log: &'a Log,
    /// The address of the next instruction; `None` before the reset.
    place: Option<u64>,
    retired: u64,
    exceptions: u64,
    handlers: std::iter::Peekable<H>,
}

impl<H: Iterator<Item = u64>> Follower<'_, H> {
    fn event(&mut self, event: &Event) -> Result<()> {
        let last = self.retire(event.instructions)?;
        if last.is_some_and(|last| last != event.program_counter) {
            return Err(anyhow!("instruction {} is {event}", self.retired));
        }
        if event.kind == Kind::Exception && event.taken {
            self.exceptions += 1;
            self.handlers.next_if_eq(&self.retired);
        }
        if event.taken {
            self.place = Some(event.target);
        }
        Ok(())
    }

    /// Takes `count` consecutive instructions; returns the address of the last.
    fn retire(&mut self, count: u64) -> Result<Option<u64>> {
        let mut last = None;
        for _ in 0..count {
            let number = self.retired;
            let said = self.log.program_counters.get(number as usize).map(|pc| u64::from(*pc));
            let Some(said) = said.filter(|_| self.place.is_some()) else {
                return Err(anyhow!(
                    "the trace has an instruction {number}, which the core did not retire"
                ));
            };
            if self.place != Some(said) {
                let place = self.place.unwrap_or_default();
                return Err(anyhow!(
                    "instruction {number} is at {said:#x} on the core, but at {place:#x} in the trace"
                ));
            }
            let length = self.code.instruction(said).map_or(4, |instruction| instruction.length);
            self.place = Some(said + u64::from(length));
            self.retired += 1;
            last = Some(said);
        }
        Ok(last)
    }
}
