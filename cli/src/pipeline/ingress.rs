//! The port of the core that `generate` connects a design to.

use std::fmt::{self, Display, Formatter};

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use tracewright_packaging::Ingress as Adapted;
use tracewright_sim::blocks;
use tracewright_sim::ingress::Queue;
use tracewright_sim::parameter::ParameterType;
use tracewright_sim::rvfi::{self, Compressed, Extensions, Trapped, Xlen};
use tracewright_sim::scheme::Design;
use tracewright_sim::tip::{self, Retirement};

use super::failure::usage;

#[derive(Args, Clone, Default)]
#[group(skip)]
pub struct Arguments {
    /// Set the port of the core: the blocks of docs/hardware.md, or one that needs an adapter: the RISC-V formal
    /// interface, retired instructions (docs/live_core.md), or the trace ingress port of E-Trace; the default is blocks
    #[arg(long, value_name = "PORT")]
    ingress: Option<Ingress>,
    /// Set the width of the core's registers in bits, with --ingress rvfi or retired; the default is 32
    #[arg(long, value_name = "BITS")]
    xlen: Option<RegisterBits>,
    /// Name extensions of the core that change the flow by words of others, with --ingress rvfi or retired: zcmp, zcmt;
    /// the default is none
    #[arg(long, value_name = "NAME,...")]
    ingress_extensions: Option<Extensions>,
    /// Set what the port has in place of a compressed instruction, with --ingress rvfi or retired: the instruction itself,
    /// one of 32 bits that does the same, or either with a pin that tells them apart; the default is raw
    #[arg(long, value_name = "WHAT", value_parser = word::<Compressed>)]
    compressed: Option<Compressed>,
    /// Set what the pin for traps says, with --ingress rvfi or retired: that the instruction has not retired, or that it
    /// has not unless the next address is where its word leads; the default is not-retired
    #[arg(long, value_name = "WHAT", value_parser = word::<Trapped>)]
    trap: Option<Trapped>,
    /// Name the pins beside valid, address and word, with --ingress retired: trap, interrupt, next, number; the default
    /// is none
    #[arg(long, value_name = "PIN,...", value_delimiter = ',')]
    ingress_pins: Option<Vec<String>>,
    /// Set the width of itype, with --ingress tip: 3 or 4; the default is 4
    #[arg(long, value_name = "BITS")]
    itype_bits: Option<u32>,
    /// Set what the hart retires in a cycle, with --ingress tip: a single instruction, or a block whose half-words are
    /// counted; the default is single
    #[arg(long, value_name = "WHAT")]
    retirement: Option<Retires>,
    /// Set how many blocks the core shows in a cycle, 1 to 4, with --ingress blocks or tip; the default is 1
    #[arg(long, value_name = "N")]
    blocks_per_cycle: Option<u32>,
    /// Set how many instructions the core retires in a cycle, 1 to 4, with --ingress rvfi or retired; the default is 1
    #[arg(long, value_name = "N")]
    nret: Option<u32>,
    /// Set the number of instructions or blocks that the adapter holds while the trace module stalls; the default is
    /// 12 for each that can come in a cycle
    #[arg(long, value_name = "N")]
    ingress_queue: Option<u32>,
    /// Set how many of them may still retire after the adapter raises stall, with --ingress rvfi, retired or tip; the
    /// default is 8 for each that can come in a cycle
    #[arg(long, value_name = "N")]
    ingress_slack: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Ingress {
    Blocks,
    Rvfi,
    Retired,
    Tip,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
enum RegisterBits {
    #[value(name = "32")]
    Rv32,
    #[value(name = "64")]
    Rv64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Retires {
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
    port: Ingress,
    #[serde(skip_serializing_if = "Option::is_none")]
    lanes: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    queue: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    slack: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    xlen: Option<RegisterBits>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extensions: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "optional_word")]
    compressed: Option<Compressed>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "optional_word")]
    trap: Option<Trapped>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pins: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    itype_bits: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retirement: Option<Retires>,
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

