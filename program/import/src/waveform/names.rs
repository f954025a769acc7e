//! What a core's signals are called in a waveform.

use serde::Deserialize;
use tracewright_image::InstructionSet;

/// The most instructions that can retire in a cycle.
const LANES_MAX: usize = 64;

/// The signals of a core, as a file in TOML describes them (docs/import.md).
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Core {
    /// The scopes in which all other names are, with points between them; without it, names have all their scopes.
    #[serde(default)]
    pub(crate) scope: String,
    pub(crate) clock: SignalName,
    #[serde(default)]
    pub(crate) edge: Edge,
    pub(crate) isa: Option<Isa>,
    /// It asks the core to stop.
    pub(crate) stall: Option<SignalName>,
    #[serde(rename = "lane", deserialize_with = "lanes")]
    pub(crate) lanes: Vec<Lane>,
}

impl Core {
    /// The instruction set, if the file says it.
    pub(crate) fn instruction_set(&self) -> Option<InstructionSet> {
        self.isa.map(|isa| match isa {
            Isa::Rv32 => InstructionSet::RV32,
            Isa::Rv64 => InstructionSet::RV64,
        })
    }

    /// True if each lane says what is compressed.
    pub(crate) fn tells_compressed(&self) -> bool {
        self.lanes.iter().all(|lane| lane.compressed.is_some())
    }

    /// True if memory accesses are described.
    pub(crate) fn has_accesses(&self) -> bool {
        self.lanes.iter().any(|lane| lane.memory_address.is_some())
    }
}

/// The edge of the clock at which instructions retire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Edge {
    #[default]
    Rising,
    Falling,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Isa {
    Rv32,
    Rv64,
}

/// The signals of an instruction that retires; those of the oldest one of a cycle come first.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Lane {
    /// There is an instruction.
    pub valid: SignalName,
    pub program_counter: SignalName,
    /// Its word; without it, the program says what it is.
    pub instruction: Option<SignalName>,
    /// It trapped.
    pub trap: Option<SignalName>,
    /// It is the first one of a handler.
    pub interrupt: Option<SignalName>,
    /// Where it leads.
    pub next_program_counter: Option<SignalName>,
    /// It is compressed.
    pub compressed: Option<SignalName>,
    /// Its number in the order of retirement.
    pub number: Option<SignalName>,
    pub memory_address: Option<SignalName>,
    /// Not 0 in a load.
    pub memory_read: Option<SignalName>,
    /// Not 0 in a store.
    pub memory_write: Option<SignalName>,
}

/// The name of a signal or of some of its bits: `valid`, `core.valid[1]`, `pc[31:0]`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct SignalName {
    /// The name without bits.
    pub(crate) name: String,
    /// The highest and the lowest bit.
    pub(crate) bits: Option<(u32, u32)>,
}

impl TryFrom<String> for SignalName {
    type Error = String;

    fn try_from(text: String) -> Result<SignalName, String> {
        let expected = || {
            format!("expected a signal, such as valid, valid[1] or address[31:0], found {text:?}")
        };
        let (name, bits) = match text.rfind('[').filter(|_| text.ends_with(']')) {
            None => (text.as_str(), None),
            Some(at) => (&text[..at], Some(range(&text[at..]).ok_or_else(expected)?)),
        };
        if name.is_empty() || bits.is_some_and(|(high, low)| high < low) {
            return Err(expected());
        }
        Ok(SignalName { name: name.to_owned(), bits })
    }
}

/// The numbers of `[31:0]`, or twice that of `[3]`.
pub(super) fn range(text: &str) -> Option<(u32, u32)> {
    let inner = text.strip_prefix('[')?.strip_suffix(']')?;
    let (first, second) = inner.split_once(':').unwrap_or((inner, inner));
    Some((decimal(first)?, decimal(second)?))
}

/// A number in decimal digits.
pub(super) fn decimal(text: &str) -> Option<u32> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

/// At least one lane, and none with an address of memory alone.
fn lanes<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<Lane>, D::Error> {
    let lanes = Vec::<Lane>::deserialize(deserializer)?;
    let is_whole = |lane: &Lane| {
        lane.memory_address.is_some() == (lane.memory_read.is_some() || lane.memory_write.is_some())
    };
    if lanes.is_empty() || lanes.len() > LANES_MAX {
        let found = lanes.len();
        let expected = format!("expected 1 to {LANES_MAX} times [[lane]], found {found}");
        return Err(serde::de::Error::custom(expected));
    }
    match lanes.iter().all(is_whole) {
        true => Ok(lanes),
        false => Err(serde::de::Error::custom(
            "expected memory_address together with memory_read, memory_write or both",
        )),
    }
}
