//! What a register map is made of. Everything that is written about registers is written from this, and their hardware.

use serde::Serialize;

/// Bytes of the page that a component has to itself.
pub const PAGE: u32 = 0x1000;

/// Width of the bus's address, which is that of 16 pages.
pub const ADDRESS_BITS: u32 = 16;

/// All registers of one bus, in pages of one component each, from page 0 on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map {
    /// The components, by page.
    pub components: Vec<Component>,
}

/// A part of the trace system with a page of registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// What its registers' names begin with.
    pub name: &'static str,
    /// One sentence.
    pub doc: &'static str,
    /// The field that holds all others in reset while it is 0.
    pub active: &'static str,
    /// By offset.
    pub registers: Vec<Register>,
}

/// A register of 32 bits. Bits that are in no field read as 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    /// Its name in the Trace Control Interface.
    pub name: &'static str,
    /// Where it is in its component's page.
    pub offset: u32,
    /// One sentence.
    pub doc: &'static str,
    /// From the lowest bit on.
    pub fields: Vec<Field>,
}

/// Bits of a register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name in the Trace Control Interface.
    pub name: &'static str,
    /// Its lowest bit.
    pub low: u32,
    /// Its number of bits.
    pub width: u32,
    /// What it reads as after reset; `None` where that is what the memory of a sink holds.
    pub reset: Option<u32>,
    /// How it is read and written.
    pub access: Access,
    /// One sentence: what it does to the trace module, or says of it.
    pub doc: &'static str,
}

/// How a field is read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Access {
    /// It reads as its reset value, and writes are ignored.
    Constant,
    /// It reads as what the hardware says, and writes are ignored.
    Status,
    /// It is read and written.
    Control {
        /// What it becomes when another value is written.
        legal: Legal,
        /// How the hardware changes it, which prevails over a write in the same cycle.
        hardware: Hardware,
    },
    /// The hardware sets it, and writing 1 clears it; if both happen in the same cycle it is set.
    Sticky {
        /// Setting this field of the same register from 0 to 1 clears it too.
        cleared_with: &'static str,
    },
    /// It is read and written, and kept by the sink, which counts with it.
    Pointer {
        /// The bits that it can have, counted from the field's lowest; the others read as 0.
        legal_bits: u32,
    },
    /// It reads as the word at the read pointer, which then goes on; writes are ignored.
    Data,
}

/// What the hardware does with a field that software reads and writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hardware {
    /// It reads it.
    Reads,
    /// It can set it to 0.
    Clears,
    /// It can set it to 0 and, if not in the same cycle, to 1.
    Switches,
}

/// Which values a field can have ("write any, read legal").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "rule", content = "value", rename_all = "kebab-case")]
pub enum Legal {
    /// All.
    Any,
    /// Those of these bits, counted from the field's lowest; the others read as 0.
    Bits(u32),
    /// 0 and this one, which every other becomes.
    ZeroOr(u32),
    /// These; the others become 0.
    OneOf(&'static [u32]),
}

/// Fields, a line each: name, lowest bit and width, reset value, access, and one sentence.
macro_rules! fields {
    ($($name:ident [$low:literal, $width:literal] = $reset:expr, $access:expr, $doc:expr;)*) => {
        vec![$(Field {
            name: stringify!($name), low: $low, width: $width, reset: Some($reset), access: $access, doc: $doc,
        }),*]
    };
}

/// A name with each number from 0 to 7 in it.
macro_rules! numbered {
    ($before:literal, $after:literal) => {
        [
            concat!($before, "0", $after),
            concat!($before, "1", $after),
            concat!($before, "2", $after),
            concat!($before, "3", $after),
            concat!($before, "4", $after),
            concat!($before, "5", $after),
            concat!($before, "6", $after),
            concat!($before, "7", $after),
        ]
    };
}

pub(super) use {fields, numbered};

/// Access of a field that has every value, and that the hardware reads.
pub(super) const ANY: Access = Access::Control { legal: Legal::Any, hardware: Hardware::Reads };

/// A field whose name is not that of a line in `fields!`.
pub(super) fn field(
    name: &'static str,
    (low, width): (u32, u32),
    reset: u32,
    access: Access,
    doc: &'static str,
) -> Field {
    Field { name, low, width, reset: Some(reset), access, doc }
}

impl Legal {
    /// The value that a field has after `written` was written.
    pub fn stored(self, written: u32) -> u32 {
        match self {
            Legal::Any => written,
            Legal::Bits(bits) => written & bits,
            Legal::ZeroOr(_) if written == 0 => 0,
            Legal::ZeroOr(value) => value,
            Legal::OneOf(values) if values.contains(&written) => written,
            Legal::OneOf(_) => 0,
        }
    }
}

impl Field {
    /// All bits of the field, at its place in the register.
    pub fn mask(&self) -> u32 {
        (u32::MAX >> (32 - self.width)) << self.low
    }

