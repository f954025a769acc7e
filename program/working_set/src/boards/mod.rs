//! Boards: what is at which address, as TOML says it.
//!
//! The ready ones are files beside this one, which `tracewright wset boards NAME` prints. docs/firmware.md has the keys.

mod check;
mod description;

use std::ops::Range;

use check::Taken;

use crate::devices::{
    Character, Clint, Device, Exit, Finisher, Htif, Kept, Page, PicosocUart, Placed, SifiveUart,
    Uart16550,
};
use crate::error::Error;
use crate::layout::{DeviceRange, Layout, letters};
use crate::program::Program;

pub use description::{BoardDescription, DeviceDescription, MemoryDescription, Place};

/// The ready boards, each as its TOML; the first one is the default.
pub const READY: [&str; 7] = [
    include_str!("tracewright.toml"),
    include_str!("qemu-virt.toml"),
    include_str!("riscv-tests.toml"),
    include_str!("sifive-e.toml"),
    include_str!("ibex-simple-system.toml"),
    include_str!("picosoc.toml"),
    include_str!("picorv32.toml"),
];

/// The name of the board that is taken if nothing says another one.
pub const DEFAULT: &str = "tracewright";

/// Control and status registers whose value a board can say, with their numbers.
const CONSTANTS: [(&str, u32); 6] = [
    ("mvendorid", 0xf11),
    ("marchid", 0xf12),
    ("mimpid", 0xf13),
    ("mhartid", 0xf14),
    ("mconfigptr", 0xf15),
    ("misa", 0x301),
];

/// A board that a program is run on.
#[derive(Debug)]
pub struct Assembled {
    /// What a replay has to know of it.
    pub layout: Layout,
    /// Its devices.
    pub devices: Vec<Placed>,
    /// The address of the first instruction.
    pub reset: u64,
    /// `mtvec` after the reset.
    pub vector: u64,
    /// `sp` after the reset.
    pub stack: u64,
}

/// The ready boards.
pub fn ready() -> impl Iterator<Item = BoardDescription> {
    // A test reads every one of them.
    READY.iter().filter_map(|text| BoardDescription::parse(text).ok())
}

/// The ready board of a name.
pub fn named(name: &str) -> Option<BoardDescription> {
    ready().find(|board| board.name == name)
}

/// The ready boards that have a device at an address, and which.
pub fn with_device(address: u64) -> Vec<(String, &'static str)> {
    let device_of = |board: BoardDescription| {
        let devices = board.devices.iter();
        let found =
            devices.filter(|device| device.addresses(None).is_some_and(|it| it.contains(&address)));
        let found: Vec<_> = found.map(|device| (board.name.clone(), device.kind())).collect();
        found
    };
    ready().flat_map(device_of).collect()
}

/// The board that a program seems to be for, and why, if that is not the default.
pub fn detected(program: &Program) -> (BoardDescription, Option<String>) {
    let by_name = |name: &str| named(name).unwrap_or_default();
    match program.symbol("tohost") {
        Some(0x2_0008) => {
            let why = "the program's symbol tohost is 0x20008";
            (by_name("ibex-simple-system"), Some(why.into()))
        }
        Some(_) => (by_name("riscv-tests"), Some("the program has the symbol tohost".into())),
        None => (by_name(DEFAULT), None),
    }
}

