//! What a program finds around the core: memory, and the devices of `workloads/programs/board.h`.

use std::ops::Range;

/// Where memory is; page 0 is not, so that null pointers fault.
const MEMORY: Range<u32> = 0x1000..0x0100_0000;

const DEVICES: u32 = 0x1000_0000;
const CONSOLE: u32 = DEVICES;
const EXIT: u32 = DEVICES + 0x04;
const INPUT: u32 = DEVICES + 0x08;
const BLOCK_ADDRESS: u32 = DEVICES + 0x0c;
const BLOCK_LENGTH: u32 = DEVICES + 0x10;
const TIME: u32 = DEVICES + 0x14;
const TIMER: u32 = DEVICES + 0x18;

/// Why a program cannot be put on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{bytes} bytes at {address:#x} do not fit: the board has memory from {:#x} to {:#x}, and its boot code at {boot:#x}",
    MEMORY.start, MEMORY.end - 1
)]
pub struct BoardError {
    /// Where they would go.
    address: u64,
    /// How many they are.
    bytes: u64,
    /// Where the board's own code is.
    boot: u32,
}

/// Memory and devices.
#[derive(Clone, Debug)]
pub struct Board {
    memory: Vec<u8>,
    boot: Range<u32>,
    console: Vec<u8>,
    exit_status: Option<u32>,
    /// The instruction with which the timer interrupts.
    timer: Option<u64>,
}

impl Board {
    /// A board whose core begins at `boot_address` and continues at `entry`.
    pub fn new(boot_address: u32, entry: u32) -> Board {
        let code = Board::boot_code(entry);
        let mut memory = vec![0; (MEMORY.end - MEMORY.start) as usize];
        let place = (boot_address - MEMORY.start) as usize;
        memory[place..place + code.len()].copy_from_slice(&code);
        let boot = boot_address..boot_address + code.len() as u32;
        Board { memory, boot, console: Vec::new(), exit_status: None, timer: None }
    }

    /// The instructions that a core begins with: `lui t0, ...; jalr zero, ...(t0)`.
    pub fn boot_code(entry: u32) -> [u8; 8] {
        let upper = entry.wrapping_add(0x800) & 0xffff_f000;
        let lower = entry.wrapping_sub(upper) & 0xfff;
        let words = [upper | 5 << 7 | 0x37, lower << 20 | 5 << 15 | 0x67];
        let mut code = [0; 8];
        code[..4].copy_from_slice(&words[0].to_le_bytes());
        code[4..].copy_from_slice(&words[1].to_le_bytes());
        code
    }

    /// Puts bytes into memory.
    ///
    /// # Errors
    /// When there is none, or the board's own code is there.
    pub fn load(&mut self, address: u64, bytes: &[u8]) -> Result<(), BoardError> {
        let length = bytes.len() as u64;
        let error = BoardError { address, bytes: length, boot: self.boot.start };
        let end = address.checked_add(length).ok_or(error)?;
        let within = |range: &Range<u32>| u64::from(range.start)..u64::from(range.end);
        let (memory, boot) = (within(&MEMORY), within(&self.boot));
        let fits = address >= memory.start && end <= memory.end;
        let clear = end <= boot.start || address >= boot.end;
        if !fits || !clear {
            return Err(error);
        }
        let place = (address - u64::from(MEMORY.start)) as usize;
        self.memory[place..place + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    /// The word around an instruction; `None` where there is no memory.
    pub(super) fn fetch(&self, address: u32) -> Option<u32> {
        self.word(address).map(u32::from_le_bytes)
    }

    fn word(&self, address: u32) -> Option<[u8; 4]> {
        let place = (address & !3).checked_sub(MEMORY.start)? as usize;
        self.memory.get(place..)?.first_chunk().copied()
    }

    /// Loads the word around an address, or stores the bytes of it that `strobe` says; `None` where there is
    /// nothing.
    pub(super) fn access(
        &mut self,
        address: u32,
        strobe: u32,
        written: u32,
        instructions: u64,
    ) -> Option<u32> {
        if address >= DEVICES {
            return self.device(address & !3, (strobe != 0).then_some(written), instructions);
        }
        let old = self.word(address)?;
        if strobe != 0 {
            let place = ((address & !3) - MEMORY.start) as usize;
            for (at, byte) in written.to_le_bytes().into_iter().enumerate() {
                if strobe >> at & 1 == 1 {
                    self.memory[place + at] = byte;
                }
            }
        }
        Some(u32::from_le_bytes(old))
    }

    /// [`access`](Self::access) of the two words around an address; a word that no byte is stored in is only loaded.
    pub(super) fn access_wide(
        &mut self,
        address: u64,
        strobe: u32,
        written: u64,
        instructions: u64,
    ) -> Option<u64> {
        let address = u32::try_from(address & !7).ok()?;
        let stores = strobe != 0;
        let mut word = |index: u32| {
            let strobe = strobe >> (4 * index) & 0xf;
            if stores && strobe == 0 {
                return None;
            }
            self.access(address + 4 * index, strobe, (written >> (32 * index)) as u32, instructions)
        };
        match (word(0), word(1)) {
            (None, None) => None,
            (lower, upper) => {
                Some(u64::from(lower.unwrap_or(0)) | u64::from(upper.unwrap_or(0)) << 32)
            }
        }
    }

    fn device(&mut self, address: u32, written: Option<u32>, instructions: u64) -> Option<u32> {
        match (address, written) {
            (CONSOLE, Some(byte)) => self.console.push(byte as u8),
            (EXIT, Some(status)) => self.exit_status = Some(status),
            (TIMER, Some(0)) => self.timer = None,
            (TIMER, Some(after)) => self.timer = Some(instructions + u64::from(after)),
            (BLOCK_ADDRESS | BLOCK_LENGTH, Some(_)) => {}
            // There is no input.
            (INPUT, None) => return Some(u32::MAX),
            (TIME, None) => return Some(instructions as u32),
            (CONSOLE | EXIT | TIMER | BLOCK_ADDRESS | BLOCK_LENGTH, None) => {}
            _ => return None,
        }
        Some(0)
    }

    /// The timer interrupts: its time has come and the program has not set it again.
    pub(super) fn timer_interrupt(&self, instructions: u64) -> bool {
        self.timer.is_some_and(|timer| instructions >= timer)
    }

    pub(super) fn exit_status(&self) -> Option<u32> {
        self.exit_status
    }

    pub(super) fn into_console(self) -> Vec<u8> {
        self.console
    }
}
