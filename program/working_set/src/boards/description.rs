//! A board in TOML.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;

use crate::error::Error;
use crate::program::Program;

/// A board, as its file describes it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardDescription {
    /// Its name, for messages.
    pub name: String,
    /// What it is, in half a sentence.
    #[serde(default)]
    pub about: String,
    /// Where its memory is.
    pub memory: Vec<MemoryDescription>,
    /// The address of the first instruction; by default the program's entry point.
    pub reset: Option<u64>,
    /// `mtvec` after the reset: where a trap goes that the program has said no handler for.
    #[serde(default)]
    pub vector: u64,
    /// `sp` after the reset, where the hardware sets it.
    #[serde(default)]
    pub stack: u64,
    /// The letters of `misa`. F and D switch floating point on, U user mode. By default IMAC, with F and D if the program
    /// is compiled for them.
    pub extensions: Option<String>,
    /// Control and status registers that always read the same.
    #[serde(default)]
    pub registers: BTreeMap<String, u64>,
    /// The devices.
    #[serde(default)]
    pub devices: Vec<DeviceDescription>,
}

/// A range of memory, in the lowest 4 GiB.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MemoryDescription {
    /// The first address.
    pub address: u64,
    /// How many bytes it has.
    pub bytes: u64,
}

/// An address, or the name of a symbol of the program.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Place {
    /// The address.
    Address(u64),
    /// The symbol; a program without it does not have the device.
    Symbol(String),
}

/// A device.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum DeviceDescription {
    /// The devices of the board `tracewright`.
    Tracewright {
        /// Their first address.
        address: u64,
    },
    /// A 16550.
    #[serde(rename = "uart-16550")]
    Uart16550 {
        /// Its first address.
        address: u64,
        /// Bytes from one register to the next.
        #[serde(default = "one")]
        stride: u64,
    },
    /// SiFive's serial port.
    UartSifive {
        /// Its first address.
        address: u64,
    },
    /// PicoSoC's serial port: the divider, and four bytes later the data.
    UartPicosoc {
        /// Its first address.
        address: u64,
    },
    /// A register of four bytes that prints what is stored.
    Character {
        /// Its address.
        address: u64,
    },
    /// A register of four bytes that ends the execution.
    Exit {
        /// Its address.
        address: u64,
        /// The value that is a success; without one the value is the status.
        success: Option<u64>,
    },
    /// SiFive's test device.
    Finisher {
        /// Its first address.
        address: u64,
        /// How many bytes it has.
        #[serde(default = "four")]
        bytes: u64,
    },
    /// Timer and software interrupts of the first hart.
    Clint {
        /// Its first address.
        address: u64,
    },
    /// Timer and software interrupts with their registers elsewhere.
    Timer {
        /// Its first address.
        address: u64,
        /// Where `mtime` is from there.
        mtime: u64,
        /// Where `mtimecmp` is.
        mtimecmp: u64,
        /// Where `msip` is, if it has one.
        msip: Option<u64>,
    },
    /// `tohost` and `fromhost`.
    Htif {
        /// Where requests are stored.
        tohost: Place,
        /// Where answers come.
        fromhost: Option<Place>,
    },
    /// Registers that keep what is stored.
    Registers {
        /// Their first address.
        address: u64,
        /// How many bytes they have.
        bytes: u64,
        /// Bits that are always 1, by the offset of a register of four bytes.
        #[serde(default)]
        ones: BTreeMap<String, u64>,
    },
}

fn one() -> u64 {
    1
}

fn four() -> u64 {
    4
}

/// A number as TOML writes it in a key.
pub fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(&digits.replace('_', ""), 16).ok(),
        None => text.parse().ok(),
    }
}

impl BoardDescription {
    /// Reads a board.
    ///
    /// # Errors
    /// When the text is not one.
    pub fn parse(text: &str) -> Result<BoardDescription, Error> {
        let board: BoardDescription = toml::from_str(text)
            .map_err(|error| Error::Board(error.to_string().replace('\n', " ")))?;
        match board.memory.is_empty() {
            true => Err(Error::Board("expected a board with memory".into())),
            false => Ok(board),
        }
    }
}

impl Place {
    /// The address, if there is one.
    pub fn address(&self, program: Option<&Program>) -> Option<u64> {
        match self {
            Place::Address(address) => Some(*address),
            Place::Symbol(name) => program?.symbol(name),
        }
    }
}

impl DeviceDescription {
    /// The name of its kind.
    pub fn kind(&self) -> &'static str {
        use DeviceDescription as D;
        match self {
            D::Tracewright { .. } => "tracewright",
            D::Uart16550 { .. } => "uart-16550",
            D::UartSifive { .. } => "uart-sifive",
            D::UartPicosoc { .. } => "uart-picosoc",
            D::Character { .. } => "character",
            D::Exit { .. } => "exit",
            D::Finisher { .. } => "finisher",
            D::Clint { .. } => "clint",
            D::Timer { .. } => "timer",
            D::Htif { .. } => "htif",
            D::Registers { .. } => "registers",
        }
    }

    /// Its addresses, if the program says them or they are fixed.
    pub fn addresses(&self, program: Option<&Program>) -> Option<Range<u64>> {
        use DeviceDescription as D;
        let (address, bytes) = match self {
            D::Tracewright { address } => (*address, 0x1c),
            D::Uart16550 { address, stride } => (*address, stride.saturating_mul(8)),
            D::UartSifive { address } => (*address, 0x1000),
            D::UartPicosoc { address } => (*address, 8),
            D::Character { address } | D::Exit { address, .. } => (*address, 4),
            D::Finisher { address, bytes } | D::Registers { address, bytes, .. } => {
                (*address, *bytes)
            }
            D::Clint { address } => (*address, 0x1_0000),
            D::Timer { address, mtime, mtimecmp, msip } => {
                let last = (*mtime).max(*mtimecmp).saturating_add(8);
                (*address, last.max(msip.unwrap_or(0).saturating_add(4)))
            }
            D::Htif { tohost, .. } => (tohost.address(program)?, 8),
        };
        Some(address..address.saturating_add(bytes))
    }
}