impl Arguments {
    /// The adapter that the options and the file ask for, which every design must be able to have. An option prevails
    /// over the file, and another port over the whole section.
    ///
    /// # Errors
    /// When something is set for another port, a constraint is broken, or a design traces no control flow.
    pub fn adapter(&self, designs: &[Design], file: Option<&Section>) -> Result<Option<Adapted>> {
        match file {
            Some(section) if self.ingress.is_none_or(|port| port == section.port) => {
                self.or(section)?.adapter_of(designs)
            }
            _ => self.adapter_of(designs),
        }
    }

    /// The same options, with those of a section where there are none.
    fn or(&self, section: &Section) -> Result<Arguments> {
        let of = |instructions| {
            let is_of = matches!(section.port, Ingress::Rvfi | Ingress::Retired) == instructions;
            section.lanes.filter(|_| is_of)
        };
        Ok(Arguments {
            ingress: Some(section.port),
            xlen: self.xlen.or(section.xlen),
            ingress_extensions: match (self.ingress_extensions, &section.extensions) {
                (None, Some(names)) => {
                    let names = names.iter().map(String::as_str);
                    Some(Extensions::of_names(names).map_err(usage)?)
                }
                (extensions, _) => extensions,
            },
            compressed: self.compressed.or(section.compressed),
            trap: self.trap.or(section.trap),
            ingress_pins: self.ingress_pins.clone().or_else(|| section.pins.clone()),
            itype_bits: self.itype_bits.or(section.itype_bits),
            retirement: self.retirement.or(section.retirement),
            blocks_per_cycle: self.blocks_per_cycle.or(of(false)),
            nret: self.nret.or(of(true)),
            ingress_queue: self.ingress_queue.or(section.queue),
            ingress_slack: self.ingress_slack.or(section.slack),
        })
    }

    fn port(&self) -> Ingress {
        self.ingress.unwrap_or(Ingress::Blocks)
    }

    fn adapter_of(&self, designs: &[Design]) -> Result<Option<Adapted>> {
        self.check_options()?;
        let (adapter, port) = match self.port() {
            Ingress::Blocks => match self.blocks()? {
                None => return Ok(None),
                Some(config) => (Adapted::Blocks(config), "blocks"),
            },
            Ingress::Rvfi => (Adapted::Rvfi(self.rvfi(rvfi::Port::Rvfi)?), "RVFI"),
            Ingress::Retired => (Adapted::Rvfi(self.rvfi(rvfi::Port::Retired)?), "retired"),
            Ingress::Tip => (Adapted::Tip(self.tip()?), "TIP"),
        };
        if let Some(design) = designs.iter().find(|design| design.traces_data()) {
            let design = design.name.clone();
            return Err(usage(tracewright_hdl::Error::NoControlFlow { design, port }));
        }
        Ok(Some(adapter))
    }

    /// Checks that everything that is set is for the port.
    fn check_options(&self) -> Result<()> {
        use Ingress::{Blocks, Retired, Rvfi, Tip};
        let queue: &[Ingress] = if self.blocks_per_cycle.unwrap_or(1) > 1 {
            &[Blocks, Rvfi, Retired, Tip]
        } else {
            &[Rvfi, Retired, Tip]
        };
        let for_ports: [(&str, bool, &[Ingress], &str); 11] = [
            ("--xlen", self.xlen.is_some(), &[Rvfi, Retired], "rvfi or retired"),
            ("--nret", self.nret.is_some(), &[Rvfi, Retired], "rvfi or retired"),
            (
                "--ingress-extensions",
                self.ingress_extensions.is_some(),
                &[Rvfi, Retired],
                "rvfi or retired",
            ),
            ("--compressed", self.compressed.is_some(), &[Rvfi, Retired], "rvfi or retired"),
            ("--trap", self.trap.is_some(), &[Rvfi, Retired], "rvfi or retired"),
            ("--ingress-pins", self.ingress_pins.is_some(), &[Retired], "retired"),
            ("--itype-bits", self.itype_bits.is_some(), &[Tip], "tip"),
            ("--retirement", self.retirement.is_some(), &[Tip], "tip"),
            (
                "--blocks-per-cycle",
                self.blocks_per_cycle.is_some(),
                &[Blocks, Tip],
                "blocks or tip",
            ),
            (
                "--ingress-queue",
                self.ingress_queue.is_some(),
                queue,
                "rvfi, retired or tip, or --blocks-per-cycle above 1",
            ),
            (
                "--ingress-slack",
                self.ingress_slack.is_some(),
                &[Rvfi, Retired, Tip],
                "rvfi, retired or tip",
            ),
        ];
        for (option, is_set, ports, expected) in for_ports {
            if is_set && !ports.contains(&self.port()) {
                return Err(usage(format!("{option}: expected --ingress {expected}")));
            }
        }
        Ok(())
    }

