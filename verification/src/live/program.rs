//! A program for a simulated core: its image on the board, and its code.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use object::read::elf::{FileHeader, ProgramHeader};
use object::{Endianness, elf};
use tracewright_image::{Image, InstructionSet};
use tracewright_sim::code::{Code, Instruction};
use tracewright_sim::event::Machine;
use tracewright_sim::rvfi::Xlen;
use tracewright_testbench::live::{Board, Core};

use crate::error::{Error, Result};

/// A program for the board of a simulated core.
#[derive(Clone, Debug)]
pub struct LiveProgram {
    /// Memory with the program loaded.
    pub board: Board,
    /// The code of program and board.
    pub code: Arc<BoardCode>,
}

/// The code of a program and of the board that it runs on.
#[derive(Clone, Debug)]
pub struct BoardCode {
    image: Image,
    boot: Range<u64>,
    boot_code: [u8; 8],
}

impl BoardCode {
    /// The instructions at the core's boot address, which are no part of the program's file.
    pub fn boot_code(&self) -> &[u8] {
        &self.boot_code
    }
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
        self.image.instruction_set().instruction(address, &[], bytes)
    }
}

impl LiveProgram {
    /// Loads an ELF file for a core.
    ///
    /// # Errors
    /// When it is not one for the core's registers, or does not fit the board.
    pub fn open(path: &Path, core: Core) -> Result<LiveProgram> {
        let refused =
            |reason: String| Error::LiveProgram { program: path.display().to_string(), reason };
        let image = Image::open(path, 0)?;
        let (found, expected) = (image.instruction_set(), instruction_set(core));
        if found != expected {
            return Err(refused(format!("is {found} code; {core} runs {expected}")));
        }
        let boot = core.boot_address();
        let mut board = Board::new(boot, image.entry() as u32);
        let data = &image.files()[0].data;
        let segments = match core.xlen() {
            Xlen::Rv32 => segments::<elf::FileHeader32<Endianness>>(data),
            Xlen::Rv64 => segments::<elf::FileHeader64<Endianness>>(data),
        };
        for (address, bytes) in segments.map_err(|error| refused(error.to_string()))? {
            board.load(address, bytes).map_err(|error| refused(error.to_string()))?;
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

/// What a core's programs are.
fn instruction_set(core: Core) -> InstructionSet {
    match core.xlen() {
        Xlen::Rv32 => InstructionSet::RV32,
        Xlen::Rv64 => InstructionSet::RV64,
    }
}

/// The contents of an ELF file by physical address.
fn segments<H: FileHeader>(data: &[u8]) -> object::Result<Vec<(u64, &[u8])>> {
    let header = H::parse(data)?;
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
