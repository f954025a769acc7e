//! The machine of a run in a file: what files of version 2 have more.

use std::ops::Range;

use super::walk::{Take, Walk};
use crate::error::Error;
use crate::layout::{DeviceRange, Layout};
use crate::lines::END;

/// A machine that is not that of version 1.
#[derive(Clone, Debug, Default)]
pub struct StoredMachine {
    extensions: u64,
    interrupts: u64,
    records_calls: u64,
    memory: Vec<StoredRange>,
    devices: Vec<StoredRange>,
    constants: Vec<StoredConstant>,
}

/// A range of addresses; `whole` is of devices only.
#[derive(Clone, Copy, Debug, Default)]
struct StoredRange {
    address: u64,
    length: u64,
    whole: u64,
}

/// A control and status register that always reads the same.
#[derive(Clone, Copy, Debug, Default)]
struct StoredConstant {
    number: u64,
    value: u64,
}

impl StoredMachine {
    /// A machine with one item of every kind.
    pub fn example() -> StoredMachine {
        StoredMachine {
            memory: vec![StoredRange::default()],
            devices: vec![StoredRange::default()],
            constants: vec![StoredConstant::default()],
            ..StoredMachine::default()
        }
    }

    /// The machine in the form in which it is stored.
    pub fn of(layout: &Layout) -> StoredMachine {
        let stored = |addresses: &Range<u64>, whole: bool| StoredRange {
            address: addresses.start,
            length: addresses.end - addresses.start,
            whole: whole.into(),
        };
        let constants = layout.constants.iter();
        StoredMachine {
            extensions: layout.extensions.into(),
            interrupts: layout.interrupts,
            records_calls: layout.records_calls.into(),
            memory: layout.memory.iter().map(|range| stored(range, false)).collect(),
            devices: layout.devices.iter().map(|it| stored(&it.addresses, it.whole)).collect(),
            constants: constants
                .map(|(number, value)| StoredConstant { number: (*number).into(), value: *value })
                .collect(),
        }
    }

    /// The definition of the fields, in their order.
    pub fn walk(&mut self, walk: &mut impl Walk) -> Result<(), Error> {
        let most = u64::from(u32::MAX);
        let doc = "version 2: the letters of `misa`, bit 0 is A";
        walk.number("extensions", doc, (1 << 26) - 1, &mut self.extensions)?;
        let doc = "version 2: what `mie` can enable";
        walk.number("interrupts", doc, Layout::INTERRUPTS, &mut self.interrupts)?;
        let doc = "version 2: 1 if every semihosting call has an input with its result";
        walk.number("records_calls", doc, 1, &mut self.records_calls)?;
        walk.list("memory", "version 2: ranges of memory", &mut self.memory, |walk, range| {
            walk.number("range_address", "first address", most, &mut range.address)?;
            walk.number("range_length", "length in bytes", END, &mut range.length)
        })?;
        let doc = "version 2: ranges of devices";
        walk.list("devices", doc, &mut self.devices, |walk, range| {
            walk.number("range_address", "first address", most, &mut range.address)?;
            walk.number("range_length", "length in bytes", END, &mut range.length)?;
            let doc = "1 if only an access of the whole range is one of the device";
            walk.number("whole", doc, 1, &mut range.whole)
        })?;
        let doc = "version 2: control and status registers that always read the same";
        walk.list("constants", doc, &mut self.constants, |walk, constant| {
            walk.number("number", "its number", 4095, &mut constant.number)?;
            walk.number("constant", "what it reads", u64::MAX, &mut constant.value)
        })
    }

    /// The machine, if its ranges are in the lowest 4 GiB.
    pub fn layout(&self, take: &Take<'_>) -> Result<Layout, Error> {
        let range = |range: &StoredRange| {
            let end = range.address + range.length;
            match range.length > 0 && end <= END {
                true => Ok(range.address..end),
                false => {
                    let found = format!("{} bytes at {:#x}", range.length, range.address);
                    Err(take.error("range_length", "a range in the lowest 4 GiB", found))
                }
            }
        };
        let device = |stored: &StoredRange| {
            Ok(DeviceRange { addresses: range(stored)?, whole: stored.whole == 1 })
        };
        let constants = self.constants.iter();
        Ok(Layout {
            memory: self.memory.iter().map(range).collect::<Result<_, _>>()?,
            devices: self.devices.iter().map(device).collect::<Result<_, _>>()?,
            extensions: self.extensions as u32,
            interrupts: self.interrupts,
            constants: constants.map(|it| (it.number as u32, it.value)).collect(),
            records_calls: self.records_calls == 1,
        })
    }
}