impl BoardDescription {
    /// The board as this program needs it: with the addresses of its symbols, and, if the board does not say what it has,
    /// with floating point and compressed instructions if the program is compiled for them.
    ///
    /// # Errors
    /// When the program is not in the board's memory, or a description is not one of a board.
    pub fn assemble(&self, program: &Program) -> Result<Assembled, Error> {
        self.check()?;
        let mut layout = self.layout()?;
        if self.extensions.is_none() && program.has_float {
            layout.extensions |= letters("fd");
            layout.records_calls = true;
        }
        if self.extensions.is_none() && !program.has_compressed {
            layout.extensions &= !letters("c");
        }
        let mut memory = Taken::default();
        for (index, range) in layout.memory.iter().enumerate() {
            memory.take(format!("memory {}", index + 1), range.clone())?;
        }
        let (mut taken, mut devices) = (Taken::default(), Vec::new());
        for (index, description) in self.devices.iter().enumerate() {
            let entry = self.device_entry(index);
            for (addresses, whole, device) in description.devices(program) {
                check::addresses(&entry, &addresses)?;
                // The words that a program and its host exchange are variables of the program.
                if !matches!(description, DeviceDescription::Htif { .. }) {
                    memory.check(&entry, &addresses)?;
                }
                taken.take(entry.clone(), addresses.clone())?;
                let is_page = matches!(description, DeviceDescription::Tracewright { .. });
                layout.devices.extend(match is_page {
                    true => crate::layout::page(addresses.start),
                    false => vec![DeviceRange { addresses: addresses.clone(), whole }],
                });
                devices.push(Placed { addresses, device });
            }
        }
        program.check(&layout, &self.name)?;
        let reset = match self.reset {
            Some(reset) if reset % 2 == 1 || !layout.is_memory(reset) => {
                let memory = layout.memory_map();
                return Err(Error::Board(format!(
                    "`reset`: expected an even address in memory, which is {memory}, found {reset:#x}"
                )));
            }
            reset => reset.unwrap_or(program.entry),
        };
        Ok(Assembled { layout, devices, reset, vector: self.vector, stack: self.stack })
    }

    /// Memory and instruction set, without devices at addresses that the program says.
    fn layout(&self) -> Result<Layout, Error> {
        let first = Layout::default();
        let is_first = matches!(&self.devices[..], [DeviceDescription::Tracewright { .. }]);
        let mut layout = Layout {
            memory: Vec::new(),
            devices: Vec::new(),
            extensions: self.extensions.as_deref().map_or(first.extensions, letters),
            interrupts: if is_first { first.interrupts } else { Layout::INTERRUPTS },
            constants: Vec::new(),
            records_calls: !is_first,
        };
        for (index, memory) in self.memory.iter().enumerate() {
            let range = memory.address..memory.address.saturating_add(memory.bytes);
            check::addresses(&format!("memory {}", index + 1), &range)?;
            layout.memory.push(range);
        }
        for (name, value) in &self.registers {
            let known = CONSTANTS.iter().find(|(known, _)| known == name);
            let Some((_, number)) = known else {
                let known = CONSTANTS.map(|(name, _)| name).join(", ");
                let message = format!("`registers`: expected names out of {known}, found `{name}`");
                return Err(Error::Board(message));
            };
            layout.constants.push((*number, *value));
        }
        Ok(layout)
    }
}

/// Addresses, whether they are accessed as a whole, and the device.
type Parts = Vec<(Range<u64>, bool, Box<dyn Device>)>;

impl DeviceDescription {
    /// The devices of this description.
    fn devices(&self, program: &Program) -> Parts {
        use DeviceDescription as D;
        if let D::Htif { tohost, fromhost } = self {
            let at = |place: &Place, device: Htif| {
                let address = place.address(Some(program))?;
                let range = address..address + crate::devices::HTIF_BYTES;
                Some((range, false, Box::new(device) as Box<dyn Device>))
            };
            let request = at(tohost, Htif::tohost());
            let answer = fromhost.as_ref().and_then(|place| at(place, Htif::fromhost()));
            return request.into_iter().chain(answer).collect();
        }
        let Some(addresses) = self.addresses(Some(program)) else { return Vec::new() };
        let bytes = addresses.end - addresses.start;
        let device: Box<dyn Device> = match self {
            D::Tracewright { .. } => Box::new(Page::default()),
            D::Uart16550 { stride, .. } => Box::new(Uart16550::new(*stride)),
            D::UartSifive { .. } => Box::new(SifiveUart::default()),
            D::UartPicosoc { .. } => Box::new(PicosocUart::default()),
            D::Character { .. } => Box::new(Character),
            D::Exit { success, .. } => Box::new(Exit { success: *success }),
            D::Finisher { .. } => Box::new(Finisher),
            D::Clint { .. } => Box::new(Clint::new(0xbff8, 0x4000, Some(0))),
            D::Timer { mtime, mtimecmp, msip, .. } => {
                Box::new(Clint::new(*mtime, *mtimecmp, *msip))
            }
            D::Registers { ones, .. } => {
                let ones = ones.iter().filter_map(|(offset, ones)| {
                    Some((description::number(offset)?, *ones as u32))
                });
                Box::new(Kept::new(bytes, ones.collect()))
            }
            D::Htif { .. } => return Vec::new(),
        };
        vec![(addresses, false, device)]
    }
}