    /// The queue for so many entries in a cycle.
    fn queue(&self, lanes: Option<u32>) -> Queue {
        let default = Queue::new(lanes.unwrap_or(1));
        Queue {
            depth: self.ingress_queue.unwrap_or(default.depth),
            slack: self.ingress_slack.unwrap_or(default.slack),
            ..default
        }
    }

    /// Checks a queue that was given without a slack against the default of the slack, which no option names.
    fn check_slack(&self, queue: &Queue) -> Result<()> {
        let Queue { lanes, depth, slack } = *queue;
        let least = slack.saturating_add(lanes);
        if self.ingress_slack.is_some() || self.ingress_queue.is_none() || depth >= least {
            return Ok(());
        }
        let fits = depth.saturating_sub(lanes);
        Err(usage(format!(
            "--ingress-queue {depth}: expected at least {least}, or --ingress-slack of at most {fits}: after the core was told to \
             stop, {slack} may still retire"
        )))
    }

    /// The adapter for several blocks in a cycle; none for one.
    fn blocks(&self) -> Result<Option<blocks::Config>> {
        let Some(lanes) = self.blocks_per_cycle.filter(|lanes| *lanes != 1) else {
            return Ok(None);
        };
        let default = blocks::Config::new(lanes);
        let depth = self.ingress_queue.unwrap_or(default.depth);
        let config = blocks::Config { depth, ..default };
        config.validate().map_err(usage)?;
        Ok(Some(config))
    }

    fn rvfi(&self, port: rvfi::Port) -> Result<rvfi::Config> {
        let xlen = match self.xlen {
            None | Some(RegisterBits::Rv32) => Xlen::Rv32,
            Some(RegisterBits::Rv64) => Xlen::Rv64,
        };
        let queue = self.queue(self.nret);
        self.check_slack(&queue)?;
        let names = self.ingress_pins.iter().flatten().map(String::as_str);
        let pins = match port {
            rvfi::Port::Rvfi => rvfi::Pins::RVFI,
            rvfi::Port::Retired => rvfi::Pins::of_names(names).map_err(|name| {
                usage(format!(
                    "--ingress-pins: expected trap, interrupt, next or number, found {name}"
                ))
            })?,
        };
        let config = rvfi::Config {
            port,
            pins,
            xlen,
            extensions: self.ingress_extensions.unwrap_or_default(),
            compressed: self.compressed.unwrap_or(Compressed::Raw),
            trap: self.trap.unwrap_or(Trapped::NotRetired),
            queue,
        };
        config.validate().map_err(usage)?;
        Ok(config)
    }

    fn tip(&self) -> Result<tip::Config> {
        let queue = self.queue(self.blocks_per_cycle);
        self.check_slack(&queue)?;
        let default = tip::Config::default();
        let config = tip::Config {
            itype_bits: self.itype_bits.unwrap_or(default.itype_bits),
            retirement: match self.retirement {
                None => default.retirement,
                Some(Retires::Single) => Retirement::Single,
                Some(Retires::Block) => Retirement::Block,
            },
            queue,
        };
        config.validate().map_err(usage)?;
        Ok(config)
    }
}