    /// The field's value in a register's.
    pub fn of(&self, register: u32) -> u32 {
        (register & self.mask()) >> self.low
    }

    /// The highest and the lowest bit, or the only one, as the specification writes them.
    pub fn bits(&self) -> String {
        match self.width {
            1 => self.low.to_string(),
            width => format!("{}:{}", self.low + width - 1, self.low),
        }
    }

    /// True if software can change it.
    pub fn is_written(&self) -> bool {
        !matches!(self.access, Access::Constant | Access::Status | Access::Data)
    }

    /// True if it is a register of the register file.
    pub fn is_stored(&self) -> bool {
        matches!(self.access, Access::Control { .. } | Access::Sticky { .. })
    }

    /// Bits of the field that can be 1, with all below them.
    pub fn kept_bits(&self) -> u32 {
        match self.access {
            Access::Control { legal: Legal::Bits(bits), .. }
            | Access::Pointer { legal_bits: bits } => 32 - bits.leading_zeros(),
            _ => self.width,
        }
    }

    /// What the field becomes when its register is written with `data` where `mask` has ones, without what the hardware
    /// does to it in that cycle; `before` is the field's value.
    pub fn written(&self, before: u32, data: u32, mask: u32) -> u32 {
        let (data, mask) = (self.of(data), self.of(mask));
        let merged = before & !mask | data & mask;
        match self.access {
            Access::Constant | Access::Status | Access::Data => before,
            Access::Control { legal, .. } => legal.stored(merged),
            Access::Pointer { legal_bits } => merged & legal_bits,
            Access::Sticky { .. } => before & !(data & mask),
        }
    }
}

impl Map {
    /// Every register with the address at which it is.
    pub fn registers(&self) -> impl Iterator<Item = (u32, &Component, &Register)> {
        let pages = (0..).step_by(PAGE as usize).zip(&self.components);
        pages.flat_map(|(page, component)| {
            let registers = component.registers.iter();
            registers.map(move |register| (page + register.offset, component, register))
        })
    }

    /// Every field with the register that it is in.
    pub fn fields(&self) -> impl Iterator<Item = (&Register, &Field)> {
        self.registers()
            .flat_map(|(_, _, register)| register.fields.iter().map(move |field| (register, field)))
    }

    /// The first address after the last page; every access from there on is an error.
    pub fn end(&self) -> u32 {
        self.components.len() as u32 * PAGE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELD: Field =
        Field { name: "f", low: 4, width: 3, reset: Some(0), access: Access::Constant, doc: "" };

    #[test]
    fn a_field_takes_its_bits_and_legal_values_only() {
        let control =
            |legal| Field { access: Access::Control { legal, hardware: Hardware::Reads }, ..FIELD };
        assert_eq!((FIELD.mask(), FIELD.bits()), (0x70, "6:4".into()));
        assert_eq!(FIELD.written(5, u32::MAX, u32::MAX), 5);
        assert_eq!(control(Legal::Any).written(5, 0x2f, u32::MAX), 2);
        assert_eq!(control(Legal::Any).written(5, 0x2f, 0xff00), 5);
        assert_eq!(control(Legal::Bits(2)).written(0, 0x7f, u32::MAX), 2);
        assert_eq!(control(Legal::ZeroOr(7)).written(0, 0x10, u32::MAX), 7);
        assert_eq!(control(Legal::ZeroOr(7)).written(7, 0x8f, u32::MAX), 0);
        let listed = control(Legal::OneOf(&[0, 2, 3]));
        assert_eq!([1, 2, 3, 4].map(|value| listed.written(3, value << 4, u32::MAX)), [0, 2, 3, 0]);
    }

    #[test]
    fn writing_one_clears() {
        let sticky = Field { access: Access::Sticky { cleared_with: "g" }, ..FIELD };
        assert_eq!(sticky.written(7, 0x20, u32::MAX), 5);
        assert_eq!(sticky.written(7, 0x20, 0x0f), 7);
    }
}
