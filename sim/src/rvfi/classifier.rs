//! What an instruction word of RISC-V does to the flow, as an adapter sees it.

use std::fmt;
use std::str::FromStr;

use crate::event::Kind;

/// Width of the integer registers, which decides what some compressed instructions are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Xlen {
    /// RV32.
    Rv32,
    /// RV64.
    Rv64,
}

/// Extensions that change the flow by words which are floating-point stores (`c.fsdsp` of Zcd) without them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Extensions {
    /// `cm.popret` and `cm.popretz` return.
    pub zcmp: bool,
    /// `cm.jt` and `cm.jalt` jump by a table in memory.
    pub zcmt: bool,
}

/// A name that is none of an [extension](Extensions).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected an extension that changes the flow (zcmp, zcmt), found {0:?}")]
pub struct UnknownExtension(
    /// The name.
    pub String,
);

impl Extensions {
    /// None of them.
    pub const NONE: Extensions = Extensions { zcmp: false, zcmt: false };

    /// All of them.
    pub const ALL: Extensions = Extensions { zcmp: true, zcmt: true };

    /// The extensions with these names.
    ///
    /// # Errors
    /// The first name that is none of them.
    pub fn of_names<'a>(
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<Extensions, UnknownExtension> {
        let mut extensions = Extensions::NONE;
        for name in names {
            match name {
                "zcmp" => extensions.zcmp = true,
                "zcmt" => extensions.zcmt = true,
                _ => return Err(UnknownExtension(name.into())),
            }
        }
        Ok(extensions)
    }

    /// Their names.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let names = [(self.zcmp, "zcmp"), (self.zcmt, "zcmt")];
        names.into_iter().filter_map(|(is_there, name)| is_there.then_some(name))
    }

    /// Those of both.
    #[must_use]
    pub fn union(self, other: Extensions) -> Extensions {
        Extensions { zcmp: self.zcmp | other.zcmp, zcmt: self.zcmt | other.zcmt }
    }
}

impl FromStr for Extensions {
    type Err = UnknownExtension;

    /// Names with commas between them.
    fn from_str(text: &str) -> Result<Extensions, UnknownExtension> {
        Extensions::of_names(text.split(','))
    }
}

impl fmt::Display for Extensions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names().collect::<Vec<_>>().join(","))
    }
}

/// What an instruction word does to the flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    /// Its kind, `None` for one that is followed by the next one.
    pub kind: Option<Kind>,
    /// It leaves a return address.
    pub call: bool,
    /// It goes back to one.
    pub is_return: bool,
    /// Its bytes.
    pub length: u8,
    /// It returns from a trap.
    pub trap_return: bool,
}

/// The upper 12 bits of the returns from traps: `uret`, `sret`, `mret`, `mnret`, `dret`.
pub const TRAP_RETURNS: [u32; 5] = [0x002, 0x102, 0x302, 0x702, 0x7b2];

/// What an instruction word does to the flow. Calls and returns are those of the manual's hints for
/// return address stacks, with `x1` and `x5` as link registers. A jump by a table in memory is an indirect one, as what
/// is not a constant in the instruction is not inferable for the trace specification.
pub fn classify(instruction: u32, xlen: Xlen, extensions: Extensions) -> Class {
    let field = |low: u32, bits: u32| instruction >> low & ((1 << bits) - 1);
    let links = |register: u32| register == 1 || register == 5;
    let is_long = field(0, 2) == 3;
    let length = if is_long { 4 } else { 2 };
    let trap_return =
        field(0, 7) == 0x73 && field(7, 13) == 0 && TRAP_RETURNS.contains(&field(20, 12));
    let (kind, destination, source) = if is_long {
        let kind = match field(0, 7) {
            0x6f => Some(Kind::DirectJump),
            0x63 => Some(Kind::DirectConditional),
            0x67 => Some(Kind::IndirectJump),
            0x73 if trap_return => Some(Kind::IndirectJump),
            _ => None,
        };
        let source = if field(0, 7) == 0x67 { field(15, 5) } else { 0 };
        (kind, field(7, 5), source)
    } else {
        match (field(0, 2), field(13, 3)) {
            (1, 1) if xlen == Xlen::Rv32 => (Some(Kind::DirectJump), 1, 0),
            (1, 5) => (Some(Kind::DirectJump), 0, 0),
            (1, 6 | 7) => (Some(Kind::DirectConditional), 0, 0),
            (2, 4) if field(2, 5) == 0 && field(7, 5) != 0 => {
                (Some(Kind::IndirectJump), field(12, 1), field(7, 5))
            }
            (2, 5) => match field(10, 3) {
                // The lists of registers below 4 are reserved, and bit 8 is.
                7 if extensions.zcmp && field(8, 1) == 0 && field(6, 2) != 0 => {
                    (Some(Kind::IndirectJump), 0, 1)
                }
                // From index 32 on it is cm.jalt.
                0 if extensions.zcmt => (Some(Kind::IndirectJump), (field(7, 3) != 0).into(), 0),
                _ => (None, 0, 0),
            },
            _ => (None, 0, 0),
        }
    };
    let is_jump = kind.is_some_and(|kind| !kind.is_conditional());
    let call = is_jump && links(destination);
    // With both, one register for both is a call that happens to jump by it.
    let is_return = is_jump && links(source) && !(call && source == destination);
    Class { kind, call, is_return, length, trap_return }
}
