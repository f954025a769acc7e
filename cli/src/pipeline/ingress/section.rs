//! The section `[ingress]` of a design file.

use std::fmt::{self, Display, Formatter};

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use tracewright_sim::blocks;
use tracewright_sim::ingress::Queue;
use tracewright_sim::parameter::ParameterType;
use tracewright_sim::rvfi::{self, Compressed, Extensions, Trapped, Xlen};
use tracewright_sim::tip::{self, Retirement};
use tracewright_sim::unit::Ingress as Adapted;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Ingress {
    Blocks,
    Rvfi,
    Retired,
    Tip,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub(super) enum RegisterBits {
    #[value(name = "32")]
    Rv32,
    #[value(name = "64")]
    Rv64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Retires {
    Single,
    Block,
}

/// A word of a parameter, as an option has it.
pub fn word<T: ParameterType>(text: &str) -> Result<T, String> {
    T::parse(text, None).ok_or_else(|| format!("expected one of {}", T::allowed(None)))
}

/// A word of a parameter, as a section has it.
mod optional_word {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};
    use tracewright_sim::parameter::ParameterType;

    pub fn serialize<T, S>(word: &Option<T>, serializer: S) -> Result<S::Ok, S::Error>
    where
        T: ParameterType + ToString + Copy,
        S: Serializer,
    {
        match word {
            Some(word) => serializer.serialize_str(&word.to_string()),
            None => serializer.serialize_none(),
        }
    }

    pub fn deserialize<'de, T: ParameterType, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        super::word(&String::deserialize(deserializer)?).map(Some).map_err(D::Error::custom)
    }
}

impl TryFrom<u32> for RegisterBits {
    type Error = String;

    fn try_from(bits: u32) -> Result<Self, String> {
        match bits {
            32 => Ok(RegisterBits::Rv32),
            64 => Ok(RegisterBits::Rv64),
            other => Err(format!("expected xlen to be 32 or 64, found {other}")),
        }
    }
}

impl From<RegisterBits> for u32 {
    fn from(bits: RegisterBits) -> u32 {
        match bits {
            RegisterBits::Rv32 => 32,
            RegisterBits::Rv64 => 64,
        }
    }
}

/// The section `[ingress]` of a design file. Its keys have the meaning of the options; `lanes` is --nret or
/// --blocks-per-cycle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    pub(super) port: Ingress,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) lanes: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) queue: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) slack: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) xlen: Option<RegisterBits>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extensions: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "optional_word")]
    pub(super) compressed: Option<Compressed>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "optional_word")]
    pub(super) trap: Option<Trapped>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) pins: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) itype_bits: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) retirement: Option<Retires>,
}

impl Display for Section {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let port = match self.port {
            Ingress::Blocks => "blocks",
            Ingress::Rvfi => "rvfi",
            Ingress::Retired => "retired",
            Ingress::Tip => "tip",
        };
        write!(formatter, "{port} with lanes = {}", self.lanes.unwrap_or(1))
    }
}

impl Section {
    /// True if it is of the same port as another one, with as many lanes.
    pub fn is_on(&self, other: &Section) -> bool {
        self.port == other.port && self.lanes.unwrap_or(1) == other.lanes.unwrap_or(1)
    }

    /// The section that stands for an adapter, with every value that it was generated with.
    pub fn of(adapter: Adapted) -> Section {
        let with = |port, queue: &Queue| Section {
            port,
            lanes: Some(queue.lanes),
            queue: Some(queue.depth),
            slack: Some(queue.slack),
            xlen: None,
            extensions: None,
            compressed: None,
            trap: None,
            pins: None,
            itype_bits: None,
            retirement: None,
        };
        match adapter {
            Adapted::Blocks(blocks::Config { lanes, depth }) => {
                let queue = Queue { depth, ..Queue::new(lanes) };
                Section { slack: None, ..with(Ingress::Blocks, &queue) }
            }
            Adapted::Rvfi(rvfi::Config {
                port,
                pins,
                xlen,
                extensions,
                compressed,
                trap,
                queue,
            }) => {
                let xlen = match xlen {
                    Xlen::Rv32 => RegisterBits::Rv32,
                    Xlen::Rv64 => RegisterBits::Rv64,
                };
                let names = pins.named().into_iter().filter(|(_, is_there)| *is_there);
                let names = names.map(|(name, _)| name.to_owned()).collect();
                let (port, pins) = match port {
                    rvfi::Port::Rvfi => (Ingress::Rvfi, None),
                    rvfi::Port::Retired => (Ingress::Retired, Some(names)),
                };
                Section {
                    xlen: Some(xlen),
                    extensions: (extensions != Extensions::NONE)
                        .then(|| extensions.names().map(str::to_owned).collect()),
                    compressed: Some(compressed),
                    trap: Some(trap),
                    pins,
                    ..with(port, &queue)
                }
            }
            Adapted::Tip(tip::Config { itype_bits, retirement, queue }) => {
                let retirement = match retirement {
                    Retirement::Single => Retires::Single,
                    Retirement::Block => Retires::Block,
                };
                Section {
                    itype_bits: Some(itype_bits),
                    retirement: Some(retirement),
                    ..with(Ingress::Tip, &queue)
                }
            }
        }
    }
}
